"""Fair regret: what a decision of the auction loses against the best that the seat could have known to do.

Hindsight knows all cards, and most of its regret is luck. Here a decision is judged in worlds that the seat may be in:
deals of the hidden cards in which the others, who do as their agent does, come to the same calls. In each, every
seat is played out as declarer, and the auction goes on with the seat calling up to a limit. The limit that is best on
average over the worlds is compared with what the seat did.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.agents.bids.contracts import play_named_contracts
from baofen.agents.bids.lowest_calls import lowest_calls
from baofen.agents.bids.reference import reference_variants
from baofen.agents.search.worlds import WORLDS
from baofen.envs.cards import NUM_SEATS
from baofen.envs.core.dtypes import TABLE
from baofen.envs.rules import Rules
from baofen.envs.views import copy_rows
from baofen.training.bids.auction_deals import POT_PERCENT
from baofen.training.bids.auction_kernels import begin_walk_single, write_worlds
from baofen.training.bids.estimates import Estimate, estimate
from baofen.training.bids.judging.ladder import build_ladders, climb, climb_auction
from baofen.training.bids.value_network.fit import valued_deals

NUM_WORLDS = 400
"""Worlds that agree with the calls, in which a decision is judged."""
LEAST_WORLDS = 40
"""A decision with fewer is left out, and counted."""
BATCH_WORLDS = 500
MOST_BATCHES = 20
"""Batches of worlds drawn for one decision, whether they agree or not."""
PUBLIC_FIELDS = ("acting", "calls", "passed", "last_call", "last_caller")
"""What all see of an auction."""


@dataclass(frozen=True)
class FairRegret:
    """Mean loss per seat and deal, in points of score (levels where these are settled).

    lower, upper: bounds, for the best of noisy means flatters itself; both come together with more worlds.
    underbid, overbid: parts of `lower`, by passing where a call was better, and by calling.
    decisions: judged; left_out: not judged, for too few worlds agreed; worlds: the mean number for a decision.
    """

    decisions: int
    left_out: int
    worlds: float
    lower: Estimate
    upper: Estimate
    underbid: float
    overbid: float


class AgreeingWorlds:
    """Deals of the cards that one seat does not see, as the auction of a table begins."""

    def __init__(self, rules: Rules, table: NDArray[np.void], seat: int, seed: int) -> None:
        """Begin with a table, TABLE [1]; only what the seat knows of it is used.

        Raises:
            RuntimeError: if no deal agrees with what the seat knows.
        """
        self._rules, self._table = rules, np.ascontiguousarray(table)
        self._walk: Any = np.zeros(1, WORLDS)
        if not begin_walk_single(self._table, rules.record, seat, np.uint64(seed % 2**64), self._walk):
            raise RuntimeError("no deal of the hidden cards agrees with what the seat knows")

    def draw(self, count: int) -> Any:
        """Return the next worlds, TABLE [count], all deals equally likely."""
        worlds: Any = np.zeros(count, TABLE)
        write_worlds(self._table, self._rules.record, self._walk, worlds)
        return worlds


def agreeing_worlds(
    agent: Agent, rules: Rules, table: NDArray[np.void], decision: NDArray[np.void], rung: int, seed: int
) -> Any:
    """Return worlds, TABLE [up to NUM_WORLDS], at the beginning of an auction that leads to a decision.

    table: TABLE [1], the beginning; decision: TABLE [1], the decision number `rung` of its acting seat, who has called
    the least he might until then. The others do as `agent` does.
    """
    seat = int(decision["acting"][0])
    worlds = AgreeingWorlds(rules, table, seat, seed)
    agreeing: list[Any] = []
    count = 0
    for _ in range(MOST_BATCHES):
        drawn = worlds.draw(BATCH_WORLDS)
        _, ladder, rungs, states = climb_auction(rules, drawn, np.full(BATCH_WORLDS, seat, np.int8), agent, seed)
        same = rungs == rung
        for name in PUBLIC_FIELDS:
            same &= (states[name] == decision[name]).reshape(len(states), -1).all(1)
        agreeing.append(copy_rows(drawn, ladder[same]))
        count += len(agreeing[-1])
        if count >= NUM_WORLDS:
            break
    return np.concatenate(agreeing)[:NUM_WORLDS]


def play_out(rules: Rules, worlds: Any) -> NDArray[np.uint8]:
    """Return how each seat as declarer comes out in worlds [W], uint8 [W, 4, 1]."""
    outcomes = np.zeros((len(worlds), NUM_SEATS, 1), np.uint8)
    named, scratch = np.zeros((len(worlds), NUM_SEATS), np.int8), np.zeros(2, TABLE)
    play_named_contracts(worlds, rules.record, reference_variants(1), scratch, outcomes, named)
    return outcomes


def values_by_limit(
    agent: Agent,
    rules: Rules,
    worlds: NDArray[np.void],
    outcomes: NDArray[np.uint8],
    seats: NDArray[np.int8],
    rung: int = 0,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return what a seat of each world, `seats` [W], gets by the limit it stands for at its decision `rung`.

    Returns:
        Rewards, float [W, 1 + L]: column 0 passes at once, column 1 calls the least and then passes, and so on; the
        last never passes.
    """
    ladders = climb(rules, worlds, seats, outcomes, agent, seed)
    prices = lowest_calls(ladders.state, rules)
    before = ladders.rung < rung
    columns = [ladders.results(before | (prices < price)) for price in np.unique(prices[~before])]
    return np.stack([*columns, ladders.calling], axis=1)


