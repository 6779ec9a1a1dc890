"""Compiling what sampling needs before the clock of a run starts: with an empty kernel cache that takes a minute."""

from typing import Any

import torch

from baofen.training.selfplay.runner import VectorRunner

FEW_TABLES = 16


def warm_kernels(config: Any) -> None:
    """Play a few matches on a few tables, as runners of this `SelfPlayConfig` will, and forget them.

    Runner processes then find the compiled functions on disk. No random numbers of the run are used up.
    """
    small = config.copy(copy_frozen=False)
    small.num_tables = FEW_TABLES
    with torch.random.fork_rng(devices=[]):
        VectorRunner(config=small).sample(num_timesteps=1)
