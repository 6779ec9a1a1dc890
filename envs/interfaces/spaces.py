"""The spaces of the environments, the same for all rule systems."""

from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.core.known import NUM_TOKENS
from baofen.envs.history import HISTORY_LENGTH
from baofen.envs.observation import OBSERVATION_SIZE, STATE_SIZE

LearnerObservation: TypeAlias = Any
"""What a learner of the Gymnasium environments is shown: a vector, or by name a vector and a history (`learner_space`).

A union would ask everyone who reads an observation which of the two it is.
"""


def row_of(observations: LearnerObservation, index: int) -> LearnerObservation:
    """Return what one of several learners is shown."""
    if isinstance(observations, dict):
        return {name: values[index] for name, values in observations.items()}
    return observations[index]


def check_history_tokens(history_tokens: bool) -> bool:
    """Return whether there are to be histories.

    Raises:
        TypeError: if it is neither True nor False.
    """
    if not isinstance(history_tokens, bool):
        raise TypeError(f"history_tokens must be True or False, not {history_tokens!r}")
    return history_tokens


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
        spaces["history_tokens"] = _history_box()
    return Dict(spaces)


def learner_space(*, history_tokens: bool) -> Space[Any]:
    """Return the space of what a learner of the Gymnasium environments is shown; its mask is in the infos."""
    if not history_tokens:
        return observation_box()
    return Dict({"observation": observation_box(), "history_tokens": _history_box()})


def _history_box() -> Box:
    return Box(0, NUM_TOKENS - 1, (HISTORY_LENGTH,), np.int16)


def action_space() -> Discrete[np.int64]:
    """Return the space of actions (`baofen.envs.actions`)."""
    return Discrete(NUM_ACTIONS)
