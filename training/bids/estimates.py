"""A mean over deals with its interval, as reports on bids tell it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baofen.training.arena.statistics import bootstrap


@dataclass(frozen=True)
class Estimate:
    """A mean over deals with its 95 % interval."""

    mean: float
    low: float
    high: float


def estimate(values: NDArray[np.float64], seed: int) -> Estimate:
    """Return the mean of values [n], one of each deal, with an interval by bootstrap.

    >>> estimate(np.array([2.0, 2.0]), seed=0)
    Estimate(mean=2.0, low=2.0, high=2.0)
    """
    told = bootstrap(values[:, None], seed)
    return Estimate(float(told.mean[0]), float(told.low[0]), float(told.high[0]))
