"""One deal from the first card to the settlement, in the most obvious way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from naive import settlement as pay
from naive.auction import Auction
from naive.cards import SUITS, Illegal, holds, next_seat, points, seats_from, suit_points, without
from naive.exposing import Exposing
from naive.following import Duties
from naive.leading import eights_in, lead_words, why_illegal_lead
from naive.options import resolve
from naive.order import TRUMP, Lead, Order, eight_lead, lead_of
from naive.throwing import try_lead
from naive.winning import eight_rank, winner

NUM_BURIED = 8


class Game:
    """One deal of any of the three systems.

    ``rewards`` are the changes of the four totals by the last action, ``captured`` the points of the
    tricks that the declarer has won. In `hongwu` red fives are kept apart in ``red_five_points``.
    """

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

    # ---- actions, one word at a time -----------------------------------------------------------

    def act(self, word: str) -> None:
        """Apply one action word; it must be one of `legal_actions`."""
        if word not in self.legal_actions():
            raise Illegal("illegal_action", f"{word}; legal: {' '.join(sorted(self.legal_actions()))}")
        verb, _, value = word.partition(":")
        if verb == "pass":
            self.pass_()
        elif verb == "call":
            self.call(int(value))
        elif verb == "trump":
            self.name_trump(value)
        elif verb == "eight":
            self.play([value + suit for suit in SUITS for _ in range(2)])
        elif verb == "commit":
            self._commit()
        else:
            self.rewards = [0, 0, 0, 0]
            self.selection.append(word)
            if self._is_whole():
                self._commit()

    def _is_whole(self) -> bool:
        """True if the selection is committed without a word."""
        if self.phase == "bury":
            return len(self.selection) == NUM_BURIED
        if self.phase == "expose":
            assert self.exposing is not None and self.acting is not None
            return self.exposing.is_whole(self.acting, self.selection)
        return bool(self.trick) and len(self.selection) == self._known_lead.size

    def _commit(self) -> None:
        cards = list(self.selection)
        {"expose": self.expose, "bury": self.bury, "play": self.play}[self.phase](cards)

    @contextmanager
    def _action(self, phase: str) -> Iterator[None]:
        """An action of a phase: it starts no new selection and is rewarded by the change of totals."""
        if self.phase != phase:
            raise Illegal("wrong_phase", f"{phase} in phase {self.phase}")
        before = list(self.totals)
        yield
        self.selection = []
        self._duties = None
        self.rewards = [new - old for new, old in zip(self.totals, before, strict=True)]

    # ---- dealing and auction -------------------------------------------------------------------

    def expose(self, cards: Sequence[str]) -> None:
        """The seat asked shows one 2 or two."""
        with self._action("expose"):
            assert self.exposing is not None
            self.exposing.show(cards)
            self._after_dealing()

    def pass_(self) -> None:
        """The seat asked says nothing, while dealing or in the auction."""
        if self.selection:
            raise Illegal("illegal_action", "a selection is begun")
        with self._action("expose" if self.phase == "expose" else "auction"):
            if self.phase == "expose":
                assert self.exposing is not None
                self.exposing.go_on()
                self._after_dealing()
            else:
                self.auction.pass_()
                self._after_auction()

    def call(self, value: Any) -> None:
        """The seat asked calls a number."""
        with self._action("auction"):
            self.auction.call(value)
            self._after_auction()

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

    def _after_auction(self) -> None:
        if self.auction.asked is not None:
            return
        if self.auction.calls:
            self._make_declarer(*self.auction.calls[-1])
        elif self.switches["all_pass"] == "forced":
            # Bao Hong Wu: the first to pass, who is the first caller too.
            self._make_declarer(self.first_caller, self.switches["bid_min"])
        else:
            self._end_passed_out()

    def _make_declarer(self, seat: int, target: int) -> None:
        self.declarer = seat
        self.target = target
        self.hands[seat] = self.hands[seat] + self.bottom
        self.phase = "trump" if self.trump is None else "bury"

    def name_trump(self, suit: Any) -> None:
        """The declarer names a suit; with exposure, chance does when nobody has exposed."""
        with self._action("trump"):
            if not isinstance(suit, str) or len(suit) != 1 or suit not in SUITS:
                raise Illegal("bad_trump", repr(suit))
            self._set_trump(suit)
            self.phase = "auction" if self.declarer is None else "bury"

    def _set_trump(self, suit: str) -> None:
        self.trump = suit
        self.order = Order(self.rules, suit, self.switches["joker_tractor"])

    def bury(self, cards: Sequence[str]) -> None:
        """The declarer puts any eight cards back and leads."""
        with self._action("bury"):
            if len(cards) != NUM_BURIED:
                raise Illegal("wrong_count", f"{len(cards)} cards buried")
            if not holds(self.hand, cards):
                raise Illegal("card_not_in_hand", " ".join(cards))
            assert self.declarer is not None
            self.hands[self.declarer] = without(self.hand, cards)
            self.buried = list(cards)
            self.lead_seat = self.declarer
            self.phase = "play"

    # ---- play ----------------------------------------------------------------------------------

    def play(self, cards: Sequence[str]) -> None:
        """A whole play by the seat to act; a throw may turn out smaller than attempted."""
        with self._action("play"):
            reason = self.why_illegal_play(cards)
            if reason is not None:
                raise Illegal(reason, f"seat {self.acting}: {' '.join(cards)}")
            seat = self.acting
            assert seat is not None
            if not self.trick:
                cards = self._lead(seat, cards)
            self.hands[seat] = without(self.hands[seat], cards)
            self.trick.append((seat, list(cards)))
            if len(self.trick) == 4:
                self._take_trick()

    def _lead(self, seat: int, cards: Sequence[str]) -> Sequence[str]:
        """The cards really led."""
        rank = eight_rank(cards) if self.switches["eights"] else None
        if rank is not None:
            self.lead = eight_lead(rank, cards)
            return cards
        others = [self.hands[other] for other in seats_from(next_seat(seat))[:3]]
        throw = try_lead(self._known_order, self.rules, self.switches, cards, others)
        if throw.failed:
            self.attempts.append((seat, list(cards)))
            self._charge(seat, throw.num_charged)
        self.lead = lead_of(self._known_order, throw.led)
        return throw.led

    def _charge(self, seat: int, num_cards: int) -> None:
        if self.rules == "hongwu":
            self.fines[seat] += num_cards * int(self.switches["throw_fine_levels"])
            return
        assert self.declarer is not None
        paid = [0, 0, 0, 0]
        paid[seat] = -3 * num_cards
        if self.switches["throw_penalty_to"] == "opponents":
            # Either way the payer loses 3 points a card; only the receivers differ.
            if seat == self.declarer:
                paid = pay.from_all_others(seat, -3 * num_cards, num_cards)
            else:
                paid[self.declarer] = 3 * num_cards
        self.totals = pay.add(self.totals, paid)

    def _take_trick(self) -> None:
        assert self.trump is not None
        won_by = winner(self._known_order, self._known_lead, self.trick)
        cards = [card for _, played in self.trick for card in played]
        if won_by == self.declarer:
            self.captured += points(cards)
            self.trump_captured += suit_points(cards, self.trump)
        if self.rules == "hongwu":
            self._catch_red_fives(won_by)
        self.tricks.append(self.trick)
        self.trick = []
        self.last_winner = self.lead_seat = won_by
        if not self.hands[won_by]:
            self._end_played()

    def _catch_red_fives(self, won_by: int) -> None:
        """A red five counts when the other side wins it, either way."""
        for seat, played in self.trick:
            caught = played.count("5h")
            if (seat == self.declarer) == (won_by == self.declarer) or not caught:
                continue
            bonus = self.switches["red5_bonus"]
            if won_by == self.declarer:
                own_points = 5 if self.switches["red5_mode"] == "replace" else 0
                self.red_five_points += caught * (bonus - own_points)
            else:
                self.red_five_points -= caught * bonus

    # ---- the end -------------------------------------------------------------------------------

    def _end_played(self) -> None:
        assert self.declarer is not None and self.target is not None and self.trump is not None
        if self.rules == "hongwu":
            captured = self.captured + self.red_five_points + self._bottom_points()
            score = pay.hongwu_levels(self.target, captured)
            self._pay(pay.from_all_others(self.declarer, 3 * score, -score))
            self._finish(None, captured=captured, score=score)
            return
        score = pay.baofen_score(
            self.switches,
            self.target,
            self.captured,
            self.trump_captured,
            points(self.buried),
            suit_points(self.buried, self.trump),
        )
        made = score >= 0
        self._pay(pay.baofen_payments(self.switches, self.declarer, score))
        flow, self.pot = pay.pot_payments(self.pot, self.declarer, made)
        self._pay(flow)
        self._finish(self._next_caller(made), captured=self.captured, score=score)

    def _bottom_points(self) -> int:
        """Bao Hong Wu: the last trick decides whose the bottom is."""
        if self.last_winner == self.declarer:
            return points(self.buried)
        winning = dict(self.tricks[-1])[self.last_winner or 0]
        times = 2 if self._known_order.common_group(winning) == TRUMP else 1
        return -times * points(self.buried)

    def _end_passed_out(self) -> None:
        if self.switches["all_pass"] == "direct":
            amount = self.switches["direct_points"]
            self._pay(pay.from_all_others(self.first_caller, -amount, amount))
        elif self.pot == 0:
            self._pay(pay.from_all_others(self.first_caller, -40, -20))
            self.pot = 100
        self._finish(self._next_caller(None))

    def forfeit(self, seat: int, room: str = "points") -> None:
        """A seat leaves: the deal ends at once with the escape settlement."""
        with self._action(self.phase):
            if self.phase == "over":
                raise Illegal("after_end", "the deal is over")
            if room not in ("points", "silver") or seat not in range(4):
                raise Illegal("bad_action", f"forfeit({seat}, {room!r})")
            self._pay(pay.share_pot(self.pot))
            self.pot = 0
            self._pay(pay.escape_payments(self.rules, seat, self.declarer, room))
            made = None if self.declarer is None else seat != self.declarer
            self._finish(self._next_caller(made))

    def _next_caller(self, made: bool | None) -> int | None:
        """The first caller of the next deal; ``made`` is None if there was no declarer."""
        if self.rules == "hongwu":
            return None  # drawn anew
        if self.declarer is None:
            # With exposure it is always the last declarer, so nothing changes.
            return self.first_caller if self.rules == "exposure" else next_seat(self.first_caller)
        return self.declarer if made or self.rules == "exposure" else next_seat(self.declarer)

    def _pay(self, payments: Sequence[int]) -> None:
        self.totals = pay.add(self.totals, list(payments))

    def _finish(
        self, next_first_caller: int | None, captured: int | None = None, score: int | None = None
    ) -> None:
        """Settle fines and pot, and write the result down."""
        if self.rules == "hongwu" and self.declarer is not None:
            self._pay(pay.hongwu_fines(self.switches, self.declarer, self.fines))
        self.pot_age = self.pot_age + 1 if self.pot else 0
        if pay.pot_is_due(self.pot, self.pot_age):
            self._pay(pay.share_pot(self.pot))
            self.pot = self.pot_age = 0
        self.phase = "over"
        rewards = [new - old for new, old in zip(self.totals, self.start_totals, strict=True)]
        self.result = {
            "declarer": self.declarer,
            "target": self.target,
            "trump": self.trump,
            "captured": captured,
            "trump_points": self.trump_captured if captured is not None else None,
            "score": score,
            "rewards": rewards,
            "pot": self.pot,
            "next_first_caller": next_first_caller,
        }
        if self.rules == "hongwu":
            del self.result["trump_points"]


def _dealing_order(
    hands: Sequence[Sequence[str]] | None, bottom: Sequence[str] | None, first_caller: int
) -> list[str]:
    """One dealing order that gives these hands."""
    assert hands is not None and bottom is not None
    return [hands[(first_caller + i) % 4][i // 4] for i in range(100)] + list(bottom)
