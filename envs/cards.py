"""Cards, suits, faces and points: the one vocabulary of the project (`rules.md` section 0).

Two packs hold 54 *faces*, each twice. Faces are numbered suit by suit (s h c d), each 2 3 ... K A,
then the little and the big joker:

    0 .. 12   2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As
    13 .. 25  the same of hearts,  26 .. 38 of clubs,  39 .. 51 of diamonds
    52        LJ
    53        BJ
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

NUM_SEATS = 4
NUM_FACES = 54
NUM_CARDS = 108
HAND_CARDS = 25
BOTTOM_CARDS = 8
SUITS = "shcd"
RANKS = "23456789TJQKA"
NUM_SUITS = len(SUITS)
NUM_RANKS = len(RANKS)
LITTLE_JOKER = 52
BIG_JOKER = 53

FACE_NAMES: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), "LJ", "BJ")
FACE_BY_NAME: dict[str, int] = {name: face for face, name in enumerate(FACE_NAMES)}

RANK_POINTS = {"5": 5, "T": 10, "K": 10}
FACE_POINTS: NDArray[np.int64] = np.array(
    [RANK_POINTS.get(name[0], 0) if face < LITTLE_JOKER else 0 for face, name in enumerate(FACE_NAMES)]
)
"""int64 [54], points on one card of each face (`rules.md` section 0)."""


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number, of Python or numpy; `True` and `1.0` are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_seat(value: Any) -> bool:
    """Return whether a value is a whole number 0 .. 3."""
    return is_whole(value) and 0 <= value < NUM_SEATS


def face_of(rank: str, suit: str) -> int:
    """Return the face of a rank and a suit, as `face_of("5", "h")`.

    >>> FACE_NAMES[face_of("5", "h")]
    '5h'
    """
    return SUITS.index(suit) * NUM_RANKS + RANKS.index(rank)


def parse_card(name: str) -> int:
    """Return the face of a card's name, rank first: `As`, `Td`, `LJ`, `BJ`.

    Raises:
        ValueError: if the name is not that of a card; the message says what a name looks like.
    """
    face = FACE_BY_NAME.get(name)
    if face is None:
        raise ValueError(
            f"unknown card {name!r}: a card is a rank (2 3 ... 9 T J Q K A) and a suit (s h c d), or LJ or BJ"
        )
    return face


def parse_cards(cards: str | Iterable[str]) -> list[int]:
    """Return the faces of several cards, given as one string ("As As Kd") or as names.

    >>> parse_cards("2s LJ")
    [0, 52]
    """
    names = cards.split() if isinstance(cards, str) else list(cards)
    return [parse_card(name) for name in names]


def format_cards(faces: Iterable[int]) -> str:
    """Return the names of faces, sorted by face: the card strings of `record.md`.

    >>> format_cards([52, 0, 0])
    '2s 2s LJ'
    """
    return " ".join(FACE_NAMES[face] for face in sorted(faces))


def count_faces(faces: Sequence[int]) -> NDArray[np.int8]:
    """Return int8 [54], the copies of each face among `faces` (0, 1, 2 in a real deck)."""
    return np.bincount(np.asarray(faces, dtype=np.int64), minlength=NUM_FACES).astype(np.int8)


def expand_counts(counts: NDArray[np.integer]) -> list[int]:
    """Return the faces, ascending, that copies per face [54] stand for."""
    return [int(face) for face in np.repeat(np.arange(NUM_FACES), counts)]
