"""Dealing card by card, and showing 2s meanwhile (section 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from naive.cards import SUITS, Illegal, next_seat, seats_from

NUM_DEALT = 100


class Exposing:
    """Deals until a seat has something to say; `asked` is that seat, None when all is done."""

    def __init__(self, dealt: Sequence[str], first_caller: int) -> None:
        self.dealt = list(dealt)
        self.first_caller = first_caller
        self.hands: list[list[str]] = [[], [], [], []]
        self.num_dealt = 0
        self.closing = False
        self.waiting: list[int] = []  # seats still to be asked, before the next card
        self.asked: int | None = None
        self.owner: int | None = None
        self.suit: str | None = None
        self.final = False  # protected or overturned
        self.shown: list[tuple[int, list[str], int]] = []  # seat, cards newly shown, cards dealt by then
        self.go_on()

    def go_on(self) -> None:
        """Ask the waiting seats that have a legal exposure; deal on when none is left."""
        self.asked = None
        while True:
            if self.waiting:
                seat = self.waiting.pop(0)
                if self.suits(seat):
                    self.asked = seat
                    return
            elif self.num_dealt < NUM_DEALT:
                receiver = (self.first_caller + self.num_dealt) % 4
                self.hands[receiver].append(self.dealt[self.num_dealt])
                self.num_dealt += 1
                self.waiting = [receiver]
            elif not self.closing:
                self.closing = True
                self.waiting = seats_from(self.first_caller)
            else:
                return

    def suits(self, seat: int) -> list[str]:
        """The suits in which a seat may show something now."""
        if self.final:
            return []
        held = Counter(self.hands[seat])
        if self.suit is None:
            return [suit for suit in SUITS if held["2" + suit] >= 1]
        if seat == self.owner:
            return [self.suit] if held["2" + self.suit] == 2 else []
        return [suit for suit in SUITS if suit != self.suit and held["2" + suit] == 2]

    def words(self, seat: int, picked: Sequence[str]) -> set[str]:
        """The actions of the seat asked, given the 2s it has picked so far."""
        if not picked:
            return {"pass"} | {"2" + suit for suit in self.suits(seat)}
        card = picked[0]
        twin = {card} if self.hands[seat].count(card) == 2 else set()
        # Only a first exposure may stop at one 2.
        return twin | {"commit"} if self.suit is None else twin

    def is_whole(self, seat: int, picked: Sequence[str]) -> bool:
        """True if the picks are committed without a word."""
        return len(picked) == 2 or (self.owner == seat and len(picked) == 1)

    def why_illegal(self, seat: int, cards: Sequence[str]) -> str | None:
        """The reason why a seat may not show these cards."""
        if len(set(cards)) != 1 or len(cards) > 2 or cards[0] not in {"2" + suit for suit in SUITS}:
            return "bad_expose"
        if self.hands[seat].count(cards[0]) < len(cards):
            return "card_not_in_hand"
        if cards[0][1] not in self.suits(seat):
            return "bad_expose"
        overturns = self.suit is not None and seat != self.owner
        return "bad_expose" if overturns and len(cards) == 1 else None

    def show(self, cards: Sequence[str]) -> None:
        """The seat asked exposes, protects or overturns; then the other three are asked at once."""
        seat = self.asked
        if seat is None:
            raise Illegal("wrong_phase", "nobody is asked")
        reason = self.why_illegal(seat, cards)
        if reason is not None:
            raise Illegal(reason, " ".join(cards))
        protects = seat == self.owner
        newly_shown = [cards[0]] if protects else list(cards)
        self.final = self.suit is not None or len(cards) == 2
        self.owner, self.suit = seat, cards[0][1]
        self.shown.append((seat, newly_shown, self.num_dealt))
        # The seats that were waiting keep their turn after the other three.
        self.waiting = seats_from(next_seat(seat))[:3] + self.waiting
        self.go_on()
