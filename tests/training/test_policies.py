"""Exported policies: damage is told with file and reason, and playing by other rules than those of the training."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from baofen.agents import make_agent
from baofen.agents.mlp import RoleNetwork
from baofen.agents.network import NetworkAgent, PolicyFileError
from baofen.envs import VectorTables
from baofen.envs.core.state import ROLES
from baofen.envs.rules import Rules
from baofen.training import cli
from baofen.training.config import GameConfig, NetworkConfig, TrainConfig
from baofen.training.export import export_policy
from baofen.training.selfplay.baofen_game import baofen_game

FACTS, WEIGHTS = "policy.json", "policy.safetensors"
HIDDEN = (8,)


def write_policy(folder: Path, **game: Any) -> Path:
    """A policy as training exports it, with weights as they are before any learning."""
    config = TrainConfig(network=NetworkConfig(hidden_sizes=HIDDEN), game=GameConfig(**game))
    played = baofen_game(config)
    shape = (played.observation_size, played.num_actions, HIDDEN, played.input_zero, played.input_scale)
    weights = {role: RoleNetwork(*shape).state_dict() for role in ROLES}
    folder.mkdir(exist_ok=True)
    export_policy(folder, weights, played, config, {})
    return folder


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    return write_policy(tmp_path / "policy")


def with_facts(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """What writes `policy.json` anew with a change."""

    def write(folder: Path) -> None:
        facts = json.loads((folder / FACTS).read_text())
        change(facts)
        (folder / FACTS).write_text(json.dumps(facts))

    return write


def with_weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Callable[[Path], None]:
    """What writes `policy.safetensors` anew with a change."""

    def write(folder: Path) -> None:
        weights = {key: value.clone() for key, value in load_file(folder / WEIGHTS).items()}
        change(weights)
        save_file(weights, folder / WEIGHTS)

    return write


def instead(folder: Path, name: str) -> None:
    """A folder where a file should be."""
    (folder / name).unlink()
    (folder / name).mkdir()


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "facts are no JSON": (lambda folder: (folder / FACTS).write_text("{"), f"{FACTS}: "),
    "facts are no text": (lambda folder: (folder / FACTS).write_bytes(b"\xff\xfe"), f"{FACTS}: "),
    "facts are nested": (lambda folder: (folder / FACTS).write_text("[" * 100_000), f"{FACTS}: "),
    "facts are a list": (lambda folder: (folder / FACTS).write_text("[1]"), f"{FACTS}: not a policy of format 1"),
    "facts say little": (lambda folder: (folder / FACTS).write_text('{"format": 1}'), "observation: field required"),
    "other roles": (with_facts(lambda facts: facts.update(roles=["bidder"])), "roles must be bidder, declarer, def"),
    "other layout": (with_facts(lambda facts: facts["observation"].update(layout="x")), "layout x, this version has"),
    "other sizes": (with_facts(lambda facts: facts.update(num_actions=98)), "observation size and actions are"),
    "other rules": (with_facts(lambda facts: facts.update(rules="skat")), f"{FACTS}: unknown rules 'skat'"),
    "other switch": (with_facts(lambda facts: facts.update(options={"x": 1})), f"{FACTS}: unknown option 'x'"),
    "other network": (
        with_facts(lambda facts: facts["architecture"].update(hidden_sizes=[9])),
        f"{WEIGHTS}: bidder: .*size mismatch",
    ),
    "huge network": (with_facts(lambda facts: facts["architecture"].update(hidden_sizes=[10**15] * 2)), f"{WEIGHTS}: "),
    "no weights": (lambda folder: (folder / WEIGHTS).unlink(), f"it has no {WEIGHTS}"),
    "weights are a folder": (lambda folder: instead(folder, WEIGHTS), f"{WEIGHTS}: "),
    "weights are empty": (lambda folder: (folder / WEIGHTS).write_bytes(b""), f"{WEIGHTS}: "),
    "weights are junk": (lambda folder: (folder / WEIGHTS).write_bytes(b"junk" * 100), f"{WEIGHTS}: "),
    "weights are cut": (
        lambda folder: (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-1]),
        f"{WEIGHTS}: ",
    ),
    "no suit orders": (
        with_weights(lambda weights: weights.pop("suits.action_order")),
        f"{WEIGHTS}: suits.action_order is no order of 99 places",
    ),
    "suit orders that repeat": (
        with_weights(lambda weights: weights["suits.observation_order"].zero_()),
        f"{WEIGHTS}: suits.observation_order is no order",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_told_with_file_and_reason(damage: str, policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    harm, reason = DAMAGE[damage]
    harm(policy)
    with pytest.raises(PolicyFileError, match=reason) as told:
        make_agent(str(policy))
    assert str(policy) in str(told.value) and "\n" not in str(told.value)
    with pytest.raises(SystemExit) as left:
        cli.main(["bench", str(policy), "--deals", "2"])
    assert left.value.code == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"baofen: {told.value}\n")


OTHER_VALUES: list[Any] = [None, "x", -1, 0, 10**15, 1.5, True, [], {}, [None], ["x"], {"x": []}]


def places(value: Any) -> list[tuple[str, ...]]:
    """The keys of all values that stand in a dict or in a dict of it."""
    found: list[tuple[str, ...]] = []
    for key, inner in value.items():
        found.append((key,))
        if isinstance(inner, dict):
            found += [(key, *more) for more in places(inner)]
    return found


def test_whatever_a_fact_says_a_policy_plays_or_is_refused(policy: Path) -> None:
    text = (policy / FACTS).read_text()
    refused = 0
    for place in places({key: value for key, value in json.loads(text).items() if key not in ("config", "progress")}):
        for given in OTHER_VALUES:
            facts = json.loads(text)
            inner = facts
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = given
            (policy / FACTS).write_text(json.dumps(facts))
            try:
                NetworkAgent(policy).act(VectorTables(2).views())
            except PolicyFileError:
                refused += 1
    assert refused > 100


def test_every_weight_must_be_there_in_its_size(policy: Path) -> None:
    whole = {key: value.clone() for key, value in load_file(policy / WEIGHTS).items()}
    for key, value in whole.items():
        rest = {other: tensor for other, tensor in whole.items() if other != key}
        for damaged in (rest, rest | {key: value[:-1].clone()}, rest | {key: value[None].clone()}):
            save_file(damaged, policy / WEIGHTS)
            with pytest.raises(PolicyFileError, match=WEIGHTS):
                NetworkAgent(policy)


def test_an_agent_plays_on_while_its_files_are_written_anew(policy: Path) -> None:
    agent, views = NetworkAgent(policy), VectorTables(8).views()
    before = agent.logits_and_values(views)[1]
    (policy / WEIGHTS).write_bytes(b"")
    assert torch.equal(agent.logits_and_values(views)[1], before)


def test_loading_an_agent_moves_no_random_numbers(policy: Path) -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    NetworkAgent(policy)
    assert torch.equal(torch.rand(3), expected)


PLAYED: list[tuple[dict[str, Any], Rules, str | None]] = [
    ({}, Rules(), None),
    ({}, Rules("suzhou", {"eights": "on"}), None),
    ({"options": {"eights": False}}, Rules("suzhou", {"eights": "off"}), None),
    ({}, Rules("hongwu"), "was trained on rules 'suzhou', and plays 'hongwu'"),
    ({"options": {"eights": "off"}}, Rules(), "was trained on rules 'suzhou' with eights=off, and plays 'suzhou'"),
    ({}, Rules("suzhou", {"bid_min": 80}), "was trained on rules 'suzhou', and plays 'suzhou' with bid_min=80"),
]


@pytest.mark.parametrize(("game", "rules", "message"), PLAYED)
def test_other_rules_than_those_of_the_training_are_told_once(
    game: dict[str, Any], rules: Rules, message: str | None, tmp_path: Path
) -> None:
    agent = NetworkAgent(write_policy(tmp_path / "policy", **game), name="mine")
    for _ in range(2):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for _ in range(3):
                agent.act(VectorTables(2, Rules(rules.preset, dict(rules.options))).views())
        assert [str(warning.message) for warning in told] == ([f"mine {message}"] if message else [])
        message = None  # told already
    own = Rules(game.get("rules", "suzhou"), game.get("options", {}))
    agent.act(VectorTables(2, own).views())


@pytest.mark.parametrize(("seed", "same"), [(-1, 2**64 - 1), (np.int64(7), 7), (2**70 + 5, 5)])
def test_any_whole_number_seeds_the_draws(seed: Any, same: int, policy: Path) -> None:
    agent, views = NetworkAgent(policy, greedy=False), VectorTables(64).views()
    agent.reset(64, seed)
    actions = agent.act(views)
    agent.reset(64, same)
    assert (agent.act(views) == actions).all()
