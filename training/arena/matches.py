"""Which games are played: lineups on chunks of deals, in this process or several.

A game depends on its lineup, its deal and the seed alone. Agents draw from a seed of their chunk, chunks have a fixed
size, and table i of a chunk is always its i-th deal, so that neither workers nor other lineups move a result.
"""

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from multiprocessing import get_context
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent, make_agent
from baofen.envs.core.dtypes import RESULT
from baofen.envs.history import deal_record
from baofen.envs.rules import OptionValue, Rules
from baofen.training.arena import Contracts, Split
from baofen.training.arena.contestants import Contestant
from baofen.training.arena.deals import contract_rules, deal_tables, draw_seed
from baofen.training.arena.play import AgentFault, fix_contracts, outcomes_of, play_deals

CHUNK_DEALS = 512
REFERENCE = "heuristic-v1"


@dataclass(frozen=True)
class Setup:
    """What is played.

    contracts: `auction`, or `fixed`: declarer, target and trump by the reference, burying and play by the agents.
    deals_set: name of the set that rules, seed and split belong to (`baofen.training.arena.deals`), if any.
    """

    rules: str = "suzhou"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    contracts: Contracts = "auction"
    seed: int = 0
    split: Split = "dev"
    deals: int = 1000
    reference: Contestant = field(default_factory=lambda: Contestant(REFERENCE, partial(make_agent, REFERENCE)))
    deals_set: str | None = None

    def rule_system(self) -> Rules:
        """Return the rules in force at the tables."""
        rules = Rules(self.rules, self.options)
        return contract_rules(rules) if self.contracts == "fixed" else rules


@dataclass(frozen=True)
class Lineup:
    """Who sits where, by index: `alone` at one seat (`seat`, or the declarer's if None), `others` at the other three."""

    alone: int
    others: int
    seat: int | None = None


@dataclass(frozen=True)
class Chunk:
    """Deals number `first` .. `first` + `count` - 1."""

    first: int
    count: int


Unit = tuple[Lineup, Chunk]


@dataclass
class Played:
    """What came out of one lineup on one chunk; records only if asked for."""

    outcomes: NDArray[np.void]
    faults: list[AgentFault]
    records: list[dict[str, Any]]


class Hall:
    """Plays lineups in one process; agents are made once."""

    def __init__(self, setup: Setup, cast: Sequence[Contestant], keep_records: bool = False) -> None:
        self._setup, self._cast, self._keep_records = setup, cast, keep_records
        self._rules = setup.rule_system()
        self._agents: list[Agent | None] = [None] * len(cast)
        self._begun = lru_cache(maxsize=2)(self._begin)

    def play(self, lineup: Lineup, chunk: Chunk) -> Played:
        """Play a lineup on a chunk of deals."""
        tables = self._begun(chunk).copy()
        seat = tables["declarer"] if lineup.seat is None else np.full(len(tables), lineup.seat)
        seating = np.ones((len(tables), 4), np.int8)
        seating[np.arange(len(tables)), seat] = 0
        agents = [self._agent(lineup.alone), self._agent(lineup.others)]
        if lineup.alone == lineup.others:  # one agent: one call for all its rows
            seating[:] = 0
            agents.pop()
        faults = play_deals(self._rules, tables, seating, agents, self._seed(chunk))
        labels = [self._cast[lineup.alone].label, self._cast[lineup.others].label]
        for fault in faults:  # what an agent calls itself may be anybody's name
            fault.agent = labels[seating[fault.table, fault.seat]]
        records = self._records(tables, seating, lineup, chunk) if self._keep_records else []
        return Played(outcomes_of(tables), faults, records)

    def _begin(self, chunk: Chunk) -> NDArray[np.void]:
        setup = self._setup
        tables = deal_tables(self._rules, setup.seed, setup.split, chunk.first, chunk.count)
        if setup.contracts == "fixed":
            fix_contracts(self._rules, tables, setup.reference.make(), self._seed(chunk))
        return tables

    def _seed(self, chunk: Chunk) -> int:
        return draw_seed(self._setup.seed, self._setup.split, chunk.first)

    def _agent(self, index: int) -> Agent:
        agent = self._agents[index]
        if agent is None:
            agent = self._agents[index] = self._cast[index].make()
        return agent

    def _records(
        self, tables: NDArray[np.void], seating: NDArray[np.int8], lineup: Lineup, chunk: Chunk
    ) -> list[dict[str, Any]]:
        labels = [self._cast[lineup.alone].label, self._cast[lineup.others].label]
        setup = self._setup
        about = {
            "deals_set": setup.deals_set,
            "split": setup.split,
            "seed": setup.seed,
            "contracts": setup.contracts,
            "role": "declarer" if lineup.seat is None else "seat",
            "alone": labels[0],
            "others": labels[1],
            "seat": lineup.seat,
        }
        records = []
        for index in range(len(tables)):
            record = deal_record(tables[index : index + 1], self._rules)
            players = [labels[who] for who in seating[index]]
            records.append({"players": players, "bench": {"deal": chunk.first + index, **about}, **record})
        return records


