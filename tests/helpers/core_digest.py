"""Plays games of all presets from a seed and prints a digest of the tables after every step.

Run as a program in other modes of numba (`NUMBA_DISABLE_JIT=1`, `NUMBA_BOUNDSCHECK=1`), to see that they play alike:

    python tests/helpers/core_digest.py NUM_TABLES NUM_STEPS SEED
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from baofen.envs import PRESETS, MatchStarts, VectorTables

CASES: list[tuple[str, dict[str, str]]] = [
    *((rules, {}) for rules in PRESETS),
    ("suzhou", {"tractor_follow": "exact", "joker_tractor": "high", "throw_penalty_to": "opponents"}),
    ("hongwu", {"follow_shape": "suit_only", "red5_mode": "replace", "throw_equal": "fails"}),
]


def digest(num_tables: int, num_steps: int, seed: int) -> list[str]:
    """A digest of tables, masks, observations, histories and rewards for each case."""
    digests = []
    for rules, options in CASES:
        batch = VectorTables(
            num_tables, rules, options, seed=seed, starts=MatchStarts(pot_percent=50, totals_spread=200)
        )
        seen = hashlib.sha256()
        choices = np.random.default_rng(seed)
        for _ in range(num_steps):
            mask = batch.mask()
            rewards, done = batch.step(np.array([choose(choices, row) for row in mask]))
            for part in (mask, batch.observe(), batch.history_tokens(), rewards, done):
                seen.update(part.tobytes())
            for name in batch.tables.dtype.names or ():
                seen.update(batch.tables[name].tobytes())
        digests.append(f"{rules} {options} {seen.hexdigest()}")
    return digests


def choose(choices: np.random.Generator, mask: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> int:
    """A legal action at random; leads are committed early, so that tricks are short and many."""
    if mask[54] and choices.random() < 0.4:
        return 54
    return int(choices.choice(np.flatnonzero(mask)))


if __name__ == "__main__":
    print("\n".join(digest(*map(int, sys.argv[1:]))))
