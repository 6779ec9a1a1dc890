"""RLlib's PettingZoo wrapper as it is, and RLlib's own check of environments, which knows no masks."""

import logging

import numpy as np
import pytest
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from baofen.envs import IllegalAction, baofen_v0
from baofen.envs.rules import PRESETS


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("preset", PRESETS)
def test_the_check_passes_where_illegal_actions_end_the_match(preset: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    check_multiagent_environments(PettingZooEnv(baofen_v0.env(rules=preset, illegal="terminate")))
    with pytest.raises((IllegalAction, ValueError)):
        for _ in range(50):  # it draws one action of 99, which may be legal by luck
            check_multiagent_environments(PettingZooEnv(baofen_v0.env(rules=preset)))


def test_a_match_is_played_to_its_end() -> None:
    wrapped = PettingZooEnv(baofen_v0.env(illegal="terminate"))
    shown, _ = wrapped.reset(seed=1)
    rng = np.random.default_rng(1)
    paid = dict.fromkeys(wrapped.possible_agents, 0.0)
    over = False
    while not over:
        ((agent, observation),) = shown.items()
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        shown, rewards, terminated, _, _ = wrapped.step({agent: action})
        over = terminated["__all__"]
        for other, reward in rewards.items():
            paid[other] += reward
    assert [paid[f"seat_{seat}"] for seat in range(4)] == list(wrapped.env.unwrapped.table.totals)
