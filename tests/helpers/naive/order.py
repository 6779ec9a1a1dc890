"""Which group a card belongs to, how high it is there, and which cards are its neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from naive.cards import RANKS, SAME_COLOUR, SUITS

TRUMP = "trump"


class Order:
    """The groups and the order of all cards once trump is known (sections 2 and 4)."""

    def __init__(self, rules: str, trump: str, joker_tractor: str = "none") -> None:
        self.trump = trump
        self.joker_tractor = joker_tractor
        self._group: dict[str, str] = {}
        self._strength: dict[str, int] = {}
        self._place: dict[str, tuple[str, int]] = {}

        above_ace = [["BJ"], ["LJ"], ["2" + trump], ["2" + suit for suit in SUITS if suit != trump]]
        if rules == "hongwu":
            above_ace[2:2] = [["3" + trump], ["3" + SAME_COLOUR[trump]]]
            above_ace.insert(0, ["5h"])
        for level, equals in enumerate(reversed(above_ace)):
            for card in equals:
                self._group[card] = TRUMP
                self._strength[card] = 20 + level

        for suit in SUITS:
            left = [rank + suit for rank in RANKS if rank + suit not in self._group]
            for index, card in enumerate(left):
                self._group[card] = TRUMP if suit == trump else suit
                self._strength[card] = index
                # Neighbours among the ranks that are left: removed ranks are bridged.
                self._place[card] = (suit, index)
        if joker_tractor != "none":
            self._place["LJ"] = ("jokers", 0)
            self._place["BJ"] = ("jokers", 1)

    def group(self, card: str) -> str:
        """`trump` or the letter of a side suit."""
        return self._group[card]

    def strength(self, card: str) -> int:
        """Higher beats lower inside a group; only the three 2s of other suits are equal."""
        return self._strength[card]

    def of_group(self, cards: Iterable[str], group: str) -> list[str]:
        """The cards of one group."""
        return [card for card in cards if self._group[card] == group]

    def common_group(self, cards: Iterable[str]) -> str | None:
        """The group that all the cards share, None if they share none."""
        groups = {self._group[card] for card in cards}
        return groups.pop() if len(groups) == 1 else None

    def runs(self, faces: Iterable[str]) -> list[list[str]]:
        """The maximal runs among paired faces, each from low to high; a lone pair is a run of one."""
        runs: list[list[str]] = []
        last: tuple[str, int] | None = None
        for place, face in sorted((self._place.get(face, (face, -1)), face) for face in faces):
            if last is not None and place == (last[0], last[1] + 1):
                runs[-1].append(face)
            else:
                runs.append([face])
            last = place
        return runs


@dataclass(frozen=True)
class Component:
    """A single, a pair or a tractor."""

    cards: tuple[str, ...]
    num_pairs: int  # 0 for a single, 1 for a pair, n for an n-run
    low: int
    top: int

    @property
    def is_joker_tractor(self) -> bool:
        """True for `LJ LJ BJ BJ`."""
        return self.num_pairs == 2 and self.cards[0] == "LJ"


def pairs_in(cards: Iterable[str]) -> list[str]:
    """The faces of which both copies are there."""
    return [face for face, number in Counter(cards).items() if number == 2]


def components(order: Order, cards: Iterable[str]) -> list[Component]:
    """The one way to split cards of a group into tractors, pairs and singles."""
    cards = list(cards)
    doubles = pairs_in(cards)
    found = []
    for run in order.runs(doubles):
        both = tuple(face for face in run for _ in range(2))
        found.append(Component(both, len(run), order.strength(run[0]), order.strength(run[-1])))
    for card in cards:
        if card not in doubles:
            found.append(Component((card,), 0, order.strength(card), order.strength(card)))
    return found


@dataclass(frozen=True)
class Lead:
    """What the others have to follow: the group, the size and the shape of the cards led."""

    group: str
    cards: tuple[str, ...]
    tractors: tuple[int, ...]  # lengths in pairs, longest first
    num_pairs: int  # inside tractors or not
    num_components: int
    eight: str | None = None  # the rank, if eight of a kind were led

    @property
    def size(self) -> int:
        """The number of cards each player gives."""
        return len(self.cards)

    @property
    def num_lone_pairs(self) -> int:
        """Pairs outside the tractors."""
        return self.num_pairs - sum(self.tractors)


def lead_of(order: Order, cards: Iterable[str]) -> Lead:
    """The lead that these cards of one group make."""
    cards = tuple(cards)
    parts = components(order, cards)
    tractors = sorted((part.num_pairs for part in parts if part.num_pairs >= 2), reverse=True)
    return Lead(
        group=order.group(cards[0]),
        cards=cards,
        tractors=tuple(tractors),
        num_pairs=sum(part.num_pairs for part in parts),
        num_components=len(parts),
    )


def eight_lead(rank: str, cards: Iterable[str]) -> Lead:
    """Eight cards of one rank are followed like a trump tractor of four pairs (section 2)."""
    return Lead(TRUMP, tuple(cards), tractors=(4,), num_pairs=4, num_components=1, eight=rank)
