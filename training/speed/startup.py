"""How long a newcomer waits: import, compile and the first decision, in a process of its own.

Times are CPU-seconds of that process, from its start to its end: what one waits on a machine that does nothing else.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile

from baofen.training.speed.measure import AbsentError

WARM_STARTS = 3
FIRST_DECISIONS = """
from baofen.envs import Table, VectorTables
batch = VectorTables(16)
batch.observe()
batch.step(batch.mask().argmax(1))
table = Table(seed=0)
table.apply(table.legal_actions()[0])
"""
"""One decision of a batch and one of a single table: after these nearly all of the game is compiled."""


def starts() -> tuple[float, float]:
    """Return CPU-seconds of a start without compiled code at hand, and of one with it (the median of some)."""
    with tempfile.TemporaryDirectory(prefix="baofen-cold-") as folder:
        cold = _start(folder)
        warm = statistics.median(_start(folder) for _ in range(WARM_STARTS))
    return cold, warm


def _start(cache: str) -> float:
    """Return CPU-seconds of one process, with its compiled code in the folder `cache`."""
    before = _children_seconds()
    done = subprocess.run(
        [sys.executable, "-c", FIRST_DECISIONS],
        env={**os.environ, "BAOFEN_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise AbsentError(f"the first decisions failed: {last}")
    return _children_seconds() - before


def _children_seconds() -> float:
    """Return CPU-seconds of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
