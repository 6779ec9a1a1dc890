"""The core plays alike compiled, as plain Python, and with bounds checked; and its cache never serves an old rule."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from core_digest import digest
from places import ROOT


def run(*arguments: str, **environment: str) -> str:
    """What a Python program prints, warnings being errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_plain_python_plays_the_same_games() -> None:
    printed = run("tests/helpers/core_digest.py", "2", "400", "3", NUMBA_DISABLE_JIT="1")
    assert printed.splitlines() == digest(2, 400, 3)


@pytest.mark.slow
def test_no_index_is_out_of_bounds(tmp_path: Path) -> None:
    checked = {"NUMBA_BOUNDSCHECK": "1", "BAOFEN_CACHE_DIR": str(tmp_path)}
    assert run("tests/helpers/core_digest.py", "64", "1500", "4", **checked).splitlines() == digest(64, 1500, 4)
    stacked = (
        "tests/envs/core/test_core_matches_twin.py",
        "tests/envs/test_examples.py",
        "tests/envs/core/test_perft.py",
    )
    run("-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", *stacked, **checked)