def regrets(rewards: NDArray[np.float64], called: bool) -> tuple[float, float]:
    """Return bounds of the regret of a call (or else a pass), lower and upper, from `values_by_limit` [W, 1 + L].

    The best of some means seems better than it is, and one that was best in other worlds is at most as good as the
    best; each bound takes what errs on its side.
    """
    middle = len(rewards) // 2
    halves = rewards[:middle].mean(0), rewards[middle:].mean(0)
    pairs = (halves, halves[::-1])
    lower = float(np.mean([_lower_loss(learned, measured, called) for learned, measured in pairs]))
    if called:
        gain = np.mean([measured[1 + learned[1:].argmax()] - measured[0] for learned, measured in pairs])
        return lower, max(-float(gain), 0.0)
    return lower, max(_gain_of_calling(rewards.mean(0)), 0.0)


def _gain_of_calling(values: NDArray[np.float64]) -> float:
    """Return by how much the best limit seems better than passing, from the mean rewards by limit [1 + L]."""
    return float(values[1:].max() - values[0])


def _lower_loss(learned: NDArray[np.float64], measured: NDArray[np.float64], called: bool) -> float:
    """Return what a call or pass loses in other worlds than those from which it was learned what is better."""
    should_call = _gain_of_calling(learned) > 0
    if should_call == called:
        return 0.0
    return -_gain_of_calling(measured) if called else float(measured[1 + learned[1:].argmax()] - measured[0])


def fair_regret(
    agent: Agent,
    rules: Rules,
    *,
    decisions: int,
    seed: int = 0,
    pot_percent: int = POT_PERCENT,
    progress: Callable[[int], None] = lambda decisions: None,
) -> FairRegret:
    """Judge one decision, drawn evenly, of the agent's auction in each of so many deals of the split `test`.

    pot_percent: so many of 100 deals begin with a pot, where there can be one.

    Raises:
        ValueError: if there are no decisions to judge, or too few worlds agree with any of them.
    """
    if decisions < 1:
        raise ValueError(f"at least one decision is needed, not {decisions}")
    tables, outcomes = valued_deals(rules, seed, "test", 0, decisions, pot_percent, playouts=1)
    ladders = build_ladders(rules, tables, outcomes, agent, seed)
    called = ladders.decisions(agent)
    reached = np.flatnonzero(ladders.on_path(called))
    deal = ladders.ladder[reached] // NUM_SEATS
    rng = np.random.default_rng([seed % 2**64, decisions])
    losses: list[tuple[float, float]] = []
    calls, worlds_used = [], []
    for index in range(decisions):
        own = reached[deal == index]
        row = int(rng.choice(own))
        decision, rung = copy_rows(ladders.state, np.array([row])), int(ladders.rung[row])
        worlds = agreeing_worlds(agent, rules, tables[index : index + 1], decision, rung, seed + index)
        progress(1)
        if len(worlds) < LEAST_WORLDS:
            continue
        seats = np.full(len(worlds), decision["acting"][0])
        rewards = values_by_limit(agent, rules, worlds, play_out(rules, worlds), seats, rung, seed)
        lower, upper = regrets(rewards, bool(called[row]))
        # One of the deal's decisions stands for all of them, of all four seats.
        losses.append((lower * len(own) / NUM_SEATS, upper * len(own) / NUM_SEATS))
        calls.append(bool(called[row]))
        worlds_used.append(len(worlds))
    if not losses:
        raise ValueError(f"for none of {decisions} decisions {LEAST_WORLDS} worlds agree with the calls")
    found, by_call = np.array(losses), np.array(calls)
    return FairRegret(
        decisions=len(losses),
        left_out=decisions - len(losses),
        worlds=float(np.mean(worlds_used)),
        lower=estimate(found[:, 0], seed),
        upper=estimate(found[:, 1], seed),
        underbid=float((found[:, 0] * ~by_call).mean()),
        overbid=float((found[:, 0] * by_call).mean()),
    )
