"""Loops over tables: what a batch does in one compiled call."""

import numpy as np

from baofen.envs.core.deal import new_match
from baofen.envs.core.kernel import kernel
from baofen.envs.core.observe import write_observation
from baofen.envs.core.rng import stream
from baofen.envs.core.state import AUCTION, BIDDER, DECLARER, DEFENDER, MAX_ACTIONS, NOBODY, OVER
from baofen.envs.core.step import apply, is_legal, update_legal, write_mask

ALL_LEGAL = -1

RESULT = np.dtype(
    [
        ("declarer", np.int8),  # NOBODY: passed out
        ("target", np.int16),
        ("trump", np.int8),
        ("captured", np.int16),
        ("trump_points", np.int16),
        ("score", np.int32),
        ("made", np.int8),  # 1: the declarer reached the target
        ("first_caller", np.int8),
        ("rewards", np.int32, 4),  # changes of the totals over the deal
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
        action = actions[index]
        if tables[index].phase != OVER and not (0 <= action < 99 and is_legal(tables[index], rules[0], action)):
            return index
    return ALL_LEGAL


@kernel
def _only_action(table, rules):  # type: ignore[no-untyped-def]
    """Return the only legal action, or -1 if there are several."""
    picks, words = table.legal_picks, table.legal_words
    if (picks == 0) == (words == 0) or picks & (picks - 1) != 0 or words & (words - 1) != 0:
        return -1
    for action in range(99):
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


@kernel
def redact(table, seat):  # type: ignore[no-untyped-def]
    """Remove from a table all that a seat may not know.

    The history is gone but for how many actions the seat itself has taken in the deal.
    """
    table.rng = np.uint64(0)
    table.drawn_suit = 0
    for index in range(108):
        table.deck[index] = 0
    own_actions = 0
    for index in range(table.num_actions):
        own_actions += table.action_marks[index] & 3 == seat
    for index in range(MAX_ACTIONS):  # beyond the last action lie those of the deal before
        table.actions[index] = 0
        table.action_marks[index] = 0
    table.num_actions = own_actions
    for other in range(4):
        if other != seat:
            table.hand_ones[other] = 0
            table.hand_twos[other] = 0
    if seat != table.declarer:
        table.buried_ones = 0
        table.buried_twos = 0
    if seat != table.acting:
        table.selection_ones = 0
        table.selection_twos = 0
        table.legal_picks = 0
        table.legal_words = 0
    if seat != table.acting or table.num_plays == 0:  # a leader has no duties: those are of the last to follow
        table.duty_cards = 0
        table.duty_pairs = 0
        table.duty_num_pieces = 0
    for index in range(table.duty_num_pieces, 6):
        table.duty_pieces[index] = 0


@kernel
def redact_tables(tables, seats):  # type: ignore[no-untyped-def]
    """Remove from each table [n] what seat `seats[i]` may not know."""
    for index in range(tables.shape[0]):
        redact(tables[index], seats[index])
