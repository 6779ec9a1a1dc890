"""The agent of a saved scorer: legal, the same every time, without torch, and the best of the plays that are listed."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from scorers import write_scorer

from baofen.agents import make_agent
from baofen.agents.combined import some_views
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.policy.policy_files import PolicyFileError
from baofen.agents.policy.scorer_agent import FEATURE_NAMES, ScorerAgent
from baofen.agents.policy.scorer_kernels import observe_for_scorer, order_row
from baofen.agents.policy.suit_orders import observation_orders
from baofen.agents.search.candidates import CANDIDATES, find_candidates
from baofen.envs import VectorTables
from baofen.envs.core.dtypes import BURY, PLAY
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.rules import PRESETS

NUM_TABLES = 6
STEPS = 330


def played(agents: list[Any], preset: str) -> list[list[int]]:
    """The actions of each agent in the same decisions, which the first one plays."""
    tables = VectorTables(NUM_TABLES, rules=preset, seed=5)
    for agent in agents:
        agent.reset(NUM_TABLES, 1)
    found: list[list[int]] = [[] for _ in agents]
    for _ in range(STEPS):
        views = tables.views()
        actions = [agent.act(views) for agent in agents]
        assert views.action_mask[np.arange(len(views)), actions[0]].all()
        for line, own in zip(found, actions, strict=True):
            line.extend(own.tolist())
        tables.step(actions[0])
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_it_plays_legally_and_calls_as_the_heuristic(preset: str, tmp_path: Path) -> None:
    agent = make_agent(str(write_scorer(tmp_path / "mine", preset)))
    assert isinstance(agent, ScorerAgent) and not agent.cheats and not agent.needs_observation
    own, heuristic, again = played([agent, make_agent("heuristic-v1"), make_agent(str(tmp_path / "mine"))], preset)
    assert own == again
    assert 0.2 < np.mean(np.array(own) == np.array(heuristic)) < 0.95


@pytest.mark.parametrize("preset", PRESETS)
def test_it_sees_what_the_seat_is_shown(preset: str, tmp_path: Path) -> None:
    """From a view's state alone, in which others' hands are empty, the whole observation of the seat is made."""
    agent, tables = make_agent("heuristic-v1"), VectorTables(NUM_TABLES, preset, seed=3)
    agent.reset(NUM_TABLES, 0)
    orders = observation_orders(tables.rules)
    raw, seen, compared = np.zeros(OBSERVATION_SIZE, np.uint8), np.zeros(OBSERVATION_SIZE, np.uint8), 0
    for _ in range(STEPS):
        views = tables.views()
        for row in np.flatnonzero((views.phase == BURY) | (views.phase == PLAY)):
            order = orders[order_row(views.state[row], views.rules.record[0])]
            observe_for_scorer(views.state[row], views.rules.record[0], order, raw, seen)
            np.testing.assert_array_equal(seen, views.observation[row, order])
            compared += 1
        tables.step(agent.act(views))
    assert compared > 1000


def test_one_view_at_a_time_is_the_same_as_a_batch(tmp_path: Path) -> None:
    agent, alone = (make_agent(str(write_scorer(tmp_path / "mine"))) for _ in range(2))
    tables = VectorTables(NUM_TABLES, seed=2)
    agent.reset(NUM_TABLES, 0)
    alone.reset(NUM_TABLES, 0)
    for _ in range(STEPS):
        views = tables.views()
        actions = agent.act(views)
        single = [alone.act(some_views(views, np.array([row])))[0] for row in range(NUM_TABLES)]
        assert actions.tolist() == single
        tables.step(actions)


def test_the_best_play_by_the_network_is_led(tmp_path: Path) -> None:
    """A network that counts nothing but the cards of a play says plainly which one is the best."""
    folder = write_scorer(tmp_path / "mine")
    weights = load_file(folder / "policy.safetensors")
    for key, value in weights.items():
        value[...] = 0
        if key.endswith(("play.weight", "head.weight")):
            value[0, :54] = 1.0  # the more faces, the better
        if key.endswith("points.weight"):
            value[0, 0] = 1.0
    save_file(weights, folder / "policy.safetensors")
    agent, tables = make_agent(str(folder)), VectorTables(16, seed=4)
    agent.reset(16, 0)
    kernel_found, longest = np.zeros(1, CANDIDATES), 0
    for _ in range(STEPS):
        views = tables.views()
        actions = agent.act(views)
        for row in np.flatnonzero((views.phase == PLAY) & (views.state["selection_ones"] == 0)):
            find_candidates(views.state[row], views.rules.record[0], heuristic_weights()[0], kernel_found[0])
            faces = [int(ones).bit_count() for ones in kernel_found[0]["ones"][: kernel_found[0]["count"]]]
            plan: Any = agent._plans[views.table[row]]  # type: ignore[attr-defined]
            assert int(plan["ones"]).bit_count() == max(faces)
            longest = max(longest, max(faces) - faces[0])
        tables.step(actions)
    assert longest > 0


@pytest.mark.parametrize(("bidder", "differs"), [("heuristic-v1", False), ("bidder:value", True)])
def test_the_bidder_of_the_policy_decides_the_auction(bidder: str, differs: bool, tmp_path: Path) -> None:
    agent = make_agent(str(write_scorer(tmp_path / "mine", bidder=bidder)))
    heuristic = make_agent("heuristic-v1")
    other = make_agent(bidder)
    tables = VectorTables(64, seed=9)
    for one in (agent, heuristic, other):
        one.reset(64, 0)
    changed = 0
    for _ in range(12):
        views = tables.views()
        rows = views.phase < BURY
        actions = agent.act(views)
        assert (actions == other.act(views))[rows].all()
        changed += int((actions != heuristic.act(views))[rows].sum())
        tables.step(actions)
    assert (changed > 0) == differs


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ({"bidder": "oracle"}, "bidder must be heuristic-v1 or bidder:value, not oracle"),
        ({"listing": "others 1"}, "plays are of the list 'others 1', this version has 'heuristic-v1 candidates 1'"),
        ({"features": ["other", *FEATURE_NAMES[1:]]}, "not those of this version: other, own"),
        ({"features": [*FEATURE_NAMES[1:], "own"]}, "not those of this version: another order"),
    ],
)
def test_a_scorer_of_other_plays_is_refused(how: dict[str, Any], reason: str, tmp_path: Path) -> None:
    folder = write_scorer(tmp_path / "mine", **how)
    with pytest.raises(PolicyFileError, match=reason):
        make_agent(str(folder))


def test_a_scorer_plays_without_torch(tmp_path: Path) -> None:
    script = f"""
import sys
from baofen.agents import make_agent
from baofen.envs import VectorTables
agent, tables = make_agent({str(write_scorer(tmp_path / "mine"))!r}), VectorTables(2)
agent.reset(2, 0)
for _ in range(60):
    tables.step(agent.act(tables.views()))
print([name for name in ("torch", "ray") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
