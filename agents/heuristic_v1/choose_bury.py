"""How the heuristic buries: it makes voids and short suits, and gives away neither points nor strength."""

import numpy as np

from baofen.agents.heuristic_v1.knowledge import Cards, unseen_cards
from baofen.agents.heuristic_v1.values import keep_value, point_value
from baofen.envs.cards import BOTTOM_CARDS
from baofen.envs.core.bits import bit, count_cards, lowest, remove_cards
from baofen.envs.core.dtypes import TRUMP_GROUP
from baofen.envs.core.kernel import kernel

NUM_PLANS = 16
"""Each set of suits to be voided is tried; bit g of a plan: void suit g."""
NUM_SHORT = 3
PAIR_BROKEN = 64
"""Costs of the first copy of a pair stand so far behind those of a lone card."""


@kernel
def bury_costs(table, rules, weights, hand):
    """Return float64 [128], the cost of burying each card of a hand: alone, and from `PAIR_BROKEN` on out of a pair."""
    seat = int(table.acting)
    unseen = unseen_cards(table, rules, seat)
    costs = np.zeros(2 * PAIR_BROKEN)
    rest = hand.ones
    while rest != 0:
        position = lowest(rest)
        rest &= rest - 1
        cost = weights.bury_point * point_value(table, rules, weights, position)
        if rules.group[table.layout, position] == TRUMP_GROUP or rules.higher[table.layout, position] == 0:
            cost += weights.bury_boss
        costs[position] = cost + keep_value(table, rules, weights, unseen, 0, position)
        costs[PAIR_BROKEN + position] = cost + keep_value(table, rules, weights, unseen, hand.twos, position)
    return costs


@kernel
def bury_from(costs, cards, within, left):
    """Return `(cards kept, number still to bury, cost)` after burying the cheapest of `within`, at most `left`."""
    total = 0.0
    candidates = cards.ones & within
    while left > 0 and candidates != 0:
        best = -1
        least = np.inf
        rest = candidates
        while rest != 0:
            position = lowest(rest)
            rest &= rest - 1
            cost = costs[position + PAIR_BROKEN * ((cards.twos >> position) & 1)]
            if cost < least:
                least = cost
                best = position
        ones, twos = remove_cards(cards.ones, cards.twos, bit(best), 0)
        cards = Cards(ones, twos)
        total += least
        left -= 1
        candidates = ones & within
    return cards, left, total


@kernel
def short_suits(rules, weights, layout, cards):
    """Return the gain by the short side suits of what is kept."""
    gain = 0.0
    for group in range(TRUMP_GROUP):
        suit = rules.group_bits[layout, group]
        length = count_cards(cards.ones & suit, cards.twos & suit)
        if group != layout and length < NUM_SHORT:
            gain += weights.bury_void[length]
    return gain


@kernel
def bury_by_plan(rules, weights, layout, costs, hand, plan):
    """Return `(cards kept, cost)` after clearing the suits of a plan and filling up with other side cards, then trumps.

    The cost is infinite for what is no plan: to void trumps, or suits of more cards than are buried.
    """
    suits = 0
    for group in range(TRUMP_GROUP):
        if (plan >> group) & 1:
            suits |= rules.group_bits[layout, group]
    if (plan >> layout) & 1 or count_cards(hand.ones & suits, hand.twos & suits) > BOTTOM_CARDS:
        return hand, np.inf
    trumps = rules.group_bits[layout, TRUMP_GROUP]
    kept, left, total = bury_from(costs, hand, suits, BOTTOM_CARDS)
    kept, left, more = bury_from(costs, kept, ~suits & ~trumps, left)
    total += more
    kept, left, more = bury_from(costs, kept, trumps, left)
    return kept, total + (more - short_suits(rules, weights, layout, kept))


@kernel
def choose_bury(table, rules, weights):
    """Return the eight cards that the declarer buries: the best of the plans, each filled up at least cost."""
    seat = int(table.acting)
    layout = int(table.layout)
    hand = Cards(table.hand_ones[seat], table.hand_twos[seat])
    costs = bury_costs(table, rules, weights, hand)
    least = np.inf
    choice = hand
    for plan in range(NUM_PLANS):
        kept, cost = bury_by_plan(rules, weights, layout, costs, hand, plan)
        if cost < least:
            least = cost
            choice = kept
    ones, twos = remove_cards(hand.ones, hand.twos, choice.ones, choice.twos)
    return Cards(ones, twos)
