"""Exported policies: damage is told with file and reason, and whatever the weights are, what is played is legal."""

import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from arena.policies import write_policy
from safetensors.torch import load_file, save_file

from baofen.agents import make_agent
from baofen.agents.policy.agent import NetworkAgent
from baofen.agents.policy.policy_files import PolicyFileError
from baofen.envs import VectorTables
from baofen.training import cli

FACTS, WEIGHTS = "policy.json", "policy.safetensors"


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


def _add(key: str, weights: dict[str, torch.Tensor]) -> None:
    weights[key] = torch.zeros(1)


def half_renamed(folder: Path) -> None:
    """One of the two suit orders, and facts that know of none."""
    with_facts(lambda facts: facts.update(suits_renamed=False))(folder)
    with_weights(lambda weights: weights.pop("suits.action_order"))(folder)


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
    "format true": (with_facts(lambda facts: facts.update(format=True)), f"{FACTS}: not a policy of format 1"),
    "format 1.0": (with_facts(lambda facts: facts.update(format=1.0)), f"{FACTS}: not a policy of format 1"),
    "values without end": (
        with_facts(lambda facts: facts.update(value_unit_points=math.inf)),
        f"{FACTS}: value_unit_points: input should be a finite number",
    ),
    "values of no number": (
        with_facts(lambda facts: facts.update(value_unit_points=math.nan)),
        f"{FACTS}: value_unit_points: input should be",
    ),
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
    "suit orders of no renaming": (
        with_facts(lambda facts: facts.update(suits_renamed=False)),
        f"{WEIGHTS}: it renames suits, and {FACTS} says that none are renamed",
    ),
    "one suit order of no renaming": (
        half_renamed,
        f"{WEIGHTS}: it renames suits, and {FACTS} says that none are renamed",
    ),
    "a scale of zero": (
        with_weights(lambda weights: weights["bidder.input_scale"].zero_()),
        f"{WEIGHTS}: bidder: layers.0.weight.* not finite",
    ),
    **{
        f"a stray {key}": (
            with_weights(partial(_add, key)),
            f"{WEIGHTS}: .*{key.rpartition('.')[2]}",
        )
        for key in ("more", "umpire.heads.bias", "declarer.more", "bidders.heads.bias", "suits.action_orders", "bidder")
    },
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_told_with_file_and_reason(damage: str, policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    harm, reason = DAMAGE[damage]
    harm(policy)
    with pytest.raises(PolicyFileError, match=reason) as told:
        make_agent(str(policy))
    assert str(policy) in str(told.value) and "\n" not in str(told.value)
    for name in (f"heuristic/{policy}", f"{policy}/heuristic"):
        with pytest.raises(PolicyFileError) as in_part:
            make_agent(name)
        assert str(in_part.value) == str(told.value)
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
        sizes = (rest, rest | {key: value[:-1].clone()}, rest | {key: value[None].clone()})
        kinds = [rest | {key: value.to(kind)} for kind in (torch.int8, torch.int32, torch.uint8, torch.bool)]
        for damaged in (*sizes, *kinds):
            save_file(damaged, policy / WEIGHTS)
            with pytest.raises(PolicyFileError, match=WEIGHTS):
                NetworkAgent(policy)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1e300])
def test_no_weight_may_be_infinite_or_no_number(number: float, policy: Path) -> None:
    whole = {key: value.clone() for key, value in load_file(policy / WEIGHTS).items()}
    for key, value in whole.items():
        if not value.is_floating_point():
            continue
        damaged = value.double()
        damaged.view(-1)[-1] = number
        save_file(whole | {key: damaged}, policy / WEIGHTS)
        with pytest.raises(PolicyFileError, match=f"{WEIGHTS}: .* not finite"):
            NetworkAgent(policy)


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float64])
def test_weights_of_any_precision_play(kind: torch.dtype, policy: Path) -> None:
    def change(weights: dict[str, torch.Tensor]) -> None:
        weights.update({key: value.to(kind) for key, value in weights.items() if value.is_floating_point()})

    with_weights(change)(policy)
    NetworkAgent(policy).act(VectorTables(2).views())


@pytest.mark.parametrize("size", [-1e30, 1e30, -3e38, 3e38, None])
def test_no_weights_choose_an_illegal_action(size: float | None, policy: Path) -> None:
    def change(weights: dict[str, torch.Tensor]) -> None:
        for key, value in weights.items():
            if ".layers." in key:
                value.fill_(1.0)
            elif ".heads." in key and size is not None:
                value.fill_(size)
            elif ".heads." in key:  # of both signs: their sums are no numbers
                value.copy_(torch.tensor([3e38, -3e38]).repeat(value.numel())[: value.numel()].view_as(value))

    with_weights(change)(policy)
    agents = [NetworkAgent(policy, greedy=greedy) for greedy in (True, False)]
    tables = VectorTables(32, seed=1)
    for step in range(120):  # into the play
        views = tables.views()
        if step % 15 == 0:
            for agent in agents:
                assert views.action_mask[np.arange(32), agent.act(views)].all()
        tables.step(views.action_mask.argmax(1))


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


@pytest.mark.parametrize(("seed", "same"), [(-1, 2**64 - 1), (np.int64(7), 7), (2**70 + 5, 5)])
def test_any_whole_number_seeds_the_draws(seed: Any, same: int, policy: Path) -> None:
    agent, views = NetworkAgent(policy, greedy=False), VectorTables(64).views()
    agent.reset(64, seed)
    actions = agent.act(views)
    agent.reset(64, same)
    assert (agent.act(views) == actions).all()


@pytest.mark.parametrize("seed", [1.5, None, "1"])
def test_no_whole_number_is_refused_as_a_seed(seed: Any, policy: Path) -> None:
    with pytest.raises(TypeError):
        NetworkAgent(policy).reset(1, seed)


@pytest.mark.parametrize(("file", "most"), [(FACTS, 1 << 20), (WEIGHTS, 4 << 30)])
def test_a_file_larger_than_any_policy_is_not_read(policy: Path, file: str, most: int) -> None:
    with (policy / file).open("r+b") as opened:
        opened.truncate(3 << 40)  # holes take no room
    with pytest.raises(ValueError, match=f"has {3 << 40} bytes, and a policy's at most {most}"):
        make_agent(str(policy))


def test_layers_without_number_are_refused(policy: Path) -> None:
    facts = json.loads((policy / FACTS).read_text(encoding="utf-8"))
    facts["architecture"]["hidden_sizes"] = [1] * 200_000
    (policy / FACTS).write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(ValueError, match="hidden_sizes: list should have at most 64 items"):
        make_agent(str(policy))
