"""What a bench leaves: `results.json`, `results.csv`, `roles.csv`, `faults.csv`, and tables for the terminal."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from baofen.envs.writing import replace_text
from baofen.training.arena.compare import Row, Split
from baofen.training.arena.matches import Results, Setup
from baofen.training.arena.standings import Rating, Standing
from baofen.training.csv_tables import write_csv
from baofen.training.terminal import stdout_console

MOST_FAULTS_SHOWN = 5
METRIC_ORDER = ("captured", "score", "made")


@dataclass
class Report:
    """All that was found out.

    splits: with the auction. ratings: of more than two agents. standings: with the auction of Bao Hong Wu.
    """

    setup: Setup
    results: Results
    rows: list[Row]
    splits: list[Split] = field(default_factory=list)
    ratings: list[Rating] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)

    def as_results(self) -> dict[str, Any]:
        """Return the object of `results.json`."""
        return {
            "rules": self.setup.rules,
            "options": dict(self.setup.options),
            "contracts": self.setup.contracts,
            "seed": self.setup.seed,
            "deals": self.results.deals,
            "rows": [row.as_result() for row in self.rows],
        }


def write_files(report: Report, folder: Path) -> None:
    """Write the files of a report into a folder."""
    text = json.dumps(report.as_results(), indent=1, allow_nan=False)
    replace_text(folder / "results.json", text + "\n")
    write_csv(folder / "results.csv", [asdict(row) for row in report.rows])
    write_csv(folder / "roles.csv", [asdict(split) for split in report.splits])
    write_csv(folder / "ratings.csv", [asdict(rating) for rating in report.ratings])
    write_csv(folder / "titles.csv", [asdict(standing) for standing in report.standings])
    write_csv(folder / "faults.csv", fault_lines(report.results))


def fault_lines(results: Results) -> list[dict[str, Any]]:
    """Return every fault of an agent, in order."""
    return [
        {
            "deal": fault.table,
            "agent": fault.agent,
            "seat": fault.seat,
            "phase": fault.phase,
            "forfeited": int(fault.forfeited),
            "message": fault.message,
        }
        for _, fault in results.faults
    ]


def print_report(report: Report) -> None:
    """Print the tables of a report on stdout."""
    console = stdout_console()
    setup = report.setup
    switches = "".join(f", {name}={value}" for name, value in setup.options.items())
    contracts = f"contracts by {setup.reference.label}" if setup.contracts == "fixed" else "with the auction"
    source = setup.deals_set or f"{setup.split} {setup.seed}"
    title = f"{setup.rules}{switches}, {contracts}, {report.results.deals} deals of {source}"
    for line in fault_summary(report.results):  # first: what is forfeited says nothing about play
        console.print(Text(line, "red"))
    console.print(comparison_table(one_way(report.rows), title))
    if report.splits:
        console.print(split_table(report.splits))
    if report.ratings:
        console.print(rating_table(report.ratings))
    if report.standings:
        console.print(standing_table(report.standings))


def one_way(rows: Iterable[Row]) -> list[Row]:
    """Return the rows without those that say the same the other way round."""
    kept: dict[tuple[frozenset[str], str, str, str], Row] = {}
    for row in rows:
        kept.setdefault((frozenset((row.agent, row.versus)), row.opponents, row.role, row.metric), row)
    return list(kept.values())


def comparison_table(rows: Sequence[Row], title: str) -> Table:
    """Return the table of paired differences."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", caption=CAPTION, caption_justify="left")
    for name in ("role", "metric", "agent", "versus", "opponents"):
        table.add_column(name, overflow="fold")
    for name in ("mean", "difference", "95 % interval"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    for row in sorted(rows, key=lambda row: (row.role, METRIC_ORDER.index(row.metric))):
        digits = 3 if row.metric == "made" else 1
        style = "" if not row.is_clear else "green" if row.difference > 0 else "red"
        table.add_row(
            row.role,
            row.metric,
            *(Text(name) for name in (row.agent, row.versus, row.opponents)),
            f"{row.mean:.{digits}f}",
            Text(f"{row.difference:+.{digits}f}", style),
            f"{row.ci_low:+.{digits}f} .. {row.ci_high:+.{digits}f}",
            verdict(row, digits),
        )
    return table


CAPTION = (
    "difference: agent minus versus in the role, same deals, same opponents in the other seats; more is better for the "
    "agent (points that defenders concede count negative). Intervals by bootstrap over deals."
)


def verdict(row: Row, digits: int) -> str:
    """Return in words whether there is a difference, and if not, which one would have been seen.

    >>> verdict(Row("a", "b", "b", "seat", "score", 0.0, 0.5, -1.0, 2.0, 100, 2.15), 1)
    'no difference seen; one of 2.2 would be in 4 runs of 5'
    """
    if row.is_clear:
        return "better" if row.difference > 0 else "worse"
    if row.detectable == 0:
        return "the same on every deal"
    smallest = math.ceil(row.detectable * 10**digits) / 10**digits
    return f"no difference seen; one of {smallest:.{digits}f} would be in 4 runs of 5"


def split_table(splits: Sequence[Split]) -> Table:
    """Return the table of what became of each agent at one seat with the auction."""
    table = Table(title="one seat of four, by the role it came to", box=box.SIMPLE_HEAD, title_justify="left")
    for name in ("agent", "opponents"):
        table.add_column(name, overflow="fold")
    for name in ("declared", "made", "mean target", "score as declarer", "as defender", "passed out"):
        table.add_column(name, justify="right")
    for split in splits:
        table.add_row(
            Text(split.agent),
            Text(split.opponents),
            f"{split.declared:.1%}",
            _number(split.made, "{:.1%}"),
            _number(split.target, "{:.1f}"),
            _number(split.score_as_declarer, "{:+.1f}"),
            _number(split.score_as_defender, "{:+.1f}"),
            f"{split.passed_out:.1%}",
        )
    return table


def rating_table(ratings: Sequence[Rating]) -> Table:
    """Return the table of ratings."""
    title = "rating (400: ten wins to one)"
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("agent", overflow="fold")
    table.add_column("rating", justify="right")
    table.add_column("95 % interval", justify="right")
    for one in ratings:
        table.add_row(Text(one.agent), f"{one.rating:+.0f}", f"{one.ci_low:+.0f} .. {one.ci_high:+.0f}")
    return table


def standing_table(standings: Sequence[Standing]) -> Table:
    """Return the table of what was won in all, and the titles for it."""
    table = Table(title="levels won at one seat, all games", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("agent", overflow="fold")
    for name in ("games", "levels", "title"):
        table.add_column(name, justify="right")
    for one in standings:
        table.add_row(Text(one.agent), str(one.games), f"{one.points:+d}", one.title)
    return table


def _number(value: float, pattern: str) -> str:
    return "-" if math.isnan(value) else pattern.format(value)


def fault_summary(results: Results) -> list[str]:
    """Return lines that say which agents failed how often, and how the first ones did."""
    lost = Counter(fault.agent for _, fault in results.faults if fault.forfeited)
    late = Counter(fault.agent for _, fault in results.faults if not fault.forfeited)
    lines = [f"{agent} failed in {count} games, which it forfeited" for agent, count in lost.items()]
    lines += [f"{agent} was late with {count} calls, which count as passes" for agent, count in late.items()]
    for _, fault in results.faults[:MOST_FAULTS_SHOWN]:
        lines.append(f"  {fault.agent} in deal {fault.table}, seat {fault.seat}, {fault.phase}: {fault.message}")
    if len(results.faults) > MOST_FAULTS_SHOWN:
        lines.append(f"  .. and {len(results.faults) - MOST_FAULTS_SHOWN} more")
    return lines
