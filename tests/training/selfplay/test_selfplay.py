"""Sampling and learning on the toy: who answers what, what is learned from, and that it is learned."""

import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import ray
import torch
from selfplay.helpers import toy_config
from selfplay.signal_game import (
    BEST_DECLARER_POINTS,
    BEST_DEFENDER_POINTS,
    CALL,
    NUM_ACTIONS,
    PASS,
    SIGNAL,
    STRENGTH,
    signal_game,
    suit_orders,
)

from baofen.agents.policy.mlp import MASKED_LOGIT
from baofen.envs.core.dtypes import BIDDER, DECLARER, DEFENDER, ROLES
from baofen.training.config import LeagueConfig, StartsConfig, TrainConfig
from baofen.training.selfplay.algorithm import SelfPlay, SelfPlayConfig
from baofen.training.selfplay.build import algorithm_config
from baofen.training.selfplay.seating import ANY_ROLE, ANY_SEAT, Seating
from baofen.training.selfplay.tally import figures

LEAGUE = LeagueConfig(pool_size=3, frozen_table_probability=0.5)


@pytest.fixture
def build(tmp_path: Any) -> Iterator[Any]:
    made: list[SelfPlay] = []

    def built(config: TrainConfig) -> SelfPlay:
        made.append(algorithm_config(config, signal_game(), str(tmp_path)).build_algo())
        return made[-1]

    yield built
    for algorithm in made:
        algorithm.stop()


def test_the_toy_is_solved(build: Any) -> None:
    """Near the best returns of every role: wrong masks, renaming, credit, routing or signs cannot get here."""
    algorithm = build(toy_config())
    for _ in range(25):
        result = algorithm.train()
    shown = figures(result["env_runners"]["counts"])
    assert shown["returns/declarer_points_per_deal"] > BEST_DECLARER_POINTS - 8
    assert shown["returns/defender_points_per_deal"] > BEST_DEFENDER_POINTS - 1
    assert shown["auction/made_rate"] > 0.9
    assert shown["entropy/defender_nats"] < 0.1
    assert result["learners"]["declarer"]["explained_variance_of_returns"] > 0.5
    assert not ray.is_initialized(), "one process needs no cluster"


def test_rows_are_canonical_legal_and_of_their_role(build: Any) -> None:
    runner = build(toy_config()).env_runner
    batch = runner.sample(num_timesteps=2000)
    assert batch.env_steps() == sum(len(rows) for rows in batch.policy_batches.values()) >= 2000
    for role, name in enumerate(ROLES):
        rows = batch.policy_batches[name]
        shown, mask = rows["obs"]["observation"], rows["obs"]["action_mask"]
        assert shown.dtype == mask.dtype == np.uint8
        assert (shown[:, STRENGTH + 4] == role).all()
        assert mask[np.arange(len(rows)), rows["actions"]].all(), "only legal actions are played"
        legal = set(np.flatnonzero(mask.any(0)))
        assert legal == ({PASS, CALL} if role == BIDDER else {0, 1, 2, 3})
        if role != BIDDER:
            # Renamed, the signal stands where its answer stands, whatever trump is; so the answer is legal.
            answer = shown[:, SIGNAL : SIGNAL + 4].argmax(1)
            assert mask[np.arange(len(rows)), answer].all() and (mask.sum(1) == 3).all()
        assert (rows["action_logp"] <= 0).all()


def test_log_probabilities_are_those_of_the_learners_network(build: Any) -> None:
    """The runner's folded copies and the learner's module agree."""
    algorithm = build(toy_config())
    algorithm.train()
    algorithm.env_runner.sample(num_timesteps=2000)  # ends the matches that began with the weights of before
    batch = algorithm.env_runner.sample(num_timesteps=500)
    for role in ROLES:
        rows = batch.policy_batches[role]
        shown = {key: torch.from_numpy(value) for key, value in rows["obs"].items()}
        module = algorithm.learner_group._learner.module[role].unwrapped()
        logits = module.forward_train({"obs": shown})["action_dist_inputs"]
        assert (logits[shown["action_mask"] == 0] == MASKED_LOGIT).all()
        expected = torch.log_softmax(logits, 1).gather(1, torch.from_numpy(rows["actions"])[:, None])[:, 0]
        assert np.allclose(rows["action_logp"], expected.detach().numpy(), atol=1e-5)


def test_equal_seeds_give_equal_samples(build: Any) -> None:
    samples = []
    for _ in range(2):
        runner = build(toy_config()).env_runner
        np.random.default_rng().random(3)
        torch.rand(3)
        batch = runner.sample(num_timesteps=1000)
        samples.append([batch.policy_batches[role]["value_targets"].copy() for role in ROLES])
    assert all(np.array_equal(a, b) for a, b in zip(*samples, strict=True))


