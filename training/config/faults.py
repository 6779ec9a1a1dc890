"""Faults of a configuration: all of them, one line each."""

import dataclasses
import difflib
import json
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from baofen.training.config.text import Plain, dotted
from baofen.training.errors import UserError

NOTHING_GIVEN = object()
"""Stands where a fault has no single value to show."""


@dataclasses.dataclass(frozen=True)
class ConfigFault:
    """One thing that is wrong.

    >>> print(ConfigFault("small.yaml", "learning.clip", "input should be greater than 0", -1))
    small.yaml: learning.clip: input should be greater than 0 (given -1)
    """

    source: str
    """The file, or `command line`."""

    key: str
    """The dotted key; empty for the whole source."""

    message: str
    """What is wrong, and where it helps, what would be right."""

    given: Any = NOTHING_GIVEN
    """The value found there."""

    def __str__(self) -> str:
        where = f"{self.source}: {self.key}: " if self.key else f"{self.source}: "
        return where + self.message + ("" if self.given is NOTHING_GIVEN else f" (given {_show(self.given)})")


class ConfigError(UserError):
    """A configuration that cannot be used; `faults` holds everything that is wrong with it."""

    def __init__(self, faults: Iterable[ConfigFault]) -> None:
        self.faults = list(faults)
        count = f"{len(self.faults)} faults" if len(self.faults) > 1 else "one fault"
        super().__init__("\n".join([f"{count} in the configuration:", *(f"  {fault}" for fault in self.faults)]))


def faults_of(error: ValidationError, source: str, data: Plain, schema: type) -> list[ConfigFault]:
    """The faults that validating `data` against `schema` has found, in the order of the data."""
    by_key: dict[str, ConfigFault] = {}
    for found in error.errors(include_url=False):
        path, given = _place(found["loc"], data)
        message, value = _message(found, path, given, schema)
        key = dotted(path)
        if key in by_key:  # a union tells one fault for each of its types
            message = f"{by_key[key].message}, or {message.removeprefix('input should be ')}"
        by_key[key] = ConfigFault(source, key, message, value)
    return list(by_key.values())


def suggestion(word: str, known: Iterable[str]) -> str:
    """What was probably meant, else what there is.

    >>> suggestion("smok", ["default", "smoke"]), suggestion("xyz", ["clip", "discount"])
    ("did you mean 'smoke'?", 'known are clip, discount')
    """
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1)
    return f"did you mean '{near[0]}'?" if near else f"known are {', '.join(names)}"


def _place(loc: tuple[int | str, ...], data: Plain) -> tuple[tuple[int | str, ...], Plain]:
    """The part of `loc` that exists in the data (the rest names types of a union), and the value there."""
    for depth, part in enumerate(loc):
        inside = isinstance(data, dict) and part in data
        if not inside and not (isinstance(data, list) and isinstance(part, int) and part < len(data)):
            return loc[:depth], data
        data = data[part]
    return loc, data


def _message(found: Any, path: tuple[int | str, ...], given: Plain, schema: type) -> tuple[str, Any]:
    kind: str = found["type"]
    if kind == "unexpected_keyword_argument":
        return f"unknown key; {suggestion(str(path[-1]), _keys_of(schema, path[:-1]))}", given
    if kind == "value_error":
        return str(found["ctx"]["error"]), NOTHING_GIVEN
    if kind in ("dataclass_type", "dict_type"):
        return "takes keys with values", given
    if kind == "tuple_type":
        return "takes a list", given
    if kind == "too_short":
        return f"takes at least {found['ctx']['min_length']}", given
    if kind == "too_long":
        return f"takes at most {found['ctx']['max_length']}", given
    message: str = found["msg"]
    return message[0].lower() + message[1:], given


def _keys_of(schema: type, path: tuple[int | str, ...]) -> list[str]:
    for part in path:
        schema = schema.__pydantic_fields__[part].annotation  # type: ignore[attr-defined]
    return list(schema.__pydantic_fields__)  # type: ignore[attr-defined]


def _show(value: Any, width: int = 60) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= width else text[: width - 3] + "..."
