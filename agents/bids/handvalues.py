"""Hand values by play-out: what a seat in the auction may expect from every contract, in worlds it may be in.

Each world gives the hidden cards to the others and to the bottom. In each of them the seat declares with every trump
suit, and each of the others with the suit that he would name; the heuristic buries and plays. Worlds in which the
others' calls so far are what the heuristic would have called count more.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Views
from baofen.agents.bids.contracts import AS_PLAYED
from baofen.agents.bids.lowest_calls import lowest_calls
from baofen.agents.bids.play_worlds import NUM_CONTRACTS, play_worlds_single
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.search.worlds import WORLDS
from baofen.envs.cards import NUM_SUITS
from baofen.envs.core.dtypes import AUCTION, NO_TRUMP_YET, TABLE
from baofen.envs.rules import Rules

LIMIT_SPREAD_POINTS = 10.0
"""How far a bidder's limit may be from what the heuristic would stand for, to tell likely worlds from unlikely."""
UNSEEN_WORLDS = 0.1
"""Of each extreme outcome, in errors; chosen so that they hold the truth as often as promised (`docs/bids.md`)."""
LEAST_WEIGHT = 0.02
"""Of the heaviest world: the heuristic's idea of the auction is only an idea."""


@dataclass(frozen=True, eq=False)
class HandValues:
    """What came out in W worlds.

    outcomes: uint8 [W, 7], see `NUM_CONTRACTS`; named: int8 [W], the own trump as played;
    weights: float [W], how likely each world is, sum 1.
    """

    rules: Rules
    trump: int
    outcomes: NDArray[np.uint8]
    named: NDArray[np.int8]
    weights: NDArray[np.float64]

    @property
    def trumps(self) -> list[int]:
        """The suits that can be trump: all, or the known one."""
        return list(range(NUM_SUITS)) if self.trump == NO_TRUMP_YET else [self.trump]

    def declaring(self, trump: int = AS_PLAYED) -> NDArray[np.uint8]:
        """Return the outcomes if the seat declares: with a trump suit, or with the one it would name, [W]."""
        suits = self.named if trump == AS_PLAYED else np.full(len(self.named), trump)
        return self.outcomes[np.arange(len(suits)), suits]

    def defending(self, step: int) -> NDArray[np.uint8]:
        """Return the outcomes if the seat `step` (1 .. 3) after the own declares, [W]."""
        return self.outcomes[:, NUM_SUITS - 1 + step]

    def mean(self, values: NDArray[np.float64], extremes: tuple[tuple[float, float], ...] = ()) -> tuple[float, float]:
        """Return the mean over the worlds of one value each, [W], and its standard error.

        extremes: for each outcome that goes into the value, how far from the mean it could move it down and up. Few
        worlds often show none of the rare outcomes (a sweep, nothing captured) and would then seem too sure, so each
        counts in the error as a tenth of a world that is not there.
        """
        mean = float(self.weights @ values)
        squares = self.weights**2
        variance = float(squares @ (values - mean) ** 2)
        unseen = sum(down**2 + up**2 for down, up in extremes)
        return mean, float(np.sqrt(variance + UNSEEN_WORLDS * float(squares.sum()) ** 2 * unseen))

    def effective_worlds(self) -> float:
        """Return how many equally likely worlds would tell as much."""
        return float(1 / (self.weights**2).sum())


def hand_values(views: Views, num_worlds: int, seed: int = 0, row: int = 0) -> HandValues:
    """Return the values of the hand of one view in the auction.

    Raises:
        ValueError: if the view is not of the auction, or without worlds.
        RuntimeError: if no deal agrees with what the seat knows.
    """
    state: Any = np.ascontiguousarray(views.state[row : row + 1])
    table = state[0]
    if table["phase"] != AUCTION:
        raise ValueError("hands are valued in the auction")
    if num_worlds < 1:
        raise ValueError(f"there must be at least one world, not {num_worlds}")
    outcomes = np.zeros((num_worlds, NUM_CONTRACTS), np.uint8)
    named = np.zeros(num_worlds, np.int8)
    limits = np.zeros((num_worlds, 3))
    walk: Any = np.zeros(1, WORLDS)
    scratch: Any = np.zeros(2, TABLE)
    weights: Any = heuristic_weights()
    start = np.uint64(seed % 2**64)
    if not play_worlds_single(state, views.rules.record, weights, start, walk, scratch, outcomes, named, limits):
        raise RuntimeError("no deal of the hidden cards agrees with what the seat knows")
    likely = auction_weights(table, views.rules, limits)
    return HandValues(views.rules, int(table["trump"]), outcomes, named, likely)


def auction_weights(table: np.void, rules: Rules, limits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely worlds are by the calls so far, [W], sum 1; limits: [W, 3] of the seats after the own."""
    seat, refused = int(table["acting"]), int(lowest_calls(table, rules))
    logs = np.zeros(len(limits))
    for step in range(1, 4):
        other = (seat + step) & 3
        limit = limits[:, step - 1]
        if table["calls"][other]:
            logs -= np.logaddexp(0.0, (table["calls"][other] - limit) / LIMIT_SPREAD_POINTS)
        if table["passed"][other]:
            logs -= np.logaddexp(0.0, (limit - refused) / LIMIT_SPREAD_POINTS)
    weights = np.maximum(np.exp(logs - logs.max()), LEAST_WEIGHT)
    return np.asarray(weights / weights.sum())
