"""The scorer of plays: compiled and in torch it says the same, of real decisions, in every preset."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from baofen.agents import make_agent
from baofen.agents.policy.policy_files import PolicyFileError
from baofen.agents.policy.scorer import PlayScorer
from baofen.agents.policy.scorer_files import load_scorer, save_scorer
from baofen.agents.policy.scorer_kernels import make_scratch, score_plays
from baofen.agents.policy.scorer_parameters import higher_faces, no_scorer, observation_order, scorer_parameters
from baofen.envs import Rules, VectorTables
from baofen.envs.core.dtypes import BURY, PLAY
from baofen.envs.observation import OBSERVATION_SIZE, OFFSETS
from baofen.envs.rules import PRESETS

NUM_FEATURES = 7
CLUBS = 2
MAX_PLAYS = 12


def observations(preset: str) -> NDArray[np.uint8]:
    """Observations of buries and plays in deals by the heuristic, uint8 [n, O], suits with trump first."""
    tables, agent = VectorTables(8, rules=preset, seed=3), make_agent("heuristic-v1")
    agent.reset(8, 0)
    order = observation_order(tables.rules)
    found = []
    for _ in range(400):
        views = tables.views()
        phases = views.state["phase"]
        rows = np.flatnonzero((phases == BURY) | (phases == PLAY))
        found.append(np.take_along_axis(views.observation[rows], order[views.trump[rows]], 1))
        tables.step(agent.act(views))
    return np.concatenate(found)[::9]


def random_scorer(rules: Rules, **sizes: int) -> PlayScorer:
    torch.manual_seed(1)
    scorer = PlayScorer(NUM_FEATURES, higher_faces(rules), **sizes)
    for answer in (scorer.points, scorer.bonus, scorer.value):
        torch.nn.init.normal_(answer.weight, std=0.2)
        torch.nn.init.normal_(answer.bias)
    torch.nn.init.normal_(scorer.derived.weight, std=0.1)
    return scorer


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("sizes", [{}, {"hidden_size": 30, "head_size": 5}], ids=["whole", "narrow"])
def test_compiled_and_torch_say_the_same(preset: str, sizes: dict[str, int]) -> None:
    rules = Rules(preset)
    scorer = random_scorer(rules, **sizes)
    parameters = scorer_parameters(scorer.state_dict(), higher_faces(rules))
    seen = observations(preset)
    rng = np.random.default_rng(2)
    counts = rng.integers(1, MAX_PLAYS, len(seen))
    cards = rng.choice(np.arange(3, dtype=np.uint8), (counts.sum(), 54), p=(0.9, 0.07, 0.03))
    features = (rng.normal(size=(len(cards), NUM_FEATURES)) * (rng.random((len(cards), NUM_FEATURES)) < 0.5)).astype(
        "f4"
    )
    rows = np.repeat(np.arange(len(seen)), counts)
    with torch.no_grad():
        expected = scorer(*(torch.from_numpy(array) for array in (seen, cards, features, rows)))
    scratch, answers, values = make_scratch(parameters), np.zeros((2, len(cards)), np.float32), []
    start = 0
    for observation, count in zip(seen, counts, strict=True):
        part = slice(start, start + count)
        values.append(
            score_plays(
                observation, cards[part], features[part], count, parameters, scratch, answers[0, part], answers[1, part]
            )
        )
        start += count
    for said, meant in zip((answers[0], answers[1], np.array(values)), expected, strict=True):
        assert meant.std() > 0.05
        np.testing.assert_allclose(said, meant.numpy(), atol=1e-3)


def test_the_suit_of_trump_is_told_where_it_matters() -> None:
    trump = OFFSETS["trump"]
    for preset in PRESETS:
        words = higher_faces(Rules(preset))
        matters = bool((words != words[0]).any())
        assert matters == (preset == "hongwu")
        seen = np.zeros(OBSERVATION_SIZE, np.uint8)
        seen[trump + CLUBS] = 1
        shown = seen[observation_order(Rules(preset))[CLUBS]]
        assert shown.sum() == 1 and shown[trump + (CLUBS if matters else 0)] == 1


def test_a_red_five_is_above_all_trumps() -> None:
    words = higher_faces(Rules("hongwu"))
    clubs_first = [CLUBS, 0, 1, 3]
    red_five = 13 * clubs_first.index(1) + 3
    assert words[CLUBS, red_five] == 0
    assert all(words[CLUBS, face] >> red_five & 1 for face in (0, 12, 52, 53))


def test_no_scorer_says_zero() -> None:
    parameters = no_scorer(NUM_FEATURES)
    answers = np.ones((2, 3), np.float32)
    rows: Any = np.ones((3, 54), np.uint8), np.ones((3, NUM_FEATURES), np.float32)
    observation = np.zeros(OBSERVATION_SIZE, np.uint8)
    value = score_plays(observation, rows[0], rows[1], 3, parameters, make_scratch(parameters), answers[0], answers[1])
    assert value == 0 and not answers.any()


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("head.weight", lambda value: value[:-1], r"head.weight is \(127, 384\), not of shape \(128, 384\)"),
        ("middle.bias", lambda value: value * np.nan, "middle.bias is not finite"),
        ("other.bias", lambda value: np.zeros(1), "other.bias is no parameter"),
        ("head.bias", lambda value: None, "head.bias or play.weight is missing"),
        ("points.bias", lambda value: None, "points.bias is missing"),
    ],
)
def test_wrong_weights_are_told(name: str, change: Any, reason: str) -> None:
    rules = Rules("suzhou")
    weights = {key: value.numpy() for key, value in random_scorer(rules).state_dict().items()}
    changed = change(weights.pop(name, None))
    if changed is not None:
        weights[name] = changed
    with pytest.raises(ValueError, match=reason):
        scorer_parameters(weights, higher_faces(rules))


FEATURES = [f"feature {index}" for index in range(NUM_FEATURES)]


def saved(folder: Path, *, networks: tuple[str, ...] = ("declarer", "defender"), **how: Any) -> Path:
    rules = Rules("suzhou", {"eights": "on"})
    state = random_scorer(rules, hidden_size=24, head_size=6).state_dict()
    save_scorer(folder, dict.fromkeys(networks, state), rules=rules, listing="plays/1", features=FEATURES, **how)
    return folder


@pytest.mark.parametrize("half_precision", [False, True])
def test_what_was_saved_is_loaded(half_precision: bool, tmp_path: Path) -> None:
    policy = load_scorer(saved(tmp_path, half_precision=half_precision, bonus_share=0.5, record={"more": 1}))
    rules = Rules("suzhou", {"eights": "on"})
    expected = scorer_parameters(random_scorer(rules, hidden_size=24, head_size=6).state_dict(), higher_faces(rules))
    assert (policy.rules, policy.bonus_share, policy.bidder) == (rules, 0.5, "heuristic-v1")
    assert (policy.listing, policy.features, policy.facts["more"]) == ("plays/1", tuple(FEATURES), 1)
    assert policy.networks[2] is policy.networks[0]
    for network in policy.networks:
        given: Any
        meant: Any
        for given, meant in zip(network, expected, strict=True):
            np.testing.assert_allclose(given, meant, atol=2e-3 if half_precision else 0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["policy.json", "policy.safetensors"]


def test_a_bury_may_have_its_own_network(tmp_path: Path) -> None:
    policy = load_scorer(saved(tmp_path, networks=("declarer", "defender", "bury")))
    assert policy.networks[2] is not policy.networks[0]
    with pytest.raises(ValueError, match=r"declarer, defender and perhaps bury, not declarer$"):
        saved(tmp_path, networks=("declarer",))


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("networks", ["declarer"], "networks must be declarer, defender and perhaps bury, not declarer"),
        ("networks", ["declarer", "defender", "bury"], "safetensors: bury: observation.bias, head.bias or"),
        ("rules", "skat", "json: unknown rules 'skat'"),
        ("bonus_share", 2.0, "json: bonus_share: input should be less than or equal to 1"),
        ("points_per_unit", 10.0, "observation.size and points_per_unit must be"),
        ("observation", {"size": OBSERVATION_SIZE, "layout": "x"}, "layout x, this version has"),
        ("architecture", {"kind": "scorer", "hidden_size": 25, "head_size": 6}, "policy.json says otherwise"),
        ("plays", {"listing": "plays/1", "features": ["one"]}, "play.weight takes 7 features, not 1"),
    ],
)
def test_facts_that_do_not_fit_are_told(key: str, value: Any, reason: str, tmp_path: Path) -> None:
    facts = saved(tmp_path) / "policy.json"
    facts.write_text(json.dumps(json.loads(facts.read_text()) | {key: value}))
    with pytest.raises(PolicyFileError, match=reason) as told:
        load_scorer(tmp_path)
    assert str(tmp_path) in str(told.value) and "\n" not in str(told.value)


@pytest.mark.parametrize("damage", [b"", b"junk" * 100, None])
def test_damaged_weights_are_told(damage: bytes | None, tmp_path: Path) -> None:
    weights = saved(tmp_path) / "policy.safetensors"
    if damage is None:
        weights.unlink()
    else:
        weights.write_bytes(damage)
    with pytest.raises(PolicyFileError, match=r"policy\.safetensors"):
        load_scorer(tmp_path)
