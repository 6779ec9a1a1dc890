"""Random numbers of the core: a splitmix64 stream in each table, so that no table's deals depend on another's."""

from operator import index as whole_number

import numpy as np

from baofen.envs.core.kernel import inline_kernel, kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_30 = np.uint64(30)
_SHIFT_27 = np.uint64(27)
_SHIFT_31 = np.uint64(31)
_SHIFT_33 = np.uint64(33)


def seed_word(seed: int) -> np.uint64:
    """Return any whole number, of Python or numpy, as the uint64 that seeds streams: modulo 2^64.

    Raises:
        TypeError: if it is no whole number.

    >>> int(seed_word(np.int64(5))), int(seed_word(-1)) == 2**64 - 1
    (5, True)
    """
    return np.uint64(whole_number(seed) % 2**64)


@inline_kernel
def mix(value):
    """Return a well mixed uint64 of a uint64."""
    value = (value ^ (value >> _SHIFT_30)) * _MIX_1
    value = (value ^ (value >> _SHIFT_27)) * _MIX_2
    return value ^ (value >> _SHIFT_31)


@inline_kernel
def advance(state):
    """Return the next state of a stream; `mix` of it is the next number."""
    return state + _GAMMA


@inline_kernel
def below(number, bound):
    """Return a whole number 0 .. bound - 1 made of a mixed uint64 (31 bits of it; `bound` is small)."""
    return (int(number >> _SHIFT_33) * bound) >> 31


@kernel
def stream(seed, index):
    """Return the first state of stream `index` of a seed, both uint64."""
    return mix(mix(seed + _GAMMA) ^ (index * _GAMMA + _MIX_1))


@inline_kernel
def draw(table, bound):
    """Return a whole number 0 .. bound - 1 from a table's stream."""
    table.rng = advance(table.rng)
    return below(mix(table.rng), bound)