def test_a_past_self_takes_all_other_seats_or_all_but_one_role() -> None:
    seating = Seating(4000, 0.5, 0.0, np.random.default_rng(0))
    seating.reseat(np.arange(4000), 2)
    frozen = seating.past >= 0
    assert abs(frozen.mean() - 0.5) < 0.05 and set(seating.past[frozen]) == {0, 1}
    by_seat = seating.learner_seat < ANY_SEAT
    by_role = seating.learner_role < ANY_ROLE
    assert (by_seat ^ by_role == frozen).all() and abs(by_seat[frozen].mean() - 0.5) < 0.05
    assert set(seating.learner_role[by_role]) == {DECLARER, DEFENDER}
    rng = np.random.default_rng(1)
    seat, role = rng.integers(0, 4, 4000).astype(np.int8), rng.integers(0, 3, 4000).astype(np.int8)
    slot, learns = seating.slots(seat, role)
    expected = ~frozen | (by_seat & (seat == seating.learner_seat)) | (by_role & (role == seating.learner_role))
    assert (learns == expected).all()
    assert (slot == np.where(learns, role, 3 * (1 + seating.past) + role)).all()
    seating.reseat(np.arange(4000), 0)
    assert seating.slots(seat, role)[1].all()


def test_rows_of_past_selves_are_not_learned_from(build: Any) -> None:
    """A past self that always passes: our rows of the auction hold both answers, those of the past are gone."""
    algorithm = build(toy_config(league=LEAGUE))
    weights = algorithm.present_weights()
    passing = {role: {name: value.copy() for name, value in weights[role].items()} for role in ROLES}
    passing["bidder"]["heads.bias"][PASS] = 50.0
    runner = algorithm.env_runner
    runner.add_past_self(1, passing)
    all_rows = runner.sample(num_timesteps=4000)
    assert abs(all_rows.policy_batches["bidder"]["actions"].mean() - (PASS + CALL) / 2) < 0.05
    counts = {name: float(value) for name, value in runner.get_metrics()["counts"].items()}
    assert counts["decisions_bidder"] < counts["simulated_decisions"]
    assert counts["past_seat_deals"] > 0 and counts["past_declarer_deals"] > 0
    assert counts["own_deals"] < counts["deals"]


def test_the_pool_is_bounded_survives_a_checkpoint_and_reaches_a_new_runner(build: Any, tmp_path: Any) -> None:
    algorithm = build(toy_config(league=LEAGUE))
    for _ in range(4):
        algorithm.train()
        algorithm.add_past_self()
    assert sorted(algorithm.env_runner.past_selves) == [2, 3, 4]
    algorithm.save_to_path(str(tmp_path / "saved"))
    other = build(toy_config(league=LEAGUE))
    other.restore_from_path(str(tmp_path / "saved"))
    pool, restored = algorithm.env_runner.past_selves, other.env_runner.past_selves
    assert sorted(restored) == [2, 3, 4]
    for key in pool:
        assert np.array_equal(pool[key]["bidder"]["layers.0.weight"], restored[key]["bidder"]["layers.0.weight"])
    # A restarted remote runner is given the local runner's whole state.
    fresh = build(toy_config(league=LEAGUE)).env_runner
    fresh.set_state(other.env_runner.get_state())
    assert sorted(fresh.past_selves) == [2, 3, 4]


def test_orders_of_the_toy_are_permutations() -> None:
    orders = suit_orders()
    assert (np.sort(orders.action, 1) == np.arange(NUM_ACTIONS)).all()
    assert orders.changes.tolist() == [False, True, True, True, False]


def test_practice_auctions_are_called_by_the_game_and_not_learned_from(build: Any, tmp_path: Any) -> None:
    game = replace(signal_game(), practice_bids=lambda tables, indices: np.full(len(indices), CALL))
    starts = StartsConfig(practice_auction_probability=1.0)
    config = replace(toy_config(), starts=starts)
    algorithm = algorithm_config(config, game, str(tmp_path)).build_algo()
    runner = algorithm.env_runner
    batch = runner.sample(num_timesteps=2000)
    counts = runner.get_metrics()["counts"]
    assert "bidder" not in batch.policy_batches and counts["decisions_bidder"] == 0
    assert counts["practice_deals"] == counts["deals"] > 0
    algorithm.train()  # a role without rows is left alone
    algorithm.stop()


def test_threads_are_as_many_as_were_asked_for(build: Any) -> None:
    before = torch.get_num_threads()
    config = toy_config()
    try:
        for threads in (2, 1):
            algorithm = build(replace(config, learning=replace(config.learning, threads=threads)))
            assert torch.get_num_threads() == threads
            torch.set_num_threads(1)  # as evaluations do
            algorithm.train()
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)


def test_the_algorithm_has_no_defaults_of_its_own() -> None:
    """They live in the sections of the configuration: what `self_play` is not told would be a second set."""
    parameters = inspect.signature(SelfPlayConfig.self_play).parameters
    ours = set(parameters) - {"self"}
    assert ours == set(SelfPlayConfig.__annotations__)
    assert all(parameter.default is parameter.empty for parameter in parameters.values())
    for fresh in (SelfPlayConfig(), SelfPlay.get_default_config()):
        assert not ours & vars(fresh).keys()
    built = algorithm_config(toy_config(), signal_game())
    assert ours <= vars(built).keys()
    again = built.copy(copy_frozen=False)
    assert again.settings == built.settings
