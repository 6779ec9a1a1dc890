"""PPO by self-play as a method of training: what RLlib reports, under our names."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import ray
import torch
from numpy.typing import NDArray

from baofen.envs.core.dtypes import ROLES
from baofen.training.config import TrainConfig
from baofen.training.errors import UserError
from baofen.training.method import Assignment, Iteration, check_finite
from baofen.training.run.checkpoints import progress_of
from baofen.training.run.export import export_policy
from baofen.training.selfplay.baofen_game import baofen_game
from baofen.training.selfplay.build import algorithm_config
from baofen.training.selfplay.local_ray import quieten_ray, start_cluster
from baofen.training.selfplay.runner import VectorRunner
from baofen.training.selfplay.tally import figures as figures_of

RLLIB = "rllib"
"""Folder of a checkpoint with RLlib's own: weights, optimisers, counters, past selves."""
FEW_TABLES = 16
LEARNER_FIGURES = {
    "policy_loss": "policy_loss",
    "vf_loss": "value_loss",
    "entropy": "entropy_nats",
    "gradient_norm": "gradient_norm",
    "approximate_kl": "approximate_kl",
    "clipped_share": "clipped_share",
    "explained_variance_of_returns": "explained_variance_of_returns",
    "curr_entropy_coeff": "entropy_bonus",
}
"""RLlib's key in a learner's results -> our name."""


class PPOMethod:
    """Self-play with one network a role, a league of past selves, and PPO card by card."""

    def __init__(self, assignment: Assignment) -> None:
        """Compile what sampling needs, and start the runners.

        Raises:
            UserError: for weights to start from, which it cannot take, or if Ray does not start.
        """
        self._config: TrainConfig = assignment.config
        if self._config.start_from is not None:
            raise UserError("start_from: ppo begins with fresh networks; leave it out")
        self._game = assignment.game or baofen_game(self._config)
        quieten_ray()
        self._started_cluster = start_cluster(self._config.sampling.num_env_runners or 0)
        built = algorithm_config(self._config, self._game, str(assignment.scratch))
        warm_kernels(built)
        self._algorithm = built.build_algo()
        self._deals = self._decisions = 0

    def iterate(self, share_done: float) -> Iteration:
        """Sample and learn once; at times a copy joins the league."""
        started = time.perf_counter()
        result = self._algorithm.train()
        seconds = time.perf_counter() - started
        sampled = result["env_runners"]
        counts = sampled["counts"]
        decisions, deals = int(sampled["num_env_steps_sampled_lifetime"]), int(sampled["num_episodes_lifetime"])
        runners = max(1, self._config.sampling.num_env_runners or 0)
        figures = (
            figures_of(counts)
            | learner_figures(result["learners"])
            | {
                "speed/deals_per_second": (deals - self._deals) / seconds,
                "speed/decisions_per_second": (decisions - self._decisions) / seconds,
                "speed/simulated_decisions_per_second": counts["simulated_decisions"] / seconds,
                "speed/sampling_share_of_time": counts["sampling_seconds"] / runners / seconds,
            }
        )
        self._deals, self._decisions = deals, decisions
        iterations = int(result["training_iteration"])
        league = self._config.league
        if league.pool_size and iterations % league.snapshot_every_iterations == 0:
            check_finite(self.arrays())
            self._algorithm.add_past_self()
        calls = {name.removeprefix("bid_"): float(n) for name, n in counts.items() if name.startswith("bid_")}
        return Iteration(iterations, decisions, deals, seconds, figures, calls)

    def arrays(self) -> Iterable[tuple[str, NDArray[Any]]]:
        """Return all parameters, each as `ROLE.NAME`."""
        for role, weights in self._algorithm.present_weights().items():
            for name, value in weights.items():
                yield f"{role}.{name}", value

    def save(self, folder: Path) -> None:
        """Write RLlib's checkpoint into a folder of its own."""
        self._algorithm.save_to_path(str((folder / RLLIB).resolve()))

    def restore(self, folder: Path) -> None:
        """Take over weights, optimisers, counters and past selves."""
        self._algorithm.restore_from_path(str((folder / RLLIB).resolve()))
        self._algorithm.share_pool()
        before = progress_of(folder)
        self._decisions, self._deals = before.decisions, before.deals

    def export(self, folder: Path, progress: Mapping[str, Any]) -> None:
        """Write the networks of the three roles."""
        export_policy(folder, self._algorithm.present_weights(), self._game, self._config, progress)

    def stop(self) -> None:
        """End the runners, and Ray if it was started here."""
        self._algorithm.stop()
        if self._started_cluster:
            ray.shutdown()


def learner_figures(learners: Mapping[str, Any]) -> dict[str, float]:
    """Return what the learner reports of each role, by name in TensorBoard."""
    return {
        f"learning_{role}/{name}": float(learners[role][key])
        for role in ROLES
        for key, name in LEARNER_FIGURES.items()
        if key in learners.get(role, {})
    }


def warm_kernels(config: Any) -> None:
    """Play a few matches on a few tables, as runners of this `SelfPlayConfig` will, and forget them.

    With an empty kernel cache that takes a minute, before the clock of the run starts. Runner processes then find the
    compiled functions on disk. No random numbers of the run are used up.
    """
    small = config.copy(copy_frozen=False)
    settings: TrainConfig = config.settings
    small.settings = replace(settings, sampling=replace(settings.sampling, tables_per_runner=FEW_TABLES))
    with torch.random.fork_rng(devices=[]):
        VectorRunner(config=small).sample(num_timesteps=1)
