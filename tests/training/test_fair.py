"""Fair regret, and how sharp any prediction can be: judged in worlds that a seat may be in."""

import json

import numpy as np
import pytest

from baofen.agents import make_agent
from baofen.agents.bids.bidder import lowest_calls
from baofen.agents.bids.network import load_network, value_file
from baofen.envs.rules import Rules
from baofen.training.bids import fair, knowable
from baofen.training.bids.calibration import crps
from baofen.training.bids.fit import valued_deals
from baofen.training.bids.hands import auction_view, parse_hand
from baofen.training.bids.ladder import NUM_SEATS, build_ladders


@pytest.mark.parametrize("preset", ["suzhou", "exposure", "hongwu"])
def test_in_the_true_world_limits_are_worth_what_ladders_say(preset):
    rules, agent = Rules(preset), make_agent("heuristic")
    tables, outcomes = valued_deals(rules, 3, "test", 0, 40)
    ladders = build_ladders(rules, tables, outcomes, agent)
    values = fair.values_by_limit(agent, rules, fair.PlayedWorlds(tables, outcomes, np.full(40, 1 / 40)))
    own = np.arange(40) * NUM_SEATS + tables["acting"]
    prices = lowest_calls(ladders.state, rules)
    for column, price in enumerate(np.unique(prices[np.isin(ladders.ladder, own)])):
        np.testing.assert_allclose(values[:, column], ladders.results(prices < price)[own])
    np.testing.assert_allclose(values[:, -1], ladders.calling[own])


def test_regret_of_a_decision():
    """Passing is worth 0; standing for one call 4 in the first half of the worlds and 2 in the second; for two, 1 and 5."""
    rewards = np.array([[0.0, 4.0, 1.0], [0.0, 2.0, 5.0]]).repeat(16, 0)
    even = np.full(32, 1 / 32)
    assert fair.regrets(rewards, even, calls=False) == (1.5, 3.0)  # learned to the wrong limit: 2 and 1
    assert fair.regrets(rewards, even, calls=True) == (0.0, 0.0)
    assert fair.regrets(-rewards, even, calls=True) == (1.5, 3.0)  # the other half knows a call that loses but 2, and 1
    assert fair.regrets(-rewards, even, calls=False) == (0.0, 0.0)
    split = np.array([[0.0, 6.0], [0.0, -2.0]]).repeat(16, 0)
    assert fair.regrets(split, even, calls=False) == (-1.0, 2.0)  # one half says call, the other pass
    first = np.where(np.arange(32) < 16, 1.0, 1e-9)
    assert fair.regrets(rewards, first / first.sum(), calls=False)[1] == pytest.approx(4.0)


STRONG = "BJ BJ LJ LJ 2s 2s As As Ks Ks Qs Qs Js Js Ts Ts 9s 9s 7s 7s 6s 6s Ah Ah Kh"
WEAK = "3s 4s 6s 7s 9s Js 3h 4h 6h 7h 9h Jh 3d 4d 6d 7d 9d Jd 3c 4c 6c 7c 9c Jc Qc"


@pytest.mark.parametrize(("hand", "should_call", "cost"), [(STRONG, True, 20), (WEAK, False, 0)])
def test_what_a_hand_should_have_done(hand, should_call, cost):
    """The weak hand's first call costs little: somebody will most likely call more."""
    rules = Rules()
    worlds = fair.play_worlds(rules, auction_view(rules, parse_hand(hand)).state, 0, 200)
    rewards = fair.values_by_limit(make_agent("heuristic"), rules, worlds)
    assert fair.regrets(rewards, worlds.weights, calls=should_call) == (0.0, 0.0)
    least, most = fair.regrets(rewards, worlds.weights, calls=not should_call)
    assert cost < least <= most + 1e-9


def test_fair_regret_adds_up():
    told = fair.fair_regret(make_agent("heuristic"), Rules(), decisions=20, seed=1)
    assert told.least.mean <= told.most.mean
    assert told.underbid + told.overbid == pytest.approx(told.least.mean)
    assert 0 <= told.most.low < told.most.mean < 25


def test_worlds_depend_on_nothing_hidden():
    rules = Rules()
    tables, _ = valued_deals(rules, 0, "test", 0, 1, playouts=1)
    other = tables.copy()
    hidden = [seat for seat in range(4) if seat != tables["acting"][0]]
    for name in ("hand_ones", "hand_twos"):
        other[name][0, hidden] = tables[name][0, np.roll(hidden, 1)]
    one, two = (fair.play_worlds(rules, state, 5, 20) for state in (tables, other))
    np.testing.assert_array_equal(one.outcomes, two.outcomes)
    np.testing.assert_array_equal(one.weights, two.weights)


def test_the_number_of_draws_does_not_move_the_fair_crps():
    rng = np.random.default_rng(0)
    points = 5.0 * np.arange(10)
    chances = rng.dirichlet(np.ones(10))
    true = float(crps(chances[None], points, points[[3]])[0])
    for draws in (3, 30):
        scores = [
            knowable.fair_crps(rng.choice(10, draws, p=chances).astype(np.uint8), points, 3)
            for _ in range(9000 // draws)
        ]
        assert np.mean(scores) == pytest.approx(true, abs=4 * np.std(scores) / len(scores) ** 0.5)


def test_what_can_be_known(monkeypatch, capsys):
    monkeypatch.setattr(knowable, "NUM_WORLDS", 20)
    rules = Rules()
    told = knowable.knowable(load_network(value_file(rules)), rules, deals=60)
    assert told.worlds_below_network.mean == pytest.approx(told.network - told.worlds)
    assert max(told.network, told.worlds) < told.all_hands
    monkeypatch.setattr("sys.argv", ["knowable", "suzhou", "--deals", "60"])
    knowable.main()
    assert json.loads(capsys.readouterr().out)["worlds"] == told.worlds
