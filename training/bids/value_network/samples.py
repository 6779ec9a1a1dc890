"""Labelled decisions of auctions: what a bidder sees, and how the contracts it may end in came out.

The auctions are between bidders who stand for about what their hands are worth, each deal with its own moods, so that
the network meets cautious and reckless tables alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.bids.contracts import play_given_contracts, play_named_contracts
from baofen.agents.bids.inputs import DECLARE, DECLARE_GIVEN, NUM_INPUTS
from baofen.agents.bids.lowest_calls import lowest_calls
from baofen.agents.bids.outcomes import Prices
from baofen.agents.bids.reference import reference_variants
from baofen.agents.bids.value_network import ANY_SUIT, ValueNetwork, read_inputs
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.envs.actions import CALL_MIN, CALL_STEP, NUM_CALLS
from baofen.envs.core.dtypes import NOBODY, TABLE
from baofen.envs.rules import Rules
from baofen.envs.views import copy_rows
from baofen.training.bids.auction_deals import POT_PERCENT, auction_deals
from baofen.training.bids.auction_kernels import bid_by_limits, reference_limits

CHUNK_DEALS = 2000
PLAYOUTS = 2
"""Play-outs of each contract, by the reference and a neighbour: labels of a sample."""
TABLE_MOOD_POINTS = 10.0
SEAT_MOOD_POINTS = 10.0
"""Standard deviations of what a table, and a seat at it, add to their limits."""
WHOLE_AUCTION = 1000


@dataclass(frozen=True, eq=False)
class Samples:
    """Decisions with the outcomes of one contract each.

    inputs: float16 [n, NUM_INPUTS]; outcomes: uint8 [n, PLAYOUTS]; question: int8 [n] (`agents.bids.inputs`);
    target: int16 [n], the lowest call allowed, or the last call where another declares; deal: int32 [n].
    """

    inputs: NDArray[np.float16]
    outcomes: NDArray[np.uint8]
    question: NDArray[np.int8]
    target: NDArray[np.int16]
    deal: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.inputs)

    def some(self, rows: NDArray[Any]) -> "Samples":
        """Return some of the samples."""
        return Samples(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


def network_limits(network: ValueNetwork, tables: NDArray[np.void], rules: Rules) -> NDArray[np.float64]:
    """Return the highest target with an expected score of 0 or more for each seat, float [n, 4]."""
    prices = Prices(rules)
    limits = np.empty((len(tables), 4))
    for seat in range(4):
        seen = tables.copy()
        seen["acting"] = seat
        scores = network.predict(seen, rules) @ prices.score_table.T
        limits[:, seat] = CALL_MIN + CALL_STEP * ((scores >= 0) * np.arange(1, NUM_CALLS + 1)).max(1) - CALL_STEP
    return limits


def make_samples(
    rules: Rules,
    seed: int,
    split: str,
    num_deals: int,
    *,
    states_per_deal: int = 2,
    network: ValueNetwork | None = None,
    progress: Callable[[int], None] = lambda deals: None,
) -> Samples:
    """Return samples of deals number 0 .. of a split.

    network: half of the tables bid by its values; otherwise all by the reference's estimate.
    """
    parts: list[Samples] = []
    for first in range(0, num_deals, CHUNK_DEALS):
        count = min(CHUNK_DEALS, num_deals - first)
        parts += _chunk(rules, seed, split, first, count, states_per_deal, network)
        progress(count)
    return Samples(*(np.concatenate([getattr(p, name) for p in parts]) for name in Samples.__dataclass_fields__))


def _chunk(
    rules: Rules, seed: int, split: str, first: int, count: int, states_per_deal: int, network: ValueNetwork | None
) -> list[Samples]:
    rng = np.random.default_rng([seed, first, len(split)])
    tables: Any = auction_deals(rules, seed, split, first, count, POT_PERCENT)
    scratch: Any = np.zeros(2, TABLE)
    outcomes = np.zeros((count, 4, PLAYOUTS), np.uint8)
    named = np.zeros((count, 4), np.int8)
    play_named_contracts(tables, rules.record, reference_variants(PLAYOUTS), scratch, outcomes, named)
    trumps = rng.integers(0, 4, (count, 4)).astype(np.int8)
    given = np.zeros((count, 4), np.uint8)
    knows_trump = bool(rules.record["exposure"][0])
    if not knows_trump:
        weights: Any = heuristic_weights()
        play_given_contracts(tables, rules.record, weights, trumps, scratch, given)
    limits = np.empty((count, 4))
    reference_limits(tables, rules.record, heuristic_weights(), limits)
    if network is not None:
        limits[::2] = network_limits(network, tables[::2], rules)
    limits += TABLE_MOOD_POINTS * rng.standard_normal((count, 1)) + SEAT_MOOD_POINTS * rng.standard_normal((count, 4))
    made = np.zeros(count, np.int64)
    bid_by_limits(tables.copy(), rules.record, limits, np.full(count, WHOLE_AUCTION), made)
    parts = []
    deals = np.arange(count)
    for _ in range(states_per_deal):
        states: Any = copy_rows(tables, deals)
        bid_by_limits(states, rules.record, limits, rng.integers(0, made), np.zeros(count, np.int64))
        seat = states["acting"].astype(np.int64)
        parts.append(_labelled(states, rules, DECLARE, ANY_SUIT, outcomes[deals, seat], first))
        if not knows_trump:
            suits = trumps[deals, seat]
            labels = given[deals, seat][:, None].repeat(PLAYOUTS, 1)
            parts.append(_labelled(states, rules, DECLARE_GIVEN, suits, labels, first))
        step = _other_declarer(states, rng)
        labels = outcomes[deals, (seat + step) & 3]
        parts.append(_labelled(states, rules, step.astype(np.int8), ANY_SUIT, labels, first))
    return parts


def _other_declarer(states: NDArray[np.void], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return how many seats after the acting one the one to declare sits: the last caller, or one still to speak."""
    count = len(states)
    seat = states["acting"].astype(np.int64)
    draws = rng.random((count, 3))
    others = (seat[:, None] + np.arange(1, 4)) & 3
    draws[states["passed"][np.arange(count)[:, None], others] != 0] -= 1.0
    step = draws.argmax(1) + 1
    caller = states["last_caller"].astype(np.int64)
    return np.where(caller != NOBODY, (caller - seat) & 3, step)


def _labelled(
    states: NDArray[np.void],
    rules: Rules,
    question: int | NDArray[np.int8],
    given: int | NDArray[np.int8],
    outcomes: NDArray[np.uint8],
    first: int,
) -> Samples:
    count = len(states)
    last = states["last_call"].astype(np.int16)
    questions = np.broadcast_to(np.asarray(question, np.int8), count)
    target = np.where((questions > 0) & (last > 0), last, lowest_calls(states, rules))
    deals = np.arange(first, first + count, dtype=np.int32)
    inputs = read_inputs(states, rules, question, given).astype(np.float16)
    assert inputs.shape[1] == NUM_INPUTS
    return Samples(inputs, outcomes, questions.copy(), target.clip(CALL_MIN, 200).astype(np.int16), deals)
