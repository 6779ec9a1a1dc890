"""Random agents: `random:cards` is uniform over actions, `random` leads uniformly over components, never a throw."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Views
from baofen.agents.choose_random import uniform_over_actions, uniform_over_components
from baofen.envs.core.rng import seed_word


class RandomAgent:
    """Draws its actions; equal seeds give equal choices in equal situations."""

    cheats = False
    needs_observation = False

    def __init__(self, *, by_cards: bool = False) -> None:
        """Make the agent; `by_cards`: uniform over actions in leads too, which makes mostly throws."""
        self.name = "random:cards" if by_cards else "random"
        self._choose: Callable[..., None] = uniform_over_actions if by_cards else uniform_over_components
        self._seed = np.uint64(0)

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew with a seed; nothing else is remembered."""
        self._seed = seed_word(seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
        state: Any = np.ascontiguousarray(views.state)
        actions = np.empty(len(state), np.int64)
        self._choose(state, views.rules.record, self._seed, actions)
        return actions
