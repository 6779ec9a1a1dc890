"""From games to claims: paired differences between two agents in the same role, on the same deals, with intervals.

What a deal is worth is always told so that more is better for the agent: points that defenders concede, and contracts
that they let be made, count negative.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from baofen.training.arena import Contracts, matches
from baofen.training.arena.matches import Lineup, Results, Setup
from baofen.training.arena.statistics import NORMAL_QUANTILE, SEEN_AT, bootstrap

Role = Literal["declarer", "defenders", "seat"]
METRICS: dict[Contracts, tuple[str, ...]] = {"fixed": ("captured", "score", "made"), "auction": ("score",)}
COMPARED_ROLES: dict[Contracts, tuple[Role, ...]] = {"fixed": ("declarer", "defenders"), "auction": ("seat",)}
MAIN_METRIC: dict[Contracts, str] = {"fixed": "captured", "auction": "score"}
"""What is judged by if one figure must do."""
ALL_POINTS = 200
SEATS = range(4)
LEAST_DEALS = 50
"""Below it no interval is told: it would hold the truth less often than promised (`scripts/interval_coverage`)."""
PILOT_DEALS = 512
SPARE = 1.2
"""More deals than the pilot says: its own estimate of the scatter is off by some percent."""


@dataclass(frozen=True)
class Question:
    """Is `agent` better than `versus` in a role, with `opponents` in the other seats? All by index of contestant."""

    agent: int
    versus: int
    opponents: int


@dataclass(frozen=True)
class Row:
    """One claim. The fields up to `deals` are those of `results.json`; `detectable` is the smallest true difference
    that would have been told from zero in four runs of five."""

    agent: str
    versus: str
    opponents: str
    role: Role
    metric: str
    mean: float
    difference: float
    ci_low: float
    ci_high: float
    deals: int
    detectable: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.ci_low > 0 or self.ci_high < 0

    def as_result(self) -> dict[str, Any]:
        """Return the row as `results.json` has it."""
        fields = asdict(self)
        del fields["detectable"]
        return fields


def every_pair(count: int) -> list[Question]:
    """Return the questions for agents each against each, both ways, with either of the two as opponents.

    >>> len(every_pair(3))
    12
    """
    return [
        Question(agent, versus, opponents)
        for agent in range(count)
        for versus in range(count)
        if agent != versus
        for opponents in sorted({agent, versus})
    ]


def lineups_for(questions: Sequence[Question], contracts: Contracts) -> list[Lineup]:
    """Return the lineups that the questions need, each once."""
    needed: dict[Lineup, None] = {}
    for question in questions:
        for who in (question.agent, question.versus):
            for role in COMPARED_ROLES[contracts]:
                needed.update(dict.fromkeys(_lineups(who, question.opponents, role)))
    return list(needed)


def _lineups(who: int, opponents: int, role: Role) -> list[Lineup]:
    """Return the lineups with an agent in a role: all four seatings with the auction, else the one there is."""
    if role == "declarer":
        return [Lineup(who, opponents)]
    if role == "defenders":
        return [Lineup(opponents, who)]
    if who == opponents:  # all four seatings are the same game
        return [Lineup(who, who, 0)]
    return [Lineup(who, opponents, seat) for seat in SEATS]


def rows_for(
    questions: Sequence[Question], results: Results, setup: Setup, labels: Sequence[str], metrics: Sequence[str] = ()
) -> list[Row]:
    """Return the answers to the questions, for some metrics only if any are named."""
    claims = [
        (question, role, metric)
        for question in questions
        for role in COMPARED_ROLES[setup.contracts]
        for metric in METRICS[setup.contracts]
        if not metrics or metric in metrics
    ]
    if not claims or not results.deals:
        return []

    def worth(who: int, question: Question, role: Role, metric: str) -> NDArray[np.float64]:
        return values(results, who, question.opponents, role, metric)

    own = np.stack([worth(question.agent, question, role, metric) for question, role, metric in claims], axis=1)
    other = np.stack([worth(question.versus, question, role, metric) for question, role, metric in claims], axis=1)
    told = bootstrap(own - other, setup.seed)
    return [
        Row(
            agent=labels[question.agent],
            versus=labels[question.versus],
            opponents=labels[question.opponents],
            role=role,
            metric=metric,
            mean=float(own[:, column].mean()),
            difference=float(told.mean[column]),
            ci_low=float(told.low[column]),
            ci_high=float(told.high[column]),
            deals=results.deals,
            detectable=float(told.detectable[column]),
        )
        for column, (question, role, metric) in enumerate(claims)
    ]


def values(results: Results, who: int, opponents: int, role: Role, metric: str) -> NDArray[np.float64]:
    """Return what each deal was worth to an agent in a role, float [deals], over its seatings."""
    games = [results.outcomes[lineup] for lineup in _lineups(who, opponents, role)]
    if role == "seat":
        if len(games) == 1:
            return games[0]["rewards"].mean(1)
        return np.mean([game["rewards"][:, seat] for seat, game in enumerate(games)], axis=0)
    (game,) = games
    if metric == "score":
        own = game["rewards"][np.arange(len(game)), game["declarer"]]
        shared = (game["rewards"].sum(1) - own) / 3
        return (own if role == "declarer" else shared).astype(np.float64)
    worth = captured(game) if metric == "captured" else made(game)
    return worth if role == "declarer" else -worth


def captured(game: NDArray[np.void]) -> NDArray[np.float64]:
    """Return the declarer's points of each deal; none if he forfeited, all if a defender did."""
    forfeited = game["forfeit"] >= 0
    all_or_none = np.where(game["forfeit"] == game["declarer"], 0, ALL_POINTS)
    return np.where(forfeited, all_or_none, game["captured"]).astype(np.float64)


