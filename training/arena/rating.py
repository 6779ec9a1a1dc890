"""A rating for a round robin: Bradley and Terry's model on who did better on each deal.

Two agents are compared on a deal in the same role, with the same opponents in the other seats; who is worth more there
wins, equal is half a win each. Only the sign counts, so a rating is a by-product: the differences in points say more.
Intervals are by bootstrap over deals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baofen.training.arena.compare import MAIN_METRIC, ROLES, Question, values
from baofen.training.arena.matches import Results, Setup
from baofen.training.arena.statistics import CONFIDENCE

ANCHORS = ("heuristic-v1", "heuristic")
"""Whose rating is zero; without any of them the mean is."""
RESAMPLES = 200
ELO = 400 / math.log(10)
"""Rating points for each unit of the model: 400 more means ten wins for each loss."""
PRIOR = 0.5
"""Wins that each is given over each it has met, so that one who has always lost still has a rating."""


@dataclass(frozen=True)
class Rating:
    """Rating points of an agent with a 95 % interval, against the anchor."""

    agent: str
    rating: float
    ci_low: float
    ci_high: float
    deals: int


def rate(questions: Sequence[Question], results: Results, setup: Setup, labels: Sequence[str]) -> list[Rating]:
    """Return the ratings of the agents that the questions compare, best first."""
    agents = sorted({who for question in questions for who in (question.agent, question.versus)})
    wins = deal_wins(questions, results, setup, agents)
    names = [labels[who] for who in agents]
    rng = np.random.default_rng([setup.seed % 2**64, results.deals])
    flat = wins.reshape(len(wins), -1)

    def fit(times: NDArray[np.float64]) -> NDArray[np.float64]:
        return strengths((times @ flat).reshape(wins.shape[1:]), names)

    told = fit(np.ones(len(wins)))
    draws = [fit(_drawn(rng, len(wins))) for _ in range(RESAMPLES)]
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(draws, (tail, 1 - tail), axis=0)
    ratings = [
        Rating(name, float(told[i]), float(low[i]), float(high[i]), results.deals) for i, name in enumerate(names)
    ]
    return sorted(ratings, key=lambda rating: -rating.rating)


def _drawn(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    return np.bincount(rng.integers(0, count, count), minlength=count).astype(np.float64)


def deal_wins(
    questions: Sequence[Question], results: Results, setup: Setup, agents: Sequence[int]
) -> NDArray[np.float64]:
    """Return how often each agent did better than each other on each deal, float [deals, agents, agents]."""
    place = {who: index for index, who in enumerate(agents)}
    wins = np.zeros((results.deals, len(agents), len(agents)))
    metric = MAIN_METRIC[setup.contracts]
    for question in questions:
        if question.agent > question.versus:
            continue  # every pair is asked for both ways
        for role in ROLES[setup.contracts]:
            own, other = (
                values(results, who, question.opponents, role, metric) for who in (question.agent, question.versus)
            )
            won = np.where(own == other, 0.5, own > other)
            one, two = place[question.agent], place[question.versus]
            wins[:, one, two] += won
            wins[:, two, one] += 1 - won
    return wins


def strengths(wins: NDArray[np.float64], names: Sequence[str]) -> NDArray[np.float64]:
    """Return rating points from the wins of each over each, float [agents, agents].

    >>> strengths(np.array([[0.0, 10.0], [1.0, 0.0]]) * 1e6, ["strong", "heuristic"]).round().tolist()
    [400.0, 0.0]
    """
    from choix import ilsr_pairwise_dense  # slow to import, and two agents need no rating

    met = wins + wins.T > 0
    points = ELO * ilsr_pairwise_dense(wins + PRIOR * met, max_iter=1000)
    anchor = next((points[names.index(name)] for name in ANCHORS if name in names), points.mean())
    return points - anchor
