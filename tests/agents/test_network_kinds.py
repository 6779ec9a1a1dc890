"""Networks of foreign kinds are plugged in without a change of the package, and run only if they are named."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from baofen.agents import make_agent
from baofen.agents.policy.network_player import NetworkPlayer
from baofen.agents.policy.policy_files import PolicyFileError, observation_layout
from baofen.agents.registry import is_foreign
from baofen.envs import Rules, VectorTables
from baofen.envs.history import HISTORY_LENGTH
from baofen.envs.observation import OBSERVATION_SIZE

MODULE = '''
"""A kind of network by a third party: it prefers actions by their number, and says what it was given."""

import numpy as np


class Preferring:
    def __init__(self, architecture, weights):
        self.inputs = architecture["inputs"]
        self.weights = weights["preferences"]
        self.given = []

    def scores(self, given):
        self.given.append(given)
        if "plays" in self.inputs:  # the more cards of a play, the better; of single actions the first
            return given.cards.sum(1)
        return np.tile(self.weights, (len(given.role), 1))
'''
KIND = "their_networks:Preferring"
FALLING = -np.arange(99, dtype=np.float32)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of somebody else that Python finds, installed with an entry point for the kind `preferring`."""
    folder = tmp_path / "package"
    (folder / "theirs-1.0.dist-info").mkdir(parents=True)
    (folder / "their_networks.py").write_text(MODULE)
    (folder / "theirs-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (folder / "theirs-1.0.dist-info" / "entry_points.txt").write_text(f"[baofen.networks]\npreferring = {KIND}\n")
    monkeypatch.syspath_prepend(folder)
    yield folder
    sys.modules.pop("their_networks", None)


def policy(folder: Path, kind: str = KIND, weights: Any = FALLING, **facts: Any) -> Path:
    folder.mkdir()
    written = {
        "format": 1,
        "architecture": {"kind": kind, "inputs": ["observation", "history"]},
        "rules": "exposure",
        "options": {},
        "observation": {"size": OBSERVATION_SIZE, "layout": observation_layout()},
    }
    (folder / "policy.json").write_text(json.dumps(written | facts))
    save_file({"preferences": np.array(weights, np.float32)}, folder / "policy.safetensors")
    return folder


@pytest.mark.parametrize("kind", [KIND, "preferring"])
def test_a_foreign_kind_plays_when_it_is_named(kind: str, package: Path, tmp_path: Path) -> None:
    name = f"{kind}@{policy(tmp_path / 'mine', kind)}"
    agent = make_agent(name)
    assert isinstance(agent, NetworkPlayer)
    assert (agent.name, agent.trained_on, agent.needs_observation) == (name, Rules("exposure"), True)
    views = VectorTables(5, rules="exposure").views()
    np.testing.assert_array_equal(agent.act(views), views.action_mask.argmax(1))
    given: Any = agent._network
    (given,) = given.given
    np.testing.assert_array_equal(given.observation, views.observation)
    np.testing.assert_array_equal(given.history, views.history_tokens())
    assert given.history.shape == (5, HISTORY_LENGTH)
    assert is_foreign(name) and is_foreign(f"heuristic/{name}") and is_foreign(f"{name}/heuristic")
    assert make_agent(f"heuristic/{name}").name == f"heuristic/{name}"
    assert make_agent(f"{name}/heuristic").name == f"{name}/heuristic"


def test_what_is_not_asked_for_is_not_given(package: Path, tmp_path: Path) -> None:
    folder = policy(tmp_path / "mine", architecture={"kind": KIND, "inputs": []})
    agent: Any = make_agent(f"{KIND}@{folder}")
    assert not agent.needs_observation
    agent.act(VectorTables(2).views())
    assert agent._network.given[0].observation is None and agent._network.given[0].history is None


def test_a_network_may_score_listed_plays(package: Path, tmp_path: Path) -> None:
    folder = policy(tmp_path / "mine", architecture={"kind": KIND, "inputs": ["plays", "observation"]})
    agent: Any = make_agent(f"{KIND}@{folder}")
    tables = VectorTables(4, rules="exposure", seed=3)
    agent.reset(4, 0)
    most = 0
    for _ in range(330):
        views = tables.views()
        tables.step(agent.act(views))  # raises if one is illegal
        if (views.state["selection_ones"] == 0).any():
            given = agent._network.given.pop()
            assert given.cards.shape == (given.num_plays.sum(), 54) and len(given.features) == len(given.cards)
            assert len(given.observation) == len(given.num_plays) == (views.state["selection_ones"] == 0).sum()
            cards = [own.sum(1) for own in np.split(given.cards, np.cumsum(given.num_plays)[:-1])]
            most = max(most, *(int(own.max()) for own in cards))
        assert not agent._network.given
    assert most >= 4


@pytest.mark.parametrize("kind", [KIND, "preferring"])
def test_a_folder_alone_makes_no_foreign_code_run(kind: str, package: Path, tmp_path: Path) -> None:
    folder = policy(tmp_path / "mine", kind)
    for name in (str(folder), f"mlp@{folder}"):
        with pytest.raises(PolicyFileError, match=kind):
            make_agent(name)
    with pytest.raises(PolicyFileError, match="foreign code runs only if it is named: say") as told:
        make_agent(str(folder))
    assert str(told.value).endswith(f"say {kind}@{folder}") and not is_foreign(str(folder))
    assert "their_networks" not in sys.modules


def test_a_package_that_is_missing_is_named(tmp_path: Path) -> None:
    folder = policy(tmp_path / "mine", "transformer")
    with pytest.raises(PolicyFileError, match="install the package that has the entry point 'transformer' in 'baofen"):
        make_agent(str(folder))
    with pytest.raises(PolicyFileError, match="no installed package has the entry point 'transformer'"):
        make_agent(f"transformer@{folder}")
    folder = policy(tmp_path / "other", "no_such_package:Kind")
    with pytest.raises(PolicyFileError, match="'no_such_package:Kind' needs no_such_package: No module named"):
        make_agent(f"no_such_package:Kind@{folder}")


def test_illegal_actions_are_not_played_whatever_the_scores(package: Path, tmp_path: Path) -> None:
    views = VectorTables(3).views()
    for number, weights in enumerate((np.full(99, -np.inf), np.full(99, np.inf), -FALLING)):
        agent = make_agent(f"{KIND}@{policy(tmp_path / str(number), weights=weights)}")
        assert views.action_mask[np.arange(3), agent.act(views)].all()


@pytest.mark.parametrize(
    ("facts", "weights", "reason"),
    [
        ({"architecture": {"kind": KIND, "inputs": ["cards"]}}, FALLING, "may ask for .*, not for cards"),
        ({}, FALLING[:-1], r"scores must be numbers of shape \(1, 99\), not \(1, 98\)"),
        ({}, FALLING * np.nan, r"scores must be numbers of shape"),
        ({"observation": {"layout": "x"}}, FALLING, "layout x, this version has"),
        ({"rules": "skat"}, FALLING, "unknown rules 'skat'"),
        ({"observation": None}, FALLING, "observation.layout, rules or options is missing or wrong"),
    ],
)
def test_what_does_not_fit_is_told(facts: Any, weights: Any, reason: str, package: Path, tmp_path: Path) -> None:
    folder = policy(tmp_path / "mine", weights=weights, **facts)
    play: Callable[[], Any] = lambda: make_agent(f"{KIND}@{folder}").act(VectorTables(1).views())
    with pytest.raises(ValueError, match=reason):
        play()


def test_a_name_without_a_policy_behind_it_is_unknown() -> None:
    with pytest.raises(ValueError, match=r"^unknown agent 'preferring@nowhere' \(no policy lies there\)"):
        make_agent("preferring@nowhere")
