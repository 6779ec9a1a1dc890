"""The network of one role as an RLModule, for our runner and learner and for RLlib's own.

It deliberately does not implement InferenceOnlyAPI: the weights that reach the runners must include the value
head, since advantages are estimated there.
"""

from typing import Any

import gymnasium
import numpy as np
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from baofen.agents.policy.mlp import MASKED_LOGIT, RoleNetwork

NETWORK = "network."
"""Prefix of the network's parameters in the module's state."""
VALUES = "values"


def observation_space(observation_size: int, num_actions: int) -> gymnasium.spaces.Dict:
    """Return the space of what a module is shown, as in PettingZoo: `observation` and `action_mask`, bytes."""
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(0, 255, (observation_size,), np.uint8),
            "action_mask": gymnasium.spaces.Box(0, 1, (num_actions,), np.uint8),
        }
    )


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Policy and value of one role; illegal actions have probability zero.

    model_config: hidden_sizes (units of each hidden layer), input_zero and input_scale (as in `Game`).
    """

    def setup(self) -> None:
        """Build the network that the spaces and the model config describe."""
        self.network = RoleNetwork(
            self.observation_space["observation"].shape[0],
            int(self.action_space.n),
            self.model_config["hidden_sizes"],
            self.model_config.get("input_zero"),
            self.model_config.get("input_scale"),
        )

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Return masked logits, float [n, actions]."""
        return {Columns.ACTION_DIST_INPUTS: self._masked(batch)[0]}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Return masked logits, and the values of the same pass, float [n]."""
        logits, values = self._masked(batch)
        return {Columns.ACTION_DIST_INPUTS: logits, VALUES: values, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """Return values, float [n]; the "embeddings" of a training pass are the values themselves."""
        if embeddings is not None:
            values: Tensor = embeddings
            return values
        return self._masked(batch)[1]

    def _masked(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        shown = batch[Columns.OBS]
        logits, values = self.network(shown["observation"])
        return logits.masked_fill(shown["action_mask"] == 0, MASKED_LOGIT), values
