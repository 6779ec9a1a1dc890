"""Records: the examples of the other implementation, round trips, faults of form, and the command."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import RECORDS
from random_play import play_on, random_rules

from baofen.envs import PRESETS
from baofen.envs.core.dtypes import Phase
from baofen.envs.records import (
    RecordError,
    check_file,
    format_record,
    parse_record,
    read_records,
    replay_record,
    write_records,
)
from baofen.envs.records.header import READERS
from baofen.envs.records.main import replay_main
from baofen.envs.records.show import show_record
from baofen.envs.table import Table


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def refusal(record: Any) -> RecordError:
    with pytest.raises(RecordError) as refused:
        replay_record(record)
    return refused.value


@pytest.fixture
def record() -> dict[str, Any]:
    """A whole game of Suzhou with a declarer."""
    return next(record for record in lines("suzhou") if record["result"]["captured"] is not None)


@pytest.mark.parametrize("preset", PRESETS)
def test_all_examples_are_accepted_with_their_results(preset: str) -> None:
    assert check_file(RECORDS / f"{preset}.jsonl") == []


@pytest.mark.parametrize("preset", PRESETS)
def test_all_faults_are_refused_at_their_action(preset: str) -> None:
    for fault in lines(f"{preset}-illegal"):
        expected = None if fault["reason"] == "unfinished" else fault["index"]
        assert refusal(fault["record"]).index == expected, fault["label"]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_table_writes_is_read_back_the_same(preset: str) -> None:
    rng = np.random.default_rng(1)
    for game in range(12):
        table = Table(random_rules(rng, preset), seed=game, deals_per_match=1 + game % 3)
        play_on(table, rng, forfeits=game % 2 == 1)
        for record in table.records():
            again = replay_record(parse_record(format_record(record)))
            assert again.record() == record


@pytest.mark.parametrize("preset", PRESETS)
def test_a_prefix_goes_on_like_the_table_that_wrote_it(preset: str) -> None:
    rng = np.random.default_rng(2)
    for game in range(8):
        table = Table(random_rules(rng, preset), seed=game)
        play_on(table, rng, steps=int(rng.integers(20, 160)))
        while not table.is_over and (table.phase == Phase.EXPOSE or table.tables["selection_ones"][0]):
            play_on(table, rng, steps=1)
        again = replay_record(table.record())
        for _ in range(40):
            assert again.legal_actions() == table.legal_actions()
            assert np.array_equal(again.state(), table.state())
            if table.is_over:
                break
            action = int(rng.choice(table.legal_actions()))
            table.apply(action)
            again.apply(action)


def test_the_first_deal_of_a_match_can_be_a_record(record: dict[str, Any]) -> None:
    table = replay_record(record, deals_per_match=2, seed=5)
    assert table.phase == Phase.AUCTION
    assert table.first_caller == record["result"]["next_first_caller"]
    assert np.subtract(table.totals, record["totals"]).tolist() == record["result"]["rewards"]
    del record["result"]
    assert refusal({**record, "actions": [*record["actions"], {"seat": 0, "call": 85}]}).reason == "after_end"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "baofen-record/2"}, "bad_format"),
        ({"rules": "bridge"}, "bad_option"),
        ({"rules": ["suzhou"]}, "bad_option"),
        ({"options": {"red5_bonus": 40}}, "bad_option"),
        ({"options": {"bid_min": 85.0}}, "bad_option"),
        ({"options": {"eights": 1}}, "bad_option"),
        ({"options": None}, "bad_option"),
        ({"first_caller": True}, "bad_header"),
        ({"first_caller": 0.0}, "bad_header"),
        ({"first_caller": -1}, "bad_header"),
        ({"totals": [0, 0, 0, True]}, "bad_header"),
        ({"totals": [0, 0, 0, 10**12]}, "bad_header"),
        ({"totals": 0}, "bad_header"),
        ({"pot": -100}, "bad_header"),
        ({"pot": 100, "pot_age": 0}, "bad_header"),
        ({"pot": 100, "pot_age": 5}, "bad_header"),
        ({"pot": 0, "pot_age": 1}, "bad_header"),
        ({"pot": 100, "pot_age": 1, "options": {"all_pass": "forced"}}, "bad_header"),
        ({"hands": []}, "bad_cards"),
        ({"hands": ["As", "As", "As", "As"]}, "bad_cards"),
        ({"bottom": 8}, "bad_card"),
        ({"bottom": "3s 3s 3s 3s 3s 3s 3s 3s"}, "bad_cards"),
        ({"actions": {}}, "bad_header"),
        ({"actions": []}, "unfinished"),
        ({"result": None}, "wrong_result"),
        ({"result": None, "actions": []}, "unfinished"),
    ],
)
def test_headers_are_refused(record: dict[str, Any], change: dict[str, Any], reason: str) -> None:
    fault = refusal({**record, **change})
    assert (fault.index, fault.reason) == (None, reason)


@pytest.mark.parametrize("key", ["format", "rules", "first_caller", "pot", "totals", "hands", "bottom", "actions"])
def test_needed_keys(record: dict[str, Any], key: str) -> None:
    del record[key]
    assert refusal(record).index is None


def test_optional_keys(record: dict[str, Any]) -> None:
    for key in ("options", "players", "pot_age", "result"):
        record.pop(key, None)
    record["table"] = {"anything": "else"}
    replay_record(record)
    record["options"] = {"eights": True, "trump_bonus_counts_buried": "off"}
    replay_record(record)


def test_a_pot_without_an_age_is_one_deal_old(record: dict[str, Any]) -> None:
    record.update(pot=100, actions=[])
    del record["pot_age"], record["result"]
    assert replay_record(record).record()["pot_age"] == 1


@pytest.mark.parametrize(
    "action",
    [
        "pass",
        {"seat": 0},
        {"call": 85},
        {"seat": 0, "call": 85, "note": ""},
        {"seat": 0, "call": 85, "after": 3},
        {"seat": 0, "call": 85, "play": "3s"},
        {"seat": True, "call": 85},
        {"seat": 0.0, "call": 85},
        {"seat": None, "call": 85},
        {"seat": None, "trump": "s"},
        {"seat": 0, "call": 85.0},
        {"seat": 0, "call": True},
        {"seat": 0, "call": None},
        {"seat": 0, "call": "Pass"},
        {"seat": 0, "trump": "s"},
        {"seat": 0, "play": ""},
        {"seat": 0, "play": ["3s"]},
        {"seat": 0, "expose": "2s", "after": 100},
        {"seat": 0, "forfeit": "gold"},
        {"seat": 4, "forfeit": "points"},
    ],
)
def test_actions_of_wrong_form_are_refused(record: dict[str, Any], action: Any) -> None:
    record.update(first_caller=0, actions=[action])
    assert refusal(record).index == 0


@pytest.mark.parametrize(
    ("key", "value"),
    [("score", True), ("captured", 1.5), ("rewards", [0, 0, 0]), ("rewards", None), ("declarer", None), ("pots", 0)],
)
def test_results_that_do_not_follow_are_refused(record: dict[str, Any], key: str, value: Any) -> None:
    fault = refusal({**record, "result": {**record["result"], key: value}})
    assert (fault.index, fault.reason) == (None, "wrong_result")


def test_an_exposure_may_be_protected_with_one_card_or_with_both() -> None:
    protected = 0
    for record in lines("exposure"):
        shown = [action for action in record["actions"] if "expose" in action]
        if len(shown) == 2 and shown[0]["seat"] == shown[1]["seat"]:
            card = shown[1]["expose"].split()[0]
            for words in (card, f"{card} {card}"):
                shown[1]["expose"] = words
                replay_record(record)
            protected += 1
    assert protected > 0


def test_an_exposure_says_when_it_was_made() -> None:
    for record in lines("exposure"):
        shown = [index for index, action in enumerate(record["actions"]) if "expose" in action]
        if shown:
            action = record["actions"][shown[0]]
            for after in (None, True, 0, 101, float(action["after"]), "1"):
                action["after"] = after
                assert refusal(record).index == shown[0]
            del action["after"]
            assert refusal(record).index == shown[0]
            return
    raise AssertionError("no exposure among the examples")


def test_lines_that_are_no_records() -> None:
    for line in (b"", b"\n", b"{", b"[]", b"null", b"\xff", b'{"format": NaN}', b"[" * 100_000, "1" * 5000):
        with pytest.raises(RecordError) as refused:
            replay_record(parse_record(line))
        assert (refused.value.index, refused.value.reason) == (None, "bad_format")
    with pytest.raises(RecordError, match="'pot' stands twice"):
        parse_record('{"pot": 0, "pot": 100}')


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, record: dict[str, Any]) -> None:
    path = tmp_path / "games.jsonl"
    write_records(str(path), [record, record])  # a name will do
    assert check_file(str(path)) == []
    assert check_file(path) == []
    with pytest.raises(TypeError):
        write_records(path, [{**record, "players": [object()]}])
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]
    assert len(path.read_bytes().splitlines()) == 2


def test_replay_names_line_action_and_reason(
    tmp_path: Path, record: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    actions = [{**record["actions"][0], "call": 75}]
    write_records(path, [record])
    assert replay_main(path, False) == 0
    assert capsys.readouterr().out == "1 record, all legal\n"
    write_records(path, [record, {**record, "actions": actions}, {**record, "actions": []}])
    assert replay_main(path, False) == 1
    seat = actions[0]["seat"]
    assert capsys.readouterr().out.splitlines() == [
        f"line 2, action 0: seat {seat} calls 75: the lowest call now is 85",
        "line 3: there is a result, but the deal is not over",
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_show_prints_every_game(preset: str) -> None:
    for record in lines(preset)[::6]:
        shown = list(show_record(record))
        plays = [line for line in shown if line.startswith("trick ")]
        assert len(plays) <= 25
        assert "rewards" in shown[-1]


def test_replay_as_a_command(tmp_path: Path, record: dict[str, Any]) -> None:
    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        code = (
            "import sys; from baofen.training.cli import main\ntry: main()\nfinally: assert 'torch' not in sys.modules"
        )
        command = [sys.executable, "-c", code, "replay", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)

    path = tmp_path / "games.jsonl"
    write_records(path, [record])
    shown = run(path, "--show")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "trick 1" in shown.stdout
    assert run(tmp_path / "none.jsonl").returncode == 2
    assert run(tmp_path).returncode == 2


def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it(tmp_path: Path, record: dict[str, Any]) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(format_record(record) + "\n", encoding="utf-8-sig")
    assert read_records(path) == [record]
    assert check_file(path) == []
    path.write_bytes(path.read_bytes() * 2)
    assert [number for number, _ in check_file(path)] == [2]


def test_a_version_of_records_is_an_entry(monkeypatch: pytest.MonkeyPatch, record: dict[str, Any]) -> None:
    """Another version, whose actions are pairs of a seat and the rest."""

    def read_pairs(pairs: Mapping[str, Any]) -> Mapping[str, Any]:
        return {
            **pairs,
            "format": record["format"],
            "actions": [{"seat": seat, **rest} for seat, rest in pairs["moves"]],
        }

    actions = record.pop("actions")
    moves = [[action.pop("seat"), action] for action in actions]
    other = {**record, "format": "mine/2", "moves": moves}
    assert "format must be 'baofen-record/1', not 'mine/2'" in str(refusal(other))
    monkeypatch.setitem(READERS, "mine/2", read_pairs)
    with pytest.raises(RecordError, match="unknown"):
        replay_record({**other, "moves": [[0, {"call": 85, "seats": 1}]]})
    assert replay_record(other).result == record["result"]
