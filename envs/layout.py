"""The order of the cards for each preset and trump, as tables (`rules.md` sections 2 and 4, Trump and Runs).

A layout puts the 54 faces at positions 0 .. 53 so that a group is one stretch of positions, weak to strong, and the
neighbours of a run lie side by side. Suzhou with spades as trump:

    side suits h, c, d      3 4 5 6 7 8 9 T J Q K A         12 positions each, all on runs
    trump                   3 4 5 6 7 8 9 T J Q K A | 2h 2c 2d | 2s | LJ BJ
                            '-------- one run ----'   equal           joker tractor

Layout 4, used before trump is known, is the plain order of the faces without groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baofen.envs.cards import (
    BIG_JOKER,
    FACE_POINTS,
    LITTLE_JOKER,
    NUM_FACES,
    NUM_RANKS,
    NUM_SUITS,
    RANKS,
    SUITS,
    face_of,
)
from baofen.envs.core.dtypes import NO_TRUMP_YET, NUM_LAYOUTS, TRUMP_GROUP

WORD_BITS = 64
SAME_COLOUR = {"s": "c", "c": "s", "h": "d", "d": "h"}


@dataclass(frozen=True)
class TrumpOrder:
    """The order of the trump group above its ace, and the cards that are no run cards of their suit.

    Each entry of `above_ace` is a tuple of faces of equal rank, weak to strong.
    """

    above_ace: Sequence[tuple[int, ...]]
    joker_run: bool
    red_five: bool


def suzhou_order(trump: str, joker_run: bool) -> TrumpOrder:
    """Return `BJ > LJ > 2m > 2o > A ...` (`rules.md` section 2)."""
    others = tuple(face_of("2", suit) for suit in SUITS if suit != trump)
    above_ace = [others, (face_of("2", trump),), (LITTLE_JOKER,), (BIG_JOKER,)]
    return TrumpOrder(above_ace, joker_run=joker_run, red_five=False)


def hongwu_order(trump: str, joker_run: bool) -> TrumpOrder:
    """Return `5h > BJ > LJ > main 3 > sub 3 > 2m > 2o > A ...` (`rules.md` section 4)."""
    others = tuple(face_of("2", suit) for suit in SUITS if suit != trump)
    above_ace = [
        others,
        (face_of("2", trump),),
        (face_of("3", SAME_COLOUR[trump]),),
        (face_of("3", trump),),
        (LITTLE_JOKER,),
        (BIG_JOKER,),
        (face_of("5", "h"),),
    ]
    return TrumpOrder(above_ace, joker_run=joker_run, red_five=True)


def fill_layout(record: np.void, trump: int, order: TrumpOrder) -> None:
    """Write the tables of one trump into a record of the `RULES` dtype."""
    special = [face for equals in order.above_ace for face in equals]
    position = 0
    links = 0
    stretches: list[tuple[int, list[tuple[int, ...]], bool]] = []
    own: list[tuple[int, ...]] = []
    for suit in range(NUM_SUITS):
        faces = [face_of(rank, SUITS[suit]) for rank in RANKS]
        plain: list[tuple[int, ...]] = [(face,) for face in faces if face not in special]
        if suit != trump:
            stretches.append((suit, plain, True))
        else:
            own = plain
    stretches.append((TRUMP_GROUP, own, True))
    stretches.append((TRUMP_GROUP, list(order.above_ace), False))
    rank = 0
    for group, ranks, is_run in stretches:
        if is_run:  # a group starts anew, but the cards above the trump ace go on counting
            rank = 0
        for index, equals in enumerate(ranks):
            for face in equals:
                record["face"][trump, position] = face
                record["position"][trump, face] = position
                record["group"][trump, position] = group
                record["rank"][trump, position] = rank
                record["group_bits"][trump, group] |= 1 << position
                if is_run and index + 1 < len(ranks):
                    links |= 1 << position
                position += 1
            rank += 1
    if order.joker_run:
        links |= 1 << int(record["position"][trump, LITTLE_JOKER])
    record["links"][trump] = links
    if order.red_five:
        record["red_five"][trump] = 1 << int(record["position"][trump, face_of("5", "h")])
    for low in range(NUM_FACES):
        for high in range(NUM_FACES):
            same = record["group"][trump, low] == record["group"][trump, high]
            if same and record["rank"][trump, high] > record["rank"][trump, low]:
                record["higher"][trump, low] |= 1 << high


def fill_plain_layout(record: np.void) -> None:
    """Write layout 4: positions are faces, one group, no order."""
    for face in range(NUM_FACES):
        record["face"][NO_TRUMP_YET, face] = face
        record["position"][NO_TRUMP_YET, face] = face
        record["group"][NO_TRUMP_YET, face] = TRUMP_GROUP
    record["group_bits"][NO_TRUMP_YET, TRUMP_GROUP] = (1 << NUM_FACES) - 1


def fill_moves(record: np.void) -> None:
    """Write how words of positions become words of faces, for every layout: cards moved equally far go together."""
    for layout in range(NUM_LAYOUTS):
        distances = record["face"][layout].astype(int) - range(NUM_FACES)
        for index, distance in enumerate(sorted(set(distances.tolist()))):
            moved = (distances == distance).nonzero()[0].tolist()
            record["move_bits"][layout, index] = sum(1 << position for position in moved)
            record["move_turns"][layout, index] = distance % WORD_BITS


def fill_points_and_ranks(record: np.void) -> None:
    """Write where the points lie and where the cards of each rank lie, for every layout."""
    for layout in range(NUM_LAYOUTS):
        for face in range(NUM_FACES):
            bit = 1 << int(record["position"][layout, face])
            if FACE_POINTS[face] == 5:
                record["fives"][layout] |= bit
            elif FACE_POINTS[face] == 10:
                record["tens"][layout] |= bit
            if face < LITTLE_JOKER:
                record["eight_bits"][layout, face % NUM_RANKS] |= bit
    little = int(record["position"][0, LITTLE_JOKER])
    record["joker_bits"] = 0b11 << little
