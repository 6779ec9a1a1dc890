"""Search among the plays of a scorer: legal, blind to hidden cards, and its own pick unless another is better."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scorers import write_scorer

from baofen.agents import make_agent, registry
from baofen.agents.plays.listing import PLAYS
from baofen.agents.policy.policy_files import PolicyFileError
from baofen.agents.search import guided, guided_agent
from baofen.agents.search.guided import MOST_KEPT, keep_best
from baofen.envs import VectorTables
from baofen.envs.core.dtypes import BURY, OVER
from baofen.envs.rules import PRESETS


def play(agents: list[Any], preset: str = "suzhou", num_tables: int = 3) -> np.ndarray[Any, Any]:
    """Play tables to their end by the first agent; the others are asked as well, each with other hidden cards."""
    tables = VectorTables(num_tables, preset, seed=2, auto_reset=False)
    for agent in agents:
        agent.reset(num_tables, 7)
    actions = np.zeros(num_tables, np.int64)
    while (rows := np.flatnonzero(tables.phase != OVER)).size:
        views = tables.views(rows)
        actions[rows] = agents[0].act(views)
        for other in agents[1:]:
            np.testing.assert_array_equal(other.act(tables.views(rows, cheating=True)), actions[rows])
        tables.step(actions)  # raises if one is illegal
    return tables.tables["result_score"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("leads", [0, 1])
def test_plays_legally_and_blindly(preset: str, leads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guided_agent, "NETWORK_LEADS", (leads, leads))
    folder = write_scorer(tmp_path / "mine", preset)
    play([make_agent(f"search:2+confirm@{folder}"), make_agent(f"search:2+confirm@{folder}")], preset)


def test_names(tmp_path: Path) -> None:
    folder = write_scorer(tmp_path / "mine")
    for name in (f"search:3@{folder}", f"search:3+confirm@{folder}"):
        agent = make_agent(name)
        assert (agent.name, agent.cheats) == (name, False)
        assert not registry.is_foreign(name)
        assert make_agent(f"heuristic/{name}").name == f"heuristic/{name}"
        assert make_agent(f"{name}/heuristic").name == f"{name}/heuristic"
    with pytest.raises(registry.UnknownAgentError, match="no policy lies there"):
        make_agent("search:3@nowhere")
    with pytest.raises(ValueError, match="search:0@"):
        make_agent(f"search:0@{folder}")


def test_only_a_scorer_proposes(tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text('{"format": 1, "architecture": {"kind": "mlp"}}')
    with pytest.raises(PolicyFileError, match=r"architecture\.kind: input should be 'scorer'"):
        make_agent(f"search:1@{tmp_path}")


def test_the_best_are_kept_in_the_order_of_the_network() -> None:
    found, kept = np.zeros(1, PLAYS), np.zeros(1, PLAYS)
    found[0]["count"] = 12
    found[0]["ones"][:12] = np.arange(100, 112)
    found[0]["action"][:12] = np.arange(12)
    scores = np.zeros(PLAYS["ones"].shape[0], np.float32)
    scores[:12] = [0.3, 0.9, 0.0, 0.5, 0.9, 0.45, 0.39, 0.41, 0.6, 0.7, 0.8, 0.1]
    told = np.zeros_like(scores)
    keep_best(found[0], scores.copy(), 1, kept[0], told)
    assert kept[0]["ones"][: kept[0]["count"]].tolist() == [101, 104, 110, 109, 108, 103]
    np.testing.assert_array_equal(told[: kept[0]["count"]], scores[[1, 4, 10, 9, 8, 3]])
    assert len(set(kept[0]["action"][:MOST_KEPT])) == MOST_KEPT
    scores[:12] = -5.0
    scores[[2, 7]] = 1.0, 1.0 - guided.KEPT_GAP / 2
    keep_best(found[0], scores, 2, kept[0], told)
    assert kept[0]["ones"][: kept[0]["count"]].tolist() == [102, 107]


def agreement(name: str, other: str) -> float:
    """The share of decisions in bury and play in which two agents begin the same play."""
    tables = VectorTables(6, seed=2)
    agents = [make_agent(one) for one in (name, other)]
    for agent in agents:
        agent.reset(6, 7)
    same = []
    for _ in range(330):
        views = tables.views()
        actions, others = (agent.act(views) for agent in agents)
        begun = (views.phase >= BURY) & (views.state["selection_ones"] == 0)
        same.extend((actions == others)[begun])
        tables.step(actions)
    return float(np.mean(same))


def test_only_plays_close_to_the_pick_are_searched(tmp_path: Path) -> None:
    far, close = (write_scorer(tmp_path / str(scale), scale=scale) for scale in (1000.0, 0.001))
    assert agreement(f"search:4@{far}", str(far)) > 0.95
    assert agreement(f"search:4@{close}", str(close)) < 0.9
