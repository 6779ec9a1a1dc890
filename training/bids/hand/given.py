"""A hand as a person gives it: 25 cards, the auction so far, and what one of the four then sees.

Seats count from the first caller: 0 speaks first. The cards of the others are unknown; a deal that gives them some is
made up only to have a table, and is removed from the view.
"""

import re
from collections.abc import Sequence

import numpy as np

from baofen.envs.actions import PASS, call_action
from baofen.envs.cards import (
    BIG_JOKER,
    FACE_NAMES,
    HAND_CARDS,
    LITTLE_JOKER,
    NUM_CARDS,
    NUM_FACES,
    NUM_SEATS,
    SUITS,
    count_faces,
    face_of,
)
from baofen.envs.core.dtypes import Phase
from baofen.envs.explain import explain
from baofen.envs.render.text import SYMBOLS
from baofen.envs.rules import Rules
from baofen.envs.table import Table
from baofen.envs.views import Views, make_views
from baofen.training.errors import UserError

COPIES = 2
JOKERS = {"BJ": BIG_JOKER, "LJ": LITTLE_JOKER, "大王": BIG_JOKER, "小王": LITTLE_JOKER}
RANK = re.compile(r"10|[2-9TJQKA]")
WHOLE = re.compile(r"(10|[2-9TJQKA])([SHCD♠♥♣♦])|([♠♥♣♦])(10|[2-9TJQKA])")
VARIATION = "\ufe0f"
"""Follows a suit sign where it is shown as a picture."""
CARDS_LOOK_LIKE = "a card is As, 10d, ♠A, A♠, BJ or LJ (大王, 小王), or stands after its suit's sign, as in ♠ A A 10"


def parse_hand(words: str) -> list[int]:
    """Return the 25 faces of a hand: `As Td LJ`, or as hands are printed, `LJ | ♠ A | ♦ 10`.

    Raises:
        UserError: for an unknown card, a wrong number of cards, or more than two of a face; all faults in one message.
    """
    faces, unknown = _read_faces(words)
    faults = []
    if unknown:
        faults.append(f"unknown card{'s' * (len(unknown) > 1)} {', '.join(map(repr, unknown))}; {CARDS_LOOK_LIKE}")
    elif len(faces) != HAND_CARDS:
        faults.append(f"a hand has {HAND_CARDS} cards, not {len(faces)}")
    counts = np.bincount(np.array(faces, np.int64), minlength=NUM_FACES)
    faults += [
        f"there are {COPIES} of each card, not {counts[face]} {FACE_NAMES[face]}"
        for face in np.flatnonzero(counts > COPIES)
    ]
    if faults:
        raise UserError("; ".join(faults))
    return faces


def _read_faces(words: str) -> tuple[list[int], list[str]]:
    """Return the faces of cards as people write them or as this program prints them, and the words that are no card.

    >>> _read_faces("bj | ♠ A A 10 | ♥ 3, Td 10♣ ♦k 小王 1h")[1]
    ['1h']
    """
    faces: list[int] = []
    unknown = []
    suit = ""  # of `♠ A A 10`, until the next suit
    for word in words.replace(",", " ").replace("|", " | ").replace(VARIATION, "").split():
        jokers, whole, ranks = JOKERS.get(word.upper()), WHOLE.fullmatch(word.upper()), RANK.fullmatch(word.upper())
        if jokers is not None:
            faces.append(jokers)
        elif word == "|":
            suit = ""
        elif word in SYMBOLS:
            suit = word
        elif whole:
            rank, its_suit = (whole[1], whole[2]) if whole[1] else (whole[4], whole[3])
            faces.append(_face(rank, its_suit))
        elif ranks and suit:
            faces.append(_face(ranks[0], suit))
        else:
            unknown.append(word)
    return faces, unknown


