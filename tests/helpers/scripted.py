"""An opponent for tests of the Gymnasium environments, and how it chooses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.envs import Views
from baofen.envs.actions import PASS


class Scripted:
    """Plays by the look of the table alone: a legal action picked by what it sees, passing in the auction."""

    cheats = False

    def __init__(self) -> None:
        self.reset_with: list[tuple[int, int]] = []
        self.seats: set[int] = set()

    def reset(self, num_tables: int, seed: int) -> None:
        self.reset_with.append((num_tables, seed))

    def act(self, views: Views) -> NDArray[np.int64]:
        self.seats |= set(views.seat.tolist())
        return np.array(
            [choose(observation, mask) for observation, mask in zip(views.observation, views.action_mask, strict=True)]
        )


def choose(observation: NDArray[np.uint8], mask: NDArray[Any]) -> int:
    """A legal action that depends on all that is seen; the pass where there is one, mostly."""
    legal = np.flatnonzero(mask)
    number = int(observation.astype(np.int64) @ np.arange(len(observation)))
    return PASS if mask[PASS] and number % 8 else int(legal[number % len(legal)])
