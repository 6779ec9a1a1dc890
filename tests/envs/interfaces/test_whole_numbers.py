"""Actions that are whole numbers of any size: what no action has is illegal, and named as it was given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from baofen.envs import IllegalAction, Table, VectorTables, baofen_v0
from baofen.envs.actions import PASS
from baofen.envs.interfaces.gym_single import BaofenSingleEnv
from baofen.envs.interfaces.gym_vector import BaofenVectorEnv

BEYOND: list[Any] = [2**63 - 1, 2**63, 2**64 + PASS, 10**30, -(2**63) - 1, -(10**30), np.uint64(2**63 + PASS)]
ARRAYS: list[Any] = [
    np.array([PASS, PASS, 2**63 + PASS], np.uint64),
    [PASS, PASS, 2**64 + PASS],
    [PASS, PASS, -(2**70)],
    np.array([PASS, PASS, 2**63 - 1]),
]


@pytest.mark.parametrize("action", BEYOND)
def test_one_table_refuses_and_names_it(action: Any) -> None:
    table = Table(seed=1)
    with pytest.raises(IllegalAction, match=f"action {int(action)} does not exist"):
        table.apply(action)
    assert "does not exist" in str(table.why_illegal(action))
    raw = baofen_v0.raw_env()
    raw.reset(seed=1)
    with pytest.raises(IllegalAction, match=f"action {int(action)} does not exist"):
        raw.step(action)
    checked = baofen_v0.env()
    checked.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        checked.step(action)
    assert (raw.table.tables == table.tables).all()
    assert (checked.unwrapped.table.tables == table.tables).all()


@pytest.mark.parametrize("actions", ARRAYS)
def test_a_batch_refuses_and_names_it(actions: Any) -> None:
    batch = VectorTables(3, seed=1)
    before = batch.tables.copy()
    with pytest.raises(IllegalAction, match=f"table 2: action {int(actions[2])} does not exist"):
        batch.step(actions)
    assert (batch.tables == before).all()


@pytest.mark.parametrize("action", BEYOND)
def test_a_learner_forfeits(action: Any) -> None:
    env = BaofenSingleEnv(start="declarer")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(action)
    assert (reward, terminated) == (-400.0, True)
    assert info["illegal"] == f"action {int(action)} does not exist: actions are 0 .. 98"


@pytest.mark.parametrize("actions", ARRAYS)
def test_a_learner_of_a_vector_forfeits(actions: Any) -> None:
    env = BaofenVectorEnv(3)
    env.reset(seed=1)
    _, _, terminated, _, info = env.step(actions)
    assert terminated[2]
    assert f"action {int(actions[2])} does not exist" in info["illegal"][2]


def test_an_array_of_one_action_will_do() -> None:
    shown = set()
    for action in (PASS, np.int64(PASS), np.array(PASS), np.array([PASS]), np.array([[PASS]], np.uint8)):
        env = BaofenSingleEnv()
        env.reset(seed=1)
        observation, reward, _, _, info = env.step(action)  # type: ignore[arg-type]
        assert "illegal" not in info
        shown.add((observation.tobytes(), reward))
    assert len(shown) == 1
    for wrong in (67.0, np.array([67.0]), np.array([67, 67]), "67", None):
        with pytest.raises(TypeError):
            env.step(wrong)  # type: ignore[arg-type]
