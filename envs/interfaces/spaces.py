"""The spaces of the environments, the same for all rule systems."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.core.known import NUM_TOKENS
from baofen.envs.history import HISTORY_LENGTH
from baofen.envs.observation import OBSERVATION_SIZE, STATE_SIZE


def observation_box() -> Box:
    """Return the space of observations, uint8 [O] (`baofen.envs.observation`)."""
    return Box(0, 255, (OBSERVATION_SIZE,), np.uint8)


def state_box() -> Box:
    """Return the space of omniscient states, uint8 [S]."""
    return Box(0, 255, (STATE_SIZE,), np.uint8)


def masked_observation_space(*, history_tokens: bool = False) -> Dict:
    """Return the space of an observation with its action mask, int8 [99]: what `Discrete.sample` asks for.

    history_tokens: with the history of the deal as well (`baofen.envs.history.history_tokens`).
    """
    spaces: dict[str, Space[Any]] = {
        "observation": observation_box(),
        "action_mask": Box(0, 1, (NUM_ACTIONS,), np.int8),
    }
    if history_tokens:
        spaces["history_tokens"] = Box(0, NUM_TOKENS - 1, (HISTORY_LENGTH,), np.int16)
    return Dict(spaces)


def action_space() -> Discrete[np.int64]:
    """Return the space of actions (`baofen.envs.actions`)."""
    return Discrete(NUM_ACTIONS)
