"""What a seat can work out from what it may see: cards not seen, cards of its own that nothing beats, chances.

Every function reads only the acting seat's own cards and what is public (and the buried cards if the seat is the
declarer), never another hand.
"""

from typing import NamedTuple

import numpy as np

from baofen.envs.core.bits import add_cards, count_cards, lowest, popcount, run_tops
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.state import TRUMP_GROUP

ALL_POSITIONS = (1 << 54) - 1
HAND_SHARE = 0.31
"""Part of the unseen cards that lies in one given hand; the rest is in two others and, for a defender, buried."""
NONE_HELD = (1.0 - HAND_SHARE) ** np.arange(109)
"""Chance that a hand holds none of so many unseen cards."""
NO_PAIR_HELD = (1.0 - HAND_SHARE**2) ** np.arange(55)
"""Chance that a hand holds none of so many unseen pairs."""
NO_RUN_HELD = (1.0 - HAND_SHARE**4) ** np.arange(55)
"""Chance that a hand holds none of so many unseen runs of two pairs or more."""


class Cards(NamedTuple):
    """A set of cards as two words (`baofen.envs.core.bits`)."""

    ones: int
    twos: int


class Lead(NamedTuple):
    """What followers must match: the group, all pairs of the lead, its longest tractor (0: none), throw or not."""

    group: int
    pairs: int
    run_length: int
    is_throw: int


class Best(NamedTuple):
    """The best play of a trick so far: whose, of trump or not, and the positions of its group that are higher."""

    seat: int
    by_trump: int
    above: int


@inline_kernel
def wide(number):  # type: ignore[no-untyped-def]
    """Return a number as int64: fields of tables are narrower, and each width is another type to the compiler."""
    return np.int64(number)


@inline_kernel
def make_lead(group, pairs, run_length, is_throw):  # type: ignore[no-untyped-def]
    """Return a lead."""
    return Lead(wide(group), wide(pairs), wide(run_length), wide(is_throw))


@inline_kernel
def make_best(seat, by_trump, above):  # type: ignore[no-untyped-def]
    """Return a best play."""
    return Best(wide(seat), wide(by_trump), wide(above))


@inline_kernel
def unseen_cards(table, rules, seat):  # type: ignore[no-untyped-def]
    """Return the cards that the acting `seat` has not seen: in the other hands, or buried by another."""
    ones, twos = table.hand_ones[seat], table.hand_twos[seat]
    for other in range(4):
        ones, twos = add_cards(ones, twos, table.played_ones[other], table.played_twos[other])
    if seat == table.declarer:
        ones, twos = add_cards(ones, twos, table.buried_ones, table.buried_twos)
    return Cards(ALL_POSITIONS & ~twos, ALL_POSITIONS & ~ones)


@inline_kernel
def number_higher(rules, layout, position, unseen):  # type: ignore[no-untyped-def]
    """Return how many unseen cards of its group are higher than the card at a position."""
    higher = rules.higher[layout, position]
    return popcount(unseen.ones & higher) + popcount(unseen.twos & higher)


@inline_kernel
def bits_above(rules, layout, group, rank):  # type: ignore[no-untyped-def]
    """Return the positions of a group with more than a rank of it."""
    position = lowest(rules.group_bits[layout, group]) + rank
    while rules.rank[layout, position] < rank:  # the three 2s off trump share a rank
        position += 1
    return rules.higher[layout, position]


@inline_kernel
def chance_held(rules, layout, unseen, high, lead, is_pairless, is_runless):  # type: ignore[no-untyped-def]
    """Return the chance that a hand holds a single, pair or tractor as led whose top is at a position of `high`."""
    if lead.pairs == 0:
        return 1.0 - NONE_HELD[count_cards(unseen.ones & high, unseen.twos & high)]
    if is_pairless:
        return 0.0
    if lead.run_length == 0:
        return 1.0 - NO_PAIR_HELD[popcount(unseen.twos & high)]
    if is_runless:
        return 0.0
    return 1.0 - NO_RUN_HELD[popcount(run_tops(unseen.twos, rules.links[layout], lead.run_length) & high)]


@inline_kernel
def chance_void(table, rules, weights, other, unseen, group):  # type: ignore[no-untyped-def]
    """Return the chance that `other` is void in a side suit."""
    if (table.shown_void[other] >> group) & 1:
        return 1.0
    cards = rules.group_bits[table.layout, group]
    void = NONE_HELD[count_cards(unseen.ones & cards, unseen.twos & cards)]
    if other == table.declarer:  # who has buried eight cards to be void somewhere
        return max(void, weights.declarer_void)
    return void


@kernel
def chance_to_beat(table, rules, weights, other, unseen, lead, best):  # type: ignore[no-untyped-def]
    """Return the chance that `other`, who has not played yet, can beat the best play of a trick."""
    layout = table.layout
    void = 0.0
    if lead.group != TRUMP_GROUP:
        void = chance_void(table, rules, weights, other, unseen, lead.group)
    chance = 0.0
    if void < 1.0 and not lead.is_throw and (lead.group == TRUMP_GROUP or not best.by_trump):
        pairless = (table.shown_pairless[other] >> lead.group) & 1
        runless = (table.shown_runless[other] >> lead.group) & 1
        chance = (1.0 - void) * chance_held(rules, layout, unseen, best.above, lead, pairless, runless)
    if void > 0.0 and (table.shown_void[other] >> TRUMP_GROUP) & 1 == 0:
        high = best.above if best.by_trump else rules.group_bits[layout, TRUMP_GROUP]
        pairless = (table.shown_pairless[other] >> TRUMP_GROUP) & 1
        runless = (table.shown_runless[other] >> TRUMP_GROUP) & 1
        chance += void * chance_held(rules, layout, unseen, high, lead, pairless, runless)
    return chance


@kernel
def chance_to_win(table, rules, weights, seat, unseen, lead, best, num_later):  # type: ignore[no-untyped-def]
    """Return the chance that the side of `seat` wins a trick once `seat` has played.

    The next `num_later` seats play after it; `best` is the best play by then. The side of a defender is all three.
    """
    declarer = table.declarer
    if seat == declarer:
        if best.seat != seat:
            return 0.0
        chance = 1.0
        for step in range(1, num_later + 1):
            chance *= 1.0 - chance_to_beat(table, rules, weights, (seat + step) & 3, unseen, lead, best)
        return chance
    steps_to_declarer = (declarer - seat) & 3
    if steps_to_declarer > num_later:  # the declarer has played
        if best.seat != declarer:
            return 1.0
        lost = 1.0
        for step in range(1, num_later + 1):
            beats = chance_to_beat(table, rules, weights, (seat + step) & 3, unseen, lead, best)
            lost *= 1.0 - weights.ally_willing * beats
        return 1.0 - lost
    beaten = chance_to_beat(table, rules, weights, declarer, unseen, lead, best)
    if steps_to_declarer < num_later:
        beaten *= 1.0 - weights.ally_recovers
    return 1.0 - beaten
