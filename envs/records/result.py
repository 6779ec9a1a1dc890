"""Whether the result on record follows from the game (`record.md`)."""

from collections.abc import Mapping
from typing import Any

from baofen.envs.cards import is_seat
from baofen.envs.records.errors import RecordError
from baofen.envs.table import Table

ALWAYS_LAID_DOWN = ("declarer", "rewards", "pot", "next_first_caller")
"""What counts of a deal that was passed out or forfeited."""


def check_result(table: Table, written: object) -> None:
    """Refuse a result that is not that of the deal which ended last at a table.

    Raises:
        RecordError: for the first difference.
    """
    true = table.result
    assert true is not None
    if not isinstance(written, Mapping):
        raise RecordError(None, "wrong_result", "the result must be a JSON object")
    for key in true:
        if key not in written:
            raise RecordError(None, "wrong_result", f"{key} is missing in the result")
    for key in written:
        if key not in true:
            raise RecordError(None, "wrong_result", f"unknown in the result: {key!r}")
    was_played = true["captured"] is not None
    for key in true if was_played else ALWAYS_LAID_DOWN:
        if not _follows(key, written[key], true[key]):
            raise RecordError(None, "wrong_result", f"{key} is {written[key]!r} in the result, but {true[key]!r}")


def _follows(key: str, written: Any, true: Any) -> bool:
    if key == "next_first_caller" and true is None:  # drawn: any seat, or none
        return written is None or is_seat(written)
    return _same(written, true)


def _same(written: Any, true: Any) -> bool:
    """Return whether values are equal and of one type, so that no `true` or `1.0` passes for 1."""
    if isinstance(true, list) and isinstance(written, list):
        return len(written) == len(true) and all(map(_same, written, true))
    return type(written) is type(true) and bool(written == true)
