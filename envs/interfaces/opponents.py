"""Who plays the seats that do not learn: agents, or names that stand for agents.

Names are made agents by a *resolver*: the one that a program has registered, or that an installed package offers as
entry point of the group `baofen.opponents`, as `baofen.agents` does. The game itself knows no agent.
"""

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from baofen.envs.cards import NUM_SEATS
from baofen.envs.rules import Rules
from baofen.envs.views import Views, make_views

NUM_OPPONENTS = NUM_SEATS - 1
ENTRY_POINTS = "baofen.opponents"


class Opponent(Protocol):
    """An agent (`baofen.agents.base.Agent`): batched, from views to actions."""

    cheats: bool
    """Whether it is to be shown the whole state."""

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew with a number of tables."""

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view."""


Resolver = Callable[[str], Any]
Opponents = str | Opponent | Sequence[str | Opponent]

_resolver: Resolver | None = None


def register_resolver(resolver: Resolver) -> None:
    """Make a function the one that turns names into new agents; it raises ValueError for unknown names."""
    global _resolver
    _resolver = resolver


def needs_observation(agent: object) -> bool:
    """Return whether an agent reads `views.observation`: yes, unless its attribute of this name says no.

    >>> needs_observation(object())
    True
    """
    return bool(getattr(agent, "needs_observation", True))


def resolve_opponent(opponent: str | Opponent) -> Opponent:
    """Return the agent that a name stands for, a new one each time; an agent stands for itself.

    Raises:
        ValueError: if the name is unknown or nobody knows names.
    """
    if not isinstance(opponent, str):
        return opponent
    agent: Opponent = (_resolver or _installed_resolver(opponent))(opponent)
    return agent


def _installed_resolver(opponent: str) -> Resolver:
    """Return the resolver of the installed package that offers one, and keep it for the next time."""
    for entry in entry_points(group=ENTRY_POINTS):
        register_resolver(entry.load())
    if _resolver is None:
        raise ValueError(f"opponent {opponent!r}: there are no agents by name here; give an agent")
    return _resolver


class Others:
    """The three seats after the learner's, in playing order.

    Given as one name (an agent of its own for each seat), one agent (it plays all three), or three of either.

    Raises:
        ValueError: for unknown names or another number of opponents.
        TypeError: for what is neither a name nor an agent.
    """

    def __init__(self, opponents: Opponents) -> None:
        if isinstance(opponents, str):
            chosen: Sequence[str | Opponent] = [opponents] * NUM_OPPONENTS
        elif isinstance(opponents, Sequence):
            chosen = opponents
        elif hasattr(opponents, "act"):
            chosen = [opponents] * NUM_OPPONENTS
        else:
            raise TypeError(f"opponents must be a name, an agent, or three of either, not {opponents!r}")
        if len(chosen) != NUM_OPPONENTS:
            raise ValueError(f"opponents must be one or {NUM_OPPONENTS}, not {len(chosen)}")
        by_place = [resolve_opponent(opponent) for opponent in chosen]
        distinct = {id(agent): agent for agent in by_place}
        self.agents = list(distinct.values())
        """The agents, each once."""
        self._agent_of_place = np.array([list(distinct).index(id(agent)) for agent in by_place])

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew; every agent gets a seed of its own."""
        seeds = np.random.SeedSequence(seed).generate_state(NUM_OPPONENTS, np.uint32)
        for agent, agent_seed in zip(self.agents, seeds, strict=False):
            agent.reset(num_tables, int(agent_seed))

    def act(
        self, rules: Rules, tables: NDArray[np.void], indices: NDArray[np.int64], places: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the actions in some tables, int64 [n]; `places` [n]: 0 .. 2, who acts there after the learner."""
        actions = np.empty(len(indices), np.int64)
        asked = self._agent_of_place[places]
        for number, agent in enumerate(self.agents):
            rows = np.flatnonzero(asked == number)
            if len(rows):
                observe = needs_observation(agent)
                views = make_views(rules, tables, indices[rows], cheating=agent.cheats, observe=observe)
                actions[rows] = agent.act(views)
        return actions
