"""Search agents: legal under all presets, blind to hidden cards, the same in any batch; burying is searched as well."""

import numpy as np
import pytest
from numpy.typing import NDArray

from baofen.agents import make_agent
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.search.buries import NUM_EXCHANGES, add_exchanges, find_buries
from baofen.agents.search.candidates import CANDIDATES
from baofen.envs import VectorTables
from baofen.envs.core.dtypes import OVER
from baofen.envs.core.kernel import kernel
from baofen.envs.rules import PRESETS, Rules
from baofen.training.arena.deals import contract_rules, deal_tables
from baofen.training.arena.play import fix_contracts

NAMES = ("search:2", "search:1+confirm")


def play(tables: VectorTables, name: str, seed: int = 0) -> None:
    """Play all tables to their end with one agent in every seat."""
    agent = make_agent(name)
    agent.reset(tables.num_tables, seed)
    actions = np.zeros(tables.num_tables, np.int64)
    while (rows := np.flatnonzero(tables.phase != OVER)).size:
        actions[rows] = agent.act(tables.views(rows, cheating=agent.cheats))
        tables.step(actions)  # raises if one is illegal


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", [*NAMES, "oracle"])
def test_plays_legally_to_the_end(name: str, preset: str) -> None:
    tables = VectorTables(3, preset, seed=2, auto_reset=False)
    play(tables, name)
    assert (tables.phase == OVER).all()


def exchange_hidden(tables: NDArray[np.void], rng: np.random.Generator) -> NDArray[np.void]:
    """The same tables with single cards exchanged between hidden hands, and all that is to come drawn anew."""
    changed = tables.copy()
    for table in changed:
        others = [seat for seat in range(4) if seat != table["acting"]]
        ones, twos = table["hand_ones"], table["hand_twos"]
        for _ in range(12):
            one, other = (int(seat) for seat in rng.choice(others, 2, replace=False))
            gives, takes = (
                [p for p in range(54) if int(ones[a] & ~twos[a] & ~ones[b]) >> p & 1]
                for a, b in ((one, other), (other, one))
            )
            if gives and takes:
                bits = (1 << int(rng.choice(gives))) | (1 << int(rng.choice(takes)))
                ones[one] ^= bits
                ones[other] ^= bits
        table["rng"] = rng.integers(2**60)
        table["deck"] = rng.permutation(table["deck"])
    return changed


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", NAMES)
def test_is_blind_to_what_is_hidden(name: str, preset: str) -> None:
    rng = np.random.default_rng(2)
    tables = VectorTables(3, preset, seed=4, auto_reset=False)
    agent, other = make_agent(name), make_agent(name)
    for one in (agent, other):
        one.reset(3, 7)
    actions = np.zeros(3, np.int64)
    exchanged = 0
    while (rows := np.flatnonzero(tables.phase != OVER)).size:
        actions[rows] = agent.act(tables.views(rows, cheating=agent.cheats))
        before = tables.tables.copy()
        tables.tables[rows] = exchange_hidden(before[rows], rng)
        exchanged += int((tables.tables["hand_ones"] != before["hand_ones"]).any())
        np.testing.assert_array_equal(other.act(tables.views(rows, cheating=True)), actions[rows])
        tables.tables[:] = before
        tables.step(actions)
    assert exchanged > 50


@pytest.mark.parametrize("name", [*NAMES, "oracle"])
def test_equal_seeds_give_equal_games_in_any_batch(name: str) -> None:
    few, many = (VectorTables(count, seed=5, auto_reset=False) for count in (2, 4))
    for tables in (few, many):
        play(tables, name, seed=9)
    np.testing.assert_array_equal(few.tables, many.tables[:2])


@kernel
def list_buries(tables, rules, weights, found):
    find_buries(tables[0], rules[0], weights[0], found[0])


@kernel
def exchange(tables, rules, weights, best, found):
    add_exchanges(tables[0], rules[0], weights[0], best, found[0])


@pytest.mark.parametrize("preset", PRESETS)
def test_buries_are_eight_cards_of_the_hand(preset: str) -> None:
    rules = contract_rules(Rules(preset))
    tables = deal_tables(rules, 6, "dev", 0, 10)
    fix_contracts(rules, tables, make_agent("heuristic-v1"), 0)
    for row in range(10):
        state, found = tables[row : row + 1], np.zeros(1, CANDIDATES)
        seat = int(state["acting"][0])
        list_buries(state, rules.record, heuristic_weights(), found)
        own = (int(found["ones"][0, 0]), int(found["twos"][0, 0]))
        for stage in range(2):
            count = int(found["count"][0])
            assert 1 <= count <= (16 if stage == 0 else NUM_EXCHANGES + 2)
            sets = [(int(found["ones"][0, i]), int(found["twos"][0, i])) for i in range(count)]
            assert sets[0] == own
            assert len(set(sets)) == count
            for ones, twos in sets:
                assert ones.bit_count() + twos.bit_count() == 8
                assert ones & ~int(state["hand_ones"][0, seat]) == 0
                assert twos & ~int(state["hand_twos"][0, seat]) == 0
            if stage == 0:
                exchange(state, rules.record, heuristic_weights(), count - 1, found)
