"""The core plays alike compiled, as plain Python, and with bounds checked; and its cache never serves an old rule."""

from __future__ import annotations

import os
import shutil
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


# A kernel, two modules of constants and helpers below it, and one that it has nothing to do with.
PRINTED = """
import sys, types
sys.path.insert(0, {root!r})
from baofen.envs.core.fine import fine, cost
print(fine(2), cost.stats.cache_hits[cost.signatures[0]] if cost.signatures else None)
"""
SOURCES = {
    "amounts.py": "FINE_POINTS = 3\n",
    "helper.py": (
        "from baofen.envs.core import amounts\n"
        "from baofen.envs.core.kernel import inline_kernel\n\n"
        "@inline_kernel\n"
        "def points(cards):\n"
        "    return amounts.FINE_POINTS * cards\n"
    ),
    "fine.py": (
        "from baofen.envs.core.helper import (\n    points,\n)\n"
        "from baofen.envs.core.kernel import kernel\n\n"
        "@kernel\n"
        "def cost(cards):\n"
        "    return points(cards) + 1\n\n"
        "def fine(cards):\n"
        "    return cost(cards)\n"
    ),
    "apart.py": "OTHER = 1\n",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the kernel machinery with a few small modules, as package `baofen` of its own."""
    core = tmp_path / "baofen" / "envs" / "core"
    core.mkdir(parents=True)
    shutil.copy(ROOT / "envs" / "core" / "kernel.py", core / "kernel.py")
    for folder in (core, core.parent):
        (folder / "__init__.py").touch()
    for name, source in SOURCES.items():
        (core / name).write_text(source, encoding="utf-8")
    return core


def answer(package: Path) -> tuple[int, int]:
    """What the kernel says in a new process, and how often its code came from the cache."""
    root = package.parents[2]
    script = root / "ask.py"
    script.write_text(PRINTED.format(root=str(root)), encoding="utf-8")
    value, hits = run("-S", str(script), BAOFEN_CACHE_DIR=str(root / "cache"), PYTHONPATH=_libraries()).split()
    return int(value), int(hits)


def _libraries() -> str:
    """The folder of the installed packages; without site-packages' hooks, which know our own `baofen`."""
    import numba

    return str(Path(numba.__file__).parents[1])


def test_an_edit_anywhere_below_a_kernel_gives_the_new_answer(package: Path) -> None:
    assert answer(package) == (7, 0)
    assert answer(package) == (7, 1)
    (package / "amounts.py").write_text("FINE_POINTS = 5\n", encoding="utf-8")
    assert answer(package) == (11, 0)
    helper = package / "helper.py"
    helper.write_text(helper.read_text(encoding="utf-8").replace("* cards", "* cards * 2"), encoding="utf-8")
    assert answer(package) == (21, 0)
    (package / "apart.py").write_text("OTHER = 2\n", encoding="utf-8")
    assert answer(package) == (21, 1)
