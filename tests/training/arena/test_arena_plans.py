"""Named sets of deals, deals planned for a precision, ratings, titles, and runs that are continued."""

import dataclasses
import json

import numpy as np
import pytest
from arena.helpers import Clumsy, contestant, small_setup

from baofen.envs.core.dtypes import RESULT
from baofen.training import cli
from baofen.training.arena import deals as arena_deals
from baofen.training.arena import matches, standings
from baofen.training.arena.bench import Plan, compare, planned
from baofen.training.arena.compare import SPARE, Question, deals_for, every_pair, half_width, lineups_for, rows_for
from baofen.training.arena.contestants import contestants
from baofen.training.arena.deals import MATCH_SETS, deal_tables, match_set
from baofen.training.arena.matches import Hall, Lineup, Results, play_lineups
from baofen.training.arena.statistics import bootstrap
from baofen.training.arena.store import Memory, Store
from baofen.training.errors import UserError


def run(*words):
    with pytest.raises(SystemExit) as left:
        cli.main(["bench", *words])
    return left.value.code


@pytest.mark.parametrize("name", MATCH_SETS)
def test_sets_deal_the_cards_they_always_have(name):
    assert match_set(name).name == name


def test_sets_share_no_deal_with_each_other_or_other_seeds():
    decks = [deal_tables(small_setup().rule_system(), s.seed, s.split, 0, 50)["deck"] for s in MATCH_SETS.values()]
    assert len({deck.tobytes() for deck in np.concatenate(decks)}) == 3 * 50


def test_a_set_that_would_deal_other_cards_is_refused(monkeypatch):
    other = dataclasses.replace(MATCH_SETS["suzhou-dev-v1"], seed=5)
    monkeypatch.setitem(arena_deals.MATCH_SETS, "suzhou-dev-v1", other)
    with pytest.raises(ValueError, match="deals other cards"):
        match_set("suzhou-dev-v1")


