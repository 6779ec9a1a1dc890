"""`baofen bench`: from names to a report."""

import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from baofen.envs.rules import PRESETS, OptionValue, Rules
from baofen.training.arena.compare import (
    MAIN_METRIC,
    PILOT_DEALS,
    Question,
    deals_for,
    every_pair,
    lineups_for,
    role_splits,
    rows_for,
)
from baofen.training.arena.contestants import TIMEOUT_S, Contestant, contestants, without_alias
from baofen.training.arena.finding import DEALS, LARGEST, RECORDS, most_apart, write_deals, write_largest
from baofen.training.arena.matches import Keeper, Setup, play_lineups
from baofen.training.arena.report import Report, print_report, write_files
from baofen.training.arena.standings import rate, standings
from baofen.training.arena.store import Memory, Store
from baofen.training.errors import UserError
from baofen.training.run.trained_rules import tell_other_rules
from baofen.training.terminal import progress

BASELINES = ("random", "heuristic")


@dataclass(frozen=True)
class Plan:
    """Who plays and what is asked of the games."""

    cast: list[Contestant]
    questions: list[Question]


def make_plan(names: Sequence[str], opponents: Sequence[str] = (), timeout_s: float = TIMEOUT_S) -> Plan:
    """Return the plan for some agents: one against the baselines, several each against each.

    opponents: who sits in the other seats; by default either of the two compared, and for a lone agent the baselines
        too.
    timeout_s: seconds for each call of agents that are not ours.

    Each name may come with what tables call the agent, as NAME=PATH; opponents may be named by that alone.

    Raises:
        ValueError: if there is no agent of a name.
    """
    aliases: dict[str, str] = {}
    names = [without_alias(name, aliases) for name in names]
    by_alias = {alias: name for name, alias in aliases.items()}
    opponents = [by_alias.get(name) or without_alias(name, aliases) for name in opponents]
    versus = [] if len(names) > 1 else [name for name in BASELINES if name not in names]
    compared = [*names, *versus]
    cast = contestants([*compared, *(name for name in dict.fromkeys(opponents) if name not in compared)], timeout_s)
    cast = [replace(one, alias=aliases.get(one.label, "")) for one in cast]
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


def compare(
    setup: Setup,
    plan: Plan,
    *,
    workers: int = 1,
    records: Path | None = None,
    quiet: bool = False,
    keeper: Keeper | None = None,
) -> Report:
    """Play what a plan needs and return the answers; progress goes to stderr.

    records: file that gets the records of all games. keeper: games that it has are not played again.
    """
    lineups = lineups_for(plan.questions, setup.contracts)
    labels = [one.label for one in plan.cast]
    with ExitStack() as stack:
        file = stack.enter_context(records.open("w", encoding="utf-8")) if records else None

        def write(lines: Sequence[Mapping[str, Any]]) -> None:
            assert file is not None
            file.writelines(json.dumps(line) + "\n" for line in lines)

        advance = stack.enter_context(progress("games", setup.deals * len(lineups), quiet=quiet))
        results = play_lineups(
            setup,
            plan.cast,
            lineups,
            workers=workers,
            progress=advance,
            write_records=write if file else None,
            keeper=keeper,
        )
    report = Report(setup, results, rows_for(plan.questions, results, setup, labels))
    report.aliases = {one.label: one.alias for one in plan.cast if one.alias}
    if results.deals and setup.contracts == "auction":
        report.splits = role_splits(results, labels)
        report.standings = standings(results, labels) if PRESETS[setup.rules].has_titles else []
    if results.deals and len({question.agent for question in plan.questions}) > 2:
        if importlib.util.find_spec("choix") is None:
            print("no ratings: choix is not installed", file=sys.stderr)
        else:
            report.ratings = rate(plan.questions, results, setup, labels)
    return report