def read_suit(word: str) -> str:
    """Return the letter s h c d of a suit given by its letter or its sign; other words as they are.

    >>> read_suit("♥"), read_suit("S"), read_suit("x")
    ('h', 's', 'x')
    """
    return SUITS[SYMBOLS.index(word)] if len(word) == 1 and word in SYMBOLS else word.lower()


def _face(rank: str, suit: str) -> int:
    return face_of(rank.replace("10", "T"), read_suit(suit))


def auction_view(
    rules: Rules, hand: Sequence[int], auction: str = "", *, seat: int | None = None, pot: int = 0, trump: str = ""
) -> Views:
    """Return the view of a seat with a hand, after the calls of `auction` ("85 pass 90"), from the first caller on.

    seat: whose hand it is, 0 .. 3 from the first caller; by default the one to speak after these calls.
    trump: the known trump suit, in rules where it is exposed before the auction.

    Raises:
        UserError: for an auction that cannot be, or one after which it is not the seat's turn.
    """
    words = auction.replace(",", " ").split()
    trump = read_suit(trump)
    table = _table(rules, hand, _speaker(rules, words) if seat is None else seat, pot, trump)
    for index, word in enumerate(words):
        _speak(table, word, index + 1)
    if table.phase != Phase.AUCTION:
        raise UserError(f"the auction is over after {auction!r}")
    if seat is not None and table.acting_seat != seat:
        raise UserError(f"after {auction or 'no call'!r} seat {table.acting_seat} is to speak, not seat {seat}")
    return make_views(table.rules, table.tables)


def _speaker(rules: Rules, words: Sequence[str]) -> int:
    """Return the seat that speaks after an auction."""
    probe = Table(rules)
    trump = SUITS[0] if rules.record["exposure"][0] else ""
    table = _table(rules, sorted(int(face) for face in probe.tables["deck"][0][:HAND_CARDS]), 0, 0, trump)
    for index, word in enumerate(words):
        _speak(table, word, index + 1)
    return max(table.acting_seat, 0)


def _table(rules: Rules, hand: Sequence[int], seat: int, pot: int, trump: str) -> Table:
    """Return a table in its auction, first caller 0, in which a seat holds a hand."""
    if seat not in range(NUM_SEATS):
        raise UserError(f"--seat counts 0 .. 3 from the first caller, not {seat}")
    if pot < 0 or (pot and not rules.has_pot):
        raise UserError(f"there can be no pot of {pot} under these rules")
    left = np.repeat(np.arange(NUM_FACES), COPIES - count_faces(list(hand)))
    deck = np.empty(NUM_CARDS, np.int64)
    own = np.zeros(NUM_CARDS, np.bool_)
    own[seat : NUM_SEATS * HAND_CARDS : NUM_SEATS] = True
    deck[own], deck[~own] = hand, left
    knows_trump = bool(rules.record["exposure"][0])
    if knows_trump != bool(trump):
        needed = "give --trump, the suit that is trump" if knows_trump else "trump is not known in the auction"
        raise UserError(f"{needed} under the rules {rules.preset!r}")
    if trump and trump not in tuple(SUITS):
        raise UserError(f"trump is one of {', '.join(SUITS)}, not {trump!r}")
    table = Table.from_deck(
        deck.tolist(), rules, first_caller=0, pot=pot, pot_age=1 if pot else 0, drawn_suit=SUITS.index(trump or "s")
    )
    while table.phase == Phase.EXPOSE:
        table.pass_()
    return table


def _speak(table: Table, word: str, place: int) -> None:
    """Make one call or pass of the auction."""
    if table.phase != Phase.AUCTION:
        raise UserError(f"the auction is over before its word {place}, {word!r}")
    try:
        action = PASS if word.lower() in ("pass", "p") else call_action(int(word))
    except ValueError:
        raise UserError(f"word {place} of the auction is {word!r}: it must be pass, or a call such as 85") from None
    fault = explain(table.tables, table.rules, action)
    if fault is not None:
        raise UserError(f"word {place} of the auction: {fault.message}")
    table.apply(action)
