"""`baofen speed --layers policy`: the same decisions for all agents, and messages."""

import json
from pathlib import Path

import pytest
from scorers import write_scorer

from baofen.agents import make_agent
from baofen.training import cli
from baofen.training.speed import policy_time


def run(*words: str) -> object:
    with pytest.raises(SystemExit) as left:
        cli.main(["speed", *words])
    return left.value.code


@pytest.fixture
def few_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = policy_time.decisions(num_deals=2, num_decisions=6)
    monkeypatch.setattr(policy_time, "decisions", lambda: asked)


def test_decisions_begin_plays_with_a_choice() -> None:
    asked = policy_time.decisions(num_deals=3, num_decisions=40)
    assert len(asked) == 40 and {int(views.table[0]) for views in asked} == {0, 1, 2}
    for views in asked:
        assert len(views) == 1 and views.action_mask.sum() > 1 and views.state["selection_ones"][0] == 0


def test_all_are_asked_the_same(few_decisions: None) -> None:
    agent = make_agent("heuristic-v1")
    seen: list[int] = []

    class Counting:
        name, cheats = "counting", False

        def reset(self, num_tables: int, seed: int) -> None:
            agent.reset(num_tables, seed)

        def act(self, views):
            seen.append(id(views))
            return agent.act(views)

    asked = policy_time.decisions()
    assert policy_time.decision_ms(Counting(), asked, 0.0) > 0
    assert set(seen) == {id(views) for views in asked} and len(seen) >= len(asked)


@pytest.mark.usefixtures("few_decisions")
def test_a_policy_and_the_searches_it_guides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(write_scorer(tmp_path / "mine"))
    assert run("--json", "--layers", "policy", "--policy", f"{folder},random", "--seconds", "0.001") == 0
    figures = json.loads(capsys.readouterr().out)["policy"]
    assert list(figures) == [
        *("heuristic-v1", "search:100", folder, f"search:8@{folder}", f"search:32@{folder}", "random")
    ]
    assert all(figure > 0 for figure in figures.values())
    assert figures["search:100"] > figures["heuristic-v1"]


def test_the_table_says_for_how_many_worlds_there_is_time(capsys: pytest.CaptureFixture[str]) -> None:
    figures = {"heuristic-v1": 0.01, "search:100": 10.0, "mine": 0.05, "search:8@mine": 1.0, "search:32@mine": 3.4}
    policy_time.policies_grid(figures).show(markdown=True)
    out = capsys.readouterr().out
    assert "| mine | 0.050 | 200 |" in out
    assert "| search:N@mine: as long as search:100 at N = | 98 |  |" in out


def test_wrong_words_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    for words, reason in (
        (("--layers", "policy", "--policy", "nobody"), "unknown agent 'nobody'"),
        (("--layers", "core", "--seconds", "0.01", "--policy", "nobody"), "--policy goes with --layers policy"),
    ):
        assert run("--json", *words) == 2
        assert capsys.readouterr().err.splitlines()[-1].startswith(f"baofen: {reason}")
