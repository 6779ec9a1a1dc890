"""A policy trained on other rules than the user asks for: one line on stderr, and none for devices of the arena."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arena.policies import write_policy

from baofen.agents import make_agent
from baofen.agents.policy.agent import NetworkAgent
from baofen.envs.rules import Rules
from baofen.training import cli
from baofen.training.config import TrainConfig
from baofen.training.config.sections import EvaluationConfig
from baofen.training.run import judging
from baofen.training.run.trained_rules import tell_other_rules, trained_on

HAND = "BJ LJ 2h As As Kd Kd Td 5d 9d 8d 7d 3d 2d Kh 5h Ac Kc Tc 9c 3c 6s 7s 8s Qs"
COMMANDS = {
    "auction": ["bench", "POLICY", "random", "--deals", "4"],
    "fixed": ["bench", "POLICY", "random", "--deals", "4", "--contracts", "fixed"],
    "named twice": ["bench", "POLICY", "POLICY", "--deals", "4"],
    "opponent": ["bench", "random", "random:cards", "--opponents", "POLICY", "--deals", "4"],
    "bids": ["bids", "POLICY", "--deals", "10", "--decisions", "4"],
    "hand": ["bids", "POLICY", "--hand", HAND, "--worlds", "5"],
    "bidder": ["bench", "POLICY/random", "random", "--deals", "4"],
    "player": ["bids", "heuristic/POLICY", "--deals", "10", "--decisions", "0"],
    "both": ["bench", "POLICY/POLICY", "random", "--deals", "4"],
}


def run(command: list[str], policy: Path, *more: str) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main([word.replace("POLICY", str(policy)) for word in command] + list(more))
    assert left.value.code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_other_rules_are_told_in_one_line_and_the_same_ones_are_not(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    policy = write_policy(tmp_path / "policy")
    capfd.readouterr()
    run(COMMANDS[command], policy)
    assert capfd.readouterr().err == ""
    run(COMMANDS[command], policy, "--rules", "hongwu")
    assert capfd.readouterr().err == f"note: {policy} was trained on rules 'suzhou', and plays 'hongwu'\n"


@pytest.mark.slow
def test_workers_tell_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(COMMANDS["fixed"], write_policy(tmp_path / "policy"), "--workers", "2")
    assert capfd.readouterr().err == ""


def test_the_evaluations_of_training_tell_of_baselines_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    own, other = write_policy(tmp_path / "own"), write_policy(tmp_path / "other", rules="hongwu")
    config = TrainConfig(evaluation=EvaluationConfig(deals=4, final_deals=4, baselines=("random",)))
    capfd.readouterr()
    for baselines, told in (
        (("random",), ""),
        ((str(own),), ""),
        ((str(other),), f"note: {other} was trained on rules 'hongwu', and plays 'suzhou'\n"),
    ):
        resolved = replace(config, evaluation=replace(config.evaluation, baselines=baselines))
        judging.QuickEvaluation(resolved)(own)
        judging.final_table(own, resolved)
        assert capfd.readouterr().err == told


@pytest.mark.slow
def test_a_training_that_judges_itself_tells_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = (
        "--stopping.iterations 1 --network.hidden_sizes 8 --sampling.tables_per_runner 32 --evaluation.deals 4 "
        "--evaluation.final_deals 4 --evaluation.every_iterations 1 --evaluation.baselines random"
    )
    run(["train", "ppo-smoke", "--run", str(tmp_path / "run"), *words.split()], tmp_path)
    err = capfd.readouterr().err
    assert "finished" in err
    assert "note" not in err and "trained on" not in err and "arning" not in err


PLAYED: list[tuple[dict[str, Any], Rules, str | None]] = [
    ({}, Rules(), None),
    ({}, Rules("suzhou", {"eights": "on"}), None),
    ({"options": {"eights": False}}, Rules("suzhou", {"eights": "off"}), None),
    ({}, Rules("hongwu"), "was trained on rules 'suzhou', and plays 'hongwu'"),
    ({"options": {"eights": "off"}}, Rules(), "was trained on rules 'suzhou' with eights=off, and plays 'suzhou'"),
    ({}, Rules("suzhou", {"bid_min": 80}), "was trained on rules 'suzhou', and plays 'suzhou' with bid_min=80"),
]


@pytest.mark.parametrize(("game", "rules", "message"), PLAYED)
def test_rules_differ_by_preset_or_by_options_in_force(
    game: dict[str, Any], rules: Rules, message: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = NetworkAgent(write_policy(tmp_path / "policy", **game), name="mine")
    assert agent.trained_on == Rules(**({"preset": "suzhou"} | game))
    tell_other_rules(trained_on(agent), rules)
    assert capsys.readouterr() == ("", f"note: mine {message}\n" if message else "")


def test_each_policy_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = write_policy(tmp_path / "one"), write_policy(tmp_path / "two", rules="hongwu")
    tell_other_rules(trained_on(make_agent(f"{one}/{two}")), Rules("exposure"))
    assert [line.split()[1] for line in capsys.readouterr().err.splitlines()] == [str(one), str(two)]
    assert trained_on(make_agent("bidder:value/search:1")) == ()
