"""Judging an agent's calls: regret against par, over- and underbidding, offsets, best response, winner's curse.

All by the play-outs of the same deals under the reference player: no card is played by the agent.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.agents.bids.bidder import ValueBidder, situations
from baofen.agents.bids.lowest_calls import lowest_calls
from baofen.agents.bids.outcomes import Prices, call_index
from baofen.agents.bids.value_network import ValueNetwork
from baofen.envs.cards import NUM_SEATS
from baofen.envs.core.dtypes import Phase
from baofen.envs.rules import Rules
from baofen.training.arena.play import play_deals
from baofen.training.bids.auction_deals import POT_PERCENT
from baofen.training.bids.estimates import Estimate, estimate
from baofen.training.bids.judging.calibration import Bin, Calibration, calibrate, deciles
from baofen.training.bids.judging.fair import FairRegret, fair_regret
from baofen.training.bids.judging.ladder import Ladders, build_ladders
from baofen.training.bids.judging.shifted import shifted_decisions
from baofen.training.bids.value_network.fit import valued_deals

OFFSETS = (-10, -5, 5, 10)
CHUNK_DEALS = 500
SITUATIONS = (
    "opens, none has passed",
    "opens, 1 has passed",
    "opens, 2 have passed",
    "opens, 3 have passed",
    "1 other in",
    "2 others in",
    "3 others in",
)
"""Of an auction without a pot; with one the same, in this order, follow."""
STRENGTH_BINS = 10
LIMITS = np.arange(65, 205, 5)
"""Limits that the best response may choose from; 65: it never calls."""


@dataclass(frozen=True)
class SituationLine:
    """One kind of decision: how often, how often it calls, and what is lost by it (points a decision).

    underbid: by passing where going on would have been better, overbid: by calling where passing would have been.
    """

    situation: str
    decisions: int
    calls: float
    regret: float
    underbid: float
    overbid: float


@dataclass(frozen=True)
class StrengthLine:
    """Hands of one tenth of strength, weakest first.

    points: expected by the network at the first decision; declares: share that becomes declarer;
    limit: highest price called where the others do not give up before, on average, 65 for none; calls: share that calls.
    """

    points: float
    calls: float
    limit: float
    declares: float
    score: float


@dataclass(frozen=True)
class TargetLine:
    """Contracts at one target: how many of 100 deals, made, and the mean score."""

    target: int
    share: float
    made: float
    score: float


@dataclass
class Judgement:
    """All that was found out about an agent's calls. Rewards, regret and gains are per seat and deal."""

    agent: str
    rules: str
    options: dict[str, Any]
    seed: int
    deals: int
    pot_percent: int
    reward: Estimate
    best: Estimate
    regret: Estimate
    regret_by_seat: list[Estimate]
    fair: FairRegret | None
    situations: list[SituationLine]
    strengths: list[StrengthLine]
    targets: list[TargetLine]
    passed_out: float
    offsets: dict[str, Estimate]
    best_response: Estimate
    value_bidder: Estimate
    before_winning: Calibration | None
    after_winning: Calibration | None
    points_by_call: list[Bin] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the object of `bids.json`."""
        return asdict(self)


def judge(
    agent: Agent,
    rules: Rules,
    network: ValueNetwork,
    *,
    deals: int,
    decisions: int = 0,
    seed: int = 0,
    pot_percent: int = POT_PERCENT,
    progress: Callable[[int], None] = lambda done: None,
) -> Judgement:
    """Judge an agent on deals number 0 .. of the split `test`; `decisions`: so many of them for the fair regret.

    pot_percent: so many of 100 deals begin with a pot, where there can be one.
    progress: called with deals and decisions that are done.
    """
    parts = [
        _Part(agent, rules, network, seed, first, min(CHUNK_DEALS, deals - first), pot_percent, progress)
        for first in range(0, deals, CHUNK_DEALS)
    ]
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _Part.ARRAYS}
    prices = Prices(rules)
    offsets = {
        f"{points:+d}": _estimate(np.concatenate([part.offsets[points] for part in parts]), seed) for points in OFFSETS
    }
    strengths = np.quantile(joined["strength"], np.linspace(0, 1, STRENGTH_BINS + 1)[1:-1])
    place = np.searchsorted(strengths, joined["strength"])
    before, after = (_winners(joined, when, prices) for when in ("before", "after"))
    return Judgement(
        agent=agent.name,
        rules=rules.preset,
        options=dict(rules.options),
        seed=seed,
        deals=deals,
        pot_percent=pot_percent if rules.has_pot else 0,
        reward=_estimate(joined["reward"], seed),
        best=_estimate(joined["best"], seed),
        regret=_estimate(joined["best"] - joined["reward"], seed),
        regret_by_seat=_by_seat(joined, seed),
        fair=fair_regret(agent, rules, decisions=decisions, seed=seed, pot_percent=pot_percent, progress=progress)
        if decisions
        else None,
        situations=_situation_lines(joined),
        strengths=[_strength_line(joined, place == index) for index in range(STRENGTH_BINS)],
        targets=_target_lines(joined),
        passed_out=float((joined["declarer"] < 0).mean()),
        offsets=offsets,
        best_response=_best_response(joined, place, seed),
        value_bidder=_estimate(joined["value_gain"], seed),
        before_winning=before,
        after_winning=after,
        points_by_call=deciles(joined["before"] @ prices.points, prices.points[joined["came_out"]], seed),
    )


class _Part:
    """What is needed of a chunk of deals, in arrays over ladders, rungs on the agent's path, or contracts."""

    ARRAYS = (
        *("reward", "best", "seat", "strength", "limit", "called", "declares", "by_limit", "value_gain"),
        *("situation", "rung_calls", "rung_underbid", "rung_overbid"),
        *("declarer", "target", "made", "score", "before", "after", "came_out"),
    )

    def __init__(
        self,
        agent: Agent,
        rules: Rules,
        network: ValueNetwork,
        seed: int,
        first: int,
        count: int,
        pot_percent: int,
        progress: Callable[[int], None],
    ) -> None:
        tables, outcomes = valued_deals(rules, seed, "test", first, count, pot_percent)
        ladders = build_ladders(rules, tables, outcomes, agent, seed)
        calls = ladders.decisions(agent)
        self.reward = ladders.results(calls)
        behind, self.best = ladders.best_from()
        self._rungs(ladders, calls, behind)
        self._hands(ladders, calls, network, tables)
        values = ladders.decisions(ValueBidder(network, np.array(network.facts["bidder"]["coefficients"])))
        self.value_gain = ladders.results(values) - self.reward
        self.offsets = {
            points: ladders.results(shifted_decisions(ladders, agent, points)) - self.reward for points in OFFSETS
        }
        self._contracts(agent, rules, network, seed, tables, outcomes)
        progress(count)

    def _rungs(self, ladders: Ladders, calls: NDArray[np.bool_], behind: NDArray[np.float64]) -> None:
        reached = ladders.on_path(calls)
        lost = behind - ladders.passing
        self.situation = situations(ladders.state)[reached]
        self.rung_calls = calls[reached]
        self.rung_underbid = np.where(~calls, lost.clip(0), 0)[reached]
        self.rung_overbid = np.where(calls, (-lost).clip(0), 0)[reached]

    def _hands(
        self, ladders: Ladders, calls: NDArray[np.bool_], network: ValueNetwork, tables: NDArray[np.void]
    ) -> None:
        rules, count = ladders.rules, len(tables)
        prices = Prices(rules)
        strength = np.empty((count, NUM_SEATS))
        for seat in range(NUM_SEATS):
            seen = tables.copy()
            seen["acting"] = seat
            strength[:, seat] = network.predict(seen, rules) @ prices.points
        self.strength = strength.ravel()
        first_caller = tables["first_caller"].astype(np.int64)
        self.seat = ((np.arange(NUM_SEATS)[None] - first_caller[:, None]) & 3).ravel()
        price = lowest_calls(ladders.state, rules)
        stays = ladders.on_path(calls) & calls
        self.limit = np.full(NUM_SEATS * count, float(LIMITS[0]))
        self.limit[ladders.ladder[stays]] = price[stays]  # rungs go up: the last one counts
        starts = np.flatnonzero(ladders.rung == 0)
        self.called = np.zeros(NUM_SEATS * count, np.bool_)
        self.called[ladders.ladder[starts]] = calls[starts]
        self.declares = np.ones(NUM_SEATS * count, np.bool_)
        self.declares[ladders.ladder[~calls]] = False
        self.by_limit = np.stack([ladders.results(price <= limit) for limit in LIMITS], axis=1)

    def _contracts(
        self,
        agent: Agent,
        rules: Rules,
        network: ValueNetwork,
        seed: int,
        tables: NDArray[np.void],
        outcomes: NDArray[np.uint8],
    ) -> None:
        """Play the auctions with the agent in all seats; note contracts and what was predicted of them."""
        prices = Prices(rules)
        final = tables.copy()
        play_deals(rules, final, np.zeros((len(final), 4), np.int8), [agent], seed, until=Phase.TRUMP)
        self.declarer = np.where(final["phase"] == Phase.OVER, -1, final["declarer"]).astype(np.int64)
        rows = np.flatnonzero(self.declarer >= 0)
        seats = self.declarer[rows]
        self.target = final["target"][rows].astype(np.int64)
        index = np.array([call_index(int(target)) for target in self.target], np.int64)
        came_out = outcomes[rows, seats]
        self.made = prices.made_table[index[:, None], came_out].mean(1)
        self.score = prices.score_table[index[:, None], came_out].mean(1)
        self.came_out = came_out[:, 0]
        # Before: as the winner saw it when he called last, the seats after him still in; after: all have passed.
        seen = tables[rows].copy()
        seen["acting"] = seats
        for name in ("calls", "last_call"):
            seen[name] = final[name][rows]
        seen["last_caller"] = seats
        seen["passed"] = 1
        seen["passed"][np.arange(len(rows)), seats] = 0
        self.after = network.predict(seen, rules).astype(np.float64)
        others = seen["calls"].copy()
        others[np.arange(len(rows)), seats] = 0
        seen["last_call"] = others.max(1)
        seen["last_caller"] = np.where(seen["last_call"] > 0, others.argmax(1), -1)
        seen["calls"][np.arange(len(rows)), seats] = 0
        seen["passed"] = (others == 0) & (self._spoke_before(final[rows], seats))
        self.before = network.predict(seen, rules).astype(np.float64)

    def _spoke_before(self, final: NDArray[np.void], seats: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which seats spoke before the winner in the first round, bool [n, 4]."""
        first = final["first_caller"].astype(np.int64)
        place = (np.arange(NUM_SEATS)[None] - first[:, None]) & 3
        return place < ((seats - first) & 3)[:, None]


def _estimate(values: NDArray[np.float64], seed: int) -> Estimate:
    """Return the mean of values over ladders [4 n], with an interval by bootstrap over deals."""
    return estimate(values.reshape(-1, NUM_SEATS).mean(1), seed)


def _by_seat(joined: dict[str, NDArray[Any]], seed: int) -> list[Estimate]:
    """Return the regret of the first, second, third and fourth to speak."""
    regret = joined["best"] - joined["reward"]
    return [estimate(regret[joined["seat"] == seat], seed) for seat in range(NUM_SEATS)]


def _situation_lines(joined: dict[str, NDArray[Any]]) -> list[SituationLine]:
    lines = []
    for index, name in enumerate([*SITUATIONS, *(f"{name}; pot" for name in SITUATIONS)]):
        rows = joined["situation"] == index
        if rows.any():
            under, over = joined["rung_underbid"][rows].mean(), joined["rung_overbid"][rows].mean()
            calls = float(joined["rung_calls"][rows].mean())
            lines.append(SituationLine(name, int(rows.sum()), calls, float(under + over), float(under), float(over)))
    return lines


def _strength_line(joined: dict[str, NDArray[Any]], rows: NDArray[np.bool_]) -> StrengthLine:
    names: Sequence[str] = ("strength", "called", "limit", "declares", "reward")
    return StrengthLine(*(float(joined[name][rows].mean()) for name in names))


def _target_lines(joined: dict[str, NDArray[Any]]) -> list[TargetLine]:
    lines = []
    for target in np.unique(joined["target"]):
        rows = joined["target"] == target
        share = float(rows.sum() / len(joined["declarer"]))
        lines.append(
            TargetLine(int(target), share, float(joined["made"][rows].mean()), float(joined["score"][rows].mean()))
        )
    return lines


def _best_response(joined: dict[str, NDArray[Any]], place: NDArray[np.int64], seed: int) -> Estimate:
    """Return the gain of the best limit for each place and strength, found on even deals, measured on odd ones."""
    even = np.arange(len(place)) // NUM_SEATS % 2 == 0
    chosen = np.empty(len(place))
    for seat in range(NUM_SEATS):
        for strength in range(STRENGTH_BINS):
            rows = (joined["seat"] == seat) & (place == strength)
            learned = joined["by_limit"][rows & even]
            best = int(learned.mean(0).argmax()) if len(learned) else 0
            chosen[rows] = joined["by_limit"][rows, best]
    return _estimate((chosen - joined["reward"])[~even], seed)


def _winners(joined: dict[str, NDArray[Any]], when: str, prices: Prices) -> Calibration | None:
    """Return the calibration of what was predicted for the contracts that were bought, if any, before or after winning."""
    if not len(joined["came_out"]):
        return None
    same = np.zeros(len(joined["came_out"]), np.int64)
    return calibrate(joined[when], joined["came_out"], joined["target"].astype(np.int16), prices, same)
