"""Deals by number: each is fixed by a seed, a split and its number, whatever else is played.

Three splits share no deal, nor one with self-play: `dev` to try things out on, `holdout` to choose among checkpoints
or settings, `final` for figures that are published.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from baofen.envs.core.dtypes import TABLE
from baofen.envs.rules import Rules
from baofen.envs.vector import Starts
from baofen.training.arena import stepping as kernels

Split = Literal["dev", "holdout", "final"]
SPLITS: tuple[Split, ...] = ("dev", "holdout", "final")
_ARENA = 0xBA0FE7
"""Keeps the arena's streams apart from those of self-play with the same seed."""
_DEALS, _DRAWS = range(2)


def _stream_seed(seed: int, split: Split, use: int, *more: int) -> int:
    """Return a seed below 2^63 for one use of a split."""
    words = np.random.SeedSequence([_ARENA, seed % 2**64, SPLITS.index(split), use, *more]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(1))


def deal_tables(rules: Rules, seed: int, split: Split, first: int, count: int) -> NDArray[np.void]:
    """Return tables, TABLE [count], at the beginning of the deals number `first`, `first` + 1 ..

    >>> twice = [deal_tables(Rules(), 0, "dev", first, 2)["deck"] for first in (5, 6)]
    >>> bool((twice[0][1] == twice[1][0]).all())
    True
    """
    tables = np.zeros(count, TABLE)
    dealing = np.uint64(_stream_seed(seed, split, _DEALS))
    kernels.deal_by_number(tables, rules.record, Starts().record(), dealing, first)
    return tables


def draw_seed(seed: int, split: Split, first: int) -> int:
    """Return the seed that agents draw from in the chunk of deals that begins with number `first`."""
    return _stream_seed(seed, split, _DRAWS, first)


def contract_rules(rules: Rules) -> Rules:
    """Return the rules under which contracts are fixed: if all pass, the first caller declares at the minimum."""
    if "all_pass" in Rules.switches(rules.preset):
        return Rules(rules.preset, {**rules.options, "all_pass": "forced"})
    return rules
