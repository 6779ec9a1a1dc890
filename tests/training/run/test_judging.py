"""Evaluations of training, with a named agent in the place of a policy folder."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from baofen.training.arena import matches
from baofen.training.config import TrainConfig
from baofen.training.config.sections import EvaluationConfig
from baofen.training.errors import UserError
from baofen.training.run import judging

POLICY = Path("random")
CONFIG = TrainConfig(evaluation=EvaluationConfig(deals=6, final_deals=4, baselines=("random:cards", "heuristic")))


def test_a_quick_evaluation_judges_every_role_against_every_baseline():
    rows = judging.QuickEvaluation(CONFIG)(POLICY)
    assert [(row["versus"], row["role"], row["metric"]) for row in rows] == [
        *[(name, role, "captured") for name in ("random:cards", "heuristic") for role in ("declarer", "defenders")],
        *[(name, "seat", "score") for name in ("random:cards", "heuristic")],
    ]
    assert all(row["agent"] == judging.POLICY and row["opponents"] == row["versus"] for row in rows)


def test_games_among_baselines_are_played_once(monkeypatch):
    played = []
    plain = matches.Hall.play

    def noted(hall, lineup, *rest):
        played.append(lineup)
        return plain(hall, lineup, *rest)

    monkeypatch.setattr(matches.Hall, "play", noted)
    evaluate = judging.QuickEvaluation(CONFIG)
    first = evaluate(POLICY)
    number = len(played)
    assert evaluate(POLICY) == first
    again = played[number:]
    assert len(again) < number
    assert all(0 in (lineup.alone, lineup.others) for lineup in again)


def test_the_final_table_has_every_role_and_both_opponents(tmp_path, capsys):
    rows = judging.final_table(POLICY, CONFIG, tmp_path)
    baselines = set(CONFIG.evaluation.baselines)
    asked = {(row.role, row.metric, row.versus, row.opponents) for row in rows}
    roles = {("declarer", "captured"), ("defenders", "captured"), ("seat", "score")}
    assert asked == {(*role, versus, other) for role in roles for versus in baselines for other in baselines}
    out, err = capsys.readouterr()
    assert "trained: random; 4 deals of final 0" in out
    assert "declarer" not in err
    for contracts in ("fixed", "auction"):
        assert json.loads((tmp_path / contracts / "results.json").read_text())["contracts"] == contracts


def test_an_unknown_baseline_is_told_before_training():
    with pytest.raises(UserError, match=r"evaluation.baselines: unknown agent 'nobody'"):
        judging.QuickEvaluation(replace(CONFIG, evaluation=EvaluationConfig(baselines=("nobody",))))


def test_without_baselines_there_is_nothing_to_tell():
    config = replace(CONFIG, evaluation=EvaluationConfig(baselines=()))
    assert judging.QuickEvaluation(config)(POLICY) == []
    assert judging.final_table(POLICY, config) == []
