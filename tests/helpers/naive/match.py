"""A match: several deals with one set of totals, one rotation and one pot (section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from naive.game import Game
from naive.settlement import add, share_pot


class Match:
    """Plays deals one after the other; `totals` after the last one include the shares of a pot left."""

    def __init__(
        self,
        num_deals: int,
        rules: str = "suzhou",
        options: Mapping[str, Any] | None = None,
        first_caller: int = 0,
        totals: Sequence[int] = (0, 0, 0, 0),
        pot: int = 0,
        pot_age: int = 0,
    ) -> None:
        self.deals_left = num_deals
        self.rules = rules
        self.options = dict(options or {})
        self.first_caller: int | None = first_caller
        self.totals = list(totals)
        self.pot = pot
        self.pot_age = pot_age

    def deal(self, first_caller: int | None = None, **cards: Any) -> Game:
        """The next deal; in Bao Hong Wu its first caller is drawn and must be given."""
        seat = self.first_caller if first_caller is None else first_caller
        assert seat is not None and self.deals_left > 0
        return Game(
            rules=self.rules,
            options=self.options,
            first_caller=seat,
            pot=self.pot,
            pot_age=self.pot_age,
            totals=self.totals,
            **cards,
        )

    def close(self, game: Game) -> list[int]:
        """Take over the end of a deal; gives the totals' change by sharing a pot left at the end."""
        assert game.result is not None
        self.deals_left -= 1
        self.totals = list(game.totals)
        self.pot, self.pot_age = game.pot, game.pot_age
        self.first_caller = game.result["next_first_caller"]
        if self.deals_left or not self.pot:
            return [0, 0, 0, 0]
        shares = share_pot(self.pot)
        self.totals = add(self.totals, shares)
        self.pot = self.pot_age = 0
        return shares
