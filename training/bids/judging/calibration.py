"""Are predicted distributions of outcomes right? Points, made contracts, intervals, and how sharp they are (CRPS)."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.bids.inputs import DECLARE, FIRST_FEATURE
from baofen.agents.bids.outcomes import Prices, call_index
from baofen.agents.bids.value_network import ValueNetwork
from baofen.training.arena.statistics import bootstrap
from baofen.training.bids.value_network.samples import Samples

DECILES = 10
INTERVAL = 0.8
_CHANCE_TAIL = (1 - INTERVAL) / 2


@dataclass(frozen=True)
class Bin:
    """One tenth of the predictions, lowest first: predicted mean, achieved mean with its 95 % interval."""

    predicted: float
    achieved: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Calibration:
    """How predictions met what happened.

    points_error: predicted minus achieved points on average; worst_points_error: the largest of a decile, absolute;
    made_error: mean absolute error of the made chance over its deciles; coverage: share inside the 80 % interval;
    crps: of the points, and of two predictions without a network: by counting the hand, and the same for all hands;
    points, made: the deciles.
    """

    samples: int
    points_error: float
    worst_points_error: float
    made_error: float
    coverage: float
    crps: float
    crps_hand_count: float
    crps_all_hands: float
    points: list[Bin]
    made: list[Bin]

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return asdict(self)


def deciles(predicted: NDArray[np.float64], achieved: NDArray[np.float64], seed: int = 0) -> list[Bin]:
    """Return predictions sorted and cut into ten equal bins, each with what was achieved in it."""
    bins = []
    for rows in np.array_split(np.argsort(predicted, kind="stable"), DECILES):
        if len(rows):
            told = bootstrap(achieved[rows][:, None], seed, 500)
            interval = float(told.low[0]), float(told.high[0])
            bins.append(Bin(float(predicted[rows].mean()), float(told.mean[0]), *interval, len(rows)))
    return bins


def crps(chances: NDArray[Any], values: NDArray[np.float64], achieved: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the continuous ranked probability score of each prediction, in the unit of the values; less is better.

    chances: [n, k] of the values [k]; achieved: [n].

    >>> crps(np.array([[0.5, 0.5]]), np.array([0.0, 10.0]), np.array([0.0])).tolist()
    [2.5]
    """
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order])
    below = np.cumsum(chances[:, order], axis=1)[:, :-1]
    reached = achieved[:, None] <= values[order][None, :-1]
    score: NDArray[np.float64] = ((below - reached) ** 2) @ steps
    return score


def coverage(chances: NDArray[Any], values: NDArray[np.float64], achieved: NDArray[np.float64], seed: int = 0) -> float:
    """Return the share of achieved values inside the central 80 % interval.

    Values come in steps, so one on the edge counts as inside with the share of its chance that lies inside.
    """
    less = (chances * (values[None] < achieved[:, None])).sum(1)
    equal = (chances * (values[None] == achieved[:, None])).sum(1)
    place = less + equal * np.random.default_rng(seed).random(len(achieved))
    return float(((place >= _CHANCE_TAIL) & (place <= 1 - _CHANCE_TAIL)).mean())


def calibrate(
    chances: NDArray[Any],
    outcomes: NDArray[np.uint8],
    targets: NDArray[np.int16],
    prices: Prices,
    hand_counts: NDArray[np.int64],
) -> Calibration:
    """Return how predictions [n, 256] met the outcomes [n]; targets: [n], for the made chance.

    hand_counts: [n], whole numbers; the baseline's prediction is what happened with other hands of the same count.
    """
    points = prices.points
    achieved = points[outcomes]
    predicted = chances @ points
    rows = np.array([call_index(int(target)) for target in targets])
    made_chance = (chances * prices.made_table[rows]).sum(1)
    made = prices.made_table[rows, outcomes]
    point_bins, made_bins = deciles(predicted, achieved), deciles(made_chance, made)
    return Calibration(
        samples=len(outcomes),
        points_error=float((predicted - achieved).mean()),
        worst_points_error=max(abs(one.predicted - one.achieved) for one in point_bins),
        made_error=float(np.mean([abs(one.predicted - one.achieved) for one in made_bins])),
        coverage=coverage(chances, points, achieved),
        crps=float(crps(chances, points, achieved).mean()),
        crps_hand_count=crps_by_count(hand_counts, outcomes, points),
        crps_all_hands=crps_by_count(np.zeros_like(hand_counts), outcomes, points),
        points=point_bins,
        made=made_bins,
    )


def crps_by_count(counts: NDArray[np.int64], outcomes: NDArray[np.uint8], points: NDArray[np.float64]) -> float:
    """Return the CRPS of predicting the outcomes of the hands with the same count (its own left out)."""
    total = 0.0
    for count in np.unique(counts):
        chosen = outcomes[counts == count]
        times = np.bincount(chosen, minlength=len(points)).astype(np.float64)
        n = len(chosen)
        if n > 1:
            # Left out: 1/n of the score comes from a hand predicting itself.
            score = crps(np.broadcast_to(times / n, (n, len(points))), points, points[chosen])
            total += float(score.sum()) * (n / (n - 1))
        else:
            total += float(np.abs(points[chosen] - points[outcomes].mean()).sum())
    return total / len(outcomes)


def count_hands(inputs: NDArray[Any]) -> NDArray[np.int64]:
    """Return a count of each hand, [n]: its trumps, the two highest ones counted twice, and side aces.

    inputs: of the network, [n, NUM_INPUTS].
    """
    features = inputs[:, FIRST_FEATURE:].astype(np.float64)
    return np.asarray(features[:, 1] + features[:, 2] + features[:, 3] + features[:, 10], np.int64)


def calibrate_network(network: ValueNetwork, samples: Samples, prices: Prices, question: int = DECLARE) -> Calibration:
    """Return the calibration on samples of one question (1: all in which another declares)."""
    chosen = samples.question > 0 if question > 0 else samples.question == question
    samples = samples.some(np.flatnonzero(chosen))
    chances = network.chances(samples.inputs.astype(np.float32), defends=question > 0)
    return calibrate(chances, samples.outcomes[:, 0], samples.target, prices, count_hands(samples.inputs))
