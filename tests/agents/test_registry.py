"""Agents by name."""

import subprocess
import sys
from pathlib import Path

import pytest

from baofen.agents import Agent, list_agents, make_agent, registry


class Passive:
    """An agent made by `module:Class`."""

    name = "passive"
    cheats = False


@pytest.mark.parametrize(
    "name", ["random", "random:cards", "heuristic", "heuristic-v1", "search:8", "search:8+confirm"]
)
def test_built_in_agents_have_their_names(name: str) -> None:
    agent = make_agent(name)
    assert isinstance(agent, Agent)
    assert agent.name == name
    assert not agent.cheats
    assert name.replace("8", "N") in list_agents()


@pytest.mark.parametrize("name", ["oracle", "oracle:100"])
def test_the_oracle_is_marked_as_cheating(name: str) -> None:
    assert make_agent(name).cheats
    assert list_agents()[name.replace("100", "N")].startswith("cheats")


def test_a_bidder_and_a_player() -> None:
    assert make_agent("random/heuristic").name == "random/heuristic"


def test_a_policy_in_a_folder_may_bid_or_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("runs/one/checkpoints/000001")
    folder.mkdir(parents=True)
    (folder / "policy.json").write_text("{}", encoding="utf-8")
    for path in (str(folder), f"./{folder}", str(tmp_path / folder)):
        assert registry._two_parts(f"{path}/bidder:value") == (path, "bidder:value")
        assert registry._two_parts(f"{path}/{path}") == (path, path)
        assert registry._two_parts(f"heuristic/{path}") == ("heuristic", path)
        assert not registry.is_foreign(f"{path}/heuristic")
        for name in (path, f"{path}/heuristic", f"heuristic/{path}"):
            with pytest.raises(ValueError, match=rf"^{Path(path)}/policy\.json: not a policy of format 1$") as told:
                make_agent(name)
            assert not isinstance(told.value, registry.UnknownAgentError)


@pytest.mark.parametrize("name", ["./runs/typo/bidder:value", "/runs/typo/heuristic", "~/typo", ".", "../a:b"])
def test_a_folder_without_a_policy_is_told(name: str) -> None:
    assert not registry.is_foreign(name)
    with pytest.raises(ValueError, match="no policy lies there"):
        make_agent(name)


def test_the_folder_of_a_run_is_told_where_its_newest_policy_lies(tmp_path: Path) -> None:
    for iteration in ("000025", "000050"):
        (tmp_path / "checkpoints" / iteration).mkdir(parents=True)
        (tmp_path / "checkpoints" / iteration / "policy.json").touch()
    for folder in (tmp_path, tmp_path / "checkpoints"):
        with pytest.raises(ValueError, match=r"no policy lies there, but in .*000050"):
            make_agent(str(folder))


def test_modules_that_cannot_be_imported_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lacking.py").write_text("import a_library_that_is_not_there\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="lacking: No module named 'a_library_that_is_not_there'"):
        make_agent("lacking:Agent")
    for name in ("absent:Agent", "absent.inner:Agent"):
        with pytest.raises(ValueError, match="No module named 'absent'; is its folder on PYTHONPATH"):
            make_agent(name)


def test_a_class_in_a_module() -> None:
    assert make_agent("baofen.agents.heuristic:HeuristicAgent").name == "heuristic"


@pytest.mark.parametrize(
    "name", ["heuristik", "heuristic/", "random/nobody", "no.such.module:Agent", "baofen.agents:Nothing", "", "a/b/c"]
)
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match="random, random:cards, heuristic"):
        make_agent(name)


BAD_TAILS = ("x", "0", "-1", "1.5", "N", "01", "1000000", "8+confirmed", "8+", "value2", "Random", "cards:Class", "a.b")
PREFIXES = ("search", "oracle", "bidder", "random", "heuristic", "heuristic-v1")


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_built_in_name_with_a_bad_tail_is_no_class_of_somebody(prefix: str) -> None:
    for tail in BAD_TAILS:
        for name in (f"{prefix}:{tail}", f"{prefix}:{tail}/random", f"random/{prefix}:{tail}"):
            assert not registry.is_foreign(name)
            with pytest.raises(registry.UnknownAgentError) as told:
                make_agent(name)
            assert str(told.value).startswith(f"unknown agent {name!r}")
            assert "No module" not in str(told.value) and str(told.value).count("there are") == 1


def test_the_prefixes_are_those_of_all_names() -> None:
    assert {name.partition(":")[0] for name in (*registry.BUILT_IN, *registry.NAMED_BY_NUMBER)} == set(PREFIXES)


def test_agents_need_no_torch() -> None:
    script = "import sys, baofen.agents; print([name for name in ('torch', 'ray') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_part_that_is_unknown_is_named_and_the_others_listed_once() -> None:
    with pytest.raises(ValueError, match=r"^unknown agent 'heurstic/random' \(unknown agent 'heurstic'\): ") as told:
        make_agent("heurstic/random")
    assert str(told.value).count("there are") == 1
