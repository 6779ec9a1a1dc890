"""Cards, hands and results as people read them."""

from collections.abc import Iterable, Mapping
from typing import Any

from baofen.envs.cards import FACE_NAMES, LITTLE_JOKER, NUM_RANKS, NUM_SUITS, SUITS

SYMBOLS = "♠♥♣♦"
"""The suits s h c d."""


def suit_symbol(suit: str) -> str:
    """Return the symbol of a suit s h c d.

    >>> suit_symbol("h")
    '♥'
    """
    return SYMBOLS[SUITS.index(suit)]


def card_text(face: int) -> str:
    """Return a face with the symbol of its suit.

    >>> [card_text(8), card_text(52)]
    ['10♠', 'LJ']
    """
    name = FACE_NAMES[face]
    if face >= LITTLE_JOKER:
        return name
    return name[0].replace("T", "10") + SYMBOLS[face // NUM_RANKS]


def cards_text(faces: Iterable[int]) -> str:
    """Return faces with symbols, suit by suit, high cards first.

    >>> cards_text([0, 12, 13, 53])
    'BJ A♠ 2♠ 2♥'
    """
    return " ".join(card_text(face) for face in sorted(faces, key=_reading_order))


def hand_text(faces: Iterable[int]) -> str:
    """Return a hand with each suit named once.

    >>> hand_text([0, 12, 12, 13, 53])
    'BJ | ♠ A A 2 | ♥ 2'
    """
    held = sorted(faces, key=_reading_order)
    parts = [" ".join(FACE_NAMES[face] for face in held if face >= LITTLE_JOKER)]
    for suit in range(NUM_SUITS):
        ranks = [card_text(face)[:-1] for face in held if face < LITTLE_JOKER and face // NUM_RANKS == suit]
        parts.append(" ".join([SYMBOLS[suit], *ranks]) if ranks else "")
    return " | ".join(part for part in parts if part)


def result_text(result: Mapping[str, Any]) -> str:
    """Return the result of a deal (`record.md`) in a line."""
    if result["captured"] is None:
        opening = "nobody declares" if result["declarer"] is None else f"seat {result['declarer']} declared"
    else:
        done = "makes it" if result["score"] >= 0 else "fails"
        opening = (
            f"seat {result['declarer']} promised {result['target']} with trump {suit_symbol(result['trump'])}, "
            f"got {result['captured']} and {done}: score {result['score']:+d}"
        )
        if "trump_points" in result:
            opening += f" ({result['trump_points']} trump points)"
    rewards = " ".join(f"{reward:+d}" for reward in result["rewards"])
    pot = f", pot {result['pot']}" if result["pot"] else ""
    return f"{opening}; rewards {rewards}{pot}"


def _reading_order(face: int) -> tuple[int, int]:
    """Return a sorting key: jokers first, then suit by suit, high cards first."""
    if face >= LITTLE_JOKER:
        return -1, -face
    return face // NUM_RANKS, -face
