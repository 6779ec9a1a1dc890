"""Deals for the auction: by number, some with a pot, brought to where the first seat calls."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import make_agent
from baofen.agents.bids.reference import REFERENCE
from baofen.envs.core.dtypes import TABLE, Phase
from baofen.envs.core.loops import deal_by_number
from baofen.envs.rules import Rules
from baofen.envs.vector import MatchStarts
from baofen.training.arena.play import play_deals

SPLITS = ("train", "fit", "test", "par")
"""Deals to train networks on, to fit the bidder on, to judge both on, and those of the shipped par tables."""
POT_PERCENT = 25
"""Of 100 deals, how many begin with a pot, where there can be one: often enough to learn and to judge it."""
_BIDS = 0xB1D5


def number_deals(rules: Rules, seed: int, split: str, first: int, count: int, pot_percent: int = 0) -> NDArray[np.void]:
    """Return tables, TABLE [count], at the beginning of the deals number `first`, `first` + 1 .. of a split.

    pot_percent: how many of 100 deals begin with a pot, where there can be one.

    >>> one, two = (number_deals(Rules(), 0, "test", first, 2) for first in (5, 6))
    >>> bool((one[1]["deck"] == two[0]["deck"]).all())
    True
    """
    words = np.random.SeedSequence([_BIDS, seed % 2**64, SPLITS.index(split)]).generate_state(1, np.uint64)
    tables: Any = np.zeros(count, TABLE)
    starts: Any = MatchStarts(pot_percent=pot_percent if rules.has_pot else 0).record()
    deal_by_number(tables, rules.record, starts, words[0] >> np.uint64(1), first)
    return tables


def auction_deals(
    rules: Rules, seed: int, split: str, first: int, count: int, pot_percent: int = 0
) -> NDArray[np.void]:
    """Return the same deals in their auction; what is exposed before, the reference exposes."""
    tables = number_deals(rules, seed, split, first, count, pot_percent)
    reference = make_agent(REFERENCE)
    faults = play_deals(rules, tables, np.zeros((count, 4), np.int8), [reference], 0, until=Phase.AUCTION)
    assert not faults, faults[0]
    return tables
