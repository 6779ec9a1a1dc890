"""The heuristic: a compiled player by rules of thumb and expected points, for all rule systems."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Views
from baofen.agents.heuristic_v1.choose import choose_all
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.envs.core.rng import seed_word


class HeuristicAgent:
    """Plays by rules of thumb; the same every time, without chance."""

    cheats = False
    needs_observation = False

    def __init__(self, weights: NDArray[np.void] | None = None, name: str = "heuristic") -> None:
        """Make the agent; `weights`: an array [1] of the `WEIGHTS` dtype instead of the agent's own."""
        self.name = name
        self._weights = heuristic_weights() if weights is None else weights

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew; nothing is remembered and nothing is drawn, but a seed has to be one."""
        seed_word(seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
        state: Any = np.ascontiguousarray(views.state)
        actions = np.empty(len(state), np.int64)
        choose_all(state, views.rules.record, self._weights, actions)
        return actions
