"""Ladders: for a seat of a deal, every price at which it could have passed, and what each way out was worth.

The seat calls the least it may again and again while the others do as their agent does; its decisions on the way are
the rungs. Passing at a rung ends its auction there; never passing makes it declarer in the end. Jumps are left out.
So the best a bidder could have done against these others, any bidder's result and the regret of each of its decisions
follow from the ladder, with contracts worth what their play-outs say.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.agents.bids.outcomes import Prices, call_index
from baofen.envs.actions import PASS
from baofen.envs.cards import NUM_SEATS
from baofen.envs.core.dtypes import AUCTION, NOBODY, OVER, Phase
from baofen.envs.core.known import redact_tables
from baofen.envs.core.loops import step_rows
from baofen.envs.rules import Rules
from baofen.envs.views import copy_rows
from baofen.training.arena.play import ask, begin, play_deals
from baofen.training.bids.auction_kernels import lowest_call_actions


@dataclass(frozen=True, eq=False)
class Ladders:
    """Some ladders (n), rung by rung (m in all), lowest first within a ladder.

    ladder: int64 [m], which one; rung: int64 [m], from 0; state: TABLE [m], what the seat may see there.
    passing: float [m], the seat's reward if it passes there; calling: float [n], if it never passes.
    taken: int8 [m], who declares if it passes, NOBODY if all pass.
    """

    rules: Rules
    ladder: NDArray[np.int64]
    rung: NDArray[np.int64]
    state: NDArray[np.void]
    passing: NDArray[np.float64]
    calling: NDArray[np.float64]
    taken: NDArray[np.int8]

    def decisions(self, agent: Agent) -> NDArray[np.bool_]:
        """Return at which rungs an agent would call, bool [m]."""
        agent.reset(len(self.state), 0)
        answers = ask(agent, self.rules, self.state, np.arange(len(self.state)))
        return np.asarray(answers.actions != PASS)

    def results(self, calls: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what bidders get who call where `calls` [m] says, float [n]: the first pass decides."""
        results = self.calling.copy()
        passes = np.flatnonzero(~calls)[::-1]
        results[self.ladder[passes]] = self.passing[passes]  # of several for a ladder the last is kept: its first pass
        return results

    def continuing(self, calls: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what a call at each rung leads to if the later rungs are decided by `calls`, float [m]."""
        values = np.empty(len(self.rung))
        behind = self.calling.copy()
        for index in range(len(self.rung) - 1, -1, -1):
            row = self.ladder[index]
            values[index] = behind[row]
            if not calls[index]:
                behind[row] = self.passing[index]
        return values

    def best_from(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the best result from each rung on after a call [m], and the best of each ladder [n]."""
        values = np.empty(len(self.rung))
        best = self.calling.copy()
        for index in range(len(self.rung) - 1, -1, -1):
            row = self.ladder[index]
            values[index] = best[row]
            best[row] = max(best[row], self.passing[index])
        return values, best

    def on_path(self, calls: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which rungs a bidder reaches who decides by `calls` [m]: it has called at all below."""
        reached = np.empty(len(calls), np.bool_)
        still_in = np.ones(len(self.calling), np.bool_)
        for index in range(len(calls)):
            reached[index] = still_in[self.ladder[index]]
            still_in[self.ladder[index]] &= calls[index]
        return reached


def build_ladders(
    rules: Rules, tables: NDArray[np.void], outcomes: NDArray[np.uint8], others: Agent, seed: int = 0
) -> Ladders:
    """Return the ladders of all seats of deals in their auction, TABLE [d]: that of deal i, seat s is 4 i + s.

    outcomes: uint8 [d, 4, R], of each seat as declarer. others: the agent in the other three seats.
    """
    count = len(tables)
    each_seat = copy_rows(tables, np.arange(count).repeat(NUM_SEATS))
    seats = np.tile(np.arange(NUM_SEATS, dtype=np.int8), count)
    return climb(rules, each_seat, seats, outcomes.repeat(NUM_SEATS, 0), others, seed)


def climb(
    rules: Rules,
    tables: NDArray[np.void],
    seats: NDArray[np.int8],
    outcomes: NDArray[np.uint8],
    others: Agent,
    seed: int = 0,
) -> Ladders:
    """Return the ladder of one seat, `seats` [n], from where the auction of each table, TABLE [n], stands.

    outcomes: uint8 [n, 4, R], of each seat as declarer. others: the agent in the other three seats.
    """
    over, ladder, rung, states = climb_auction(rules, tables, seats, others, seed)
    prices = Prices(rules)
    calling = auction_rewards(over, outcomes, seats, prices)
    every = np.arange(len(states))
    forks: Any = copy_rows(states, every)
    step_rows(forks, rules.record, every, np.full(len(forks), PASS))
    faults = play_deals(rules, forks, np.zeros((len(forks), 4), np.int8), [others], seed, until=Phase.TRUMP)
    assert not faults, faults[0]
    passing = auction_rewards(forks, outcomes[ladder], seats[ladder], prices)
    taken = forks["declarer"].copy()
    redact_tables(states, seats[ladder])
    return Ladders(rules, ladder, rung, states, passing, calling, taken)


def climb_auction(
    rules: Rules, tables: NDArray[np.void], seats: NDArray[np.int8], others: Agent, seed: int = 0
) -> tuple[Any, NDArray[np.int64], NDArray[np.int64], Any]:
    """Play auctions, TABLE [n], in which one seat of each, `seats` [n], calls the least it may and never passes.

    Returns:
        The tables after it, TABLE [n], and the decisions on the way as in `Ladders`, but with all hands in them:
        ladder [m], rung [m], state TABLE [m].
    """
    climbing: Any = copy_rows(tables, np.arange(len(tables)))
    agent = begin(others, len(climbing), seed)
    found: list[tuple[NDArray[np.int64], NDArray[np.void]]] = []
    while len(rows := np.flatnonzero(climbing["phase"] == AUCTION)):
        own = climbing["acting"][rows] == seats[rows]
        mine, theirs = rows[own], rows[~own]
        if len(mine):
            found.append((mine, copy_rows(climbing, mine)))
            actions = np.empty(len(mine), np.int64)
            lowest_call_actions(climbing, mine, actions)
            step_rows(climbing, rules.record, mine, actions)
        if len(theirs):
            answers = ask(agent, rules, climbing, theirs)
            if answers.faults:
                raise RuntimeError(f"{agent.name} failed in the auction: {next(iter(answers.faults.values()))}")
            step_rows(climbing, rules.record, theirs, answers.actions)
    ladder = np.concatenate([rows for rows, _ in found])
    order = np.argsort(ladder, kind="stable")
    ladder = ladder[order]
    states = _joined([state for _, state in found], order)
    return climbing, ladder, np.arange(len(ladder)) - np.searchsorted(ladder, ladder), states


def _joined(parts: list[NDArray[np.void]], order: NDArray[np.int64]) -> Any:
    """Return tables of several arrays as one, in an order."""
    raw = np.concatenate([part.view(np.uint8).reshape(len(part), -1) for part in parts])[order]
    return raw.view(parts[0].dtype).reshape(len(raw))


def auction_rewards(
    tables: NDArray[np.void], outcomes: NDArray[np.uint8], seats: NDArray[np.int8], prices: Prices
) -> NDArray[np.float64]:
    """Return what seats [n] may expect from tables whose auction is over, float [n]; outcomes: uint8 [n, 4, R]."""
    passed_out = (tables["phase"] == OVER) & (tables["declarer"] == NOBODY)
    every = np.arange(len(tables))
    rewards = tables["result_rewards"][every, seats].astype(np.float64)
    rows = np.flatnonzero(~passed_out)
    declarer = tables["declarer"][rows].astype(np.int64)
    came_out = outcomes[rows, declarer]
    targets = np.array([call_index(int(target)) for target in tables["target"][rows]], np.int64)
    scores = prices.score_table[targets[:, None], came_out].mean(1)
    made = prices.made_table[targets[:, None], came_out].mean(1)
    pots = tables["pot"][rows]
    own = prices.declarer_rewards(scores, made, pots)
    rewards[rows] = np.where(declarer == seats[rows], own, -scores)
    return rewards
