"""The runner of plays: labels decisions with the scorers it was last sent."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import ray
import torch
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.env import INPUT_ENV_SINGLE_SPACES, INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED_LIFETIME, WEIGHTS_SEQ_NO

from baofen.agents.plays.labeller import LabelledDecisions, Labeller, LabellerCounts, Labelling
from baofen.agents.plays.labels import Scorers, make_scorers
from baofen.agents.policy.scorer_files import SCORER_NETWORKS
from baofen.agents.policy.scorer_parameters import higher_faces, scorer_parameters
from baofen.training.config import TrainConfig
from baofen.training.plays.scorer_module import CHOICES, OBSERVATIONS, scorer_weights
from baofen.training.selfplay.baofen_game import starts_of


@dataclass(frozen=True)
class Labelled:
    """What one call of a runner brings.

    labels: the decisions.
    continues: whether the network led on in the play-outs.
    counts: of what it took.
    seconds: of wall time.
    """

    labels: LabelledDecisions
    continues: bool
    counts: LabellerCounts
    seconds: float


class LabelRunner(EnvRunner, Checkpointable):
    """Labels for a `PlaysAlgorithmConfig`."""

    def __init__(self, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        if self.worker_index:
            torch.set_num_threads(1)
        self._scorers: Scorers | None = None
        self._weights_seq_no = 0
        self._labeller: Labeller | None = None

    def get_spaces(self) -> dict[str, Any]:
        """Return observation and action space for every kind of decision, and for the tables."""
        return dict.fromkeys((*SCORER_NETWORKS, INPUT_ENV_SPACES, INPUT_ENV_SINGLE_SPACES), (OBSERVATIONS, CHOICES))

    def make_module(self) -> None:
        """There is none: compiled code plays from the parameters themselves."""

    def make_env(self) -> None:
        """Make the labeller."""
        settings: TrainConfig = self.config.settings
        self._labeller = Labeller(self.config.rules, settings.seed, starts=starts_of(settings))

    def assert_healthy(self) -> None:
        """Fail if there are no rules to play by."""
        assert self.config.rules is not None

    def sample(self, *, num_decisions: int, labelling: Labelling, first_deal: int, **kwargs: Any) -> Labelled:
        """Label decisions of the deals from a number on; which deals and what is drawn depends on nothing else."""
        if self._labeller is None:
            self.make_env()
        assert self._labeller is not None
        started = time.perf_counter()
        self._labeller.next_deal, self._labeller.counts = first_deal, LabellerCounts()
        labels = self._labeller.collect(num_decisions, labelling, self._scorers)
        return Labelled(labels, labelling.own_leads, self._labeller.counts, time.perf_counter() - started)

    def get_metrics(self) -> Any:
        """Return what was logged since the last call."""
        return self.metrics.reduce()

    def get_state(
        self,
        components: str | Collection[str] | None = None,
        *,
        not_components: str | Collection[str] | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Return nothing but counters: weights are the learner's."""
        return {WEIGHTS_SEQ_NO: self._weights_seq_no, NUM_ENV_STEPS_SAMPLED_LIFETIME: 0}

    def set_state(self, state: Any) -> None:
        """Take the scorers that are in `state`; older ones than the present are ignored."""
        if COMPONENT_RL_MODULE not in state:
            return
        number = state.get(WEIGHTS_SEQ_NO, 0)
        if number == 0 or number > self._weights_seq_no:
            weights = state[COMPONENT_RL_MODULE]
            weights = ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights
            higher = higher_faces(self.config.rules)
            declarer, defender, bury = (
                scorer_parameters(scorer_weights(weights[name]), higher) for name in SCORER_NETWORKS
            )
            self._scorers = make_scorers(declarer, defender, bury, self.config.settings.plays.bonus_share)
        if number > 0:
            self._weights_seq_no = number

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return what builds this runner again."""
        return (), {"config": self.config}

    def stop(self) -> None:
        """Release nothing: arrays go with the runner."""
