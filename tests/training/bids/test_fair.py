"""Fair regret, and how sharp any prediction can be: judged in worlds that a seat may be in."""

import json

import numpy as np
import pytest

from baofen.agents import make_agent
from baofen.agents.bids.lowest_calls import lowest_calls
from baofen.agents.bids.value_network import load_network, value_file
from baofen.envs.cards import NUM_SEATS
from baofen.envs.rules import Rules
from baofen.training.bids import knowable
from baofen.training.bids.hand.given import auction_view, parse_hand
from baofen.training.bids.judging import fair
from baofen.training.bids.judging.calibration import crps
from baofen.training.bids.judging.ladder import build_ladders, climb_auction
from baofen.training.bids.value_network.fit import valued_deals


@pytest.mark.parametrize("preset", ["suzhou", "exposure", "hongwu"])
def test_in_the_true_world_limits_are_worth_what_ladders_say(preset):
    rules, agent = Rules(preset), make_agent("heuristic")
    tables, outcomes = valued_deals(rules, 3, "test", 0, 40)
    ladders = build_ladders(rules, tables, outcomes, agent)
    values = fair.values_by_limit(agent, rules, tables, outcomes, tables["acting"].copy())
    own = np.arange(40) * NUM_SEATS + tables["acting"]
    prices = lowest_calls(ladders.state, rules)
    for column, price in enumerate(np.unique(prices[np.isin(ladders.ladder, own)])):
        np.testing.assert_allclose(values[:, column], ladders.results(prices < price)[own])
    np.testing.assert_allclose(values[:, -1], ladders.calling[own])


def test_bounds_of_the_regret_of_a_decision():
    """Passing is worth 0; standing for one call 4 in the first half of the worlds and 2 in the second; for two, 1 and 5."""
    rewards = np.array([[0.0, 4.0, 1.0], [0.0, 2.0, 5.0]]).repeat(16, 0)
    assert fair.regrets(rewards, called=False) == (1.5, 3.0)  # each half learns the wrong limit: 2 and 1
    assert fair.regrets(rewards, called=True) == (0.0, 0.0)
    assert fair.regrets(-rewards, called=True) == (1.5, 4.5)  # each half learns the worse call of the other: 5 and 4
    assert fair.regrets(-rewards, called=False) == (0.0, 0.0)
    split = np.array([[0.0, 6.0], [0.0, -2.0]]).repeat(16, 0)
    assert fair.regrets(split, called=False) == (-1.0, 2.0)  # one half says call, the other pass


@pytest.mark.parametrize("called", [True, False])
@pytest.mark.parametrize("gain", [-0.5, 0.5])
def test_bounds_hold_on_average(called, gain):
    """Many limits that are all worth the same flatter the best of them."""
    rng = np.random.default_rng(0)
    true = max(-gain if called else gain, 0.0)
    bounds = []
    for _ in range(400):
        rewards = np.column_stack([np.zeros(100), gain + 5 * rng.standard_normal((100, 8))])
        bounds.append(fair.regrets(rewards, called))
    lower, upper = np.mean(bounds, 0)
    margin = 3 * np.std(bounds, 0) / 20
    assert lower - margin[0] <= true <= upper + margin[1]


STRONG = "BJ BJ LJ LJ 2s 2s As As Ks Ks Qs Qs Js Js Ts Ts 9s 9s 7s 7s 6s 6s Ah Ah Kh"
WEAK = "3s 4s 6s 7s 9s Js 3h 4h 6h 7h 9h Jh 3d 4d 6d 7d 9d Jd 3c 4c 6c 7c 9c Jc Qc"


def rewards_by_limit(hand):
    rules = Rules()
    table = auction_view(rules, parse_hand(hand)).state
    worlds = fair.agreeing_worlds(make_agent("heuristic"), rules, table, table, 0, seed=0)
    assert len(worlds) == fair.NUM_WORLDS  # nobody has called: all worlds agree
    seats = worlds["acting"].copy()
    return fair.values_by_limit(make_agent("heuristic"), rules, worlds, fair.play_out(rules, worlds), seats)


def test_what_a_hand_should_have_done():
    rewards = rewards_by_limit(STRONG)
    assert fair.regrets(rewards, called=True) == (0.0, 0.0)
    lower, upper = fair.regrets(rewards, called=False)
    assert 20 < lower <= upper + 1e-9
    assert fair.regrets(rewards_by_limit(WEAK), called=False)[1] == 0.0


@pytest.mark.parametrize("preset", ["suzhou", "exposure", "hongwu"])
def test_in_agreeing_worlds_the_auction_comes_to_the_same_decision(preset):
    rules, agent = Rules(preset), make_agent("heuristic")
    tables, outcomes = valued_deals(rules, 3, "test", 0, 12)
    ladders = build_ladders(rules, tables, outcomes, agent)
    rows = np.flatnonzero(ladders.rung == 1)[:3]
    assert len(rows)
    for row in rows:
        deal, seat = divmod(int(ladders.ladder[row]), NUM_SEATS)
        decision = ladders.state[row : row + 1]
        worlds = fair.agreeing_worlds(agent, rules, tables[deal : deal + 1], decision, 1, seed=0)
        assert len(worlds) > 0
        for name in ("hand_ones", "hand_twos"):
            assert (worlds[name][:, seat] == tables[name][deal, seat]).all()
        _, _, rungs, states = climb_auction(rules, worlds, np.full(len(worlds), seat, np.int8), agent)
        reached = states[rungs == 1]
        assert len(reached) == len(worlds)
        for name in fair.PUBLIC_FIELDS:
            assert (reached[name] == decision[name]).all()


def test_fair_regret_adds_up():
    told = fair.fair_regret(make_agent("heuristic"), Rules(), decisions=12, seed=1)
    assert told.decisions + told.left_out == 12
    assert told.lower.mean <= told.upper.mean
    assert told.underbid + told.overbid == pytest.approx(told.lower.mean)
    assert 0 <= told.upper.low <= told.upper.mean < 30
    with pytest.raises(ValueError, match="at least one decision"):
        fair.fair_regret(make_agent("heuristic"), Rules(), decisions=0)


def test_worlds_depend_on_nothing_hidden():
    rules = Rules()
    tables, _ = valued_deals(rules, 0, "test", 0, 1, playouts=1)
    other, seat = tables.copy(), int(tables["acting"][0])
    hidden = [one for one in range(NUM_SEATS) if one != seat]
    for name in ("hand_ones", "hand_twos"):
        other[name][0, hidden] = tables[name][0, np.roll(hidden, 1)]
    one, two = (fair.AgreeingWorlds(rules, state, seat, 5).draw(20) for state in (tables, other))
    for name in ("hand_ones", "hand_twos"):
        np.testing.assert_array_equal(one[name], two[name])


def test_the_number_of_draws_does_not_move_the_fair_crps():
    rng = np.random.default_rng(0)
    points = np.linspace(0.0, 45.0, 10)
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
