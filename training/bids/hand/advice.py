"""What to call with a hand, and why: every allowed call and the pass, from play-outs in worlds the seat may be in."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.agents.bids.handvalues import HandValues, hand_values
from baofen.agents.bids.outcome_codes import NUM_OUTCOMES
from baofen.agents.bids.outcomes import Event, Prices
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.envs.actions import CALL, PASS, TRUMP, call_points
from baofen.envs.cards import NUM_SUITS, SUITS
from baofen.envs.core.dtypes import NOBODY
from baofen.envs.explain import set_faces
from baofen.envs.views import Views
from baofen.training.bids.auction_kernels import bury_single

NUM_WORLDS = 1500
TOLD_ERRORS = 2.0
"""A difference of more standard errors than that is told as one."""


@dataclass(frozen=True)
class CallValue:
    """One call, or the pass (`call` None): expected reward, chance to make it (None for the pass), Monte Carlo error.

    over_pass, over_pass_error: what it is worth more than passing in the same worlds, and the error of that.
    """

    call: int | None
    expected_score: float
    made: float | None
    error: float
    over_pass: float = 0.0
    over_pass_error: float = 0.0

    @property
    def against_pass(self) -> int:
        """1: surely worth more than passing, -1: surely less, 0: not to be told (two errors)."""
        return int(self.over_pass > TOLD_ERRORS * self.over_pass_error) - int(
            self.over_pass < -TOLD_ERRORS * self.over_pass_error
        )


@dataclass(frozen=True)
class Advice:
    """All that is told of a hand.

    values: calls from low to high, each worth what it brings if it buys the contract, the pass last;
    agent_call: what the agent does, None for the pass; trump: the suit most often named once the bottom is seen;
    bury: the eight faces of the hand that would go first, whatever the bottom brings;
    trumps: suit -> (expected points, error); points, chances: the distribution of points as declarer;
    events: chance of each bonus event; effective_worlds: as many equally likely worlds would tell as much.
    """

    values: list[CallValue]
    agent_call: int | None
    trump: str
    bury: list[int]
    trumps: dict[str, tuple[float, float]]
    points: NDArray[np.float64]
    chances: NDArray[np.float64]
    events: dict[str, float]
    worlds: int
    effective_worlds: float
    sentence: str


def advise(views: Views, agent: Agent, *, num_worlds: int = NUM_WORLDS, seed: int = 0) -> Advice:
    """Return the advice for the one view of `views`, and what an agent would call."""
    values = hand_values(views, num_worlds, seed)
    prices = Prices(views.rules)
    state = views.state[0]
    pot = int(state["pot"])
    own = values.declaring()
    span = _Span(values, prices)
    passed, price = _passing(views, values, prices)
    mean, error = values.mean(passed, (span.of(price),))
    passing = CallValue(None, mean, None, error)
    calls = []
    for legal in np.flatnonzero(views.action_mask[0]).tolist():
        if CALL <= legal < TRUMP:
            target = call_points(legal)
            rewards = prices.rewards(target, pot)
            reward, error = values.mean(rewards[own], (span.of(rewards),))
            over, over_error = values.mean(rewards[own] - passed, (span.of(rewards), span.of(price)))
            made = values.mean(prices.made(target)[own])[0]
            calls.append(CallValue(target, reward, made, error, over, over_error))
    agent.reset(1, seed)
    action = int(agent.act(views)[0])
    trumps = {SUITS[suit]: values.mean(prices.points[values.declaring(suit)]) for suit in values.trumps}
    named = int(np.bincount(values.named, weights=values.weights, minlength=4).argmax())
    points = np.unique(prices.points[own])
    chances = np.array([values.weights[prices.points[own] == one].sum() for one in points])
    events = {event.name.lower(): float(values.weights[prices.event[own] == event].sum()) for event in Event}
    sentence = _why([*calls, passing], values, prices, named)
    return Advice(
        values=[*calls, passing],
        agent_call=None if action == PASS else call_points(action),
        trump=SUITS[named],
        bury=_worst_cards(views, named),
        trumps=trumps,
        points=points,
        chances=chances,
        events=events,
        worlds=num_worlds,
        effective_worlds=values.effective_worlds(),
        sentence=sentence,
    )


class _Span:
    """How far an outcome that no world has shown could be from the mean of a price."""

    def __init__(self, values: HandValues, prices: Prices) -> None:
        columns = [*values.trumps, *range(NUM_SUITS, values.outcomes.shape[1])]
        # In a game of levels no outcome is far from all others; there, what any seat has come to may be seen.
        seen = np.unique(values.outcomes[:, columns])
        self._codes = seen if prices.rules.has_levels else np.arange(NUM_OUTCOMES)
        self._values, self._columns = values, columns

    def of(self, price: NDArray[np.float64]) -> tuple[float, float]:
        """Return the distance of the lowest and the highest price, float [256], from the middle of those seen."""
        possible = price[self._codes]
        middle = float(np.median(price[self._values.outcomes[:, self._columns]]))
        return float(possible.min()) - middle, float(possible.max()) - middle


def _passing(views: Views, values: HandValues, prices: Prices) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what passing is worth in each world, [W], and for each outcome of the contract it leads to, [256].

    It is what the last caller's contract costs if he gets it. Before any call the next to speak is expected to declare
    if his contract is worth having to him.
    """
    state, rules = views.state[0], views.rules
    seat, last = int(state["acting"]), int(state["last_call"])
    if state["last_caller"] != NOBODY:
        price = -prices.scores(last)
        return price[values.defending((int(state["last_caller"]) - seat) & 3)], price
    rewards = np.full(len(values.named), np.nan)
    target = rules.number("bid_min")
    for step in range(1, 4):
        if not state["passed"][(seat + step) & 3] and ((seat + step - int(state["first_caller"])) & 3):
            score = prices.scores(target)[values.defending(step)]
            rewards = np.where(np.isnan(rewards) & (score > 0), -score, rewards)
    return np.where(np.isnan(rewards), _all_pass(views, values, prices, target), rewards), -prices.scores(target)


