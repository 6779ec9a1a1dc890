"""Labels: what follows when each play is carried out and the heuristic plays on, reproducible by deal."""

from __future__ import annotations

import numpy as np
import pytest

from baofen.agents import make_agent
from baofen.agents.plays.labeller import LabelledDecisions, Labeller, Labelling
from baofen.agents.policy.suit_orders import face_places, observation_orders
from baofen.envs import PRESETS, Rules, Table, VectorTables
from baofen.envs.core.dtypes import Phase
from baofen.envs.plays import play_lister

ARRAYS = ("observation", "kind", "count", "worlds", "cards", "features", "points", "bonus")


def joined(parts: list[LabelledDecisions]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}


@pytest.mark.parametrize("rules", PRESETS)
def test_labels_depend_on_the_deal_and_not_on_how_deals_are_collected(rules: str) -> None:
    labelling = Labelling(true=0.2, worlds=0.02, num_worlds=2, bury=0.5)
    one = Labeller(Rules(rules), 7)
    parts = [one.collect(200, labelling) for _ in range(3)]
    other = Labeller(Rules(rules), 7)
    whole = [other.collect(1, labelling)]
    while other.next_deal < one.next_deal:
        whole.append(other.collect(300, labelling))
    first, second = joined(parts), joined(whole)
    size = min(len(first["kind"]), len(second["kind"]))
    plays = int(first["count"][:size].sum())
    for name in ARRAYS:
        upto = size if len(first[name]) == len(first["kind"]) else plays
        assert np.array_equal(first[name][:upto], second[name][:upto]), name
    assert set(first["kind"].tolist()) == {0, 1, 2}
    assert np.isfinite(first["points"]).all() and np.isfinite(first["bonus"]).all()


def play_out(table: Table) -> Table:
    """The deal played on by the agent that goes by the name of the heuristic, action by action."""
    batch = VectorTables(1, table.rules, auto_reset=False)
    batch.tables[:] = table.tables
    batch.tables["deals_per_match"] = 1
    batch.refresh()
    agent = make_agent("heuristic-v1")
    agent.reset(1, 0)
    while batch.acting_seat[0] >= 0:
        batch.step(agent.act(batch.views()))
    return Table.over(batch.tables, table.rules)


def test_labels_of_the_true_deal_are_play_outs() -> None:
    """Every play of a few decisions is played out through the public interface; a label is the declarer's points."""
    rules = Rules("suzhou", {"all_pass": "forced"})
    labeller = Labeller(rules, 11)
    found = labeller.collect(1, Labelling(true=1.0, bury=1.0, exploration=0.0))
    table = Table(rules, seed=0)
    from baofen.envs.core.loops import deal_by_number
    from baofen.envs.vector import Starts

    deal_by_number(table.tables, rules.record, Starts().record(), np.uint64(11), 0)
    agent = make_agent("heuristic-v1")
    agent.reset(1, 0)
    at = row = compared = 0
    while not table.is_over and row < len(found) and compared < 12:
        plays = play_lister().list_plays(rules, table.tables)
        count = int(plays.count[0])
        if table.phase in (Phase.BURY, Phase.PLAY) and count > 1:
            own = int(found.count[row])
            if found.kind[row] != 2:  # buries are listed twice: plans, or exchanges of the best
                assert own == count
                side = 1 if table.acting_seat == table.declarer else -1
                for entry in range(0, count, 3):
                    tried = table.copy()
                    last = play_lister().pick_all_but_last(rules, tried.tables, plays, np.array([entry]))
                    tried.apply(int(last[0]))
                    ended = play_out(tried)
                    assert found.points[at + entry] == side * ended.tables["result_captured"][0]
                compared += 1
            at, row = at + own, row + 1
        views = VectorTables(1, rules)
        views.tables[:] = table.tables
        views.refresh()
        table.apply(int(agent.act(views.views())[0]))
        while table.tables["selection_ones"][0] != 0:
            views.tables[:] = table.tables
            views.refresh()
            table.apply(int(agent.act(views.views())[0]))
    assert compared >= 10


def test_networks_are_needed_where_they_are_asked_for() -> None:
    with pytest.raises(ValueError, match="need networks"):
        Labeller(Rules(), 1).collect(10, Labelling(network=0.5))
    for wrong in ({"true": 1.5}, {"worlds": 0.1, "num_worlds": 0}, {"top": 1}):
        with pytest.raises(ValueError, match=r"must|share"):
            Labelling(**wrong)


@pytest.mark.parametrize("rules", PRESETS)
def test_suits_are_only_renamed(rules: str) -> None:
    orders, places = observation_orders(Rules(rules)), face_places(Rules(rules))
    assert (np.sort(orders, 1) == np.arange(orders.shape[1])).all()
    assert (np.sort(places, 1) == np.arange(54)).all()
    hand = orders[:, :54]  # the first part: the own hand by face
    for order, place in zip(hand, places, strict=True):
        assert (place[order] == np.arange(54)).all()
