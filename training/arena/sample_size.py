"""How many deals a wanted precision takes: a pilot tells how much the paired differences scatter."""

import math
from collections.abc import Sequence

from baofen.training.arena import matches
from baofen.training.arena.compare import Row
from baofen.training.arena.statistics import NORMAL_QUANTILE, SEEN_AT

PILOT_DEALS = 512
SPARE = 1.2
"""More deals than the pilot says: its own estimate of the scatter is off by some percent."""


def deals_for(rows: Sequence[Row], precision: float) -> int:
    """Return the deals at which the 95 % interval of each row reaches at most `precision` to either side.

    rows: of a pilot, in the metric that counts. Whole chunks, at least the pilot.

    >>> deals_for([Row("a", "b", "b", "declarer", "captured", 80.0, 3.0, 0.0, 6.0, 512, 4.29)], 1.0)
    5632
    """
    chunk = matches.CHUNK_DEALS
    needed = max(row.deals * (half_width(row) / precision) ** 2 for row in rows)
    return max(math.ceil(needed * SPARE / chunk) * chunk, max(row.deals for row in rows))


def half_width(row: Row) -> float:
    """Return how far the 95 % interval of a row reaches to either side, by its standard error."""
    return row.detectable / SEEN_AT * NORMAL_QUANTILE
