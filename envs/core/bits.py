"""Sets of cards as bits: two int64 words a hand, positions 0 .. 53 (`layout`).

A set of cards is a pair `(ones, twos)`: bit p of `ones` says that at least one copy of the card at position
p is held, bit p of `twos` that both are, so `twos` lies inside `ones`. int64 and not uint64, because 54 bits
fit and numba turns uint64 mixed with int64 into floats.
"""

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from baofen.envs.core.kernel import inline_kernel

if numba.config.DISABLE_JIT:

    def popcount(bits: int) -> int:
        """Return the number of set bits."""
        return int(bits).bit_count()

    def lowest(bits: int) -> int:
        """Return the index of the lowest set bit of a word that is not 0."""
        value = int(bits)
        return (value & -value).bit_length() - 1

    def highest(bits: int) -> int:
        """Return the index of the highest set bit of a word that is not 0."""
        return int(bits).bit_length() - 1

else:

    @intrinsic
    def popcount(context, bits):
        """Return the number of set bits."""

        def generate(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def lowest(context, bits):
        """Return the index of the lowest set bit of a word that is not 0."""

        def generate(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def highest(context, bits):
        """Return the index of the highest set bit of a word that is not 0."""

        def generate(context, builder, signature, arguments):
            zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.int64(types.int64), generate


@inline_kernel
def bit(position: int) -> int:
    """Return the word with only the bit of `position` set."""
    return 1 << position


@inline_kernel
def count_cards(ones: int, twos: int) -> int:
    """Return the number of cards in a set."""
    return popcount(ones) + popcount(twos)


@inline_kernel
def remove_cards(ones: int, twos: int, gone_ones: int, gone_twos: int) -> tuple[int, int]:
    """Return the set without the cards of a subset of it."""
    return (ones & ~gone_ones) | (twos & gone_ones & ~gone_twos), twos & ~gone_ones


@inline_kernel
def add_cards(ones: int, twos: int, more_ones: int, more_twos: int) -> tuple[int, int]:
    """Return the union of two sets that together hold at most two copies of a card."""
    return ones | more_ones, twos | more_twos | (ones & more_ones)


@inline_kernel
def run_tops(twos: int, links: int, length: int) -> int:
    """Return the positions at which a run of `length` adjacent pairs may end (its highest pair).

    `links`: bit p says that the cards at p and p + 1 are neighbours in a run. Runs inside longer runs count.
    """
    tops = twos
    for _ in range(length - 1):
        tops = twos & ((tops & links) << 1)
    return tops


@inline_kernel
def run_bits(top: int, length: int) -> int:
    """Return the positions of a run of `length` pairs that ends at `top`."""
    return ((1 << length) - 1) << (top - length + 1)
