"""Writes observations and states: what a seat may know, or all of it (`observation` has the parts)."""

from baofen.envs.core.bits import count_cards, lowest, popcount
from baofen.envs.core.deal import dealt_to
from baofen.envs.core.dtypes import EXPOSE, NO_TRUMP_YET, NOBODY, NUM_GROUPS
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.known import known_dealt
from baofen.envs.core.spread import faces_of_seats, write_54, write_60
from baofen.envs.core.trick import points_of
from baofen.envs.observation import OBSERVATION_SIZE, OFFSETS, PUBLIC_SIZE, SIGNED_ZERO, STATE_OFFSETS, STATE_SIZE

FACES = 54
ALL_CARDS = (1 << FACES) - 1
CARD_POINTS = 5
POT_UNIT = 10
TOTALS_UNIT = 8
LAST_BYTE = 255

HAND, SELECTION, BURIED, UNSEEN = (OFFSETS[name] for name in ("hand", "selection", "buried", "unseen"))
UNSEEN_POINTS = OFFSETS["unseen_points"]
OWN_PARTS = OBSERVATION_SIZE - PUBLIC_SIZE
STATE_HANDS, STATE_SELECTION, STATE_BURIED = (STATE_OFFSETS[name] for name in ("hands", "selection", "buried"))
STATE_ACTING = STATE_OFFSETS["acting"]
STATE_OWN_PARTS = STATE_SIZE - PUBLIC_SIZE


def _public(name: str) -> int:
    """Return where a public part begins, counted from the first public part."""
    return OFFSETS[name] - OWN_PARTS


PLAYED, TRICK, SHOWN, HAND_CARDS = (_public(name) for name in ("played", "trick", "shown", "hand_cards"))
VOID = _public("void")
assert (_public("pairless"), _public("runless")) == (VOID + 4 * NUM_GROUPS, VOID + 8 * NUM_GROUPS)
PHASE, TRUMP, EXPOSED_BY = (_public(name) for name in ("phase", "trump", "exposed_by"))
EXPOSURE_FINAL, FIRST_CALLER = (_public(name) for name in ("exposure_final", "first_caller"))
CALLS, NUM_CALLS, PASSED = (_public(name) for name in ("calls", "num_calls", "passed"))
LAST_CALL, LAST_CALLER = (_public(name) for name in ("last_call", "last_caller"))
DECLARER, TARGET = (_public(name) for name in ("declarer", "target"))
CAPTURED, CAPTURED_TRUMP = (_public(name) for name in ("captured", "captured_trump"))
CONCEDED, CONCEDED_TRUMP = (_public(name) for name in ("conceded", "conceded_trump"))
RED_FIVE_BONUS, FINE_LEVELS = (_public(name) for name in ("red_five_bonus", "fine_levels"))
LEADER, NUM_PLAYS = (_public(name) for name in ("leader", "num_plays"))
LEAD_GROUP, LEAD_CARDS, LEAD_PAIRS = (_public(name) for name in ("lead_group", "lead_cards", "lead_pairs"))
LEAD_RUNS, LEAD_IS_THROW = (_public(name) for name in ("lead_runs", "lead_is_throw"))
LEAD_IS_FORCED, LEAD_EIGHT = (_public(name) for name in ("lead_is_forced", "lead_eight"))
WINNER, WINNER_IS_TRUMP = (_public(name) for name in ("winner", "winner_is_trump"))
TRICK_POINTS, POT, POT_AGE = (_public(name) for name in ("trick_points", "pot", "pot_age"))
TOTALS, DEAL_INDEX, DEALS_LEFT = (_public(name) for name in ("totals", "deal_index", "deals_left"))


@inline_kernel
def _write_cards(out, start, rules, layout, ones, twos):
    """Write the copies of each face of a set of cards."""
    while ones != 0:
        position = lowest(ones)
        ones &= ones - 1
        out[start + rules.face[layout, position]] = 1 + ((twos >> position) & 1)


@inline_kernel
def _write_seat(out, start, seat, observer):
    """Write a one-hot of five: the seat relative to the observer, or nobody."""
    out[start + (4 if seat == NOBODY else (seat - observer) & 3)] = 1


@inline_kernel
def _clip(value):
    """Return a value that fits a byte."""
    return min(max(value, 0), LAST_BYTE)


@inline_kernel
def _write_seats(out, start, rules, layout, observer, ones, twos):
    """Write the copies of each face of four sets of cards, int64 [4], that of the observer first."""
    faces = faces_of_seats(ones, twos, rules.move_bits[layout], rules.move_turns[layout])
    write_54(out, start + FACES * ((0 - observer) & 3), faces[0], faces[4])
    write_54(out, start + FACES * ((1 - observer) & 3), faces[1], faces[5])
    write_54(out, start + FACES * ((2 - observer) & 3), faces[2], faces[6])
    write_54(out, start + FACES * ((3 - observer) & 3), faces[3], faces[7])


