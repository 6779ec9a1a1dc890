"""The networks in play in one runner: copies made for inference, of the present and of past selves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from baofen.agents.policy.mlp import RoleNetwork
from baofen.envs.core.dtypes import ROLES
from baofen.training.config import Precision
from baofen.training.selfplay import precision as arithmetic
from baofen.training.selfplay.tables import Game

Weights = Mapping[str, Mapping[str, Any]]
"""role -> name of a parameter of `RoleNetwork` -> array."""


class Players:
    """One network for each slot (see `Seating`), all of one shape."""

    def __init__(self, game: Game, hidden_sizes: Sequence[int], precision: Precision, max_past_selves: int) -> None:
        self.num_slots = len(ROLES) * (1 + max_past_selves)
        self._dtype = torch.bfloat16 if precision == arithmetic.BF16 else torch.float32
        self._shape = (game.observation_size, game.num_actions, hidden_sizes)
        self._networks: list[RoleNetwork | None] = [None] * self.num_slots

    def load(self, which: int, weights: Weights) -> None:
        """Give a set of three networks their weights: set 0 is the present, 1 and 2 are past selves."""
        for index, role in enumerate(ROLES):
            network = RoleNetwork(*self._shape).eval().requires_grad_(False)
            network.load_state_dict({name: torch.as_tensor(np.asarray(value)) for name, value in weights[role].items()})
            network.fold()
            self._networks[len(ROLES) * which + index] = network.to(self._dtype)

    @torch.inference_mode()
    def answer(
        self,
        start: NDArray[np.int64],
        observation: NDArray[np.uint8],
        logits: NDArray[np.float32],
        value: NDArray[np.float32],
    ) -> None:
        """Write logits float32 [G, actions] and values float32 [G] of grouped rows, one forward pass a slot.

        start: int64 [slots + 1], slot s owns rows start[s] .. start[s + 1] - 1; observation: uint8 [G, size].
        """
        for slot, network in enumerate(self._networks):
            first, end = int(start[slot]), int(start[slot + 1])
            if end > first:
                assert network is not None
                rows = torch.from_numpy(observation[first:end])
                out_logits, out_value = network(rows)
                logits[first:end] = out_logits.numpy()
                value[first:end] = out_value.numpy()
