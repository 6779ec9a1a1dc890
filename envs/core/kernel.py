"""The one decorator of compiled functions, and a cache that never serves an old rule.

numba's own cache looks only at the file that holds a function, so an edit of a helper or a constant in another file
would go on giving the old answer. Here each module's kernels are cached in a folder named by a hash of the sources
of that module and of all modules of ours that it imports, directly or not. An edit of any of them gives a fresh
folder; an edit elsewhere leaves the cache warm.
"""

import hashlib
import importlib
import importlib.util
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba.core import types
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

_ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds envs/ and agents/ (or, in a wheel, the folder `baofen`)."""
_IMPORT = re.compile(r"^from (baofen[\w.]*) import (\([^)]*\)|[^\n]*)|^import (baofen[\w.]*)", re.MULTILINE)


@cache
def _source(module: str) -> Path | None:
    """Return the file of a module of ours, None if the name is not one (but a function in one, or foreign)."""
    if not module.startswith("baofen."):
        return None
    path = _ROOT.joinpath(*module.split(".")[1:])
    if path.is_dir():
        return path / "__init__.py"
    path = path.with_suffix(".py")
    return path if path.exists() else None


def _imports(text: str) -> Iterator[str]:
    """Yield the modules of ours that a source imports."""
    for origin, names, whole in _IMPORT.findall(text):
        if whole:
            yield whole
            continue
        for name in re.findall(r"\w+", re.sub(r"\bas \w+", "", names)):
            submodule = f"{origin}.{name}"
            yield submodule if _source(submodule) is not None else origin


@cache
def _read(module: str) -> str:
    path = _source(module)
    return "" if path is None else path.read_text(encoding="utf-8")


@cache
def _imports_of(module: str) -> list[str]:
    return list(_imports(_read(module)))


def source_closure(text: str) -> list[str]:
    """Return the modules of ours that a source imports, directly or not, by name."""
    found: set[str] = set()
    waiting = list(_imports(text))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(_imports_of(name))
    return sorted(found)


@cache
def cache_folder(path: str) -> str:
    """Return the folder for the compiled functions of a source file, named by all the sources they are made of.

    Named by how numba compiles as well: its own cache would hand out code without bounds checks where they are asked for.
    """
    file = Path(path)
    text = file.read_text(encoding="utf-8") if file.exists() else path  # typed in: it has no file
    made_by = f"{numba.__version__}\0{numba.config.BOUNDSCHECK}"
    digest = hashlib.sha256(f"{made_by}\0{path}\0{text}".encode())
    for name in source_closure(text):
        digest.update(f"\0{name}\0{_read(name)}".encode())
    return str(_cache_root() / digest.hexdigest()[:20])


@cache
def _cache_root() -> Path:
    """Return a writable folder: BAOFEN_CACHE_DIR, the user's cache, or the temporary folder."""
    chosen = os.environ.get("BAOFEN_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "baofen"
    folder = Path(chosen) if chosen else user
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:  # a read-only home: compile once per machine start instead of once per process
        folder = Path(tempfile.gettempdir()) / "baofen"
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _load_array_functions() -> None:
    """Load numba's array functions without SciPy: they import all of its linear algebra to see whether it is there.

    That would be a fifth of a warm start. What numba can do with SciPy stays: it is imported when it is needed.
    """
    linalg = importlib.import_module("numba.np.linalg")
    ask = getattr(linalg, "ensure_blas", None)
    if ask is None or "numba.np.arraymath" in sys.modules:
        return
    linalg.ensure_blas = _find_scipy
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ask


def _find_scipy() -> None:
    if importlib.util.find_spec("scipy") is None:
        raise ImportError("SciPy is not installed")


if not numba.config.DISABLE_JIT:
    _load_array_functions()


def _compile(function: Callable[P, R], *, inlined: bool) -> Callable[P, R]:
    """Compile with the cache folder of the function's source; numba reads the folder while decorating.

    No wrapper for callers in C, that there are not: it would take a tenth of the time to compile.
    """
    if numba.config.DISABLE_JIT:
        return without_compiler(function)
    options: dict[str, Any] = {"cache": True, "forceinline": inlined, "no_cfunc_wrapper": True}
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = cache_folder(function.__code__.co_filename)
    try:
        compiled: Any = numba.njit(**options)(function)
    finally:
        numba.config.CACHE_DIR = before
    compiled.get_call_template = partial(_call_template, compiled.get_call_template)
    return compiled


def _call_template(call_template: Callable[..., Any], args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
    """Find the code for a call from a kernel, with one kind of whole number.

    numba would compile a kernel anew for each width of its numbers and each constant that is handed to it.
    """
    return call_template(tuple(map(_widest, args)), {name: _widest(kind) for name, kind in kws.items()})


def _widest(kind: Any) -> Any:
    """Return the type that an argument of a type is given as."""
    kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
    return types.int64 if isinstance(kind, types.Integer) and kind is not types.uint64 else kind


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of arrays, records and numbers; cached on disk, plain Python when JIT is off."""
    return _compile(function, inlined=False)


def inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small function that is always inlined into its callers by the code generator."""
    return _compile(function, inlined=True)


# Kernels without a compiler (`NUMBA_DISABLE_JIT=1`), for debugging and coverage. Compiled code reads the fields of a
# record as attributes and reckons with 64 bits; plain Python gets the same from these stand-ins. Only uint64, the random
# streams, stays as it is, and overflows on purpose.


class PlainArray:
    """An array whose numbers are Python's and whose records have attributes."""

    __slots__ = ("_array", "shape")

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array
        self.shape = array.shape

    def __getitem__(self, index: Any) -> Any:
        return plain(self._array[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value._record if isinstance(value, PlainRecord) else value

    def __len__(self) -> int:
        return len(self._array)


class PlainRecord:
    """A record whose fields are attributes."""

    __slots__ = ("_record",)
    _record: np.void

    def __init__(self, record: np.void) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        return plain(self._record[name])

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value


def plain(value: Any) -> Any:
    """Return the stand-in of a numpy value, and anything else as it is."""
    if isinstance(value, np.ndarray):
        return PlainArray(value)
    if isinstance(value, np.void):
        return PlainRecord(value)
    if isinstance(value, np.integer) and not isinstance(value, np.uint64):
        return int(value)
    return value


def without_compiler(function: Callable[P, R]) -> Callable[P, R]:
    """Return a kernel as a plain function that sees its arguments as compiled code does."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with np.errstate(over="ignore"):
            return function(*map(plain, args), **kwargs)

    return call
