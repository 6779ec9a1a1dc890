"""How a deal ends: played out, passed out or forfeited."""

from __future__ import annotations

from collections.abc import Sequence

from naive import settlement as pay
from naive.cards import next_seat, points, suit_points
from naive.order import TRUMP
from naive.position import Position


class Ending(Position):
    """A deal that can be settled: payments, pot, fines and the result."""

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

    def _finish(self, next_first_caller: int | None, captured: int | None = None, score: int | None = None) -> None:
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
