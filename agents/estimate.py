"""What a hand is worth as declarer: a linear estimate of the points, fitted on self-play (see `bidding`)."""

import numpy as np

from baofen.agents.knowledge import Cards
from baofen.envs.core.bits import bit, count_cards, highest, lowest, popcount, run_tops
from baofen.envs.core.kernel import kernel
from baofen.envs.core.state import TRUMP_GROUP
from baofen.envs.core.trick import points_of

NUM_FEATURES = 18
"""Length of a hand's description; what each number counts stands in `describe_hand`."""


@kernel
def to_layout(rules, layout, faces):  # type: ignore[no-untyped-def]
    """Return the positions, in a layout, of a word of faces."""
    bits = 0
    while faces != 0:
        bits |= bit(rules.position[layout, lowest(faces)])
        faces &= faces - 1
    return bits


@kernel
def describe_hand(rules, layout, cards, features):  # type: ignore[no-untyped-def]
    """Write the numbers that the estimate is made of, for cards at positions of a layout with a trump."""
    trumps = rules.group_bits[layout, TRUMP_GROUP]
    links = rules.links[layout]
    ones, twos = cards.ones & trumps, cards.twos & trumps
    top = highest(trumps)
    features[0] = 1.0
    features[1] = count_cards(ones, twos)
    features[2] = count_cards(ones & bit(top), twos & bit(top))
    features[3] = count_cards(ones & bit(top - 1), twos & bit(top - 1))
    middle = 15 << (top - 5)
    features[4] = count_cards(ones & middle, twos & middle)
    upper = 15 << (top - 9)
    features[5] = count_cards(ones & upper, twos & upper)
    features[6] = popcount(twos)
    features[7] = popcount(run_tops(twos, links, 2))
    features[8] = points_of(rules, layout, ones, twos)
    features[9] = max(0.0, features[1] - 12.0)
    for index in range(10, NUM_FEATURES):
        features[index] = 0.0
    for group in range(TRUMP_GROUP):
        suit = rules.group_bits[layout, group]
        if suit == 0:
            continue
        ones, twos = cards.ones & suit, cards.twos & suit
        ace = bit(highest(suit))
        length = count_cards(ones, twos)
        features[10] += count_cards(ones & ace, twos & ace)
        features[11] += popcount(twos & ace)
        king = ace >> 1
        if ones & ace:
            features[12] += count_cards(ones & king, twos & king)
        features[13] += popcount(twos)
        features[14] += popcount(run_tops(twos, links, 2))
        if length < 3:
            features[15] += 3 - length
        features[16] += points_of(rules, layout, ones, twos)
        features[17] += max(0, length - 8)


BAOFEN_ESTIMATE = np.zeros(NUM_FEATURES)
BAOFEN_ESTIMATE[:11] = 0.0, 4.5, 6.0, 4.0, 3.0, 1.5, 3.0, 3.0, 0.1, 0.0, 4.0
LEVELS_ESTIMATE = BAOFEN_ESTIMATE.copy()


@kernel
def estimate_points(rules, layout, cards, features):  # type: ignore[no-untyped-def]
    """Return the points to expect as declarer with these cards; `features` is room, float64 [NUM_FEATURES]."""
    describe_hand(rules, layout, cards, features)
    total = 0.0
    for index in range(NUM_FEATURES):
        factor = LEVELS_ESTIMATE[index] if rules.level_settlement else BAOFEN_ESTIMATE[index]
        total += factor * features[index]
    return total


@kernel
def best_trump(rules, faces):  # type: ignore[no-untyped-def]
    """Return `(suit, points)`: the best trump suit for cards given by faces, and what it is worth."""
    features = np.empty(NUM_FEATURES)
    best = 0
    most = -np.inf
    for trump in range(TRUMP_GROUP):
        cards = Cards(to_layout(rules, trump, faces.ones), to_layout(rules, trump, faces.twos))
        points = estimate_points(rules, trump, cards, features)
        if points > most:
            most = points
            best = trump
    return best, most
