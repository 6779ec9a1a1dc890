"""The environments with whole plays as actions."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

from baofen.envs import IllegalAction, baofen_v0
from baofen.envs.records import replay_record


@pytest.mark.filterwarnings("ignore:Observation")  # dictionaries are wanted
def test_pettingzoo_accepts_it_and_its_records_are_played_by_picks() -> None:
    api_test(baofen_v0.env(actions="plays"), num_cycles=200)
    env = baofen_v0.env(actions="plays")
    env.reset(seed=5)
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        assert env.observation_space(agent).contains(observation)
        other = env.observe(next(one for one in env.agents if one != agent))
        assert not other["action_mask"].any() and not other["cards"].any() and not other["features"].any()
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    table = env.unwrapped.table
    assert replay_record(table.record()).result == table.result


def test_an_illegal_choice_raises_in_pettingzoo_and_forfeits_in_gymnasium() -> None:
    raw = baofen_v0.env(actions="plays").unwrapped
    raw.reset(seed=1)
    with pytest.raises(IllegalAction, match="there is no play 63"):
        raw.step(63)
    env = gymnasium.make("baofen/Baofen-v0", actions="plays", opponents="random")
    env.reset(seed=1)
    _, _, terminated, _, info = env.step(63)
    assert terminated and "there is no play 63" in info["illegal"]


def test_gymnasium_plays_whole_plays() -> None:
    env = gymnasium.make("baofen/Baofen-v0", actions="plays", opponents="random", start="declarer")
    observation, info = env.reset(seed=2)
    assert env.observation_space.contains(observation)
    steps, total, terminated = 0, 0.0, False
    while not terminated:
        choice: Any = np.flatnonzero(info["action_mask"])[-1]
        observation, reward, terminated, _, info = env.step(choice)
        assert env.observation_space.contains(observation)
        total += float(reward)
        steps += 1
    inner: Any = env.unwrapped
    assert total == inner.table.tables["totals"][0, inner.seat]
    assert steps <= 40  # trump, one bury, at most 25 tricks: not a step for each card
    assert not info["action_mask"].any()
    with pytest.raises(ValueError, match="over"):
        env.step(0)


def test_kinds_of_actions_that_do_not_exist_are_refused() -> None:
    wrong: Any = "cards"
    for make in (lambda: baofen_v0.env(actions=wrong), lambda: gymnasium.make("baofen/Baofen-v0", actions=wrong)):
        with pytest.raises(ValueError, match="'picks' or 'plays'"):
            make()
