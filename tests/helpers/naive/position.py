"""Where a deal stands: who is to act and what the rules allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from naive.auction import Auction
from naive.cards import SUITS, Illegal, holds, without
from naive.exposing import Exposing
from naive.following import Duties
from naive.leading import eights_in, lead_words, why_illegal_lead
from naive.options import resolve
from naive.order import Lead, Order
from naive.winning import eight_rank


class Position:
    """The cards, the auction and the tricks of one deal so far, and the actions that are legal now."""

    def __init__(
        self,
        rules: str = "suzhou",
        options: Mapping[str, Any] | None = None,
        first_caller: int = 0,
        pot: int = 0,
        pot_age: int = 0,
        totals: Sequence[int] = (0, 0, 0, 0),
        hands: Sequence[Sequence[str]] | None = None,
        bottom: Sequence[str] | None = None,
        dealt: Sequence[str] | None = None,
        random_trump: str | None = None,
    ) -> None:
        """Hands and bottom as dealt, or ``dealt``: the 108 cards in dealing order.

        ``random_trump`` is the suit that chance gives when nobody exposes a 2; without it the game then
        waits in phase `trump`, nobody acting, for `name_trump`.
        """
        self.rules = rules
        self.switches = resolve(rules, options or {})
        if pot and self.switches["all_pass"] != "pot":
            raise Illegal("bad_header", "a pot needs all_pass = pot")
        self.first_caller = first_caller
        self.pot = pot
        self.pot_age = pot_age or int(pot > 0)
        self.start_totals = list(totals)
        self.totals = list(totals)
        self.random_trump = random_trump

        self.phase = "auction"
        self.selection: list[str] = []
        self.rewards = [0, 0, 0, 0]
        self.result: dict[str, Any] | None = None
        self.declarer: int | None = None
        self.target: int | None = None
        self.trump: str | None = None
        self.order: Order | None = None
        self.buried: list[str] = []

        self.lead_seat: int | None = None
        self.lead: Lead | None = None
        self.trick: list[tuple[int, list[str]]] = []
        self.tricks: list[list[tuple[int, list[str]]]] = []
        self.last_winner: int | None = None
        self.attempts: list[tuple[int, list[str]]] = []  # failed throws, public
        self.captured = 0
        self.trump_captured = 0
        self.red_five_points = 0
        self.fines = [0, 0, 0, 0]  # levels in Bao Hong Wu, not yet capped
        self._duties: Duties | None = None

        self.auction = Auction(rules, self.switches, first_caller)
        self.exposing: Exposing | None = None
        if rules == "exposure":
            cards = list(dealt) if dealt is not None else _dealing_order(hands, bottom, first_caller)
            self.exposing = Exposing(cards, first_caller)
            self.hands = self.exposing.hands
            self.bottom = cards[100:]
            self.phase = "expose"
            self._after_dealing()
        else:
            if hands is None or bottom is None:
                assert dealt is not None
                hands = [dealt[(seat - first_caller) % 4 : 100 : 4] for seat in range(4)]
                bottom = dealt[100:]
            self.hands = [list(hand) for hand in hands]
            self.bottom = list(bottom)

    def _after_dealing(self) -> None:
        assert self.exposing is not None
        if self.exposing.asked is not None:
            return
        suit = self.exposing.suit or self.random_trump
        if suit is None:
            self.phase = "trump"
        else:
            self._set_trump(suit)
            self.phase = "auction"

    def _set_trump(self, suit: str) -> None:
        self.trump = suit
        self.order = Order(self.rules, suit, self.switches["joker_tractor"])

    # ---- what is asked -------------------------------------------------------------------------

    @property
    def acting(self) -> int | None:
        """The seat to act."""
        if self.phase == "expose":
            assert self.exposing is not None
            return self.exposing.asked
        if self.phase == "auction":
            return self.auction.asked
        if self.phase in ("trump", "bury"):
            return self.declarer
        if self.phase == "play":
            assert self.lead_seat is not None
            return (self.lead_seat + len(self.trick)) % 4
        return None

    @property
    def calls(self) -> list[tuple[int, int]]:
        """The calls so far, each with its seat."""
        return self.auction.calls

    @property
    def passed(self) -> set[int]:
        """The seats that have passed."""
        return self.auction.passed

    @property
    def hand(self) -> list[str]:
        """The hand of the seat to act."""
        assert self.acting is not None
        return self.hands[self.acting]

    def legal_actions(self) -> set[str]:
        """Every action after which the selection can still become a legal play."""
        if self.phase == "expose" and self.exposing is not None and self.acting is not None:
            return self.exposing.words(self.acting, self.selection)
        if self.phase == "auction":
            return {"pass"} | {f"call:{value}" for value in self.auction.allowed()}
        if self.phase == "trump":
            return {f"trump:{suit}" for suit in SUITS}
        if self.phase == "bury":
            return set(without(self.hand, self.selection))
        if self.phase == "play" and not self.trick:
            return lead_words(self._known_order, self.rules, self.switches, self.hand, self.selection)
        if self.phase == "play":
            return self._follow_words()
        return set()

    def _follow_words(self) -> set[str]:
        owed = self._owed_eights()
        if owed:
            return {f"eight:{rank}" for rank in owed}
        rest = set(without(self.hand, self.selection))
        duties = self._known_duties
        return {card for card in rest if duties.can_complete([*self.selection, card])}

    def _owed_eights(self) -> list[str]:
        """A follower to an eight who holds an eight must play one."""
        return eights_in(self.hand) if self.lead is not None and self.lead.eight is not None else []

    def why_illegal_play(self, cards: Sequence[str]) -> str | None:
        """The class of the fault in a whole play by the seat to act, None if it is legal."""
        if self.phase != "play":
            return "wrong_phase"
        if self.trick and len(cards) != self._known_lead.size:
            return "wrong_count"
        if not cards:
            return "wrong_count"
        if not holds(self.hand, cards):
            return "card_not_in_hand"
        if not self.trick:
            return why_illegal_lead(self._known_order, self.rules, self.switches, cards)
        if self._owed_eights():
            return None if eight_rank(cards) else "eight_duty"
        return self._known_duties.fault(cards)

    @property
    def _known_order(self) -> Order:
        assert self.order is not None
        return self.order

    @property
    def _known_lead(self) -> Lead:
        assert self.lead is not None
        return self.lead

    @property
    def _known_duties(self) -> Duties:
        """The follower's duties; the hand does not change while cards are picked."""
        if self._duties is None:
            self._duties = Duties(self._known_order, self.switches, self._known_lead, self.hand)
        return self._duties


def _dealing_order(hands: Sequence[Sequence[str]] | None, bottom: Sequence[str] | None, first_caller: int) -> list[str]:
    """One dealing order that gives these hands."""
    assert hands is not None and bottom is not None
    return [hands[(first_caller + i) % 4][i // 4] for i in range(100)] + list(bottom)
