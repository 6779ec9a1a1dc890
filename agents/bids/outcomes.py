"""How a deal came out for its declarer, in one byte, and what every call would have scored with it.

The target is a constant in the result, so one outcome, or one distribution of outcomes, prices all calls.

In Baofen an outcome is `captured points / 5 + 64 * event`, in a game of levels it is `R / 5 + 64` (R: the points after
red fives and bottom). Fines of failed throws are no part of it.
"""

from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from baofen.agents.bids.outcome_codes import (
    EVENT_STEP,
    LEVELS_ZERO,
    NUM_OUTCOMES,
    POINT_STEP,
    write_all_pass_rewards,
    write_scores,
)
from baofen.envs.actions import CALL, CALL_MIN, CALL_STEP, NUM_CALLS, call_action
from baofen.envs.core.dtypes import ALL_TRUMP, FORCED, NO_TRUMP, PLAIN, SWEPT
from baofen.envs.rules import Rules


class Event(IntEnum):
    """What happened besides the points; a deal in which nothing is captured is plain."""

    PLAIN = PLAIN
    ALL_TRUMP = ALL_TRUMP
    NO_TRUMP = NO_TRUMP
    SWEPT = SWEPT


class Prices:
    """What each outcome is worth under some rules.

    points: float [256], captured points of an outcome (R in a game of levels).
    event: int [256], the `Event` of an outcome; all plain in a game of levels.

    >>> Prices(Rules()).scores(85)[[20, 20 + 64, 0, 40 + 192]].tolist()
    [15.0, 65.0, -500.0, 500.0]
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        codes = np.arange(NUM_OUTCOMES)
        if rules.has_levels:
            steps = codes - LEVELS_ZERO
            self.event = np.zeros(NUM_OUTCOMES, np.int64)
        else:
            steps = codes % EVENT_STEP
            self.event = codes // EVENT_STEP
        self.points: NDArray[np.float64] = (POINT_STEP * steps).astype(np.float64)

    @cached_property
    def score_table(self) -> NDArray[np.float64]:
        """float [27, 256]: the score (levels) for each call 70, 75 .. 200 and outcome, as the core settles it."""
        targets = CALL_MIN + CALL_STEP * np.arange(NUM_CALLS)
        table = np.empty((NUM_CALLS, NUM_OUTCOMES))
        write_scores(self.rules.record, targets, self.points.astype(np.int64), self.event, table)
        return table

    @cached_property
    def made_table(self) -> NDArray[np.float64]:
        """float [27, 256]: 1 where the target is made."""
        return (self.score_table >= 0).astype(np.float64)

    def scores(self, target: int) -> NDArray[np.float64]:
        """Return what each outcome scores for a call, float [256]; each defender gets the negative."""
        return self.score_table[call_index(target)]

    def made(self, target: int) -> NDArray[np.float64]:
        """Return 1 for each outcome with which a call is made, float [256]."""
        return self.made_table[call_index(target)]

    def rewards(self, target: int, pot: int) -> NDArray[np.float64]:
        """Return what each outcome brings the declarer, the pot won or lost included, float [256]."""
        return self.declarer_rewards(self.scores(target), self.made(target), np.float64(pot))

    def declarer_rewards(
        self, scores: NDArray[np.float64], made: NDArray[np.float64], pots: NDArray[np.float64] | np.float64
    ) -> NDArray[np.float64]:
        """Return what declarers may expect, from the means of their scores and of `made`; one shape, or to be broadcast.

        A reward is linear in both: the core's `declarer_reward`.
        """
        return np.asarray(self.rules.declarer_factor * scores + pots * (2 * made - 1))

    def all_pass(
        self,
        is_first: NDArray[np.bool_] | bool,
        pots: NDArray[np.integer],
        declaring: NDArray[np.float64],
        defending: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return what seats get if nobody calls; all arguments are broadcast.

        is_first: whether the seat is the first caller; pots: before the deal; declaring, defending: what it is worth to the first
        caller to declare at the lowest call, and to the others that he does, which is what all_pass = forced comes to.
        """
        if self.rules.record["all_pass"][0] == FORCED:
            return np.where(is_first, declaring, defending)
        pays = np.empty((2, 2))
        write_all_pass_rewards(self.rules.record, pays)
        return np.asarray(pays[np.asarray(is_first, np.int64), (pots > 0).astype(np.int64)])


def call_index(target: int) -> int:
    """Return the index of a call among 70, 75 .. 200.

    Raises:
        ValueError: if it is none of them.

    >>> call_index(85)
    3
    """
    return call_action(target) - CALL
