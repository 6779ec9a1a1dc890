"""The newest labelled decisions of one kind, of which minibatches are drawn."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from baofen.agents.plays.labeller import LabelledDecisions

ENTRIES_PER_DECISION = 12
"""Room for the plays of a decision, on average; where there are more, fewer decisions are kept."""


@dataclass(frozen=True)
class Minibatch:
    """Decisions as the scorer takes them, n of them with m plays in all.

    Attributes:
        observation: uint8 [n, observation size], suits trump first.
        cards: uint8 [m, 54].
        features: float [m, F].
        row_of_play: int64 [m], the decision that each play belongs to.
        count: int64 [n], plays of each decision.
        points, bonus: float32 [m], labels in points, from the acting side's view.
    """

    observation: Tensor
    cards: Tensor
    features: Tensor
    row_of_play: Tensor
    count: Tensor
    points: Tensor
    bonus: Tensor


class Ring:
    """Keeps the newest decisions, as many as there is room for; all arrays are allotted once.

    Rows and plays are numbered from the first that ever came, and lie at their number modulo the room.
    """

    def __init__(self, capacity: int, observation_size: int, num_features: int) -> None:
        """Make room for `capacity` decisions; memory that is never written costs nothing."""
        self._capacity, self._room = capacity, capacity * ENTRIES_PER_DECISION
        self._observation = np.empty((capacity, observation_size), np.uint8)
        self._first = np.zeros(capacity, np.int64)
        self._count = np.zeros(capacity, np.int64)
        self._weight = np.zeros(capacity, np.float32)
        self._cards = np.empty((self._room, 54), np.uint8)
        self._features = np.empty((self._room, num_features), np.float16)
        self._points = np.empty(self._room, np.float32)
        self._bonus = np.empty(self._room, np.float32)
        self._begin = self._end = 0  # of the rows that are there
        self._plays = 0  # that ever came
        self._heaviest = 0.0

    def __len__(self) -> int:
        return self._end - self._begin

    def add(self, labels: LabelledDecisions, weight: NDArray[np.float32]) -> None:
        """Take labelled decisions, at most as many as there is room for, with a weight each; the oldest make room."""
        if len(labels) == 0:
            return
        count = labels.count.astype(np.int64)
        first = self._plays + np.concatenate([[0], np.cumsum(count)[:-1]])
        place = (self._plays + np.arange(len(labels.points))) % self._room
        self._cards[place] = labels.cards
        self._features[place] = labels.features
        self._points[place] = labels.points
        self._bonus[place] = labels.bonus
        here = (self._end + np.arange(len(labels))) % self._capacity
        self._observation[here] = labels.observation
        self._first[here], self._count[here] = first, count
        self._weight[here] = weight
        self._heaviest = max(self._heaviest, float(weight.max()))
        self._plays += len(labels.points)
        self._end += len(labels)
        self._begin = max(self._begin, self._end - self._capacity)
        kept = np.arange(self._begin, self._end) % self._capacity
        self._begin += int(np.searchsorted(self._first[kept], self._plays - self._room))

    def draw(self, number: int, rng: np.random.Generator) -> Minibatch:
        """Return a minibatch of `number` decisions, drawn by their weights, with replacement."""
        found: list[NDArray[np.int64]] = []
        missing = number
        while missing > 0:
            drawn = rng.integers(self._begin, self._end, 2 * missing) % self._capacity
            drawn = drawn[rng.random(len(drawn)) * self._heaviest < self._weight[drawn]][:missing]
            found.append(drawn)
            missing -= len(drawn)
        return self._minibatch(np.concatenate(found))

    def newest(self, number: int) -> Minibatch:
        """Return the newest decisions, at most `number`."""
        return self._minibatch(np.arange(max(self._begin, self._end - number), self._end) % self._capacity)

    def _minibatch(self, rows: NDArray[np.int64]) -> Minibatch:
        count = self._count[rows]
        place = _flat(self._first[rows], count) % self._room
        return Minibatch(
            observation=torch.from_numpy(self._observation[rows]),
            cards=torch.from_numpy(self._cards[place]),
            features=torch.from_numpy(self._features[place]),
            row_of_play=torch.from_numpy(np.repeat(np.arange(len(rows)), count)),
            count=torch.from_numpy(count),
            points=torch.from_numpy(self._points[place]),
            bonus=torch.from_numpy(self._bonus[place]),
        )


def _flat(first: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return first[0], first[0] + 1 .. of each row, count[row] of them, one row after the other."""
    starts = np.concatenate([[0], np.cumsum(count)[:-1]])
    flat: NDArray[np.int64] = np.arange(int(count.sum())) + np.repeat(first - starts, count)
    return flat
