"""`env(illegal="terminate")`: PettingZoo's wrapper ends the match, and nobody learns anything by it."""

from __future__ import annotations

import logging
import random
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import average_total_reward
from random_play import random_action

from baofen.envs import baofen_v0
from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.interfaces.aec import AGENTS
from baofen.envs.rules import PRESETS

LOSES = {"suzhou": -400.0, "exposure": -400.0, "hongwu": -7.0}


def ending(**given: Any) -> Any:
    """The environment in which an illegal action ends the match."""
    return baofen_v0.env(illegal="terminate", **given)


def play(env: Any, rng: np.random.Generator, steps: int) -> None:
    for _ in range(steps):
        env.step(random_action(rng, np.flatnonzero(env.last()[0]["action_mask"]).tolist()))


@pytest.fixture(autouse=True)
def _no_warnings(caplog: pytest.LogCaptureFixture) -> None:
    """The wrapper tells of each illegal action; that is its habit."""
    caplog.set_level(logging.ERROR)
    warnings.simplefilter("ignore")


@pytest.mark.parametrize("preset", PRESETS)
def test_what_pettingzoo_tests(preset: str) -> None:
    api_test(ending(rules=preset), num_cycles=300)
    seed_test(lambda: ending(rules=preset), num_cycles=100)
    env = ending(rules=preset)
    env.reset(seed=1)
    check_state_space(env)
    check_state(env, 100)


@pytest.mark.parametrize("preset", PRESETS)
def test_programs_that_know_no_masks_run(preset: str) -> None:
    random.seed(1)
    env = ending(rules=preset)
    for seat, agent in enumerate(AGENTS):
        env.action_space(agent).seed(seat)
    assert LOSES[preset] <= average_total_reward(env, max_episodes=30) < 0


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("looks", [True, False])
def test_an_illegal_action_ends_the_match(preset: str, looks: bool) -> None:
    rng = np.random.default_rng(1)
    env = ending(rules=preset, deals_per_match=2)
    env.reset(seed=1)
    for match in range(8):
        if match:
            env.reset()
        play(env, rng, 3 + 2 * match)
        if looks:
            mask = env.observe(env.agent_selection)["action_mask"]
        else:
            mask = env.unwrapped.table.mask()
        before = env.unwrapped.table.tables.copy()
        loser = env.agent_selection
        env.step(int(np.flatnonzero(mask == 0)[match]))
        assert np.array_equal(env.unwrapped.table.tables, before)
        assert env.rewards == {agent: LOSES[preset] * (agent == loser) for agent in AGENTS}
        assert not any(env.observe(agent)["action_mask"].any() for agent in AGENTS)
        last = {}
        for agent in env.agent_iter():
            _, last[agent], terminated, _, _ = env.last()
            assert terminated
            env.step(None)
        assert last[loser] == LOSES[preset]
        assert env.agents == []


@pytest.mark.parametrize("preset", PRESETS)
def test_legal_play_is_the_same(preset: str) -> None:
    plain, env = baofen_v0.env(rules=preset), ending(rules=preset)
    rng = np.random.default_rng(2)
    for each in (plain, env):
        each.reset(seed=3)
    for agent in env.agent_iter():
        assert plain.agent_selection == agent
        ours, theirs = env.last(), plain.last()
        assert ours[1:] == theirs[1:]
        assert all(np.array_equal(ours[0][key], theirs[0][key]) for key in theirs[0])
        action = None if ours[2] else random_action(rng, np.flatnonzero(ours[0]["action_mask"]).tolist())
        env.step(action)
        plain.step(action)
    assert env.agents == plain.agents == []


def test_after_a_forfeit_the_mask_is_that_of_the_next_deal() -> None:
    env = ending(deals_per_match=2)
    env.reset(seed=1)
    play(env, np.random.default_rng(1), 3)
    env.observe(env.agent_selection)
    env.forfeit(env.agent_selection)
    before = env.unwrapped.table.tables["num_actions"][0]
    env.step(int(np.flatnonzero(env.unwrapped.table.mask())[0]))
    assert env.unwrapped.table.tables["num_actions"][0] == before + 1
    assert not any(env.terminations.values())


def test_what_is_out_of_bounds_is_still_refused() -> None:
    env = ending()
    env.reset(seed=1)
    for action in (NUM_ACTIONS, -1):
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(action)
