"""Measuring a rate: repeats of about the same length, per CPU-second, and their median; and one loop that all AEC
environments, ours and those of others, are measured with."""

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

REPEATS = 5
SECONDS = 0.4
"""Of CPU time, for each repeat."""


class AbsentError(Exception):
    """A layer cannot be measured here; the message says why."""


def median_rate(work: Callable[[int], float], first: int, seconds: float = SECONDS, repeats: int = REPEATS) -> float:
    """Return units of work per CPU-second, the median of repeats.

    work: does about so many rounds and returns how many units that were.
    first: rounds to begin with; the first call also warms up (compiles) and is not counted.
    """
    rounds = first
    work(rounds)
    while (spent := _timed(work, rounds)[1]) < seconds / 4:
        rounds *= 2
    rounds = max(1, round(rounds * seconds / spent))
    return statistics.median(units / spent for units, spent in (_timed(work, rounds) for _ in range(repeats)))


def _timed(work: Callable[[int], float], rounds: int) -> tuple[float, float]:
    """Return `(units, CPU-seconds)` of one call."""
    before = time.process_time()
    units = work(rounds)
    return units, max(time.process_time() - before, 1e-9)


def random_matches(env: Any) -> Callable[[int], tuple[float, float]]:
    """Return what plays whole matches of an AEC environment: (matches) -> decisions and matches."""
    draw = random.Random(0).random
    seeds = iter(range(1 << 30))

    def play(matches: int) -> tuple[float, float]:
        decisions = 0
        for _ in range(matches):
            env.reset(seed=next(seeds))
            while env.agents:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions, matches

    return play
