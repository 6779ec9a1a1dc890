"""Peers, growth and what a decision costs: what is asked for, what is told, and what is absent."""

import importlib.util
import json
import multiprocessing
import subprocess
import sys
import threading
import time
import types
from typing import Any

import pytest
from places import ROOT

from baofen.training import cli
from baofen.training.errors import UserError
from baofen.training.speed import Wanted, command, core_time, growth, peer_games, peers, training_time
from baofen.training.speed.grid import Grid
from baofen.training.speed.layers import LAYERS


def run(*words):
    with pytest.raises(SystemExit) as left:
        cli.main(["speed", *words])
    return left.value.code


def test_what_is_asked_for_decides_the_layers():
    assert Wanted().names() == list(LAYERS)
    assert Wanted(growth=True).names() == Wanted(core_time=True).names() == Wanted(training_time=True).names() == []
    compared = Wanted(peers=True, growth=True).names()
    assert set(compared) == {"core", "core_observed", "aec_raw", "aec", "deals"}
    assert {peer.layer for peer in peers.PEERS.values()} <= set(compared)
    assert Wanted(["all", "core"]).names() == list(LAYERS)
    assert Wanted(["aec", "core", "aec"], peers=True).names() == ["aec", "core"]
    with pytest.raises(UserError, match="unknown layer 'coer'"):
        Wanted(["coer"]).names()


def test_flags_reach_the_measurement(monkeypatch, capsys):
    asked = []
    monkeypatch.setattr("baofen.training.speed.speed_main", lambda *given: asked.append(given))
    assert run("--peers", "--training-time", "--markdown", "--layers", "core,aec", "--seconds", "0.1") == 0
    assert run("--growth", "--core-time", "--json") == 0
    assert asked == [
        (Wanted(["core", "aec"], peers=True, training_time=True, seconds=0.1), False, True),
        (Wanted(growth=True, core_time=True), True, False),
    ]
    assert run("--json", "--markdown") == 2
    assert "exclude each other" in capsys.readouterr().err


def stub(monkeypatch, answers):
    """Let the processes of peers answer this: name -> what it prints, or the message it fails with."""

    def answer(words, **settings):
        name = words[words.index("baofen.training.speed.peer_games") + 1]
        said = answers.get(name, {"absent": "nothing"})
        if isinstance(said, str):
            return types.SimpleNamespace(returncode=1, stdout="", stderr=f"Traceback\n{said}\n")
        return types.SimpleNamespace(returncode=0, stdout=f"hello\n{json.dumps(said)}\n", stderr="")

    monkeypatch.setattr(peers, "subprocess", types.SimpleNamespace(run=answer, TimeoutExpired=TimeoutError))


def test_ratios_are_ours_over_theirs_and_absent_peers_say_so(monkeypatch, capsys):
    stub(
        monkeypatch,
        {
            "openspiel_loop": {"decisions": 2e6, "deals": 3e4},
            "pettingzoo": {"decisions": 5e3, "deals": 2e3},
            "rlcard_bridge": "ValueError: no such game",
        },
    )
    found = peers.measured_peers({"core": 1e7, "deals": 6e4, "aec": None}, 0.01)
    assert list(found) == list(peers.PEERS)
    whole = {key: found["openspiel_loop"][key] for key in ("decisions", "deals", "layer", "ratio", "deals_ratio")}
    assert whole == {"decisions": 2e6, "deals": 3e4, "layer": "core", "ratio": 5.0, "deals_ratio": 2.0}
    assert "ratio" not in found["pettingzoo"]  # ours was not measured
    assert "deals_ratio" not in found["pettingzoo"]  # a hand of poker is no deal of tricks
    assert found["rlcard_bridge"]["absent"] == "failed: ValueError: no such game"
    assert found["pgx_leduc"]["absent"] == "nothing is not installed"
    assert "decisions" not in found["pgx_leduc"]
    grid = peers.peers_grid(found)
    grid.show()
    words = " ".join(capsys.readouterr().out.split())  # where a cell is folded depends on the terminal
    assert "2.00 M core 5.00 30.0 k 2.00" in words
    assert sum("nothing is not installed" in row[1] for row in grid.rows) == len(peers.PEERS) - 3


def test_a_package_that_is_not_there_is_named(monkeypatch, capsys):
    def absent():
        raise ModuleNotFoundError(name="pyspiel.parts")

    monkeypatch.setitem(peer_games.GAMES, "openspiel_loop", absent)
    monkeypatch.setattr(sys, "argv", ["peer_games", "openspiel_loop", "0.01"])
    peer_games.main()
    assert json.loads(capsys.readouterr().out) == {"absent": "pyspiel"}


def test_every_peer_has_a_measurement():
    assert set(peers.PEERS) == set(peer_games.GAMES)


def test_games_are_counted_beside_decisions():
    def play(rounds):
        sum(range(20_000 * rounds))
        return 60.0 * rounds, rounds

    rates = peer_games.rates(play, 0.02)
    assert rates["decisions"] == pytest.approx(60 * rates["deals"])


def test_grids_in_markdown(capsys):
    grid = Grid({"peer": False, "figure": True}, [("bridge", "1.2 M"), ("poker", "")])
    grid.show(markdown=True)
    assert capsys.readouterr().out == "| peer | figure |\n|---|--:|\n| bridge | 1.2 M |\n| poker |  |\n"


