"""Small matches, and agents that do what no agent should."""

from collections.abc import Callable
from functools import partial

import numpy as np

from baofen.agents import Agent, make_agent
from baofen.agents.base import needs_observation
from baofen.envs.core.rng import seed_word
from baofen.training.arena.contestants import Contestant
from baofen.training.arena.matches import Setup


def contestant(label: str, wrap: Callable[..., Agent] | None = None, **settings) -> Contestant:
    """The agent of a name, wrapped if asked."""
    return Contestant(label if wrap is None else f"{wrap.__name__} {label}", partial(_make, label, wrap, settings))


def _make(name: str, wrap: Callable[..., Agent] | None, settings) -> Agent:
    return make_agent(name) if wrap is None else wrap(make_agent(name), **settings)


def small_setup(**settings) -> Setup:
    """Few deals; random agents fix the contracts, so that nothing depends on how good the heuristic is."""
    return Setup(**{"deals": 24, "reference": contestant("random:cards"), **settings})


class Failing:
    """Does something wrong in every decision of chosen tables, and plays like another agent elsewhere."""

    def __init__(self, agent: Agent, how: str = "raise", tables: tuple[int, ...] | None = None) -> None:
        self.agent, self.how, self.tables = agent, how, tables
        self.name, self.cheats = f"failing ({how})", False

    def reset(self, num_tables: int, seed: int) -> None:
        if self.how == "reset":
            raise OSError("no file")
        self.agent.reset(num_tables, seed)

    def act(self, views):
        wrong = np.ones(len(views), bool) if self.tables is None else np.isin(views.table, self.tables)
        if wrong.any() and self.how == "raise":
            raise KeyError("lost")
        actions = self.agent.act(views)
        if wrong.any() and self.how == "shape":
            return actions[:, None]
        if self.how == "too few":  # one by one it answers well
            return actions[:1]
        if wrong.any() and self.how == "floats":
            return actions.astype(float)
        if self.how == "illegal":
            actions[wrong] = (views.action_mask[wrong] == 0).argmax(1)
        if self.how == "range":
            actions[wrong] = 10**6
        return actions


class Meddling:
    """Overwrites all it is shown after having decided."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name, self.cheats = "meddling", False

    def reset(self, num_tables: int, seed: int) -> None:
        self.agent.reset(num_tables, seed)

    def act(self, views):
        actions = self.agent.act(views)
        for array in (views.observation, views.action_mask, views.seat, views.table, views.phase):
            array[:] = 1
        views.state["hand_ones"] = 0
        return actions


class Clumsy:
    """An agent that takes a share of its decisions at random: an effect of known sign, to test the arena with."""

    def __init__(self, agent: Agent, share: float = 0.1) -> None:
        self._agent, self._share = agent, share
        self.name, self.cheats = f"{agent.name}, {share:.0%} at random", agent.cheats
        self.needs_observation = needs_observation(agent)

    def reset(self, num_tables: int, seed: int) -> None:
        self._agent.reset(num_tables, seed)
        self._rng = np.random.default_rng(int(seed_word(seed)))

    def act(self, views):
        actions = self._agent.act(views)
        slips = np.flatnonzero(self._rng.random(len(actions)) < self._share)
        mask = views.action_mask[slips]
        actions[slips] = (self._rng.random(mask.shape) * mask).argmax(1)
        return actions
