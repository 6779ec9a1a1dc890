"""The agent around a network of any kind: it gives the inputs that the kind asks for and plays the best legal answer."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Views
from baofen.envs.rules import Rules

OBSERVATION, HISTORY = "observation", "history"
INPUTS = (OBSERVATION, HISTORY)
"""What a network may ask for."""


@dataclass(frozen=True, eq=False)
class NetworkInputs:
    """What a network is given, one row for each decision.

    rules: of the tables.
    observation: uint8 [n, O] (`baofen.envs.observation`), suits as they are; None if not asked for.
    history: int16 [n, H], the actions known to the seat (`baofen.envs.history.history_tokens`); None if not asked for.
    action_mask: uint8 [n, 99], 1 where an action is legal.
    role, trump: int8 [n], of the acting seat; trump 4 until it is known.
    """

    rules: Rules
    observation: NDArray[np.uint8] | None
    history: NDArray[np.int16] | None
    action_mask: NDArray[np.uint8]
    role: NDArray[np.int8]
    trump: NDArray[np.int8]


class Network(Protocol):
    """A network that is ready to play; the factory of its kind makes it (`network_kinds`)."""

    inputs: Collection[str]
    """What it asks for, of `INPUTS`."""

    def scores(self, given: NetworkInputs) -> NDArray[np.float32]:
        """Return how good each action is, float [n, 99]; those of illegal actions are not looked at."""


class NetworkPlayer:
    """Plays the legal action with the highest score; nothing is drawn."""

    cheats = False

    def __init__(self, network: Network, name: str, trained_on: Rules | None) -> None:
        """Make the agent of a network.

        Raises:
            ValueError: if the network asks for what there is not.
        """
        if strange := sorted(set(network.inputs) - set(INPUTS)):
            raise ValueError(f"{name}: a network may ask for {', '.join(INPUTS)}, not for {', '.join(strange)}")
        self.name = name
        self.trained_on = trained_on
        self.needs_observation = OBSERVATION in network.inputs
        self._network = network

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew; nothing is remembered."""

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n].

        Raises:
            ValueError: if the network gives scores of another shape, or some that are no numbers.
        """
        asked = self._network.inputs
        scores = np.asarray(
            self._network.scores(
                NetworkInputs(
                    rules=views.rules,
                    observation=views.observation if OBSERVATION in asked else None,
                    history=views.history_tokens() if HISTORY in asked else None,
                    action_mask=views.action_mask,
                    role=views.role,
                    trump=views.trump,
                )
            )
        )
        if scores.shape != views.action_mask.shape or np.isnan(scores).any():
            raise ValueError(
                f"{self.name}: scores must be numbers of shape {views.action_mask.shape}, not {scores.shape}"
            )
        lowest = np.finfo(np.float32).min  # even -inf of a legal action is better than an illegal one
        return np.where(views.action_mask != 0, np.maximum(scores, lowest), -np.inf).argmax(1)
