"""The agent `bidder:value`: it calls while declaring is worth more than passing, by a network that knows both values.

Passing is worth what the others' contract costs (each defender gets the negative of the score), or what happens if
all pass. What both values leave out, how the auction goes on after a call, is in a few coefficients for each
situation, fitted as the best reply to tables of its own kind and of heuristics (`training.bids.fit`).
"""

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Views
from baofen.agents.bids.lowest_calls import lowest_calls, may_call
from baofen.agents.bids.outcomes import Prices
from baofen.agents.bids.value_network import ValueNetwork, load_network, value_file
from baofen.agents.heuristic import HeuristicAgent
from baofen.envs.actions import CALL, CALL_MIN, CALL_STEP, NUM_CALLS, PASS
from baofen.envs.core.dtypes import AUCTION, NOBODY
from baofen.envs.rules import Rules
from baofen.envs.views import copy_rows

WITHOUT_POT = 7
NUM_SITUATIONS = 2 * WITHOUT_POT
"""Nobody has called and 0, 1, 2, 3 others have passed; somebody has, and 1, 2, 3 others (he too) are still in.

The same seven again if there is a pot.
"""
TERMS = ("one", "declaring", "passing", "declaring higher", "made", "passing higher", "pot")
HIGHER_POINTS = 10
"""The terms called higher are of a target so much higher."""
POINTS_UNIT = 50.0
LEVELS_UNIT = 5.0
UNFITTED = np.tile(np.array([0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0]), (NUM_SITUATIONS, 1))
"""Coefficients that compare the two values and nothing else."""


def situations(state: NDArray[np.void]) -> NDArray[np.int64]:
    """Return the situation of each acting seat, [n] (`NUM_SITUATIONS`)."""
    others_passed = (state["passed"] != 0).sum(1)
    place = np.where(state["last_caller"] == NOBODY, others_passed, WITHOUT_POT - 1 - others_passed)
    return np.asarray(place.clip(0, WITHOUT_POT - 1) + WITHOUT_POT * (state["pot"] > 0))


def _at(table: NDArray[np.float64], targets: NDArray[np.int64]) -> NDArray[np.float64]:
    rows: NDArray[np.float64] = table[((targets - CALL_MIN) // CALL_STEP).clip(0, NUM_CALLS - 1)]
    return rows


def decision_terms(network: ValueNetwork, prices: Prices, state: NDArray[np.void], rules: Rules) -> NDArray[np.float64]:
    """Return the terms that a decision in the auction is made of, float [n, TERMS], for tables with a call left."""
    count = len(state)
    targets = lowest_calls(state, rules)
    pots = state["pot"].astype(np.float64)
    own = network.predict(state, rules).astype(np.float64)

    def declaring(targets: NDArray[np.int64]) -> NDArray[np.float64]:
        scores = (own * _at(prices.score_table, targets)).sum(1)
        made = (own * _at(prices.made_table, targets)).sum(1)
        return prices.declarer_rewards(scores, made, pots)

    caller = np.where(state["last_caller"] == NOBODY, state["first_caller"], state["last_caller"]).astype(np.int64)
    step = (caller - state["acting"]) & 3
    theirs = np.zeros_like(own)
    rows = np.flatnonzero(step > 0)
    if len(rows):
        theirs[rows] = network.predict(copy_rows(state, rows), rules, step[rows].astype(np.int8))
    last = np.where(state["last_call"] > 0, state["last_call"], rules.number("bid_min")).astype(np.int64)
    passing = -(theirs * _at(prices.score_table, last)).sum(1)
    passing_higher = -(theirs * _at(prices.score_table, last + HIGHER_POINTS)).sum(1)
    opens = state["last_caller"] == NOBODY
    all_pass = prices.all_pass(step == 0, state["pot"], declaring(last), passing)
    passing = np.where(opens, all_pass, passing)
    passing_higher = np.where(opens, 0.0, passing_higher)
    unit = LEVELS_UNIT if prices.rules.has_levels else POINTS_UNIT
    terms = np.empty((count, len(TERMS)))
    terms[:, 0] = 1
    terms[:, 1] = declaring(targets) / unit
    terms[:, 2] = passing / unit
    terms[:, 3] = declaring(targets + HIGHER_POINTS) / unit
    terms[:, 4] = (own * _at(prices.made_table, targets)).sum(1)
    terms[:, 5] = passing_higher / unit
    terms[:, 6] = pots / 100
    return terms


class ValueBidder:
    """Bids by a value network; exposes, names trump, buries and plays as the heuristic does."""

    cheats = False
    needs_observation = False

    def __init__(
        self,
        network: ValueNetwork | None = None,
        coefficients: NDArray[np.float64] | None = None,
        name: str = "bidder:value",
    ) -> None:
        """Make the agent; without a network it takes the shipped one of the preset it is asked to play."""
        self.name = name
        self._network = network
        self._coefficients = coefficients
        self._heuristic = HeuristicAgent()

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew; nothing is remembered and nothing is drawn."""
        self._heuristic.reset(num_tables, seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
        actions = self._heuristic.act(views)
        rows = np.flatnonzero(views.state["phase"] == AUCTION)
        if len(rows):
            actions[rows] = self._call(copy_rows(views.state, rows), views.rules)
        return actions

    def _call(self, state: NDArray[np.void], rules: Rules) -> NDArray[np.int64]:
        """Return the lowest call or the pass for tables in the auction."""
        network = self._network or load_network(value_file(rules))
        coefficients = self._coefficients
        if coefficients is None:
            coefficients = np.array(network.facts["bidder"]["coefficients"])
        terms = decision_terms(network, Prices(rules), state, rules)
        calls = gains(coefficients, terms, situations(state)) > 0
        actions = CALL + (lowest_calls(state, rules) - CALL_MIN) // CALL_STEP
        return np.where(calls & may_call(state, rules), actions, PASS)


def gains(
    coefficients: NDArray[np.float64], terms: NDArray[np.float64], situation: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return by how much calling is better than passing, [n], in the unit of the terms."""
    gain: NDArray[np.float64] = (coefficients[situation] * terms).sum(1)
    return gain
