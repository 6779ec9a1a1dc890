"""Lists of plays for the environments: the entry point `baofen.plays`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.plays.features import FEATURES, NUM_FEATURES
from baofen.agents.plays.listing import CARDS, MAX_PLAYS, PLAYS
from baofen.agents.plays.lists import list_all, pick_all_but_last
from baofen.agents.search.candidates import CANDIDATES
from baofen.envs.cards import NUM_FACES
from baofen.envs.core.dtypes import TABLE
from baofen.envs.plays import Plays
from baofen.envs.rules import Rules


class CandidateLister:
    """Lists what search compares: the own play of `heuristic-v1` first."""

    features = FEATURES

    def __init__(self) -> None:
        self._weights: Any = heuristic_weights()
        self._found: Any = np.zeros(1, CANDIDATES)
        self._scratch: Any = np.zeros(1, TABLE)

    def list_plays(self, rules: Rules, tables: NDArray[np.void]) -> Plays:
        """Return the lists of the acting seats' decisions at tables, TABLE [B]."""
        given: Any = np.ascontiguousarray(tables)
        entries: Any = np.zeros(len(given), PLAYS)
        cards = np.zeros((len(given), MAX_PLAYS, NUM_FACES), np.uint8)
        features = np.zeros((len(given), MAX_PLAYS, NUM_FEATURES), np.float32)
        list_all(given, rules.record, self._weights, self._found, self._scratch, entries, cards, features)
        count = entries["count"].astype(np.int64)
        there = np.arange(MAX_PLAYS) < count[:, None]
        actions = np.where(there, entries["action"], CARDS).astype(np.int64)
        return Plays(count, cards, features, there.astype(np.uint8), actions, entries)

    def pick_all_but_last(
        self, rules: Rules, tables: NDArray[np.void], plays: Plays, choices: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Make all picks of the chosen entries but the last at the tables, and return the last actions, int64 [B]."""
        last = np.zeros(len(tables), np.int64)
        shared: Any = tables
        entries: Any = plays.entries
        pick_all_but_last(shared, rules.record, entries, choices, self._scratch, last)
        return last
