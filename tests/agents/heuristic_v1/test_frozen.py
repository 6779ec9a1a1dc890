"""The frozen heuristic: its weights and what it does in thousands of decisions never change under its name.

If a test here fails, `heuristic-v1` plays otherwise than it did: keep it as it was and give the new player a new name.
"""

import hashlib

import numpy as np
import pytest

from baofen.agents import make_agent
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.envs import VectorTables
from baofen.envs.core.dtypes import OVER
from baofen.envs.rules import PRESETS

WEIGHTS = "a0b69b2a93874b22"
CHOICES = {"suzhou": "2cf0253f308dfdc0", "exposure": "ac8e9946e0c62716", "hongwu": "6a8322be291b2865"}
NUM_DECISIONS = 300


def numbers(values: np.void) -> list[str]:
    """All numbers of a record, as text."""
    names = values.dtype.names
    if names is None:
        return [f"{number:.6f}" for number in np.ravel(values)]
    return [text for name in names for text in numbers(values[name])]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def test_the_weights_are_those_of_v1() -> None:
    assert digest(" ".join(numbers(heuristic_weights()[0])).encode()) == WEIGHTS


@pytest.mark.parametrize("preset", PRESETS)
def test_the_choices_are_those_of_v1(preset: str) -> None:
    """Half of the tables are played by the heuristic, half by the highest action, so that odd hands and tricks come up too."""
    tables = VectorTables(8, preset, seed=1, auto_reset=False)
    heuristic = make_agent("heuristic-v1")
    heuristic.reset(8, 0)
    actions = np.zeros(8, np.int64)
    choices: list[int] = []
    while (rows := np.flatnonzero(tables.phase != OVER)).size:
        views = tables.views(rows)
        chosen = heuristic.act(views)
        choices += chosen.tolist()
        actions[rows] = np.where(rows < 4, chosen, (views.action_mask * np.arange(1, 100)).argmax(1))
        tables.step(actions)
    assert len(choices) > NUM_DECISIONS
    assert digest(np.array(choices, np.int16).tobytes()) == CHOICES[preset]


def test_the_heuristic_is_v1_today() -> None:
    tables = VectorTables(4, seed=2, auto_reset=False)
    one, other = make_agent("heuristic"), make_agent("heuristic-v1")
    assert (one.name, other.name) == ("heuristic", "heuristic-v1")
    np.testing.assert_array_equal(one.act(tables.views()), other.act(tables.views()))
