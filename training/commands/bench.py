"""`baofen bench AGENT...`: agents against each other on the same deals."""

from pathlib import Path
from typing import Annotated

from pydantic import Field
from tyro.conf import FlagCreatePairsOff, Positional, arg

from baofen.training.arena import Contracts, Split
from baofen.training.commands.needs import needing
from baofen.training.commands.ranges import in_range
from baofen.training.errors import UserError

DEFAULT_DEALS = 1000


@in_range
def bench(
    agents: Annotated[
        Positional[tuple[str, ...]],
        arg(
            metavar="AGENT...",
            help="One: against random and heuristic. Several: each against each. As NAME=PATH: called NAME in tables.",
        ),
    ],
    *,
    deals: Annotated[
        int | None,
        Field(ge=2),
        arg(metavar="N", help="Deals; each is played in all four seatings. None: 1000, or all of the set, or for P."),
    ] = None,
    precision: Annotated[
        float | None,
        Field(gt=0),
        arg(metavar="P", help="Plan the deals: 95 % intervals within P points either way; --deals is then a limit."),
    ] = None,
    deals_set: Annotated[
        str | None, arg(metavar="NAME", help="A fixed set such as suzhou-final-v1, instead of rules, seed and split.")
    ] = None,
    seed: Annotated[int, Field(ge=0), arg(metavar="S", help="Decides the deals and all draws.")] = 0,
    rules: Annotated[str, arg(metavar="R", help="Name of the rule preset.")] = "suzhou",
    options: Annotated[tuple[str, ...], arg(metavar="NAME=VALUE", help="House rules that differ from it.")] = (),
    contracts: Annotated[
        Contracts,
        arg(help="Fixed: declarer, trump and target by the heuristic, burying and play by the agents."),
    ] = "auction",
    out: Annotated[Path | None, arg(metavar="DIR", help="Folder for results.json, tables and plots.")] = None,
    opponents: Annotated[
        tuple[str, ...], arg(metavar="AGENT", help="Who sits in the other seats. None: the agents compared.")
    ] = (),
    split: Annotated[
        Split,
        arg(help="Which deals: to try things, to choose between settings, for figures that are published."),
    ] = "dev",
    metric: Annotated[
        str | None,
        arg(
            metavar="M",
            help="Tell of captured, score or made only. None: all of two agents, captured or score of more.",
        ),
    ] = None,
    rows: Annotated[FlagCreatePairsOff[bool], arg(help="Print a line for every comparison, not a matrix.")] = False,
    workers: Annotated[
        int, Field(ge=1), arg(metavar="N", help="Processes; the results are the same with any number.")
    ] = 1,
    records: Annotated[FlagCreatePairsOff[bool], arg(help="Write the records of all games too.")] = False,
    largest: Annotated[
        int,
        Field(ge=0),
        arg(metavar="N", help="Write the records of the N deals where two agents differ most (`baofen replay DIR`)."),
    ] = 0,
    resume: Annotated[FlagCreatePairsOff[bool], arg(help="Go on with what is finished in the folder.")] = False,
    timeout_s: Annotated[
        float,
        Field(gt=0),
        arg(metavar="S", help="Seconds for a call of an agent by entry point or module:Class; then it forfeits."),
    ] = 60.0,
) -> int:
    """Compare agents on the same deals: paired differences with 95 % intervals, by role."""
    if not agents:
        raise UserError("name at least one agent")
    with needing("bench"):
        from baofen.training.arena import bench as arena
        from baofen.training.arena.compare import METRICS
        from baofen.training.arena.matches import Setup
    default_deals = DEFAULT_DEALS
    if deals_set is not None:
        rules, seed, split, default_deals = _from_set(deals_set, rules, seed, split)
        if deals is not None and deals > default_deals:
            raise UserError(f"--deals-set {deals_set} has {default_deals} deals, not {deals}")
    metrics = METRICS[contracts]
    if metric is not None and metric not in metrics:
        raise UserError(f"--metric must be one of {', '.join(metrics)} with {contracts} contracts, not {metric!r}")
    setup = Setup(
        rules=rules,
        options=arena.parse_options(options),
        contracts=contracts,
        seed=seed,
        split=split,
        deals=deals or default_deals,
        deals_set=deals_set,
    )
    ways = arena.Ways(
        workers=workers,
        out=out,
        records=records,
        largest=largest,
        resume=resume,
        precision=precision,
        metric=metric,
        all_rows=rows,
        most_deals=deals,
        timeout_s=timeout_s,
    )
    return arena.bench_main(agents, setup, ways, opponents=opponents)


def _from_set(name: str, rules: str, seed: int, split: str) -> tuple[str, int, Split, int]:
    """Return rules, seed, split and the number of deals of a set of deals.

    Raises:
        UserError: if there is no such set, or something else was asked for beside it.
    """
    with needing("bench"):
        from baofen.training.arena.deals import match_set
    try:
        found = match_set(name)
    except ValueError as error:
        raise UserError(str(error)) from None
    for flag, given, default, own in (
        ("rules", rules, "suzhou", found.rules),
        ("seed", seed, 0, found.seed),
        ("split", split, "dev", found.split),
    ):
        if given not in (default, own):
            raise UserError(f"--{flag} {given} does not go with --deals-set {name}, which has {own}")
    return found.rules, found.seed, found.split, found.deals
