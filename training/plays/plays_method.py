"""Labels of whole plays as a method of training: curves, checkpoints of plain arrays, policies."""

import json
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import ray
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from baofen.agents.base import needs_observation
from baofen.agents.plays.features import FEATURES
from baofen.agents.plays.listing import LIST_NAME, LIST_VERSION
from baofen.agents.policy import policy_folder
from baofen.agents.policy.policy_files import WEIGHTS_FILE
from baofen.agents.policy.scorer_files import load_scorer, save_scorer
from baofen.agents.registry import make_agent
from baofen.envs.vector import VectorTables
from baofen.training.config import TrainConfig
from baofen.training.config.loader import as_plain
from baofen.training.config.text import flat
from baofen.training.errors import UserError
from baofen.training.method import Assignment, Iteration
from baofen.training.plays.plays_algorithm import PlaysAlgorithmConfig, num_runners
from baofen.training.selfplay.local_ray import quieten_ray, start_cluster

LEARNER_FILE, COUNTERS_FILE = "learner.safetensors", "learner.json"
LISTING = f"{LIST_NAME} {LIST_VERSION}"
FEATURE_NAMES = tuple(name for name, _ in FEATURES)
BIDDER = "heuristic-v1"
FEW_TABLES, FEW_STEPS = 16, 90
"""Enough to come through auction and bury into the play."""
WITHOUT_EFFECT = (
    "starts.practice_auction_probability", "network", "league", "learning.epochs_per_iteration",
    "learning.bidder_minibatch_decisions", "learning.learning_rate.bidder", "learning.entropy", "learning.clip",
    "learning.value_clip", "learning.value_loss_coefficient", "learning.discount", "learning.gae_lambda",
    "learning.return_scale_points", "learning.pay_at_once", "sampling.tables_per_runner",
    "sampling.decisions_per_iteration", "sampling.skip_forced_decisions",
)  # fmt: skip
"""Fields that are ppo's alone."""


