"""`baofen speed`: measure the layers that are asked for and print them."""

import json
import sys
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from baofen.training.errors import UserError
from baofen.training.speed.layers import LAYERS, TRAIN_BAR, TRAIN_GOAL
from baofen.training.speed.measure import SECONDS, AbsentError

Figures = Mapping[str, float | None]
"""Layer -> its figure; None where it could not be measured."""


def speed_main(as_json: bool, layers: Sequence[str] | None, seconds: float = SECONDS) -> None:
    """Measure layers, all of them if `layers` is None, and print the figures on stdout; progress goes to stderr.

    Raises:
        UserError: for a layer that does not exist.
    """
    names = list(LAYERS) if layers is None else list(dict.fromkeys(layers))
    unknown = [name for name in names if name not in LAYERS]
    if unknown:
        raise UserError(f"unknown layer {', '.join(map(repr, unknown))}: there are {', '.join(LAYERS)}")
    figures = measured(names, seconds)
    if as_json:
        print(json.dumps(figures))
    else:
        print_figures(figures)


def measured(names: Sequence[str], seconds: float) -> dict[str, float | None]:
    """Return the figures of some layers, in the order asked."""
    figures: dict[str, float | None] = {}
    for name in names:
        print(f"measuring {name}: {LAYERS[name].meaning}", file=sys.stderr, flush=True)
        try:
            figures[name] = round(LAYERS[name].measure(seconds), 3)
        except AbsentError as error:
            print(f"{name} was not measured: {error}", file=sys.stderr)
            figures[name] = None
    return figures


def print_figures(figures: Figures) -> None:
    """Print figures as a table, with what they should reach."""
    console = Console()
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("layer")
    table.add_column("what")
    for name in ("figure", "first bar", "goal"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    for name, value in figures.items():
        layer = LAYERS[name]
        bars = [_bar(layer.meets(value, bar) if value is not None else None, bar) for bar in (layer.bar, layer.goal)]
        table.add_row(name, layer.meaning, "not measured" if value is None else short(value), *bars, layer.unit)
    ours, plain = figures.get("train"), figures.get("train_plain")
    if ours is not None and plain is not None:
        ratio = ours / plain
        bars = [_bar(ratio >= bar, bar) for bar in (TRAIN_BAR, TRAIN_GOAL)]
        table.add_row("", "train / train_plain", short(ratio), *bars, "times")
    (console if console.is_terminal else Console(width=120)).print(table)


def _bar(met: bool | None, bar: float | None) -> str:
    """Return a bar with a mark that says whether it is met."""
    if bar is None:
        return ""
    mark = {None: " ", True: "+", False: "-"}[met]
    return f"{short(bar)} {mark}"


def short(value: float) -> str:
    """Return a figure with about three digits.

    >>> [short(value) for value in (16_234_000.0, 95_400.0, 3906.25, 27.31, 0.874)]
    ['16.2 M', '95.4 k', '3.91 k', '27.3', '0.87']
    """
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if value >= unit:
            scaled = value / unit
            return f"{scaled:.{2 if scaled < 10 else 1 if scaled < 100 else 0}f}{name}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"
