"""Fair regret: what a decision of the auction loses against the best that the seat could have known to do.

Hindsight knows all cards, and most of its regret is luck. Here a decision is judged in many worlds that the seat may be
in (`agents.worlds`): in each, every seat is played out as declarer, and the auction goes on from the decision with the
seat calling up to a limit and the others doing as their agent does. The limit that is best on average over the worlds
is the best it can know. By the usual sum over decisions, the mean regret of a deal is all that any bidder could gain.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.agents.bidding import call_limit
from baofen.agents.bids.bidder import lowest_calls
from baofen.agents.bids.contracts import play_named_contracts
from baofen.agents.bids.handvalues import auction_weights
from baofen.agents.bids.reference import reference_variants
from baofen.agents.bids.tables import some_tables
from baofen.agents.weights import heuristic_weights
from baofen.agents.worlds import WORLDS, begin_walk, next_world
from baofen.envs.core.kernel import kernel
from baofen.envs.core.state import TABLE
from baofen.envs.rules import Rules
from baofen.training.bids.estimates import Estimate, estimate
from baofen.training.bids.fit import valued_deals
from baofen.training.bids.ladder import NUM_SEATS, build_ladders, climb

NUM_WORLDS = 600


@dataclass(frozen=True)
class FairRegret:
    """Mean loss per seat and deal, in points of score (levels where these are settled).

    least: what is best is learned in one half of the worlds and measured in the other, which errs low; most: it is
    learned and measured in the same, which errs high. underbid, overbid: parts of `least`, by passing where
    a call was better, and by calling.
    """

    decisions: int
    worlds: int
    least: Estimate
    most: Estimate
    underbid: float
    overbid: float


@kernel
def _deal_worlds(tables, rules, weights, seed, walk, worlds, limits):  # type: ignore[no-untyped-def]
    """Write worlds of the acting seat of table [1] into `worlds`, TABLE [W]; return whether there is one.

    limits: float64 [W, 3], what the heuristic would stand for in the others' seats.
    """
    seat = int(tables[0].acting)
    if not begin_walk(tables[0], rules[0], seat, seed, walk[0]):
        return False
    for index in range(worlds.shape[0]):
        worlds[index] = tables[0]
        next_world(tables[0], rules[0], walk[0], worlds[index])
        for step in range(1, 4):
            worlds[index].acting = (seat + step) & 3
            limits[index, step - 1] = call_limit(worlds[index], rules[0], weights[0].declarer)
        worlds[index].acting = seat
    return True


@dataclass(frozen=True, eq=False)
class PlayedWorlds:
    """Worlds of a seat in the auction, each played out with every seat as declarer.

    tables: TABLE [W]; outcomes: uint8 [W, 4, 1], by seat; weights: float [W], how likely each is by the calls, sum 1.
    """

    tables: NDArray[np.void]
    outcomes: NDArray[np.uint8]
    weights: NDArray[np.float64]


def play_worlds(rules: Rules, state: NDArray[np.void], seed: int, count: int = NUM_WORLDS) -> PlayedWorlds:
    """Return worlds of the acting seat of one redacted table, TABLE [1].

    Raises:
        RuntimeError: if no deal agrees with what the seat knows.
    """
    worlds: Any = np.zeros(count, TABLE)
    limits = np.zeros((count, NUM_SEATS - 1))
    walk: Any = np.zeros(1, WORLDS)
    weights: Any = heuristic_weights()
    own: Any = np.ascontiguousarray(state)
    if not _deal_worlds(own, rules.record, weights, np.uint64(seed % 2**64), walk, worlds, limits):
        raise RuntimeError("no deal of the hidden cards agrees with what the seat knows")
    outcomes = np.zeros((count, NUM_SEATS, 1), np.uint8)
    named, scratch = np.zeros((count, NUM_SEATS), np.int8), np.zeros(2, TABLE)
    play_named_contracts(worlds, rules.record, reference_variants(1), scratch, outcomes, named)
    return PlayedWorlds(worlds, outcomes, auction_weights(own[0], rules, limits))


def values_by_limit(agent: Agent, rules: Rules, worlds: PlayedWorlds, seed: int = 0) -> NDArray[np.float64]:
    """Return what the acting seat gets in each world by the limit it stands for, float [W, 1 + L].

    Column 0 passes at once, column 1 calls the least and then passes, and so on; the last never passes.
    """
    seats = worlds.tables["acting"].copy()
    ladders = climb(rules, worlds.tables, seats, worlds.outcomes, agent, seed)
    prices = lowest_calls(ladders.state, rules)
    columns = [ladders.results(prices < price) for price in np.unique(prices)]
    return np.stack([*columns, ladders.calling], axis=1)


def regrets(rewards: NDArray[np.float64], weights: NDArray[np.float64], calls: bool) -> tuple[float, float]:
    """Return the regret of a call (or else a pass) from `values_by_limit`: least and most, as in `FairRegret`."""
    middle = len(weights) // 2
    halves = [
        (w / w.sum()) @ r for w, r in ((weights[:middle], rewards[:middle]), (weights[middle:], rewards[middle:]))
    ]
    least = np.mean([_loss(learned, measured, calls) for learned, measured in (halves, halves[::-1])])
    whole = weights @ rewards
    return float(least), float(max(_gain_of_calling(whole) * (-1 if calls else 1), 0.0))


def _gain_of_calling(values: NDArray[np.float64]) -> float:
    """Return by how much the best limit is better than passing, from the mean rewards by limit [1 + L]."""
    return float(values[1:].max() - values[0])


def _loss(learned: NDArray[np.float64], measured: NDArray[np.float64], calls: bool) -> float:
    """Return what a call or pass loses in other worlds than those from which it was learned what is better."""
    should_call = _gain_of_calling(learned) > 0
    if should_call == calls:
        return 0.0
    return -_gain_of_calling(measured) if calls else float(measured[1 + learned[1:].argmax()] - measured[0])


def fair_regret(
    agent: Agent,
    rules: Rules,
    *,
    decisions: int,
    seed: int = 0,
    progress: Callable[[int], None] = lambda decisions: None,
) -> FairRegret:
    """Judge one decision, drawn evenly, of the agent's auction in each of so many deals of the split `test`."""
    tables, outcomes = valued_deals(rules, seed, "test", 0, decisions, playouts=1)
    ladders = build_ladders(rules, tables, outcomes, agent, seed)
    calls = ladders.decisions(agent)
    reached = np.flatnonzero(ladders.on_path(calls))
    deal = ladders.ladder[reached] // NUM_SEATS
    rng = np.random.default_rng([seed % 2**64, decisions])
    losses = np.zeros((decisions, 2))
    by_call = np.zeros(2)
    for index in range(decisions):
        own = reached[deal == index]
        row = int(rng.choice(own))
        worlds = play_worlds(rules, some_tables(ladders.state, [row]), seed + index)
        rewards = values_by_limit(agent, rules, worlds, seed)
        # One of the deal's decisions stands for all of them, of all four seats.
        losses[index] = np.array(regrets(rewards, worlds.weights, bool(calls[row]))) * len(own) / NUM_SEATS
        by_call[int(calls[row])] += losses[index, 0] / decisions
        progress(1)
    least, most = (estimate(losses[:, column], seed) for column in (0, 1))
    return FairRegret(decisions, NUM_WORLDS, least, most, underbid=float(by_call[0]), overbid=float(by_call[1]))
