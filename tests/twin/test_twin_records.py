"""The twin against the records of another slow implementation (tests/records)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from naive.options import PRESETS
from naive.replay import IllegalRecord, replay
from places import RECORDS

SAMPLE = 20


def lines(name: str) -> list[Any]:
    """All lines of a file of records."""
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()]


def sample(things: list[Any]) -> list[Any]:
    """About twenty of them, spread over the file."""
    return things[:: len(things) // SAMPLE]


def check_refused(fault: dict[str, Any]) -> None:
    """The record is refused at the action at fault."""
    with pytest.raises(IllegalRecord) as refused:
        replay(fault["record"])
    if fault["reason"] == "unfinished":
        # Not the fault of any one action.
        assert refused.value.index is None
    else:
        assert refused.value.index == fault["index"], fault["label"]


@pytest.mark.parametrize("preset", PRESETS)
def test_sample_of_records(preset: str) -> None:
    for record in sample(lines(preset)):
        assert replay(record).result is not None
    for fault in sample(lines(f"{preset}-illegal")):
        check_refused(fault)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_all_records(preset: str) -> None:
    for record in lines(preset):
        assert replay(record).result is not None
    for fault in lines(f"{preset}-illegal"):
        check_refused(fault)
