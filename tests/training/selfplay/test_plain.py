"""The stock path: plain RLlib on the PettingZoo environment, with seats and with a name for each role."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from baofen.envs import baofen_v0
from baofen.training.examples.plain_rllib import make_environment, module_of, plain_config
from baofen.training.examples.role_agents import RoleAgents
from baofen.training.selfplay.local_ray import quieten_ray, store_without_cluster


@pytest.mark.filterwarnings("ignore:Observation")  # the test would rather not have dict observations
def test_role_agents_pass_the_api_test(capsys: Any) -> None:
    api_test(RoleAgents(baofen_v0.raw_env(render_mode="ansi")), num_cycles=300)


def test_a_seat_shows_up_in_its_role_and_every_role_that_decided_is_paid() -> None:
    rng = np.random.default_rng(3)
    environment = RoleAgents(baofen_v0.raw_env())
    environment.reset(seed=5)
    seats = environment._seats.unwrapped
    paid: Counter[str] = Counter()
    while not any(environment.terminations.values()):
        agent = environment.agent_selection
        table = seats.table
        seat, _, role = agent.rpartition("_")
        assert seat == seats.agent_selection
        expected = (
            "bidder" if table.declarer is None else "declarer" if seat == f"seat_{table.declarer}" else "defender"
        )
        assert role == expected
        shown = environment.observe(agent)
        environment.step(int(rng.choice(np.flatnonzero(shown["action_mask"]))))
        paid.update(environment.rewards)
    for number, total in enumerate(seats.table.totals):
        played = "declarer" if number == seats.table.result["declarer"] else "defender"
        assert paid[f"seat_{number}_{played}"] == total
        assert paid[f"seat_{number}_bidder"] in (total, 0)


@pytest.mark.filterwarnings("ignore:.*Overriding environment")  # RLlib registers its own for every algorithm
@pytest.mark.parametrize("by_role", [False, True])
def test_plain_rllib_trains(by_role: bool) -> None:
    quieten_ray()
    store_without_cluster()
    algorithm = plain_config(
        by_role=by_role, num_envs=2, decisions_per_iteration=600, minibatch_decisions=128, epochs=1, hidden_sizes=(16,)
    ).build_algo()
    result = algorithm.train()
    modules = {"bidder", "declarer", "defender"} if by_role else {"seat"}
    assert modules <= set(result["learners"])
    assert all(np.isfinite(float(result["learners"][module]["policy_loss"])) for module in modules)
    assert int(result["env_runners"]["num_env_steps_sampled_lifetime"]) >= 500
    algorithm.stop()


def test_modules_of_agents() -> None:
    assert module_of("seat_1_declarer") == "declarer" and module_of("seat_1") == "seat"


def test_rewards_are_in_hundreds_of_points() -> None:
    environment = make_environment({})
    observation, _ = environment.reset(seed=1)
    rng, total = np.random.default_rng(1), Counter[str]()
    done = False
    while not done:
        ((agent, shown),) = observation.items()
        action = int(rng.choice(np.flatnonzero(shown["action_mask"])))
        observation, rewards, terminated, _, _ = environment.step({agent: action})
        total.update(rewards)
        done = terminated["__all__"]
    assert {agent: round(100 * won) for agent, won in total.items()} == {
        f"seat_{seat}": points for seat, points in enumerate(environment.env.table.totals)
    }
