"""Fixed sets of deals by name, for claims that others can check: `suzhou-final-v1` and so on.

A set is a preset, a seed and a split; its deals go on as far as they are asked for, the first `deals` of them are the set.
It never changes under its name: the checksum of its first deals is kept here, and a version of this package that deals
other cards refuses the name instead of using it for something else.
"""

import hashlib
from dataclasses import dataclass

from baofen.envs.rules import PRESETS, Rules
from baofen.training.arena.deals import SPLITS, Split, deal_tables

SEED = 20260501
DEALS = 4000
CHECKED_DEALS = 64
CHECKSUM = {
    "dev": "4cb97e5d7cf0ea94",
    "holdout": "2ce82bba25cf2c28",
    "final": "afe1a12ec14c181e",
}
"""By split; the cards do not depend on the preset."""


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
    f"{preset}-{split}-v1": MatchSet(f"{preset}-{split}-v1", preset, SEED, split, DEALS, CHECKSUM[split])
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
