"""Who is asked, what may be called, and when it is over (section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from naive.cards import Illegal, seats_from
from naive.options import call_ladder, is_whole

CALLS_WITH_EXPOSURE = 7


class Auction:
    """Calls and passes; `asked` is the seat to speak, None when the auction is over."""

    def __init__(self, rules: str, switches: Mapping[str, Any], first_caller: int) -> None:
        self.ladder = call_ladder(switches)
        self.opening_max: int = switches["opening_max"]
        self.max_calls = CALLS_WITH_EXPOSURE if rules == "exposure" else None
        self.calls: list[tuple[int, int]] = []
        self.passed: set[int] = set()
        self.asked: int | None = first_caller

    @property
    def highest(self) -> int:
        """The last call, 0 if there is none."""
        return self.calls[-1][1] if self.calls else 0

    def allowed(self) -> list[int]:
        """What the seat asked may call."""
        if not self.calls:
            return [value for value in self.ladder if value <= self.opening_max]
        return [value for value in self.ladder if value > self.highest]

    def why_illegal(self, value: Any) -> str | None:
        """The reason why a value may not be called now."""
        if not is_whole(value) or (value - self.ladder[0]) % 5:
            return "bad_call"
        if value < self.ladder[0] or value <= self.highest:
            return "low_call"
        if value > self.ladder[-1] or (not self.calls and value > self.opening_max):
            return "high_call"
        return None if value in self.ladder else "bad_call"

    def call(self, value: Any) -> None:
        """The seat asked calls higher than the last call."""
        assert self.asked is not None
        reason = self.why_illegal(value)
        if reason is not None:
            raise Illegal(reason, f"seat {self.asked} may call {self.allowed()}")
        self.calls.append((self.asked, value))
        self._ask_next(self.asked)

    def pass_(self) -> None:
        """A pass is final for this deal."""
        assert self.asked is not None
        self.passed.add(self.asked)
        self._ask_next(self.asked)

    def _ask_next(self, speaker: int) -> None:
        self.asked = None
        if self.highest == self.ladder[-1]:
            return
        caller = self.calls[-1][0] if self.calls else None
        for seat in seats_from(speaker)[1:]:
            if seat != caller and seat not in self.passed and not self._has_called_enough(seat):
                self.asked = seat
                return

    def _has_called_enough(self, seat: int) -> bool:
        return self.max_calls is not None and [who for who, _ in self.calls].count(seat) >= self.max_calls