def test_everything_asked_for_is_in_the_object_and_in_the_tables(monkeypatch, capsys):
    stub(monkeypatch, {"openspiel_loop": {"decisions": 2e6, "deals": 3e4}})
    monkeypatch.setattr(growth, "measured_growth", lambda seconds: {"tables": {"1": 2e6, "16": 4e6}})
    wanted = Wanted(["bytes_per_table"], peers=True, growth=True, seconds=0.01)
    command.speed_main(wanted, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["bytes_per_table", "peers", "growth"]
    command.speed_main(wanted, as_json=False, markdown=True)
    tables = capsys.readouterr().out.split("\n\n")
    assert [table.splitlines()[0].split("|")[1].strip() for table in tables] == ["layer", "peer and game", "tables"]
    assert tables[2].splitlines()[-1] == "| 16 | 4.00 M | 2.00 |"


def test_growth_by_tables_and_rules(monkeypatch):
    monkeypatch.setattr(growth, "TABLES", (1, 16))
    monkeypatch.setattr(growth, "DECISIONS_A_CALL", 256)
    monkeypatch.setattr(growth, "at_once", lambda count, seconds: (1e6, 1e6 * count))
    found = growth.measured_growth(0.002)
    assert list(found["tables"]) == list(found["tables_from_python"]) == ["1", "16"]
    assert set(found["rules"]) == {"suzhou", "exposure", "hongwu"}
    assert found["processes_cpu"] == {"1": 1e6, "2": 1e6}
    assert found["processes_wall"] == {"1": 1e6, "2": 2e6}
    assert all(rate > 0 for rates in found.values() for rate in rates.values())


def test_parts_of_a_decision_are_those_of_random_play(capsys):
    found = core_time.measured_core_time(0.002)
    rounded = 0.0005 * len(found["shares"]) + 1e-9
    assert 0.98 < sum(found["shares"].values()) <= 1 + rounded  # the choice of trump is left out
    assert 0 < found["parts"]["dealing"] < sum(found["parts"].values())
    assert set(found["kinds"]) == set(found["shares"])
    for grid in core_time.core_time_grids(found):
        grid.show()
    out = capsys.readouterr().out
    assert all(name in out for name in (*found["parts"], *found["kinds"]))


def test_every_table_has_its_place_on_the_page():
    """So that `scripts/write_speed_page.py` finds them."""
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8").splitlines()
    found = {"parts": {"dealing": 1.0}, "kinds": {}, "shares": {}}
    grids = [command.figures_grid({}), peers.peers_grid({}), *core_time.core_time_grids(found)]
    grids += [growth.growth_grid(kind, {"1": 1.0}) for kind in growth.HEADINGS]
    grids.append(training_time.training_time_grid({"stepping": 1.0}))
    headings = [grid.as_markdown().splitlines()[0] for grid in grids]
    assert len(set(headings)) == len(headings)
    assert [page.count(heading) for heading in headings] == [1] * len(headings)


@pytest.mark.slow
def test_two_processes_play_at_once():
    started = time.perf_counter()
    per_cpu_second, together = growth.at_once(2, 0.3)
    assert time.perf_counter() - started > 0.3
    assert per_cpu_second > 10_000
    assert together > 10_000


@pytest.mark.slow
def test_a_process_that_dies_ends_the_measurement_at_once():
    """The other one, which waits for it, is ended too."""

    before = set(multiprocessing.active_children())  # of other tests

    def end_one():
        while len(children := set(multiprocessing.active_children()) - before) < 2:
            time.sleep(0.01)
        children.pop().kill()

    killer = threading.Thread(target=end_one, daemon=True)
    killer.start()
    with pytest.raises(UserError, match="failed: it ended with code -9"):
        growth.at_once(2, 0.3)
    killer.join()
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.slow
def test_a_process_that_fails_says_why(capfd):
    before = set(multiprocessing.active_children())
    no_number: Any = "soon"
    with pytest.raises(UserError, match="a process that plays failed: TypeError: '<' not supported"):
        growth.at_once(2, no_number)
    assert "Traceback" in capfd.readouterr().err
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.parametrize("seconds", ["0", "-1", "nan"])
def test_seconds_must_be_some(seconds, monkeypatch, capsys):
    assert run("--growth", "--seconds", seconds) == 2
    assert capsys.readouterr().err.startswith("baofen: --seconds must be more than 0 and at most 60, not ")
    monkeypatch.setattr(sys, "argv", ["peer_games", "openspiel_loop", seconds])
    with pytest.raises(SystemExit, match="2"):
        peer_games.main()
    assert "error: " in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", list(peer_games.GAMES))
def test_installed_peers_are_measured(name):
    """What is not installed is absent, and what is gives rates: whatever there is here."""
    words = [sys.executable, "-m", "baofen.training.speed.peer_games", name, "0.01"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    rates = json.loads(done.stdout.splitlines()[-1])
    if "absent" in rates:
        assert importlib.util.find_spec(rates["absent"]) is None
    else:
        assert 0 < rates["deals"] < rates["decisions"]
