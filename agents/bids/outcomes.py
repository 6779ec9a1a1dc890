"""How a deal came out for its declarer, in one byte, and what every call would have scored with it.

The target is a constant in the result, so one outcome, or one distribution of outcomes, prices all calls.

In Baofen an outcome is `captured points / 5 + 64 * event`, in a game of levels it is `R / 5 + 64` (R: the points after
red fives and bottom). Fines of failed throws are no part of it.
"""

from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import CALL, CALL_MIN, CALL_STEP, NUM_CALLS, call_action
from baofen.envs.core.kernel import kernel
from baofen.envs.core.settle import (
    ALL_TRUMP_POINTS,
    DECK_POINTS,
    NO_TRUMP_POINTS,
    NOTHING_CAPTURED,
    SWEEP,
    SWEEP_WITH_BURIED_POINTS,
    hongwu_levels,
)
from baofen.envs.rules import Rules

NUM_OUTCOMES = 256
POINT_STEP = 5
"""All points are multiples of it."""
EVENT_STEP = 64
LEVELS_ZERO = 64
"""Outcome of 0 points in a game of levels."""
PLAIN, ALL_TRUMP, NO_TRUMP, SWEPT = range(4)


class Event(IntEnum):
    """What happened besides the points; a deal in which nothing is captured is plain."""

    PLAIN = PLAIN
    ALL_TRUMP = ALL_TRUMP
    NO_TRUMP = NO_TRUMP
    SWEPT = SWEPT


@kernel
def outcome_of(table, rules):  # type: ignore[no-untyped-def]
    """Return the outcome of a deal that was played to its end."""
    points = int(table.result_captured)
    if rules.level_settlement:
        return min(max(points // POINT_STEP + LEVELS_ZERO, 0), NUM_OUTCOMES - 1)
    score = int(table.result_score)
    event = PLAIN
    if points > 0:
        if score in (SWEEP, SWEEP_WITH_BURIED_POINTS):  # no other result is as high
            event = SWEPT
        elif score - points + table.result_target == ALL_TRUMP_POINTS:
            event = ALL_TRUMP
        elif score - points + table.result_target == NO_TRUMP_POINTS:
            event = NO_TRUMP
    return points // POINT_STEP + EVENT_STEP * event


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
        """float [27, 256]: the score (levels) for each call 70, 75 .. 200 and outcome."""
        targets = CALL_MIN + CALL_STEP * np.arange(NUM_CALLS)
        if self.rules.has_levels:
            levels = [[hongwu_levels(int(points), int(target)) for points in self.points] for target in targets]
            return np.array(levels, np.float64)
        bonus = np.array([0, ALL_TRUMP_POINTS, NO_TRUMP_POINTS, 0])[self.event]
        table: NDArray[np.float64] = (self.points + bonus)[None] - targets[:, None]
        swept = np.where(self.points == DECK_POINTS, SWEEP, SWEEP_WITH_BURIED_POINTS)
        table[:] = np.where(self.event == SWEPT, swept, table)
        table[:, (self.points == 0)] = NOTHING_CAPTURED
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
        return self.rules.declarer_factor * self.scores(target) + pot * (2 * self.made(target) - 1)


def call_index(target: int) -> int:
    """Return the index of a call among 70, 75 .. 200.

    Raises:
        ValueError: if it is none of them.

    >>> call_index(85)
    3
    """
    return call_action(target) - CALL
