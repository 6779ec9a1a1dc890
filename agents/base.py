"""The contract of every agent: batched, from what a seat may know to an action.

An agent plays many tables at once. `reset` starts anew with a number of tables, then `act` is asked for some of
them at a time. Nothing random happens outside the seed, so that equal seeds give equal games.
"""

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Views(Protocol):
    """What the acting seats of n tables may know (`baofen.envs.views.Views`).

    Attributes:
        observation: uint8 [n, observation size], as the environment shows it.
        action_mask: uint8 [n, number of actions], 1 where an action is legal.
        seat: int8 [n], the acting seat, 0 .. 3.
        table: int64 [n], which of the tables given to `reset`.
        role: int8 [n], index in `ROLES` of the acting seat's role.
        trump: int8 [n], the trump suit, 4 while it is not known.
        rules: the rules in force.
        state: structured [n], the tables with all that the seat may not see removed.
    """

    observation: NDArray[np.uint8]
    action_mask: NDArray[np.uint8]
    seat: NDArray[np.int8]
    table: NDArray[np.int64]
    role: NDArray[np.int8]
    trump: NDArray[np.int8]
    rules: Any
    state: NDArray[np.void]


@runtime_checkable
class Agent(Protocol):
    """Anything that turns views into actions."""

    name: str
    """As tables and plots show it."""

    cheats: bool
    """True if the agent is to be shown the whole state; False for all that play fair."""

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew: `num_tables` tables, all draws decided by `seed`."""

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
