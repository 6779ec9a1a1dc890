"""The plays that a search compares: the heuristic's own first, then others that differ in what they are for.

Leads: every single, pair and maximal tractor that is not equal to another, sure throws, eights. Follows of one card:
every card that is not equal to another. Longer follows: the cheapest play for a trick surely lost, open, or surely
won, and each play that takes the trick at its own height.
"""

import numpy as np

from baofen.agents.heuristic_v1.cheapest import NO_COST, cheapest_follow
from baofen.agents.heuristic_v1.choose import choose_play
from baofen.agents.heuristic_v1.choose_follow import current_best, current_lead, winning_play, winning_tops
from baofen.agents.heuristic_v1.choose_lead import certain_throw
from baofen.agents.heuristic_v1.knowledge import unseen_cards
from baofen.envs.core.bits import bit, lowest, run_tops
from baofen.envs.core.dtypes import NUM_GROUPS, TRUMP_GROUP
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.leading import held_eights, maximal_run

MAX_CANDIDATES = 48

CANDIDATES = np.dtype(
    [
        ("count", np.int16),
        ("ones", np.int64, MAX_CANDIDATES),
        ("twos", np.int64, MAX_CANDIDATES),
        ("eight", np.int8, MAX_CANDIDATES),  # rank index of an eight, 0 for a set of cards
    ],
    align=True,
)
"""dtype of the candidate plays of one decision."""


@inline_kernel
def add_candidate(found, ones, twos, eight):
    """Add a play unless it is there or there is no room."""
    if found.count == MAX_CANDIDATES:
        return
    for index in range(found.count):
        if found.ones[index] == ones and found.twos[index] == twos and found.eight[index] == eight:
            return
    found.ones[found.count] = ones
    found.twos[found.count] = twos
    found.eight[found.count] = eight
    found.count += 1


@kernel
def distinct_cards(table, rules, seat, unseen, cards):
    """Return the cards of a hand that differ in play: of equal ones only the lowest.

    Two cards of a group are equal if they carry the same points, both or neither are paired, and no unseen card
    lies between them.
    """
    layout = table.layout
    twos = table.hand_twos[seat]
    distinct = 0
    for group in range(NUM_GROUPS):
        rest = cards & rules.group_bits[layout, group]
        previous = -1
        while rest != 0:
            position = lowest(rest)
            rest &= rest - 1
            if previous >= 0:
                between = rules.higher[layout, previous] & (bit(position) - 1)
                both = bit(previous) | bit(position)
                same_points = (both & rules.fives[layout] == 0 or both & ~rules.fives[layout] == 0) and (
                    both & rules.tens[layout] == 0 or both & ~rules.tens[layout] == 0
                )
                same_pairing = both & twos == 0 or both & ~twos == 0
                if same_points and same_pairing and between & unseen.ones == 0:
                    previous = position
                    continue
            distinct |= bit(position)
            previous = position
    return distinct


@kernel
def _lead_candidates(table, rules, seat, unseen, found):
    layout = table.layout
    links = rules.links[layout]
    ones, twos = table.hand_ones[seat], table.hand_twos[seat]
    eights = held_eights(table, rules, seat)
    while eights != 0:
        add_candidate(found, 0, 0, lowest(eights))
        eights &= eights - 1
    for group in range(NUM_GROUPS):
        if group != TRUMP_GROUP or not rules.throws_by_outside_card:
            throw = certain_throw(table, rules, seat, unseen, group)
            if throw.ones != 0:
                add_candidate(found, throw.ones, throw.twos, 0)
    rest = run_tops(twos, links, 2)
    while rest != 0:
        top = lowest(rest)
        run = maximal_run(twos, links, top, top)
        rest &= ~run
        add_candidate(found, run, run, 0)
    rest = distinct_cards(table, rules, seat, unseen, twos)
    while rest != 0:
        add_candidate(found, bit(lowest(rest)), bit(lowest(rest)), 0)
        rest &= rest - 1
    rest = distinct_cards(table, rules, seat, unseen, ones)
    while rest != 0:
        add_candidate(found, bit(lowest(rest)), 0, 0)
        rest &= rest - 1


@kernel
def _follow_candidates(table, rules, weights, seat, unseen, found):
    if table.lead_cards == 1:
        cards = table.hand_ones[seat]
        if table.duty_cards > 0:
            cards &= rules.group_bits[table.layout, table.lead_group]
        rest = distinct_cards(table, rules, seat, unseen, cards)
        while rest != 0:
            add_candidate(found, bit(lowest(rest)), 0, 0)
            rest &= rest - 1
        return
    for chance in (0.0, 0.5, 1.0):
        play, _ = cheapest_follow(table, rules, weights, seat, unseen, chance)
        add_candidate(found, play.ones, play.twos, 0)
    lead = current_lead(table)
    winners = winning_tops(table, rules, seat, lead, current_best(table, rules))
    rest = winners
    while rest != 0:
        top = lowest(rest)
        rest &= rest - 1
        play, cost = winning_play(table, rules, weights, seat, unseen, lead, winners, top)
        if cost < NO_COST:
            add_candidate(found, play.ones, play.twos, 0)


@kernel
def find_candidates(table, rules, weights, found):
    """Write the candidate plays of the acting seat, who has picked no card yet; the heuristic's own comes first.

    Reads only what the acting seat may know.
    """
    seat = int(table.acting)
    found.count = 0
    play, eight = choose_play(table, rules, weights)
    add_candidate(found, play.ones, play.twos, eight)
    if eight != 0 and table.num_plays > 0:
        eights = held_eights(table, rules, seat)
        while eights != 0:
            add_candidate(found, 0, 0, lowest(eights))
            eights &= eights - 1
        return
    unseen = unseen_cards(table, rules, seat)
    if table.num_plays == 0:
        _lead_candidates(table, rules, seat, unseen, found)
    else:
        own = weights.declarer if seat == table.declarer else weights.defender
        _follow_candidates(table, rules, own, seat, unseen, found)
