"""Files of records: JSON Lines, UTF-8, one deal a line."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from baofen.envs.records.errors import RecordError
from baofen.envs.records.replay import replay_record
from baofen.envs.render.printable import printable
from baofen.envs.writing import replacing

MAX_FAULT_CHARACTERS = 500
LineFault = tuple[int, RecordError]
"""The number of a line, from 1, and why it is refused."""


def parse_record(line: str | bytes) -> Any:
    """Return what one line of JSON says; the game in it is not looked at.

    Raises:
        RecordError: if the line is not JSON in UTF-8, or an object in it has a key twice.
    """
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    except RecursionError as error:
        raise RecordError(None, "bad_format", "not a record: nested too deep") from error
    except ValueError as error:
        raise RecordError(None, "bad_format", f"not a line of JSON in UTF-8: {error}") from error


def iterate_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers, from 1; a byte order mark before the first is no part of it."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, start=1):
            yield number, line.removeprefix(BOM_UTF8) if number == 1 else line


def read_records(path: str | Path) -> list[dict[str, Any]]:
    """Return the records of a file after playing every one of them.

    Raises:
        RecordError: for the first fault; its message begins with the number of the line.
        OSError: if the file cannot be read.
    """
    records = []
    for number, line in iterate_lines(path):
        try:
            record = parse_record(line)
            replay_record(record)
        except RecordError as error:
            raise RecordError(error.index, error.reason, f"line {number}: {error.message}") from error
        records.append(record)
    return records


def check_file(path: str | Path) -> list[LineFault]:
    """Return the faults of a file of records, at most one a line; none if every line is a legal game.

    Raises:
        OSError: if the file cannot be read.
    """
    faults = []
    for number, line in iterate_lines(path):
        try:
            replay_record(parse_record(line))
        except RecordError as error:
            faults.append((number, error))
    return faults


def format_fault(number: int, error: RecordError) -> str:
    """Return `line N, action K: reason`, or `line N: reason` for faults of no one action."""
    where = f"line {number}" if error.index is None else f"line {number}, action {error.index}"
    return f"{where}: {printable(error.message, MAX_FAULT_CHARACTERS)}"


def format_record(record: Mapping[str, Any]) -> str:
    """Return the line of a record, without the line's end."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def write_records(path: str | Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of records, whole or not at all."""
    with replacing(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(format_record(record) + "\n" for record in records)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        times = Counter(key for key, _ in pairs)
        repeated = next(key for key, number in times.items() if number > 1)
        raise ValueError(f"the key {repeated!r} stands twice in one object")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