def made(game: NDArray[np.void]) -> NDArray[np.float64]:
    """Return 1.0 for each deal whose contract was made, or whose defenders forfeited."""
    forfeited = game["forfeit"] >= 0
    return np.where(forfeited, game["forfeit"] != game["declarer"], game["made"]).astype(np.float64)


@dataclass(frozen=True)
class RoleSplit:
    """What became of an agent at one seat with the auction, by the role it came to: no interval, so no claim.

    declared, made, passed_out: shares (made: of the deals it declared); target: mean of the contracts it won;
    score_as_declarer, score_as_defender: means of its rewards in those deals.
    """

    agent: str
    opponents: str
    deals: int
    declared: float
    made: float
    target: float
    score_as_declarer: float
    score_as_defender: float
    passed_out: float


def role_splits(results: Results, labels: Sequence[str]) -> list[RoleSplit]:
    """Return, for each agent and opponents that met with the auction, how it fared by role."""
    pairs = dict.fromkeys((lineup.alone, lineup.others) for lineup in results.outcomes if lineup.seat is not None)
    return [_role_split(results, who, opponents, labels) for who, opponents in pairs]


def _role_split(results: Results, who: int, opponents: int, labels: Sequence[str]) -> RoleSplit:
    same = who == opponents
    games = [results.outcomes[Lineup(who, opponents, 0 if same else seat)] for seat in SEATS]
    declarer = np.concatenate([game["declarer"] for game in games])
    own_seat = np.repeat(list(SEATS), results.deals)
    reward = np.concatenate([game["rewards"][:, seat] for seat, game in zip(SEATS, games, strict=True)])
    won = declarer == own_seat
    defended = (declarer >= 0) & ~won
    reached = np.concatenate([made(game) for game in games])
    target = np.concatenate([game["target"] for game in games])
    return RoleSplit(
        agent=labels[who],
        opponents=labels[opponents],
        deals=results.deals,
        declared=float(won.mean()),
        made=_mean(reached[won]),
        target=_mean(target[won]),
        score_as_declarer=_mean(reward[won]),
        score_as_defender=_mean(reward[defended]),
        passed_out=float((declarer < 0).mean()),
    )


def _mean(chosen: NDArray[Any]) -> float:
    """Return the mean; nan if there is nothing."""
    return float(chosen.mean()) if len(chosen) else float("nan")


def deals_for(rows: Sequence[Row], precision: float) -> int:
    """Return the deals at which the 95 % interval of each row reaches at most `precision` to either side.

    rows: of a pilot, in the metric that counts. Whole chunks, at least the pilot.

    >>> deals_for([Row("a", "b", "b", "declarer", "captured", 80.0, 3.0, 0.0, 6.0, 512, 4.29)], 1.0)
    5632
    """
    chunk = matches.CHUNK_DEALS
    needed = max(row.deals * (half_width(row) / precision) ** 2 for row in rows)
    return max(math.ceil(needed * SPARE / chunk) * chunk, max(row.deals for row in rows))


def half_width(row: Row) -> float:
    """Return how far the 95 % interval of a row reaches to either side, by its standard error."""
    return row.detectable / SEEN_AT * NORMAL_QUANTILE
