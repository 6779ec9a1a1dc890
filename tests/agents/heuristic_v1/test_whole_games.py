"""Agents in whole games: legal under all presets and switches, blind to what is hidden, the same every time."""

import numpy as np
import pytest
from numpy.typing import NDArray
from random_play import random_options

from baofen.agents import make_agent
from baofen.agents.heuristic_v1.choose import choose_play
from baofen.agents.heuristic_v1.playout import playout
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.envs import PRESETS, VectorTables
from baofen.envs.core.bits import count_cards
from baofen.envs.core.dtypes import LEGAL, NOBODY, OVER, PLAY
from baofen.envs.core.following import follow_fault
from baofen.envs.rules import Rules

NAMES = ("random", "random:cards", "heuristic", "random/heuristic", "heuristic/random")


def play_games(tables: VectorTables, name: str, seed: int = 0, most_steps: int = 10**6) -> None:
    """Play all tables to their end, or some steps on, with one agent in every seat."""
    agent = make_agent(name)
    agent.reset(tables.num_tables, seed)
    actions = np.zeros(tables.num_tables, np.int64)
    for _ in range(most_steps):
        rows = np.flatnonzero(tables.phase != OVER)
        if not len(rows):
            return
        actions[rows] = agent.act(tables.views(rows))
        tables.step(actions)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", NAMES)
def test_plays_legally_to_the_end(name: str, preset: str) -> None:
    rng = np.random.default_rng(1)
    for round_index in range(4):
        options = random_options(rng, preset) if round_index else {}
        tables = VectorTables(24, preset, options, seed=round_index, auto_reset=False)
        play_games(tables, name, round_index)
        assert (tables.phase == OVER).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_heuristic_never_throws_in_vain(preset: str) -> None:
    tables = VectorTables(100, preset, seed=3, auto_reset=False)
    agent = make_agent("heuristic")
    actions = np.zeros(100, np.int64)
    num_throws = 0
    while (rows := np.flatnonzero(tables.phase != OVER)).size:
        actions[rows] = agent.act(tables.views(rows))
        tables.step(actions)
        assert not tables.tables["lead_is_forced"].any()
        num_throws += int(tables.tables["lead_is_throw"].sum())
    assert num_throws > 0


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_follows_meet_all_duties(preset: str) -> None:
    weights = heuristic_weights()
    for seed, options in enumerate(({}, {"tractor_follow": "exact"}, {"follow_shape": "suit_only"})):
        rules = Rules(preset, options)
        tables = VectorTables(20, rules, seed=seed, auto_reset=False)
        agent = make_agent("random/random")  # random leads of tractors and random cards make odd hands
        agent.reset(20, 0)
        actions = np.zeros(20, np.int64)
        while (rows := np.flatnonzero(tables.phase != OVER)).size:
            for row in rows:
                table = tables.tables[row]
                if table["phase"] == PLAY and table["num_plays"] > 0 and table["selection_ones"] == 0:
                    play, eight = choose_play(table, rules.record[0], weights[0])
                    if eight == 0:
                        assert count_cards(play.ones, play.twos) == table["lead_cards"]
                        assert follow_fault(table, rules.record[0], play.ones, play.twos) == LEGAL
            actions[rows] = agent.act(tables.views(rows))
            tables.step(actions)


def permute_hidden(tables: NDArray[np.void], rng: np.random.Generator) -> NDArray[np.void]:
    """The same tables with the hidden cards dealt anew among the others; the acting seat sees no difference."""
    changed = tables.copy()
    for table in changed:
        others = [seat for seat in range(4) if seat != table["acting"]]
        holders = [(table["hand_ones"], table["hand_twos"], seat) for seat in others]
        cards: list[int] = []
        counts = []
        for ones, twos, seat in holders:
            held = [p for p in range(54) if int(ones[seat]) >> p & 1] + [
                p for p in range(54) if int(twos[seat]) >> p & 1
            ]
            cards += held
            counts.append(len(held))
        rng.shuffle(cards)
        for (ones, twos, seat), count in zip(holders, counts, strict=True):
            ones[seat] = twos[seat] = 0
            for position in cards[:count]:
                twos[seat] |= ones[seat] & (1 << position)
                ones[seat] |= 1 << position
            del cards[:count]
        table["rng"] = rng.integers(2**60)
        table["deck"] = rng.permutation(table["deck"])
    return changed


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ["random", "random:cards", "heuristic"])
def test_is_blind_to_what_is_hidden(name: str, preset: str) -> None:
    rng = np.random.default_rng(2)
    tables = VectorTables(12, preset, seed=4, auto_reset=False)
    agent = make_agent(name)
    agent.reset(12, 7)
    actions = np.zeros(12, np.int64)
    while (rows := np.flatnonzero(tables.phase != OVER)).size:
        actions[rows] = agent.act(tables.views(rows))
        whole = agent.act(tables.views(rows, cheating=True))
        np.testing.assert_array_equal(actions[rows], whole)
        if rng.random() < 0.2:
            before = tables.tables.copy()
            tables.tables[:] = permute_hidden(tables.tables, rng) if len(rows) == 12 else before
            np.testing.assert_array_equal(agent.act(tables.views(rows, cheating=True)), whole)
            tables.tables[:] = before
        tables.step(actions)


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_give_equal_games_in_any_batch(name: str) -> None:
    few, many = (VectorTables(count, seed=5, auto_reset=False) for count in (3, 8))
    for tables in (few, many):
        play_games(tables, name, seed=9)
    np.testing.assert_array_equal(few.tables, many.tables[:3])


def test_another_seed_gives_other_random_games() -> None:
    first, second = (VectorTables(4, seed=5, auto_reset=False) for _ in range(2))
    play_games(first, "random", seed=1)
    play_games(second, "random", seed=2)
    assert (first.tables["actions"] != second.tables["actions"]).any()


@pytest.mark.parametrize("preset", PRESETS)
def test_playouts_play_as_the_agent_does(preset: str) -> None:
    tables = VectorTables(12, preset, seed=6, auto_reset=False)
    copies = tables.tables.copy()
    play_games(tables, "heuristic")
    weights = heuristic_weights()
    for copy in copies:
        playout(copy, tables.rules.record[0], weights[0])
    for field in ("result_declarer", "result_target", "result_captured", "result_score", "result_rewards"):
        np.testing.assert_array_equal(copies[field], tables.tables[field])


@pytest.mark.parametrize("steps", [40, 60, 61, 75])
def test_playouts_start_anywhere(steps: int) -> None:
    tables = VectorTables(12, seed=7, auto_reset=False)
    play_games(tables, "random:cards", most_steps=steps)
    for copy in tables.tables.copy():
        if copy["phase"] != OVER:
            playout(copy, tables.rules.record[0], heuristic_weights()[0])
        assert copy["phase"] == OVER
        assert copy["result_declarer"] == NOBODY or copy["captured"] + copy["conceded"] <= 200
