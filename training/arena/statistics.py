"""Intervals by bootstrap over deals: a deal with all its seatings is one draw, whatever was played on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
CONFIDENCE = 0.95
NORMAL_QUANTILE = 1.959964
"""Standard errors that a 95 % interval reaches to either side."""
SEEN_AT = NORMAL_QUANTILE + 0.841621
"""Standard errors of a difference that is told from zero in four runs of five (95 % level, 80 % power)."""
_BLOCK = 4_000_000
"""Draws held in memory at a time."""


@dataclass(frozen=True)
class Estimates:
    """Means of M quantities over n deals, with what they may be; all float [M].

    Attributes:
        mean, low, high: the mean and its 95 % percentile interval.
        standard_error: standard deviation of the resampled means.
        detectable: the smallest true mean that would be told from zero in four runs of five.
    """

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    standard_error: NDArray[np.float64]

    @property
    def detectable(self) -> NDArray[np.float64]:
        """SEEN_AT standard errors."""
        return SEEN_AT * self.standard_error


def bootstrap(values: NDArray[np.float64], seed: int, resamples: int = RESAMPLES) -> Estimates:
    """Return the means of `values` [n, M] over deals with intervals; deals are drawn whole, for all M at once.

    >>> told = bootstrap(np.array([[1.0], [1.0], [1.0]]), seed=0)
    >>> [float(told.mean[0]), float(told.low[0]), float(told.high[0])]
    [1.0, 1.0, 1.0]
    """
    num_deals = len(values)
    rng = np.random.default_rng([seed % 2**64, num_deals])
    means = np.empty((resamples, values.shape[1]))
    block = max(1, _BLOCK // num_deals)
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        drawn = rng.integers(0, num_deals, (size, num_deals))
        drawn += np.arange(size)[:, None] * num_deals
        times = np.bincount(drawn.ravel(), minlength=size * num_deals).reshape(size, num_deals)
        means[start : start + size] = times @ values / num_deals
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, (tail, 1 - tail), axis=0)
    return Estimates(values.mean(0), low, high, means.std(0))


def coverage(differences: NDArray[np.float64], num_deals: int, seed: int = 0, samples: int = 4000) -> float:
    """Return the share of intervals from `num_deals` of `differences` [n] that hold the mean of all.

    >>> coverage(np.array([1.0, 1.0, 1.0]), 5, samples=10)
    1.0
    """
    drawn = np.random.default_rng(seed).choice(differences, (num_deals, samples))
    told = bootstrap(drawn, seed, RESAMPLES // 2)
    truth = differences.mean()
    slack = 1e-9
    return float(((told.low <= truth + slack) & (told.high >= truth - slack)).mean())
