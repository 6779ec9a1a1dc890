"""The configuration of one training run.

>>> TrainConfig(seed=7).seed
7
"""

from typing import Self

from pydantic import model_validator
from pydantic.dataclasses import dataclass

from baofen.training.config.sections import (
    SETTINGS,
    CheckpointsConfig,
    CountOrZero,
    EvaluationConfig,
    GameConfig,
    LeagueConfig,
    LearningConfig,
    NetworkConfig,
    PlaysConfig,
    SamplingConfig,
    StartsConfig,
    StoppingConfig,
)


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class TrainConfig:
    """Everything that decides how a run goes; written into the run folder and every checkpoint."""

    seed: CountOrZero = 0
    """Decides the deals, the first weights and the draws of every policy."""

    method: str = "plays"
    """How it is learned: plays (labels of whole plays), ppo (self-play card by card), or module:factory for one of your own."""

    start_from: str | None = None
    """Policy whose weights a new run begins with: a name, or a folder. None begins with fresh ones."""

    game: GameConfig = GameConfig()
    starts: StartsConfig = StartsConfig()
    network: NetworkConfig = NetworkConfig()
    sampling: SamplingConfig = SamplingConfig()
    learning: LearningConfig = LearningConfig()
    plays: PlaysConfig = PlaysConfig()
    league: LeagueConfig = LeagueConfig()
    stopping: StoppingConfig = StoppingConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    checkpoints: CheckpointsConfig = CheckpointsConfig()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.learning.minibatch_decisions > self.sampling.decisions_per_iteration:
            raise ValueError(
                f"learning.minibatch_decisions ({self.learning.minibatch_decisions}) is more than "
                f"sampling.decisions_per_iteration ({self.sampling.decisions_per_iteration})"
            )
        return self
