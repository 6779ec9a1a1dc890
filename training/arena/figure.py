"""One page of plots: every paired difference with its interval, or a matrix of agents, one panel for each metric or role."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from baofen.envs.writing import replacing
from baofen.training.arena.compare import LEAST_DEALS, MAIN_METRIC, Row
from baofen.training.arena.printed import Names, difference_text, legend, one_way, short_names
from baofen.training.arena.report import Report

UNITS = {"captured": "points captured, difference", "score": "score, difference", "made": "share made, difference"}
CLEAR_WORSE, UNCLEAR, CLEAR_BETTER = "#c23b22", "#8a8a8a", "#1b7837"
MOST_ROWS = 24
"""More do not fit on a screen."""
DPI = 110


def plot_report(report: Report, path: Path, metric: str | None = None) -> None:
    """Write the page: a matrix for each role of more than two agents in one metric, else a line for each row.

    metric: as `print_report` takes it. The picture is at most 1320 x 770 pixels, and never larger than a screen.
    """
    names = short_names(report.agents, report.aliases)
    figure = Figure(figsize=(12, 7), layout="constrained")
    FigureCanvasAgg(figure)
    if report.ratings:
        order = [one.agent for one in report.ratings]
        _plot_matrices(figure, report.rows, names, order, metric or MAIN_METRIC[report.setup.contracts])
    else:
        rows = one_way(row for row in report.rows if metric in (None, row.metric))
        if len(rows) > MOST_ROWS:
            rows = [row for row in rows if row.metric == MAIN_METRIC[report.setup.contracts]]
        figure.set_size_inches(12, min(7.0, 2.2 + 0.32 * len(rows)))
        _plot_rows(figure, rows, names)
    few = "; too few deals for intervals" if report.results.deals < LEAST_DEALS else "; 95 % intervals"
    figure.suptitle("\n".join([report.heading() + few, *legend(names)]), fontsize=10)
    with replacing(path) as beside:
        figure.savefig(beside, dpi=DPI)


def _plot_rows(figure: Figure, rows: Sequence[Row], names: Names) -> None:
    metrics = [metric for metric in UNITS if any(row.metric == metric for row in rows)]
    heights = [sum(row.metric == metric for row in rows) + 1.5 for metric in metrics]
    panels = figure.subplots(len(metrics), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    for metric, panel in zip(metrics, panels, strict=True):
        shown = [row for row in rows if row.metric == metric]
        for place, row in enumerate(shown):
            colour = _colour(row)
            if row.deals >= LEAST_DEALS:
                panel.plot([row.ci_low, row.ci_high], [place, place], color=colour, linewidth=2)
            panel.plot([row.difference], [place], "o", color=colour, markersize=5)
        panel.axvline(0, color="black", linewidth=0.8)
        panel.set_yticks(range(len(shown)), [row_label(row, names) for row in shown], fontsize=8)
        panel.set_ylim(len(shown) - 0.5, -0.5)
        panel.set_xlabel(UNITS[metric])
        panel.grid(axis="x", alpha=0.3)


def _plot_matrices(figure: Figure, rows: Sequence[Row], names: Names, order: Sequence[str], metric: str) -> None:
    """Draw each agent (row) over each other (column) in one metric; opponents that are others have panels of their own."""
    rows = [row for row in rows if row.metric == metric]
    own = all(row.opponents in (row.agent, row.versus) for row in rows)
    kinds = dict.fromkeys((row.role, None if own else row.opponents) for row in rows)
    panels = figure.subplots(1, len(kinds), squeeze=False)[0]
    for (role, opponents), panel in zip(kinds, panels, strict=True):
        chosen = [row for row in rows if row.role == role and row.opponents == (opponents or row.versus)]
        for row in chosen:
            place = order.index(row.versus), order.index(row.agent)
            panel.text(
                *place, difference_text(row).replace(" +- ", "\n± "), ha="center", va="center", color=_colour(row),
                fontsize=max(6, 15 - len(order)),
            )  # fmt: skip
        _frame(panel, [names[one] for one in order])
        others = "the column's agent" if opponents is None else names[opponents]
        panel.set_title(f"{role}: row over column, {others}\nin the other seats; {UNITS[metric]}", fontsize=9)


def _frame(panel: Any, labels: Sequence[str]) -> None:
    """Draw the empty squares of a matrix."""
    places = range(len(labels))
    panel.set_xticks(places, labels, fontsize=8, rotation=30, ha="right")
    panel.set_yticks(places, labels, fontsize=8)
    panel.set_xlim(-0.5, len(labels) - 0.5)
    panel.set_ylim(len(labels) - 0.5, -0.5)
    for edge in range(1, len(labels)):
        panel.axvline(edge - 0.5, color="#dddddd", linewidth=0.8)
        panel.axhline(edge - 0.5, color="#dddddd", linewidth=0.8)
    for place in places:
        panel.text(place, place, "-", ha="center", va="center", color=UNCLEAR)


def _colour(row: Row) -> str:
    if row.deals < LEAST_DEALS or not row.is_clear:
        return UNCLEAR
    return CLEAR_BETTER if row.difference > 0 else CLEAR_WORSE


def row_label(row: Row, names: Names) -> str:
    """Return what a row is about in one line."""
    return f"{row.role}: {names[row.agent]} over {names[row.versus]}, against {names[row.opponents]}"
