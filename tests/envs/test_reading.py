"""What people read of a table: hands with trumps together, lines that fit, pictures that are never blank."""

import contextlib
import io
import re
from pathlib import Path

import numpy as np
import pytest
from places import RECORDS

from baofen.envs import Table
from baofen.envs.cards import FACE_NAMES, NUM_FACES, parse_cards
from baofen.envs.core.dtypes import TRUMP_GROUP
from baofen.envs.records import read_records, replay_main
from baofen.envs.records.replay import Replay
from baofen.envs.render.display import table_text, trumps_of
from baofen.envs.render.picture import HANDS_TOP, HEIGHT, LINE, ROW, TRICK_TOP, table_picture
from baofen.envs.render.text import cards_text, fold, hand_text, in_reading_order
from baofen.envs.rules import PRESETS

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module", params=PRESETS)
def stages(request):
    """A stored game at its auction, bury and play, and at its end, as tables."""
    for record in read_records(RECORDS / f"{request.param}.jsonl"):
        replay = Replay(record)
        kept: dict[str, Table] = {}
        for _ in replay.steps():
            kept.setdefault(replay.table.phase.name, replay.table.copy())
        if {"AUCTION", "BURY", "PLAY", "OVER"} <= set(kept):
            return kept
    raise AssertionError("no game was played to its end")


def test_trumps_stand_together_and_highest_first(stages):
    table = stages["PLAY"]
    trumps = trumps_of(table)
    group, position = (table.rules.record[name][0, int(table.tables["layout"][0])] for name in ("group", "position"))
    assert set(trumps) == {face for face in range(NUM_FACES) if group[position[face]] == TRUMP_GROUP}
    assert {"2s", "2h", "2c", "2d"} <= {FACE_NAMES[face] for face in trumps}
    for seat in range(4):
        held = parse_cards(table.hand(seat))
        ordered = in_reading_order(held, trumps)
        own = [face for face in ordered if face in trumps]
        assert ordered[: len(own)] == own
        assert [trumps.index(face) for face in own] == sorted(trumps.index(face) for face in own)
        assert all("2" not in part.split()[1:] for part in hand_text(held, trumps).split(" | ")[bool(own) :])


def test_text_and_trick_show_them_so(stages):
    table = stages["PLAY"]
    shown = table_text(table)
    for seat in range(4):
        assert hand_text(parse_cards(table.hand(seat)), trumps_of(table)) in shown
    assert cards_text([0, 12], [12, 0]).startswith("A")


def drawn(picture, top, bottom):
    """How much is drawn in some rows of a picture, besides the felt."""
    return int((picture[top:bottom] != picture[-1, -1]).any(2).sum())


@pytest.mark.parametrize("stage", ["AUCTION", "BURY", "PLAY", "OVER"])
def test_a_picture_is_never_blank(stages, stage):
    picture = table_picture(stages[stage])
    for seat in range(4):
        top = HANDS_TOP + seat * ROW
        assert drawn(picture, top + LINE, top + ROW - 10) > 200
    if stage == "OVER":
        assert drawn(picture, TRICK_TOP + LINE, TRICK_TOP + ROW - 10) > 16 * 200  # bottom and bury
        assert drawn(picture, TRICK_TOP + ROW, HEIGHT) > 200  # the settlement


def test_the_picture_and_the_text_have_one_order(stages, monkeypatch):
    table = stages["PLAY"]
    faces = []
    monkeypatch.setattr("baofen.envs.render.picture.Pen.card", lambda self, x, y, face: faces.append(face))
    table_picture(table)
    trumps = trumps_of(table)
    expected = [face for seat in range(4) for face in in_reading_order(parse_cards(table.hand(seat)), trumps)]
    assert faces[: len(expected)] == expected


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("preset", PRESETS)
def test_shown_games_fit_their_columns(columns, preset, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    with contextlib.redirect_stdout(io.StringIO()) as out:
        replay_main(RECORDS / f"{preset}.jsonl", True)
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= columns
    assert sum(line.startswith("  hand") for line in lines) >= 4 * len(read_records(RECORDS / f"{preset}.jsonl"))


def test_folding_loses_no_word():
    line = "  hand 0  BJ LJ 2♦ ♦ " + " ".join("AKQJ9876543" * 3)
    folded = fold(line, 60, 10)
    assert folded.split() == line.split()
    assert max(map(len, folded.splitlines())) <= 60
    assert fold("  short  line", 60, 10) == "  short  line"


def test_the_first_example_is_the_same_every_time():
    """Deal and actions have seeds, so that it prints one result."""
    (code,) = re.findall(r"## Play a deal\n\n```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    told = []
    for number in range(2):
        np.random.default_rng(number)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(code, "README.md", "exec"), {})  # noqa: S102, our own page
        told.append(out.getvalue())
    assert told[0] == told[1] != ""
