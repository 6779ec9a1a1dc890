"""The contract of every agent: batched, from what a seat may know to an action.

An agent plays many tables at once. `reset` starts anew with a number of tables, then `act` is asked for some of
them at a time. Nothing random happens outside the seed, so that equal seeds give equal games.
"""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from baofen.envs.interfaces.opponents import needs_observation
from baofen.envs.views import Views

__all__ = ["Agent", "Views", "needs_observation"]


@runtime_checkable
class Agent(Protocol):
    """Anything that turns views (`baofen.envs.views`) into actions.

    An agent may also say `needs_observation = False` if it plays from `views.state` alone: its views may then have
    observations of no columns, which saves the time to write them. True where it says nothing.
    """

    name: str
    """As tables and plots show it."""

    cheats: bool
    """True if the agent is to be shown the whole state; False for all that play fair."""

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew: `num_tables` tables, all draws decided by `seed`, any whole number."""

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
