"""Situations in the middle of a deal, written in cards, for the tests of agents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import COMMIT
from baofen.envs.cards import SUITS, format_cards, parse_cards
from baofen.envs.core.dtypes import NOBODY, PLAY, TABLE
from baofen.envs.core.step import apply, update_legal
from baofen.envs.rules import Rules

SUZHOU = Rules("suzhou")


def words(rules: Rules, trump: int, cards: str) -> tuple[int, int]:
    """Cards as two words in the layout of a trump."""
    ones = twos = 0
    for face in parse_cards(cards):
        bit = 1 << int(rules.record["position"][0, trump, face])
        twos |= ones & bit
        ones |= bit
    return ones, twos


def cards_of(rules: Rules, trump: int, ones: int, twos: int) -> str:
    """The cards of two words, sorted."""
    faces = []
    for position in range(54):
        copies = (int(ones) >> position & 1) + (int(twos) >> position & 1)
        faces += [int(rules.record["face"][0, trump, position])] * copies
    return format_cards(faces)


def sorted_cards(cards: str) -> str:
    """Cards in the order of `cards_of`."""
    return format_cards(parse_cards(cards))


def situation(
    hands: Sequence[str],
    *,
    trick: Sequence[str] = (),
    leader: int = 0,
    declarer: int = 0,
    trump: str = "s",
    gone: str = "",
    rules: Rules = SUZHOU,
) -> NDArray[np.void]:
    """A table [1] in play: `hands` of the seats 0 .. 3, then the plays of `trick` made from `leader` on.

    gone: cards that the seat after the leader has played before.
    """
    suit = SUITS.index(trump)
    tables = np.zeros(1, TABLE)
    table = tables[0]
    table["phase"] = PLAY
    table["trump"] = table["layout"] = suit
    table["declarer"] = declarer
    table["target"] = 85
    table["acting"] = table["leader"] = leader
    table["deals_per_match"] = 1
    table["lead_group"] = NOBODY
    table["captured_trump"] = table["conceded_trump"] = 5
    for seat, hand in enumerate(hands):
        table["hand_ones"][seat], table["hand_twos"][seat] = words(rules, suit, hand)
    table["played_ones"][(leader + 1) % 4], table["played_twos"][(leader + 1) % 4] = words(rules, suit, gone)
    update_legal(table, rules.record[0])
    for turn, play in enumerate(trick):
        for face in parse_cards(play):
            apply(table, rules.record[0], face)
        if turn == 0:
            apply(table, rules.record[0], COMMIT)
    return tables
