"""Who stands where: a rating for a round robin, and the titles of Bao Hong Wu for what was won.

The rating is Bradley and Terry's model on who did better on each deal. Two agents are compared on a deal in the same
role, with the same opponents in the other seats; who is worth more there wins, equal is half a win each. Only the sign
counts, so a rating is a by-product: the differences in points say more. Intervals are by bootstrap over deals.

Each of the 36 titles needs a number of points won in all (`rules.md` section 4). They have no effect on play. A level is
a point, so what an agent has won at one seat over many deals gives its title.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baofen.training.arena.compare import COMPARED_ROLES, MAIN_METRIC, Question, values
from baofen.training.arena.matches import Results, Setup
from baofen.training.arena.statistics import CONFIDENCE

ANCHORS = ("heuristic-v1", "heuristic")
"""Whose rating is zero; without any of them the mean is."""
RESAMPLES = 200
ELO = 400 / math.log(10)
"""Rating points for each unit of the model: 400 more means ten wins for each loss."""
PRIOR = 0.5
"""Wins that each is given over each it has met, so that one who has always lost still has a rating."""
TITLES: tuple[tuple[int, str], ...] = (
    (15, "村民"),
    (60, "小组长"),
    (120, "村办主任"),
    (200, "村长"),
    (350, "村委书记"),
    (550, "街道干事"),
    (800, "街道人大"),
    (1200, "街道副主任"),
    (1800, "街道主任"),
    (2600, "街道书记"),
    (3600, "副局"),
    (4800, "正局"),
    (6200, "区政协"),
    (7800, "区人大"),
    (9600, "副区长"),
    (11600, "区长"),
    (14000, "区委书记"),
    (16800, "副处"),
    (19800, "正处"),
    (23300, "市政协"),
    (26800, "市人大"),
    (31300, "副市长"),
    (36800, "市长"),
    (44800, "市委书记"),
    (53800, "副厅"),
    (63800, "正厅"),
    (74800, "省政协"),
    (86800, "省人大"),
    (99800, "副省长"),
    (113800, "省长"),
    (128800, "省委书记"),
    (146800, "全国政协"),
    (167800, "全国人大"),
    (191800, "国务院副总理"),
    (219800, "国务院总理"),
    (219801, "国家元首"),
)
NO_TITLE = "-"


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
        for role in COMPARED_ROLES[setup.contracts]:
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


@dataclass(frozen=True)
class Standing:
    """What an agent has won at one seat against others, in how many games, and the title for it."""

    agent: str
    games: int
    points: int
    title: str


def title_for(points: int) -> str:
    """Return the highest title that some points are enough for.

    >>> [title_for(points) for points in (14, 15, 59, 60)]
    ['-', '村民', '村民', '小组长']
    """
    place = bisect_right([needed for needed, _ in TITLES], points)
    return TITLES[place - 1][1] if place else NO_TITLE


def standings(results: Results, labels: Sequence[str]) -> list[Standing]:
    """Return what each agent has won at a seat of its own among others, most first."""
    points: dict[int, int] = {}
    games: dict[int, int] = {}
    for lineup, outcomes in results.outcomes.items():
        if lineup.seat is not None and lineup.alone != lineup.others:
            won = int(np.sum(outcomes["rewards"][:, lineup.seat], dtype=np.int64))
            points[lineup.alone] = points.get(lineup.alone, 0) + won
            games[lineup.alone] = games.get(lineup.alone, 0) + len(outcomes)
    order = sorted(points, key=lambda who: -points[who])
    return [Standing(labels[who], games[who], points[who], title_for(points[who])) for who in order]
