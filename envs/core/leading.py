"""Leads: what may be led, and throws judged (`rules.md` section 1, Lead, 1.3 and section 4, Throws)."""

from baofen.envs.core.bits import count_cards, highest, lowest, popcount, remove_cards, run_bits, run_tops
from baofen.envs.core.dtypes import (
    ALL,
    DEMOTED,
    FAILS,
    LEGAL,
    MIXED_LEAD,
    SINGLE_FIRST,
    TO_OPPONENTS,
    TRUMP_GROUP,
    TRUMP_THROW,
    WRONG_COUNT,
)
from baofen.envs.core.kernel import inline_kernel, kernel

FINE_POINTS = 3
"""Points a failed throw costs for each card charged (`rules.md` 1.3)."""


@inline_kernel
def held_eights(table, rules, seat):
    """Return the eights a seat holds: bit r for all eight cards of the rank with index r, 3 (1) .. A (12)."""
    twos = table.hand_twos[seat]
    if rules.eights == 0 or popcount(twos) < 4:
        return 0
    held = 0
    for rank in range(1, 13):
        bits = rules.eight_bits[table.layout, rank]
        if twos & bits == bits:
            held |= 1 << rank
    return held


@inline_kernel
def eight_rank(table, rules, ones):
    """Return the rank index, 3 (1) .. A (12), of which some positions are all four; 0 if they are not that."""
    for rank in range(1, 13):
        if ones == rules.eight_bits[table.layout, rank]:
            return rank
    return 0


@inline_kernel
def maximal_run(twos, links, low, high):
    """Return the positions of the run of pairs that holds the pairs at `low` .. `high`."""
    while low > 0 and (links >> (low - 1)) & 1 and (twos >> (low - 1)) & 1:
        low -= 1
    while (links >> high) & 1 and (twos >> (high + 1)) & 1:
        high += 1
    return run_bits(high, high - low + 1)


@inline_kernel
def is_component(ones, twos, links):
    """Return whether cards of one group are a single component: a single, a pair or a tractor."""
    if twos == 0:
        return popcount(ones) == 1
    if ones != twos:
        return False
    low = lowest(ones)
    return maximal_run(twos, links, low, low) == ones


@kernel
def component_picks(table, rules, seat):
    """Return the positions to pick so that a trump selection can still become one component (`rules.md` 4)."""
    twos = table.hand_twos[seat]
    picked = table.selection_ones
    low = lowest(picked)
    if (twos >> low) & 1 == 0:
        return 0
    run = maximal_run(twos, rules.links[table.layout], low, low)
    return run & ~table.selection_twos


@inline_kernel
def lead_picks(table, rules, seat):
    """Return the positions that the leader may pick next: any card, then any of the same group."""
    left, _ = remove_cards(table.hand_ones[seat], table.hand_twos[seat], table.selection_ones, table.selection_twos)
    if table.selection_ones == 0:
        return left
    group = rules.group[table.layout, lowest(table.selection_ones)]
    if rules.throws_by_outside_card and group == TRUMP_GROUP:
        return component_picks(table, rules, seat)
    return left & rules.group_bits[table.layout, group]


@inline_kernel
def lead_fault(table, rules, ones, twos):
    """Return what is wrong with a whole lead, a set of cards of the leader's hand: `LEGAL` if nothing.

    A throw that will fail is legal.
    """
    if ones == 0:
        return WRONG_COUNT
    group = group_of(rules, table.layout, ones)
    if group < 0:
        return MIXED_LEAD
    if not rules.throws_by_outside_card or group != TRUMP_GROUP:
        return LEGAL
    return LEGAL if is_component(ones, twos, rules.links[table.layout]) else TRUMP_THROW


@inline_kernel
def playable_eights(table, rules, seat):
    """Return the eights that a seat may play, if it has picked no card, as `held_eights` does.

    Any may be led; an eight led is answered with one if one is held.
    """
    if table.num_plays > 0 and table.lead_eight == 0:
        return 0
    return held_eights(table, rules, seat)


@inline_kernel
def group_of(rules, layout, ones):
    """Return the group of a set of cards, or -1 if it mixes groups."""
    group = rules.group[layout, lowest(ones)]
    if ones & ~rules.group_bits[layout, group] != 0:
        return -1
    return group


