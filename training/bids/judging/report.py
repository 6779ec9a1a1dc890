"""`baofen bids AGENT`: the report on an agent's calls: `bids.json`, tables as CSV, a page of plots, the terminal."""

import importlib.util
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich import box
from rich.table import Table
from rich.text import Text

from baofen.agents import Agent
from baofen.agents.bids.value_network import ValueFileError, load_network, value_file
from baofen.envs.rules import Rules
from baofen.envs.writing import replace_text
from baofen.training.bids.auction_deals import POT_PERCENT
from baofen.training.bids.estimates import Estimate
from baofen.training.bids.judging.judge import Judgement, judge
from baofen.training.csv_tables import write_csv
from baofen.training.errors import UserError
from baofen.training.terminal import progress, stdout_console


def bids_main(
    agent: Agent, rules: Rules, *, deals: int, decisions: int, pot_percent: int | None, seed: int, out: Path | None
) -> int:
    """Judge an agent, print the report, and write its files if there is a folder for them.

    Raises:
        UserError: if there is no value network for the rules.
    """
    try:
        network = load_network(value_file(rules))
    except ValueFileError as error:
        raise UserError(str(error)) from None
    with progress("deals and decisions", deals + decisions) as advance:
        told = judge(
            agent,
            rules,
            network,
            deals=deals,
            decisions=decisions,
            seed=seed,
            pot_percent=POT_PERCENT if pot_percent is None else pot_percent,
            progress=advance,
        )
    print_judgement(told)
    if out is not None:
        write_judgement(told, out)
    return 0


def write_judgement(told: Judgement, out: Path) -> None:
    """Write the files of a judgement into a folder."""
    text = json.dumps(told.as_dict(), indent=1, allow_nan=False)
    replace_text(out / "bids.json", text + "\n")
    for name, lines in (
        ("situations", told.situations),
        ("strengths", told.strengths),
        ("targets", told.targets),
    ):
        write_csv(out / f"{name}.csv", [asdict(line) for line in lines])
    for when, found in (("before", told.before_winning), ("after", told.after_winning)):
        if found is not None:
            write_csv(out / f"points_{when}.csv", [asdict(line) for line in found.points])
            write_csv(out / f"made_{when}.csv", [asdict(line) for line in found.made])
    if importlib.util.find_spec("matplotlib") is None:
        print("no plots: matplotlib is not installed", file=sys.stderr)
        return
    from baofen.training.bids.judging.plots import plot_judgement

    plot_judgement(told, out / "bids.png")


def print_judgement(told: Judgement) -> None:
    """Print the tables on stdout."""
    console = stdout_console()
    switches = "".join(f", {name}={value}" for name, value in told.options.items())
    title = (
        f"{told.agent}, {told.rules}{switches}, {told.deals} deals; {Rules(told.rules).score_unit} per seat and deal, "
        "contracts valued by play-outs"
    )
    console.print(Text(title, "bold"))
    table = _table("", ("", "mean", "95 % interval"))
    lines = [("reward", told.reward), ("best in hindsight", told.best), ("regret", told.regret)]
    if told.fair is not None:
        lines += [("fair regret, at least", told.fair.lower), ("fair regret, at most", told.fair.upper)]
    lines += [(f"regret, speaks {place}.", one) for place, one in enumerate(told.regret_by_seat, 1)]
    lines += [(f"gain by calling {offset} points", one) for offset, one in told.offsets.items()]
    lines += [("gain of the best limits", told.best_response), ("gain of bidder:value", told.value_bidder)]
    for name, one in lines:
        table.add_row(name, f"{one.mean:+.2f}", _interval(one))
    console.print(table)
    if told.fair is not None:
        fair = told.fair
        console.print(
            Text(
                f"fair regret: {fair.decisions} decisions in {fair.worlds:.0f} worlds each ({fair.left_out} left out, "
                f"too few worlds agreed); underbid {fair.underbid:+.2f}, overbid {fair.overbid:+.2f}"
            )
        )
    table = _table("decisions", ("situation", "decisions", "calls", "regret", "underbid", "overbid"))
    for line in told.situations:
        losses = (f"{value:.1f}" for value in (line.regret, line.underbid, line.overbid))
        table.add_row(line.situation, str(line.decisions), f"{line.calls:.1%}", *losses)
    console.print(table)
    table = _table("hands by strength", ("expected points", "calls", "stands for", "declares", "reward"))
    for hand in told.strengths:
        values = (f"{hand.calls:.1%}", f"{hand.limit:.0f}", f"{hand.declares:.1%}", f"{hand.score:+.1f}")
        table.add_row(f"{hand.points:.1f}", *values)
    console.print(table)
    table = _table(f"contracts; {told.passed_out:.1%} passed out", ("target", "deals", "made", "score"))
    for contract in told.targets:
        table.add_row(str(contract.target), f"{contract.share:.1%}", f"{contract.made:.1%}", f"{contract.score:+.1f}")
    console.print(table)
    for when, found in (("before winning", told.before_winning), ("after winning", told.after_winning)):
        if found is None:
            console.print(Text("no contract was bought: nothing was predicted of any"))
            break
        console.print(
            Text(
                f"points predicted {when}: {found.points_error:+.1f} off on average, at most "
                f"{found.worst_points_error:.1f} in a tenth; made chance {found.made_error:.3f} off; "
                f"80 % interval holds {found.coverage:.1%}"
            )
        )


def _table(title: str, columns: Sequence[str]) -> Table:
    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left")
    for index, name in enumerate(columns):
        table.add_column(name, justify="right" if index else "left", no_wrap=True)
    return table


def _interval(one: Estimate) -> str:
    return f"{one.low:+.2f} .. {one.high:+.2f}"
