"""Learning from labels of whole plays: RLlib's Algorithm with our runner and our learner.

With runner processes labelling and learning go on side by side; without them they take turns in one process.
"""

import os
import time
from functools import partial
from typing import Any, Self

from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from baofen.agents.policy.scorer_files import SCORER_NETWORKS
from baofen.agents.policy.scorer_parameters import higher_faces
from baofen.envs.rules import Rules
from baofen.training.config import TrainConfig
from baofen.training.plays.label_runner import Labelled, LabelRunner
from baofen.training.plays.plays_learner import PlaysLearner
from baofen.training.plays.schedule import (
    continuing,
    has_continuations,
    held_labelling,
    labelling,
)
from baofen.training.plays.scorer_module import CHOICES, OBSERVATIONS, ScorerModule
from baofen.training.selfplay.local_ray import ScratchFolder, store_without_cluster
from baofen.training.selfplay.precision import decided

DEALS_PER_CALL = 1 << 20
"""Each call of a runner has so many deals for itself: no deal is labelled twice, whatever is resumed or dies."""
HELD_DEALS = 1 << 60
"""Number of the first deal that is held out."""
DECISIONS_PER_CALL = 2048
STEPS_AT_ONCE = 4
"""Gradient steps between two looks for labels from other processes."""
MOST_PASSES = 4.0
"""How many times `plays.passes` learning may go ahead of labelling."""
WAIT_SECONDS = 0.2
LABELS = "labels"
MOST_RUNNERS = 64
FEWEST_LABELS = 1024
"""Decisions in the ring before learning begins."""


class PlaysAlgorithmConfig(AlgorithmConfig):
    """RLlib's configuration and what the method adds, all set by `plays_config`."""

    rules: Rules
    settings: TrainConfig
    scratch_dir: str | None

    def __init__(self, algo_class: Any = None) -> None:
        super().__init__(algo_class=algo_class or PlaysAlgorithm)
        self._dont_auto_sync_env_runner_states = True
        self.env_runners(env_runner_cls=LabelRunner)

    def set_settings(self, settings: TrainConfig, scratch_dir: str | None) -> Self:
        """Take the settings of a run, all of them."""
        self.settings, self.scratch_dir = decided(settings), scratch_dir
        self.rules = Rules(settings.game.rules, dict(settings.game.options))
        specs = {name: self.get_default_rl_module_spec() for name in SCORER_NETWORKS}
        self.environment(env=None, observation_space=OBSERVATIONS, action_space=CHOICES)
        self.multi_agent(policies=set(SCORER_NETWORKS), policy_mapping_fn=_no_mapping)
        self.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
        self.env_runners(num_env_runners=num_runners(settings), num_cpus_per_env_runner=1)
        self.env_runners(max_requests_in_flight_per_env_runner=2)
        self.learners(num_learners=0)
        self.fault_tolerance(restart_failed_env_runners=True)
        self.debugging(seed=settings.seed, log_level="ERROR", log_sys_usage=False)
        return self

    def get_default_rl_module_spec(self) -> RLModuleSpec:
        """Return what builds the scorer of one kind of decision."""
        plays = self.settings.plays
        return RLModuleSpec(
            module_class=ScorerModule,
            observation_space=OBSERVATIONS,
            action_space=CHOICES,
            model_config={
                "higher": higher_faces(self.rules).tolist(),
                "hidden_size": plays.hidden_size,
                "head_size": plays.head_size,
            },
        )

    def get_default_learner_class(self) -> type[PlaysLearner]:
        """Return our learner."""
        return PlaysLearner


def num_runners(settings: TrainConfig) -> int:
    """Return how many processes label beside the learner's."""
    asked = settings.sampling.num_env_runners
    return min(1, len(os.sched_getaffinity(0)) - 1) if asked is None else asked


def _no_mapping(agent_id: Any, episode: Any = None, **kwargs: Any) -> str:
    """RLlib wants a mapping from agents to modules; ours is from kinds of decisions to modules."""
    raise NotImplementedError("each kind of decision has its own module")


