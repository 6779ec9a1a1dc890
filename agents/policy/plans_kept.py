"""Whole plays kept as plans, one for each table: chosen when a decision begins, then carried out action by action."""

import numpy as np

from baofen.agents.heuristic_v1.choose import choose_action
from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.agents.heuristic_v1.plans import fits, next_action
from baofen.agents.plays.features import write_plays
from baofen.agents.plays.listing import CARDS, list_plays
from baofen.agents.policy.scorer_kernels import order_row
from baofen.envs.core.kernel import kernel

PLAN = np.dtype([("ones", np.int64), ("twos", np.int64), ("action", np.int16)], align=True)
"""dtype of the play that a seat is carrying out, as an entry of `PLAYS`."""


@kernel
def set_plan(plan, plays, index):
    """Make an entry of a list the plan."""
    plan.ones = plays.ones[index]
    plan.twos = plays.twos[index]
    plan.action = plays.action[index]


@kernel
def follow_plan(table, rules, weights, plan):
    """Return the next action of a plan; where others have picked cards that are not of it, the heuristic's."""
    if plan.action != CARDS and table.selection_ones == 0:
        return int(plan.action)
    cards = Cards(plan.ones, plan.twos)
    if plan.action != CARDS or not fits(table, cards):
        return choose_action(table, rules, weights)
    return next_action(table, rules, cards, 0)


@kernel
def follow_plans(tables, rules, weights, indices, plans, actions):
    """Write the next action of each view; plans: PLAN, one for each table."""
    for row in range(tables.shape[0]):
        actions[row] = follow_plan(tables[row], rules[0], weights[0], plans[indices[row]])


@kernel
def set_plans(indices, lists, chosen, plans):
    """Make the chosen entry of each list the plan of its table."""
    for row in range(indices.shape[0]):
        set_plan(plans[indices[row]], lists[row], chosen[row])


@kernel
def list_views(tables, rules, weights, places, found, scratch, lists, cards, features):
    """List the plays of each view, nothing picked yet, and write their cards and features one after the other.

    places: as of `suit_orders.face_places`; found: CANDIDATES [1], scratch: TABLE [1] to work in.
    lists: PLAYS [n]; cards: uint8 [m, 54]; features: float32 [m, F], room for `MAX_PLAYS` a view. Returns the number of plays.
    """
    count = 0
    for row in range(tables.shape[0]):
        list_plays(tables[row], rules[0], weights[0], found[0], lists[row])
        own = places[order_row(tables[row], rules[0])]
        write_plays(tables[row], rules[0], weights[0], lists[row], own, scratch, cards[count:], features[count:])
        count += int(lists[row].count)
    return count
