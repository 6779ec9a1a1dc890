"""Search: candidates are played out by the heuristic in worlds the seat may be in; the best on average is played.

When few cards are left, a world is not played out but solved (`endgame`).

All candidates meet the same worlds, so that the luck of the deal cancels. `confirm` guards against a lucky nominee:
it is compared once more with the heuristic's own play on fresh worlds, and played only if it is surely better.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Views
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.search.candidates import CANDIDATES
from baofen.agents.search.endgame import make_solver
from baofen.agents.search.trials import search_all
from baofen.agents.search.worlds import WORLDS
from baofen.envs.core.dtypes import TABLE
from baofen.envs.core.rng import seed_word


class SearchAgent:
    """Buries and plays by search over worlds; calls and names trump as the heuristic does."""

    needs_observation = False

    def __init__(self, num_worlds: int, *, confirm: bool = False, cheats: bool = False) -> None:
        """Make the agent.

        num_worlds: worlds a decision. confirm: see the top of this module.
        cheats: searches the true deal instead of worlds (`oracle`): a ceiling, no player.

        Raises:
            ValueError: if there is less than one world.
        """
        if num_worlds < 1:
            raise ValueError(f"a search needs at least one world, not {num_worlds}")
        self.name = ("oracle" if cheats else f"search:{num_worlds}") + ("+confirm" if confirm else "")
        self.cheats = cheats
        self._num_worlds = num_worlds
        self._confirm = confirm
        self._weights = heuristic_weights()
        self._seed = np.uint64(0)
        self._plans = np.zeros(1, CANDIDATES)
        self._found = np.zeros(1, CANDIDATES)
        self._walk = np.zeros(1, WORLDS)
        self._scratch = np.zeros(2, TABLE)
        self._solver, self._path = make_solver()

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew with a seed and room for the plans of `num_tables` tables."""
        self._seed = seed_word(seed)
        self._plans = np.zeros(num_tables, CANDIDATES)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n].

        Raises:
            RuntimeError: if no deal agrees with what a seat knows, which cannot be in a game played by the rules.
        """
        state: Any = np.ascontiguousarray(views.state)
        actions = np.empty(len(state), np.int64)
        done = search_all(
            state,
            views.rules.record,
            self._weights,
            views.table,
            self._seed,
            self._num_worlds,
            self._confirm,
            self.cheats,
            self._found,
            self._walk,
            self._scratch,
            self._solver,
            self._path,
            self._plans,
            actions,
        )
        if not done:
            raise RuntimeError("no deal of the hidden cards agrees with what the seat knows")
        return actions
