"""Loops over tables: what a batch does in one compiled call."""

import numpy as np

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.core.deal import new_match
from baofen.envs.core.kernel import kernel
from baofen.envs.core.observe import write_observation
from baofen.envs.core.rng import stream
from baofen.envs.core.state import AUCTION, BIDDER, DECLARER, DEFENDER, NOBODY, OVER
from baofen.envs.core.step import apply, is_legal, may_take, update_legal, write_mask

ALL_LEGAL = -1

RESULT = np.dtype(
    [
        ("declarer", np.int8),  # NOBODY: passed out
        ("target", np.int16),
        ("trump", np.int8),
        ("captured", np.int16),  # points; in Bao Hong Wu with red fives and bottom
        ("trump_points", np.int16),
        ("score", np.int32),  # points (in Bao Hong Wu: levels from one defender)
        ("made", np.int8),  # 1: the declarer reached the target
        ("first_caller", np.int8),
        ("rewards", np.int32, 4),  # changes of the totals over the deal, points (levels in Bao Hong Wu)
        ("pot", np.int32),  # after the deal
    ],
    align=True,
)
"""dtype of the result of one deal."""


@kernel
def seat_role(table):  # type: ignore[no-untyped-def]
    """Return the role of the acting seat; NOBODY when the game is over."""
    if table.phase == OVER:
        return NOBODY
    if table.phase <= AUCTION:
        return BIDDER
    return DECLARER if table.acting == table.declarer else DEFENDER


@kernel
def describe(tables, acting_seat, role, phase, trump):  # type: ignore[no-untyped-def]
    """Write who is to act in each table, in which role and phase, and the trump; all int8 [B]."""
    for index in range(tables.shape[0]):
        table = tables[index]
        acting_seat[index] = table.acting
        role[index] = seat_role(table)
        phase[index] = table.phase
        trump[index] = table.trump


@kernel
def reset_tables(tables, rules, starts, seed, deals_per_match):  # type: ignore[no-untyped-def]
    """Begin a match in each table [B]; table i's stream depends on the seed and i alone."""
    for index in range(tables.shape[0]):
        table = tables[index]
        table.rng = stream(seed, np.uint64(index))
        table.deals_per_match = deals_per_match
        new_match(table, rules[0], starts[0])
        update_legal(table, rules[0])


@kernel
def first_illegal(tables, rules, actions):  # type: ignore[no-untyped-def]
    """Return the first table whose action is not legal, or `ALL_LEGAL`; finished tables are not looked at."""
    for index in range(tables.shape[0]):
        if tables[index].phase != OVER and not may_take(tables[index], rules[0], actions[index]):
            return index
    return ALL_LEGAL


@kernel
def _only_action(table, rules):  # type: ignore[no-untyped-def]
    """Return the only legal action, or -1 if there are several."""
    picks, words = table.legal_picks, table.legal_words
    if (picks == 0) == (words == 0) or picks & (picks - 1) != 0 or words & (words - 1) != 0:
        return -1
    for action in range(NUM_ACTIONS):
        if is_legal(table, rules, action):
            return action
    return -1


@kernel
def copy_result(table, first_caller, result):  # type: ignore[no-untyped-def]
    """Copy the result of the deal just ended."""
    result.declarer = table.result_declarer
    result.target = table.result_target
    result.trump = table.result_trump
    result.captured = table.result_captured
    result.trump_points = table.result_trump_points
    result.score = table.result_score
    result.made = table.result_declarer != NOBODY and table.result_score >= 0 and table.result_forfeit == NOBODY
    result.first_caller = first_caller
    result.pot = table.result_pot
    for seat in range(4):
        result.rewards[seat] = table.result_rewards[seat]


@kernel
def step_tables(  # type: ignore[no-untyped-def]
    tables, rules, starts, actions, auto_reset, skip_forced, rewards, done, deal_done, results
):
    """Apply one legal action to each table [B]; see `VectorTables.step` for what is written."""
    for index in range(tables.shape[0]):
        table = tables[index]
        done[index] = table.phase == OVER  # a match that is over and not reset stays done
        deal_done[index] = False
        for seat in range(4):
            rewards[index, seat] = 0
        if done[index]:
            continue
        action = actions[index]
        while action >= 0:
            deal_index, first_caller = table.deal_index, table.first_caller
            for seat in range(4):
                rewards[index, seat] -= table.totals[seat]
            apply(table, rules[0], action)
            for seat in range(4):
                rewards[index, seat] += table.totals[seat]
            if table.phase == OVER or table.deal_index != deal_index:
                deal_done[index] = True
                copy_result(table, first_caller, results[index])
            if table.phase == OVER:
                done[index] = True
                if auto_reset:
                    new_match(table, rules[0], starts[0])
                    update_legal(table, rules[0])
            action = _only_action(table, rules[0]) if skip_forced and not done[index] else -1


@kernel
def mask_tables(tables, rules, out):  # type: ignore[no-untyped-def]
    """Write the masks of the acting seats, uint8 [B, 99]; zeros for finished games."""
    for index in range(tables.shape[0]):
        write_mask(tables[index], rules[0], out[index])


@kernel
def observe_tables(tables, rules, out):  # type: ignore[no-untyped-def]
    """Write the observations of the acting seats, uint8 [B, O]; of seat 0 for finished games."""
    for index in range(tables.shape[0]):
        write_observation(tables[index], rules[0], max(int(tables[index].acting), 0), out[index])