class PlaysMethod:
    """Regression of what each play brings, from labels by play-outs; see `docs/training.md`."""

    def __init__(self, assignment: Assignment) -> None:
        """Compile, start the runners, and label what is held out.

        Raises:
            UserError: if Ray does not start, or the policy to start from does not fit.
        """
        self._config: TrainConfig = assignment.config
        if assignment.game is not None:
            raise UserError("plays learns Baofen only")
        tell_without_effect(self._config)
        quieten_ray()
        self._started_cluster = start_cluster(num_runners(self._config))
        self._algorithm = PlaysAlgorithmConfig().set_settings(self._config, str(assignment.scratch)).build_algo()
        self._warm_agent(assignment.scratch)
        if self._config.start_from is not None:
            self._start_from(self._config.start_from)

    def iterate(self, share_done: float) -> Iteration:
        """Label and learn once."""
        algorithm = self._algorithm
        algorithm.share_done = share_done
        started = time.perf_counter()
        algorithm.train()
        seconds = time.perf_counter() - started
        told = algorithm.told
        runners = max(1, num_runners(self._config))
        figures = algorithm.learner.figures() | {
            "labels/decisions": told["labels"],
            "labels/continued_share": told["continued"] / max(1.0, told["labels"]),
            "labels/kept": float(algorithm.learner.num_labels()),
            "learning/steps": told["steps"],
            "speed/deals_per_second": told["deals"] / seconds,
            "speed/decisions_per_second": told["labels"] / seconds,
            "speed/playouts_per_second": told["playouts"] / seconds,
            "speed/sampling_share_of_time": told["labelling_seconds"] / runners / seconds,
        }
        return Iteration(algorithm.iteration, algorithm.decisions, algorithm.deals, seconds, figures)

    def arrays(self) -> Iterable[tuple[str, NDArray[Any]]]:
        """Return all weights and moments."""
        return self._algorithm.learner.arrays().items()

    def save(self, folder: Path) -> None:
        """Write weights and moments as plain arrays, and the counters as text."""
        save_file(self._algorithm.learner.arrays(), folder / LEARNER_FILE)
        counters = {
            "iterations": self._algorithm.iteration,
            "calls": self._algorithm.calls,
            "decisions": self._algorithm.decisions,
            "deals": self._algorithm.deals,
            "steps": self._algorithm.learner.steps,
        }
        (folder / COUNTERS_FILE).write_text(json.dumps(counters) + "\n", encoding="utf-8")

    def restore(self, folder: Path) -> None:
        """Take over weights, moments and counters; labels are made anew."""
        counters = json.loads((folder / COUNTERS_FILE).read_text(encoding="utf-8"))
        algorithm = self._algorithm
        algorithm.learner.set_arrays(load_file(folder / LEARNER_FILE))
        algorithm.learner.steps = [int(number) for number in counters["steps"]]
        algorithm._iteration = int(counters["iterations"])
        algorithm.calls, algorithm.decisions = int(counters["calls"]), int(counters["decisions"])
        algorithm.deals = int(counters["deals"])
        algorithm.send_weights()

    def export(self, folder: Path, progress: Mapping[str, Any]) -> None:
        """Write the three networks as a policy that plays without torch."""
        weights = self._algorithm.learner.weights()
        save_scorer(
            folder,
            weights,
            rules=self._algorithm.config.rules,
            listing=LISTING,
            features=FEATURE_NAMES,
            bonus_share=self._config.plays.bonus_share,
            bidder=BIDDER,
            record={"progress": dict(progress), "config": as_plain(self._config)},
        )

    def stop(self) -> None:
        """End the runners, and Ray if it was started here."""
        self._algorithm.stop()
        if self._started_cluster:
            ray.shutdown()

    def _warm_agent(self, scratch: Path) -> None:
        """Compile what evaluations need, before the clock of the run starts."""
        folder = scratch / "untrained"
        folder.mkdir(parents=True, exist_ok=True)
        self.export(folder, {})
        tables = VectorTables(FEW_TABLES, self._algorithm.config.rules, seed=0)
        agent = make_agent(str(folder))
        agent.reset(FEW_TABLES, 0)
        for _ in range(FEW_STEPS):
            tables.step(agent.act(tables.views(observe=needs_observation(agent))))

    def _start_from(self, name: str) -> None:
        """Begin with the weights of a policy, by its folder or the name it is shipped under; Adam begins anew."""
        folder = policy_folder(name) or Path(name)
        try:
            policy = load_scorer(folder)
            arrays = load_file(folder / WEIGHTS_FILE)
        except (ValueError, OSError, SafetensorError) as error:
            raise UserError(f"start_from: {error}") from None
        if policy.rules != self._algorithm.config.rules:
            raise UserError(f"start_from: {folder} was trained on other rules than game says")
        if (policy.listing, policy.features) != (LISTING, FEATURE_NAMES):
            raise UserError(f"start_from: {folder} scores plays of another list than this version makes")
        if not any(name.startswith("bury.") for name in arrays):
            arrays |= {
                name.replace("declarer", "bury", 1): arrays[name]
                for name in list(arrays)
                if name.startswith("declarer.")
            }
        try:
            self._algorithm.learner.set_arrays(arrays)
        except ValueError as error:
            raise UserError(
                f"start_from: {folder}: {error}; set plays.hidden_size and plays.head_size as it has"
            ) from None
        self._algorithm.send_weights()


def tell_without_effect(config: TrainConfig) -> None:
    """Say on stderr which fields were set that only ppo reads."""
    given, default = flat(as_plain(config)), flat(as_plain(TrainConfig()))
    idle = [
        key
        for key in given
        if given[key] != default.get(key) and any(f"{key}.".startswith(f"{field}.") for field in WITHOUT_EFFECT)
    ]
    if idle:
        print(f"note: with plays these have no effect: {', '.join(idle)}", file=sys.stderr)
