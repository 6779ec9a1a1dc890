"""Runner processes find what the driver has compiled: with a cold cache, only warming up writes to it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = """
import sys
from pathlib import Path

import ray

from baofen.training.config import LearningConfig, SamplingConfig, TrainConfig
from baofen.training.selfplay.baofen_game import baofen_game
from baofen.training.selfplay.build import algorithm_config
from baofen.training.selfplay.local_ray import quieten_ray, start_cluster
from baofen.training.selfplay.ppo_method import warm_kernels

cache, scratch = map(Path, sys.argv[1:])


def written():
    return {str(path): path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}


quieten_ray()
start_cluster(1)
config = TrainConfig(
    sampling=SamplingConfig(num_env_runners=1, tables_per_runner=32, decisions_per_iteration=1024),
    learning=LearningConfig(minibatch_decisions=256, bidder_minibatch_decisions=256),
)
built = algorithm_config(config, baofen_game(config), str(scratch))
at_first = written()
warm_kernels(built)
warm = written()
group = built.build_algo().env_runner_group
folders = group.foreach_env_runner(lambda runner: __import__("os").environ["BAOFEN_CACHE_DIR"], local_env_runner=False)
rows = group.foreach_env_runner(lambda runner: len(runner.sample(num_timesteps=500)), local_env_runner=False)
print(len(at_first), len(warm), rows[0], folders[0] == str(cache), sorted(set(written().items()) ^ set(warm.items())))
ray.shutdown()
"""


@pytest.mark.slow
def test_a_runner_process_compiles_nothing(tmp_path: Path) -> None:
    cache = tmp_path / "kernels"
    cache.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(cache), str(tmp_path / "scratch")],
        env={**os.environ, "BAOFEN_CACHE_DIR": str(cache), "RAY_USAGE_STATS_ENABLED": "0", "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    at_first, warm, rows, same_folder, written_after = done.stdout.splitlines()[-1].split(maxsplit=4)
    assert int(at_first) < int(warm)
    assert int(warm) > 50  # the whole game is compiled
    assert int(rows) >= 500
    assert same_folder == "True"
    assert written_after == "[]"
