"""The progress line on stderr and the curves in TensorBoard."""

import math
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from torch.utils.tensorboard import SummaryWriter

from baofen.training.run.checkpoints import Progress
from baofen.training.terminal import width_of

TENSORBOARD = "tensorboard"


def evaluation_figures(rows: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the differences of an evaluation, by name in TensorBoard; `rows` as in the arena's results."""
    return {
        f"evaluation/{row['role']}_{row['metric']}_over_{row['versus']}_against_{row['opponents']}": float(
            row["difference"]
        )
        for row in rows
    }


class Board:
    """TensorBoard events of a run; the x axis is the number of decisions learned from, over all sittings."""

    def __init__(self, run_dir: Path, start: Progress) -> None:
        # Points that an interrupted sitting wrote after its last checkpoint, or before its first, would stand twice.
        purge = start.decisions + 1 if start.iterations else 0
        self._writer = SummaryWriter(str(run_dir / TENSORBOARD), purge_step=purge, flush_secs=10)

    def write(self, figures: Mapping[str, float], decisions: int) -> None:
        """Add one point to the curve of each figure."""
        for name, value in figures.items():
            if math.isfinite(value):
                self._writer.add_scalar(name, value, decisions)

    def write_calls(self, counts: Mapping[str, float], decisions: int) -> None:
        """Add the histogram of calls: counts by label, those whose label is a number of points."""
        calls = sorted((int(label), n) for label, n in counts.items() if label.isdigit())
        total = sum(n for _, n in calls)
        if not total:
            return
        values = np.array([value for value, _ in calls], float)
        number = np.array([n for _, n in calls], float)
        self._writer.add_histogram_raw(
            "auction/calls_points",
            min=values[0], max=values[-1], num=total, sum=float(values @ number),
            sum_squares=float(values**2 @ number), bucket_limits=(values + 2.5).tolist(),
            bucket_counts=number.tolist(), global_step=decisions,
        )  # fmt: skip

    def close(self) -> None:
        """Write what is left."""
        self._writer.close()


class ProgressLine:
    """One line on stderr: rewritten in place on a terminal, now and then a new one elsewhere."""

    def __init__(self, minutes: float | None, stream: TextIO | None = None, every_seconds: float = 5.0) -> None:
        self._minutes = minutes
        self._stream = stream or sys.stderr
        self._every_seconds = every_seconds
        self._last_time = -math.inf
        self._width = 0
        self._told_evaluation: dict[str, float] = {}

    def show(self, progress: Progress, figures: Mapping[str, float], evaluation: Mapping[str, float]) -> None:
        """Show how training goes; on a terminal what fits its width, each new evaluation on lines of its own."""
        if self._stream.isatty():
            if evaluation != self._told_evaluation:
                for text in evaluation_texts(evaluation):
                    self.say(f"iteration {progress.iterations}, {text}")
                self._told_evaluation = dict(evaluation)
            # One column less: a terminal that has filled its last one may go to the next row.
            line = fitting(progress_text(progress, self._minutes, figures, {}), width_of(self._stream) - 1)
            self._stream.write("\r" + line.ljust(self._width))
            self._width = len(line)
        elif time.monotonic() - self._last_time >= self._every_seconds:
            self._stream.write(progress_text(progress, self._minutes, figures, evaluation) + "\n")
            self._last_time = time.monotonic()
        self._stream.flush()

    def say(self, text: str) -> None:
        """Write a line of its own."""
        self._stream.write(("\n" if self._width else "") + text + "\n")
        self._width = 0
        self._stream.flush()


def fitting(line: str, width: int) -> str:
    """Return the parts of a progress line, from the left, that fit a width.

    >>> fitting("0:08 of 0:30 | iteration 4 | points declarer -266.5 | made 0%", 40)
    '0:08 of 0:30 | iteration 4 | made 0%'
    """
    kept = ""
    for part in line.split(" | "):
        longer = f"{kept} | {part}" if kept else part
        if len(longer) <= width:
            kept = longer
    return kept or line[:width]


def progress_text(
    progress: Progress, minutes: float | None, figures: Mapping[str, float], evaluation: Mapping[str, float]
) -> str:
    """Return the progress line.

    >>> speed = {"speed/deals_per_second": 301.2, "speed/decisions_per_second": 40123.0}
    >>> progress_text(Progress(12, 786_000, 5_800, 83.0), 5.0, speed | {"auction/made_rate": 0.4}, {})
    '1:23 of 5:00 | iteration 12 | 5.8k deals | 301 deals/s, 40.1k decisions/s | made 40%'
    """
    parts = [
        _clock(progress.seconds) + (f" of {_clock(60 * minutes)}" if minutes else ""),
        f"iteration {progress.iterations}",
        f"{_short(progress.deals)} deals",
    ]
    speed = [
        f"{_short(figures[key])} {unit}"
        for key, unit in (
            ("speed/deals_per_second", "deals/s"),
            ("speed/decisions_per_second", "decisions/s"),
        )
        if key in figures
    ]
    parts.append(", ".join(speed))
    returns = [
        f"{who} {figures[key]:+.1f}"
        for who in ("declarer", "defender", "seat")
        if (key := f"returns/{who}_points_per_deal") in figures
    ]
    if returns:
        parts.append("points " + ", ".join(returns))
    gains = [
        f"{kind} {figures[key]:+.2f}"
        for kind in ("declarer", "defender", "bury")
        if (key := f"fit_{kind}/gain_points") in figures
    ]
    if gains:
        parts.append("gain " + ", ".join(gains))
    if "auction/made_rate" in figures:
        parts.append(f"made {figures['auction/made_rate']:.0%}")
    parts += evaluation_texts(evaluation)
    return " | ".join(part for part in parts if part)


def evaluation_texts(evaluation: Mapping[str, float]) -> list[str]:
    """Return the differences of an evaluation in a few words for each agent compared with.

    >>> evaluation_texts({"evaluation/declarer_captured_over_random_against_random": 9.0})
    ['over random: declarer +9.0']
    """
    found: dict[str, list[str]] = {}
    for name, value in evaluation.items():
        role, _, versus = name.removeprefix("evaluation/").partition("_over_")
        versus = versus.partition("_against_")[0]
        found.setdefault(versus, []).append(f"{role.partition('_')[0]} {value:+.1f}")
    return [f"over {versus}: {', '.join(differences)}" for versus, differences in found.items()]


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _short(number: float) -> str:
    """Return a number with at most four characters or so: 301, 5.8k, 2.6M."""
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if number >= limit:
            return f"{number / limit:.1f}{unit}"
    return f"{number:.0f}"
