"""PettingZoo's own loop with uniform choices by the mask: for our environments and for those of others."""

import random
from collections.abc import Callable
from typing import Any


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
