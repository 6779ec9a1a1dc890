"""The worked examples of the rules (section 7) as data, and full deals around them.

Trump is spades and the suit led hearts unless an example says otherwise. `deal_around` gives each
example a whole deal in which seat 0 becomes declarer, so that any implementation can be put to it
through its public actions: call, name trump, bury the bottom again, play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

FACES = [rank + suit for suit in "shcd" for rank in "23456789TJQKA"] + ["LJ", "BJ"]


def cards(text: str) -> list[str]:
    """The cards of a string."""
    return text.split()


@dataclass(frozen=True)
class Follow:
    """What seat 1 may and may not play to the lead; `hand` is all it has of the suit led."""

    id: str
    lead: str
    hand: str
    legal: Sequence[str]
    illegal: Sequence[str]
    wins: Sequence[str] | None = None  # which of the legal plays win the trick, where the rules say so
    rules: str = "suzhou"
    can_be_led: bool = True  # False: a throw that this very hand would make fail


@dataclass(frozen=True)
class Trick:
    """Seat 0 leads, seats 1, 2, ... answer in order; seats without an answer discard."""

    id: str
    lead: str
    answers: Sequence[str]
    winner: int
    rules: str = "suzhou"


@dataclass(frozen=True)
class Throw:
    """An attempt, what others hold of the suit, what is led after all, and how many cards are charged."""

    id: str
    attempt: str
    held: Mapping[int, str]  # by seat; the thrower has the rest of the suit
    led: str
    charged: int
    thrower: int = 0
    before: Sequence[tuple[int, str]] = ()  # plays that bring the thrower to the lead
    rules: str = "suzhou"
    options: Mapping[str, object] = field(default_factory=dict)


FOLLOWING = [
    Follow("F1", "9h 9h", "3h 3h 5h 6h 7h 8h", ["3h 3h"], ["5h 6h", "3h 5h"]),
    Follow("F2", "9h 9h", "3h 3h 4h 4h 6h", ["3h 3h", "4h 4h"], ["3h 6h", "3h 4h", "4h 6h"]),
    Follow(
        "F3",
        "7h 7h 8h 8h",
        "3h 3h 4h 4h 5h 5h Kh Kh",
        ["3h 3h 4h 4h", "4h 4h 5h 5h"],
        ["3h 3h 5h 5h", "3h 3h Kh Kh", "Kh Kh 5h 5h"],
    ),
    Follow("F4", "7h 7h 8h 8h", "3h 3h 6h 6h Kh Qh", ["3h 3h 6h 6h"], ["3h 3h Kh Qh", "3h 6h Kh Qh"]),
    Follow("F5", "7h 7h 8h 8h", "3h 3h 6h Kh Qh", ["3h 3h 6h Kh", "3h 3h Kh Qh"], ["3h 6h Kh Qh"]),
    Follow(
        "F6",
        "Th Th Jh Jh Qh Qh Kh Kh",
        "3h 3h 4h 4h 6h 6h 7h 7h 9h 9h 5h Ah",
        ["3h 3h 4h 4h 6h 6h 7h 7h"],
        ["3h 3h 4h 4h 6h 6h 9h 9h", "3h 3h 6h 6h 7h 7h 9h 9h"],
    ),
    Follow(
        "F7",
        "Th Th Jh Jh Qh Qh",
        "3h 3h 4h 4h 6h 6h 8h 8h 9h 5h",
        ["3h 3h 4h 4h 6h 6h", "3h 3h 4h 4h 8h 8h"],
        ["3h 3h 6h 6h 8h 8h", "3h 3h 4h 4h 9h 5h"],
    ),
    Follow(
        "F8",
        "Th Th Jh Jh Qh Qh",
        "3h 3h 4h 4h 5h 5h 6h 6h 7h 7h Kh",
        ["3h 3h 4h 4h 5h 5h", "4h 4h 5h 5h 6h 6h", "5h 5h 6h 6h 7h 7h"],
        ["3h 3h 4h 4h 6h 6h"],
    ),
    Follow(
        "F9",
        "Ah Ah Qh Qh",
        "3h 3h 4h 4h 5h 5h Kh Kh",
        ["3h 3h Kh Kh", "3h 3h 5h 5h", "3h 3h 4h 4h"],
        ["3h 3h Kh 4h", "3h 3h 4h 5h"],
        can_be_led=False,
    ),
    Follow(
        "F9 with 99 for KK",
        "Ah Ah Qh Qh",
        "3h 3h 4h 4h 5h 5h 9h 9h",
        ["3h 3h 9h 9h", "3h 3h 5h 5h", "3h 3h 4h 4h"],
        ["3h 3h 9h 4h", "3h 3h 4h 5h"],
    ),
    Follow(
        "F10",
        "Ah Ah Kh Kh Th Th Qh",
        "5h 5h 6h 6h 7h 7h 8h 9h Jh",
        ["5h 5h 6h 6h 7h 7h 8h", "5h 5h 6h 6h 7h 7h Jh"],
        ["5h 5h 6h 6h 7h 8h 9h", "5h 5h 6h 6h 7h 9h Jh"],
    ),
    Follow(
        "F11",
        "Ah Ah Kh Kh Th Th Jh Jh",
        "5h 5h 6h 6h 7h 7h 9h 9h 3h 3h Qh",
        ["5h 5h 6h 6h 7h 7h 9h 9h", "5h 5h 6h 6h 9h 9h 3h 3h", "6h 6h 7h 7h 9h 9h 3h 3h"],
        ["5h 5h 7h 7h 9h 9h 3h 3h"],
    ),
    Follow(
        "F12",
        "Ah Ah Qh",
        "3h 3h Kh Kh 7h",
        ["3h 3h Kh", "3h 3h 7h", "Kh Kh 3h", "Kh Kh 7h"],
        ["3h Kh 7h"],
        can_be_led=False,
    ),
    Follow(
        "F12 with JJ for KK",
        "Ah Ah Qh",
        "3h 3h Jh Jh 7h",
        ["3h 3h Jh", "3h 3h 7h", "Jh Jh 3h", "Jh Jh 7h"],
        ["3h Jh 7h"],
    ),
    Follow(
        "F13",
        "7s 7s 8s 8s 9s 9s",
        "2s 2s 3s 4s 5s 6s Ts Js",
        ["2s 2s 3s 4s 5s 6s", "2s 2s 4s 6s Ts Js"],
        ["3s 4s 5s 6s Ts Js", "2s 3s 4s 5s 6s Ts"],
    ),
    Follow(
        "F14",
        "5h 5h 6h 6h",
        "3h 8h Jh 4d 4c 3s",
        ["3h 8h Jh 4d", "3h 8h Jh 4c", "3h 8h Jh 3s"],
        ["3h 8h 4d 4c", "8h Jh 4d 3s"],
        wins=[],
    ),
    Follow("F15", "3s 3s 4s 4s", "BJ BJ LJ LJ 9s 7s 6s", ["BJ BJ LJ LJ"], ["9s 7s 6s BJ", "BJ BJ 9s 7s"], wins=[]),
    Follow(
        "F16",
        "3s 3s 4s 4s",
        "BJ BJ LJ LJ 8s 8s 9s 9s",
        ["8s 8s 9s 9s", "BJ BJ LJ LJ"],
        ["8s 8s LJ LJ"],
        wins=["8s 8s 9s 9s"],
    ),
    # Bao Hong Wu: hearts have no 5 any more, so that 6 and 4 are neighbours; 3c is a trump.
    Follow(
        "6h6h4h4h is a run",
        "4h 4h 6h 6h",
        "7h 7h 8h 8h Th Th",
        ["7h 7h 8h 8h"],
        ["7h 7h Th Th"],
        rules="hongwu",
    ),
    Follow(
        "4d4d3d3d is a run",
        "3d 3d 4d 4d",
        "7d 7d 8d 8d Td Td",
        ["7d 7d 8d 8d"],
        ["7d 7d Td Td"],
        rules="hongwu",
    ),
]

TRICKS = [
    Trick("R1", "Ah Kh 5h 5h 4h 4h", ["9s 9s 8s 8s 7s 2s"], winner=1),
    Trick("R2", "Ah Ah 5h 5h 4h 4h", ["9s 9s 8s 8s 7s 2s"], winner=0),
    Trick("R3", "5h 4h 4h", ["9s 7s 7s", "8s 8s 4s"], winner=2),
    Trick("R4", "5h 6h 7h", ["9s 7s 7s", "8s 8s 4s"], winner=1),
    Trick("R5", "Ah Kh Kh", ["5s 5s As", "6s 6s 3s"], winner=2),
    Trick("R6", "8h 8h Jh Qh", ["5s 5s As 2d", "6s 6s 2s 2s"], winner=2),
    Trick("R7", "Ah Kh", ["BJ 3s", "LJ As", "BJ 4s"], winner=1),
    Trick("R8", "Ah Kh", ["2s 2s"], winner=1),
    Trick("R9", "Ah Kh", ["6h 6h"], winner=0),
    Trick("R10", "5h 5h 6h 6h", ["7s 7s 9s 9s"], winner=0),
    Trick("R11", "Qh Qh", ["As Ks"], winner=0),
    Trick("R12", "5h 5h 4h 4h 3h 3h", ["9s 9s 8s 8s 2s 2s"], winner=0),
    Trick("R13", "Ah Ah Kh Kh Th Th Jh Jh", ["3s 3s 4s 4s 5s 5s 6s 6s"], winner=1),
    Trick(
        "R14",
        "Ah Ah Qh Qh Th Th",
        ["2c 2c 9s 9s 3s 3s", "2s 2s Ks Ks Ts Ts", "LJ LJ 5s 5s 7s 7s"],
        winner=3,
    ),
    Trick("R15", "3d", ["Ah", "Ac", "Ah"], winner=0),
    Trick("R16", "5h 5h 6h 6h", ["As As Ks Ks", "BJ BJ LJ LJ"], winner=2),
    Trick("R17", "2c 2c", ["2d 2d", "3s 3s", "4s 4s"], winner=0),
    Trick("T15 ruffed", "Ah Kh", ["3s 3s", "4s 5s"], winner=2),
    Trick("3c above every 2", "2s", ["2d", "3c", "4s"], winner=2, rules="hongwu"),
    Trick("3s beats 3c", "3c", ["2s", "3s", "4s"], winner=2, rules="hongwu"),
    Trick("LJ beats 3s", "3s", ["LJ", "3c", "4s"], winner=1, rules="hongwu"),
]

# T14: seat 1, a defender, comes to the lead with the ace of diamonds.
SEAT_1_WINS = [(0, "3d"), (1, "Ad"), (2, "6d"), (3, "7d")]

THROWS = [
    Throw("T1 AAK", "Ah Ah Kh", {1: "Qh Qh Jh Jh"}, "Ah Ah Kh", 0),
    Throw("T1 AKK", "Ah Kh Kh", {1: "Qh Qh", 2: "Jh"}, "Ah Kh Kh", 0),
    Throw("T1 AQQJJ", "Ah Qh Qh Jh Jh", {1: "Kh Th Th", 3: "9h 9h"}, "Ah Qh Qh Jh Jh", 0),
    Throw("T1 A776655", "Ah 7h 7h 6h 6h 5h 5h", {1: "Kh 8h 8h", 2: "4h 4h 3h 3h"}, "Ah 7h 7h 6h 6h 5h 5h", 0),
    Throw("T2", "8h 5h 5h 3h 3h", {1: "9h 6h", 2: "4h"}, "8h", 1),
    Throw("T3", "8h 5h 5h 3h 3h", {1: "4h 4h", 2: "7h"}, "3h 3h", 2),
    Throw("T4", "8h 5h 5h 3h 3h", {1: "Qh Qh"}, "3h 3h", 5),
    Throw("T5", "9h 8h 8h 4h 4h", {1: "Jh"}, "9h", 1),
    Throw("T6", "9h 8h 8h 4h 4h", {1: "5h 5h"}, "4h 4h", 2),
    Throw("T7", "9h 8h 8h 4h 4h", {1: "Qh Qh"}, "4h 4h", 5),
    Throw("T8", "9h 9h 8h 3h", {1: "4h"}, "3h", 1),
    Throw("T9", "Ah 5h 5h 6h 6h", {1: "7h 7h 9h 9h"}, "Ah 5h 5h 6h 6h", 0),
    Throw("T10", "Ah 5h 5h 6h 6h", {1: "7h 7h 8h 8h 9h 9h"}, "5h 5h 6h 6h", 4),
    Throw("T11", "Ah Ah Kh", {1: "Kh"}, "Ah Ah Kh", 0),
    Throw("T12 BJ LJLJ", "BJ LJ LJ", {1: "BJ 2s 2s As As", 2: "Ks Ks"}, "BJ LJ LJ", 0),
    Throw("T12 BJBJ LJ", "BJ BJ LJ", {1: "LJ 2s 2s As As", 2: "Ks Ks"}, "BJ BJ LJ", 0),
    Throw("T12 BJ LJ 2m2m", "BJ LJ 2s 2s", {1: "LJ 2d 2d As As", 2: "Ks Ks"}, "BJ LJ 2s 2s", 0),
    Throw("T13", "BJ LJ 2s 2s", {1: "BJ 2d 2d"}, "LJ", 1),
    Throw("T14", "8h 5h 5h 3h 3h", {2: "9h"}, "8h", 1, thrower=1, before=SEAT_1_WINS),
    Throw("T15", "Ah Kh", {}, "Ah Kh", 0),
    Throw("T4 single_first", "8h 5h 5h 3h 3h", {1: "Qh Qh"}, "8h", 5, options={"throw_forced": "single_first"}),
    Throw("T3 all", "8h 5h 5h 3h 3h", {1: "4h 4h"}, "3h 3h", 5, options={"throw_penalty_count": "all"}),
    Throw("AKJ, Q outside", "Ah Kh Jh", {1: "Qh"}, "Jh", 1, rules="hongwu"),
    Throw("AQQ, K outside", "Ah Qh Qh", {2: "Kh"}, "Qh", 2, thrower=1, before=SEAT_1_WINS, rules="hongwu"),
    Throw("AKQ, Q outside", "Ah Kh Qh", {1: "Qh Jh"}, "Ah Kh Qh", 0, rules="hongwu"),
    Throw("AKQ, K outside", "Ah Kh Qh", {3: "Kh"}, "Qh", 1, rules="hongwu"),
    # The charge counts lower cards only, so that a throw failed by an equal card costs nothing.
    Throw(
        "AKQ, Q outside, throw_equal", "Ah Kh Qh", {1: "Qh"}, "Qh", 0, rules="hongwu", options={"throw_equal": "fails"}
    ),
]

# target, R, trump points captured, points buried, trump points buried: S
BAOFEN_RESULTS = [
    (85, 85, 20, 0, 0, 0),
    (90, 85, 30, 0, 0, -5),
    (85, 120, 50, 10, 0, 85),
    (85, 100, 0, 0, 0, -85),
    (95, 0, 0, 0, 0, -500),
    (95, 0, 0, 30, 10, -500),
    (95, 200, 50, 0, 0, 500),
    (85, 190, 50, 10, 0, 250),
    (85, 190, 40, 10, 10, 250),
    (85, 150, 40, 10, 10, 65),
    (85, 5, 0, 0, 0, -180),
    (85, 195, 50, 0, 0, 160),
]

# S of a declarer in seat 1, rewards, the pot left; None: all pass, seat 0 is first caller.
POT = [
    [(None, [-40, -20, -20, -20], 100), (10, [-10, 110, -10, -10], 0)],
    [
        (None, [-40, -20, -20, -20], 100),
        (-5, [5, -105, 5, 5], 200),
        (-20, [120, -120, 120, 120], 0),  # -220 and +20 each, then 100 each out of 400
    ],
    [
        (None, [-40, -20, -20, -20], 100),
        (None, [0, 0, 0, 0], 100),
        (None, [0, 0, 0, 0], 100),
        (None, [0, 0, 0, 0], 100),
        (None, [25, 25, 25, 25], 0),
    ],
]

# target, R: levels that each defender pays
HONGWU_RESULTS = [
    (70, 95, 4),
    (90, 65, -4),
    (70, 70, 1),
    (70, 75, 2),
    (80, 75, -2),
    (200, 195, -2),
    (70, -15, -10),
    (70, 280, 22),
]

# rules, first caller, what is said in turn (0: pass), declarer, target
AUCTIONS = [
    ("hongwu", 1, [0, 70, 75, 0, 80, 0], 2, 80),
    ("hongwu", 2, [0, 0, 0, 0], 2, 70),
    ("hongwu", 0, [200], 0, 200),
    ("suzhou", 0, [85, 90, 0, 0, 95, 0], 0, 95),
    ("suzhou", 3, [0, 0, 0, 95], 2, 95),
    ("exposure", 1, [0, 0, 0, 0], 1, 85),
]


@dataclass(frozen=True)
class RedFive:
    """Bao Hong Wu: what caught heart fives are worth after these plays."""

    id: str
    trumps: Mapping[int, str]  # all the trumps of some seats
    plays: Sequence[tuple[int, str]]
    bonus: int


RED_FIVES = [
    RedFive("a defender must drop it", {0: "5h", 1: "5h"}, [(0, "5h"), (1, "5h")], 40),
    RedFive("the declarer drops it", {0: "5h", 1: "5h"}, [*SEAT_1_WINS, (1, "5h"), (2, ""), (3, ""), (0, "5h")], -40),
    RedFive(
        "both of the declarer's trumps fall",
        {0: "5h 4s", 1: "BJ BJ"},
        [*SEAT_1_WINS, (1, "BJ BJ"), (2, ""), (3, ""), (0, "5h 4s")],
        -40,
    ),
]


@dataclass(frozen=True)
class Bottom:
    """Bao Hong Wu, 20 points buried: seat 1 keeps three cards for the last two tricks."""

    id: str
    kept: str
    to_the_pair: str
    last: str
    result: int  # R


# The declarer leads 22 hearts, then Ad Ad, then 4d, and wins all tricks but perhaps the last.
BOTTOM_HAND = " ".join(f"{rank}h {rank}h" for rank in "346789TJQKA") + " Ad Ad 4d"
BOTTOM_CARDS = "5h 5h Kc 6c 6c 7c 7c 8c"
KEPT_BY_OTHERS = {2: "Jc Jc Qc", 3: "4c 4c Qc"}
BOTTOMS = [
    Bottom("won by the declarer", "8c 9c 9c", "9c 9c", "8c", 180 + 20),
    Bottom("lost to a side suit", "6d 7d Kd", "6d 7d", "Kd", 180 - 10 - 20),
    Bottom("lost to a trump", "8c 9c 4s", "8c 9c", "4s", 180 - 40),
]


def is_trump(card: str, trump: str, rules: str) -> bool:
    """True if a card belongs to the trump group."""
    if card[1] == trump or card[1] == "J" or card[0] == "2":
        return True
    same_colour = {"s": "c", "c": "s", "h": "d", "d": "h"}[trump]
    return rules == "hongwu" and card in ("5h", "3" + same_colour)


def group_of(card: str, trump: str, rules: str) -> str:
    """`trump` or the letter of a side suit."""
    return "trump" if is_trump(card, trump, rules) else card[1]


def deal_around(
    held: Mapping[int, Sequence[str]],
    group: str | None = None,
    keepers: Sequence[int] = (0,),
    trump: str = "s",
    rules: str = "suzhou",
    bottom: Sequence[str] = (),
) -> tuple[list[list[str]], list[str]]:
    """Hands and bottom in which the seats hold these cards and no others of the group.

    The rest of the group lies with the keepers and, when their hands are full, in the bottom. The
    other cards are dealt around, side suits first, so that everybody can discard.
    """
    hands = [list(held.get(seat, ())) for seat in range(4)]
    bottom = list(bottom)
    rest = Counter(FACES * 2)
    rest.subtract([card for pile in (*hands, bottom) for card in pile])
    assert min(rest.values()) >= 0
    others = sorted(rest.elements(), key=lambda card: is_trump(card, trump, rules))
    for card in [card for card in others if group_of(card, trump, rules) == group]:
        piles = [hands[seat] for seat in keepers if len(hands[seat]) < 25]
        (piles[0] if piles else bottom).append(card)
        others.remove(card)
    while min(len(hand) for hand in hands) < 25:
        # The shortest hand is served first: each gets its part of the side suits.
        min(hands, key=len).append(others.pop(0))
    return hands, bottom + others
