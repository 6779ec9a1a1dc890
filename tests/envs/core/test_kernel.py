"""Kernels: compiled once for all widths of numbers, and callable from Python, the inlined ones too."""

import subprocess
import sys
from typing import Any

import numba
import numpy as np

from baofen.envs.core.kernel import inline_kernel, kernel

ASK = "from baofen.envs.core.bits import count_cards; print(count_cards(7, 3))"


@inline_kernel
def twice(number):
    return number + number


@kernel
def half(number):
    return number / 2


@kernel
def add_up(small, wide, flags, words):
    return (
        twice(small[0]) + twice(wide[0]) + twice(number=flags[0]) + twice(4),
        twice(words[0]),
        half(3),
        half(flags[0]),
    )


def signatures_of(compiled: Any) -> list[str]:
    return sorted(map(str, compiled.signatures))


def test_numbers_of_all_widths_share_their_code():
    words = np.array([1 << 63], np.uint64)
    # Not from the cache, with which nothing that it calls would be compiled here.
    cached: Any = add_up
    anew: Any = numba.njit(cached.py_func)
    found = anew(np.array([-3], np.int8), np.array([-1], np.int64), np.array([200], np.uint8), words)
    assert found == (-6 - 2 + 400 + 8, 0, 1.5, 100.0)
    assert signatures_of(twice) == ["(int64,)", "(uint64,)"]
    assert signatures_of(half) == ["(int64,)"]


def test_inlined_kernels_can_be_called_from_python():
    """In processes of their own: what is amiss here would end this one."""
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
        assert done.stdout == "5\n"


def test_a_start_does_without_scipy_and_leaves_it_to_others():
    """What numba does with SciPy is still there for other code in the process."""
    script = """
import sys, numba, numpy
from baofen.envs import Table
table = Table(seed=0)
table.apply(table.legal_actions()[0])
print("scipy.linalg" in sys.modules)
print(numba.njit(lambda a: numpy.dot(a, a))(numpy.ones(3)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "3.0"]


NO_SCIPY = """
import sys
sys.modules["scipy"] = None  # as if it were not installed: nothing finds it, and to import it fails
from baofen.envs import Table
import numba.np.arraymath
table = Table(seed=0)
before = len(table.legal_actions())
table.apply(table.legal_actions()[0])
print(numba.np.arraymath._HAVE_BLAS, before > 0)
"""

WATCHED = """
import sys, types
import numba.np.linalg as linalg
for name in sys.argv[1:]:
    __import__(name)
ask, changed = linalg.ensure_blas, []
class Watched(types.ModuleType):
    def __setattr__(self, name, value):
        changed.append(name)
        super().__setattr__(name, value)
linalg.__class__ = Watched
import baofen.envs.core.kernel
print(*changed, linalg.ensure_blas is ask, "numba.np.arraymath" in sys.modules)
"""


def told_by(script: str, *words: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_game_plays_without_scipy():
    assert told_by(NO_SCIPY) == ["False", "True"]


def test_numba_is_changed_only_while_its_array_functions_are_loaded_first():
    assert told_by(WATCHED) == ["ensure_blas", "ensure_blas", "True", "True"]
    assert told_by(WATCHED, "numba.np.arraymath") == ["True", "True"]
