"""Ladders, calibration and training of the value network on small examples."""

import numpy as np
import pytest

from baofen.agents import make_agent
from baofen.agents.bids.bidder import UNFITTED
from baofen.agents.bids.lowest_calls import lowest_calls
from baofen.agents.bids.outcomes import Prices
from baofen.envs.core.dtypes import Phase
from baofen.envs.rules import PRESETS, Rules
from baofen.training.arena.play import play_deals
from baofen.training.bids.judging.calibration import calibrate, coverage, crps
from baofen.training.bids.judging.ladder import auction_rewards, build_ladders
from baofen.training.bids.judging.shifted import shifted_decisions
from baofen.training.bids.value_network.fit import fit_bidder, valued_deals
from baofen.training.bids.value_network.samples import make_samples


@pytest.mark.parametrize("preset", PRESETS)
def test_ladders_tell_what_an_agent_gets(preset):
    rules = Rules(preset)
    tables, outcomes = valued_deals(rules, 0, "test", 0, 30)
    heuristic = make_agent("heuristic")
    ladders = build_ladders(rules, tables, outcomes, heuristic)
    results = ladders.results(ladders.decisions(heuristic)).reshape(30, 4)
    played = tables.copy()
    play_deals(rules, played, np.zeros((30, 4), np.int8), [heuristic], 0, until=Phase.TRUMP)
    for seat in range(4):
        rewards = auction_rewards(played, outcomes, np.full(30, seat, np.int8), Prices(rules))
        np.testing.assert_allclose(results[:, seat], rewards)


def test_the_best_of_a_ladder_is_the_best_of_its_ways_out():
    rules = Rules()
    tables, outcomes = valued_deals(rules, 0, "test", 0, 20)
    ladders = build_ladders(rules, tables, outcomes, make_agent("heuristic"))
    behind, best = ladders.best_from()
    for index in range(80):
        ways = [*ladders.passing[ladders.ladder == index], ladders.calling[index]]
        assert best[index] == max(ways)
    always = np.ones(len(ladders.rung), np.bool_)
    np.testing.assert_array_equal(ladders.results(always), ladders.calling)
    np.testing.assert_array_equal(ladders.results(~always), ladders.passing[ladders.rung == 0])
    np.testing.assert_array_equal(ladders.continuing(always), ladders.calling[ladders.ladder])
    assert (behind >= ladders.continuing(ladders.decisions(make_agent("heuristic")))).all()
    assert ladders.on_path(always).all()
    np.testing.assert_array_equal(ladders.on_path(~always), ladders.rung == 0)
    assert (np.diff(lowest_calls(ladders.state, rules))[np.diff(ladders.ladder) == 0] > 0).all()


def test_shifting_calls():
    rules = Rules()
    tables, outcomes = valued_deals(rules, 0, "test", 0, 40)
    heuristic = make_agent("heuristic")
    ladders = build_ladders(rules, tables, outcomes, heuristic)
    calls = [int(shifted_decisions(ladders, heuristic, points).sum()) for points in (-10, -5, 0, 5, 10)]
    np.testing.assert_array_equal(shifted_decisions(ladders, heuristic, 0), ladders.decisions(heuristic))
    assert calls == sorted(calls)
    assert calls[0] < calls[-1]


def test_crps_and_coverage_of_known_distributions():
    values = np.arange(5.0)
    sure = np.eye(5)[[2, 2]]
    assert crps(sure, values, np.array([2.0, 4.0])).tolist() == [0, 2]
    rng = np.random.default_rng(0)
    even = np.full((4000, 5), 0.2)
    assert coverage(even, values, rng.integers(0, 5, 4000).astype(float)) == pytest.approx(0.8, abs=0.03)


def test_true_predictions_are_calibrated():
    rng = np.random.default_rng(1)
    prices = Prices(Rules())
    mean = rng.integers(8, 24, 5000)
    chances = np.zeros((5000, 256))
    for step, chance in ((-4, 0.25), (0, 0.5), (4, 0.25)):
        chances[np.arange(5000), mean + step] = chance
    outcomes = (mean + rng.choice([-4, 0, 4], 5000, p=[0.25, 0.5, 0.25])).astype(np.uint8)
    told = calibrate(chances, outcomes, np.full(5000, 85, np.int16), prices, mean)
    assert abs(told.points_error) < 1
    assert told.worst_points_error < 2.5
    assert told.made_error < 0.03
    assert told.crps == pytest.approx(told.crps_hand_count, rel=0.03)
    assert told.crps < 0.5 * told.crps_all_hands


@pytest.mark.parametrize("preset", PRESETS)
def test_samples_are_the_same_again(preset):
    one, two = (make_samples(Rules(preset), 0, "train", 12) for _ in range(2))
    np.testing.assert_array_equal(one.inputs, two.inputs)
    np.testing.assert_array_equal(one.outcomes, two.outcomes)
    assert len(one) == 12 * 2 * (2 if preset == "exposure" else 3)


def test_training_learns_and_is_the_same_again(tmp_path):
    learn = pytest.importorskip("baofen.training.bids.value_network.learn")
    from baofen.agents.bids.value_network import load_network

    samples = make_samples(Rules(), 0, "train", 300)
    lines: list[str] = []
    network, arrays = learn.train_network(samples, {}, epochs=3, progress=lines.append)
    _, again = learn.train_network(samples, {}, epochs=3)
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, again[name])
    nats = [float(line.split(", ")[1].split()[0]) for line in lines if line.startswith("declare")]
    assert nats[-1] < nats[0]
    learn.save_network(tmp_path / "values.npz", network, arrays, bidder={"coefficients": UNFITTED.tolist()})
    read = load_network(tmp_path / "values.npz")
    rows = samples.inputs[:20].astype(np.float32)
    np.testing.assert_allclose(read.chances(rows, defends=False), network.chances(rows, defends=False), rtol=1e-5)
    coefficients, rounds = fit_bidder(read, Rules(), deals_per_round=40, rounds=2)
    assert coefficients.shape == UNFITTED.shape
    assert len(rounds) == 2
