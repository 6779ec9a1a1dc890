"""Figures of the arena: signs, intervals, false alarms and planted effects."""

import numpy as np
import pytest
from arena.helpers import Clumsy, contestant, small_setup

from baofen.envs.core.dtypes import RESULT
from baofen.training.arena.compare import Question, every_pair, lineups_for, role_splits, rows_for, values
from baofen.training.arena.contestants import contestants
from baofen.training.arena.matches import Chunk, Hall, Lineup, Results, play_lineups
from baofen.training.arena.printed import verdict
from baofen.training.arena.statistics import SEEN_AT, bootstrap

AGENT_BETTER = Question(agent=0, versus=1, opponents=1)


def test_the_interval_is_that_of_the_mean():
    values = np.random.default_rng(3).normal([5, -2], [10, 1], (400, 2))
    told = bootstrap(values, seed=1)
    error = values.std(0) / 20
    assert told.mean == pytest.approx(values.mean(0))
    assert told.standard_error == pytest.approx(error, rel=0.05)
    assert told.low == pytest.approx(told.mean - 1.96 * error, abs=0.15 * error.max())
    assert told.high == pytest.approx(told.mean + 1.96 * error, abs=0.15 * error.max())
    again, other = bootstrap(values, seed=1), bootstrap(values, seed=2)
    assert (again.low == told.low).all()
    assert (other.low != told.low).all()


def test_intervals_miss_the_truth_about_one_time_in_twenty():
    rng = np.random.default_rng(0)
    missed = 0
    for run in range(40):  # ten independent quantities in each
        told = bootstrap(rng.standard_exponential((60, 10)) - 1, run, resamples=400)
        missed += int(np.count_nonzero((told.low > 0) | (told.high < 0)))
    assert 0.02 <= missed / 400 <= 0.09


@pytest.fixture(scope="module")
def against_itself():
    """Random agents against copies of themselves, the declarer's points of 2,000 deals."""
    cast = contestants(["random:cards", "random:cards"])
    setup = small_setup(contracts="fixed", deals=2000)
    return play_lineups(setup, cast, lineups_for([AGENT_BETTER], "fixed")), setup


def test_an_agent_is_no_better_than_itself(against_itself):
    results, setup = against_itself
    rows = rows_for([AGENT_BETTER], results, setup, ["a", "b"])
    assert len(rows) == 6
    standard_errors = np.array([row.difference / row.detectable for row in rows]) * SEEN_AT
    assert np.abs(standard_errors).max() < 3.3  # one row of a thousand is beyond
    unclear = [verdict(row) for row in rows if not row.is_clear]
    assert len(unclear) >= 4
    assert all(words.startswith("open, sees ") for words in unclear)


def test_false_alarms_are_as_rare_as_promised(against_itself):
    results, _ = against_itself
    difference = values(results, 0, 1, "declarer", "captured") - values(results, 1, 1, "declarer", "captured")
    rng = np.random.default_rng(5)
    samples = np.stack([rng.choice(difference, 100, replace=False) for _ in range(400)], axis=1)
    told = bootstrap(samples, seed=5, resamples=1000)
    alarms = np.count_nonzero((told.low > 0) | (told.high < 0)) / 400
    assert 0.02 <= alarms <= 0.09


@pytest.mark.parametrize("contracts", ["fixed", "auction"])
def test_a_planted_effect_is_found_with_its_sign(contracts):
    cast = [contestant("heuristic"), contestant("heuristic", Clumsy, share=0.1)]
    setup = small_setup(contracts=contracts, deals=600, reference=contestant("heuristic"))
    questions = every_pair(2)
    results = play_lineups(setup, cast, lineups_for(questions, contracts))
    rows = rows_for(questions, results, setup, ["sound", "clumsy"], ["captured", "score"])
    assert {row.agent for row in rows} == {"sound", "clumsy"}
    for row in rows:
        assert row.is_clear
        assert (row.difference > 0) == (row.agent == "sound")


def outcome(**fields):
    games = np.zeros(2, RESULT)
    games["forfeit"] = -1
    for name, value in fields.items():
        games[name] = value
    return games


def test_more_is_better_in_either_role():
    agent_declares = outcome(declarer=[0, 1], captured=[120, 60], rewards=[[30, -30, -30, -30], [25, -25, 25, 25]])
    agent_defends = outcome(declarer=[0, 1], captured=[100, 40], rewards=[[10, -10, -10, -10], [45, -45, 45, 45]])
    agent_declares["made"] = agent_defends["made"] = [1, 0]
    results = Results(2, {Lineup(0, 1): agent_declares, Lineup(1, 0): agent_defends}, [])
    assert values(results, 0, 1, "declarer", "captured").tolist() == [120, 60]
    assert values(results, 0, 1, "declarer", "score").tolist() == [30, -25]
    assert values(results, 0, 1, "declarer", "made").tolist() == [1, 0]
    assert values(results, 0, 1, "defenders", "captured").tolist() == [-100, -40]
    assert values(results, 0, 1, "defenders", "score").tolist() == [-10, 45]
    assert values(results, 0, 1, "defenders", "made").tolist() == [-1, 0]


def test_who_forfeits_loses_all():
    games = outcome(declarer=[0, 0], captured=[90, 90], forfeit=[0, 2])
    results = Results(2, {Lineup(0, 1): games}, [])
    assert values(results, 0, 1, "declarer", "captured").tolist() == [0, 200]
    assert values(results, 0, 1, "declarer", "made").tolist() == [0, 1]


def test_a_seat_is_the_mean_of_its_four_seatings():
    rewards = [[[seat * 4 + other for other in range(4)]] * 2 for seat in range(4)]
    games = {Lineup(0, 1, seat): outcome(declarer=[seat, -1], rewards=rewards[seat], made=1) for seat in range(4)}
    games[Lineup(1, 1, 0)] = outcome(declarer=[0, 0], rewards=[[1, 2, 3, 6]] * 2)
    results = Results(2, games, [])
    assert values(results, 0, 1, "seat", "score").tolist() == [7.5, 7.5]  # of 0, 5, 10, 15
    assert values(results, 1, 1, "seat", "score").tolist() == [3, 3]
    alone, same = role_splits(results, ["a", "b"])
    assert (alone.declared, alone.made, alone.passed_out) == (0.5, 1, 0.5)
    assert (alone.score_as_declarer, same.declared, same.score_as_declarer) == (7.5, 0.25, 1)


def test_the_four_seatings_of_an_agent_among_its_like_are_one_game():
    cast = contestants(["random", "heuristic"])
    hall = Hall(small_setup(), cast)
    games = [hall.play(Lineup(1, 1, seat), Chunk(0, 8)).outcomes for seat in range(4)]
    assert all((game == games[0]).all() for game in games)
    assert lineups_for([Question(0, 1, 1)], "auction") == [*(Lineup(0, 1, seat) for seat in range(4)), Lineup(1, 1, 0)]
    assert lineups_for(every_pair(2), "fixed") == [Lineup(0, 0), Lineup(1, 0), Lineup(0, 1), Lineup(1, 1)]
