"""`baofen bids AGENT`: how good an agent's calls are, and what to call with a hand; `baofen par`: par tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from tyro.conf import FlagCreatePairsOff, Positional, arg

from baofen.training.commands.needs import needing
from baofen.training.commands.ranges import in_range
from baofen.training.errors import UserError

if TYPE_CHECKING:
    from baofen.agents.base import Agent
    from baofen.envs.rules import Rules

FAIR_DECISIONS = 100


@in_range
def bids(
    agent: Annotated[Positional[str], arg(metavar="AGENT", help="Whose calls; see `baofen agents`.")],
    *,
    deals: Annotated[int, Field(ge=10), arg(metavar="N", help="Deals to judge the agent's calls on.")] = 1000,
    decisions: Annotated[
        int | None,
        Field(ge=0),
        arg(metavar="N", help="Decisions, of N deals, to judge by worlds the seat may be in. None: 100; 0: none."),
    ] = None,
    pot_percent: Annotated[
        int | None,
        Field(ge=0, le=100),
        arg(metavar="P", help="So many of 100 deals begin with a pot, where there can be one. None: 25."),
    ] = None,
    out: Annotated[Path | None, arg(metavar="DIR", help="Folder for bids.json, tables and plots.")] = None,
    hand: Annotated[
        str | None, arg(metavar="CARDS", help="Value this hand of 25 cards instead, as 'As As Kd ..'.")
    ] = None,
    auction: Annotated[str, arg(metavar="CALLS", help="With --hand: what was said before, as '85 pass'.")] = "",
    seat: Annotated[
        int | None, arg(metavar="0..3", help="With --hand: its seat, 0 speaks first. None: next to speak.")
    ] = None,
    pot: Annotated[int, arg(metavar="P", help="With --hand: points in the pot.")] = 0,
    trump: Annotated[str, arg(metavar="SUIT", help="With --hand: the suit exposed before the auction.")] = "",
    worlds: Annotated[
        int, Field(ge=1), arg(metavar="N", help="With --hand: deals of the hidden cards to play out.")
    ] = 1500,
    json: Annotated[FlagCreatePairsOff[bool], arg(help="With --hand: print one object on one line.")] = False,
    rules: Annotated[str, arg(metavar="R", help="Name of the rule preset.")] = "suzhou",
    options: Annotated[tuple[str, ...], arg(metavar="NAME=VALUE", help="House rules that differ from it.")] = (),
    seed: Annotated[int, Field(ge=0), arg(metavar="S", help="Decides the deals and all draws.")] = 0,
) -> int:
    """Judge an agent's calls by play-outs of the same deals, or value one hand."""
    if hand is None:
        given = {"auction": auction, "seat": seat is not None, "pot": pot, "trump": trump, "json": json}
        faults = [f"--{name} goes with --hand" for name, is_given in given.items() if is_given]
    else:
        given = {"out": out is not None, "decisions": decisions is not None, "pot-percent": pot_percent is not None}
        faults = [f"--{name} goes without --hand" for name, is_given in given.items() if is_given]
    if faults:
        raise UserError("; ".join(faults))
    system, player = _rules(rules, options), _agent(agent)
    with needing("bids"):
        from baofen.training.bids.hand.report import hand_main
        from baofen.training.bids.judging.report import bids_main
        from baofen.training.run.trained_rules import tell_other_rules, trained_on
    tell_other_rules(trained_on(player), system)
    if hand is not None:
        return hand_main(
            player,
            system,
            hand,
            auction=auction,
            seat=seat,
            pot=pot,
            trump=trump,
            worlds=worlds,
            seed=seed,
            as_json=json,
        )
    if out is not None:
        make_folder(out)
    return bids_main(
        player,
        system,
        deals=deals,
        decisions=FAIR_DECISIONS if decisions is None else decisions,
        pot_percent=pot_percent,
        seed=seed,
        out=out,
    )


@in_range
def par(
    *,
    deals: Annotated[int, Field(ge=1), arg(metavar="N", help="Deals, number 0 .. N - 1 of the seed.")],
    out: Annotated[Path, arg(metavar="FILE", help="The table, an npz file.")],
    playouts: Annotated[int, Field(ge=1), arg(metavar="R", help="Play-outs of each contract.")] = 8,
    seed: Annotated[int, Field(ge=0), arg(metavar="S", help="Decides the deals.")] = 0,
    rules: Annotated[str, arg(metavar="R", help="Name of the rule preset.")] = "suzhou",
    options: Annotated[tuple[str, ...], arg(metavar="NAME=VALUE", help="House rules that differ from it.")] = (),
) -> int:
    """Play every seat with every trump in many deals: what contracts are worth under the reference player."""
    make_folder(out.parent)
    with needing("par"):
        from baofen.training.bids.par.command import par_main
    return par_main(_rules(rules, options), deals=deals, playouts=playouts, seed=seed, out=out)


def make_folder(folder: Path) -> None:
    """Make a folder for results, or say why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {folder}: {error.strerror}") from None


def _rules(name: str, options: tuple[str, ...]) -> "Rules":
    with needing("bids"):
        from baofen.envs.rules import Rules
        from baofen.training.arena.bench import parse_options
    try:
        return Rules(name, parse_options(options))
    except ValueError as error:
        raise UserError(str(error)) from None


def _agent(name: str) -> "Agent":
    with needing("bids"):
        from baofen.agents.registry import make_agent
    try:
        return make_agent(name)
    except ValueError as error:
        raise UserError(str(error)) from None
