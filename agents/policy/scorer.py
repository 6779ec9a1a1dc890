"""The network that scores whole plays: the observation is embedded once, each play is one sparse addition. Torch only.

`scorer_kernels.score_plays` says the same in compiled code.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from baofen.agents.policy.scorer_kernels import (
    BURIED,
    CARD_INPUTS,
    HAND,
    HIGHER_SCALE,
    MOST_HIGHER,
    NUM_DERIVED,
    PLAYED,
    TRUMP,
)
from baofen.envs.cards import NUM_FACES, NUM_SEATS, NUM_SUITS
from baofen.envs.observation import OBSERVATION_SIZE, normalisation

HIDDEN_SIZE = 384
HEAD_SIZE = 128


class PlayScorer(nn.Module):
    """What each play of a decision is expected to bring the side that makes it, and the value of the decision.

    Observations are bytes of different scales; `(byte - zero) / scale` is what the first layer means, worked into its
    weights. Further inputs are derived from the observation: unseen copies, unseen higher cards, masters.
    """

    input_zero: Tensor
    input_scale: Tensor
    higher: Tensor

    def __init__(
        self,
        num_features: int,
        higher: NDArray[np.int64],
        *,
        hidden_size: int = HIDDEN_SIZE,
        head_size: int = HEAD_SIZE,
    ) -> None:
        """Make a scorer that says zero of all plays.

        Args:
            num_features: of a play beside its cards.
            higher: of the rules, as of `scorer_parameters.higher_faces`, int64 [4, 54].
            hidden_size: units of the embedding.
            head_size: units of the last layer of a play.
        """
        super().__init__()
        self.num_features = num_features
        self.observation = nn.Linear(OBSERVATION_SIZE, hidden_size)
        self.derived = nn.Linear(NUM_DERIVED, hidden_size, bias=False)
        self.middle = nn.Linear(hidden_size, hidden_size)
        self.play = nn.Linear(CARD_INPUTS + num_features, hidden_size, bias=False)
        self.head = nn.Linear(hidden_size, head_size)
        self.points = nn.Linear(head_size, 1)
        self.bonus = nn.Linear(head_size, 1)
        self.value = nn.Linear(hidden_size, 1)
        nn.init.normal_(self.derived.weight, std=0.005)  # as small beside the observation as its scaled weights are
        for answer in (self.points, self.bonus, self.value):
            nn.init.zeros_(answer.weight)
            nn.init.zeros_(answer.bias)
        zero, scale = normalisation()
        words = np.asarray(higher)
        if (words == words[0]).all():
            words = words[:1]
        above = words[:, None, :] >> np.arange(NUM_FACES)[:, None] & 1  # [trump, high, low]
        # What follows from rules and layout alone is not saved with the weights.
        self.register_buffer("input_zero", torch.from_numpy(zero), persistent=False)
        self.register_buffer("input_scale", torch.from_numpy(scale), persistent=False)
        self.register_buffer("higher", torch.from_numpy(above.astype(np.float32)), persistent=False)

    def derived_inputs(self, observation: Tensor) -> Tensor:
        """Return what is derived from observations [n, observation size], float32 [n, `NUM_DERIVED`]."""
        seen = observation.float()
        hand, buried = seen[:, HAND : HAND + NUM_FACES], seen[:, BURIED : BURIED + NUM_FACES]
        played = seen[:, PLAYED : PLAYED + NUM_SEATS * NUM_FACES].view(-1, NUM_SEATS, NUM_FACES).sum(1)
        unseen = 2 - hand - buried - played
        pairs = (unseen == 2).float()
        cards_above, pairs_above = self._number_above(seen, unseen), self._number_above(seen, pairs)
        held = (hand > 0).float()
        return torch.cat(
            [
                unseen / 2,
                cards_above.clamp(max=MOST_HIGHER) / HIGHER_SCALE * held,
                (cards_above == 0).float() * held,
                ((pairs_above == 0) & (hand == 2)).float(),
                pairs,
            ],
            1,
        )

    def _number_above(self, observation: Tensor, cards: Tensor) -> Tensor:
        """Return for each face how many of some cards, [n, 54], are higher in its group."""
        if len(self.higher) == 1:
            return cards @ self.higher[0]
        trumps = observation[:, TRUMP : TRUMP + NUM_SUITS].unbind(1)
        above = [(cards * told[:, None]) @ higher for told, higher in zip(trumps, self.higher, strict=True)]
        return torch.stack(above).sum(0)

    def embed(self, observation: Tensor) -> Tensor:
        """Return the embedding of observations, [n, hidden size]: uint8 [n, observation size], suits trump first."""
        device = observation.device.type
        weight = self.observation.weight / self.input_scale
        bias = self.observation.bias - weight @ self.input_zero
        kind = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else weight.dtype
        with torch.autocast(device, enabled=False):  # counts up to 83 must stay exact
            derived = self.derived_inputs(observation)
        embedded = functional.linear(observation.to(kind), weight, bias) + self.derived(derived.to(kind))
        embedded = functional.relu(embedded)
        return self.middle(embedded) + embedded

    def forward(
        self, observation: Tensor, cards: Tensor, features: Tensor, row_of_play: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return points [m] and bonus [m] of all plays and values [n] of the decisions, float32, in units of 20 points.

        Args:
            observation: uint8 [n, observation size], suits with trump first.
            cards: uint8 [m, 54], copies of each face in a play, suits with trump first.
            features: [m, num_features].
            row_of_play: int64 [m], the decision that each play belongs to.
        """
        state = self.embed(observation)
        play = torch.cat([cards >= 1, cards >= 2], 1).to(state.dtype)
        play = self.play(torch.cat([play, features.to(state.dtype)], 1))
        hidden = functional.relu(state.index_select(0, row_of_play) + play)
        hidden = functional.relu(self.head(hidden))
        value = self.value(functional.relu(state))
        return self.points(hidden).float().squeeze(1), self.bonus(hidden).float().squeeze(1), value.float().squeeze(1)
