"""How the heuristic leads: every component and the throws that nothing can beat, by expected points."""

import numpy as np

from baofen.agents.heuristic_v1.knowledge import Cards, make_best, make_lead, point_density, unseen_cards
from baofen.agents.heuristic_v1.outlook import chance_to_win
from baofen.agents.heuristic_v1.values import base_chance, keep_value, point_value
from baofen.envs.core.bits import bit, count_cards, highest, lowest, popcount, run_tops
from baofen.envs.core.dtypes import FAILS, NUM_GROUPS, TRUMP_GROUP
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.leading import held_eights, is_component, maximal_run
from baofen.envs.core.shape import longest_run, pack_runs

NEVER = -np.inf


@inline_kernel
def all_void(table, seat, group):
    """Return whether all other seats have shown that they are void in a group."""
    for other in range(4):
        if other != seat and (table.shown_void[other] >> group) & 1 == 0:
            return False
    return True


@kernel
def certain_throw(table, rules, seat, unseen, group):
    """Return the cards of a group that can be thrown together and surely stand, by what has been seen."""
    layout = table.layout
    cards = rules.group_bits[layout, group]
    ones, twos = table.hand_ones[seat] & cards, table.hand_twos[seat] & cards
    outside = unseen.ones & cards
    if outside == 0 or all_void(table, seat, group):
        return Cards(ones, twos)
    top = highest(outside)
    if rules.throws_by_outside_card:
        lowest_safe = top + 1 if rules.throw_equal == FAILS else top
        high = ~(bit(lowest_safe) - 1)
        return Cards(ones & high, twos & high)
    boss_singles = ones & ~twos & ~_lower(rules, layout, top)
    pairs_outside = unseen.twos & cards
    boss_pairs = twos
    if pairs_outside != 0:
        boss_pairs = twos & ~_lower(rules, layout, highest(pairs_outside))
    return Cards(boss_singles | boss_pairs, boss_pairs)


@inline_kernel
def _lower(rules, layout, position):
    """Return all positions below a card that are not of equal rank (the 2s off trump are equal)."""
    rank = rules.rank[layout, position]
    low = position
    while low > 0 and rules.rank[layout, low - 1] == rank and rules.group[layout, low - 1] == TRUMP_GROUP:
        low -= 1
    return bit(low) - 1


@kernel
def lead_value(table, rules, weights, seat, unseen, play):
    """Return what a lead of one group is worth in points; a throw must be sure to stand."""
    layout = table.layout
    links = rules.links[layout]
    top = highest(play.ones)
    group = int(rules.group[layout, top])
    group_bits = rules.group_bits[layout, group]
    num_cards = count_cards(play.ones, play.twos)
    is_throw = not is_component(play.ones, play.twos, links)
    run_length = longest_run(pack_runs(play.twos, links)) if play.twos != 0 else 0
    lead = make_lead(group, popcount(play.twos), run_length, is_throw)
    best = make_best(seat, group == TRUMP_GROUP, rules.higher[layout, top])
    chance = chance_to_win(table, rules, weights, seat, unseen, lead, best, 3)
    gain = weights.lead_gain + weights.lead_density * point_density(rules, layout, unseen, group)
    value = chance * (weights.lead_tempo + 3.0 * num_cards * gain)
    value -= (1.0 - chance) * 3.0 * num_cards * weights.lead_loss
    rest = play.ones
    broken = table.hand_twos[seat] & ~play.twos
    while rest != 0:
        position = lowest(rest)
        rest &= rest - 1
        copies = 1.0 + float((play.twos >> position) & 1)
        points = point_value(table, rules, weights, position)
        value += copies * points * (chance - base_chance(table, rules, weights, unseen, position))
        value -= copies * weights.lead_keep * keep_value(table, rules, weights, unseen, broken, position)
    own_ones, own_twos = table.hand_ones[seat] & group_bits, table.hand_twos[seat] & group_bits
    own = count_cards(own_ones, own_twos)
    outside = count_cards(unseen.ones & group_bits, unseen.twos & group_bits)
    if group == TRUMP_GROUP:
        if 2 * own > outside:
            value += weights.draw * chance * float(min(3 * num_cards, outside))
        return value - weights.trump_lead
    value += weights.long_suit * float(own)
    if own == num_cards and table.hand_ones[seat] & rules.group_bits[layout, TRUMP_GROUP] != 0:
        value += weights.short_suit
    if seat != table.declarer and (table.shown_void[table.declarer] >> group) & 1:
        value += weights.force
    return value


@kernel
def choose_lead(table, rules, weights):
    """Return `(play, eight)`: what the leader leads; an eight by its rank index, 0 for a set of cards."""
    seat = int(table.acting)
    eights = held_eights(table, rules, seat)
    if eights != 0:
        return Cards(0, 0), highest(eights)
    unseen = unseen_cards(table, rules, seat)
    layout = table.layout
    links = rules.links[layout]
    ones, twos = table.hand_ones[seat], table.hand_twos[seat]
    most = NEVER
    choice = Cards(0, 0)
    rest = ones
    while rest != 0:
        position = lowest(rest)
        rest &= rest - 1
        play = Cards(bit(position), 0)
        value = lead_value(table, rules, weights, seat, unseen, play)
        if value > most:
            most, choice = value, play
    rest = twos
    while rest != 0:
        position = lowest(rest)
        rest &= rest - 1
        play = Cards(bit(position), bit(position))
        value = lead_value(table, rules, weights, seat, unseen, play)
        if value > most:
            most, choice = value, play
    rest = run_tops(twos, links, 2)
    while rest != 0:
        top = lowest(rest)
        run = maximal_run(twos, links, top, top)
        rest &= ~run
        value = lead_value(table, rules, weights, seat, unseen, Cards(run, run))
        if value > most:
            most, choice = value, Cards(run, run)
    for group in range(NUM_GROUPS):
        if group == TRUMP_GROUP and rules.throws_by_outside_card:
            continue
        throw = certain_throw(table, rules, seat, unseen, group)
        if throw.ones != 0:
            value = lead_value(table, rules, weights, seat, unseen, throw)
            if value > most:
                most, choice = value, throw
    return choice, 0
