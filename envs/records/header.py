"""How a deal of a record begins: everything at the top but the actions and the result (`record.md`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from baofen.envs.cards import (
    BOTTOM_CARDS,
    FACE_NAMES,
    HAND_CARDS,
    NUM_CARDS,
    NUM_SEATS,
    count_faces,
    parse_cards,
)
from baofen.envs.history import RECORD_FORMAT
from baofen.envs.records.errors import RecordError
from baofen.envs.rules import Rules

MOST_POINTS = 10**9
"""Totals and pots beyond this are refused: they would not fit a table."""
OLDEST_POT = 4


@dataclass(frozen=True, eq=False)
class Start:
    """The beginning of a deal, checked.

    deck: 108 faces in dealing order, 100 in seat order from the first caller on, then the bottom.
    """

    rules: Rules
    first_caller: int
    pot: int
    pot_age: int
    totals: tuple[int, ...]
    deck: tuple[int, ...]


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number; `true` and `1.0` are not."""
    return type(value) is int


def read_start(record: Any) -> Start:
    """Return the checked beginning of the deal of a record.

    Raises:
        RecordError: for the first fault, with no action index.
    """
    if not isinstance(record, Mapping):
        raise RecordError(None, "bad_format", f"a record is a JSON object, not {_kind(record)}")
    if record.get("format") != RECORD_FORMAT:
        raise RecordError(None, "bad_format", f"format must be {RECORD_FORMAT!r}, not {record.get('format')!r}")
    rules = _read_rules(_needed(record, "rules"), record.get("options", {}))
    first_caller = _needed(record, "first_caller")
    if not is_seat(first_caller):
        raise _header_fault(f"first_caller must be a seat 0 .. 3, not {first_caller!r}")
    pot, pot_age = _read_pot(record, rules)
    totals = _needed(record, "totals")
    if not isinstance(totals, list) or len(totals) != NUM_SEATS or not all(map(is_whole, totals)):
        raise _header_fault(f"totals must be four whole numbers, not {totals!r}")
    if any(abs(total) > MOST_POINTS for total in totals):
        raise _header_fault(f"totals must lie within {MOST_POINTS}: {totals!r}")
    if not isinstance(_needed(record, "actions"), list):
        raise _header_fault(f"actions must be a list, not {_kind(record['actions'])}")
    if rules.record["exposure"][0]:
        deck = _read_dealt(_needed(record, "dealt"))
    else:
        deck = _read_hands(_needed(record, "hands"), _needed(record, "bottom"), first_caller)
    copies = count_faces(deck)
    if np.any(copies != 2):
        face = int(np.flatnonzero(copies != 2)[0])
        raise RecordError(None, "bad_cards", f"{FACE_NAMES[face]} is dealt {copies[face]} times, not twice")
    return Start(rules, first_caller, pot, pot_age, tuple(totals), tuple(deck))


def is_seat(value: object) -> bool:
    """Return whether a value is a whole number 0 .. 3."""
    return type(value) is int and 0 <= value < NUM_SEATS


def read_cards(text: object, index: int | None, what: str) -> list[int]:
    """Return the faces of a card string of a record.

    Raises:
        RecordError: with that action index, if it is no string or names a card that does not exist.
    """
    if not isinstance(text, str):
        raise RecordError(index, "bad_card", f"{what} must be a string of cards, not {_kind(text)}")
    try:
        return parse_cards(text)
    except ValueError as error:
        raise RecordError(index, "bad_card", f"{what}: {error}") from error


def _read_rules(preset: object, options: object) -> Rules:
    if not isinstance(preset, str):
        raise RecordError(None, "bad_option", f"rules must be the name of a preset, not {_kind(preset)}")
    if not isinstance(options, Mapping):
        raise RecordError(None, "bad_option", f"options must be a JSON object, not {_kind(options)}")
    try:
        return _shared(Rules(preset, options))
    except ValueError as error:
        raise RecordError(None, "bad_option", str(error)) from error


@cache
def _shared(rules: Rules) -> Rules:
    """Return the first of equal rules, so that the core's tables are made once."""
    return rules


def _read_pot(record: Mapping[str, Any], rules: Rules) -> tuple[int, int]:
    pot = _needed(record, "pot")
    if not is_whole(pot) or not 0 <= pot <= MOST_POINTS:
        raise _header_fault(f"pot must be a whole number from 0 to {MOST_POINTS}, not {pot!r}")
    if pot and not rules.has_pot:
        raise _header_fault(f"a pot of {pot} needs the option all_pass = pot")
    pot_age = record.get("pot_age", 1 if pot else 0)
    allowed = range(1, OLDEST_POT + 1) if pot else range(1)
    if not is_whole(pot_age) or pot_age not in allowed:
        wanted = f"1 .. {OLDEST_POT} with a pot" if pot else "0 without a pot"
        raise _header_fault(f"pot_age must be {wanted}, not {pot_age!r}")
    return pot, pot_age


def _read_dealt(text: object) -> list[int]:
    deck = read_cards(text, None, "dealt")
    if len(deck) != NUM_CARDS:
        raise RecordError(None, "bad_cards", f"dealt has {len(deck)} cards, not {NUM_CARDS}")
    return deck


def _read_hands(hands: object, bottom: object, first_caller: int) -> list[int]:
    if not isinstance(hands, list) or len(hands) != NUM_SEATS:
        raise RecordError(None, "bad_cards", "hands must be a list of four card strings")
    faces = [read_cards(hand, None, f"hand of seat {seat}") for seat, hand in enumerate(hands)]
    for seat, hand in enumerate(faces):
        if len(hand) != HAND_CARDS:
            raise RecordError(None, "bad_cards", f"the hand of seat {seat} has {len(hand)} cards, not {HAND_CARDS}")
    bottom_faces = read_cards(bottom, None, "bottom")
    if len(bottom_faces) != BOTTOM_CARDS:
        raise RecordError(None, "bad_cards", f"the bottom has {len(bottom_faces)} cards, not {BOTTOM_CARDS}")
    order = [(first_caller + turn) % NUM_SEATS for turn in range(NUM_SEATS)]
    return [faces[seat][turn] for turn in range(HAND_CARDS) for seat in order] + bottom_faces


def _needed(record: Mapping[str, Any], key: str) -> Any:
    if key not in record:
        raise _header_fault(f"{key} is missing")
    return record[key]


def _header_fault(message: str) -> RecordError:
    return RecordError(None, "bad_header", message)


def _kind(value: object) -> str:
    """Return what a value is, in the words of JSON."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), f"the number {value!r}")
