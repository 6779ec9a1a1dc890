"""Playing in another process: the league reaches it, and its replacement after it died."""

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
import ray
from places import HELPERS
from ray import cloudpickle
from ray._private import state as ray_state
from selfplay.helpers import toy_config
from selfplay.signal_game import signal_game

from baofen.training.config import GameConfig, LeagueConfig, SamplingConfig, TrainConfig
from baofen.training.selfplay.baofen_game import baofen_game
from baofen.training.selfplay.build import algorithm_config
from baofen.training.selfplay.local_ray import InCall, quieten_ray, start_cluster


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    quieten_ray()
    monkeypatch.setenv("PYTHONPATH", str(HELPERS))  # where the other process finds the toy
    assert start_cluster(1)
    yield
    ray.shutdown()


def wait_for_another_process(group: Any, process: int) -> None:
    """Wait as long as Ray takes to start the runner again, however busy the machine is; fail if it gives up."""
    (runner,) = group._worker_manager.actors().values()
    while True:
        facts = ray_state.actors(runner._actor_id.hex())
        assert facts["State"] != "DEAD", facts["DeathCause"]
        if facts["State"] == "ALIVE" and facts["Pid"] != process:
            return
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of Ray's own pipes
def test_a_dead_runner_comes_back_with_weights_and_pool(cluster: None, tmp_path: Any, capfd: Any) -> None:
    league = LeagueConfig(pool_size=2, frozen_table_probability=0.5)
    algorithm = algorithm_config(toy_config(runners=1, league=league), signal_game(), str(tmp_path)).build_algo()
    group = algorithm.env_runner_group
    algorithm.train()
    assert "restart will fail" not in capfd.readouterr().err, "a runner's arguments lie where they can be lost"
    algorithm.add_past_self()

    def ask(question: Any) -> list[Any]:
        return group.foreach_env_runner(question, local_env_runner=False)

    assert ask(lambda runner: sorted(runner.past_selves)) == [[1]]
    (process,) = ask(lambda runner: os.getpid())
    assert process != os.getpid()
    os.kill(process, signal.SIGKILL)  # the runner's process that this test has started
    while group.num_healthy_remote_env_runners():  # RLlib hears of it when a call fails
        ask(lambda runner: None)
    wait_for_another_process(group, process)
    while not group.num_healthy_remote_env_runners():  # RLlib asks at the end of an iteration, and not for long
        algorithm.train()
    (replaced,) = ask(lambda runner: (os.getpid(), sorted(runner.past_selves)))
    assert replaced[0] != process
    assert replaced[1] == [1]
    result = algorithm.train()
    assert int(result["env_runners"]["num_env_steps_sampled"]) >= 3072
    algorithm.stop()


def test_what_builds_a_runner_fits_into_the_call_itself() -> None:
    """Ray keeps arguments of at most 100 KiB with the call, whatever becomes of the object store."""
    config = TrainConfig(game=GameConfig(options={"bid_min": 80}), sampling=SamplingConfig(num_env_runners=2))
    built = algorithm_config(config, baofen_game(config))
    packed = cloudpickle.dumps(InCall(built))
    assert len(packed) < 50 * 1024
    assert cloudpickle.loads(packed).settings == built.settings
