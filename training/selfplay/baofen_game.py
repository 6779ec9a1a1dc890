"""The real game for self-play: the environments' batch of tables with the starts of a training configuration."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import needs_observation
from baofen.agents.heuristic import HeuristicAgent
from baofen.agents.policy.policy_files import observation_layout
from baofen.agents.policy.suits import SuitOrders
from baofen.envs.actions import CALL, NUM_ACTIONS, PASS, TRUMP, call_points
from baofen.envs.core.dtypes import TABLE
from baofen.envs.core.loops import fines_at_stake
from baofen.envs.observation import ACTION_ORDER, OBSERVATION_ORDER, OBSERVATION_SIZE, normalisation
from baofen.envs.rules import Rules
from baofen.envs.vector import MatchStarts, VectorTables
from baofen.training.config import TrainConfig
from baofen.training.selfplay.tables import Game

TYPICAL_DECISIONS_PER_DEAL = 130
POINTS_PER_LEVEL = 10
"""What Bao Hong Wu, which settles in levels, counts as a level: so a point captured is worth a point everywhere."""


def baofen_game(config: TrainConfig) -> Game:
    """Return the game that `config.game` and `config.starts` describe."""
    game = config.game
    rules = Rules(game.rules, game.options)  # a wrong name or option is told now, not by another process
    points_per_reward = POINTS_PER_LEVEL if rules.has_levels else 1
    zero, scale = normalisation()
    return Game(
        make_tables=partial(
            _make_tables,
            rules=game.rules,
            options=dict(game.options),
            deals_per_match=game.deals_per_match,
            starts=starts_of(config),
            skip_forced=config.sampling.skip_forced_decisions,
        ),
        observation_size=OBSERVATION_SIZE,
        num_actions=NUM_ACTIONS,
        suits=SuitOrders(observation=OBSERVATION_ORDER, action=ACTION_ORDER),
        input_zero=tuple(zero.tolist()),
        input_scale=tuple(scale.tolist()),
        stagger=partial(stagger, steps=TYPICAL_DECISIONS_PER_DEAL * game.deals_per_match),
        points_per_reward=points_per_reward,
        points_at_stake=points_at_stake if config.learning.pay_at_once else None,
        practice_bids=HeuristicBids(),
        bids={PASS: "pass"} | {action: str(call_points(action)) for action in range(CALL, TRUMP)},
        facts={"rules": game.rules, "options": dict(game.options), "observation_layout": observation_layout()},
    )


def starts_of(config: TrainConfig) -> MatchStarts:
    """Return how matches of training begin: running totals and pots."""
    starts, rules = config.starts, Rules(config.game.rules, config.game.options)
    # Drawn evenly from -spread to +spread, which has this standard deviation.
    spread_points = starts.totals_std_points * np.sqrt(3)
    return MatchStarts(
        pot_percent=round(100 * starts.pot_probability),
        totals_spread=round(spread_points / (POINTS_PER_LEVEL if rules.has_levels else 1)),
    )


class HeuristicBids:
    """The heuristic's answers in the auction, for practice."""

    def __init__(self) -> None:
        self._agent = HeuristicAgent()

    def __call__(self, tables: VectorTables, indices: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a legal action for each of these tables, int64 [n]."""
        return self._agent.act(tables.views(indices, observe=needs_observation(self._agent)))


def _make_tables(num_tables: int, seed: int, **settings: Any) -> VectorTables:
    return VectorTables(num_tables, seed=seed, **settings)


def points_at_stake(tables: VectorTables) -> NDArray[np.int32]:
    """Return what the tricks of the running deals have brought so far, in points, int32 [B, 4].

    A point captured is one off for each defender, and one for the declarer, three where the settlement is zero-sum,
    whatever bonus the end may bring. In Bao Hong Wu, points for red fives and levels of fines count too.
    """
    state, rules = tables.tables, tables.rules
    played = np.flatnonzero(state["declarer"] >= 0)
    declarer = state["declarer"][played].astype(np.int64)
    captured = state["captured"][played].astype(np.int32)
    if rules.has_levels:
        captured += state["red_five_bonus"][played]
    each = np.repeat(-captured[:, None], 4, axis=1)
    rows = np.arange(len(played))
    each[rows, declarer] = rules.declarer_factor * captured
    if rules.has_levels:
        fines = np.empty_like(each)
        fines_at_stake(state, rules.record, played, np.zeros(1, TABLE), fines)
        each += POINTS_PER_LEVEL * fines
    points = np.zeros((len(state), 4), np.int32)
    points[played] = each
    return points


def stagger(tables: VectorTables, rng: np.random.Generator, steps: int) -> None:
    """Play each table on by a random number of random legal actions, 0 .. `steps`.

    The batch can only step as a whole, so a table that has had its share is set back after every step.
    """
    share = rng.integers(0, steps + 1, tables.num_tables)
    for step in range(steps):
        mask = tables.mask()
        actions = (rng.random(mask.shape) * mask).argmax(1)
        resting = np.flatnonzero(share <= step)
        kept = tables.tables[resting].copy()
        tables.step(actions)
        tables.tables[resting] = kept
        tables.refresh()
    tables.deal_done[:] = False
