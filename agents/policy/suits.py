"""Trump first: observations and actions with the suits renamed so that trump is always the first one.

The suits of a deal differ by name only, so a network that sees trump always in the same place learns one trump
instead of four. `canonical[j] = raw[order[trump, j]]`, for observations and for actions; row 4 is for decisions
made while no trump is known and changes nothing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NUM_TRUMPS = 5


@dataclass(frozen=True)
class SuitOrders:
    """Where each canonical entry comes from.

    Attributes:
        observation: int64 [5, observation size], indices into the raw observation.
        action: int64 [5, number of actions], the raw action that each canonical action stands for.
    """

    observation: NDArray[np.int64]
    action: NDArray[np.int64]

    @property
    def changes(self) -> NDArray[np.bool_]:
        """bool [5]: whether this trump renames anything."""
        plain_observation = np.arange(self.observation.shape[1])
        plain_action = np.arange(self.action.shape[1])
        same: NDArray[np.bool_] = (self.observation == plain_observation).all(1)
        return ~(same & (self.action == plain_action).all(1))
