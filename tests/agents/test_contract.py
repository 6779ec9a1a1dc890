"""What all agents owe: any whole number seeds them, and whether they need observations is said in one way."""

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from arena.helpers import Clumsy
from places import ROOT

from baofen.agents import Agent, make_agent
from baofen.agents.base import needs_observation
from baofen.agents.combined import CombinedAgent
from baofen.agents.registry import BUILT_IN
from baofen.envs import VectorTables
from baofen.training.arena.contestants import OtherDraws

WRAPPED: dict[str, Any] = {
    "clumsy": lambda agent: Clumsy(agent, 0.5),
    "other draws": OtherDraws,
    "combined": lambda agent: CombinedAgent(agent, make_agent("random")),
    "combined the other way": lambda agent: CombinedAgent(make_agent("random"), agent),
}
SAME_SEEDS = [(-1, 2**64 - 1), (np.int64(7), 7), (np.int32(-3), 2**64 - 3), (np.uint64(2**64 - 1), -1), (2**70 + 5, 5)]


def choices(agent: Agent, seed: Any) -> list[int]:
    """The first decisions at some tables."""
    tables = VectorTables(16, seed=3)
    agent.reset(16, seed)
    chosen: list[int] = []
    for _ in range(12):
        actions = agent.act(tables.views(cheating=agent.cheats))
        chosen += actions.tolist()
        tables.step(actions)
    return chosen


@pytest.mark.parametrize("name", [*BUILT_IN, "search:1"])
def test_any_whole_number_seeds_an_agent(name: str) -> None:
    for seed, same in SAME_SEEDS:
        assert choices(make_agent(name), seed) == choices(make_agent(name), same)


@pytest.mark.parametrize("wrap", WRAPPED)
def test_any_whole_number_seeds_an_agent_in_a_wrap(wrap: str) -> None:
    for seed, same in SAME_SEEDS:
        assert choices(WRAPPED[wrap](make_agent("random")), seed) == choices(WRAPPED[wrap](make_agent("random")), same)


@pytest.mark.parametrize("wrap", [None, *WRAPPED])
@pytest.mark.parametrize("name", [*BUILT_IN, "search:1"])
def test_no_whole_number_is_refused(name: str, wrap: str | None) -> None:
    agent: Any = WRAPPED[wrap](make_agent(name)) if wrap else make_agent(name)
    for seed in (1.5, None, "1"):
        with pytest.raises(TypeError):
            agent.reset(1, seed)


class Plain:
    """An agent that says nothing about observations."""

    name, cheats = "plain", False

    def reset(self, num_tables: int, seed: int) -> None:
        """Nothing to do."""

    def act(self, views: Any) -> Any:
        """Never asked here."""


@pytest.mark.parametrize("wrap", [None, *WRAPPED])
def test_an_agent_needs_observations_unless_it_says_otherwise(wrap: str | None) -> None:
    around = WRAPPED[wrap] if wrap else lambda agent: agent
    assert needs_observation(around(Plain()))
    assert not needs_observation(around(make_agent("heuristic")))


READ = "needs_observation"
READERS = ("getattr", "hasattr", "attrgetter")


def readings(source: str) -> Iterator[int]:
    """The lines that read the attribute of an agent; a function of this name may be called, and agents may set it."""
    tree = ast.parse(source)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == READ and isinstance(node.ctx, ast.Load):
            if id(node) not in called:
                yield node.lineno
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in READERS and any(isinstance(word, ast.Constant) and word.value == READ for word in node.args):
                yield node.lineno


def test_one_function_reads_whether_observations_are_needed() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): len(lines)
        for room in ("envs", "agents", "training")
        for path in (ROOT / room).rglob("*.py")
        if (lines := list(readings(path.read_text(encoding="utf-8"))))
    }
    assert found == {"envs/interfaces/opponents.py": 1}


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("agent.needs_observation", True),
        ("observe = self._agent.needs_observation or True", True),
        ("getattr(agent, 'needs_observation', True)", True),
        ("getattr(\n    agent,\n    'needs_observation'\n)", True),
        ("hasattr(agent, 'needs_observation')", True),
        ("operator.attrgetter('needs_observation')(agent)", True),
        ("class Mine:\n    needs_observation = False", False),
        ("self.needs_observation = needs_observation(agent)", False),
        ("opponents.needs_observation(agent)", False),
        ("__all__ = ['needs_observation']", False),
    ],
)
def test_a_reading_is_found_however_it_is_written(source: str, reads: bool) -> None:
    assert bool(list(readings(source))) == reads