@dataclass
class Results:
    """What was played: the first `deals` deals in every lineup.

    outcomes: lineup -> RESULT [deals]; faults: (lineup, fault), with the table as the number of the deal.
    """

    deals: int
    outcomes: dict[Lineup, NDArray[np.void]]
    faults: list[tuple[Lineup, AgentFault]]
    interrupted: bool = False


class Keeper(Protocol):
    """Where finished units are kept (`baofen.training.arena.store`)."""

    def get(self, lineup: Lineup, chunk: Chunk) -> Played | None:
        """Return what was played of a lineup on a chunk, if it was."""

    def put(self, lineup: Lineup, chunk: Chunk, played: Played) -> None:
        """Keep what was played."""


def play_lineups(
    setup: Setup,
    cast: Sequence[Contestant],
    lineups: Sequence[Lineup],
    *,
    workers: int = 1,
    progress: Callable[[int], None] = lambda games: None,
    write_records: Callable[[Sequence[dict[str, Any]]], None] | None = None,
    keeper: Keeper | None = None,
) -> Results:
    """Play every lineup on all deals, chunk after chunk; Ctrl-C keeps the chunks that every lineup has finished.

    progress: is told how many more games are finished. keeper: what it has is not played again, what is played it gets.
    """
    chunks = [Chunk(first, min(CHUNK_DEALS, setup.deals - first)) for first in range(0, setup.deals, CHUNK_DEALS)]
    units = [(lineup, chunk) for chunk in chunks for lineup in lineups]
    results = Results(0, {lineup: np.zeros(setup.deals, RESULT) for lineup in lineups}, [])
    done = 0
    try:
        with _player(setup, cast, write_records is not None, workers) as play_all:
            for (lineup, chunk), played in _with_kept(units, play_all, keeper):
                end = chunk.first + chunk.count
                results.outcomes[lineup][chunk.first : end] = played.outcomes
                for fault in played.faults:
                    fault.table += chunk.first
                    results.faults.append((lineup, fault))
                if write_records is not None:
                    write_records(played.records)
                done += 1
                if done % len(lineups) == 0:
                    results.deals = end
                progress(chunk.count)
    except KeyboardInterrupt:
        results.interrupted = True
    results.outcomes = {lineup: outcomes[: results.deals] for lineup, outcomes in results.outcomes.items()}
    results.faults = [(lineup, fault) for lineup, fault in results.faults if fault.table < results.deals]
    return results


def _with_kept(
    units: Sequence[Unit], play_all: Callable[[Sequence[Unit]], Iterator[Played]], keeper: Keeper | None
) -> Iterator[tuple[Unit, Played]]:
    """Yield all units in order, those that are kept as they are, the others as they are played."""
    kept = {unit: played for unit in units if (played := keeper.get(*unit) if keeper else None)}
    fresh = play_all([unit for unit in units if unit not in kept])
    for unit in units:
        played = kept.pop(unit, None)
        if played is None:
            played = next(fresh)
            if keeper is not None:
                keeper.put(*unit, played)
        yield unit, played


@contextmanager
def _player(
    setup: Setup, cast: Sequence[Contestant], keep_records: bool, workers: int
) -> Iterator[Callable[[Sequence[Unit]], Iterator[Played]]]:
    """Yield what plays units in order, in this process or in others."""
    if workers <= 1:
        hall = Hall(setup, cast, keep_records)
        yield lambda units: (hall.play(*unit) for unit in units)
        return
    # Not forked: compiled code and the threads of torch do not survive that everywhere.
    executor = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_open_hall, initargs=(setup, cast, keep_records)
    )
    try:
        yield lambda units: executor.map(_play_unit, units)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


_hall: Hall | None = None
"""Of this worker process."""


def _open_hall(setup: Setup, cast: Sequence[Contestant], keep_records: bool) -> None:
    global _hall
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one decides
    _hall = Hall(setup, cast, keep_records)


def _play_unit(unit: Unit) -> Played:
    assert _hall is not None
    return _hall.play(*unit)