def _all_pass(views: Views, values: HandValues, prices: Prices, target: int) -> NDArray[np.float64]:
    """Return what the seat gets in each world if nobody calls."""
    state = views.state[0]
    step = (int(state["first_caller"]) - int(state["acting"])) & 3
    declaring = prices.rewards(target, 0)[values.declaring()]
    defending = -prices.scores(target)[values.defending(step)] if step else np.zeros_like(declaring)
    pots = np.full(len(declaring), state["pot"])
    return prices.all_pass(step == 0, pots, declaring, defending)


def _worst_cards(views: Views, trump: int) -> list[int]:
    """Return the eight cards of the hand that the heuristic would bury if the bottom brought nothing."""
    state: Any = views.state[:1].copy()
    table = state[0]
    rules = views.rules
    layout, seat = int(table["layout"]), int(table["acting"])
    if layout != trump:
        faces = set_faces(rules, layout, int(table["hand_ones"][seat]), int(table["hand_twos"][seat]))
        ones = twos = 0
        for face in faces:
            bit = 1 << int(rules.record["position"][0, trump, face])
            twos |= ones & bit
            ones |= bit
        table["hand_ones"][seat], table["hand_twos"][seat] = ones, twos
        table["layout"] = table["trump"] = trump
    table["declarer"] = seat
    cards = bury_single(state, rules.record, heuristic_weights())
    return set_faces(rules, trump, int(cards.ones), int(cards.twos))


def _why(values: list[CallValue], values_of_hand: HandValues, prices: Prices, trump: int) -> str:
    """Return in words the best of calls and pass, what speaks for it, and what can and cannot be told from passing."""
    passing, calls = values[-1], values[:-1]
    points = values_of_hand.mean(prices.points[values_of_hand.declaring()])[0]
    start = f"with {SUITS[trump]} as trump about {points:.0f} points are to be expected"
    best = max(calls, key=lambda one: one.expected_score, default=passing)
    if best.over_pass <= 0:
        return f"Pass: {start}, and passing ({passing.expected_score:+.1f}) is worth more than any call. {_told(calls)}"
    return (
        f"Call {best.call}: {start}, {best.made:.0%} make it, and it is worth {best.over_pass:.1f} more than passing "
        f"({passing.expected_score:+.1f}). {_told(calls)}"
    )


def _told(calls: list[CallValue]) -> str:
    """Return which calls are surely better or worse than passing, and which cannot be told from it."""
    parts = []
    for side, words in (
        (1, "surely worth more than passing"),
        (0, "not to be told from it"),
        (-1, "surely worth less"),
    ):
        found = [one.call for one in calls if one.against_pass == side]
        if found:
            parts.append(f"{found[0]}{f' .. {found[-1]}' if len(found) > 1 else ''} {words}")
    return f"Of the calls, {', '.join(parts)}." if parts else "No call is allowed."


def beside_agent(advice: Advice, agent_name: str) -> str:
    """Return what the agent does, and how that stands to the play-outs where the two differ."""
    best = max(advice.values, key=lambda one: one.over_pass)
    said = "passes" if advice.agent_call is None else f"calls {advice.agent_call}"
    if advice.agent_call == best.call:
        return f"{agent_name} {said}, which is also the best by these play-outs."
    own = next((one for one in advice.values if one.call == advice.agent_call), None)
    if own is None:
        return f"{agent_name} {said}."
    loss = best.over_pass - own.over_pass
    error = max(best.over_pass_error, own.over_pass_error)
    told = "more than can be chance" if loss > TOLD_ERRORS * error else "no more than can be chance"
    return (
        f"{agent_name} {said}: that is its own rule, not what is best by these play-outs. They put it {loss:.1f} below "
        f"the best ({'the pass' if best.call is None else best.call}), {told}."
    )
