"""One page of plots: every paired difference with its interval, one panel for each metric."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from baofen.envs.writing import replacing
from baofen.training.arena.compare import Row

UNITS = {"captured": "points captured, difference", "score": "score, difference", "made": "share made, difference"}
CLEAR_WORSE, UNCLEAR, CLEAR_BETTER = "#c23b22", "#8a8a8a", "#1b7837"


def plot_rows(rows: Sequence[Row], title: str, path: Path) -> None:
    """Write the page for some rows."""
    metrics = [metric for metric in UNITS if any(row.metric == metric for row in rows)]
    heights = [sum(row.metric == metric for row in rows) + 1.5 for metric in metrics]
    figure = Figure(figsize=(9, 1.2 + 0.32 * sum(heights)), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(metrics), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    for metric, panel in zip(metrics, panels, strict=True):
        shown = [row for row in rows if row.metric == metric]
        for place, row in enumerate(shown):
            colour = UNCLEAR if not row.is_clear else CLEAR_BETTER if row.difference > 0 else CLEAR_WORSE
            panel.plot([row.ci_low, row.ci_high], [place, place], color=colour, linewidth=2)
            panel.plot([row.difference], [place], "o", color=colour, markersize=5)
        panel.axvline(0, color="black", linewidth=0.8)
        panel.set_yticks(range(len(shown)), [row_label(row) for row in shown], fontsize=8)
        panel.set_ylim(len(shown) - 0.5, -0.5)
        panel.set_xlabel(UNITS[metric])
        panel.grid(axis="x", alpha=0.3)
    figure.suptitle(title, fontsize=10)
    with replacing(path) as beside:
        figure.savefig(beside, dpi=120)


def row_label(row: Row) -> str:
    """Return what a row is about in one line."""
    return f"{row.role}: {row.agent} - {row.versus}, against {row.opponents}"
