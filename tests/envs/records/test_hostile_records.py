"""Records that others made to hurt: what a terminal would obey, endless texts, and objects with many keys."""

import json
from typing import Any

import pytest
from places import RECORDS

from baofen.envs.records import RecordError, parse_record, replay_main


@pytest.fixture
def record() -> dict[str, Any]:
    text = (RECORDS / "suzhou.jsonl").read_text(encoding="utf-8").splitlines()[0]
    found: dict[str, Any] = json.loads(text)
    return found


def test_players_are_shown_without_what_a_terminal_obeys(record: Any, tmp_path: Any, capsys: Any) -> None:
    record["players"] = ["\x1b[2J\x1b]0;mine\x07", "two\nlines", "long" * 1000, "包分"]
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert replay_main(file, show=True) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.isprintable() for line in lines)
    (first,) = [number for number, line in enumerate(lines) if line.startswith("players ")]
    told = " ".join(" ".join(lines[first : first + 6]).split())  # a long line is folded
    assert told.startswith("players 0 \\x1b[2J\\x1b]0;mine\\x07, 1 two\\nlines, 2 long")
    names, _, rest = told.partition(", 3 包分")
    assert rest and len(names) < 400


def test_a_fault_quotes_no_endless_text(record: Any, tmp_path: Any, capsys: Any) -> None:
    record["actions"] = ["call 0 " + "9" * 100_000]
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert replay_main(file, show=False) == 1
    assert len(capsys.readouterr().out) < 600


def test_the_key_that_stands_twice_is_named_among_many() -> None:
    keys = [*map(str, range(20_000)), "12345"]
    with pytest.raises(RecordError, match="the key '12345' stands twice"):
        parse_record("{" + ", ".join(f'"{key}": 0' for key in keys) + "}")
