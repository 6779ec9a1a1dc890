"""Kernels without a compiler (`NUMBA_DISABLE_JIT=1`), for debugging and coverage.

Compiled code reads the fields of a record as attributes and reckons with 64 bits; plain Python gets the same from the
stand-ins here. Only uint64, the random streams, stays as it is, and overflows on purpose.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")


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
