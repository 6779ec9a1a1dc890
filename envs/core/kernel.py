"""The one decorator of compiled functions.

What is compiled is kept on disk (`baofen.envs.compiling.cache_folders`): an edit of a source gives fresh code, never an old
rule. Without a compiler (`NUMBA_DISABLE_JIT=1`) kernels are plain Python.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import types

from baofen.envs.compiling.cache_folders import cache_folder
from baofen.envs.compiling.kept import KeptFunction
from baofen.envs.compiling.plain import without_compiler

P = ParamSpec("P")
R = TypeVar("R")


def _load_array_functions() -> None:
    """Load numba's array functions without SciPy: they import all of its linear algebra to see whether it is there.

    Measured: a warm start takes 0.82 CPU-seconds with this and 0.96 without. What numba can do with SciPy stays: it is
    imported when it is needed.
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
    options: dict[str, Any] = {"forceinline": inlined, "no_cfunc_wrapper": True}
    compiled: Any = numba.njit(**options)(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = cache_folder(function.__code__.co_filename)
    try:
        compiled._cache = KeptFunction(function)
    finally:
        numba.config.CACHE_DIR = before
    compiled.get_call_template = partial(_call_template, compiled.get_call_template)
    return compiled


def _call_template(call_template: Callable[..., Any], args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
    """Find the code for a call from a kernel, with one kind of whole number.

    numba would compile a kernel anew for each width of its numbers and each constant that is handed to it. Measured: a
    cold start takes 19.0 CPU-seconds with this and 21.5 without, a warm one 0.82 and 0.87.
    """
    return call_template(tuple(map(_widest, args)), {name: _widest(kind) for name, kind in kws.items()})


def _widest(kind: Any) -> Any:
    """Return the type that an argument of a type is given as."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind is not types.uint64 else kind


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of arrays, records and numbers; cached on disk, plain Python when JIT is off."""
    return _compile(function, inlined=False)


def inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small function that is always inlined into its callers by the code generator.

    Measured: left to the generator's own judgement, a decision of the core takes 17 % longer, an observed one 10 %.
    """
    return _compile(function, inlined=True)
