"""Whole plays as actions: each decision as one list of at most 64 entries, with the cards and the features of each.

What is listed is for an installed package to say, as entry point of the group `baofen.plays`; `baofen.agents` offers the
lists that search compares. The game itself knows no list: a choice is carried out as the same picks.
"""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baofen.envs.rules import Rules

ENTRY_POINTS = "baofen.plays"
MAX_PLAYS = 64


@dataclass(frozen=True, eq=False)
class Plays:
    """The lists of B decisions.

    count: int64 [B], entries of each list; 0 where the game is over.
    cards: uint8 [B, 64, 54], copies of each face in an entry; none in calls, the pass, trumps and exposures.
    features: float32 [B, 64, F], see `PlayLister.features`.
    mask: uint8 [B, 64], 1 where there is an entry.
    actions: int64 [B, 64], the action of an entry that is a single one, -1 where it is a set of cards or there is none.
    entries: the same as the lister needs it to carry a choice out.
    """

    count: NDArray[np.int64]
    cards: NDArray[np.uint8]
    features: NDArray[np.float32]
    mask: NDArray[np.uint8]
    actions: NDArray[np.int64]
    entries: NDArray[np.void]


class PlayLister(Protocol):
    """Who lists plays."""

    features: tuple[tuple[str, str], ...]
    """Name and meaning of each feature."""

    def list_plays(self, rules: Rules, tables: NDArray[np.void]) -> Plays:
        """Return the lists of the acting seats' decisions at tables, TABLE [B]; reads only what these seats may know."""

    def pick_all_but_last(
        self, rules: Rules, tables: NDArray[np.void], plays: Plays, choices: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Make all picks of the chosen entries but the last at the tables, and return the last actions, int64 [B]."""


@cache
def play_lister() -> PlayLister:
    """Return the lister that an installed package offers.

    Raises:
        LookupError: if none does.
    """
    for entry in entry_points(group=ENTRY_POINTS):
        lister: PlayLister = entry.load()()
        return lister
    raise LookupError(
        f"no installed package lists plays (entry point group {ENTRY_POINTS!r}); is baofen installed whole?"
    )


def check_choices(choices: ArrayLike, plays: Plays) -> NDArray[np.int64]:
    """Return choices as int64 [B]; those of lists without entries are 0.

    Raises:
        ValueError: if they are not whole numbers, one for each list, or one names no entry.
    """
    given = np.asarray(choices)
    if not np.issubdtype(given.dtype, np.integer) or given.shape != plays.count.shape:
        raise ValueError(f"choices must be whole numbers [{len(plays.count)}], not {given.dtype} {list(given.shape)}")
    wrong = np.flatnonzero((plays.count > 0) & ((given < 0) | (given >= plays.count)))
    if len(wrong):
        first = wrong[0]
        raise ValueError(f"table {first}: there is no play {given[first]}; its list has 0 .. {plays.count[first] - 1}")
    return np.where(plays.count > 0, given, 0).astype(np.int64)
