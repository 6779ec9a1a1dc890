"""Who takes part: names that travel to other processes, and agents made from them there."""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent, make_agent
from baofen.agents.base import Views, needs_observation
from baofen.agents.registry import UNKNOWN, is_foreign
from baofen.envs.core.rng import seed_word
from baofen.training.arena.guests import Guest, GuestError
from baofen.training.run.trained_rules import TrainedOn, trained_on

TIMEOUT_S = 60.0
"""Seconds that a guest has for one call, which may ask for hundreds of decisions."""
LONGEST_ALIAS = 12
_ALIAS = re.compile(r"[\w.+-]+")
_COPY = 0x9E3779B9


@dataclass(frozen=True)
class Contestant:
    """An agent to be: `label` is what tables call it, `make` makes it and must be picklable.

    trained_on: the policies in it, if it is known, with the rules of their training. alias: what the user calls it, if
    he does.
    """

    label: str
    make: Callable[[], Agent]
    trained_on: TrainedOn = ()
    alias: str = ""


def contestants(names: Sequence[str], timeout_s: float = TIMEOUT_S) -> list[Contestant]:
    """Return the agents of these names; one named twice takes part twice, with draws of its own.

    timeout_s: seconds for each call of those that are not ours, which play in processes of their own.

    Raises:
        ValueError: if there is no agent of a name, or it cannot be made.

    >>> [one.label for one in contestants(["random", "random"])]
    ['random', 'random#2']
    """
    found: list[Contestant] = []
    for index, name in enumerate(names):
        copy = list(names[:index]).count(name)
        # A wrong name is told now, not by another process.
        policies = trained_on(_named(name, timeout_s)) if copy == 0 else ()
        label = f"{name}#{copy + 1}" if copy else name
        found.append(Contestant(label, partial(_make, name, copy, timeout_s), policies))
    return found


def without_alias(word: str, aliases: dict[str, str]) -> str:
    """Return the agent's name in NAME=PATH, and keep what it is to be called in `aliases`; other words are names.

    Raises:
        ValueError: if two agents would be called the same.

    >>> aliases = {}
    >>> without_alias("mine=runs/a/checkpoints/000100", aliases), without_alias("runs/lr=0.1/checkpoints/000100", aliases)
    ('runs/a/checkpoints/000100', 'runs/lr=0.1/checkpoints/000100')
    >>> aliases
    {'runs/a/checkpoints/000100': 'mine'}
    """
    alias, equals, name = word.partition("=")
    if not equals or not _ALIAS.fullmatch(alias) or Path(word).exists():
        return word
    if not name:
        raise ValueError(f"{word!r} names no agent: write NAME=PATH")
    if len(alias) > LONGEST_ALIAS:
        raise ValueError(f"{alias!r} is too long a name for tables: at most {LONGEST_ALIAS} letters")
    if alias in aliases.values() and aliases.get(name) != alias:
        raise ValueError(f"two agents would be called {alias!r}")
    if aliases.setdefault(name, alias) != alias:
        raise ValueError(f"{name} is called both {aliases[name]!r} and {alias!r}")
    return name


def _make(name: str, copy: int, timeout_s: float) -> Agent:
    agent = _named(name, timeout_s)
    return OtherDraws(agent, copy) if copy else agent


def _named(name: str, timeout_s: float) -> Agent:
    if not is_foreign(name):
        agent = make_agent(name)
        if "torch" in sys.modules:  # more threads only wait for each other over a few rows
            sys.modules["torch"].set_num_threads(1)
        return agent
    try:
        return Guest(partial(make_agent, name), timeout_s)
    except GuestError as error:
        told = str(error)
        raise ValueError(told if told.startswith(UNKNOWN) else f"agent {name!r}: {told}") from None


class OtherDraws:
    """An agent whose draws are others than those of the same agent elsewhere: for matches against itself."""

    def __init__(self, agent: Agent, copy: int = 1) -> None:
        self._agent, self._copy = agent, copy
        self.name, self.cheats = f"{agent.name}#{copy + 1}", agent.cheats
        self.needs_observation = needs_observation(agent)

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew from another seed."""
        self._agent.reset(num_tables, (int(seed_word(seed)) + _COPY * self._copy) % 2**63)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Act as the agent does."""
        return self._agent.act(views)