@kernel
def _is_beaten(table, rules, leader, low, top, is_pair):
    """Return whether one component of a throw is beaten by another hand, in its own group.

    The component is the run of pairs at `low` .. `top` (one pair or single where both are equal). Inside a longer run
    counts, equal does not beat; a demoted joker tractor beats no run.
    """
    layout = table.layout
    higher = rules.higher[layout, top]
    length = top - low + 1
    for seat in range(4):
        if seat == leader:
            continue
        if not is_pair:
            if table.hand_ones[seat] & higher != 0:
                return True
        elif length == 1:
            if table.hand_twos[seat] & higher != 0:
                return True
        else:
            tops = run_tops(table.hand_twos[seat], rules.links[layout], length) & higher
            if rules.joker_tractor == DEMOTED:
                tops &= ~rules.joker_bits
            if tops != 0:
                return True
    return False


@kernel
def _judge_components(table, rules, leader, ones, twos):
    """Return what a throw comes to lead and how many cards are charged (`rules.md` 1.3)."""
    layout = table.layout
    links = rules.links[layout]
    forced_ones, forced_twos = ones, twos
    best_key = -1
    charged = 0
    rest = ones
    while rest != 0:
        low = lowest(rest)
        is_pair = (twos >> low) & 1 == 1
        bits = 1 << low
        if is_pair:
            bits = maximal_run(twos, links, low, low)
        rest &= ~bits
        if not _is_beaten(table, rules, leader, low, highest(bits), is_pair):
            continue
        cards = popcount(bits) * (2 if is_pair else 1)
        charged += cards
        key = (rules.rank[layout, low] * 64 + cards) * 64 + rules.face[layout, low]
        if rules.throw_forced == SINGLE_FIRST:
            key += cards << 24
        if best_key < 0 or key < best_key:
            best_key = key
            forced_ones = bits
            forced_twos = bits if is_pair else 0
    if charged > 0 and rules.throw_penalty_count == ALL:
        charged = count_cards(ones, twos)
    return forced_ones, forced_twos, charged


@kernel
def _judge_lowest_card(table, rules, leader, ones, twos):
    """Return what a throw comes to lead and how many cards are charged (`rules.md` section 4, Throws)."""
    layout = table.layout
    low = lowest(ones)
    group = rules.group_bits[layout, rules.group[layout, low]]
    outside = 0
    for seat in range(4):
        if seat != leader:
            outside |= table.hand_ones[seat] & group
    if outside == 0:
        return ones, twos, 0
    top = highest(outside)
    fails = top > low or (top == low and rules.throw_equal == FAILS)
    if not fails:
        return ones, twos, 0
    below = (1 << top) - 1
    return 1 << low, 0, count_cards(ones & below, twos & below)


@kernel
def judge_lead(table, rules, leader, ones, twos):
    """Return `(ones, twos, charged)`: the cards a lead comes to, and the cards charged if it is a failed throw."""
    if is_component(ones, twos, rules.links[table.layout]):
        return ones, twos, 0
    if rules.throws_by_outside_card:
        return _judge_lowest_card(table, rules, leader, ones, twos)
    return _judge_components(table, rules, leader, ones, twos)


@kernel
def fine_failed_throw(table, rules, leader, charged):
    """Charge a failed throw: at once in points, or noted in levels to be settled after the deal."""
    if rules.level_settlement:
        table.fine_levels[leader] += rules.throw_fine_levels * charged
        return
    fine = FINE_POINTS * charged
    table.totals[leader] -= fine
    if rules.throw_penalty_to != TO_OPPONENTS:
        return
    if leader == table.declarer:
        for seat in range(4):
            if seat != leader:
                table.totals[seat] += charged
    else:
        table.totals[table.declarer] += fine


@kernel
def show_attempt(table, seat, ones, twos):
    """Make the cards of a failed throw known to all."""
    table.shown_ones[seat] |= ones
    table.shown_twos[seat] |= twos
    table.held_ones[seat] |= ones
    table.held_twos[seat] |= twos
