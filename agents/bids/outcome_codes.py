"""Outcomes in one byte, and what the core's settlement makes of them."""

from baofen.envs.core.dtypes import BARE, NO_TRUMP
from baofen.envs.core.kernel import kernel
from baofen.envs.core.settle import (
    ALL_TRUMP_POINTS,
    all_pass_reward,
    event_score,
    hongwu_levels,
)

NUM_OUTCOMES = 256
POINT_STEP = 5
"""All points are multiples of it."""
EVENT_STEP = 64
LEVELS_ZERO = 64
"""Outcome of 0 points in a game of levels."""


@kernel
def outcome_of(table, rules):
    """Return the outcome of a deal that was played to its end (`outcomes`)."""
    points = int(table.result_captured)
    if rules.level_settlement:
        return min(max(points // POINT_STEP + LEVELS_ZERO, 0), NUM_OUTCOMES - 1)
    event = int(table.result_event)
    if event == BARE:  # two bits hold four events; with so many points more, the plainer one has the same price
        event = NO_TRUMP
        points += ALL_TRUMP_POINTS
    return points // POINT_STEP + EVENT_STEP * event


@kernel
def write_scores(rules, targets, points, events, scores):
    """Write the score (levels) of each outcome for each target: targets [T], points and events [N], scores [T, N]."""
    for row in range(targets.shape[0]):
        for code in range(points.shape[0]):
            if rules[0].level_settlement:
                scores[row, code] = hongwu_levels(points[code], targets[row])
            else:
                scores[row, code] = event_score(events[code], points[code], targets[row])


@kernel
def write_all_pass_rewards(rules, rewards):
    """Write what a deal that is passed out brings, [2, 2]: to others and the first caller; without a pot, with one."""
    for is_first in range(2):
        for pot in range(2):
            rewards[is_first, pot] = all_pass_reward(rules[0], pot, is_first == 1)
