"""What cards are worth to their holder: the points on them, and what it costs to part with them."""

from baofen.agents.heuristic_v1.knowledge import number_higher
from baofen.agents.heuristic_v1.weights import NUM_HIGHER
from baofen.envs.core.dtypes import TRUMP_GROUP
from baofen.envs.core.kernel import inline_kernel


@inline_kernel
def point_value(table, rules, weights, position):
    """Return the points on a card; more on a trump while a bonus on trump points is open (`rules.md` 2, Deal result)."""
    layout = table.layout
    bits = 1 << position
    if bits & rules.tens[layout]:
        points = 10.0
    elif bits & rules.fives[layout]:
        points = 5.0
    else:
        return 0.0
    if (
        rules.group[layout, position] == TRUMP_GROUP
        and not rules.level_settlement
        and (table.captured_trump == 0 or table.conceded_trump == 0)
    ):
        return points * (1.0 + weights.guard)
    return points


@inline_kernel
def base_chance(table, rules, weights, unseen, position):
    """Return how surely one's side captures the points of a card that is kept for later."""
    if rules.group[table.layout, position] == TRUMP_GROUP:
        return weights.base_trump
    if number_higher(rules, table.layout, position, unseen) == 0:
        return weights.base_top
    return weights.base_side


@inline_kernel
def keep_value(table, rules, weights, unseen, twos, position):
    """Return what it costs to part with one card, its points apart; `twos` are the pairs of the hand it is in."""
    layout = table.layout
    higher = min(number_higher(rules, layout, position, unseen), NUM_HIGHER - 1)
    paired = (twos >> position) & 1
    if rules.group[layout, position] == TRUMP_GROUP:
        return weights.keep_trump[higher] + paired * weights.keep_pair_trump
    return weights.keep_side[higher] + paired * weights.keep_pair_side


@inline_kernel
def card_cost(table, rules, weights, unseen, twos, position, chance):
    """Return the cost of playing a card to a trick that one's side wins with a chance."""
    cost = keep_value(table, rules, weights, unseen, twos, position)
    points = point_value(table, rules, weights, position)
    if points > 0.0:
        cost -= points * (chance - base_chance(table, rules, weights, unseen, position))
    return cost
