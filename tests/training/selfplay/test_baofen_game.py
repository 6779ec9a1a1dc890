"""The real game in self-play: starts, staggering, practice auctions, points paid at once; a run in miniature."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selfplay.helpers import toy_config

from baofen.agents.heuristic import HeuristicAgent
from baofen.agents.policy.agent import NetworkAgent
from baofen.envs.core.dtypes import BIDDER
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.vector import VectorTables
from baofen.training.config import GameConfig, LeagueConfig, StoppingConfig, TrainConfig, load_config
from baofen.training.run.loop import train
from baofen.training.selfplay.baofen_game import HeuristicBids, baofen_game, points_at_stake, stagger


def random_actions(tables: VectorTables, rng: np.random.Generator) -> np.ndarray:
    mask = tables.mask()
    return (rng.random(mask.shape) * mask).argmax(1)


PAID_AT_ONCE: list[tuple[str, dict[str, Any], int]] = [
    ("suzhou", {}, 1),
    ("exposure", {"settlement": "zero_sum"}, 3),
    ("hongwu", {"throw_fine_cap": 4}, 3),
]
"""Rules, options, and what the declarer gains by a point of which each defender loses one."""


@pytest.mark.parametrize(("rules", "options", "to_declarer"), PAID_AT_ONCE)
def test_points_and_fines_are_paid_when_they_fall_due(rules: str, options: dict[str, Any], to_declarer: int) -> None:
    rng, tables = np.random.default_rng(0), VectorTables(64, rules, options, seed=4)
    stake, seen = points_at_stake(tables), dict.fromkeys(("points", "red fives", "fines"), 0)
    assert not stake.any()
    for _ in range(400):
        before, state = stake, tables.tables.copy()
        tables.step(random_actions(tables, rng))
        stake = points_at_stake(tables)
        for table in np.flatnonzero(~tables.deal_done):
            was, now, paid = state[table], tables.tables[table], (stake - before)[table]
            won, red_fives = (int(now[name]) - int(was[name]) for name in ("captured", "red_five_bonus"))
            expected = np.full(4, -won - red_fives)
            if now["declarer"] >= 0:
                expected[now["declarer"]] *= -to_declarer
            for seat in map(int, np.flatnonzero(now["fine_levels"] != was["fine_levels"])):
                expected += fine(seat, now["declarer"], int(was["fine_levels"][seat]), int(now["fine_levels"][seat]))
                seen["fines"] += 1
            assert (paid == expected).all()
            seen["points"] += won > 0
            seen["red fives"] += red_fives != 0
        assert not stake[tables.tables["declarer"] < 0].any()
    assert seen["points"] > 300
    if rules == "hongwu":
        assert seen["red fives"] > 5 and seen["fines"] > 300
    else:
        assert not seen["red fives"] + seen["fines"]


def fine(seat: int, declarer: int, before: int, after: int) -> np.ndarray:
    """What each seat gains, in points, as the fines of one grow to so many levels, of which a defender pays 4."""
    gains = np.zeros(4, np.int64)
    if seat == declarer:
        gains[:] = 10 * (after - before)
        gains[declarer] *= -3
    else:
        gains[declarer] = 10 * (min(after, 4) - min(before, 4))
        gains[seat] = -gains[declarer]
    return gains


@pytest.mark.parametrize(("rules", "options", "to_declarer"), PAID_AT_ONCE)
def test_the_end_of_a_deal_pays_the_rest(rules: str, options: dict[str, Any], to_declarer: int) -> None:
    """What all defenders share with the declarer, for the target, the bonuses and the last trick."""
    game = baofen_game(TrainConfig(game=GameConfig(rules=rules, options=options)))
    rng, tables = np.random.default_rng(0), VectorTables(64, rules, options, seed=4)
    sums, counted, usual = np.zeros((64, 4), np.int64), 0, 0
    stake = points_at_stake(tables)
    for _ in range(400):
        state = tables.tables.copy()
        rewards, _ = tables.step(random_actions(tables, rng))
        points = rewards * game.points_per_reward
        before, stake = stake, points_at_stake(tables)
        sums += points + stake - before
        ended = np.flatnonzero(tables.deal_done)
        assert (sums[ended] == tables.results["rewards"][ended] * game.points_per_reward).all()
        assert not stake[ended].any()
        sums[ended] = 0
        for table in ended[tables.results["declarer"][ended] >= 0]:
            result, rest = tables.results[table], (points - before)[table]
            declarer = result["declarer"]
            shared = int(rest[declarer - 1])
            expected = np.full(4, shared)
            expected[declarer] *= -to_declarer
            assert (rest == expected).all()
            counted += 1
            paid_before = int(state["captured"][table]) + int(state["red_five_bonus"][table])
            if result["score"] not in ALL_OR_NOTHING:
                assert shared == paid_before - each_owes(rules, result)
                usual += 1
    assert counted > 64
    assert usual > 0.9 * counted


ALL_OR_NOTHING = (-500, 250, 500)
"""Scores of deals in which one side captured everything."""


def each_owes(rules: str, result: np.void) -> int:
    """What a defender owes the declarer for a whole deal, in points, fines apart."""
    over = int(result["captured"]) - int(result["target"])
    if rules == "hongwu":
        return 10 * (1 + math.ceil(over / 10) if over >= 0 else -1 - math.ceil(-over / 10))
    return over + {0: -100, 50: 50}.get(int(result["trump_points"]), 0)


def test_a_level_counts_as_ten_points_of_the_reward_and_of_the_totals() -> None:
    points, levels = (baofen_game(TrainConfig(game=GameConfig(rules=rules))) for rules in ("suzhou", "hongwu"))
    assert (points.points_per_reward, levels.points_per_reward) == (1, 10)
    spreads = []
    for game in (points, levels):
        tables = game.make_tables(512, 1)
        assert isinstance(tables, VectorTables)
        spreads.append(np.ptp(tables.tables["totals"]))
    assert 9.5 < spreads[0] / spreads[1] < 10.5


def test_staggered_tables_are_at_different_places_and_go_on_legally() -> None:
    tables = VectorTables(256, seed=1)
    stagger(tables, np.random.default_rng(2), 130)
    assert len(np.unique(tables.tables["num_actions"])) > 60
    assert not tables.deal_done.any()
    rng = np.random.default_rng(3)
    for _ in range(20):
        tables.step(random_actions(tables, rng))


def test_practice_bids_are_legal_answers_of_the_auction() -> None:
    tables, bids, rng = VectorTables(64, seed=5), HeuristicBids(), np.random.default_rng(0)
    for _ in range(40):
        bidders = np.flatnonzero(tables.role == BIDDER)
        actions = random_actions(tables, rng)
        if len(bidders):
            actions[bidders] = bids(tables, bidders)
            assert tables.mask()[bidders, actions[bidders]].all()
        tables.step(actions)


@pytest.mark.parametrize("needs_observation", [False, True])
def test_practice_writes_observations_only_for_who_needs_them(needs_observation: bool) -> None:
    bids, tables = HeuristicBids(), VectorTables(64, seed=5)
    columns: list[int] = []

    class Looking(HeuristicAgent):
        def act(self, views: Any) -> Any:
            columns.append(views.observation.shape[1])
            return super().act(views)

    bids._agent = Looking()
    bids._agent.needs_observation = needs_observation
    bids(tables, np.arange(64))
    assert columns == [OBSERVATION_SIZE if needs_observation else 0]


def test_a_wrong_rule_is_told_at_once() -> None:
    config = toy_config()
    with pytest.raises(ValueError, match="no_such_rules"):
        baofen_game(replace(config, game=replace(config.game, rules="no_such_rules")))


def test_a_small_run_on_the_real_game_gives_a_policy_that_plays(tmp_path: Path) -> None:
    smoke = load_config("ppo-smoke")
    config = replace(
        smoke,
        sampling=replace(smoke.sampling, tables_per_runner=16, decisions_per_iteration=1024),
        learning=replace(smoke.learning, minibatch_decisions=512),
        stopping=StoppingConfig(minutes=None, iterations=2),
        league=LeagueConfig(snapshot_every_iterations=1, pool_size=2, frozen_table_probability=0.5),
    )
    outcome = train(config, tmp_path)
    agent = NetworkAgent(outcome.checkpoint)
    assert agent.facts["rules"] == "suzhou" and agent.facts["suits_renamed"]
    tables = VectorTables(32, seed=9, auto_reset=False)
    agent.reset(32, 0)
    while (live := np.flatnonzero(tables.acting_seat >= 0)).size:
        actions = np.zeros(32, np.int64)
        actions[live] = agent.act(tables.views(live))
        tables.step(actions)
    assert (tables.tables["result"] == 1).all()


def test_renamed_suits_give_the_same_policy_whatever_trump_is(tmp_path: Path) -> None:
    """Observation and action orders fit together: renaming a mask names exactly the legal actions renamed."""
    game = baofen_game(toy_config())
    rng, tables = np.random.default_rng(1), VectorTables(64, seed=2)
    for _ in range(100):
        mask, observation, trump = tables.mask(), tables.observe(), tables.trump
        for i in range(64):
            hand = observation[i, game.suits.observation[trump[i]]][:54]
            canonical = mask[i, game.suits.action[trump[i]]][:54]
            picks = canonical.astype(bool)
            if tables.phase[i] >= 3:  # bury and play: only cards in hand can be picked
                assert (hand[picks] > 0).all()
        tables.step(random_actions(tables, rng))
