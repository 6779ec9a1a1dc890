"""Where tables and progress are printed."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

WIDTH_WITHOUT_TERMINAL = 80
LEAST_WIDTH = 80
"""All tables fit it; in a terminal that is narrower, lines are left to the terminal to break."""
FIRST_LINE_AFTER_S = 5.0
LINES_FURTHER_APART = 1.6
"""So many times as long after the beginning comes the next line of progress: an hour has 15."""


class Terminal(Console):
    """A console that leaves a closed pipe to the command line, which has one exit code for it."""

    def on_broken_pipe(self) -> None:
        """Raise it again; rich itself would leave with code 1, as if the results were bad."""
        raise  # noqa: PLE0704, rich calls this while it handles the error


def stdout_console() -> Terminal:
    """Return a console on stdout: as wide as its terminal, or else 80 columns, or as many as COLUMNS says."""
    console = Terminal(highlight=False)
    if console.is_terminal:
        return console if console.width >= LEAST_WIDTH else Terminal(width=LEAST_WIDTH, highlight=False)
    # Not what rich would find: where stdout is a file, it takes the width of the terminal that stderr goes to.
    return Terminal(width=max(width_of(sys.stdout), LEAST_WIDTH), highlight=False)


def width_of(stream: TextIO) -> int:
    """Return the columns of a stream: what COLUMNS says, else those of its terminal, else 80."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH_WITHOUT_TERMINAL
    except OSError:  # no terminal, or no file behind it
        return WIDTH_WITHOUT_TERMINAL


@contextmanager
def progress(what: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """Show on stderr how work goes on; yields what is to be told how much more of `total` is done.

    On a terminal a bar, gone at the end; elsewhere a line after five seconds and then ever more rarely, each 1.6 times
    as late as the one before. Without a total only the time is shown.
    """
    console = Terminal(stderr=True)
    if quiet:
        yield lambda done: None
    elif console.is_terminal:
        counted = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) if total else (TimeElapsedColumn(),)
        with Progress(TextColumn("{task.description}"), *counted, console=console, transient=True) as bar:
            task = bar.add_task(what, total=total)
            yield lambda done: bar.advance(task, done)
    else:
        lines = ProgressLines(what, total)
        try:
            yield lines.advance
        finally:
            lines.stop()


class ProgressLines:
    """Lines on stderr now and then, written beside the work, so that they come while one long step is under way."""

    def __init__(self, what: str, total: int | None, first_after_s: float = FIRST_LINE_AFTER_S) -> None:
        self._what, self._total, self._done = what, total, 0
        self._began = time.monotonic()
        self._next_after_s = first_after_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def advance(self, done: int) -> None:
        """Count what is done."""
        self._done += done

    def stop(self) -> None:
        """Write no more."""
        self._stopped.set()
        self._thread.join()

    def _write(self) -> None:
        while not self._stopped.wait(max(0.0, self._began + self._next_after_s - time.monotonic())):
            seconds = time.monotonic() - self._began
            print(self._line(seconds), file=sys.stderr, flush=True)
            while self._next_after_s <= seconds:  # more than once where a long step of compiled code kept this waiting
                self._next_after_s *= LINES_FURTHER_APART

    def _line(self, seconds: float) -> str:
        line = f"{self._what}: {duration(seconds)}"
        if self._total:
            line += f", {self._done} of {self._total}"
            if self._done:
                line += f", about {duration(seconds * (self._total - self._done) / self._done)} left"
        return line


def duration(seconds: float) -> str:
    """Return a time in minutes and seconds, or hours.

    >>> [duration(7.2), duration(95), duration(7300)]
    ['0:07', '1:35', '2:01:40']
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def plain_table(columns: Sequence[str], sides: str) -> Table:
    """Return a table without a frame, whose columns stand to the left (`l`) or right (`r`) and are never broken."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name, side in zip(columns, sides, strict=True):
        table.add_column(Text(name), justify="right" if side == "r" else "left", no_wrap=True)
    return table


def show_table(console: Console, title: str, table: Table) -> None:
    """Print a table below an empty line and its title, which may be wider than it."""
    console.print()
    if title:
        console.print(Text(title, "bold"))
    console.print(table)
