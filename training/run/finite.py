"""Whether a checkpoint's numbers are all numbers."""

from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from baofen.agents.policy.policy_files import WEIGHTS_FILE


def holds_finite_weights(checkpoint: Path) -> bool:
    """Return whether all numbers of a checkpoint's policy are finite; one that cannot be read is told elsewhere."""
    try:
        weights = load_file(checkpoint / WEIGHTS_FILE)
    except (OSError, SafetensorError):
        return True
    return all(np.isfinite(array).all() for array in weights.values() if array.dtype.kind == "f")
