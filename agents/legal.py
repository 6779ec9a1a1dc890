"""The legal actions of the acting seat by number, for drawing one in compiled code."""

from baofen.envs.actions import COMMIT
from baofen.envs.core.bits import lowest, popcount
from baofen.envs.core.kernel import inline_kernel


@inline_kernel
def nth_bit(bits, index):
    """Return the position of the set bit with an index, the lowest set bit being 0."""
    for _ in range(index):
        bits &= bits - 1
    return lowest(bits)


@inline_kernel
def num_legal(table):
    """Return how many actions are legal."""
    return popcount(table.legal_picks) + popcount(table.legal_words)


@inline_kernel
def legal_action(table, rules, index):
    """Return the legal action with an index, 0 .. num_legal - 1: the picks first, then the rest."""
    num_picks = popcount(table.legal_picks)
    if index < num_picks:
        return int(rules.face[table.layout, nth_bit(table.legal_picks, index)])
    return COMMIT + nth_bit(table.legal_words, index - num_picks)
