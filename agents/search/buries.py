"""The buries that a search compares: the heuristic's own first, one for each set of suits to be voided, then exchanges.

A search looks twice: first which suits to clear, then whether the best of these gets better by exchanging one card.
"""

import numpy as np

from baofen.agents.heuristic_v1.choose_bury import NUM_PLANS, PAIR_BROKEN, bury_by_plan, bury_costs, choose_bury
from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.agents.search.candidates import add_candidate
from baofen.envs.core.bits import bit, lowest, remove_cards
from baofen.envs.core.dtypes import TRUMP_GROUP
from baofen.envs.core.kernel import kernel

NUM_EXCHANGES = 24
"""The exchanges tried are those that cost least by the heuristic's reckoning."""
POSITIONS = PAIR_BROKEN


@kernel
def find_buries(table, rules, weights, found):
    """Write the buries of the declarer, who has picked no card yet; the heuristic's own comes first."""
    seat = int(table.acting)
    layout = int(table.layout)
    hand = Cards(table.hand_ones[seat], table.hand_twos[seat])
    own = choose_bury(table, rules, weights.declarer)
    found.count = 0
    add_candidate(found, own.ones, own.twos, 0)
    costs = bury_costs(table, rules, weights.declarer, hand)
    for plan in range(NUM_PLANS):
        kept, cost = bury_by_plan(rules, weights.declarer, layout, costs, hand, plan)
        if cost < np.inf:
            ones, twos = remove_cards(hand.ones, hand.twos, kept.ones, kept.twos)
            add_candidate(found, ones, twos, 0)


@kernel
def add_exchanges(table, rules, weights, best, found):
    """Leave the heuristic's own bury and the one with the index `best`; add what it becomes by exchanging one card."""
    seat = int(table.acting)
    hand = Cards(table.hand_ones[seat], table.hand_twos[seat])
    costs = bury_costs(table, rules, weights.declarer, hand)
    buried = Cards(found.ones[best], found.twos[best])
    kept_ones, _ = remove_cards(hand.ones, hand.twos, buried.ones, buried.twos)
    found.count = 1
    add_candidate(found, buried.ones, buried.twos, 0)
    price = np.full(POSITIONS * POSITIONS, np.inf)
    outs = buried.ones
    while outs != 0:
        out = lowest(outs)
        outs &= outs - 1
        others = kept_ones & ~rules.group_bits[int(table.layout), TRUMP_GROUP] & ~buried.ones
        while others != 0:
            into = lowest(others)
            others &= others - 1
            price[POSITIONS * out + into] = costs[into] - costs[out]
    for _ in range(NUM_EXCHANGES):
        cheapest = int(np.argmin(price))
        if price[cheapest] == np.inf:
            return
        price[cheapest] = np.inf
        ones, twos = remove_cards(buried.ones, buried.twos, bit(cheapest // POSITIONS), 0)
        add_candidate(found, ones | bit(cheapest % POSITIONS), twos, 0)
