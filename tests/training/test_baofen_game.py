"""The real game in self-play: starts, staggering, practice auctions, points paid at once; a run in miniature."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selfplay.helpers import toy_config

from baofen.agents.network import NetworkAgent
from baofen.envs.vector import VectorTables
from baofen.training.config import GameConfig, LeagueConfig, StoppingConfig, TrainConfig, load_config
from baofen.training.loop import train
from baofen.training.selfplay.baofen_game import HeuristicBids, baofen_game, points_at_stake, stagger
from baofen.training.selfplay.tables import BIDDER


def random_actions(tables: VectorTables, rng: np.random.Generator) -> np.ndarray:
    mask = tables.mask()
    return (rng.random(mask.shape) * mask).argmax(1)


@pytest.mark.parametrize(
    ("rules", "options", "to_declarer"),
    [("suzhou", {}, 1), ("exposure", {"settlement": "zero_sum"}, 3), ("hongwu", {"throw_fine_cap": 4}, 3)],
)
def test_points_paid_at_once_add_up_to_the_deals_result(rules: str, options: dict[str, Any], to_declarer: int) -> None:
    """The end pays only what all defenders share with the declarer: fines and the tricks' points are paid before."""
    game = baofen_game(TrainConfig(game=GameConfig(rules=rules, options=options)))
    rng, tables = np.random.default_rng(0), VectorTables(64, rules, options, seed=4)
    sums, counted = np.zeros((64, 4), np.int64), 0
    stake = points_at_stake(tables)
    assert not stake.any()
    for _ in range(400):
        rewards, _ = tables.step(random_actions(tables, rng))
        points = rewards * game.points_per_reward
        before, stake = stake, points_at_stake(tables)
        sums += points + stake - before
        ended = np.flatnonzero(tables.deal_done)
        results = tables.results[ended]
        assert (sums[ended] == results["rewards"] * game.points_per_reward).all() and not stake[ended].any()
        rest = (points - before)[ended][results["declarer"] >= 0]
        declarer = results["declarer"][results["declarer"] >= 0]
        rows = np.arange(len(rest))
        shared = rest[rows, (declarer + 1) % 4]
        rest[rows, declarer] //= -to_declarer
        assert (rest == shared[:, None]).all()
        sums[ended] = 0
        counted += len(rest)
    assert counted > 64


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


def test_a_wrong_rule_is_told_at_once() -> None:
    config = toy_config()
    with pytest.raises(ValueError, match="no_such_rules"):
        baofen_game(replace(config, game=replace(config.game, rules="no_such_rules")))


def test_a_small_run_on_the_real_game_gives_a_policy_that_plays(tmp_path: Path) -> None:
    smoke = load_config("smoke")
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
