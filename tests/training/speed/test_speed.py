"""`baofen speed`: keys, units that are what they say, layers that are not there, and messages."""

import json
import subprocess
import sys

import pytest
from places import ROOT

from baofen.training import cli
from baofen.training.speed import command, game, startup
from baofen.training.speed.layers import LAYERS
from baofen.training.speed.measure import AbsentError, median_rate

KEYS = {
    *("core", "core_observed", "aec_raw", "aec", "deals", "playouts"),
    *("cold_start_s", "warm_start_s", "bytes_per_table", "train", "train_plain"),
    *("train_cpu", "train_plain_cpu"),
}


def run(*words):
    with pytest.raises(SystemExit) as left:
        cli.main(["speed", *words])
    return left.value.code


def test_the_layers_are_those_that_were_promised():
    assert set(LAYERS) == KEYS


def test_json_is_one_object_on_one_line(capsys):
    assert run("--json", "--layers", "bytes_per_table,core", "--seconds", "0.01") == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 1
    figures = json.loads(out)
    assert list(figures) == ["bytes_per_table", "core"]
    assert 1000 < figures["bytes_per_table"] < 16384
    assert figures["core"] > 1000
    assert "measuring core" in err


def test_the_table_tells_what_is_met(capsys):
    command.figures_grid({"core": 3e6, "warm_start_s": 1.5, "aec": None, "train": 2e4, "train_plain": 1e3}).show()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    told = {line[0]: line for line in reversed(lines) if line}
    assert " ".join(told["core"]).endswith("3.00 M 2.80 M + 8.00 M - per CPU-s")
    assert " ".join(told["warm_start_s"]).endswith("1.50 2.00 + 1.00 - CPU-s")
    assert "not measured" in " ".join(told["aec"])
    assert " ".join(told["train"]).endswith("20.0 k per s")
    assert any(line[-6:] == ["20.0", "15.0", "+", "30.0", "-", "times"] for line in lines)


def test_a_layer_that_cannot_be_measured_says_so(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    for name in ("baofen_v0", "interfaces.aec"):
        monkeypatch.delitem(sys.modules, f"baofen.envs.{name}", raising=False)
    monkeypatch.delattr("baofen.envs.baofen_v0", raising=False)
    with pytest.raises(AbsentError, match="pettingzoo is not installed"):
        game.aec(0.01)
    monkeypatch.undo()
    monkeypatch.setattr(startup, "FIRST_DECISIONS", "raise SystemExit('no such game')")
    assert run("--json", "--layers", "cold_start_s") == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"cold_start_s": None}
    assert "cold_start_s was not measured: the first decisions failed: no such game" in err


def test_unknown_layers_are_told_with_the_known_ones(capsys):
    assert run("--json", "--layers", "core,cor,deels") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("baofen: unknown layer 'cor', 'deels': there are core, core_observed, ")


def test_a_rate_counts_what_the_work_says():
    rounds_asked = []

    def work(rounds):
        rounds_asked.append(rounds)
        sum(range(20_000 * rounds))
        return 7.0 * rounds

    one = median_rate(work, 1, seconds=0.05, repeats=3)
    assert len(set(rounds_asked[-3:])) == 1
    assert one > 0


def test_decisions_and_deals_are_those_of_the_game():
    play = game.batch()
    assert game.decisions(play)(3) == 3 * game.BATCH
    deals = play(400)
    assert 2 < deals / game.BATCH < 6  # a deal has a hundred and some decisions
    assert game.batch(observed=True)(3) == 0
    assert game.from_python(7)(3) == 21


@pytest.mark.slow
def test_a_checkout_is_as_fast_as_itself():
    script = ROOT / "scripts" / "compare_speed"
    words = [sys.executable, str(script), str(ROOT), "--layers", "bytes_per_table", "--rounds", "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split()[3:] == ["1.000", "1.000", "..", "1.000"]
    words[2] = str(ROOT / "tests")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a checkout" in done.stderr
