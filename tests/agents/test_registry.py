"""Agents by name."""

import subprocess
import sys
from pathlib import Path

import pytest

from baofen.agents import Agent, list_agents, make_agent, registry
from baofen.agents.pages import agents_table, with_table


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


def test_the_page_lists_the_agents_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    assert with_table(page) == page
    assert agents_table() in page


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
        with pytest.raises(ValueError, match="not a policy of format"):
            make_agent(f"{path}/heuristic")


@pytest.mark.parametrize("name", ["./runs/typo/bidder:value", "/runs/typo/heuristic", "~/typo", ".", "../a:b"])
def test_a_folder_without_a_policy_is_told(name: str) -> None:
    assert not registry.is_foreign(name)
    with pytest.raises(ValueError, match="no policy lies there"):
        make_agent(name)


def test_a_class_in_a_module() -> None:
    assert make_agent("baofen.agents.heuristic:HeuristicAgent").name == "heuristic"


@pytest.mark.parametrize(
    "name", ["heuristik", "heuristic/", "random/nobody", "no.such.module:Agent", "baofen.agents:Nothing", "", "a/b/c"]
)
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match="random, random:cards, heuristic"):
        make_agent(name)


def test_agents_need_no_torch() -> None:
    script = "import sys, baofen.agents; print([name for name in ('torch', 'ray') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_part_that_is_unknown_is_named_and_the_others_listed_once() -> None:
    with pytest.raises(ValueError, match=r"^unknown agent 'heurstic/random' \(unknown agent 'heurstic'\): ") as told:
        make_agent("heurstic/random")
    assert str(told.value).count("there are") == 1
