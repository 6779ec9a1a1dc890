"""The one decorator of compiled functions, and a cache that never serves an old rule.

numba's own cache looks only at the file that holds a function, so an edit of a helper or a constant in
another file would go on giving the old answer. The cache folder is therefore named by a hash of all
sources of `baofen.envs` and `baofen.agents`: an edit anywhere gives a fresh folder.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


def _source_hash() -> str:
    """Return a hash of every source that a compiled function may be made of."""
    digest = hashlib.sha256(numba.__version__.encode())
    envs = Path(__file__).resolve().parent.parent
    agents = envs.parent / "agents"
    for folder in (envs, agents):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> str:
    """Return a writable folder for compiled functions of exactly these sources."""
    root = os.environ.get("BAOFEN_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    base = Path(root) if root else Path.home() / ".cache"
    name = f"kernels-{_source_hash()}"
    folder = base / "baofen" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:  # a read-only home: compile once per machine start instead of once per process
        folder = Path(tempfile.gettempdir()) / "baofen" / name
        folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


numba.config.CACHE_DIR = _cache_folder()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of arrays, records and numbers; cached on disk, plain Python when JIT is off."""
    return numba.njit(cache=True)(function)  # type: ignore[no-any-return]


def inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small function that is always inlined into its callers by the code generator."""
    return numba.njit(cache=True, forceinline=True)(function)  # type: ignore[no-any-return]
