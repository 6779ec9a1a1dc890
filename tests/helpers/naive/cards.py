"""A card is its name: rank first, suit second, `As`, `Td`, `LJ`, `BJ`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

SUITS = "shcd"
RANKS = "23456789TJQKA"
FACES = [rank + suit for suit in SUITS for rank in RANKS] + ["LJ", "BJ"]
SAME_COLOUR = {"s": "c", "c": "s", "h": "d", "d": "h"}
SEATS = (0, 1, 2, 3)


def face_id(card: str) -> int:
    """The number of a face: suit by suit (s h c d), each 2 to A, then the jokers."""
    return FACES.index(card)


def points(cards: Iterable[str]) -> int:
    """A 5 is worth 5, a T and a K 10 each."""
    return sum({"5": 5, "T": 10, "K": 10}.get(card[0], 0) for card in cards)


def suit_points(cards: Iterable[str], suit: str) -> int:
    """The points that lie on cards of one suit."""
    return points(card for card in cards if card[1] == suit)


def two_packs() -> list[str]:
    """Every face exists twice."""
    return FACES * 2


def holds(hand: Iterable[str], cards: Iterable[str]) -> bool:
    """True if the hand holds all the cards, twins counted."""
    have = Counter(hand)
    return all(have[card] >= number for card, number in Counter(cards).items())


def without(hand: Iterable[str], cards: Iterable[str]) -> list[str]:
    """The hand less the cards, its order kept."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return rest


def next_seat(seat: int) -> int:
    """Play, dealing and calling run from seat i to seat i + 1."""
    return (seat + 1) % 4


def seats_from(seat: int) -> list[int]:
    """All four seats in order, this one first."""
    return [(seat + step) % 4 for step in range(4)]


class Illegal(ValueError):
    """An action that the rules do not allow; `reason` is its class."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
