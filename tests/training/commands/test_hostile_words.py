"""Words and files that would end in a traceback, or do something to the terminal."""

import errno
from typing import Any

import pytest

from baofen.envs.render.printable import printable
from baofen.training import cli

LONG = "a/" * 2500


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as left:
        cli.main(words)
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    return err


@pytest.mark.parametrize(
    "words",
    [
        ["train", f"{LONG}.yaml"],
        ["train", "--resume", f"{LONG}"],
        ["replay", LONG],
        ["bench", "./" + "b" * 300],
        ["bench", LONG],
        ["bench", "random", "--out", f"{LONG}", "--deals", "2"],
        ["bench", "random", "--rules", LONG],
        ["par", "--deals", "1", "--out", f"{LONG}"],
    ],
    ids=lambda words: " ".join(words)[:20],
)
def test_a_name_without_end_is_told_shortened(words: list[str], capsys: Any) -> None:
    assert len(told(capsys, *words)) < 1000


def test_a_message_does_nothing_to_the_terminal(capsys: Any) -> None:
    assert "\\x1b[2J" in told(capsys, "bench", "\x1b[2J")


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (OSError(errno.EIO, "", "games"), "baofen: cannot read or write games: input/output error\n"),
        (OSError(errno.EIO, ""), "baofen: cannot read or write the files of this command: input/output error\n"),
        (OSError(errno.ENOSPC, "", "out"), "baofen: cannot write the results to out: no space left on device\n"),
    ],
)
def test_a_fault_of_reading_is_not_called_one_of_writing(
    fault: OSError, sentence: str, capsys: Any, monkeypatch: Any
) -> None:
    def fails(words: list[str]) -> None:
        raise fault

    monkeypatch.setattr(cli, "_run", fails)
    assert told(capsys, "agents") == sentence


def test_line_ends_stay_where_they_are_wanted() -> None:
    assert printable("one\ntwo", lines=True) == "one\ntwo"
    assert printable("one\ntwo") == "one\\ntwo"
