"""Who plays where: at most tables the present networks in every seat, at some a past self in all seats but ours.

At a table with a past self either one *seat* learns, in whatever role the auction gives it, or one *role* learns
(the declarer, or the three defenders) while the past plays the auction and the other side. Only decisions of the
present networks are learned from.

Apart from that, some auctions are *practice*: the game's own rule of thumb calls them, so that play is met in sensible
contracts while the bidder does not yet know any.
"""

import numpy as np
from numpy.typing import NDArray

from baofen.envs.cards import NUM_SEATS
from baofen.envs.core.dtypes import BIDDER, DECLARER, DEFENDER, ROLES

MAX_PAST_SELVES = 2
"""Past selves in play at a time: each one adds up to three small forward passes to every step."""
ANY_SEAT = NUM_SEATS
ANY_ROLE = len(ROLES)
PRESENT = -1


class Seating:
    """Which network answers at each of B tables.

    Attributes:
        learner_seat: int8 [B], the seat that learns, or `ANY_SEAT`.
        learner_role: int8 [B], the role that learns, or `ANY_ROLE`.
        practice: bool [B], whether the match's auctions are practice.
        past: int64 [B], which past self (0 or 1) has the other seats; `PRESENT` where all seats are ours.
    """

    def __init__(
        self,
        num_tables: int,
        frozen_table_probability: float,
        practice_probability: float,
        rng: np.random.Generator,
    ) -> None:
        self.learner_seat = np.full(num_tables, ANY_SEAT, np.int8)
        self.learner_role = np.full(num_tables, ANY_ROLE, np.int8)
        self.past = np.full(num_tables, PRESENT, np.int64)
        self.practice = np.zeros(num_tables, np.bool_)
        self._practice_probability = practice_probability
        self._frozen_table_probability = frozen_table_probability
        self._rng = rng

    def reseat(self, tables: NDArray[np.int64], num_past_selves: int) -> None:
        """Draw the seating of the matches that begin at these tables (int64 [n], indices)."""
        self.learner_seat[tables] = ANY_SEAT
        self.learner_role[tables] = ANY_ROLE
        self.past[tables] = PRESENT
        self.practice[tables] = self._rng.random(len(tables)) < self._practice_probability
        if num_past_selves == 0:
            return
        frozen = tables[self._rng.random(len(tables)) < self._frozen_table_probability]
        self.past[frozen] = self._rng.integers(num_past_selves, size=len(frozen))
        by_role = self._rng.random(len(frozen)) < 0.5
        roles = self._rng.integers(DECLARER, DEFENDER + 1, size=len(frozen))
        seats = self._rng.integers(NUM_SEATS, size=len(frozen))
        self.learner_role[frozen] = np.where(by_role, roles, ANY_ROLE)
        self.learner_seat[frozen] = np.where(by_role, ANY_SEAT, seats)

    def slots(self, seat: NDArray[np.int8], role: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the slot of the network that answers, int64 [B], and whether its decision is learned from, bool [B].

        Slots 0 .. 2 are the present networks by role, then come three for each past self.
        """
        learns = ((self.learner_seat == seat) | (self.learner_seat == ANY_SEAT)) & (
            (self.learner_role == role) | (self.learner_role == ANY_ROLE)
        )
        slot = role + np.where(learns, 0, len(ROLES) * (1 + self.past))
        return slot.astype(np.int64), learns & ~self.practices(role)

    def practices(self, role: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Return where a call of a practice auction is due, bool [B]."""
        return self.practice & (role == BIDDER)
