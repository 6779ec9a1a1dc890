"""The exact search of the last cards agrees with plain minimax over the same plays."""

import numpy as np
import pytest

from baofen.agents.heuristic import HeuristicAgent
from baofen.agents.search.endgame import _list_plays, is_solvable, make_solver, solve
from baofen.envs import Rules, VectorTables
from baofen.envs.core.dtypes import OVER, PLAY
from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import play_cards


@kernel
def solved(tables, rules, solver, path):
    return solve(tables[0], rules[0], solver[0], path)


@kernel
def solvable(tables, rules, num_cards):
    return is_solvable(tables[0], rules[0], num_cards)


@kernel
def list_plays(tables, rules, solver):
    _list_plays(tables[0], rules[0], solver[0], 0)


@kernel
def play(tables, rules, ones, twos):
    tables[0].deals_per_match = 0
    play_cards(tables[0], rules[0], ones, twos)


def minimax(table, rules):
    """The declarer's captured points at the end, without pruning or memory."""
    if table["phase"][0] == OVER:
        return int(table["captured"][0])
    solver, _ = make_solver()
    list_plays(table, rules.record, solver)
    values = []
    for index in range(int(solver["count"][0, 0])):
        child = table.copy()
        play(child, rules.record, int(solver["ones"][0, 0, index]), int(solver["twos"][0, 0, index]))
        values.append(minimax(child, rules))
    return max(values) if table["acting"][0] == table["declarer"][0] else min(values)


def endings(rules, most_cards, num_tables=60):
    """Tables of whole games in which no hand has more than so many cards, at the beginning of a play."""
    batch = VectorTables(num_tables, rules, seed=4, auto_reset=False)
    agent = HeuristicAgent()
    while (live := np.flatnonzero(batch.phase != OVER)).size:
        for index in live:
            table = batch.tables[index : index + 1]
            at_play = table["phase"][0] == PLAY and not table["selection_ones"][0]
            if at_play and solvable(table, rules.record, most_cards):
                yield table.copy()
        actions = np.zeros(num_tables, np.int64)
        actions[live] = agent.act(batch.views(live))
        batch.step(actions)


@pytest.mark.parametrize("preset", ["suzhou", "exposure", "hongwu"])
def test_solved_value_is_that_of_minimax(preset):
    rules = Rules(preset)
    solver, path = make_solver()
    checked = 0
    for table in endings(rules, 2):
        before = table.copy()
        assert solved(table, rules.record, solver, path) == minimax(table, rules)
        assert table == before
        checked += 1
        if checked == 60:
            break
    assert checked == 60


def test_a_big_hand_is_not_solvable():
    rules = Rules("suzhou")
    batch = VectorTables(1, rules, seed=1)
    assert not solvable(batch.tables, rules.record, 5)
