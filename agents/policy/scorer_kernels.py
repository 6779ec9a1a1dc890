"""The scorer of whole plays in compiled code: what `PlayScorer` says, one decision at a time and without torch.

Nearly all inputs are zero, so the first layers add the rows of those that are not, four rows at a time, in loops that
the compiler turns into vector instructions. After the first and second layer only the positive units go on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baofen.envs.cards import BOTTOM_CARDS, NUM_FACES, NUM_SEATS, NUM_SUITS
from baofen.envs.core.bits import count_cards, popcount
from baofen.envs.core.dtypes import BURY, NO_TRUMP_YET, PLAY
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.observe import write_observation
from baofen.envs.observation import OBSERVATION_SIZE, OFFSETS

HAND, BURIED, PLAYED, TRUMP = (OFFSETS[name] for name in ("hand", "buried", "played", "trump"))
HAND_CARDS = OFFSETS["hand_cards"]
DEALT_CARDS = 25
UNSEEN, HIGHER_UNSEEN, MASTERS, MASTER_PAIRS, PAIRS_UNSEEN = (NUM_FACES * place for place in range(5))
NUM_DERIVED = 5 * NUM_FACES
"""Inputs reckoned from the observation, for each face: half the unseen copies; a quarter of the unseen higher cards of
its group, at most `MOST_HIGHER`, if the face is held; held and none is higher; both copies held and no unseen pair is
higher; both copies unseen."""
MOST_HIGHER = 8
HIGHER_SCALE = 4
NUM_SIDE_ORDERS = 6
NUM_ORDERS = NUM_SUITS * NUM_SIDE_ORDERS + 1
"""Orders of suits: a row for each trump and order of the side suits, the last for decisions before trump is known."""
CARD_INPUTS = 2 * NUM_FACES
"""Inputs of a play before its features: at least one copy of each face, then both copies."""
POINTS_PER_UNIT = 20.0
"""Answers and the value are in units of so many points."""


class ScorerParameters(NamedTuple):
    """All numbers of one scorer, for kernels: rows run over inputs, float32 but for `higher`.

    H: hidden size, S: head size, F: features of a play.
    """

    higher: NDArray[np.int64]
    """int64 [4, 54]: for each trump and face, bit g says that face g is higher in its group, suits with trump first."""
    inputs: NDArray[np.float32]
    """[observation size + derived inputs, H], for plain bytes."""
    inputs_bias: NDArray[np.float32]
    """[H]"""
    middle: NDArray[np.float32]
    """[H, H]"""
    middle_bias: NDArray[np.float32]
    """[H]"""
    play: NDArray[np.float32]
    """[108 + F, H]"""
    head: NDArray[np.float32]
    """[H, S]"""
    head_bias: NDArray[np.float32]
    """[S]"""
    answers: NDArray[np.float32]
    """[2, S]: points, bonus."""
    answers_bias: NDArray[np.float32]
    """[2]"""
    value: NDArray[np.float32]
    """[H]"""
    value_bias: NDArray[np.float32]
    """[1]"""


class ScorerScratch(NamedTuple):
    """Room that `score_plays` works in; one for each thread."""

    state: NDArray[np.float32]
    """[H]: the observation, embedded."""
    hidden: NDArray[np.float32]
    """[H]"""
    head: NDArray[np.float32]
    """[S]"""
    places: NDArray[np.int64]
    """Inputs or units that are not zero,"""
    factors: NDArray[np.float32]
    """and what they hold."""


def make_scratch(*parameters: ScorerParameters) -> ScorerScratch:
    """Return room for scorers of the sizes of these, or smaller ones."""
    hidden_size = max(len(one.head) for one in parameters)
    head_size = max(len(one.head_bias) for one in parameters)
    room = 1 + max(OBSERVATION_SIZE + NUM_DERIVED, hidden_size, max(len(one.play) for one in parameters))
    return ScorerScratch(
        np.zeros(hidden_size, np.float32),
        np.zeros(hidden_size, np.float32),
        np.zeros(head_size, np.float32),
        np.zeros(room, np.int64),
        np.zeros(room, np.float32),
    )


@inline_kernel
def _add_rows(out, matrix, places, factors, count):
    """Add `factors[k]` times row `places[k]` of a matrix for the first `count` places."""
    size = out.shape[0]
    whole = count & ~3
    for start in range(0, whole, 4):
        first, second = matrix[places[start]], matrix[places[start + 1]]
        third, fourth = matrix[places[start + 2]], matrix[places[start + 3]]
        a, b, c, d = factors[start], factors[start + 1], factors[start + 2], factors[start + 3]
        for unit in range(size):
            out[unit] += (a * first[unit] + b * second[unit]) + (c * third[unit] + d * fourth[unit])
    for place in range(whole, count):
        row = matrix[places[place]]
        a = factors[place]
        for unit in range(size):
            out[unit] += a * row[unit]


@inline_kernel
def _positive(units, places, factors):
    """List the units above zero; return how many there are."""
    count = 0
    for unit in range(units.shape[0]):
        # Without a branch, which would be guessed wrongly half of the time.
        places[count] = unit
        factors[count] = units[unit]
        count += units[unit] > 0
    return count


@kernel
def _list_inputs(observation, all_higher, places, factors):
    """List the inputs that are not zero, derived ones behind the observation; return how many there are."""
    count = 0
    for byte in range(OBSERVATION_SIZE):
        places[count] = byte
        factors[count] = observation[byte]
        count += observation[byte] != 0
    ones = 0
    twos = 0
    for face in range(NUM_FACES):
        unseen = 2 - int(observation[HAND + face]) - int(observation[BURIED + face])
        for seat in range(NUM_SEATS):
            unseen -= int(observation[PLAYED + seat * NUM_FACES + face])
        if unseen > 0:
            ones |= 1 << face
            places[count] = OBSERVATION_SIZE + UNSEEN + face
            factors[count] = 0.5 * unseen
            count += 1
        if unseen > 1:
            twos |= 1 << face
            places[count] = OBSERVATION_SIZE + PAIRS_UNSEEN + face
            factors[count] = 1.0
            count += 1
    trump = 0
    for suit in range(1, NUM_SUITS):
        if observation[TRUMP + suit] != 0:
            trump = suit
    higher = all_higher[trump]
    for face in range(NUM_FACES):
        held = int(observation[HAND + face])
        if held == 0:
            continue
        pairs = popcount(twos & higher[face])
        cards = popcount(ones & higher[face]) + pairs
        if cards > 0:
            places[count] = OBSERVATION_SIZE + HIGHER_UNSEEN + face
            factors[count] = min(cards, MOST_HIGHER) / HIGHER_SCALE
            count += 1
        else:
            places[count] = OBSERVATION_SIZE + MASTERS + face
            factors[count] = 1.0
            count += 1
        if held == 2 and pairs == 0:
            places[count] = OBSERVATION_SIZE + MASTER_PAIRS + face
            factors[count] = 1.0
            count += 1
    return count


@inline_kernel
def _list_play(cards, features, places, factors):
    """List the inputs of a play that are not zero; return how many there are."""
    count = 0
    for face in range(NUM_FACES):
        copies = int(cards[face])
        if copies > 0:
            places[count] = face
            factors[count] = 1.0
            count += 1
        if copies > 1:
            places[count] = NUM_FACES + face
            factors[count] = 1.0
            count += 1
    for feature in range(features.shape[0]):
        places[count] = CARD_INPUTS + feature
        factors[count] = features[feature]
        count += features[feature] != 0
    return count


@kernel
def order_row(table, rules):
    """Return the row of `observation_orders` and `face_places` by which the acting seat's decision is seen."""
    trump = int(table.trump)
    if trump == NO_TRUMP_YET:
        return NUM_ORDERS - 1
    seat = int(table.acting)
    first = second = third = -1
    most = next_most = -1
    place = 0
    for suit in range(NUM_SUITS):
        if suit == trump:
            continue
        bits = rules.group_bits[table.layout, suit]
        cards = count_cards(table.hand_ones[seat] & bits, table.hand_twos[seat] & bits)
        if cards > most:
            third, second, next_most = second, first, most
            first, most = place, cards
        elif cards > next_most:
            third, second, next_most = second, place, cards
        else:
            third = place
        place += 1
    return NUM_SIDE_ORDERS * trump + 2 * first + (second > third)


