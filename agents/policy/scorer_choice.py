"""What a scorer plays, in compiled code: the best of the listed plays, kept as a plan until it is carried out."""

from baofen.agents.plays.labels import ask
from baofen.agents.plays.listing import list_exchanges, list_plays
from baofen.agents.policy.plans_kept import follow_plan, set_plan
from baofen.envs.core.dtypes import BURY, PLAY
from baofen.envs.core.kernel import kernel

NOT_DECIDED = -1
"""Action of a row that is for the bidder."""


@kernel
def best_play(table, rules, weights, plays, scorers, room):
    """List the plays of a seat with nothing picked and return the best by its network, whose answers are in the room.

    Buries are looked at twice: the plans, then what the best of them becomes by exchanging a card.
    """
    list_plays(table, rules, weights, room.found[0], plays)
    if plays.count == 1 and table.phase == PLAY:
        return 0
    best = ask(table, rules, weights, plays, scorers, room)
    if table.phase == BURY:
        list_exchanges(table, rules, weights, best, room.found[0], plays)
        best = ask(table, rules, weights, plays, scorers, room)
    return best


@kernel
def choose_by_scorer(tables, rules, weights, indices, scorers, room, plans, actions):
    """Write the next action of each view in bury and play, `NOT_DECIDED` elsewhere.

    plans: PLAN, one for each table; chosen when a play begins and then followed.
    """
    for row in range(tables.shape[0]):
        table = tables[row]
        plan = plans[indices[row]]
        if table.phase != PLAY and table.phase != BURY:
            actions[row] = NOT_DECIDED
            continue
        if table.selection_ones == 0:
            set_plan(plan, room.plays[0], best_play(table, rules[0], weights[0], room.plays[0], scorers, room))
        actions[row] = follow_plan(table, rules[0], weights[0], plan)
