"""`baofen speed`: measure what is asked for and print it."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from baofen.training.errors import UserError
from baofen.training.speed.grid import Grid, short
from baofen.training.speed.layers import LAYERS, TRAIN_BAR, TRAIN_GOAL
from baofen.training.speed.measure import SECONDS, AbsentError
from baofen.training.speed.peers import LAYERS_COMPARED, measured_peers, peers_grid
from baofen.training.speed.policy_time import POLICY, measured_policies, policies_grid

Figures = Mapping[str, float | None]
"""Layer -> its figure; None where it could not be measured."""
ALL = "all"


@dataclass(frozen=True)
class Wanted:
    """What to measure.

    layers: by name, `all` for all of them, `policy` for what decisions cost agents; None for those that the rest needs, or all where nothing else is wanted.
    seconds: of CPU time, for each repeat.
    policies: whose decisions are measured with the layer `policy`; none: those that are shipped.
    """

    layers: Sequence[str] | None = None
    peers: bool = False
    growth: bool = False
    core_time: bool = False
    training_time: bool = False
    seconds: float = SECONDS
    policies: Sequence[str] = ()

    def names(self) -> list[str]:
        """Return the layers to measure.

        Raises:
            UserError: for a layer that does not exist.
        """
        if self.layers is None:
            if self.peers:
                return [name for name in LAYERS if name in LAYERS_COMPARED]
            return [] if self.growth or self.core_time or self.training_time else list(LAYERS)
        if ALL in self.layers:
            return list(LAYERS)
        names = [name for name in dict.fromkeys(self.layers) if name != POLICY]
        unknown = [name for name in names if name not in LAYERS]
        if unknown:
            raise UserError(f"unknown layer {', '.join(map(repr, unknown))}: there are {', '.join(LAYERS)}, {POLICY}")
        return names


def speed_main(wanted: Wanted, as_json: bool, markdown: bool = False) -> None:
    """Measure, and print the figures on stdout; progress goes to stderr.

    Raises:
        UserError: for a layer that does not exist, or if what is wanted cannot be measured.
    """
    names = wanted.names()
    figures = measured(names, wanted.seconds)
    found: dict[str, Any] = dict(figures)
    grids = [figures_grid(figures)] if figures else []
    if POLICY in (wanted.layers or ()):
        found[POLICY] = measured_policies(wanted.policies, wanted.seconds)
        grids.append(policies_grid(found[POLICY]))
    elif wanted.policies:
        raise UserError("--policy goes with --layers policy")
    if wanted.peers:
        found["peers"] = measured_peers(figures, wanted.seconds)
        grids.append(peers_grid(found["peers"]))
    if wanted.growth:
        from baofen.training.speed.growth import growth_grid, measured_growth  # imports, and compiles, the game

        found["growth"] = measured_growth(wanted.seconds)
        grids += [growth_grid(kind, rates) for kind, rates in found["growth"].items()]
    if wanted.core_time:
        from baofen.training.speed.core_time import core_time_grids, measured_core_time

        found["core_time"] = measured_core_time(wanted.seconds)
        grids += core_time_grids(found["core_time"])
    if wanted.training_time:
        found["training_time"] = _training_time(grids)
    if as_json:
        print(json.dumps(found))
        return
    for number, grid in enumerate(grids):
        if number and markdown:
            print()
        grid.show(markdown)


def _training_time(grids: list[Grid]) -> dict[str, float] | None:
    """Measure where the time of training goes and append its table; None without the packages of training."""
    try:
        from baofen.training.speed.training_time import measured_training_time, training_time_grid
    except ModuleNotFoundError as error:
        print(f"the time of training was not measured: {error.name} is not installed", file=sys.stderr)
        return None
    spent = measured_training_time()
    grids.append(training_time_grid(spent))
    return spent


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


def figures_grid(figures: Figures) -> Grid:
    """Return the table of layers, with what they should reach."""
    grid = Grid({"layer": False, "what": False, "figure": True, "first bar": True, "goal": True, "unit": False})
    for name, value in figures.items():
        layer = LAYERS[name]
        bars = [_bar(layer.meets(value, bar) if value is not None else None, bar) for bar in (layer.bar, layer.goal)]
        grid.rows.append((name, layer.meaning, "not measured" if value is None else short(value), *bars, layer.unit))
    for name in ("train", "train_cpu"):
        other = name.replace("train", "train_plain")
        ours, plain = figures.get(name), figures.get(other)
        if ours is not None and plain is not None:
            ratio = ours / plain
            bars = [_bar(ratio >= bar, bar) for bar in (TRAIN_BAR, TRAIN_GOAL)]
            grid.rows.append(("", f"{name} / {other}", short(ratio), *bars, "times"))
    return grid


def _bar(met: bool | None, bar: float | None) -> str:
    """Return a bar with a mark that says whether it is met."""
    if bar is None:
        return ""
    mark = {None: " ", True: "+", False: "-"}[met]
    return f"{short(bar)} {mark}"
