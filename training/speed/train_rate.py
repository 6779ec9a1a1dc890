"""How fast training is, end to end, beside plain RLlib: for `baofen speed --layers train,train_plain`.

Both learn the same game in this process with the same networks (256-256 for each role), minibatches of one size and as
many passes over the decisions; all decisions are asked and learned from, forced ones too, and there are no past selves,
so that a decision costs the same work in both.
"""

import os
import tempfile
import time
from dataclasses import dataclass
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch

from baofen.training.config import LeagueConfig, LearningConfig, Precision, SamplingConfig, StartsConfig, TrainConfig
from baofen.training.examples.plain_rllib import plain_config
from baofen.training.selfplay.baofen_game import baofen_game
from baofen.training.selfplay.build import algorithm_config
from baofen.training.selfplay.local_ray import quieten_ray, store_without_cluster

HIDDEN_SIZES = (256, 256)
EPOCHS = 2
MINIBATCH_DECISIONS = LearningConfig().minibatch_decisions
"""Of each role, in one gradient step."""
PLAIN_ENVIRONMENTS = 32


@dataclass(frozen=True)
class Rate:
    """Decisions learned from, each counted once."""

    per_second: float
    """Of wall time."""
    per_cpu_second: float
    """Of this process: the figure to compare on a busy machine."""


def train_rate(iterations: int = 4, precision: Precision = "auto") -> Rate:
    """Return the rate of our runner and learner with the default sizes, after one iteration to warm up."""
    config = comparable_config(precision)
    assert config.network.hidden_sizes == HIDDEN_SIZES
    with tempfile.TemporaryDirectory() as scratch:
        return _rate(algorithm_config(config, baofen_game(config), scratch), iterations)


def comparable_config(precision: Precision = "auto") -> TrainConfig:
    """Return the default configuration without what plain RLlib has not, or has differently."""
    return TrainConfig(
        starts=StartsConfig(practice_auction_probability=0.0),
        sampling=SamplingConfig(inference_precision=precision, skip_forced_decisions=False),
        learning=LearningConfig(
            precision=precision, epochs_per_iteration=EPOCHS, bidder_minibatch_decisions=MINIBATCH_DECISIONS
        ),
        league=LeagueConfig(pool_size=0),
    )


def plain_rate(iterations: int = 3) -> Rate:
    """Return the rate of plain RLlib: 32 environments, seats under a name for each role, three modules."""
    config = plain_config(
        by_role=True,
        num_envs=PLAIN_ENVIRONMENTS,
        hidden_sizes=HIDDEN_SIZES,
        epochs=EPOCHS,
        minibatch_decisions=MINIBATCH_DECISIONS,
        decisions_per_iteration=4000,
    )
    return _rate(config, iterations)


def _rate(config: Any, iterations: int) -> Rate:
    quieten_ray()
    store_without_cluster()
    torch.set_num_threads(1)
    algorithm = config.build_algo()
    before = decisions_learned(algorithm.train())
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(iterations):
        result = algorithm.train()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    done = decisions_learned(result) - before
    algorithm.stop()
    return Rate(per_second=done / wall, per_cpu_second=done / cpu)


def decisions_learned(result: dict[str, Any]) -> int:
    """Return how many decisions a run has learned from so far."""
    return int(result["env_runners"]["num_env_steps_sampled_lifetime"])


if __name__ == "__main__":
    ours, plain = train_rate(), plain_rate()
    print(f"train {ours}\ntrain_plain {plain}\nratio {ours.per_second / plain.per_second:.1f}")
