"""How a deal of a record begins: everything at the top but the actions and the result (`record.md`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from baofen.envs.cards import NUM_SEATS, parse_cards
from baofen.envs.deal_checks import check_deck, check_situation, deck_of_hands
from baofen.envs.history import RECORD_FORMAT
from baofen.envs.records.errors import RecordError
from baofen.envs.rules import Rules


@dataclass(frozen=True, eq=False)
class DealHeader:
    """The beginning of a deal, checked.

    deck: 108 faces in dealing order, 100 in seat order from the first caller on, then the bottom.
    """

    rules: Rules
    first_caller: int
    pot: int
    pot_age: int
    totals: tuple[int, ...]
    deck: tuple[int, ...]


READERS: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {RECORD_FORMAT: lambda record: record}
"""By `format`, what turns a record of that version into one of the version that is written now."""


def read_version(record: Any) -> Mapping[str, Any]:
    """Return a record, of any version that there is a reader for, as one of the version that is written now.

    Raises:
        RecordError: if it is no object, or of no such version.
    """
    if not isinstance(record, Mapping):
        raise RecordError(None, "bad_format", f"a record is a JSON object, not {_kind(record)}")
    version = record.get("format")
    reader = READERS.get(version) if isinstance(version, str) else None
    if reader is None:
        raise RecordError(None, "bad_format", f"format must be {' or '.join(map(repr, READERS))}, not {version!r}")
    return reader(record)


def read_header(record: Mapping[str, Any]) -> DealHeader:
    """Return the checked beginning of the deal of a record of the version that is written now.

    Raises:
        RecordError: for the first fault, with no action index.
    """
    rules = _read_rules(_needed(record, "rules"), record.get("options", {}))
    first_caller, pot, totals = (_needed(record, key) for key in ("first_caller", "pot", "totals"))
    pot_age = record.get("pot_age", 1 if pot else 0)
    try:
        check_situation(rules, first_caller, totals, pot, pot_age)
    except ValueError as error:
        raise _header_fault(str(error)) from error
    if not isinstance(_needed(record, "actions"), list):
        raise _header_fault(f"actions must be a list, not {_kind(record['actions'])}")
    if rules.record["exposure"][0]:
        deck = read_cards(_needed(record, "dealt"), None, "dealt")
    else:
        deck = _read_hands(_needed(record, "hands"), _needed(record, "bottom"), first_caller)
    try:
        check_deck(deck)
    except ValueError as error:
        raise RecordError(None, "bad_cards", str(error)) from error
    return DealHeader(rules, first_caller, pot, pot_age, tuple(totals), tuple(deck))


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
        return Rules(preset, options)
    except ValueError as error:
        raise RecordError(None, "bad_option", str(error)) from error


def _read_hands(hands: object, bottom: object, first_caller: int) -> list[int]:
    if not isinstance(hands, list) or len(hands) != NUM_SEATS:
        raise RecordError(None, "bad_cards", "hands must be a list of four card strings")
    faces = [read_cards(hand, None, f"hand of seat {seat}") for seat, hand in enumerate(hands)]
    bottom_faces = read_cards(bottom, None, "bottom")
    try:
        return deck_of_hands(faces, bottom_faces, first_caller)
    except ValueError as error:
        raise RecordError(None, "bad_cards", str(error)) from error


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
