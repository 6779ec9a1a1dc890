"""Fitting the bidder: the best reply in the auction to tables of its own kind and of heuristics, again and again.

In each round ladders are built on fresh deals of a fixed sample; at every rung the gain of a call over a pass, with
later rungs decided as now, is regressed on the terms of the decision. The rounds' coefficients are averaged, the
later ones more, until replies no longer gain. A regression is right on average, not where it matters, at the edge
between call and pass: so each round ends with the one shift of all gains that earns most on its ladders.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.agents.bids.bidder import (
    LEVELS_UNIT,
    NUM_SITUATIONS,
    POINTS_UNIT,
    TERMS,
    UNFITTED,
    ValueBidder,
    decision_terms,
    gains,
    situations,
)
from baofen.agents.bids.contracts import play_named_contracts
from baofen.agents.bids.lowest_calls import may_call
from baofen.agents.bids.outcomes import Prices
from baofen.agents.bids.reference import reference_variants
from baofen.agents.bids.value_network import ValueNetwork
from baofen.agents.heuristic import HeuristicAgent
from baofen.envs.core.dtypes import TABLE
from baofen.envs.rules import Rules
from baofen.training.bids.auction_deals import POT_PERCENT, auction_deals
from baofen.training.bids.judging.ladder import Ladders, build_ladders

PLAYOUTS = 6
RIDGE = 50.0
OFF_PATH_WEIGHT = 0.1
"""Rungs that the bidder does not reach count less, but it should be wise there too."""
SHIFTS = np.linspace(-0.3, 0.3, 25)
"""Shifts of all gains that are tried, in the unit of the terms."""


@dataclass(frozen=True)
class Round:
    """One round: what the bidder earned per seat and deal among its own kind and among heuristics, before it."""

    among_own: float
    among_heuristics: float
    heuristic_among_heuristics: float
    change: float


def valued_deals(
    rules: Rules,
    seed: int,
    split: str,
    first: int,
    count: int,
    pot_percent: int = POT_PERCENT,
    playouts: int = PLAYOUTS,
) -> tuple[NDArray[np.void], NDArray[np.uint8]]:
    """Return deals in their auction, TABLE [n], and the outcomes of every seat as declarer, uint8 [n, 4, R]."""
    tables: Any = auction_deals(rules, seed, split, first, count, pot_percent)
    outcomes = np.zeros((count, 4, playouts), np.uint8)
    scratch: Any = np.zeros(2, TABLE)
    named = np.zeros((count, 4), np.int8)
    play_named_contracts(tables, rules.record, reference_variants(playouts), scratch, outcomes, named)
    return tables, outcomes


def fit_bidder(
    network: ValueNetwork,
    rules: Rules,
    *,
    seed: int = 0,
    deals_per_round: int = 2000,
    rounds: int = 6,
    progress: Callable[[str], None] = lambda line: None,
) -> tuple[NDArray[np.float64], list[Round]]:
    """Return the coefficients of the bidder, float [NUM_SITUATIONS, TERMS], and how the rounds went."""
    prices = Prices(rules)
    coefficients = UNFITTED.copy()
    gram = np.zeros((NUM_SITUATIONS, len(TERMS), len(TERMS)))
    moment = np.zeros((NUM_SITUATIONS, len(TERMS)))
    told: list[Round] = []
    shift = 0.0
    for number in range(rounds):
        tables, outcomes = valued_deals(rules, seed, "fit", number * deals_per_round, deals_per_round)
        gram *= 0.5  # replies to older selves fade
        moment *= 0.5
        earned = []
        climbed: list[tuple[Ladders, NDArray[np.float64], NDArray[np.int64]]] = []
        kinds: list[Agent] = [ValueBidder(network, coefficients), HeuristicAgent()]
        for others in kinds:
            ladders = build_ladders(rules, tables, outcomes, others)
            terms = decision_terms(network, prices, ladders.state, rules)
            situation = situations(ladders.state)
            calls = (gains(coefficients, terms, situation) > 0) & may_call(ladders.state, rules)
            earned.append(float(ladders.results(calls).mean()))
            climbed.append((ladders, terms, situation))
            _add_moments(
                ladders, calls, terms, situation, LEVELS_UNIT if prices.rules.has_levels else POINTS_UNIT, gram, moment
            )
        by_heuristic = float(ladders.results(ladders.decisions(HeuristicAgent())).mean())
        before = coefficients
        coefficients = np.stack(
            [
                np.linalg.solve(gram[place] + RIDGE * np.eye(len(TERMS)), moment[place] + RIDGE * UNFITTED[place])
                for place in range(NUM_SITUATIONS)
            ]
        )
        shift += 0.5 * (_best_shift(coefficients, climbed) - shift)
        coefficients[:, 0] += shift
        change = float(np.abs(coefficients - before).max())
        told.append(Round(earned[0], earned[1], by_heuristic, change))
        progress(f"round {number + 1} of {rounds}: {told[-1]}")
    return coefficients, told


def _best_shift(
    coefficients: NDArray[np.float64],
    climbed: list[tuple[Ladders, NDArray[np.float64], NDArray[np.int64]]],
) -> float:
    """Return the shift of all gains that earns most, taken as the top of a parabola through what the shifts earn."""
    earned = np.zeros(len(SHIFTS))
    for ladders, terms, situation in climbed:
        gain = gains(coefficients, terms, situation)
        allowed = may_call(ladders.state, ladders.rules)
        earned += [ladders.results((gain + shift > 0) & allowed).mean() for shift in SHIFTS]
    bend, slope, _ = np.polyfit(SHIFTS, earned, 2)
    if bend >= 0:
        return float(SHIFTS[earned.argmax()])
    return float(np.clip(-slope / (2 * bend), SHIFTS[0], SHIFTS[-1]))


def _add_moments(
    ladders: Ladders,
    calls: NDArray[np.bool_],
    terms: NDArray[np.float64],
    situation: NDArray[np.int64],
    unit: float,
    gram: NDArray[np.float64],
    moment: NDArray[np.float64],
) -> None:
    """Add what a set of ladders says about the gain of calling, for the regression of each situation."""
    gain = (ladders.continuing(calls) - ladders.passing) / unit
    weight = np.where(ladders.on_path(calls), 1.0, OFF_PATH_WEIGHT) * may_call(ladders.state, ladders.rules)
    for place in range(NUM_SITUATIONS):
        rows = np.flatnonzero(situation == place)
        weighted = terms[rows] * weight[rows, None]
        gram[place] += weighted.T @ terms[rows]
        moment[place] += weighted.T @ gain[rows]
