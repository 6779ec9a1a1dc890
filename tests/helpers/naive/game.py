"""One deal from the first card to the settlement, in the most obvious way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from naive import settlement as pay
from naive.cards import SUITS, Illegal, holds, next_seat, points, seats_from, suit_points, without
from naive.ending import Ending
from naive.order import eight_lead, lead_of
from naive.throwing import try_lead
from naive.winning import eight_rank, winner

NUM_BURIED = 8


class Game(Ending):
    """One deal of any of the three systems.

    ``rewards`` are the changes of the four totals by the last action, ``captured`` the points of the
    tricks that the declarer has won. In `hongwu` red fives are kept apart in ``red_five_points``.
    """

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

    # ---- leaving -------------------------------------------------------------------------------

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