def planned(
    setup: Setup,
    plan: Plan,
    precision: float,
    most: int | None,
    keeper: Keeper,
    *,
    workers: int = 1,
    quiet: bool = False,
) -> Setup:
    """Return the setup with as many deals as a precision takes, after a pilot; says so on stderr.

    precision: half of the 95 % interval of each paired difference, in points captured, or of the score with the auction.
    most: a limit. keeper: gets the games of the pilot, which are the first ones of what is then played.
    """
    pilot = replace(setup, deals=min(PILOT_DEALS, most or PILOT_DEALS))
    metric = MAIN_METRIC[setup.contracts]
    report = compare(pilot, plan, workers=workers, quiet=quiet, keeper=keeper)
    if report.results.interrupted:
        raise KeyboardInterrupt
    needed = deals_for([row for row in report.rows if row.metric == metric], precision)
    words = f"{needed} deals for {metric} within {precision:g} either way, by a pilot of {pilot.deals}"
    if most is not None and most < needed:
        words += f"; {most} are played, as --deals says"
    print(words, file=sys.stderr)
    return replace(setup, deals=min(needed, most or needed))


@dataclass(frozen=True)
class Ways:
    """How a bench is run, next to what is played.

    precision: if given, the deals are planned for it, and `most_deals` is a limit.
    metric, all_rows: what is printed, see `print_report`.
    resume: go on with what is finished in `out`. records: write those of all games into `out`.
    largest: write those of so many deals on which two agents differ most.
    """

    workers: int = 1
    out: Path | None = None
    records: bool = False
    largest: int = 0
    resume: bool = False
    precision: float | None = None
    metric: str | None = None
    all_rows: bool = False
    most_deals: int | None = None
    timeout_s: float = TIMEOUT_S


def bench_main(names: Sequence[str], setup: Setup, ways: Ways, *, opponents: Sequence[str] = ()) -> int:
    """Run a bench and print its report; the exit code is 130 if it was interrupted, else 0.

    Raises:
        UserError: for agents, rules or options that do not exist.
    """
    out = ways.out
    keep_records = ways.records or ways.largest > 0
    if out is None and (keep_records or ways.resume):
        wanted = "records need" if keep_records else "a run to continue needs"
        raise UserError(f"{wanted} a folder: give --out DIR")
    try:
        rules = Rules(setup.rules, setup.options)
        plan = make_plan(names, opponents, ways.timeout_s)
    except ValueError as error:
        raise UserError(str(error)) from None
    except ModuleNotFoundError as error:
        raise UserError(f"an agent needs {error.name}, which is not installed") from None
    tell_other_rules((policy for one in plan.cast for policy in one.trained_on), rules)
    keeper: Keeper = Memory()
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot make the folder {out}: {error.strerror}") from None
        keeper = Store(out, setup, plan.cast, records=keep_records, resume=ways.resume)
    if ways.precision is not None:
        try:
            setup = planned(setup, plan, ways.precision, ways.most_deals, keeper, workers=ways.workers)
        except KeyboardInterrupt:
            print("interrupted in the pilot", file=sys.stderr)
            return 130
    records = out / (RECORDS if ways.records else f".{RECORDS}") if out and keep_records else None
    try:
        report = compare(setup, plan, workers=ways.workers, records=records, keeper=keeper)
        if report.results.interrupted:
            goes_on = "; --resume goes on" if out is not None else ""
            print(f"interrupted: {report.results.deals} of {setup.deals} deals are finished{goes_on}", file=sys.stderr)
        if report.results.deals:
            if out is not None:  # first: what is printed may be cut short by its reader
                write_report(report, out, ways.metric)
                labels = [one.label for one in plan.cast]
                write_deals(report.results, labels, out / DEALS)
                if records is not None and ways.largest:
                    found = most_apart(plan.questions, report.results, setup, ways.largest)
                    write_largest(found, labels, records, out / LARGEST)
            print_report(report, ways.metric, ways.all_rows)
    finally:
        if records is not None and not ways.records:
            records.unlink(missing_ok=True)
    return 130 if report.results.interrupted else 0


def write_report(report: Report, out: Path, metric: str | None = None) -> None:
    """Write the files and plots of a report into a folder, made if need be."""
    out.mkdir(parents=True, exist_ok=True)
    write_files(report, out)
    if importlib.util.find_spec("matplotlib") is None:
        print("no plots: matplotlib is not installed", file=sys.stderr)
        return
    from baofen.training.arena.figure import plot_report

    plot_report(report, out / "results.png", metric)


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
