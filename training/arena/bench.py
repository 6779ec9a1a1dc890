"""`baofen bench`: from names to a report."""

import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from baofen.envs.rules import OptionValue, Rules
from baofen.training.arena.compare import Question, every_pair, lineups_for, role_splits, rows_for
from baofen.training.arena.contestants import Contestant, contestants
from baofen.training.arena.matches import Setup, play_lineups
from baofen.training.arena.report import Report, one_way, print_report, write_files
from baofen.training.errors import UserError

BASELINES = ("random", "heuristic")


@dataclass(frozen=True)
class Plan:
    """Who plays and what is asked of the games."""

    cast: list[Contestant]
    questions: list[Question]


def make_plan(names: Sequence[str], opponents: Sequence[str] = ()) -> Plan:
    """Return the plan for some agents: one against the baselines, several each against each.

    opponents: who sits in the other seats; by default either of the two compared, and for a lone agent the baselines
        too.

    Raises:
        ValueError: if there is no agent of a name.
    """
    versus = [] if len(names) > 1 else [name for name in BASELINES if name not in names]
    compared = [*names, *versus]
    cast = contestants([*compared, *(name for name in dict.fromkeys(opponents) if name not in compared)])
    if len(names) > 1:
        questions = every_pair(len(names))
    else:
        seats = range(len(compared))
        questions = [Question(0, other, opponent) for other in seats if other for opponent in seats]
    if opponents:
        chosen = [next(i for i, one in enumerate(cast) if one.label == name) for name in dict.fromkeys(opponents)]
        pairs = dict.fromkeys((question.agent, question.versus) for question in questions)
        questions = [Question(agent, versus, opponent) for agent, versus in pairs for opponent in chosen]
    return Plan(cast, questions)


def compare(setup: Setup, plan: Plan, *, workers: int = 1, records: Path | None = None, quiet: bool = False) -> Report:
    """Play what a plan needs and return the answers; progress goes to stderr.

    records: file that gets the records of all games.
    """
    lineups = lineups_for(plan.questions, setup.contracts)
    labels = [one.label for one in plan.cast]
    with ExitStack() as stack:
        file = stack.enter_context(records.open("w", encoding="utf-8")) if records else None

        def write(lines: Sequence[Mapping[str, Any]]) -> None:
            assert file is not None
            file.writelines(json.dumps(line) + "\n" for line in lines)

        bar = stack.enter_context(progress_bar(quiet))
        task = bar.add_task("games", total=setup.deals * len(lineups))
        results = play_lineups(
            setup,
            plan.cast,
            lineups,
            workers=workers,
            progress=lambda games: bar.advance(task, games),
            write_records=write if file else None,
        )
    splits = role_splits(results, labels) if setup.contracts == "auction" and results.deals else []
    return Report(setup, results, rows_for(plan.questions, results, setup, labels), splits)


def progress_bar(quiet: bool) -> Progress:
    """Return a progress bar on stderr."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, disable=quiet, transient=True)


def bench_main(
    names: Sequence[str],
    setup: Setup,
    *,
    opponents: Sequence[str] = (),
    workers: int = 1,
    out: Path | None = None,
    records: bool = False,
) -> int:
    """Run a bench and print its report; the exit code is 130 if it was interrupted, else 0.

    Raises:
        UserError: for agents, rules or options that do not exist.
    """
    if records and out is None:
        raise UserError("records need a folder: give --out DIR")
    try:
        Rules(setup.rules, setup.options)
        plan = make_plan(names, opponents)
    except ValueError as error:
        raise UserError(str(error)) from None
    except ModuleNotFoundError as error:
        raise UserError(f"an agent needs {error.name}, which is not installed") from None
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot make the folder {out}: {error.strerror}") from None
    report = compare(setup, plan, workers=workers, records=out / "records.jsonl" if out and records else None)
    if report.results.interrupted:
        print(f"interrupted: {report.results.deals} of {setup.deals} deals are finished", file=sys.stderr)
    if report.results.deals:
        print_report(report)
        if out is not None:
            write_report(report, out)
    return 130 if report.results.interrupted else 0


def write_report(report: Report, out: Path) -> None:
    """Write the files and plots of a report into a folder, made if need be."""
    out.mkdir(parents=True, exist_ok=True)
    write_files(report, out)
    if importlib.util.find_spec("matplotlib") is None:
        print("no plots: matplotlib is not installed", file=sys.stderr)
        return
    from baofen.training.arena.plots import plot_rows

    setup = report.setup
    title = f"{setup.rules}, {setup.contracts} contracts, {report.results.deals} deals; 95 % intervals"
    plot_rows(one_way(report.rows), title, out / "results.png")


def parse_options(words: Sequence[str]) -> dict[str, OptionValue]:
    """Return the switches in words like `all_pass=direct` and `bid_min=80`.

    Raises:
        UserError: if a word is not NAME=VALUE.

    >>> parse_options(["all_pass=direct", "bid_min=80"])
    {'all_pass': 'direct', 'bid_min': 80}
    """
    options: dict[str, OptionValue] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise UserError(f"an option is NAME=VALUE, not {word!r}")
        if name in options:
            raise UserError(f"option {name!r} is given twice")
        options[name] = int(value) if value.lstrip("-").isdecimal() else value
    return options
