"""What the core offers around plain games, met in a few random ones: also what `scripts/coverage` runs without a compiler.

Explanations agree with masks, whole plays with picks one by one; forfeits, forced decisions, one learner, single deals.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from playing_through import GAMES, Chance, begin, choose
from random_play import random_action, random_options

from baofen.envs import PRESETS, MatchStarts, Table, VectorTables, baofen_v0
from baofen.envs.actions import COMMIT, NUM_ACTIONS
from baofen.envs.core.dtypes import NOBODY, RESULT, ROOMS, TABLE, Phase
from baofen.envs.core.loops import copy_results, deal_by_number, fines_at_stake, step_rows
from baofen.envs.explain import eight_of, explain, hand_faces, play_fault
from baofen.envs.interfaces.gym_single import BaofenSingleEnv


def can_be_picked(table: Table, faces: list[int]) -> bool:
    """True if the acting seat can make a play by its actions: as an eight, or card by card."""
    if not faces or (table.tables["num_plays"][0] and len(faces) != table.tables["lead_cards"][0]):
        return False
    if eight_of(faces) in table.legal_actions():
        return True
    picking = table.copy()
    for face in faces:
        if face not in picking.legal_actions():
            return False
        picking.apply(face)
    return not picking.tables["selection_ones"][0] or COMMIT in picking.legal_actions()


def some_plays(rng: np.random.Generator, table: Table) -> list[list[int]]:
    """Plays from the hand of the acting seat, most of them illegal: any cards, pairs, neighbours, eights, none."""
    hand = hand_faces(table.tables, table.rules, table.acting_seat)
    size = int(table.tables["lead_cards"][0]) if table.tables["num_plays"][0] else int(rng.integers(1, 5))
    size = min(size, len(hand))
    start = int(rng.integers(len(hand)))
    pairs = [face for face in hand if hand.count(face) == 2]
    eights = [[face for face in hand if face < 52 and face % 13 == rank] for rank in range(1, 13)]
    return [
        [],
        [int(face) for face in rng.choice(hand, size, replace=False)],
        hand[start : start + size],
        pairs[:size],
        *(eight for eight in eights if len(eight) == 8),
        [(hand[0] + 1) % 54] * size,
    ]


@pytest.mark.parametrize("name", GAMES)
def test_reasons_and_forfeits_along_a_game(name: str) -> None:
    chance, rng = Chance(GAMES[name].seed), np.random.default_rng(1)
    table = begin(GAMES[name], chance)
    is_in_levels = GAMES[name].rules == "hongwu"
    seen: set[Phase] = set()
    while not table.is_over:
        legal = table.legal_actions()
        if rng.random() < 0.05 or table.phase not in seen:
            seen.add(table.phase)
            faults = [explain(table.tables, table.rules, action) for action in range(NUM_ACTIONS)]
            assert [action for action, fault in enumerate(faults) if fault is None] == legal
            assert all(fault.message and fault.reason for fault in faults if fault is not None)
            for seat, room in itertools.product(range(4), ROOMS):
                left = table.copy()
                before = np.array(left.totals) + int(left.tables["pot"][0]) // 4
                left.forfeit(seat, room)
                paid = np.array(left.totals) - before
                if is_in_levels:
                    assert paid.sum() == 0
                else:
                    assert paid[seat] == -400
                    assert 0 <= 80 * (1 + 2 * (room != "points")) - paid[np.arange(4) != seat].sum() < 3
        if table.phase == Phase.PLAY and not table.tables["selection_ones"][0] and rng.random() < 0.3:
            for faces in some_plays(rng, table):
                assert (play_fault(table.tables, table.rules, faces) is None) == can_be_picked(table, faces), faces
        table.apply(choose(chance, legal))
    for action in (NUM_ACTIONS, COMMIT):
        assert explain(table.tables, table.rules, action) is not None


@pytest.mark.parametrize("rules", PRESETS)
def test_forced_decisions_are_taken(rules: str) -> None:
    rng, asked = (np.random.default_rng(seed) for seed in (2, 0))
    options = random_options(rng, rules)
    starts = MatchStarts(pot_percent=100, totals_spread=100)
    batch = VectorTables(2, rules, options, seed=4, starts=starts, auto_reset=False, skip_forced=True)
    done = np.zeros(2, np.bool_)
    while not done.all():
        mask = batch.mask()
        actions = [random_action(rng, np.flatnonzero(row).tolist()) if row.any() else 0 for row in mask]
        _, done = batch.step(np.array(actions))
        if not done.all() and asked.random() < 0.02:
            views = batch.views(np.flatnonzero(~done))
            assert (views.action_mask.sum(axis=1) > 1).all()
            assert (views.role != NOBODY).all()
    assert (batch.tables["phase"] == Phase.OVER).all()


@pytest.mark.parametrize("rules", PRESETS)
def test_deals_by_number_come_out_as_they_are_told(rules: str) -> None:
    rng = np.random.default_rng(3)
    batch = VectorTables(2, rules, auto_reset=False)
    data, tables = batch.rules.record, batch.tables
    deal_by_number(tables, data, batch.starts.record(), np.uint64(9), 5)
    while len(rows := np.flatnonzero(tables["phase"] != Phase.OVER)):
        masks = batch.mask()[rows]
        step_rows(tables, data, rows, np.array([random_action(rng, np.flatnonzero(row).tolist()) for row in masks]))
    results = np.zeros(2, RESULT)
    copy_results(tables, results)
    assert results["rewards"].tolist() == tables["totals"].tolist()
    assert results["first_caller"].tolist() == tables["first_caller"].tolist()


@pytest.mark.parametrize("rules", PRESETS)
def test_a_learner_among_others(rules: str) -> None:
    env: Any = BaofenSingleEnv(rules, seat=None, start="declarer", history_tokens=True)
    rng = np.random.default_rng(4)
    env.reset(seed=6)
    ended = False
    while not ended:
        shown, _, ended, _, told = env.step(random_action(rng, np.flatnonzero(env.action_masks()).tolist()))
    assert env.table.is_over
    assert "illegal" not in told
    assert shown["observation"].any() and env.state().any()
    env.reset()
    _, reward, ended, _, told = env.step(NUM_ACTIONS)
    assert reward < 0 and ended and told["illegal"]


@pytest.mark.parametrize("rules", PRESETS)
def test_rewards_of_a_match_add_up_to_the_totals(rules: str) -> None:
    env: Any = baofen_v0.raw_env(rules=rules, deals_per_match=2)
    rng = np.random.default_rng(5)
    env.reset(seed=7)
    paid = dict.fromkeys(env.agents, 0)
    while env.agents and not all(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(random_action(rng, np.flatnonzero(mask).tolist()))
        for agent, reward in env.rewards.items():
            paid[agent] += reward
        if rng.random() < 0.01:
            assert not env.terminations[env.agent_selection] or env.table.is_over
            fines = np.zeros((1, 4), np.int32)
            before = env.table.tables.copy()
            fines_at_stake(before, env.table.rules.record, np.zeros(1, np.int64), np.zeros(1, TABLE), fines)
            assert fines.sum() == 0 and before == env.table.tables
            for seat in range(4):
                assert env.table.observe(seat).any() and env.table.seen_by(seat)["seat"] == seat
    assert [paid[agent] for agent in env.possible_agents] == env.table.totals
