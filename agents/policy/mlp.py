"""The network of one role: observation in, logits and value out. Torch only."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

MASKED_LOGIT = -1e9
"""Logit of an illegal action: its probability is exactly zero in every precision used here."""


class RoleNetwork(nn.Module):
    """A multi-layer perceptron with a shared trunk, one output for each action and one for the value.

    Observations are bytes of different scales (one-hots, counts, saturating numbers); `(byte - zero) / scale` is
    what the first layer means. Both are worked into its weights instead of the rows, which are many more.
    """

    input_zero: Tensor
    input_scale: Tensor

    def __init__(
        self,
        observation_size: int,
        num_actions: int,
        hidden_sizes: Sequence[int],
        input_zero: Sequence[float] | None = None,
        input_scale: Sequence[float] | None = None,
    ) -> None:
        super().__init__()
        sizes = [observation_size, *hidden_sizes]
        self.num_actions = num_actions
        self._is_folded = False
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(sizes))
        self.heads = nn.Linear(sizes[-1], num_actions + 1)
        # All actions start equally likely and all values at zero: exploration is even, and the first
        # advantages are the returns themselves.
        nn.init.zeros_(self.heads.weight)
        nn.init.zeros_(self.heads.bias)
        zero = torch.zeros(observation_size) if input_zero is None else torch.tensor(input_zero)
        scale = torch.ones(observation_size) if input_scale is None else torch.tensor(input_scale)
        self.register_buffer("input_zero", zero.to(torch.float32))
        self.register_buffer("input_scale", scale.to(torch.float32))

    def _first_layer(self) -> tuple[Tensor, Tensor]:
        """Return weight and bias that take plain bytes."""
        first = self.layers[0]
        assert isinstance(first, nn.Linear)
        if self._is_folded:
            return first.weight, first.bias
        weight = first.weight / self.input_scale
        return weight, first.bias - weight @ self.input_zero

    @torch.no_grad()
    def fold(self) -> None:
        """Work the input scale into the first layer for good: for copies that only play."""
        first = self.layers[0]
        assert isinstance(first, nn.Linear)
        weight, bias = self._first_layer()
        first.weight.copy_(weight)
        first.bias.copy_(bias)
        self._is_folded = True

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Return unmasked logits float [n, actions] and values float [n].

        Args:
            observation: [n, observation size], any number type; bytes are exact in bf16 too.
        """
        autocast = torch.is_autocast_enabled(observation.device.type)
        weight, bias = self._first_layer()
        x = observation.to(torch.bfloat16 if autocast else weight.dtype)
        x = functional.relu(functional.linear(x, weight, bias))
        for layer in self.layers[1:]:
            x = functional.relu(layer(x))
        out = self.heads(x).float()
        return out[:, : self.num_actions], out[:, self.num_actions]
