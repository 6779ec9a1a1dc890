"""What the value network reads: a hand in the light of one trump suit, and the auction so far. Nothing hidden.

Suits are put in an order of the hand's own (trump, then side suits from long to short), so that hands that differ only
in the names of suits look the same; only the 2s off trump stand in the order of their suits.
"""

import numpy as np

from baofen.agents.heuristic_v1.choose_call import trump_length
from baofen.agents.heuristic_v1.estimate import NUM_FEATURES, best_trump, estimate_points
from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.envs.core.bits import count_cards, highest
from baofen.envs.core.deal import to_layout
from baofen.envs.core.dtypes import NO_TRUMP_YET, TRUMP_GROUP
from baofen.envs.core.kernel import kernel

TRUMP_CARDS = 22
SIDE_CARDS = 12
NUM_SIDES = 3
_CARDS = 2 * (TRUMP_CARDS + NUM_SIDES * SIDE_CARDS)
_AUCTION = 4 + 3 * 3 + 3
NUM_INPUTS = _CARDS + NUM_FEATURES + 4 + _AUCTION + 4
"""Cards (held, held twice), numbers of the hand, what other trumps would be worth, the auction, the question."""
FIRST_FEATURE = _CARDS + 1
"""Where the numbers of `describe_hand` begin."""
DECLARE, DECLARE_GIVEN = 0, -1
"""Questions: how does it come out if the seat declares, with the trump it will name or with a given one; 1 .. 3: if
the seat that many after it does."""


@kernel
def faces_of_hand(table, rules, seat):
    """Return a hand as words of faces, whatever the layout of the table."""
    if table.layout == NO_TRUMP_YET:
        return Cards(table.hand_ones[seat], table.hand_twos[seat])
    ones = twos = 0
    for face in range(54):
        position = rules.position[table.layout, face]
        ones |= ((table.hand_ones[seat] >> position) & 1) << face
        twos |= ((table.hand_twos[seat] >> position) & 1) << face
    return Cards(ones, twos)


@kernel
def suit_in_view(table, rules, faces, question, given):
    """Return the suit in whose light a hand is seen.

    The trump if it is known or given; else the suit it would name, or, if another declares, its shortest trump suit.
    """
    if question == DECLARE_GIVEN:
        return given
    if table.trump != NO_TRUMP_YET:
        return int(table.trump)
    if question == DECLARE:
        suit, _ = best_trump(rules, faces)
        return suit
    shortest = 0
    for suit in range(1, 4):
        if trump_length(rules, suit, faces) < trump_length(rules, shortest, faces):
            shortest = suit
    return shortest


@kernel
def _write_cards(row, index, cards, top, count):
    """Write which of `count` positions from `top` down are held, and which are held twice; return the next index."""
    for step in range(count):
        if top - step >= 0:
            row[index] = (cards.ones >> (top - step)) & 1
            row[index + 1] = (cards.twos >> (top - step)) & 1
        index += 2
    return index


@kernel
def write_inputs(table, rules, question, given, row):
    """Write the inputs of the acting seat for a question into `row`, float32 [NUM_INPUTS]; `given`: see DECLARE."""
    seat = int(table.acting)
    row[:] = 0.0
    faces = faces_of_hand(table, rules, seat)
    suit = suit_in_view(table, rules, faces, question, given)
    cards = Cards(to_layout(rules, suit, faces.ones), to_layout(rules, suit, faces.twos))
    trumps = rules.group_bits[suit, TRUMP_GROUP]
    index = _write_cards(row, 0, Cards(cards.ones & trumps, cards.twos & trumps), highest(trumps), TRUMP_CARDS)
    written = 1 << suit
    for _ in range(NUM_SIDES):
        longest, length = -1, -1
        for group in range(TRUMP_GROUP):
            bits = rules.group_bits[suit, group]
            if (written >> group) & 1 == 0 and count_cards(cards.ones & bits, cards.twos & bits) > length:
                longest, length = group, count_cards(cards.ones & bits, cards.twos & bits)
        bits = rules.group_bits[suit, longest]
        index = _write_cards(row, index, Cards(cards.ones & bits, cards.twos & bits), highest(bits), SIDE_CARDS)
        written |= 1 << longest
    features = np.empty(NUM_FEATURES)
    row[index] = estimate_points(rules, suit, cards, features)
    for feature in range(NUM_FEATURES):
        row[index + 1 + feature] = features[feature]
    index += 1 + NUM_FEATURES
    index = _write_other_suits(rules, faces, suit, row, index)
    index = _write_auction(table, seat, row, index)
    row[index] = question == DECLARE_GIVEN
    if question > 0:
        row[index + question] = 1.0


@kernel
def _write_other_suits(rules, faces, suit, row, index):
    """Write what the hand would be worth with the other suits as trump, from high to low; return the next index."""
    features = np.empty(NUM_FEATURES)
    first = index
    for other in range(TRUMP_GROUP):
        if other != suit:
            cards = Cards(to_layout(rules, other, faces.ones), to_layout(rules, other, faces.twos))
            points = estimate_points(rules, other, cards, features)
            place = index
            while place > first and row[place - 1] < points:
                row[place] = row[place - 1]
                place -= 1
            row[place] = points
            index += 1
    return index


@kernel
def _write_auction(table, seat, row, index):
    """Write who has called and passed, seen from a seat; return the next index."""
    row[index + ((seat - table.first_caller) & 3)] = 1.0
    index += 4
    for step in range(1, 4):
        other = (seat + step) & 3
        row[index] = table.calls[other]
        row[index + 1] = table.passed[other]
        row[index + 2] = table.last_caller == other
        index += 3
    row[index] = table.calls[seat]
    row[index + 1] = table.last_call
    row[index + 2] = table.pot
    return index + 3


@kernel
def write_all_inputs(tables, rules, questions, given, rows):
    """Write the inputs of the acting seats of tables [n]; questions, given: int8 [n]; rows: float32 [n, NUM_INPUTS]."""
    for index in range(tables.shape[0]):
        write_inputs(tables[index], rules[0], int(questions[index]), int(given[index]), rows[index])
