"""How the heuristic follows: the cheapest play that loses against the plays that would win, by expected points."""

import numpy as np

from baofen.agents.heuristic_v1.cheapest import (
    NO_COST,
    add_cheapest,
    cheapest_card,
    cheapest_follow,
    cheapest_run,
    run_cost,
)
from baofen.agents.heuristic_v1.knowledge import Cards, bits_above, make_best, make_lead, unseen_cards
from baofen.agents.heuristic_v1.outlook import chance_to_win
from baofen.agents.heuristic_v1.values import card_cost
from baofen.envs.core.bits import bit, highest, lowest, popcount, remove_cards, run_bits, run_tops
from baofen.envs.core.dtypes import DEMOTED, TRUMP_GROUP
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.leading import held_eights
from baofen.envs.core.trick import points_of

NEVER = -np.inf


@inline_kernel
def points_on_table(table, rules):
    """Return the points played to the current trick."""
    points = 0
    for seat in range(4):
        points += points_of(rules, table.layout, table.trick_ones[seat], table.trick_twos[seat])
    return float(points)


@inline_kernel
def current_lead(table):
    """Return the lead of the current trick."""
    run_length = table.lead_runs[0] if table.lead_num_runs > 0 else 0
    return make_lead(table.lead_group, table.lead_pairs, run_length, table.lead_is_throw)


@inline_kernel
def current_best(table, rules):
    """Return the best play of the current trick; nothing is above an eight."""
    above = 0
    if table.lead_eight == 0:
        group = TRUMP_GROUP if table.best_is_trump else table.lead_group
        above = bits_above(rules, table.layout, group, table.best_rank)
    return make_best(table.best_seat, table.best_is_trump, above)


@kernel
def winning_positions(table, rules, seat, lead, best):
    """Return the positions that a winning play of the acting seat may have as its top, runs left out of account."""
    layout = table.layout
    hand = table.hand_ones[seat]
    if table.lead_eight != 0:
        return 0
    if table.duty_cards == 0 and lead.group != TRUMP_GROUP:
        if best.by_trump:
            return hand & best.above
        return hand & rules.group_bits[layout, TRUMP_GROUP]
    if lead.is_throw or table.duty_cards < table.lead_cards:
        return 0
    if best.by_trump and lead.group != TRUMP_GROUP:
        return 0
    return hand & best.above


@inline_kernel
def winning_tops(table, rules, seat, lead, best):
    """Return the positions that a winning play of the acting seat may have as its top, runs and pairs as led."""
    winners = winning_positions(table, rules, seat, lead, best)
    if lead.pairs > 0:
        winners &= run_tops(table.hand_twos[seat], rules.links[table.layout], max(lead.run_length, 1))
        if lead.run_length > 0 and lead.group == TRUMP_GROUP and rules.joker_tractor == DEMOTED:
            winners &= ~rules.joker_bits
    return winners


@kernel
def gain_of(table, rules, weights, seat, unseen, lead, best, top):
    """Return `(chance, gain)` for a play that takes the trick with a card at `top`; -1: one that does not.

    The gain is what the points on the table, those still to come and the next lead bring, the play's own cards apart.
    """
    num_later = 3 - int(table.num_plays)
    wins = 0.0
    if top >= 0:
        by_trump = rules.group[table.layout, top] == TRUMP_GROUP
        best = make_best(seat, by_trump, rules.higher[table.layout, top])
        wins = 1.0
    chance = chance_to_win(table, rules, weights, seat, unseen, lead, best, num_later)
    num_enemies = num_later
    if seat != table.declarer:
        num_enemies = 1 if (table.declarer - seat) & 3 <= num_later else 0
    enemy_cards = float(num_enemies * table.lead_cards)
    ally_cards = float((num_later - num_enemies) * table.lead_cards)
    won = enemy_cards * weights.enemy_won + ally_cards * weights.ally_won
    lost = enemy_cards * weights.enemy_lost + ally_cards * weights.ally_lost
    gain = chance * (points_on_table(table, rules) + won) - (1.0 - chance) * lost
    return chance, gain + wins * chance * weights.tempo


@inline_kernel
def cheapest_and_surest(rules, layout, winners):
    """Return those of the winning positions that can be right: without points, fives, tens, of each lowest and highest."""
    fives, tens = rules.fives[layout], rules.tens[layout]
    chosen = 0
    for kind in (winners & ~(fives | tens), winners & fives, winners & tens):
        if kind != 0:
            chosen |= bit(lowest(kind)) | bit(highest(kind))
    return chosen


