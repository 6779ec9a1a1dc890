"""The scorer of one kind of decision as an RLModule."""

from typing import Any

import gymnasium
import numpy as np
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule

from baofen.agents.plays.features import NUM_FEATURES
from baofen.agents.plays.listing import MAX_PLAYS
from baofen.agents.policy.scorer import PlayScorer
from baofen.envs.observation import OBSERVATION_SIZE

SCORER = "scorer."
"""Prefix of the scorer's parameters in the module's state."""
OBSERVATIONS = gymnasium.spaces.Box(0, 255, (OBSERVATION_SIZE,), np.uint8)
CHOICES: Any = gymnasium.spaces.Discrete(MAX_PLAYS)


class ScorerModule(TorchRLModule):
    """Scores whole plays.

    model_config: higher (of the rules, see `PlayScorer`), hidden_size, head_size.
    """

    def setup(self) -> None:
        """Build the scorer that the model config describes."""
        told = self.model_config
        self.scorer = PlayScorer(
            NUM_FEATURES,
            np.asarray(told["higher"], np.int64),
            hidden_size=told["hidden_size"],
            head_size=told["head_size"],
        )

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Return points and bonus of each play, and the value of each decision; see `PlayScorer.forward`."""
        points, bonus, value = self.scorer(batch[Columns.OBS], batch["cards"], batch["features"], batch["row_of_play"])
        return {"points": points, "bonus": bonus, "value": value}


def scorer_weights(module_state: Any) -> dict[str, Any]:
    """Return the parameters of `PlayScorer` out of one module's state."""
    return {name.removeprefix(SCORER): value for name, value in module_state.items()}
