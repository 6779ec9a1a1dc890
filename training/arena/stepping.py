"""Compiled loops of the arena: dealing by number, who is asked, and steps of some of the tables."""

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.core.bits import popcount
from baofen.envs.core.dtypes import NOBODY, OVER
from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import apply, forfeit, is_legal, may_take


@kernel
def take_forced(table, rules):
    """Take the decisions that have a single legal action, until there is a choice or the game is over."""
    while table.phase != OVER and popcount(table.legal_picks) + popcount(table.legal_words) == 1:
        for action in range(NUM_ACTIONS):
            if is_legal(table, rules, action):
                apply(table, rules, action)
                break


@kernel
def asked_agents(tables, rows, seating, agent):
    """Write which agent is to act at each table of `rows` [n]: `seating`, int8 [B, 4], says who sits where."""
    for index in range(rows.shape[0]):
        row = rows[index]
        agent[index] = seating[row, tables[row].acting]


@kernel
def check_actions(tables, rules, rows, actions, legal):
    """Write whether each action is legal at its table: rows, actions int64 [n], legal bool [n]."""
    for index in range(rows.shape[0]):
        legal[index] = may_take(tables[rows[index]], rules[0], actions[index])


@kernel
def step_rows(tables, rules, rows, actions):
    """Apply one legal action at each table of `rows` [n], and the forced ones after it."""
    for index in range(rows.shape[0]):
        table = tables[rows[index]]
        apply(table, rules[0], actions[index])
        take_forced(table, rules[0])


@kernel
def forfeit_row(tables, rules, row, seat, room):
    """End the deal of one table because a seat leaves."""
    forfeit(tables[row], rules[0], seat, room)


@kernel
def count_unfinished(tables, rows, phase_before):
    """Move the rows [n] whose tables are not yet in a phase from `phase_before` on to the front; return how many."""
    kept = 0
    for index in range(rows.shape[0]):
        row = rows[index]
        if tables[row].phase < phase_before:
            rows[kept] = row
            kept += 1
    return kept


@kernel
def write_outcomes(tables, outcomes):
    """Write how the deals of finished tables [n] came out."""
    for index in range(tables.shape[0]):
        table = tables[index]
        out = outcomes[index]
        out.declarer = table.result_declarer
        out.target = table.result_target
        out.trump = table.result_trump
        out.captured = table.result_captured
        out.score = table.result_score
        out.made = table.result_declarer != NOBODY and table.result_score >= 0
        out.forfeit = table.result_forfeit
        for seat in range(4):
            out.rewards[seat] = table.result_rewards[seat]
