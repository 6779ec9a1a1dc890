"""Compiled loops of the programs about bids: limits, lowest calls, worlds and buries."""

from baofen.agents.bids.calls import lowest_call
from baofen.agents.heuristic_v1.choose_bury import choose_bury
from baofen.agents.heuristic_v1.choose_call import call_limit
from baofen.agents.search.worlds import begin_walk, next_world
from baofen.envs.actions import CALL, CALL_MIN, CALL_STEP, PASS
from baofen.envs.core.dtypes import AUCTION
from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import apply, update_legal


@kernel
def bury_single(tables, rules, weights):
    """Return the eight cards that the declarer of table [1] would bury, as the heuristic does."""
    return choose_bury(tables[0], rules[0], weights[0].declarer)


@kernel
def begin_walk_single(tables, rules, seat, seed, walk):
    """Begin the worlds of a seat of table [1]; return whether there are any."""
    return begin_walk(tables[0], rules[0], seat, seed, walk[0])


@kernel
def write_worlds(tables, rules, walk, worlds):
    """Write the next worlds, TABLE [n], of table [1]."""
    for index in range(worlds.shape[0]):
        worlds[index] = tables[0]
        next_world(tables[0], rules[0], walk[0], worlds[index])


@kernel
def lowest_call_actions(tables, rows, actions):
    """Write the action of the lowest call at each table of `rows` [n], the pass where there is no call."""
    for index in range(rows.shape[0]):
        actions[index] = lowest_call(tables[rows[index]])


@kernel
def update_legal_all(tables, rules):
    """Fix the legal actions of tables [n] anew, after they were written to."""
    for index in range(tables.shape[0]):
        update_legal(tables[index], rules[0])


@kernel
def reference_limits(tables, rules, weights, limits):
    """Write what the reference stands for in each seat at the beginning of auctions [n], float64 [n, 4]."""
    for index in range(tables.shape[0]):
        acting = tables[index].acting
        for seat in range(4):
            tables[index].acting = seat
            limits[index, seat] = call_limit(tables[index], rules[0], weights[0].declarer)
        tables[index].acting = acting


@kernel
def bid_by_limits(tables, rules, limits, most, made):
    """Have each seat call the least while it is within its limit, for at most `most[i]` decisions of table i.

    limits: float64 [n, 4]; made: int64 [n], gets the number of decisions made.
    """
    for index in range(tables.shape[0]):
        table = tables[index]
        made[index] = 0
        while table.phase == AUCTION and made[index] < most[index]:
            action = lowest_call(table)
            if action != PASS and CALL_MIN + CALL_STEP * (action - CALL) > limits[index, table.acting]:
                action = PASS
            apply(table, rules[0], action)
            made[index] += 1
