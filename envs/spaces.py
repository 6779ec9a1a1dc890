"""The spaces of the environments, the same for all rule systems."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.observation import OBSERVATION_SIZE, STATE_SIZE


def observation_box() -> Box:
    """Return the space of observations, uint8 [O] (`baofen.envs.observation`)."""
    return Box(0, 255, (OBSERVATION_SIZE,), np.uint8)


def state_box() -> Box:
    """Return the space of omniscient states, uint8 [S]."""
    return Box(0, 255, (STATE_SIZE,), np.uint8)


def masked_observation_space() -> Dict:
    """Return the space of an observation with its action mask, int8 [99]: what `Discrete.sample` asks for."""
    return Dict({"observation": observation_box(), "action_mask": Box(0, 1, (NUM_ACTIONS,), np.int8)})


def action_space() -> Discrete[np.int64]:
    """Return the space of actions (`baofen.envs.actions`)."""
    return Discrete(NUM_ACTIONS)
