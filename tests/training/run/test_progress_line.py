"""The progress line on a terminal: one row at any width, and what was longer is wiped away."""

import io
import os
import pty
import re

import pytest

from baofen.training.run.checkpoints import Progress
from baofen.training.run.progress import ProgressLine
from baofen.training.terminal import ProgressLines, progress, stdout_console, width_of

FIGURES = {
    "speed/deals_per_second": 301.2,
    "speed/decisions_per_second": 40123.0,
    "returns/declarer_points_per_deal": -266.5,
    "returns/defender_points_per_deal": 202.8,
    "returns/seat_points_per_deal": 85.5,
    "auction/made_rate": 0.4,
}
EVALUATION = {
    f"evaluation/{role}_over_{versus}_against_{versus}": -178.6
    for versus in ("random", "heuristic")
    for role in ("declarer_captured", "defenders_captured", "seat_score")
}


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("columns", [40, 80, 100, 120])
def test_it_keeps_to_one_row(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    screen = Screen()
    line = ProgressLine(5.0, screen)
    for iteration in range(3):
        line.show(Progress(iteration, 786_000, 5_800, 83.0), FIGURES, EVALUATION if iteration else {})
    line.show(Progress(3, 786_000, 5_800, 83.0), {}, EVALUATION)
    written = screen.getvalue()
    rows = re.split(r"[\r\n]", written)
    assert max(len(row) for row in rows if not row.startswith("iteration")) < columns
    assert [row for row in rows if "over" in row] == [
        f"iteration 1, over {versus}: declarer -178.6, defenders -178.6, seat -178.6"
        for versus in ("random", "heuristic")
    ]
    first, last = written.split("\n")[-1].split("\r")[-2:]
    assert len(last) >= len(first)  # blanks cover what was longer


def test_what_does_not_fit_is_left_out_and_all_of_it_goes_to_a_file(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    screen, file = Screen(), io.StringIO()
    for stream in (screen, file):
        ProgressLine(5.0, stream).show(Progress(12, 786_000, 5_800, 83.0), FIGURES, EVALUATION)
    start = "1:23 of 5:00 | iteration 12 | 5.8k deals | 301 deals/s, 40.1k decisions/s"
    assert screen.getvalue().split("\r")[-1].startswith(start)
    assert "points" not in screen.getvalue()
    assert file.getvalue().startswith(start + " | points declarer -266.5, defender +202.8, seat +85.5 | made 40%")
    assert "over heuristic: declarer -178.6" in file.getvalue()


def test_the_width_is_that_of_the_stream(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    reading, writing = pty.openpty()
    with os.fdopen(reading, "r"), os.fdopen(writing, "w") as terminal:
        import fcntl
        import struct
        import termios

        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 97, 0, 0))
        assert width_of(terminal) == 97
    assert width_of(io.StringIO()) == 80
    assert stdout_console().width == 80
    monkeypatch.setenv("COLUMNS", "120")
    assert stdout_console().width == 120


def test_progress_elsewhere_is_a_line_now_and_then(capsys):
    """The lines come beside the work: also while it says nothing."""
    lines = ProgressLines("games", 40, first_after_s=0.05)
    lines.advance(10)
    seen = ""
    while seen.count("\n") < 4:
        seen += capsys.readouterr().err
    lines.stop()
    assert all(re.fullmatch(r"games: \d+:\d\d, 10 of 40, about \d+:\d\d left", row) for row in seen.splitlines())
    assert capsys.readouterr().err.count("\n") <= 1


def test_short_work_says_nothing(capsys):
    with progress("games", 3) as advance:
        advance(3)
    assert capsys.readouterr() == ("", "")
