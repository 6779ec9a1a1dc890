"""Numbers of the command line, held to the ranges that a command's annotations name; all faults are told together."""

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from baofen.training.errors import UserError

P = ParamSpec("P")
R = TypeVar("R")


def in_range(command: Callable[P, R]) -> Callable[P, R]:
    """Return a command that refuses numbers outside the `Field` of their annotation.

    >>> from typing import Annotated
    >>> from pydantic import Field
    >>> @in_range
    ... def deal(*, deals: Annotated[int, Field(ge=2)], percent: Annotated[int | None, Field(ge=0, le=100)] = None):
    ...     return deals
    >>> deal(deals=2)
    2
    >>> deal(deals=1, percent=101)
    Traceback (most recent call last):
    baofen.training.errors.UserError: --deals must be at least 2, not 1; --percent must be 0 .. 100, not 101
    """
    hints = get_type_hints(command, include_extras=True)
    ranges = {
        name: (_words(field), TypeAdapter(hint))
        for name, hint in hints.items()
        for field in get_args(hint)
        if isinstance(field, FieldInfo)
    }
    signature = inspect.signature(command)

    @functools.wraps(command)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        faults = []
        for name, (words, adapter) in ranges.items():
            value = given.arguments[name]
            try:
                adapter.validate_python(value)
            except ValidationError:
                faults.append(f"--{name.replace('_', '-')} must be {words}, not {value}")
        if faults:
            raise UserError("; ".join(faults))
        return command(*args, **kwargs)

    return checked


def _words(field: FieldInfo) -> str:
    words = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    bounds = {name: getattr(one, name) for one in field.metadata for name in words if hasattr(one, name)}
    if bounds.keys() == {"ge", "le"}:
        return f"{bounds['ge']} .. {bounds['le']}"
    return " and ".join(f"{words[name]} {bound}" for name, bound in bounds.items())
