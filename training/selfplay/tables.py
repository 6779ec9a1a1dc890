"""What the runner needs of a game: a batch of tables, and the facts about it that networks are built from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from baofen.agents.policy.suits import SuitOrders


class Tables(Protocol):
    """B tables that play match after match (`baofen.envs.VectorTables`).

    Attributes:
        acting_seat: int8 [B], 0 .. 3.
        role: int8 [B], index in `ROLES` (`baofen.envs.core.dtypes`) of the acting seat's role.
        trump: int8 [B], 4 while it is not known.
        deal_done: bool [B], whether the last step ended a deal.
        results: structured [B], of that deal where `deal_done`: declarer (-1: all passed), target, captured,
            rewards [4], made (0 or 1).
    """

    num_tables: int
    acting_seat: NDArray[np.int8]
    role: NDArray[np.int8]
    trump: NDArray[np.int8]
    deal_done: NDArray[np.bool_]
    results: NDArray[np.void]

    def mask(self, out: NDArray[np.uint8]) -> Any:
        """Write the legal actions of the acting seats, uint8 [B, actions]."""

    def observe(self, out: NDArray[np.uint8]) -> Any:
        """Write what the acting seats may know, uint8 [B, observation size]."""

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Play int64 [B] actions; return rewards int32 [B, 4] of each seat, and bool [B] where a match ended.

        A table whose match ended has dealt the next one when this returns.
        """


@dataclass(frozen=True)
class Game:
    """A game as self-play sees it; it travels to other processes, so `make_tables` must be picklable.

    Attributes:
        make_tables: (number of tables, seed) -> tables.
        observation_size: bytes of an observation.
        num_actions: size of the action space.
        suits: renaming that puts trump first.
        input_zero, input_scale: a network means `(byte - zero) / scale`; None for 0 and for 1.
        stagger: (tables, generator) -> plays tables on by different numbers of steps, so that matches do not all end
            together; the matches it leaves behind are not learned from. None where there is no need.
        points_per_reward: points that a reward of one is worth, where the tables count in larger units.
        points_at_stake: (tables) -> int32 [B, 4], points that each seat has won so far in the running deal and will be
            paid at its end; 0 while nothing is. None where rewards come at once. See `learning.pay_at_once`.
        practice_bids: (tables, int64 [n] of them where a bidder is to act) -> int64 [n], the bids of practice auctions;
            None where there are no such auctions.
        bids: the bidder's actions that are counted, each with its name in the logs.
        facts: what a policy file says about the game: rules, options, observation version and the like.
    """

    make_tables: Callable[[int, int], Tables]
    observation_size: int
    num_actions: int
    suits: SuitOrders
    input_zero: tuple[float, ...] | None = None
    input_scale: tuple[float, ...] | None = None
    stagger: Callable[[Any, np.random.Generator], None] | None = None
    points_per_reward: int = 1
    points_at_stake: Callable[[Any], NDArray[np.int32]] | None = None
    practice_bids: Callable[[Any, NDArray[np.int64]], NDArray[np.int64]] | None = None
    bids: Mapping[int, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
