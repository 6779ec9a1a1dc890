"""How a single deal may begin: what tables made by hand and game records are held to alike (`rules.md` sections 1, 2)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from baofen.envs.cards import BOTTOM_CARDS, FACE_NAMES, HAND_CARDS, NUM_CARDS, NUM_SEATS, count_faces, is_seat, is_whole
from baofen.envs.core.settle import POT_SHARED_AT
from baofen.envs.rules import Rules

MOST_POINTS = 10**9
"""Totals beyond this are refused: they would not fit a table."""
MOST_DEALS = 2**31 - 1
OLDEST_POT = 4
"""Most deals that a pot can have lived before this one: it is shared at the end of its fifth."""


def check_deals_per_match(deals_per_match: Any) -> int:
    """Return a number of deals, if a match can have so many.

    Raises:
        ValueError: if it is not a whole number from 1 on.
    """
    if not is_whole(deals_per_match) or not 1 <= deals_per_match <= MOST_DEALS:
        raise ValueError(f"deals_per_match must be a whole number from 1 to {MOST_DEALS}, not {deals_per_match!r}")
    return int(deals_per_match)


def check_situation(rules: Rules, first_caller: Any, totals: Any, pot: Any, pot_age: Any) -> None:
    """Refuse a first caller, running totals or a pot that no deal can begin with.

    Raises:
        ValueError: for the first fault.
    """
    _check_first_caller(first_caller)
    if not is_whole(pot) or not 0 <= pot < POT_SHARED_AT:
        raise ValueError(f"pot must be a whole number from 0 to {POT_SHARED_AT - 1}, not {pot!r}")
    if pot and not rules.has_pot:
        raise ValueError(f"a pot of {pot} needs the option all_pass = pot")
    if not is_whole(pot_age) or pot_age not in (range(1, OLDEST_POT + 1) if pot else range(1)):
        wanted = f"1 .. {OLDEST_POT} with a pot" if pot else "0 without a pot"
        raise ValueError(f"pot_age must be {wanted}, not {pot_age!r}")
    if not isinstance(totals, Sequence | np.ndarray) or len(totals) != NUM_SEATS or not all(map(is_whole, totals)):
        raise ValueError(f"totals must be four whole numbers, not {totals!r}")
    if any(abs(int(total)) > MOST_POINTS for total in totals):
        raise ValueError(f"totals must lie within {MOST_POINTS}: {totals!r}")


def _check_first_caller(seat: Any) -> None:
    if not is_seat(seat):
        raise ValueError(f"first_caller must be a seat 0 .. 3, not {seat!r}")


def check_deck(deck: Sequence[int]) -> None:
    """Refuse faces that are not two whole packs.

    Raises:
        TypeError: if there is no sequence of faces.
        ValueError: with what is wrong.
    """
    if not isinstance(deck, Sequence | np.ndarray):
        raise TypeError(f"a deck is a sequence of {NUM_CARDS} faces, not {deck!r}")
    if len(deck) != NUM_CARDS:
        raise ValueError(f"a deck has {NUM_CARDS} cards, not {len(deck)}")
    strange = [face for face in deck if not is_whole(face) or not 0 <= face < len(FACE_NAMES)]
    if strange:
        raise ValueError(f"faces are whole numbers 0 .. {len(FACE_NAMES) - 1}, not {strange[0]!r}")
    copies = count_faces(deck)
    if np.any(copies != 2):
        face = int(np.flatnonzero(copies != 2)[0])
        raise ValueError(f"{FACE_NAMES[face]} is dealt {copies[face]} times, not twice")


def deck_of_hands(hands: Sequence[Sequence[int]], bottom: Sequence[int], first_caller: int) -> list[int]:
    """Return the deck, in dealing order from the first caller on, that gives these faces to the seats and the bottom.

    Raises:
        ValueError: if there are not four hands of 25 cards and a bottom of 8, or no such first caller.
    """
    _check_first_caller(first_caller)
    if len(hands) != NUM_SEATS:
        raise ValueError(f"there are {NUM_SEATS} hands, not {len(hands)}")
    for seat, hand in enumerate(hands):
        if len(hand) != HAND_CARDS:
            raise ValueError(f"the hand of seat {seat} has {len(hand)} cards, not {HAND_CARDS}")
    if len(bottom) != BOTTOM_CARDS:
        raise ValueError(f"the bottom has {len(bottom)} cards, not {BOTTOM_CARDS}")
    order = [(int(first_caller) + turn) % NUM_SEATS for turn in range(NUM_SEATS)]
    return [hands[seat][turn] for turn in range(HAND_CARDS) for seat in order] + list(bottom)
