"""Tricks: a play is committed, compared, and the trick goes to its winner (`rules.md` sections 1.2 and 2, Eight)."""

from baofen.envs.core.bits import popcount, remove_cards
from baofen.envs.core.dtypes import DEMOTED, REPLACE, TRUMP_GROUP
from baofen.envs.core.following import mark_shown
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.leading import fine_failed_throw, group_of, is_component, judge_lead, show_attempt
from baofen.envs.core.shape import covering_top, pack_runs, sort_runs

NO_EIGHT = 0
EIGHT_PAIRS = 4


@inline_kernel
def points_of(rules, layout, ones, twos):
    """Return the points on a set of cards."""
    fives, tens = rules.fives[layout], rules.tens[layout]
    return 5 * (popcount(ones & fives) + popcount(twos & fives)) + 10 * (popcount(ones & tens) + popcount(twos & tens))


@inline_kernel
def _move_to_table(table, seat, ones, twos):
    """Take the cards of a play out of a hand and lay them on the table."""
    table.hand_ones[seat], table.hand_twos[seat] = remove_cards(
        table.hand_ones[seat], table.hand_twos[seat], ones, twos
    )
    played_ones = table.played_ones[seat]
    table.played_twos[seat] |= twos | (played_ones & ones)
    table.played_ones[seat] = played_ones | ones
    table.trick_ones[seat] = ones
    table.trick_twos[seat] = twos
    if table.shown_ones[seat] & ones != 0:  # a shown card counts as gone with the first copy played
        table.shown_ones[seat], table.shown_twos[seat] = remove_cards(
            table.shown_ones[seat], table.shown_twos[seat], ones, twos
        )
        table.held_ones[seat], table.held_twos[seat] = remove_cards(
            table.held_ones[seat], table.held_twos[seat], ones, twos
        )
    table.selection_ones = 0
    table.selection_twos = 0
    table.num_plays += 1


@inline_kernel
def _top_rank(table, rules, ones, twos):
    """Return the rank of a play of one group against the lead, or -1 if it cannot win."""
    layout = table.layout
    barred = 0
    if table.lead_group == TRUMP_GROUP and rules.joker_tractor == DEMOTED and table.num_plays > 0:
        barred = rules.joker_bits
    top = covering_top(
        ones,
        twos,
        rules.links[layout],
        int(table.lead_pairs),
        table.lead_runs,
        int(table.lead_num_runs),
        barred,
    )
    if top < 0:
        return -1
    return int(rules.rank[layout, top])


@kernel
def play_lead(table, rules, ones, twos):
    """Lead cards of one group: judge a throw, then fix the shape that the others must follow."""
    seat = table.acting
    layout = table.layout
    attempt_ones, attempt_twos = ones, twos
    ones, twos, charged = judge_lead(table, rules, seat, ones, twos)
    table.lead_is_forced = ones != attempt_ones or twos != attempt_twos
    if table.lead_is_forced:
        show_attempt(table, seat, attempt_ones, attempt_twos)
        fine_failed_throw(table, rules, seat, charged)
    table.lead_group = group_of(rules, layout, ones)
    table.lead_cards = popcount(ones) + popcount(twos)
    table.lead_pairs = popcount(twos)
    table.lead_num_runs = sort_runs(pack_runs(twos, rules.links[layout]), table.lead_runs)
    table.lead_is_throw = not is_component(ones, twos, rules.links[layout])
    table.lead_eight = NO_EIGHT
    table.best_seat = seat
    table.best_is_trump = table.lead_group == TRUMP_GROUP
    table.best_rank = _top_rank(table, rules, ones, twos)
    _move_to_table(table, seat, ones, twos)


@inline_kernel
def play_follow(table, rules, ones, twos):
    """Follow to a lead and note whether the play is the best so far.

    Inside the led group nothing beats a throw, and only the shape of the lead counts; a ruff is all trump and covers
    the lead. Only strictly higher beats.
    """
    seat = table.acting
    mark_shown(table, rules, seat, ones, twos)
    if table.lead_eight == NO_EIGHT:
        group = group_of(rules, table.layout, ones)
        rank = -1
        if group == table.lead_group:
            if not table.lead_is_throw and (table.best_is_trump == 0 or group == TRUMP_GROUP):
                rank = _top_rank(table, rules, ones, twos)
                if rank <= table.best_rank:
                    rank = -1
        elif group == TRUMP_GROUP:
            rank = _top_rank(table, rules, ones, twos)
            if table.best_is_trump and rank <= table.best_rank:
                rank = -1
        if rank >= 0:
            table.best_seat = seat
            table.best_rank = rank
            table.best_is_trump = group == TRUMP_GROUP
    _move_to_table(table, seat, ones, twos)


@kernel
def play_eight(table, rules, rank):
    """Lead an eight, or answer one with it: the highest wins, equal cannot occur (`rules.md` section 2)."""
    seat = table.acting
    bits = rules.eight_bits[table.layout, rank]
    if table.num_plays == 0:
        table.lead_group = TRUMP_GROUP
        table.lead_cards = 2 * EIGHT_PAIRS
        table.lead_pairs = EIGHT_PAIRS
        table.lead_num_runs = 1
        table.lead_runs[0] = EIGHT_PAIRS
        table.lead_is_throw = False
        table.lead_is_forced = False
        table.lead_eight = rank
        table.best_seat = seat
        table.best_is_trump = True
        table.best_rank = rank
    elif rank > table.best_rank:
        table.best_seat = seat
        table.best_rank = rank
    _move_to_table(table, seat, bits, bits)


@kernel
def finish_trick(table, rules):
    """Give the four plays to the winner, who leads next, and clear the trick."""
    layout = table.layout
    winner = table.best_seat
    trump = rules.group_bits[layout, TRUMP_GROUP]
    red_five = rules.red_five[layout]
    by_declarer = winner == table.declarer
    points = 0
    trump_points = 0
    for seat in range(4):
        ones, twos = table.trick_ones[seat], table.trick_twos[seat]
        points += points_of(rules, layout, ones, twos)
        trump_points += points_of(rules, layout, ones & trump, twos & trump)
        if ones & red_five != 0 and by_declarer != (seat == table.declarer):
            copies = 2 if twos & red_five != 0 else 1
            if not by_declarer:
                table.red_five_bonus -= copies * rules.red5_bonus
            elif rules.red5_mode == REPLACE:
                table.red_five_bonus += copies * (rules.red5_bonus - 5)
            else:
                table.red_five_bonus += copies * rules.red5_bonus
        table.trick_ones[seat] = 0
        table.trick_twos[seat] = 0
    if by_declarer:
        table.captured += points
        table.captured_trump += trump_points
    else:
        table.conceded += points
        table.conceded_trump += trump_points
    table.num_tricks += 1
    table.last_winner = winner
    table.last_winner_trump = table.best_is_trump
    table.leader = winner
    table.num_plays = 0
    table.lead_cards = 0
    table.lead_group = -1
    table.lead_eight = NO_EIGHT
    table.lead_is_throw = False
    table.lead_is_forced = False