@kernel
def _write_public(table, rules, observer, out):
    """Write what all know, with seats relative to the observer, into `out`, uint8 [PUBLIC_SIZE]."""
    layout = table.layout
    _write_seats(out, PLAYED, rules, layout, observer, table.played_ones, table.played_twos)
    _write_seats(out, TRICK, rules, layout, observer, table.trick_ones, table.trick_twos)
    _write_seats(out, SHOWN, rules, layout, observer, table.shown_ones, table.shown_twos)
    for index in range(HAND_CARDS, PUBLIC_SIZE):
        out[index] = 0
    points = 0
    flags = 0
    for relative in range(4):
        seat = (observer + relative) & 3
        points += points_of(rules, layout, table.trick_ones[seat], table.trick_twos[seat])
        out[HAND_CARDS + relative] = count_cards(table.hand_ones[seat], table.hand_twos[seat])
        flags |= int(table.shown_void[seat]) << NUM_GROUPS * relative
        flags |= int(table.shown_pairless[seat]) << NUM_GROUPS * (4 + relative)
        flags |= int(table.shown_runless[seat]) << NUM_GROUPS * (8 + relative)
        out[CALLS + relative] = table.calls[seat] // CARD_POINTS
        out[NUM_CALLS + relative] = table.num_calls[seat]
        out[PASSED + relative] = table.passed[seat]
        out[FINE_LEVELS + relative] = _clip(table.fine_levels[seat])
        out[TOTALS + relative] = _clip(SIGNED_ZERO + table.totals[seat] // TOTALS_UNIT)
    write_60(out, VOID, flags, 0)  # void, pairless, runless
    out[PHASE + table.phase] = 1
    out[TRUMP + (table.trump if table.trump != NO_TRUMP_YET else table.exposed_suit)] = 1
    _write_seat(out, EXPOSED_BY, table.exposed_by, observer)
    out[EXPOSURE_FINAL] = table.exposure_final
    out[FIRST_CALLER + ((table.first_caller - observer) & 3)] = 1
    out[LAST_CALL] = table.last_call // CARD_POINTS
    _write_seat(out, LAST_CALLER, table.last_caller, observer)
    _write_seat(out, DECLARER, table.declarer, observer)
    out[TARGET] = table.target // CARD_POINTS
    out[CAPTURED] = table.captured // CARD_POINTS
    out[CAPTURED_TRUMP] = table.captured_trump // CARD_POINTS
    out[CONCEDED] = table.conceded // CARD_POINTS
    out[CONCEDED_TRUMP] = table.conceded_trump // CARD_POINTS
    out[RED_FIVE_BONUS] = _clip(SIGNED_ZERO + table.red_five_bonus // CARD_POINTS)
    _write_seat(out, LEADER, table.leader, observer)
    out[NUM_PLAYS] = table.num_plays
    if table.num_plays > 0:
        out[LEAD_GROUP + table.lead_group] = 1
        out[LEAD_CARDS] = table.lead_cards
        out[LEAD_PAIRS] = table.lead_pairs
        for index in range(table.lead_num_runs):
            out[LEAD_RUNS + index] = table.lead_runs[index]
        out[LEAD_IS_THROW] = table.lead_is_throw
        out[LEAD_IS_FORCED] = table.lead_is_forced
        out[LEAD_EIGHT] = table.lead_eight
        _write_seat(out, WINNER, table.best_seat, observer)
        out[WINNER_IS_TRUMP] = table.best_is_trump
        out[TRICK_POINTS] = points // CARD_POINTS
    else:
        out[LEAD_GROUP + NUM_GROUPS] = 1
        _write_seat(out, WINNER, NOBODY, observer)
    out[POT] = _clip(table.pot // POT_UNIT)
    out[POT_AGE] = _clip(table.pot_age)
    out[DEAL_INDEX] = _clip(table.deal_index)
    out[DEALS_LEFT] = _clip(table.deals_per_match - 1 - table.deal_index)


@kernel
def _write_known_dealt(table, observer, out):
    """Write the sizes of the hands as a seat knows them while another is asked to expose."""
    dealt = known_dealt(table, observer)
    for relative in range(4):
        out[HAND_CARDS + relative] = dealt_to(table, (observer + relative) & 3, dealt)


@kernel
def write_observation(table, rules, observer, out):
    """Write what one seat may know into `out`, uint8 [OBSERVATION_SIZE]."""
    for index in range(OWN_PARTS):
        out[index] = 0
    layout = table.layout
    own_ones, own_twos = table.hand_ones[observer], table.hand_twos[observer]
    _write_cards(out, HAND, rules, layout, own_ones, own_twos)
    if observer == table.acting:
        _write_cards(out, SELECTION, rules, layout, table.selection_ones, table.selection_twos)
    once, twice = own_ones, own_twos
    if observer == table.declarer:
        _write_cards(out, BURIED, rules, layout, table.buried_ones, table.buried_twos)
        twice |= table.buried_twos | (once & table.buried_ones)
        once |= table.buried_ones
    for seat in range(4):
        twice |= table.played_twos[seat] | (once & table.played_ones[seat])
        once |= table.played_ones[seat]
    unseen_ones = ALL_CARDS & ~twice  # at least one copy is unseen unless both are seen
    unseen_twos = ALL_CARDS & ~once
    out[UNSEEN_POINTS] = points_of(rules, layout, unseen_ones, unseen_twos) // CARD_POINTS
    if layout != NO_TRUMP_YET:
        for group in range(NUM_GROUPS):
            bits = rules.group_bits[layout, group]
            out[UNSEEN + group] = popcount(unseen_ones & bits) + popcount(unseen_twos & bits)
    _write_public(table, rules, observer, out[OWN_PARTS:])
    if table.phase == EXPOSE and observer != table.acting:
        _write_known_dealt(table, observer, out[OWN_PARTS:])


@kernel
def write_state(table, rules, out):
    """Write everything into `out`, uint8 [STATE_SIZE], with absolute seats."""
    for index in range(STATE_OWN_PARTS):
        out[index] = 0
    layout = table.layout
    for seat in range(4):
        _write_cards(out, STATE_HANDS + FACES * seat, rules, layout, table.hand_ones[seat], table.hand_twos[seat])
    _write_cards(out, STATE_SELECTION, rules, layout, table.selection_ones, table.selection_twos)
    _write_cards(out, STATE_BURIED, rules, layout, table.buried_ones, table.buried_twos)
    out[STATE_ACTING + (4 if table.acting == NOBODY else table.acting)] = 1
    _write_public(table, rules, 0, out[STATE_OWN_PARTS:])
