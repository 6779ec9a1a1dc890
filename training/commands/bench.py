"""`baofen bench AGENT...`: agents against each other on the same deals."""

from pathlib import Path
from typing import Annotated, Literal, get_args

from tyro.conf import FlagCreatePairsOff, Positional, arg

from baofen.training.commands.needs import needed
from baofen.training.errors import UserError

Contracts = Literal["auction", "fixed"]
Split = Literal["dev", "holdout", "final"]


def bench(
    agents: Annotated[
        Positional[tuple[str, ...]],
        arg(metavar="AGENT...", help="One: against random and heuristic. Several: each against each."),
    ],
    *,
    deals: Annotated[int, arg(metavar="N", help="Deals; each is played in all four seatings.")] = 1000,
    seed: Annotated[int, arg(metavar="S", help="Decides the deals and all draws.")] = 0,
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
    workers: Annotated[int, arg(metavar="N", help="Processes; the results are the same with any number.")] = 1,
    records: Annotated[FlagCreatePairsOff[bool], arg(help="Write the records of all games too.")] = False,
) -> int:
    """Compare agents on the same deals: paired differences with 95 % intervals, by role."""
    faults = [
        f"--{name} must be at least {least}, not {value}"
        for name, value, least in (("deals", deals, 2), ("workers", workers, 1), ("seed", seed, 0))
        if value < least
    ]
    faults += [
        f"--{name} must be one of {', '.join(allowed)}, not {value!r}"
        for name, value, allowed in (("contracts", contracts, get_args(Contracts)), ("split", split, get_args(Split)))
        if value not in allowed
    ]
    if not agents:
        faults.append("name at least one agent")
    if faults:
        raise UserError("; ".join(faults))
    arena = needed("baofen.training.arena.bench", "bench")
    setup = needed("baofen.training.arena.matches", "bench").Setup(
        rules=rules,
        options=arena.parse_options(options),
        contracts=contracts,
        seed=seed,
        split=split,
        deals=deals,
    )
    code: int = arena.bench_main(agents, setup, opponents=opponents, workers=workers, out=out, records=records)
    return code
