"""A stdout that cannot be written to: a reader that has left, a full disk, none at all. No traceback, one exit code."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from places import RECORDS

from baofen.training import cli

SCRIPT = "from baofen.training.cli import main; main()"
FULL = "/dev/full"
COMMANDS = [
    "--version",
    "--help",
    "bench --help",
    "agents",
    f"replay {RECORDS / 'suzhou.jsonl'} --show",
    f"replay {RECORDS / 'suzhou-illegal.jsonl'}",
    "bench random --deals 2",
    "bids heuristic --deals 10 --decisions 0",
]
COMMAND_AND_BUFFERING = [(words, buffered) for words in COMMANDS for buffered in (True, False)]
"""What is printed may fail in `print` itself, or as late as in the flush at the end."""


PROGRESS = re.compile(r"^[\w .]+: \d+:\d\d(, .*)?\n", re.MULTILINE)
"""Lines now and then of a command that takes more than five seconds, as where the kernels are compiled first."""


def left(words: str, stdout: int | IO[str] | None, buffered: bool = True) -> tuple[int, str]:
    """The exit code, and stderr but for progress, of a command that prints to a stdout, None for a closed one."""
    command = [sys.executable, "-c", SCRIPT, *words.split()]
    if stdout is None:
        command = ["sh", "-c", 'exec "$@" >&-', "sh", *command]
    done = subprocess.run(
        command,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"},
    )
    return done.returncode, PROGRESS.sub("", done.stderr)


@pytest.mark.parametrize(("words", "buffered"), COMMAND_AND_BUFFERING)
def test_a_reader_that_has_left_ends_a_command_in_silence(words: str, buffered: bool) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert left(words, writing, buffered) == (141, "")
    finally:
        os.close(writing)


@pytest.mark.skipif(not Path(FULL).exists(), reason=f"no {FULL} here")
@pytest.mark.parametrize(("words", "buffered"), COMMAND_AND_BUFFERING)
def test_a_full_disk_is_told_in_a_line(words: str, buffered: bool) -> None:
    with open(FULL, "w") as full:
        told = left(words, full, buffered)
    assert told == (2, "baofen: cannot write the results: no space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="closes stdout by a shell")
@pytest.mark.parametrize("words", COMMANDS)
def test_a_closed_stdout_is_told_in_a_line(words: str) -> None:
    assert left(words, None) == (2, "baofen: cannot write the results: stdout is closed\n")


def raising(monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    def run(words: list[str]) -> None:
        raise error

    monkeypatch.setattr(cli, "_run", run)


def test_a_file_that_cannot_be_written_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, OSError(errno.EDQUOT, "", "out/results.json"))
    with pytest.raises(SystemExit) as gone:
        cli.main(["agents"])
    assert gone.value.code == 2
    assert capsys.readouterr() == ("", "baofen: cannot write the results to out/results.json: disk quota exceeded\n")


@pytest.mark.parametrize("fault", [errno.ENOENT, errno.EBADF, errno.EINVAL])
def test_other_faults_of_the_system_are_not_hidden(fault: int, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(monkeypatch, OSError(fault, "ours"))
    with pytest.raises(OSError, match="ours"):
        cli.main(["agents"])
