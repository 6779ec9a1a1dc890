"""One table: a match as an object that speaks in cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import COMMIT, NUM_ACTIONS, PASS, TRUMP, call_action
from baofen.envs.cards import NUM_FACES, NUM_SEATS, NUM_SUITS, SUITS, format_cards, is_seat, is_whole, parse_cards
from baofen.envs.core.dtypes import NO_TRUMP_YET, ROOMS, TABLE, Phase
from baofen.envs.core.loops import (
    apply_single,
    begin_single,
    forfeit_single,
    mask_single,
    observe_single,
    rematch_single,
    reset_tables,
    state_single,
)
from baofen.envs.core.rng import seed_word
from baofen.envs.deal_checks import check_deals_per_match, check_deck, check_situation, deck_of_hands
from baofen.envs.explain import (
    Fault,
    IllegalAction,
    bury_fault,
    eight_of,
    explain,
    hand_faces,
    legal_actions,
    play_fault,
)
from baofen.envs.history import deal_record, deal_result, history_tokens
from baofen.envs.observation import OBSERVATION_SIZE, STATE_SIZE
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.vector import MatchStarts
from baofen.envs.views import seen

Cards = str | Sequence[str]


def _seat(seat: int) -> int:
    if not is_seat(seat):
        raise ValueError(f"seat must be 0 .. 3, not {seat!r}")
    return seat


class Table:
    """One match in play. Actions are numbers (`baofen.envs.actions`) or card words; illegal ones change nothing.

    >>> table = Table(seed=1)
    >>> table.call(85)
    >>> [table.phase.name, table.acting_seat == (table.first_caller + 1) % 4]
    ['AUCTION', True]
    """

    def __init__(
        self,
        rules: str | Rules = "suzhou",
        options: Mapping[str, OptionValue] | None = None,
        *,
        seed: int = 0,
        deals_per_match: int = 1,
        starts: MatchStarts | None = None,
    ) -> None:
        """Begin a match whose deals come from a seed (those of table 0 of `VectorTables` with that seed).

        Raises:
            ValueError: for rules, options or a number of deals that do not exist.
        """
        self.rules = Rules.of(rules, options)
        self.tables = np.zeros(1, TABLE)
        self.finished_records: list[dict[str, Any]] = []
        self.rewards = np.zeros(NUM_SEATS, np.int32)
        """int32 [4], changes of the totals by the last action."""
        self.starts = starts or MatchStarts()
        deals = check_deals_per_match(deals_per_match)
        reset_tables(self.tables, self.rules.record, self.starts.record(), seed_word(seed), deals)

    @classmethod
    def from_deck(
        cls,
        deck: Sequence[int],
        rules: str | Rules = "suzhou",
        options: Mapping[str, OptionValue] | None = None,
        *,
        first_caller: int = 0,
        totals: Sequence[int] = (0, 0, 0, 0),
        pot: int = 0,
        pot_age: int | None = None,
        drawn_suit: int = 0,
        seed: int = 0,
    ) -> Table:
        """Begin a single deal from 108 faces in dealing order: 100 from the first caller on, then the bottom.

        totals: in points (levels in Bao Hong Wu).
        pot, pot_age: points, and deals the pot has lived before this one: 1 .. 4, 0 without a pot; None is the least.
        drawn_suit: the trump, as 0 .. 3 for s h c d, if nobody exposes (preset `exposure`).

        Raises:
            ValueError: for anything that a deal cannot begin with.
            TypeError: if the deck is no sequence.
        """
        table = cls(rules, options, seed=seed)
        if pot_age is None:
            pot_age = 1 if pot else 0
        check_situation(table.rules, first_caller, totals, pot, pot_age)
        check_deck(deck)
        if not is_whole(drawn_suit) or drawn_suit not in range(NUM_SUITS):
            raise ValueError(f"drawn_suit must be 0 .. 3, not {drawn_suit!r}")
        record = table.tables[0]
        record["deck"] = deck
        record["first_caller"] = first_caller
        record["totals"] = totals
        record["pot"] = pot
        record["pot_age"] = pot_age
        begin_single(table.tables, table.rules.record, drawn_suit)
        return table

    @classmethod
    def from_hands(
        cls, hands: Sequence[Cards], bottom: Cards, *args: Any, first_caller: int = 0, **kwargs: Any
    ) -> Table:
        """Begin a single deal from four hands of 25 cards and a bottom of 8, as card words; see `from_deck`.

        Raises:
            ValueError: if the cards are not two whole packs, with what is wrong.
        """
        deck = deck_of_hands([parse_cards(hand) for hand in hands], parse_cards(bottom), first_caller)
        return cls.from_deck(deck, *args, first_caller=first_caller, **kwargs)

    replay_record: ClassVar[Callable[[Any], Table]]
    """What plays a record; `baofen.envs.records` sets it, which knows tables."""

    @classmethod
    def over(cls, tables: NDArray[np.void], rules: Rules) -> Table:
        """Return a table that shares its state, TABLE [1], with the caller: a row of a batch, for example."""
        table = object.__new__(cls)
        table.rules = rules
        table.starts = MatchStarts()
        table.tables = tables
        table.finished_records = []
        table.rewards = np.zeros(NUM_SEATS, np.int32)
        return table

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Table:
        """Play a game record (`record.md`) as far as it goes.

        Raises:
            RecordError: if the record is not whole or its game not legal.
        """
        return cls.replay_record(record)

    # What is the case.

    @property
    def phase(self) -> Phase:
        """The phase of the deal; `Phase.OVER` when the match has ended."""
        return Phase(int(self.tables["phase"][0]))

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.phase == Phase.OVER

    @property
    def acting_seat(self) -> int:
        """The seat to act, -1 when the match is over."""
        return int(self.tables["acting"][0])

    @property
    def first_caller(self) -> int:
        """The seat that speaks first in this deal."""
        return int(self.tables["first_caller"][0])

    @property
    def declarer(self) -> int | None:
        """The seat that plays alone, None before the contract."""
        seat = int(self.tables["declarer"][0])
        return None if seat < 0 else seat

    @property
    def trump(self) -> str | None:
        """The trump suit, s h c d; None before it is known."""
        suit = int(self.tables["trump"][0])
        return None if suit == NO_TRUMP_YET else SUITS[suit]

    @property
    def totals(self) -> list[int]:
        """The running totals."""
        return [int(total) for total in self.tables["totals"][0]]

    @property
    def result(self) -> dict[str, Any] | None:
        """The result of the deal that ended last, as in `record.md`; None before the first has."""
        return deal_result(self.tables, self.rules)

    def hand(self, seat: int) -> str:
        """Return the cards in a hand, as card words; picked cards are still among them."""
        return format_cards(hand_faces(self.tables, self.rules, _seat(seat)))

    def state(self) -> NDArray[np.uint8]:
        """Return the omniscient state, uint8 [S] (`baofen.envs.observation.STATE_PARTS`)."""
        out = np.empty(STATE_SIZE, np.uint8)
        state_single(self.tables, self.rules.record, out)
        return out

    def observe(self, seat: int) -> NDArray[np.uint8]:
        """Return what a seat may know, uint8 [O] (`baofen.envs.observation.PARTS`)."""
        out = np.empty(OBSERVATION_SIZE, np.uint8)
        observe_single(self.tables, self.rules.record, _seat(seat), out)
        return out

    def seen_by(self, seat: int) -> dict[str, Any]:
        """Return what a seat may know now, also when another is to act, as plain data (`baofen.envs.views.seen`)."""
        return seen(self.tables, self.rules, _seat(seat))

    def history_tokens(self, seat: int) -> NDArray[np.int16]:
        """Return what a seat knows of the actions of the deal, int16 [H] (`baofen.envs.history.history_tokens`)."""
        return history_tokens(self.tables, np.array([_seat(seat)], np.int8))[0]

    def mask(self) -> NDArray[np.uint8]:
        """Return the action mask of the acting seat, uint8 [99]; zeros when the match is over.

        PettingZoo and Gymnasium want masks as int8, and get them so from their environments.
        """
        out = np.empty(NUM_ACTIONS, np.uint8)
        mask_single(self.tables, self.rules.record, out)
        return out

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the acting seat, ascending."""
        return legal_actions(self.tables, self.rules)

    def why_illegal(self, action: int) -> str | None:
        """Return why the acting seat may not take an action; None if it may."""
        fault = explain(self.tables, self.rules, action)
        return None if fault is None else fault.message

    def is_legal_play(self, cards: Cards) -> bool:
        """Return whether the acting seat may play these cards at once."""
        return self.phase == Phase.PLAY and self._play_fault(parse_cards(cards)) is None

    def copy(self) -> Table:
        """Return a table that goes on by itself from here."""
        twin = Table.over(self.tables.copy(), self.rules)
        twin.starts = self.starts
        twin.rewards = self.rewards.copy()
        twin.finished_records = list(self.finished_records)
        return twin

    def record(self) -> dict[str, Any]:
        """Return the record (`record.md`) of the deal in play, or of the last one when the match is over."""
        return deal_record(self.tables, self.rules)

    def records(self) -> list[dict[str, Any]]:
        """Return the records of all deals of the match so far."""
        return [*self.finished_records, self.record()]

    # What is done.

    def apply(self, action: int) -> None:
        """Take an action of the acting seat.

        Raises:
            IllegalAction: with the reason; the table has not changed then.
            TypeError: if it is no whole number.
        """
        fault = explain(self.tables, self.rules, action)
        if fault is not None:
            raise fault.as_error()
        self._change(apply_single, int(action))

    def rematch(self) -> None:
        """Begin the next match, from the same stream of deals as the last."""
        rematch_single(self.tables, self.rules.record, self.starts.record())
        self.finished_records = []
        self.rewards = np.zeros(NUM_SEATS, np.int32)

    def forfeit(self, seat: int, room: str = "points") -> None:
        """End the deal because a seat leaves (`rules.md` section 5); `room` is `points` or `silver`.

        Raises:
            ValueError: if the match is over, or there is no such seat or room.
        """
        if self.is_over:
            raise ValueError("nobody can forfeit: the game is over")
        _seat(seat)
        if room not in ROOMS:
            raise ValueError(f"room must be one of {', '.join(ROOMS)}, not {room!r}")
        self._change(forfeit_single, seat, ROOMS.index(room))

    def call(self, points: int) -> None:
        """Call a number of points in the auction."""
        try:
            action = call_action(points)
        except ValueError as error:
            raise IllegalAction(str(error), "bad_call", {"call": points}) from error
        self.apply(action)

    def pass_(self) -> None:
        """Pass, in the auction or when asked to expose."""
        self.apply(PASS)

    def expose(self, cards: Cards) -> None:
        """Expose, protect or overturn with the 2s that are newly shown, as "2s" or "2s 2s"."""
        self._expect(Phase.EXPOSE)
        faces = parse_cards(cards)
        fault = self._expose_fault(faces)
        if fault is not None:
            raise fault.as_error()
        for face in faces:
            self.apply(face)
        if self.tables["selection_ones"][0]:
            self.apply(COMMIT)

    def name_trump(self, suit: str) -> None:
        """Name the trump suit: s, h, c or d."""
        if suit not in tuple(SUITS):
            raise IllegalAction(f"trump must be one of s h c d, not {suit!r}", "bad_trump", {"trump": suit})
        self.apply(TRUMP + SUITS.index(suit))

    def bury(self, cards: Cards) -> None:
        """Bury eight cards."""
        self._expect(Phase.BURY)
        self._pick_all(parse_cards(cards), bury_fault(self.tables, self.rules, parse_cards(cards)))

    def play(self, cards: Cards) -> None:
        """Play cards at once: a lead (a throw that fails is cut), a follow, or an eight as its eight cards."""
        self._expect(Phase.PLAY)
        faces = parse_cards(cards)
        fault = self._play_fault(faces)
        eight = eight_of(faces)
        if fault is None and eight is not None and eight in self.legal_actions():
            self.apply(eight)
            return
        leads = self.tables["num_plays"][0] == 0
        self._pick_all(faces, fault)
        if leads:
            self.apply(COMMIT)

    def _play_fault(self, faces: Sequence[int]) -> Fault | None:
        if self.tables["selection_ones"][0]:
            sentence = f"seat {self.acting_seat} has picked cards already; finish that play first"
            return Fault("wrong_count", sentence, {"seat": self.acting_seat})
        return play_fault(self.tables, self.rules, faces)

    def _expose_fault(self, faces: Sequence[int]) -> Fault | None:
        facts = {"seat": self.acting_seat, "cards": format_cards(faces)}
        if not 1 <= len(faces) <= 2 or len(set(faces)) != 1 or faces[0] % 13 or faces[0] >= NUM_FACES - 2:
            return Fault("bad_expose", f"shown are one or two 2s of one suit, not {format_cards(faces)!r}", facts)
        probe = self.copy()
        for face in faces:
            fault = explain(probe.tables, probe.rules, face)
            if fault is not None:
                return fault
            if probe.phase != Phase.EXPOSE or probe.acting_seat != self.acting_seat:
                return Fault("bad_expose", f"{format_cards(faces[:1])} alone is shown here", facts)
            apply_single(probe.tables, probe.rules.record, face)
        overturns = self.tables["exposed_suit"][0] != NO_TRUMP_YET
        if len(faces) == 1 and overturns and probe.tables["selection_ones"][0]:
            return Fault("bad_expose", "an exposure is overturned by both 2s of another suit", facts)
        return None

    def _expect(self, phase: Phase) -> None:
        if self.phase != phase:
            doing = "the game is over" if self.is_over else f"seat {self.acting_seat} is in phase {self.phase.name}"
            facts = {"seat": self.acting_seat, "wanted": phase.name, "phase": self.phase.name}
            raise IllegalAction(f"this belongs to phase {phase.name}, but {doing}", "wrong_phase", facts)

    def _pick_all(self, faces: Sequence[int], fault: Fault | None) -> None:
        if fault is not None:
            raise fault.as_error()
        for face in faces:
            self.apply(face)

    def _change(self, change: Callable[..., None], *arguments: int) -> None:
        """Change the table, noting rewards and, within a match, the record of a deal that ends."""
        before = self.tables.copy()
        change(self.tables, self.rules.record, *arguments)
        self.rewards = self.tables["totals"][0] - before["totals"][0]
        if self.tables["deal_index"][0] != before["deal_index"][0]:
            self.keep_finished_deal(before, change, *arguments)

    def keep_finished_deal(self, before: NDArray[np.void], change: Callable[..., None], *arguments: int) -> None:
        """Keep the record of a deal after which the next of the match has begun.

        before: TABLE [1], the table as it was; `change(tables, rules, *arguments)` is what ended the deal.
        """
        before["deals_per_match"] = before["deal_index"] + 1  # so that the deal ends and stays
        change(before, self.rules.record, *arguments)
        self.finished_records.append(deal_record(before, self.rules))
