"""One deal played by the core and by the naive twin together, compared after every action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from naive.cards import face_id
from naive.game import Game
from naive.replay import ALWAYS_LAID_DOWN
from naive.winning import winner
from numpy.typing import NDArray
from rare_events import Witness
from stacked import Deal, Player, random_pot, random_switches, stacked_deal

from baofen.envs import Rules, Table, VectorTables
from baofen.envs.actions import ACTION_BY_NAME, action_name
from baofen.envs.cards import FACE_BY_NAME, SUITS
from baofen.envs.core.dtypes import NO_TRUMP_YET, Phase
from baofen.envs.explain import hand_faces
from baofen.envs.history import deal_result

WORDS = [action_name(action).replace(" ", ":") for action in range(99)]
"""The twin's words by action: `eight:9`, `call:85`, `trump:s`."""
ACTIONS = {name.replace(" ", ":"): action for name, action in ACTION_BY_NAME.items()}


def same_tables(one: NDArray[np.void], other: NDArray[np.void]) -> bool:
    """True if all fields of two arrays of tables are equal (the bytes between fields are nobody's)."""
    assert one.dtype.names is not None
    return all(np.array_equal(one[name], other[name]) for name in one.dtype.names)


class SideBySide:
    """A twin and a batch of one table with the same deal."""

    def __init__(
        self,
        rules: str,
        options: Mapping[str, Any],
        deal: Deal,
        pot: int = 0,
        pot_age: int = 0,
        totals: Sequence[int] = (0, 0, 0, 0),
    ) -> None:
        self.deal = deal
        self.twin = Game(
            rules,
            options,
            first_caller=deal.first_caller,
            pot=pot,
            pot_age=pot_age,
            totals=totals,
            dealt=deal.dealt,
            random_trump=deal.random_trump,
        )
        self.rules = Rules(rules, options)
        self.table = Table.from_deck(
            [FACE_BY_NAME[card] for card in deal.dealt],
            self.rules,
            first_caller=deal.first_caller,
            pot=pot,
            pot_age=pot_age,
            totals=totals,
            drawn_suit=SUITS.index(deal.random_trump),
        )
        self.batch = VectorTables(1, self.rules, auto_reset=False)
        # The table and the batch are one from here on.
        self.batch.tables = self.table.tables
        self.batch.refresh()
        self._mask = np.zeros((1, 99), np.uint8)

    @property
    def words(self) -> set[str]:
        """The core's legal actions in the twin's words."""
        return {WORDS[action] for action in np.flatnonzero(self.batch.mask(self._mask)[0])}

    def act(self, word: str) -> None:
        """Both act; rewards must agree."""
        self.twin.act(word)
        rewards, done = self.batch.step(np.array([ACTIONS[word]]))
        assert list(rewards[0]) == self.twin.rewards
        assert done[0] == (self.twin.phase == "over")

    def forfeit(self, seat: int, room: str) -> None:
        """A seat leaves both."""
        self.twin.forfeit(seat, room)
        self.table.forfeit(seat, room)
        assert list(self.table.rewards) == self.twin.rewards
        self.batch.refresh()

    def compare(self) -> None:
        """Everything the two know of the deal must agree."""
        twin, row = self.twin, self.table.tables[0]
        assert Phase(int(row["phase"])).name.lower() == twin.phase
        assert self.batch.acting_seat[0] == (-1 if twin.acting is None else twin.acting)
        assert self.words == twin.legal_actions()
        assert row["totals"].tolist() == twin.totals
        assert row["captured"] == twin.captured
        if twin.rules != "hongwu":
            assert row["captured_trump"] == twin.trump_captured
        else:
            assert row["red_five_bonus"] == twin.red_five_points
        if twin.selection:
            return
        assert self.table.declarer == twin.declarer
        assert self.table.trump == (twin.trump if twin.phase != "expose" else None)
        if twin.phase == "expose":
            assert twin.exposing is not None
            assert row["dealt"] == twin.exposing.num_dealt
            shown = row["exposed_suit"]
            assert (None if shown == NO_TRUMP_YET else SUITS[shown]) == twin.exposing.suit
        for seat in range(4):
            assert hand_faces(self.table.tables, self.rules, seat) == sorted(map(face_id, twin.hands[seat]))
        if twin.phase == "play":
            self._compare_trick()
        if twin.phase == "over":
            self._compare_results()
            assert (row["pot"], row["pot_age"]) == (twin.pot, twin.pot_age)

    def _compare_results(self) -> None:
        """Of a deal that was passed out or forfeited only some parts are laid down (`record.md`)."""
        result = deal_result(self.table.tables, self.rules)
        assert self.twin.result is not None and result is not None
        played_out = self.twin.result["captured"] is not None
        for key in self.twin.result if played_out else ALWAYS_LAID_DOWN:
            assert result[key] == self.twin.result[key], key
        assert set(result) == set(self.twin.result)

    def _compare_trick(self) -> None:
        twin, row = self.twin, self.table.tables[0]
        assert row["leader"] == twin.lead_seat
        assert row["num_plays"] == len(twin.trick)
        if not twin.trick:
            assert row["last_winner"] == (-1 if twin.last_winner is None else twin.last_winner)
            return
        assert twin.order is not None and twin.lead is not None
        assert row["best_seat"] == winner(twin.order, twin.lead, twin.trick)
        assert row["lead_cards"] == twin.lead.size
        assert row["lead_pairs"] == twin.lead.num_pairs
        runs = row["lead_runs"][: row["lead_num_runs"]]
        assert tuple(runs) == twin.lead.tractors


def random_pair(rng: Random, rules: str, style: str | None = None) -> SideBySide:
    """A stacked deal of one of the styles of `stacked.STYLES`, with random switches, pot and totals."""
    options = random_switches(rng, rules)
    pot, pot_age = random_pot(rng, options, rules)
    totals = [rng.randrange(-500, 500) for _ in range(4)]
    return SideBySide(rules, options, stacked_deal(rng, style), pot, pot_age, totals)


def play_out(rng: Random, pair: SideBySide, witness: Witness | None = None, forfeits: float = 0.0005) -> list[str]:
    """Play to the end, comparing after every action; gives the words spoken."""
    player = Player(rng, pair.twin, pair.deal)
    spoken: list[str] = []
    pair.compare()
    if witness is not None:
        witness.begin(pair.twin)
    while pair.twin.phase != "over":
        if rng.random() < forfeits:
            pair.forfeit(rng.randrange(4), rng.choice(("points", "silver")))
        else:
            word = player.choose(pair.twin)
            spoken.append(word)
            pair.act(word)
        pair.compare()
        if witness is not None:
            witness.after(pair.twin)
    return spoken