@kernel
def observe_for_scorer(table, rules, order, plain, observation):
    """Write what the acting seat knows as a scorer sees it, uint8 [O].

    order: int64 [O], a row of `suit_orders.observation_orders`. The table may be what the seat knows of it, where other
    hands are empty: so in bury and play the numbers of cards in hands are reckoned from what has been played.
    """
    seat = int(table.acting)
    write_observation(table, rules, seat, plain)
    if table.phase == BURY or table.phase == PLAY:
        for place in range(NUM_SEATS):
            other = (seat + place) & 3
            cards = DEALT_CARDS - count_cards(table.played_ones[other], table.played_twos[other])
            if other == table.declarer and table.phase == BURY:
                cards += BOTTOM_CARDS
            plain[HAND_CARDS + place] = cards
    for byte in range(observation.shape[0]):
        observation[byte] = plain[order[byte]]


@kernel
def score_plays(observation, cards, features, count, parameters, scratch, points, bonus):
    """Write what a scorer expects of the first `count` plays of a decision, in units of `POINTS_PER_UNIT`.

    observation: uint8 [observation size], suits with trump first, as are cards: uint8 [>= count, 54], copies by face.
    features: float32 [>= count, F]; points, bonus: float32 [>= count].
    Returns the value of the decision, in the same units; its own side's view, as all answers.
    """
    places, factors = scratch.places, scratch.factors
    hidden_size, head_size = parameters.head.shape
    hidden, state, head = scratch.hidden[:hidden_size], scratch.state[:hidden_size], scratch.head[:head_size]
    hidden[:] = parameters.inputs_bias
    num = _list_inputs(observation, parameters.higher, places, factors)
    _add_rows(hidden, parameters.inputs, places, factors, num)
    num = _positive(hidden, places, factors)
    state[:] = parameters.middle_bias
    for index in range(num):  # the embedding passes by the second layer as well
        state[places[index]] += factors[index]
    _add_rows(state, parameters.middle, places, factors, num)
    value = parameters.value_bias[0]
    for unit in range(state.shape[0]):
        value += max(state[unit], np.float32(0)) * parameters.value[unit]
    for play in range(count):
        hidden[:] = state
        num = _list_play(cards[play], features[play], places, factors)
        _add_rows(hidden, parameters.play, places, factors, num)
        num = _positive(hidden, places, factors)
        head[:] = parameters.head_bias
        _add_rows(head, parameters.head, places, factors, num)
        first, second = parameters.answers_bias[0], parameters.answers_bias[1]
        for unit in range(head.shape[0]):
            kept = max(head[unit], np.float32(0))
            first += kept * parameters.answers[0, unit]
            second += kept * parameters.answers[1, unit]
        points[play] = first
        bonus[play] = second
    return value
