"""Cards, hands and results as people read them."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
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


def in_reading_order(faces: Iterable[int], trumps: Sequence[int] = ()) -> list[int]:
    """Return faces as people hold them: trumps or jokers first, then suit by suit, high cards first.

    trumps: all faces that are trump, the highest first; none before trump is named.
    """
    places = {face: place for place, face in enumerate(trumps)}
    return sorted(faces, key=lambda face: (-1, places[face]) if face in places else _reading_order(face))


def cards_text(faces: Iterable[int], trumps: Sequence[int] = ()) -> str:
    """Return faces with symbols in reading order.

    >>> cards_text([0, 12, 13, 53])
    'BJ A♠ 2♠ 2♥'
    """
    return " ".join(card_text(face) for face in in_reading_order(faces, trumps))


def hand_text(faces: Iterable[int], trumps: Sequence[int] = ()) -> str:
    """Return a hand with each suit named once, trumps in one part.

    >>> hand_text([0, 12, 12, 13, 53])
    'BJ | ♠ A A 2 | ♥ 2'
    >>> hand_text([0, 12, 12, 13, 14, 53], trumps=[53, 52, 0, 13, *range(12, 0, -1)])
    'BJ 2♠ 2♥ ♠ A A | ♥ 3'
    """
    held = in_reading_order(faces, trumps)
    plain = _plain_trumps(trumps)
    first = [card_text(face) for face in held if face >= LITTLE_JOKER or (face in trumps and face not in plain)]
    parts = [first + _suit_text([face for face in held if face in plain])]
    for suit in range(NUM_SUITS):
        parts.append(_suit_text([face for face in held if _suit(face) == suit and face not in trumps]))
    return " | ".join(" ".join(part) for part in parts if part)


def _plain_trumps(trumps: Sequence[int]) -> set[int]:
    """Return the trumps below those that are raised above their suit: the ranks of the trump suit, one by one."""
    plain: set[int] = set()
    for face in reversed(trumps):
        if face >= LITTLE_JOKER or _suit(face) != _suit(trumps[-1]) or any(face < lower for lower in plain):
            break
        plain.add(face)
    return plain


def _suit_text(faces: Sequence[int]) -> list[str]:
    """Return the symbol of the suit that some faces have, and their ranks."""
    return [SYMBOLS[_suit(faces[0])], *(card_text(face)[:-1] for face in faces)] if faces else []


def _suit(face: int) -> int:
    return face // NUM_RANKS


def fold(line: str, width: int, indent: int) -> str:
    """Return a line broken between words where it is wider than that, what follows set in.

    >>> fold("hand 0  A A 10 9", 12, 8)
    'hand 0  A A\\n        10 9'
    """
    return "\n".join(
        wrap(line, width, subsequent_indent=" " * indent, drop_whitespace=True, break_long_words=False,
             break_on_hyphens=False) or [""]
    )  # fmt: skip


def result_text(result: Mapping[str, Any], letters: bool = False) -> str:
    """Return the result of a deal (`record.md`) in a line; suits as letters for fonts that have no symbols."""
    if result["captured"] is None:
        opening = "nobody declares" if result["declarer"] is None else f"seat {result['declarer']} declared"
    else:
        done = "makes it" if result["score"] >= 0 else "fails"
        opening = (
            f"seat {result['declarer']} promised {result['target']} with trump {result['trump'] if letters else suit_symbol(result['trump'])}, "
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