class PlaysAlgorithm(ScratchFolder, Algorithm):
    """Label, learn, send the weights.

    Attributes:
        share_done: of the run, 0 .. 1, for what falls or begins with time; set before each iteration.
        calls: of runners so far, all sittings; decisions, deals: labelled so far.
    """

    def __init__(self, config: Any = None, *args: Any, **kwargs: Any) -> None:
        store_without_cluster()
        self.share_done = 0.0
        self.calls = self.decisions = self.deals = 0
        self.told: dict[str, float] = {}
        super().__init__(config, *args, **kwargs)
        self._plays = self.config.settings.plays
        self._owed = 0.0
        self._spent = {True: 0.0, False: 0.0}
        self._hold()

    @classmethod
    def get_default_config(cls) -> PlaysAlgorithmConfig:
        """Return the configuration of this algorithm."""
        return PlaysAlgorithmConfig()

    @property
    def learner(self) -> PlaysLearner:
        """The learner, which is in this process."""
        learner: PlaysLearner = self.learner_group._learner
        return learner

    def _hold(self) -> None:
        """Label decisions of other deals, on which the fit is measured."""
        if self._plays.held_decisions:
            held = held_labelling(self._plays)
            sample = self.env_runner.sample
            self.learner.hold(
                sample(num_decisions=self._plays.held_decisions, labelling=held, first_deal=HELD_DEALS).labels
            )

    def training_step(self) -> None:
        """One round: labels of `plays.decisions_per_iteration` decisions, learning meanwhile, new weights."""
        started, steps = time.perf_counter(), sum(self.learner.steps)
        self.told = dict.fromkeys(("labels", "deals", "playouts", "continued", "labelling_seconds"), 0.0)
        if self.env_runner_group.num_remote_env_runners():
            self._side_by_side()
        else:
            self._take_turns()
        self.env_runner_group.sync_weights(from_worker_or_learner_group=self.learner_group, inference_only=True)
        self.told["steps"] = sum(self.learner.steps) - steps
        self.told["seconds"] = time.perf_counter() - started

    def _take_turns(self) -> None:
        """Label, then learn as often as the labels are worth: equal seeds give equal weights."""
        while self.told["labels"] < self._plays.decisions_per_iteration:
            self._take(self.env_runner.sample(**self._next_call()))
        if self.learner.num_labels() >= FEWEST_LABELS:
            self._learn(int(self._owed / self._minibatch))

    def _side_by_side(self) -> None:
        """Learn while others label; who learns too far ahead waits for them."""
        group = self.env_runner_group
        while self.told["labels"] < self._plays.decisions_per_iteration:
            group.foreach_env_runner_async(partial(_label, call=self._next_call()), tag=LABELS)
            ahead = (
                self._owed - STEPS_AT_ONCE * self._minibatch < -(MOST_PASSES - 1) * self._plays.passes * self.decisions
            )
            learns = self.learner.num_labels() >= FEWEST_LABELS and not ahead
            if learns:
                self._learn(STEPS_AT_ONCE)
            for _, labelled in group.fetch_ready_async_reqs(
                tags=LABELS, timeout_seconds=0.0 if learns else WAIT_SECONDS
            ):
                self._take(labelled)
            if group.num_healthy_remote_env_runners() < group.num_remote_env_runners():
                group.probe_unhealthy_env_runners()

    def _next_call(self) -> dict[str, Any]:
        """Return what to ask of a runner next."""
        self.calls += 1
        continues = False
        if has_continuations(self._plays, self.share_done):
            continues = self._spent[True] <= self._plays.continuations_share * sum(self._spent.values())
        return {
            "num_decisions": min(DECISIONS_PER_CALL, self._plays.decisions_per_iteration),
            "labelling": continuing(self._plays) if continues else labelling(self._plays, self.share_done),
            "first_deal": self.calls * DEALS_PER_CALL,
        }

    def _take(self, labelled: Labelled) -> None:
        """Give the learner labels, and count them."""
        labels, continues = labelled.labels, labelled.continues
        if has_continuations(self._plays, self.share_done):
            self._spent[continues] += labelled.seconds
        weight = self.learner.take(labels, continues)
        self._owed += self._plays.passes * weight
        self.decisions += len(labels)
        self.deals += labelled.counts.deals
        for name, number in (
            ("labels", len(labels)),
            ("continued", len(labels) if continues else 0),
            ("deals", labelled.counts.deals),
            ("playouts", labelled.counts.playouts),
            ("labelling_seconds", labelled.seconds),
        ):
            self.told[name] += number

    def _learn(self, num_steps: int) -> None:
        self.learner.learn(num_steps, self.share_done)
        self._owed -= num_steps * self._minibatch

    def send_weights(self) -> None:
        """Have all runners play by the learner's weights, as after restoring them."""
        self.env_runner_group.sync_weights(from_worker_or_learner_group=self.learner_group, inference_only=True)

    @property
    def _minibatch(self) -> int:
        size: int = self.config.settings.learning.minibatch_decisions
        return size


def _label(runner: LabelRunner, call: dict[str, Any]) -> Labelled:
    """Have a runner in its own process answer a call that all runners get, each with deals of its own."""
    own = call["first_deal"] + runner.worker_index * (DEALS_PER_CALL // MOST_RUNNERS)
    return runner.sample(**{**call, "first_deal": own})
