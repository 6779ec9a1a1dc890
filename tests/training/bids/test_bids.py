"""`baofen bids`: hands, reports, messages and exit codes."""

import json

import numpy as np
import pytest

from baofen.agents.bids.value_network import load_network, value_file
from baofen.agents.heuristic import HeuristicAgent
from baofen.envs.actions import PASS
from baofen.envs.core.dtypes import AUCTION
from baofen.envs.rules import Rules
from baofen.training import cli
from baofen.training.bids.judging.judge import judge
from baofen.training.bids.judging.report import print_judgement, write_judgement

HAND = "BJ LJ 2h As As Kd Kd Td 5d 9d 8d 7d 3d 2d Kh 5h Ac Kc Tc 9c 3c 6s 7s 8s Qs"
AGENT = "bidder:value/heuristic"


def run(*words):
    with pytest.raises(SystemExit) as left:
        cli.main(["bids", *words])
    return left.value.code


def told(capsys, *words):
    assert run(AGENT, "--hand", HAND, "--worlds", "40", "--json", *words) == 0
    out, _ = capsys.readouterr()
    assert out.count("\n") == 1
    return json.loads(out)


@pytest.mark.parametrize(
    ("rules", "more", "calls"),
    [
        ("suzhou", (), [85, 90, 95]),
        ("hongwu", (), range(70, 205, 5)),
        ("exposure", ("--trump", "d"), range(85, 205, 5)),
    ],
)
def test_a_hand_as_json(rules, more, calls, capsys):
    answer = told(capsys, "--rules", rules, *more)
    assert [value["call"] for value in answer["values"]] == [*calls, "pass"]
    assert all(list(value) == ["call", "expected_score", "made", "error"] for value in answer["values"])
    assert [value["made"] is None for value in answer["values"]] == [*(False for _ in calls), True]
    made = [value["made"] for value in answer["values"][:-1]]
    assert made == sorted(made, reverse=True)
    assert answer["trump"] == "d"
    assert len(answer["bury"].split()) == 8
    assert all(HAND.split().count(card) >= answer["bury"].split().count(card) for card in answer["bury"].split())
    assert sum(answer["points"].values()) == pytest.approx(1, abs=0.01)
    assert answer == told(capsys, "--rules", rules, *more)


def test_the_auction_and_the_pot_matter(capsys):
    answer = told(capsys, "--auction", "85 pass", "--pot", "200", "--seat", "2")
    assert answer["values"][0]["call"] == 90
    rich = {value["call"]: value["expected_score"] for value in answer["values"]}
    poor = {value["call"]: value["expected_score"] for value in told(capsys, "--auction", "85 pass")["values"]}
    assert rich[200] == pytest.approx(poor[200] - 200, abs=40)  # it fails, and pays the pot's size
    assert rich["pass"] == pytest.approx(poor["pass"], abs=20)  # a pot makes others call with less


def test_a_hand_in_the_terminal(capsys):
    assert run("heuristic", "--hand", HAND, "--worlds", "30") == 0
    out, err = capsys.readouterr()
    assert err == ""
    for words in ("heuristic calls 85", "expected score", "points as declarer:", "bury first:", "Call "):
        assert words in out


@pytest.mark.parametrize(("rules", "unit"), [("suzhou", "points"), ("hongwu", "levels")])
def test_scores_are_told_with_their_unit(capsys, rules, unit):
    assert run("heuristic", "--hand", HAND, "--worlds", "5", "--rules", rules) == 0
    assert f"expected score, {unit}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--hand", HAND.rsplit(maxsplit=1)[0]], "a hand has 25 cards, not 24"),
        (["--hand", HAND.replace("Kh", "As")], "there are 2 of each card, not 3 As"),
        (["--hand", HAND.replace("Kh", "1h")], "unknown card '1h'"),
        (["--hand", HAND, "--auction", "85 80"], "word 2 of the auction: seat 1 calls 80: the lowest call now is 90"),
        (["--hand", HAND, "--auction", "100"], "the highest call now is 95"),
        (["--hand", HAND, "--auction", "85 maybe"], "word 2 of the auction is 'maybe'"),
        (["--hand", HAND, "--auction", "85 87"], "word 2 of the auction is '87'"),
        (["--hand", HAND, "--auction", "85 pass pass pass"], "the auction is over"),
        (["--hand", HAND, "--auction", "85 pass pass pass 90"], "the auction is over before its word 5, '90'"),
        (["--hand", HAND, "--seat", "3"], "after 'no call' seat 0 is to speak, not seat 3"),
        (["--hand", HAND, "--seat", "4"], "--seat counts 0 .. 3"),
        (["--hand", HAND, "--pot", "100", "--rules", "hongwu"], "there can be no pot of 100"),
        (["--hand", HAND, "--rules", "exposure"], "give --trump"),
        (["--hand", HAND, "--trump", "s"], "trump is not known in the auction"),
        (["--hand", HAND, "--worlds", "0"], "--worlds must be at least 1"),
        (["--auction", "85"], "--auction goes with --hand"),
        (["--deals", "3"], "--deals must be at least 10"),
        (["--decisions", "-1"], "--decisions must be at least 0"),
        (["--pot_percent", "101"], "--pot-percent must be 0 .. 100"),
        (["--hand", HAND, "--decisions", "5"], "--decisions goes without --hand"),
    ],
)
def test_mistakes(words, message, capsys):
    assert run("heuristic", *words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_an_unknown_agent(capsys):
    assert run("nobody") == 2
    assert "unknown agent 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize("rules", ["suzhou", "exposure", "hongwu"])
def test_a_report_leaves_its_files(rules, tmp_path, capsys):
    out = tmp_path / "out"
    words = ("--deals", "40", "--decisions", "4", "--pot_percent", "50", "--rules", rules, "--out", str(out))
    assert run("heuristic", *words) == 0
    report = json.loads((out / "bids.json").read_text())
    assert (report["agent"], report["rules"], report["deals"]) == ("heuristic", rules, 40)
    assert report["best"]["mean"] - report["reward"]["mean"] == pytest.approx(report["regret"]["mean"])
    assert report["regret"]["mean"] >= 0
    assert report["pot_percent"] == (50 if rules == "suzhou" else 0)
    assert report["fair"]["decisions"] + report["fair"]["left_out"] == 4
    assert set(report["offsets"]) == {"-10", "-5", "+5", "+10"}
    assert sum(line["share"] for line in report["targets"]) == pytest.approx(1 - report["passed_out"])
    assert {path.name for path in out.iterdir()} >= {"bids.json", "situations.csv", "strengths.csv", "targets.csv"}
    assert (out / "bids.png").read_bytes().startswith(b"\x89PNG")
    assert "regret" in capsys.readouterr().out


class Silent(HeuristicAgent):
    """Never calls."""

    def act(self, views):
        return np.where(views.state["phase"] == AUCTION, PASS, super().act(views))


def test_an_agent_that_never_calls_is_judged_too(tmp_path, capsys):
    rules = Rules()
    told = judge(Silent(), rules, load_network(value_file(rules)), deals=12, decisions=2)
    assert (told.passed_out, told.targets, told.before_winning) == (1.0, [], None)
    assert told.regret.mean > 0
    print_judgement(told)
    assert "no contract was bought" in capsys.readouterr().out
    write_judgement(told, tmp_path)
    assert json.loads((tmp_path / "bids.json").read_text())["after_winning"] is None
