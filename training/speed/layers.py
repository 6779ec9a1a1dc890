"""The layers that `baofen speed` measures, with their bars; the order is that of the output."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from baofen.training.speed import startup
from baofen.training.speed.measure import AbsentError


@dataclass(frozen=True)
class Layer:
    """One figure.

    measure: (CPU-seconds of one repeat) -> the figure; raises `AbsentError` if it cannot be measured here.
    bar, goal: what it should reach, None if that is no fixed number; for times and memory less is better.
    """

    meaning: str
    unit: str
    measure: Callable[[float], float]
    bar: float | None = None
    goal: float | None = None
    less_is_better: bool = False

    def meets(self, value: float, bar: float | None) -> bool | None:
        """Return whether a figure meets a bar; None if there is no bar."""
        if bar is None:
            return None
        return value <= bar if self.less_is_better else value >= bar


def _game(name: str) -> Callable[[float], float]:
    """Return a measure of `baofen.training.speed.game`, which is imported, and compiled, only when it is wanted."""

    def measure(seconds: float) -> float:
        from baofen.training.speed import game

        figure: float = getattr(game, name)(seconds)
        return figure

    return measure


@cache
def _trained(which: str) -> Any:
    """Return the `Rate` of `train_rate` or `plain_rate`: one measurement for the figures by wall and by CPU time."""
    try:
        from baofen.training.speed import train_rate
    except ModuleNotFoundError as error:
        raise AbsentError(f"{error.name} is not installed") from None
    return getattr(train_rate, which)()


@cache
def _starts() -> tuple[float, float]:
    return startup.starts()


def _bytes_per_table(seconds: float) -> float:
    from baofen.training.speed.game import bytes_per_table

    return bytes_per_table()


_MB_OF_4096_TABLES = 1e6 / 4096

LAYERS: dict[str, Layer] = {
    "core": Layer("decisions with masks, 1024 tables", "per CPU-s", _game("core"), 2.8e6, 8e6),
    "core_observed": Layer("the same with observations", "per CPU-s", _game("core_observed"), 2e6, 4e6),
    "aec_raw": Layer("decisions of raw_env, one table", "per CPU-s", _game("aec_raw"), 100e3, 200e3),
    "aec": Layer("decisions of env with its wrappers", "per CPU-s", _game("aec"), 50e3, 70e3),
    "deals": Layer("whole deals by random:cards", "per CPU-s", _game("deals"), 15e3, 45e3),
    "playouts": Layer("whole deals by the heuristic", "per CPU-s", _game("playouts"), 10e3, 20e3),
    "cold_start_s": Layer(
        "import, compile, first decisions", "CPU-s", lambda seconds: _starts()[0], 60, 25, less_is_better=True
    ),
    "warm_start_s": Layer(
        "the same, compiled before", "CPU-s", lambda seconds: _starts()[1], 2, 1, less_is_better=True
    ),
    "bytes_per_table": Layer(
        "memory of a batch for each table",
        "bytes",
        _bytes_per_table,
        64 * _MB_OF_4096_TABLES,
        16 * _MB_OF_4096_TABLES,
        less_is_better=True,
    ),
    "train": Layer("decisions learned from", "per s", lambda seconds: _trained("train_rate").per_second),
    "train_plain": Layer("the same by plain RLlib", "per s", lambda seconds: _trained("plain_rate").per_second),
    "train_cpu": Layer(
        "decisions learned from, same run", "per CPU-s", lambda seconds: _trained("train_rate").per_cpu_second
    ),
    "train_plain_cpu": Layer(
        "plain RLlib, same run", "per CPU-s", lambda seconds: _trained("plain_rate").per_cpu_second
    ),
}
TRAIN_BAR, TRAIN_GOAL = 15, 30
"""What `train` should be as a multiple of `train_plain`."""
