"""Guests: agents of third parties in processes of their own, found by module and entry point, stopped when they hang."""

import json
import os
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from arena.helpers import contestant, small_setup
from places import DOCS, TESTS

from baofen.agents import make_agent
from baofen.envs.core.dtypes import AUCTION
from baofen.training.arena import guests
from baofen.training.arena.contestants import Contestant, contestants
from baofen.training.arena.guests import Guest, Late
from baofen.training.arena.matches import Chunk, Hall, Lineup, Results
from baofen.training.arena.report import fault_summary

EXAMPLE = TESTS / "example_agent"
DECLARER = Lineup(0, 1)


def play(name, timeout_s=60.0, deals=6, **settings):
    hall = Hall(small_setup(contracts="fixed", **settings), contestants([name, "random"], timeout_s))
    return hall.play(DECLARER, Chunk(0, deals))


def test_a_guest_plays_as_it_would_at_home(capfd):
    away = play("arena.guests:Polite")
    cast = [Contestant("lowest", partial(make_agent, "arena.guests:Polite")), contestant("random")]
    home = Hall(small_setup(contracts="fixed"), cast).play(DECLARER, Chunk(0, 6))
    assert away.faults == []
    assert (away.outcomes == home.outcomes).all()
    out, _ = capfd.readouterr()
    assert out.count("thinking") < 200  # at home only: what a guest prints is no result


def test_a_guest_that_hangs_forfeits_and_is_ended():
    played = play("arena.guests:Sleepy", timeout_s=3)  # long enough for its other calls on a busy machine
    assert [(fault.phase, fault.message) for fault in played.faults] == [("BURY", "late: no answer within 3 s")] * 6
    assert (played.outcomes["forfeit"] == played.outcomes["declarer"]).all()


def test_a_guest_whose_process_ends_forfeits():
    played = play("arena.guests:Dying")
    assert {fault.message for fault in played.faults} == {"its process ended"}
    assert len(played.faults) == 6


@pytest.mark.parametrize("name", ["Planting", "PlantingActions"])
def test_nothing_that_a_guest_sends_is_run(name, tmp_path, monkeypatch):
    planted = tmp_path / "planted"
    monkeypatch.setenv("PLANT_HERE", str(planted))
    played = play(f"arena.guests:{name}", deals=2)
    assert {fault.message for fault in played.faults} == {"its process sent what is no answer"}
    assert not planted.exists()


def test_what_a_guest_shouts_is_cut_and_harmless():
    (message,) = {fault.message for fault in play("arena.guests:Shouting", deals=2).faults}
    assert message.startswith("ValueError: \\x1b[2Jloud loud") and len(message) == guests.MAX_ERROR_CHARACTERS


def test_a_guest_that_answers_in_objects_forfeits():
    (message,) = {fault.message for fault in play("arena.guests:Wordy", deals=2).faults}
    assert message == "TypeError: actions must be numbers, not object"


def test_a_guest_that_raises_loses_those_deals_alone():
    played = play("arena.guests:Raising")
    assert [(fault.table, fault.message) for fault in played.faults] == [
        (0, "KeyError: 'lost'"),
        (3, "KeyError: 'lost'"),
    ]


def test_a_guest_that_cannot_be_made_is_told_at_once():
    with pytest.raises(ValueError, match=r"agent 'arena\.guests:Unmade': OSError: no file"):
        contestants(["arena.guests:Unmade"])


def test_a_guest_is_not_asked_for_ever(monkeypatch):
    monkeypatch.setattr(guests, "MAX_LOST", 1)
    guest = Guest(partial(make_agent, "arena.guests:Dying"), 60.0)
    guest._lose()
    with pytest.raises(Late, match="lost 1 times; it is not asked any more"):
        guest.act(None)  # type: ignore[arg-type]  # it looks at nothing
    guest.reset(2, 0)  # the next match finds it started anew
    assert guest._lost == 0


class LateCaller:
    """Is late with every call."""

    name, cheats, needs_observation = "late", False, False

    def reset(self, num_tables, seed):
        pass

    def act(self, views):
        if (views.phase == AUCTION).all():
            raise Late("late: no answer within 1 s")
        return views.action_mask.argmax(1).astype(np.int64)


@pytest.mark.parametrize(("preset", "forfeits"), [("exposure", False), ("suzhou", True)])
def test_a_late_call_is_a_pass_where_the_rules_say_so(preset, forfeits):
    cast = [Contestant("late", LateCaller), contestant("heuristic")]
    played = Hall(small_setup(rules=preset), cast).play(Lineup(0, 1, 2), Chunk(0, 1))
    assert played.faults
    assert {fault.phase for fault in played.faults} == {"AUCTION"}
    assert {fault.forfeited for fault in played.faults} == {forfeits}
    assert bool((played.outcomes["forfeit"] >= 0).any()) == forfeits
    told = fault_summary(Results(1, {}, [(Lineup(0, 1, 2), fault) for fault in played.faults]))[0]
    assert ("was late with" in told) != forfeits


def as_if_installed(folder: Path) -> dict[str, str]:
    """The environment in which the example package is installed: what pip would put into a folder on the path."""
    facts = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    info = folder / f"{facts['name'].replace('-', '_')}-{facts['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {facts['name']}\nVersion: {facts['version']}\n")
    ((group, entries),) = facts["entry-points"].items()
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{EXAMPLE}"}


@pytest.mark.slow
def test_the_example_package_plays_by_module_and_by_entry_point(tmp_path):
    environment = as_if_installed(tmp_path)
    script = "from baofen.training.cli import main; main()"
    listed = subprocess.run(
        [sys.executable, "-c", script, "agents"], env=environment, capture_output=True, text=True, check=True
    )
    assert ["lowest", "entry", "point", "my_agents:Lowest"] in [line.split() for line in listed.stdout.splitlines()]
    words = ["bench", "lowest", "my_agents:Lowest", "--deals", "4", "--contracts", "fixed"]
    subprocess.run(
        [sys.executable, "-c", script, *words, "--out", str(tmp_path / "out")],
        env=environment,
        capture_output=True,
        check=True,
    )
    rows = json.loads((tmp_path / "out" / "results.json").read_text())["rows"]
    assert {row["agent"] for row in rows} == {"lowest", "my_agents:Lowest"}
    assert all(row["difference"] == 0 for row in rows)
    assert not (tmp_path / "out" / "faults.csv").exists()


def test_the_page_shows_the_example():
    page = (DOCS / "agents.md").read_text(encoding="utf-8")
    source = (EXAMPLE / "my_agents.py").read_text(encoding="utf-8")
    assert source.split('"""\n\n', 1)[1] in page
