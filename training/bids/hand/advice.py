"""What to call with a hand, and why: every allowed call and the pass, from play-outs in worlds the seat may be in."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.agents.bids.handvalues import HandValues, hand_values
from baofen.agents.bids.outcomes import Event, Prices
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.envs.actions import CALL, PASS, TRUMP, call_points
from baofen.envs.cards import SUITS
from baofen.envs.core.dtypes import NOBODY
from baofen.envs.explain import set_faces
from baofen.envs.views import Views
from baofen.training.bids.auction_kernels import bury_single

NUM_WORLDS = 1500


@dataclass(frozen=True)
class CallValue:
    """One call, or the pass (`call` None): expected reward, chance to make it (None for the pass), Monte Carlo error."""

    call: int | None
    expected_score: float
    made: float | None
    error: float


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
    calls = [
        CallValue(target, *_split(values, prices, target, pot))
        for target in (
            call_points(int(action)) for action in np.flatnonzero(views.action_mask[0]) if CALL <= action < TRUMP
        )
    ]
    passing = _passing(views, values, prices)
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


def _split(values: HandValues, prices: Prices, target: int, pot: int) -> tuple[float, float, float]:
    """Return the expected reward of a call, the chance to make it, and the error of the reward."""
    own = values.declaring()
    reward, error = values.mean(prices.rewards(target, pot)[own])
    return reward, values.mean(prices.made(target)[own])[0], error


def _passing(views: Views, values: HandValues, prices: Prices) -> CallValue:
    """Return what passing is worth if the last caller then gets the contract, or, before any call, if all pass.

    Before any call the next to speak is expected to declare if his contract is worth having to him.
    """
    state, rules = views.state[0], views.rules
    seat, last = int(state["acting"]), int(state["last_call"])
    if state["last_caller"] != NOBODY:
        scores = -prices.scores(last)[values.defending((int(state["last_caller"]) - seat) & 3)]
        mean, error = values.mean(scores)
        return CallValue(None, mean, None, error)
    rewards = np.full(len(values.named), np.nan)
    target = rules.number("bid_min")
    for step in range(1, 4):
        if not state["passed"][(seat + step) & 3] and ((seat + step - int(state["first_caller"])) & 3):
            score = prices.scores(target)[values.defending(step)]
            rewards = np.where(np.isnan(rewards) & (score > 0), -score, rewards)
    rewards = np.where(np.isnan(rewards), _all_pass(views, values, prices, target), rewards)
    mean, error = values.mean(rewards)
    return CallValue(None, mean, None, error)


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
    """Return one sentence: the best call, what speaks for it, and the highest call that is still as good as passing."""
    passing = values[-1]
    calls = values[:-1]
    worth = [one for one in calls if one.expected_score >= passing.expected_score]
    points = values_of_hand.mean(prices.points[values_of_hand.declaring()])[0]
    if not worth:
        return (
            f"Pass: with {SUITS[trump]} as trump about {points:.0f} points are to be expected, "
            f"and passing ({passing.expected_score:+.1f}) is worth more than any call."
        )
    first, last = worth[0], worth[-1]
    return (
        f"Call {first.call}: with {SUITS[trump]} as trump about {points:.0f} points are to be expected, "
        f"{first.made:.0%} make it, and calls up to {last.call} are worth more than passing "
        f"({passing.expected_score:+.1f})."
    )
