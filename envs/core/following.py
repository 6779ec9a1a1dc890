"""What a follower owes and may pick (`rules.md` section 1.1)."""

from baofen.envs.core.bits import count_cards, popcount, remove_cards
from baofen.envs.core.dtypes import (
    EXACT,
    LEGAL,
    LONGEST,
    PAIR_DUTY,
    PAIRS_ONLY,
    STRICT,
    SUIT_DUTY,
    TRACTOR_DUTY,
    WRONG_COUNT,
)
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.shape import POSITIONS, WEIGHT_SHIFT, best_pairs, owed_pieces


@kernel
def begin_follow(table, rules):
    """Fix the duties of the acting follower: cards, pairs and pieces of runs owed to the lead."""
    seat = table.acting
    group = rules.group_bits[table.layout, table.lead_group]
    ones = table.hand_ones[seat] & group
    twos = table.hand_twos[seat] & group
    table.duty_cards = count_cards(ones, twos)
    table.duty_pairs = 0
    table.duty_num_pieces = 0
    if table.duty_cards <= table.lead_cards or table.lead_pairs == 0 or rules.follow_shape != STRICT:
        return
    table.duty_pairs = min(table.lead_pairs, popcount(twos))
    if table.lead_num_runs > 0 and rules.tractor_follow != PAIRS_ONLY:
        table.duty_num_pieces = owed_pieces(
            twos,
            rules.links[table.layout],
            table.lead_runs,
            table.lead_num_runs,
            rules.tractor_follow == EXACT,
            table.duty_pieces,
        )


@inline_kernel
def _owed_in_runs(table):
    """Return the number of pairs that the acting follower owes inside runs."""
    owed = 0
    for index in range(table.duty_num_pieces):
        owed += table.duty_pieces[index]
    return owed


@kernel
def _choice(table, rules, picked_ones, picked_twos, extra):
    """Return the runs owed by the acting follower, and `extra` pairs more, of which most cards are picked."""
    seat = table.acting
    layout = table.layout
    return best_pairs(
        table.hand_twos[seat] & rules.group_bits[layout, table.lead_group],
        rules.links[layout],
        picked_ones,
        picked_twos,
        table.duty_pieces,
        int(table.duty_num_pieces),
        extra,
    )


@kernel
def duty_choice(table, rules, picked_ones, picked_twos):
    """Return the pairs that meet the acting follower's duties best, given the cards picked (`best_pairs`)."""
    return _choice(table, rules, picked_ones, picked_twos, table.duty_pairs - _owed_in_runs(table))


@kernel
def follow_picks(table, rules):
    """Return the positions that the acting follower may pick next.

    With `slack` cards to spare beyond those that complete the best choice of owed pairs, any card of the group will do;
    without, only cards of a best choice, since any other would leave too few.
    """
    seat = table.acting
    group = rules.group_bits[table.layout, table.lead_group]
    picked_ones, picked_twos = table.selection_ones, table.selection_twos
    left, _ = remove_cards(table.hand_ones[seat], table.hand_twos[seat], picked_ones, picked_twos)
    free_cards = table.lead_cards - table.duty_cards
    if free_cards >= 0:
        if count_cards(picked_ones & ~group, picked_twos & ~group) < free_cards:
            return left
        return left & group
    if table.duty_pairs == 0:
        return left & group
    choice = duty_choice(table, rules, picked_ones, picked_twos)
    missing = 2 * table.duty_pairs - (choice >> WEIGHT_SHIFT)
    slack = table.lead_cards - count_cards(picked_ones, picked_twos) - missing
    if slack > 0:
        return left & group
    return left & choice & POSITIONS


@kernel
def follow_fault(table, rules, ones, twos):
    """Return which duty a whole play of the acting follower, from his hand, breaks: `LEGAL` if none.

    The first broken one in the order of the rules: suit, tractors, pairs.
    """
    if count_cards(ones, twos) != table.lead_cards:
        return WRONG_COUNT
    group = rules.group_bits[table.layout, table.lead_group]
    if count_cards(ones & group, twos & group) < min(table.duty_cards, table.lead_cards):
        return SUIT_DUTY
    owed_in_runs = _owed_in_runs(table)
    if owed_in_runs > 0 and _choice(table, rules, ones, twos, 0) >> WEIGHT_SHIFT < 2 * owed_in_runs:
        return TRACTOR_DUTY
    if popcount(twos & group) < table.duty_pairs:
        return PAIR_DUTY
    return LEGAL


@kernel
def mark_shown(table, rules, seat, ones, twos):
    """Note what a follow has shown to all: a void, no pair left, no run left in the led group.

    Read off the play alone, never off the hand. A hand only shrinks, so what it lacks once it lacks from then on.
    """
    group = rules.group_bits[table.layout, table.lead_group]
    flag = 1 << table.lead_group
    if count_cards(ones & group, twos & group) < table.lead_cards:
        table.shown_void[seat] |= flag
        table.shown_pairless[seat] |= flag
        table.shown_runless[seat] |= flag
    elif rules.follow_shape == STRICT and table.lead_pairs > 0:
        if popcount(twos) < table.lead_pairs:
            table.shown_pairless[seat] |= flag
            table.shown_runless[seat] |= flag
        elif rules.tractor_follow == LONGEST and table.lead_num_runs == 1:
            num_pieces = owed_pieces(twos, rules.links[table.layout], table.lead_runs, 1, False, table.duty_pieces)
            uncovered = table.lead_runs[0]
            for index in range(num_pieces):
                uncovered -= table.duty_pieces[index]
            if uncovered >= 2:
                table.shown_runless[seat] |= flag
