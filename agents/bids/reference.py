"""The frozen reference player whose play-outs say what contracts are worth: its name, and its neighbours."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.heuristic_v1 import estimate
from baofen.agents.heuristic_v1.weights import WEIGHTS, heuristic_weights

REFERENCE = "heuristic"
NEIGHBOUR_SPREAD = 0.1
"""Standard deviation of the logarithm of a neighbour's weights against the reference's."""
NEIGHBOUR_SEED = 0xBA0FE7


def reference_name() -> str:
    """Return the reference with a fingerprint of all its numbers: other weights, another name.

    >>> reference_name().startswith("heuristic-")
    True
    """
    digest = hashlib.sha256(heuristic_weights().tobytes())
    for name, value in sorted(vars(estimate).items()):
        if isinstance(value, np.ndarray):
            digest.update(name.encode() + value.tobytes())
    return f"{REFERENCE}-{digest.hexdigest()[:12]}"


def reference_variants(count: int) -> NDArray[Any]:
    """Return weights, WEIGHTS [count]: the reference's own, then those of players who judge a little differently.

    The reference plays without chance, so one play-out of a deal hangs on a single line of play; the mean over
    neighbours says what a contract is worth to players of its kind. The first k variants are the same for any count.
    """
    variants = np.repeat(heuristic_weights(), count)
    numbers = variants.view(np.float64).reshape(count, WEIGHTS.itemsize // 8)
    rng = np.random.default_rng(NEIGHBOUR_SEED)
    numbers[1:] *= np.exp(NEIGHBOUR_SPREAD * rng.standard_normal((max(count - 1, 0), numbers.shape[1])))
    return variants
