"""Matches and deals begin here: cards are shuffled, dealt, and (preset `exposure`) shown while dealing.

`rules.md` section 1 (Deal), 3 (Dealing) and 6 (Match).
"""

import numpy as np

from baofen.envs.cards import NUM_RANKS
from baofen.envs.core.bits import add_cards, lowest
from baofen.envs.core.dtypes import AUCTION, BURY, EXPOSE, NO_TRUMP_YET, NOBODY, POT, TRUMP
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.rng import draw

DEALT_CARDS = 100
PASS_WORD = 1 << 13
"""Bit of `pass` in `legal_words` (action 67, counted from 54)."""
COMMIT_WORD = 1
BEFORE_CLOSING = -1

MATCH_STARTS = np.dtype(
    [
        ("first_caller", np.int8),  # seat, or NOBODY: drawn
        ("pot_percent", np.int16),  # how many of 100 matches begin with a pot (only where there can be one)
        ("totals_spread", np.int32),  # running totals are drawn from -spread .. +spread
    ],
    align=True,
)
"""dtype of how matches begin: by default nothing is drawn but the first caller."""


@inline_kernel
def give_face(table, seat, face):
    """Add one card to a hand while positions are faces."""
    bits = 1 << face
    table.hand_twos[seat] |= table.hand_ones[seat] & bits
    table.hand_ones[seat] |= bits


@kernel
def shuffle_deck(table):
    """Shuffle the 108 cards (Fisher-Yates)."""
    for index in range(108):
        table.deck[index] = index >> 1
    for index in range(107, 0, -1):
        other = draw(table, index + 1)
        face = table.deck[index]
        table.deck[index] = table.deck[other]
        table.deck[other] = face


@kernel
def new_match(table, rules, starts):
    """Begin a match: totals, pot and first caller as `starts` says, then the first deal."""
    table.deal_index = 0
    table.result = 0
    table.pot = 0
    table.pot_age = 0
    for seat in range(4):
        table.totals[seat] = 0
        if starts.totals_spread > 0:
            table.totals[seat] = draw(table, 2 * starts.totals_spread + 1) - starts.totals_spread
    may_have_pot = rules.all_pass == POT
    if may_have_pot and starts.pot_percent > 0 and draw(table, 100) < starts.pot_percent:
        table.pot = 100 << draw(table, 2)
        table.pot_age = 1 + draw(table, 4)
    table.first_caller = draw(table, 4) if starts.first_caller == NOBODY else starts.first_caller
    shuffle_deck(table)
    begin_deal(table, rules, draw(table, 4))


@kernel
def next_deal(table, rules):
    """Begin the next deal of a match."""
    table.deal_index += 1
    following = table.result_next_first_caller
    table.first_caller = draw(table, 4) if following == NOBODY else following
    shuffle_deck(table)
    begin_deal(table, rules, draw(table, 4))


@kernel
def begin_deal(table, rules, drawn_suit):
    """Begin a deal with the deck, first caller, totals and pot that stand in the table.

    `drawn_suit`: the trump of preset `exposure` if nobody exposes.
    """
    table.start_pot = table.pot
    table.start_pot_age = table.pot_age
    table.num_actions = 0
    table.layout = NO_TRUMP_YET
    table.selection_ones = 0
    table.selection_twos = 0
    table.buried_ones = 0
    table.buried_twos = 0
    for seat in range(4):
        table.start_totals[seat] = table.totals[seat]
        table.hand_ones[seat] = 0
        table.hand_twos[seat] = 0
        table.played_ones[seat] = 0
        table.played_twos[seat] = 0
        table.trick_ones[seat] = 0
        table.trick_twos[seat] = 0
        table.shown_ones[seat] = 0
        table.shown_twos[seat] = 0
        table.held_ones[seat] = 0
        table.held_twos[seat] = 0
        table.shown_void[seat] = 0
        table.shown_pairless[seat] = 0
        table.shown_runless[seat] = 0
        table.calls[seat] = 0
        table.num_calls[seat] = 0
        table.passed[seat] = 0
        table.fine_levels[seat] = 0
    table.dealt = 0
    table.drawn_suit = drawn_suit
    table.exposed_suit = NO_TRUMP_YET
    table.exposed_by = NOBODY
    table.exposure_final = 0
    table.num_exposed = 0
    table.others_left = 0
    table.closing_left = BEFORE_CLOSING
    table.last_call = 0
    table.last_caller = NOBODY
    table.declarer = NOBODY
    table.target = 0
    table.trump = NO_TRUMP_YET
    table.leader = NOBODY
    table.num_plays = 0
    table.lead_group = -1
    table.lead_cards = 0
    table.lead_pairs = 0
    table.lead_num_runs = 0
    table.lead_is_throw = 0
    table.lead_is_forced = 0
    table.lead_eight = 0
    table.best_seat = NOBODY
    table.best_rank = 0
    table.best_is_trump = 0
    table.captured = 0
    table.captured_trump = 0
    table.conceded = 0
    table.conceded_trump = 0
    table.red_five_bonus = 0
    table.num_tricks = 0
    table.last_winner = NOBODY
    table.last_winner_trump = 0
    table.result_forfeit = NOBODY
    if rules.exposure:
        table.phase = EXPOSE
        go_on_dealing(table, rules)
    else:
        _deal_to(table, DEALT_CARDS)
        _begin_auction(table)


@inline_kernel
def dealt_to(table, seat, dealt):
    """Return how many of the first `dealt` cards a seat has got."""
    return (dealt + 3 - ((seat - table.first_caller) & 3)) // 4


