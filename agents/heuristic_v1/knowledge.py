"""What a seat can work out from what it may see: cards not seen, cards of its own that nothing beats, chances.

Every function reads only the acting seat's own cards and what is public (and the buried cards if the seat is the
declarer), never another hand.
"""

from typing import NamedTuple

import numpy as np

from baofen.envs.core.bits import add_cards, count_cards, lowest, popcount
from baofen.envs.core.kernel import inline_kernel
from baofen.envs.core.trick import points_of

ALL_POSITIONS = (1 << 54) - 1


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
def wide(number):
    """Return a number as int64: fields of tables are narrower, and each width is another type to the compiler."""
    return np.int64(number)


@inline_kernel
def make_lead(group, pairs, run_length, is_throw):
    """Return a lead."""
    return Lead(wide(group), wide(pairs), wide(run_length), wide(is_throw))


@inline_kernel
def make_best(seat, by_trump, above):
    """Return a best play."""
    return Best(wide(seat), wide(by_trump), wide(above))


@inline_kernel
def unseen_cards(table, rules, seat):
    """Return the cards that the acting `seat` has not seen: in the other hands, or buried by another."""
    ones, twos = table.hand_ones[seat], table.hand_twos[seat]
    for other in range(4):
        ones, twos = add_cards(ones, twos, table.played_ones[other], table.played_twos[other])
    if seat == table.declarer:
        ones, twos = add_cards(ones, twos, table.buried_ones, table.buried_twos)
    return Cards(ALL_POSITIONS & ~twos, ALL_POSITIONS & ~ones)


@inline_kernel
def number_higher(rules, layout, position, unseen):
    """Return how many unseen cards of its group are higher than the card at a position."""
    higher = rules.higher[layout, position]
    return popcount(unseen.ones & higher) + popcount(unseen.twos & higher)


@inline_kernel
def bits_above(rules, layout, group, rank):
    """Return the positions of a group with more than a rank of it."""
    position = lowest(rules.group_bits[layout, group]) + rank
    while rules.rank[layout, position] < rank:  # the three 2s off trump share a rank
        position += 1
    return rules.higher[layout, position]


@inline_kernel
def point_density(rules, layout, unseen, group):
    """Return the points on an unseen card of a group, on average."""
    bits = rules.group_bits[layout, group]
    ones, twos = unseen.ones & bits, unseen.twos & bits
    return points_of(rules, layout, ones, twos) / max(1, count_cards(ones, twos))
