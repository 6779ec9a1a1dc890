"""One page of plots on an agent's calls: reliability before and after winning, calls by strength, regret, offsets."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from baofen.envs.writing import replacing
from baofen.training.bids.judging.calibration import Bin
from baofen.training.bids.judging.judge import Judgement

FEW_DECISIONS = 20
TITLES = (
    "points of the contracts bought",
    "chance to make them",
    "how high the agent stands, by strength",
    "how often it calls and declares",
    f"what each kind of decision loses\n(pale: fewer than {FEW_DECISIONS} decisions)",
    "gain of standing for other limits\nagainst the agent",
)
"""Of the panels, row by row."""


def plot_judgement(told: Judgement, path: Path) -> None:
    """Write the page for a judgement."""
    figure = Figure(figsize=(13, 7.5), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(2, 3)
    for panel, name, unit in ((panels[0, 0], "points", "points"), (panels[0, 1], "made", "chance to make it")):
        for label, found in (("before winning", told.before_winning), ("after winning", told.after_winning)):
            if found is not None:
                reliability(panel, getattr(found, name), label)
                panel.legend(fontsize=8)
        panel.set_xlabel(f"{unit}, predicted")
        panel.set_ylabel("achieved")
    points = [line.points for line in told.strengths]
    panels[0, 2].plot(points, [line.limit for line in told.strengths], "o-", label="stands for")
    panels[0, 2].set_xlabel("expected points of the hand")
    panels[0, 2].set_ylabel("highest price, points")
    panels[1, 0].plot(points, [line.calls for line in told.strengths], "o-", label="calls")
    panels[1, 0].plot(points, [line.declares for line in told.strengths], "s-", label="declares")
    panels[1, 0].set_xlabel("expected points of the hand")
    panels[1, 0].legend(fontsize=8)
    places = range(len(told.situations))
    under = [line.underbid for line in told.situations]
    panels[1, 1].barh(places, under, label="underbid")
    panels[1, 1].barh(places, [line.overbid for line in told.situations], left=under, label="overbid")
    # Few decisions say little, however long the bar: their number stands beside each, and bars of very few are pale.
    for bars in panels[1, 1].containers:
        for bar, line in zip(bars, told.situations, strict=True):
            bar.set_alpha(1.0 if line.decisions >= FEW_DECISIONS else 0.3)
    names = [f"{line.situation} (n = {line.decisions})" for line in told.situations]
    panels[1, 1].set_yticks(places, names, fontsize=7)
    panels[1, 1].set_xlabel("regret a decision, points")
    panels[1, 1].legend(fontsize=8)
    gains = {**told.offsets, "best limits": told.best_response}
    for place, one in enumerate(gains.values()):
        panels[1, 2].plot([one.low, one.high], [place, place], color="#555555", linewidth=2)
        panels[1, 2].plot([one.mean], [place], "o", color="#1b7837")
    panels[1, 2].axvline(0, color="black", linewidth=0.8)
    panels[1, 2].set_yticks(range(len(gains)), list(gains), fontsize=8)
    panels[1, 2].set_xlabel("points per seat and deal")
    for panel, title in zip(panels.flat, TITLES, strict=True):
        panel.set_title(title, fontsize=9)
    figure.suptitle(f"{told.agent}, {told.rules}, {told.deals} deals; 95 % intervals", fontsize=10)
    with replacing(path) as beside:
        figure.savefig(beside, dpi=110)


def reliability(panel: Any, bins: Sequence[Bin], label: str) -> None:
    """Draw achieved against predicted means with their intervals into a panel."""
    predicted = [one.predicted for one in bins]
    (line,) = panel.plot(predicted, [one.achieved for one in bins], "o-", markersize=4, label=label)
    for one in bins:
        panel.plot([one.predicted, one.predicted], [one.low, one.high], color=line.get_color(), linewidth=1)
    panel.plot([min(predicted), max(predicted)], [min(predicted), max(predicted)], color="black", linewidth=0.6)