@inline_kernel
def _deal_to(table, count):
    """Deal cards, one seat after the other from the first caller on, until `count` are dealt."""
    for index in range(table.dealt, count):
        give_face(table, (table.first_caller + index) & 3, int(table.deck[index]))
    table.dealt = count


@inline_kernel
def _begin_auction(table):
    table.phase = AUCTION
    table.acting = table.first_caller


@inline_kernel
def twos_of(table, seat):
    """Return the faces of rank 2 that a seat holds, and those it holds twice, while positions are faces."""
    all_twos = 1 | 1 << NUM_RANKS | 1 << 2 * NUM_RANKS | 1 << 3 * NUM_RANKS
    return table.hand_ones[seat] & all_twos, table.hand_twos[seat] & all_twos


@inline_kernel
def exposures(table, seat):
    """Return the 2s that a seat may pick first to expose, protect or overturn (`rules.md` section 3)."""
    ones, twos = twos_of(table, seat)
    if table.exposed_suit == NO_TRUMP_YET:
        return ones
    if table.exposure_final:
        return 0
    exposed = 1 << NUM_RANKS * table.exposed_suit
    if seat == table.exposed_by:
        return twos & exposed
    return twos & ~exposed


@kernel
def go_on_dealing(table, rules):
    """Deal until somebody has to be asked, or to the end; then trump is known and the auction begins.

    Asked are: at once the other three after an exposure; the receiver of each card; all seats in a closing round.
    """
    while True:
        if table.others_left > 0:
            seat = (table.exposed_by + 4 - table.others_left) & 3
            table.others_left -= 1
        elif table.exposure_final or table.closing_left == 0:
            break
        elif table.dealt < DEALT_CARDS:
            seat = (table.first_caller + table.dealt) & 3
            _deal_to(table, table.dealt + 1)
        else:
            if table.closing_left == BEFORE_CLOSING:
                table.closing_left = 4
            seat = (table.first_caller + 4 - table.closing_left) & 3
            table.closing_left -= 1
        if exposures(table, seat) != 0:
            table.acting = seat
            return
    _deal_to(table, DEALT_CARDS)
    if table.exposed_suit == NO_TRUMP_YET:
        table.exposed_suit = table.drawn_suit
    name_trump(table, rules, table.exposed_suit)
    _begin_auction(table)


@kernel
def expose_pick(table, rules, face):
    """Pick a 2 to show: protecting takes one pick, overturning two, a first exposure one or two."""
    seat = table.acting
    bits = 1 << face
    if table.exposed_suit == NO_TRUMP_YET or seat != table.exposed_by:
        if table.selection_ones == 0:
            table.selection_ones = bits
            return
        table.selection_twos = bits
    expose(table, rules)


@kernel
def expose(table, rules):
    """Show the selected 2s, or protect one's own exposure, and ask on."""
    seat = table.acting
    table.exposed_after[table.num_exposed] = table.dealt
    table.num_exposed += 1
    if seat == table.exposed_by:
        table.shown_twos[seat] |= table.shown_ones[seat] & (1 << NUM_RANKS * table.exposed_suit)
        table.exposure_final = 1
    else:
        table.shown_ones[seat] |= table.selection_ones
        table.shown_twos[seat] |= table.selection_twos
        table.exposed_suit = lowest(table.selection_ones) // NUM_RANKS
        table.exposed_by = seat
        table.exposure_final = table.selection_twos != 0
        table.others_left = 0 if table.exposure_final else 3
    table.selection_ones = 0
    table.selection_twos = 0
    go_on_dealing(table, rules)


@kernel
def expose_words(table):
    """Return `(picks, words)`: what the seat that is asked may do."""
    seat = table.acting
    if table.selection_ones == 0:
        return exposures(table, seat), PASS_WORD
    twin = table.selection_ones & table.hand_twos[seat]
    if table.exposed_suit == NO_TRUMP_YET:
        return twin, COMMIT_WORD
    return twin, 0


@kernel
def to_layout(rules, trump, faces):
    """Return the positions, with this trump, of a word of faces."""
    bits = 0
    while faces != 0:
        bits |= 1 << rules.position[trump, lowest(faces)]
        faces &= faces - 1
    return bits


@kernel
def name_trump(table, rules, trump):
    """Make a suit trump: from now on cards stand at the positions of its layout."""
    table.trump = trump
    table.layout = trump
    for seat in range(4):
        table.hand_ones[seat] = to_layout(rules, trump, table.hand_ones[seat])
        table.hand_twos[seat] = to_layout(rules, trump, table.hand_twos[seat])
        table.shown_ones[seat] = to_layout(rules, trump, table.shown_ones[seat])
        table.shown_twos[seat] = to_layout(rules, trump, table.shown_twos[seat])
        table.held_ones[seat] = table.shown_ones[seat]
        table.held_twos[seat] = table.shown_twos[seat]


@kernel
def award_contract(table, rules, declarer, target):
    """Make a seat declarer: he takes the 8 cards of the bottom, then names trump or (trump known) buries."""
    table.declarer = declarer
    table.target = target
    table.acting = declarer
    table.phase = TRUMP if table.trump == NO_TRUMP_YET else BURY
    for index in range(DEALT_CARDS, 108):
        bits = 1 << rules.position[table.layout, int(table.deck[index])]
        ones, twos = add_cards(table.hand_ones[declarer], table.hand_twos[declarer], bits, 0)
        table.hand_ones[declarer] = ones
        table.hand_twos[declarer] = twos
