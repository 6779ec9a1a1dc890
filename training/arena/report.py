"""What a bench leaves: `results.json`, `results.csv`, `roles.csv`, `faults.csv`, and tables for the terminal."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from baofen.envs.writing import replace_text
from baofen.training.arena.compare import LEAST_DEALS, MAIN_METRIC, RoleSplit, Row
from baofen.training.arena.matches import Results, Setup
from baofen.training.arena.printed import (
    READING,
    TOO_FEW,
    legend,
    one_way,
    print_matrices,
    print_pairs,
    rating_table,
    short_names,
    split_table,
    standing_table,
)
from baofen.training.arena.standings import Rating, Standing
from baofen.training.csv_tables import write_csv
from baofen.training.terminal import show_table, stdout_console

MOST_FAULTS_SHOWN = 5
SPLIT_TITLE = (
    "one seat of four: deals it declares, then contracts made, mean target and score; else its score as a defender; deals "
    "nobody declares"
)


@dataclass
class Report:
    """All that was found out.

    aliases: what the user calls some agents. splits: with the auction. ratings: of more than two agents. standings: with the auction of Bao Hong Wu.
    """

    setup: Setup
    results: Results
    rows: list[Row]
    splits: list[RoleSplit] = field(default_factory=list)
    ratings: list[Rating] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def agents(self) -> list[str]:
        """The agents compared, and those that sit in the other seats."""
        named = [name for row in self.rows for name in (row.agent, row.versus)]
        return list(dict.fromkeys([*named, *(row.opponents for row in self.rows)]))

    def heading(self) -> str:
        """Return what was played, in a line."""
        setup = self.setup
        switches = "".join(f", {name}={value}" for name, value in setup.options.items())
        contracts = f"contracts by {setup.reference.label}" if setup.contracts == "fixed" else "with the auction"
        source = setup.deals_set or f"{setup.split} {setup.seed}"
        return f"{setup.rules}{switches}, {contracts}, {self.results.deals} deals of {source}"

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


def print_report(report: Report, metric: str | None = None, all_rows: bool = False) -> None:
    """Print a report on stdout: ratings and matrices of more than two agents, else a table for each pair.

    metric: the one to tell of; by default all of two agents, the main one of more. all_rows: a table for each pair in any
    case.
    """
    console = stdout_console()
    names = short_names(report.agents, report.aliases)
    for line in fault_summary(report.results):  # first: what is forfeited says nothing about play
        console.print(Text(line, "red"))
    console.print(Text(report.heading(), "bold"))
    several = bool(report.ratings)
    if several:
        show_table(console, "rating (400: ten wins to one)", rating_table(report.ratings, names))
    told = metric or (MAIN_METRIC[report.setup.contracts] if len(report.agents) > 2 else None)
    if several and not all_rows:
        order = [one.agent for one in report.ratings]
        print_matrices(console, report.rows, names, order, told or MAIN_METRIC[report.setup.contracts])
    else:
        shown = [
            row
            for row in report.rows
            if metric == row.metric or (metric is None and (all_rows or told in (None, row.metric)))
        ]
        print_pairs(console, one_way(shown), names)
    if report.splits and (all_rows or not several):
        show_table(console, SPLIT_TITLE, split_table(report.splits, names))
    if report.standings:
        show_table(console, "levels won at one seat, all games", standing_table(report.standings, names))
    console.print()
    for line in legend(names):
        console.print(Text(line))
    console.print(Text(READING, "dim"))
    if report.results.deals < LEAST_DEALS:
        console.print(Text(f"{TOO_FEW}: intervals of fewer than {LEAST_DEALS} deals are too narrow to be told", "red"))


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