@kernel
def follow_with_one(table, rules, weights, seat, unseen, lead, best):
    """Return the card to follow with to a single card led, as a word."""
    layout = table.layout
    winners = winning_positions(table, rules, seat, lead, best)
    hand_ones, hand_twos = table.hand_ones[seat], table.hand_twos[seat]
    if table.duty_cards > 0:
        group = rules.group_bits[layout, lead.group]
        hand_ones &= group
        hand_twos &= group
    most = NEVER
    choice = 0
    losers = hand_ones & ~winners
    if losers != 0:
        chance, gain = gain_of(table, rules, weights, seat, unseen, lead, best, -1)
        position, cost = cheapest_card(table, rules, weights, seat, unseen, Cards(losers, hand_twos & losers), chance)
        most = gain - cost
        choice = bit(position)
    rest = cheapest_and_surest(rules, layout, winners)
    while rest != 0:
        position = lowest(rest)
        rest &= rest - 1
        chance, gain = gain_of(table, rules, weights, seat, unseen, lead, best, position)
        gain -= card_cost(table, rules, weights, unseen, hand_twos, position, chance)
        if gain > most:
            most = gain
            choice = bit(position)
    return choice


@kernel
def winning_play(table, rules, weights, seat, unseen, lead, winners, top):
    """Return `(play, cost)` of the cheapest play that takes a trick of several cards with its top at `top`.

    The cost is infinite if there is none, or none that is found: ruffs of throws with several tractors are not tried.
    """
    layout = table.layout
    num_cards = int(table.lead_cards)
    group = rules.group[layout, top]
    cards = rules.group_bits[layout, group]
    own = Cards(table.hand_ones[seat] & cards, table.hand_twos[seat] & cards)
    nothing = Cards(0, 0)
    if popcount(own.ones) + popcount(own.twos) < num_cards or table.lead_num_runs > 1:
        return nothing, NO_COST
    below = bit(top + 1) - 1  # a play may not be ranked higher than planned: fillers lie below the top
    if lead.pairs == 0:
        rest = Cards((own.ones & below) & ~(bit(top) & ~own.twos), own.twos & below & ~bit(top))
        if popcount(rest.ones) + popcount(rest.twos) < num_cards - 1:
            return nothing, NO_COST
        play, cost = add_cheapest(table, rules, weights, seat, unseen, Cards(bit(top), 0), rest, num_cards - 1, 1.0)
        return play, cost + card_cost(table, rules, weights, unseen, own.twos, top, 1.0)
    length = max(lead.run_length, 1)
    chosen = run_bits(top, length)
    if own.twos & chosen != chosen:
        return nothing, NO_COST
    cost = run_cost(table, rules, weights, unseen, top, length, 1.0)
    while popcount(chosen) < lead.pairs:
        candidates = own.twos & below & ~chosen
        if candidates == 0:
            return nothing, NO_COST
        pair, pair_cost = cheapest_run(table, rules, weights, unseen, candidates, 1, 1.0)
        chosen |= bit(pair)
        cost += pair_cost
    missing = num_cards - 2 * popcount(chosen)
    ones, twos = remove_cards(own.ones, own.twos, chosen, chosen)
    play, more = add_cheapest(
        table, rules, weights, seat, unseen, Cards(chosen, chosen), Cards(ones, twos), missing, 1.0
    )
    return play, cost + more


@kernel
def follow_with_several(table, rules, weights, seat, unseen, lead, best):
    """Return the play to follow with to a lead of two cards or more."""
    chance, gain = gain_of(table, rules, weights, seat, unseen, lead, best, -1)
    choice, cost = cheapest_follow(table, rules, weights, seat, unseen, chance)
    most = gain - cost
    winners = winning_tops(table, rules, seat, lead, best)
    rest = cheapest_and_surest(rules, table.layout, winners)
    while rest != 0:
        top = lowest(rest)
        rest &= rest - 1
        play, cost = winning_play(table, rules, weights, seat, unseen, lead, winners, top)
        if cost < NO_COST:
            chance, gain = gain_of(table, rules, weights, seat, unseen, lead, best, top)
            if gain - cost > most:
                most = gain - cost
                choice = play
    return choice


@kernel
def choose_follow(table, rules, weights):
    """Return `(play, eight)`: what the acting follower plays; an eight by its rank index, 0 for a set of cards."""
    seat = int(table.acting)
    if table.lead_eight != 0:
        eights = held_eights(table, rules, seat)
        if eights != 0:
            return Cards(0, 0), highest(eights)
    unseen = unseen_cards(table, rules, seat)
    lead = current_lead(table)
    best = current_best(table, rules)
    if table.lead_cards == 1:
        return Cards(follow_with_one(table, rules, weights, seat, unseen, lead, best), 0), 0
    return follow_with_several(table, rules, weights, seat, unseen, lead, best), 0
