"""Deals by number: each is fixed by a seed, a split and its number, whatever else is played.

Three splits share no deal, nor one with self-play: `dev` to try things out on, `holdout` to choose among checkpoints
or settings, `final` for figures that are published.

Fixed sets of deals have a name, for claims that others can check: `suzhou-final-v1` and so on. A set is a preset, a seed
and a split; its deals go on as far as they are asked for, the first `deals` of them are the set. It never changes under
its name: the checksum of its first deals is kept here, and a version of this package that deals other cards refuses the
name instead of using it for something else.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baofen.envs.core.dtypes import TABLE
from baofen.envs.core.loops import deal_by_number
from baofen.envs.rules import PRESETS, Rules
from baofen.envs.vector import MatchStarts
from baofen.training.arena import Split

SPLITS: tuple[Split, ...] = ("dev", "holdout", "final")
SET_SEED = 20260501
SET_DEALS = 4000
CHECKED_DEALS = 64
CHECKSUM = {
    "dev": "4cb97e5d7cf0ea94",
    "holdout": "2ce82bba25cf2c28",
    "final": "afe1a12ec14c181e",
}
"""By split; the cards do not depend on the preset."""
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
    deal_by_number(tables, rules.record, MatchStarts().record(), dealing, first)
    return tables


def draw_seed(seed: int, split: Split, first: int) -> int:
    """Return the seed that agents draw from in the chunk of deals that begins with number `first`."""
    return _stream_seed(seed, split, _DRAWS, first)


def contract_rules(rules: Rules) -> Rules:
    """Return the rules under which contracts are fixed: if all pass, the first caller declares at the minimum."""
    if "all_pass" in Rules.switches(rules.preset):
        return Rules(rules.preset, {**rules.options, "all_pass": "forced"})
    return rules


@dataclass(frozen=True)
class MatchSet:
    """A set of deals by name."""

    name: str
    rules: str
    seed: int
    split: Split
    deals: int
    checksum: str


MATCH_SETS = {
    f"{preset}-{split}-v1": MatchSet(f"{preset}-{split}-v1", preset, SET_SEED, split, SET_DEALS, CHECKSUM[split])
    for preset in PRESETS
    for split in SPLITS
}


def match_set(name: str) -> MatchSet:
    """Return the set of a name.

    Raises:
        ValueError: if there is none, or this version of the package deals other cards than the set has.
    """
    if name not in MATCH_SETS:
        raise ValueError(f"unknown set of deals {name!r}: there are {', '.join(MATCH_SETS)}")
    found = MATCH_SETS[name]
    if checksum(found) != found.checksum:
        raise ValueError(
            f"this version of baofen deals other cards than those of {name}; use the version it was made with"
        )
    return found


def checksum(deals: MatchSet) -> str:
    """Return a checksum of the first deals of a set: who speaks first, and all cards in order."""
    tables = deal_tables(Rules(deals.rules), deals.seed, deals.split, 0, CHECKED_DEALS)
    data = tables["first_caller"].astype("i1").tobytes() + tables["deck"].astype("u1").tobytes()
    return hashlib.sha256(data).hexdigest()[:16]
