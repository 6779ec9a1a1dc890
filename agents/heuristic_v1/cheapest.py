"""Choosing cards at least cost: fillers, pairs and what the duties of following ask for."""

import numpy as np

from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.agents.heuristic_v1.values import card_cost
from baofen.envs.core.bits import add_cards, bit, lowest, popcount, remove_cards, run_bits, run_tops
from baofen.envs.core.dtypes import TRUMP_GROUP
from baofen.envs.core.following import duty_choice
from baofen.envs.core.kernel import kernel
from baofen.envs.core.shape import WEIGHT_SHIFT

NO_COST = np.inf


@kernel
def cheapest_card(table, rules, weights, seat, unseen, cards, chance):
    """Return `(position, cost)` of the card that costs least to play to a trick won with `chance`.

    A card is cheaper if it is the last of a side suit and trumps are left to ruff with.
    """
    hand = table.hand_ones[seat]
    layout = table.layout
    has_trump = hand & rules.group_bits[layout, TRUMP_GROUP] != 0
    best = -1
    least = NO_COST
    rest = cards.ones
    while rest != 0:
        position = lowest(rest)
        rest &= rest - 1
        cost = card_cost(table, rules, weights, unseen, cards.twos, position, chance)
        group = rules.group[layout, position]
        if has_trump and group != TRUMP_GROUP and hand & rules.group_bits[layout, group] == bit(position):
            cost -= weights.short_suit
        if cost < least:
            least = cost
            best = position
    return best, least


@kernel
def add_cheapest(table, rules, weights, seat, unseen, play, cards, count, chance):
    """Return `(play, cost)`: a play with the `count` cheapest of some cards added, and what these cost."""
    total = 0.0
    for _ in range(count):
        position, cost = cheapest_card(table, rules, weights, seat, unseen, cards, chance)
        total += cost
        ones, twos = add_cards(play.ones, play.twos, bit(position), 0)
        play = Cards(ones, twos)
        ones, twos = remove_cards(cards.ones, cards.twos, bit(position), 0)
        cards = Cards(ones, twos)
    return play, total


@kernel
def run_cost(table, rules, weights, unseen, top, length, chance):
    """Return the cost of both copies of each card of the run (or pair) that ends at `top`."""
    total = 0.0
    for position in range(top - length + 1, top + 1):
        total += 2.0 * card_cost(table, rules, weights, unseen, 0, position, chance)
    return total


@kernel
def cheapest_run(table, rules, weights, unseen, tops, length, chance):
    """Return `(top, cost)` of the cheapest run that ends at one of `tops`, top -1 if there is none."""
    best = -1
    least = NO_COST
    while tops != 0:
        top = lowest(tops)
        tops &= tops - 1
        cost = run_cost(table, rules, weights, unseen, top, length, chance)
        if cost < least:
            least = cost
            best = top
    return best, least


@kernel
def add_owed_runs(table, rules, weights, unseen, pairs, chance):
    """Return `(bits, cost)`: runs among `pairs` of the led group that meet the tractor duty, cheapest first come.

    A run is taken only if the duties can still be met together with it.
    """
    links = rules.links[table.layout]
    chosen = 0
    total = 0.0
    for index in range(table.duty_num_pieces):
        length = int(table.duty_pieces[index])
        tops = run_tops(pairs & ~chosen, links, length)
        while tops != 0:
            top, cost = cheapest_run(table, rules, weights, unseen, tops, length, chance)
            tops &= ~bit(top)
            longer = chosen | run_bits(top, length)
            if duty_choice(table, rules, longer, longer) >> WEIGHT_SHIFT == 2 * popcount(longer):
                chosen = longer
                total += cost
                break
    return chosen, total


@kernel
def cheapest_follow(table, rules, weights, seat, unseen, chance):
    """Return `(play, cost)` of a follow that meets all duties and costs little in a trick won with `chance`."""
    num_cards = int(table.lead_cards)
    group = rules.group_bits[table.layout, table.lead_group]
    hand_ones, hand_twos = table.hand_ones[seat], table.hand_twos[seat]
    own = Cards(hand_ones & group, hand_twos & group)
    if table.duty_cards <= num_cards:
        others = Cards(hand_ones & ~group, hand_twos & ~group)
        missing = num_cards - int(table.duty_cards)
        return add_cheapest(table, rules, weights, seat, unseen, own, others, missing, chance)
    chosen = 0
    total = 0.0
    if table.duty_num_pieces > 0:
        chosen, total = add_owed_runs(table, rules, weights, unseen, own.twos, chance)
    while popcount(chosen) < table.duty_pairs:
        top, cost = cheapest_run(table, rules, weights, unseen, own.twos & ~chosen, 1, chance)
        chosen |= bit(top)
        total += cost
    missing = num_cards - 2 * popcount(chosen)
    if missing > 0:
        ones, twos = remove_cards(own.ones, own.twos, chosen, chosen)
        play, cost = add_cheapest(
            table, rules, weights, seat, unseen, Cards(chosen, chosen), Cards(ones, twos), missing, chance
        )
        return play, total + cost
    return Cards(chosen, chosen), total
