"""`baofen bench`: files, tables, messages and exit codes."""

import csv
import json
import subprocess
import sys

import pytest

from baofen.training import cli
from baofen.training.arena import bench

KEYS = ["agent", "versus", "opponents", "role", "metric", "mean", "difference", "ci_low", "ci_high", "deals"]


def run(*words):
    with pytest.raises(SystemExit) as left:
        cli.main(["bench", *words])
    return left.value.code


@pytest.mark.parametrize("contracts", ["auction", "fixed"])
def test_a_bench_leaves_its_files(contracts, tmp_path, capsys):
    out = tmp_path / "out"
    words = ["random", "random:cards", "--deals", "6", "--seed", "3", "--rules", "suzhou", "--options", "bid_min=80"]
    assert run(*words, "opening_max=90", "--contracts", contracts, "--out", str(out), "--records") == 0
    told = json.loads((out / "results.json").read_text())
    assert list(told) == ["rules", "options", "contracts", "seed", "deals", "rows"]
    assert told["options"] == {"bid_min": 80, "opening_max": 90}
    assert (told["rules"], told["contracts"], told["seed"], told["deals"]) == ("suzhou", contracts, 3, 6)
    assert all(list(row) == KEYS and row["deals"] == 6 for row in told["rows"])
    roles = {"auction": {"seat"}, "fixed": {"declarer", "defenders"}}[contracts]
    asked = {(row["agent"], row["versus"], row["opponents"]) for row in told["rows"]}
    both = ("random", "random:cards")
    assert asked == {(a, b, o) for a in both for b in both for o in both if a != b}
    assert {row["role"] for row in told["rows"]} == roles
    with (out / "results.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(told["rows"])
    assert (out / "results.png").read_bytes().startswith(b"\x89PNG")
    lines = [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]
    assert len(lines) == 6 * (4 if contracts == "fixed" else 10)
    assert all(line["format"] == "baofen-record/1" and len(line["players"]) == 4 for line in lines)
    assert "random:cards" in capsys.readouterr().out
    with pytest.raises(SystemExit) as left:
        cli.main(["replay", str(out / "records.jsonl")])
    assert left.value.code == 0


def test_one_agent_meets_the_baselines():
    plan = bench.make_plan(["random:cards"])
    assert [one.label for one in plan.cast] == ["random:cards", "random", "heuristic"]
    asked = {(question.versus, question.opponents) for question in plan.questions}
    assert asked == {(versus, opponents) for versus in (1, 2) for opponents in (0, 1, 2)}
    assert [one.label for one in bench.make_plan(["heuristic"]).cast] == ["heuristic", "random"]


def test_opponents_can_be_chosen():
    plan = bench.make_plan(["random", "random:cards"], ["heuristic"])
    assert {(question.agent, question.versus, question.opponents) for question in plan.questions} == {
        (0, 1, 2),
        (1, 0, 2),
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nobody"], "baofen: unknown agent 'nobody': there are"),
        (["search:x"], "baofen: unknown agent 'search:x': there are"),
        (["random/search:x"], "baofen: unknown agent 'random/search:x' (unknown agent 'search:x'): there are"),
        (
            ["no.module:Here"],
            "baofen: unknown agent 'no.module:Here' (No module named 'no'; is its folder on PYTHONPATH?): there are",
        ),
        (["random/no.module:Here"], "baofen: unknown agent 'random/no.module:Here' (unknown agent 'no.module:Here' ("),
        ([], "name at least one agent"),
        (["random", "--options", "bid_min"], "an option is NAME=VALUE, not 'bid_min'"),
        (["random", "--options", "bid_min=80", "bid_min=85"], "option 'bid_min' is given twice"),
        (["random", "--options", "bid_mni=80"], "unknown option 'bid_mni'"),
        (["random", "--rules", "bridge"], "unknown rules 'bridge'"),
        (["random", "--deals", "0", "--workers", "0"], "--deals must be at least 2, not 0; --workers must be at least"),
        (["random", "--records"], "records need a folder: give --out DIR"),
        (["random", "--contracts", "free"], "contracts"),
    ],
)
def test_mistakes(words, message, capsys):
    assert run(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_results_on_stdout_progress_on_stderr():
    words = [sys.executable, "-m", "baofen.training.cli", "bench", "random", "--deals", "4", "--opponents", "random"]
    script = f"from baofen.training.cli import main; main({words[3:]})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "with the auction, 4 deals of dev 0" in done.stdout
    assert "games" not in done.stdout


@pytest.mark.parametrize("length", [0, 100])
def test_damaged_files_of_a_bench_are_named(length, tmp_path, capsys):
    out = tmp_path / "out"
    words = ["random", "random:cards", "--deals", "6", "--out", str(out)]
    assert run(*words) == 0
    chunk = min((out / "chunks").iterdir())
    whole = chunk.read_bytes()
    chunk.write_bytes(whole[:length])
    assert run(*words, "--resume") == 2
    err = capsys.readouterr().err.splitlines()[-1]
    assert f"{chunk.name} is damaged" in err and err.endswith("without it --resume plays it again")
    chunk.unlink()
    assert run(*words, "--resume") == 0
    assert len(chunk.read_bytes()) == len(whole)
    (out / "setup.json").write_bytes(b"")
    assert run(*words, "--resume") == 2
    assert "setup.json is damaged" in capsys.readouterr().err
