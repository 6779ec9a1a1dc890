"""What a hand of 25 or 33 cards is worth as declarer: a linear estimate, fitted on deals played by the heuristic."""

import numpy as np

from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.envs.core.bits import bit, count_cards, highest, popcount, run_tops
from baofen.envs.core.deal import to_layout
from baofen.envs.core.dtypes import TRUMP_GROUP
from baofen.envs.core.kernel import kernel
from baofen.envs.core.trick import points_of

ESTIMATE = np.array(
    [
        (-84.4, -35.7),  # always 1
        (8.6, 5.8),  # trumps
        (8.2, -2.9),  # copies of the highest trump
        (6.0, 5.0),  # of the next
        (4.3, 2.5),  # of the next four faces
        (2.2, 1.9),  # of the four below those
        (15.4, 14.9),  # pairs of trumps
        (11.6, 13.4),  # adjacent pairs of trumps
        (0.4, 0.2),  # points on trumps
        (-3.0, 0.6),  # trumps beyond twelve
        (4.0, 2.8),  # side aces
        (3.7, 4.8),  # pairs of side aces
        (6.4, 5.0),  # side kings with an ace
        (5.8, 5.0),  # side pairs
        (4.3, 7.9),  # adjacent side pairs
        (3.8, 2.6),  # cards that side suits are short of three
        (-0.1, -0.1),  # points on side cards
        (2.1, -0.3),  # cards of side suits beyond eight
    ]
)
"""float64 [features, 2]: points for each, in Baofen (the bonus on trump points counted) and in Bao Hong Wu."""
NUM_FEATURES = len(ESTIMATE)
MANY_TRUMPS = 12
LONG_SUIT = 8
SHORT_SUIT = 3


@kernel
def describe_hand(rules, layout, cards, features):
    """Write what `ESTIMATE` lists, for cards at positions of a layout with a trump, into `features`."""
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
    features[9] = max(0.0, features[1] - MANY_TRUMPS)
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
        features[15] += max(0, SHORT_SUIT - length)
        features[16] += points_of(rules, layout, ones, twos)
        features[17] += max(0, length - LONG_SUIT)


@kernel
def estimate_points(rules, layout, cards, features):
    """Return the points to expect as declarer with these cards; `features` is room, float64 [NUM_FEATURES]."""
    describe_hand(rules, layout, cards, features)
    system = 1 if rules.level_settlement else 0
    total = 0.0
    for index in range(NUM_FEATURES):
        total += ESTIMATE[index, system] * features[index]
    return total


@kernel
def best_trump(rules, faces):
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