def test_a_bench_on_a_set(capsys):
    words = ["random", "random:cards", "--deals-set", "hongwu-holdout-v1", "--deals", "4", "--contracts", "fixed"]
    assert run(*words) == 0
    out = capsys.readouterr().out
    assert "hongwu, contracts by heuristic-v1, 4 deals of hongwu-holdout-v1" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--deals-set", "suzhou-v1"], "unknown set of deals 'suzhou-v1': there are suzhou-dev-v1"),
        (["--deals-set", "suzhou-dev-v1", "--rules", "hongwu"], "--rules hongwu does not go with --deals-set"),
        (
            ["--deals-set", "suzhou-dev-v1", "--seed", "4"],
            "--seed 4 does not go with --deals-set suzhou-dev-v1, which has",
        ),
        (["--precision", "0"], "--precision must be more than 0"),
        (["--timeout-s", "-1"], "--timeout-s must be more than 0"),
        (["--resume"], "a run to continue needs a folder: give --out DIR"),
    ],
)
def test_mistakes(words, message, capsys):
    assert run("random", *words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("effect_points", [3.0])
def test_a_planted_effect_is_found_with_the_deals_that_the_precision_asks_for(effect_points):
    """Slips at random that cost about three points, judged with intervals of less than that to either side."""
    cast = [contestant("heuristic-v1"), contestant("heuristic-v1", Clumsy, share=0.016)]
    plan = Plan(cast, [Question(0, 1, 0)])
    setup = small_setup(contracts="fixed", reference=contestant("heuristic-v1"))
    keeper = Memory()
    setup = planned(setup, plan, effect_points / 2, None, keeper, quiet=True)
    assert 512 <= setup.deals <= 6000
    report = compare(setup, plan, quiet=True, keeper=keeper)
    (row,) = (row for row in report.rows if row.metric == "captured" and row.role == "declarer")
    assert half_width(row) <= effect_points / 2
    assert 1.5 < row.difference < 4.5
    assert row.is_clear


def test_more_precision_takes_more_deals():
    told = bootstrap(np.random.default_rng(1).normal(0, 30, (512, 1)), 0)
    (pilot,) = rows_for(
        [Question(0, 1, 1)], _results(512), small_setup(contracts="fixed", deals=512), "ab", ["captured"]
    )[:1]
    pilot = dataclasses.replace(pilot, detectable=float(told.detectable[0]))
    exact = (1.96 * 30 / 1.0) ** 2 * SPARE
    assert 0.9 * exact < deals_for([pilot], 1.0) < 1.1 * exact + 512
    assert deals_for([pilot], 100.0) == 512


def _results(deals):
    games = np.zeros(deals, RESULT)
    games["forfeit"] = -1
    return Results(deals, {Lineup(0, 1): games, Lineup(1, 0): games, Lineup(1, 1): games}, [])


def test_deals_are_a_limit_to_the_plan(capsys):
    assert run("random", "random:cards", "--precision", "0.1", "--deals", "8", "--contracts", "fixed") == 0
    told = capsys.readouterr()
    assert "by a pilot of 8; 8 are played, as --deals says" in told.err
    assert "8 deals of dev 0" in told.out


def test_ratings_find_the_odds():
    """Wins that follow the model give back its strengths."""
    true = np.array([300.0, 0.0, -200.0])
    chance = 1 / (1 + 10 ** ((true[None] - true[:, None]) / 400))
    wins = chance * 5000 * (1 - np.eye(3))
    assert standings.strengths(wins, ["a", "heuristic-v1", "c"]) == pytest.approx(true, abs=2)
    assert standings.strengths(wins, ["a", "b", "c"]).mean() == pytest.approx(0)


def test_a_round_robin_is_rated(tmp_path, capsys):
    names = ["random", "heuristic", "random:cards"]
    assert run(*names, "--deals", "40", "--contracts", "fixed", "--out", str(tmp_path)) == 0
    lines = (tmp_path / "ratings.csv").read_text().splitlines()
    told = {line.split(",")[0]: [float(cell) for cell in line.split(",")[1:4]] for line in lines[1:]}
    assert next(iter(told)) == "heuristic"
    assert set(told) == set(names)
    assert told["heuristic"] == [0, 0, 0]
    for name in ("random", "random:cards"):
        mean, low, high = told[name]
        assert low <= mean <= high < -50
    assert "rating (400: ten wins to one)" in capsys.readouterr().out


def test_one_who_always_loses_has_a_rating():
    points = standings.strengths(np.array([[0.0, 500.0], [0.0, 0.0]]), ["a", "heuristic"])
    assert np.isfinite(points).all()
    assert points[0] > 400


def test_there_are_36_titles():
    needed = [points for points, _ in standings.TITLES]
    assert len(needed) == 36
    assert needed == sorted(needed)
    assert len({name for _, name in standings.TITLES}) == 36
    assert standings.title_for(-3) == standings.title_for(14) == standings.NO_TITLE
    assert standings.title_for(219800) == "国务院总理"
    assert standings.title_for(10**6) == "国家元首"


def test_bao_hong_wu_gives_titles(tmp_path, capsys):
    assert run("heuristic", "random", "--rules", "hongwu", "--deals", "60", "--out", str(tmp_path)) == 0
    lines = [line.split(",") for line in (tmp_path / "titles.csv").read_text().splitlines()]
    assert lines[0] == ["agent", "games", "points", "title"]
    assert [line[0] for line in lines[1:]] == ["heuristic", "random"]
    _, games, points, title = lines[1]
    assert (games, title) == ("240", standings.title_for(int(points)))
    assert title != standings.NO_TITLE
    assert title in capsys.readouterr().out


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(matches, "CHUNK_DEALS", 8)


def test_a_run_is_continued(small_chunks, tmp_path, monkeypatch):
    setup, cast = small_setup(contracts="fixed"), contestants(["random", "random:cards"])
    lineups = lineups_for(every_pair(2), "fixed")
    whole = play_lineups(setup, cast, lineups)

    def stop(games):
        finished.append(games)
        if len(finished) == 6:
            raise KeyboardInterrupt

    finished: list[int] = []
    store = Store(tmp_path, setup, cast, records=False, resume=False)
    assert play_lineups(setup, cast, lineups, progress=stop, keeper=store).deals == 8
    played = []
    before = Hall.play

    def noted(hall, *unit):
        played.append(unit)
        return before(hall, *unit)

    monkeypatch.setattr(Hall, "play", noted)
    store = Store(tmp_path, setup, cast, records=False, resume=True)
    again = play_lineups(setup, cast, lineups, keeper=store)
    assert len(played) == 12 - 6
    for lineup in lineups:
        assert (again.outcomes[lineup] == whole.outcomes[lineup]).all()
    with pytest.raises(UserError, match="seed was 0, not 1"):
        Store(tmp_path, dataclasses.replace(setup, seed=1), cast, records=False, resume=True)
    kept = sorted((tmp_path / "chunks").iterdir())
    with pytest.raises(UserError, match="go on with --resume, or choose another folder"):
        Store(tmp_path, setup, cast, records=False, resume=False)
    assert sorted((tmp_path / "chunks").iterdir()) == kept


def test_more_deals_go_on_with_records_and_faults(small_chunks, tmp_path):
    words = ["random", "random:cards", "--contracts", "fixed", "--records"]
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    assert run(*words, "--deals", "8", "--out", str(parts)) == 0
    assert run(*words, "--deals", "16", "--out", str(parts), "--resume") == 0
    assert run(*words, "--deals", "16", "--out", str(whole)) == 0
    assert (whole / "records.jsonl").read_text() == (parts / "records.jsonl").read_text()
    told = json.loads((parts / "results.json").read_text())
    assert json.loads((whole / "results.json").read_text()) == told
    assert told["deals"] == 16


def test_what_was_played_before_is_not_lost(tmp_path, capsys):
    words = ["random", "random:cards", "--deals", "8", "--out", str(tmp_path)]
    assert run(*words) == 0
    before = sorted((tmp_path / "chunks").iterdir())
    assert run("random", "heuristic", "--deals", "8", "--out", str(tmp_path)) == 2
    assert "holds a comparison: go on with --resume, or choose another folder" in capsys.readouterr().err
    assert sorted((tmp_path / "chunks").iterdir()) == before
    assert run(*words, "--resume") == 0


def test_a_set_has_no_more_deals_than_it_has(capsys):
    assert run("random", "--deals-set", "suzhou-dev-v1", "--deals", "4001") == 2
    assert "--deals-set suzhou-dev-v1 has 4000 deals, not 4001" in capsys.readouterr().err
