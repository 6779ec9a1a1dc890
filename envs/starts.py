"""Where an episode begins: with the deal, in a role, or with a contract already made."""

from dataclasses import dataclass

import numpy as np

from baofen.envs.actions import PASS
from baofen.envs.cards import NUM_SEATS, NUM_SUITS, SUITS
from baofen.envs.core.dtypes import Phase
from baofen.envs.core.loops import begin_single
from baofen.envs.table import Table

WHOLE_DEAL = "deal"
ROLE_STARTS = ("declarer", "defender")


@dataclass(frozen=True, kw_only=True)
class Contract:
    """A contract made before the episode begins.

    declarer: the seat that plays alone; None: any, drawn for each episode.
    target: what it has promised; None: the lowest call.
    trump: s, h, c or d; None: the declarer names it (preset `exposure`: drawn, as if nobody had exposed).
    """

    declarer: int | None = None
    target: int | None = None
    trump: str | None = None


EpisodeStart = str | Contract
"""`deal`; `declarer` or `defender`, the learner's role at the lowest call; or a contract."""


def check_start(start: EpisodeStart, table: Table) -> None:
    """Raise ValueError if episodes cannot begin so with the rules of a table (any table will do)."""
    if isinstance(start, Contract):
        if start.declarer is not None and start.declarer not in range(NUM_SEATS):
            raise ValueError(f"the declarer of a contract must be a seat 0 .. 3, not {start.declarer!r}")
        if start.trump is not None and start.trump not in tuple(SUITS):
            raise ValueError(f"the trump of a contract must be one of s h c d, not {start.trump!r}")
        make_contract(table.copy(), start, np.random.default_rng(0))
    elif start != WHOLE_DEAL and start not in ROLE_STARTS:
        raise ValueError(f"start must be deal, declarer, defender or a Contract, not {start!r}")


def begin_at(table: Table, start: EpisodeStart, learner: int, rng: np.random.Generator) -> None:
    """Take a table whose deal has just begun to the start of an episode."""
    if isinstance(start, Contract):
        make_contract(table, start, rng)
    elif start == "declarer":
        make_contract(table, Contract(declarer=learner), rng)
    elif start == "defender":
        make_contract(table, Contract(declarer=(learner + int(rng.integers(1, NUM_SEATS))) % NUM_SEATS), rng)


def make_contract(table: Table, contract: Contract, rng: np.random.Generator) -> None:
    """Let the seats call and pass until a contract is made: by legal actions, so that the deal has a whole record.

    Raises:
        ValueError: if the rules have no such call.
    """
    data = table.rules.record[0]
    declarer = int(rng.integers(NUM_SEATS)) if contract.declarer is None else contract.declarer
    lowest = int(data["bid_min"])
    target = lowest if contract.target is None else contract.target
    needs_raise = target > int(data["opening_max"])
    opener = (declarer - 1) % NUM_SEATS if needs_raise else declarer
    suit = int(rng.integers(NUM_SUITS)) if contract.trump is None else SUITS.index(contract.trump)
    table.tables["first_caller"] = opener
    begin_single(table.tables, table.rules.record, suit)
    while table.phase == Phase.EXPOSE:
        table.pass_()
    if needs_raise:
        table.call(lowest)
    table.call(target)
    while table.phase == Phase.AUCTION:
        table.apply(PASS)
    if table.phase == Phase.TRUMP and contract.trump is not None:
        table.name_trump(contract.trump)
