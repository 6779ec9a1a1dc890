"""Plays a record through a table, refusing every fault (`record.md`)."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from baofen.envs.cards import NUM_SUITS, SUITS, format_cards, is_seat, is_whole
from baofen.envs.core.deal import DEALT_CARDS
from baofen.envs.core.dtypes import NO_TRUMP_YET, ROOMS, Phase
from baofen.envs.core.rng import seed_word
from baofen.envs.explain import IllegalAction
from baofen.envs.records.errors import RecordError
from baofen.envs.records.header import read_cards, read_header, read_version
from baofen.envs.records.result import check_result
from baofen.envs.table import Table

VERBS = ("call", "expose", "trump", "bury", "play", "forfeit")
PHASE_OF_VERB = {"call": Phase.AUCTION, "trump": Phase.TRUMP, "bury": Phase.BURY, "play": Phase.PLAY}


def replay_record(record: Any, *, seed: int = 0, deals_per_match: int = 1) -> Table:
    """Return the table after the last action of a record; its result is checked if there is one.

    seed: of what comes after, and of the trump of preset `exposure` where the record stops while dealing.
    deals_per_match: above 1, the deal on record is the first of a match, and the table goes on with the next.

    Raises:
        RecordError: for the first fault.
    """
    replay = Replay(record, seed=seed, deals_per_match=deals_per_match)
    for _ in replay.steps():
        pass
    return replay.table


class Replay:
    """A record being played. `table` is where it has got to; `steps` takes it on.

    Raises:
        RecordError: if the record cannot even begin.
    """

    def __init__(self, record: Any, *, seed: int = 0, deals_per_match: int = 1) -> None:
        record = read_version(record)
        header = read_header(record)
        self.actions: list[Any] = record["actions"]
        self.has_result = "result" in record
        self.result = record.get("result")
        self.trump_is_written = not header.rules.record["exposure"][0]
        drawn_suit = _drawn_suit(self.actions)
        if drawn_suit is None:
            drawn_suit = int(np.random.default_rng(int(seed_word(seed))).integers(NUM_SUITS))
        self.table = Table.from_deck(
            header.deck,
            header.rules,
            first_caller=header.first_caller,
            totals=header.totals,
            pot=header.pot,
            pot_age=header.pot_age,
            drawn_suit=drawn_suit,
            seed=seed,
        )
        self.table.tables["deals_per_match"] = deals_per_match

    @property
    def has_ended(self) -> bool:
        """Whether the deal on record is over."""
        return self.table.is_over or bool(self.table.tables["deal_index"][0])

    def steps(self) -> Iterator[Mapping[str, Any]]:
        """Yield each action after it was played; check the result at the end.

        Raises:
            RecordError: for the first fault.
        """
        for index, action in enumerate(self.actions):
            _check_form(index, action)
            if self.has_ended:
                raise RecordError(index, "after_end", "the deal is over")
            try:
                self._act(index, action)
            except IllegalAction as error:
                raise RecordError(index, error.reason, str(error)) from error
            yield action
        if self.has_result:
            if not self.has_ended:
                raise RecordError(None, "unfinished", "there is a result, but the deal is not over")
            check_result(self.table, self.result)

    def _act(self, index: int, action: Mapping[str, Any]) -> None:
        if not self.trump_is_written and "trump" in action:
            self._write_trump(index, action)
            return
        seat = action["seat"]
        if not is_seat(seat):
            raise RecordError(index, "wrong_seat", f"seat must be a whole number 0 .. 3, not {seat!r}")
        if "forfeit" in action:
            if action["forfeit"] not in ROOMS:
                raise RecordError(index, "bad_action", f"a room is {' or '.join(ROOMS)}, not {action['forfeit']!r}")
            self.table.forfeit(seat, action["forfeit"])
        elif "expose" in action:
            self._expose(index, seat, read_cards(action["expose"], index, "expose"), action.get("after"))
        elif not self.trump_is_written:
            raise RecordError(index, "wrong_phase", "the trump in force is not on record yet")
        else:
            self._act_in_turn(index, seat, action)

    def _act_in_turn(self, index: int, seat: int, action: Mapping[str, Any]) -> None:
        """Call, name trump, bury or play."""
        table = self.table
        if seat != table.acting_seat:
            has_passed = table.phase == Phase.AUCTION and bool(table.tables["passed"][0, seat])
            reason = "call_after_pass" if has_passed and action.get("call", "pass") != "pass" else "wrong_seat"
            message = f"seat {seat} acts, but it is the turn of seat {table.acting_seat}"
            raise RecordError(index, reason, message + (f" (seat {seat} has passed)" if has_passed else ""))
        verb = next(verb for verb in PHASE_OF_VERB if verb in action)
        value = action[verb]
        if table.phase != PHASE_OF_VERB[verb]:
            raise RecordError(index, "wrong_phase", f"{verb} in phase {table.phase.name}")
        if verb == "trump":
            table.name_trump(_suit(index, value))
        elif verb == "bury":
            table.bury(format_cards(read_cards(value, index, "bury")))
        elif verb == "play":
            table.play(format_cards(read_cards(value, index, "play")))
        elif value == "pass":
            table.pass_()
        elif is_whole(value):
            table.call(value)
        else:
            raise RecordError(index, "bad_call", f'a call is a whole number or "pass", not {value!r}')

    def _write_trump(self, index: int, action: Mapping[str, Any]) -> None:
        """The trump in force after dealing: all who are still asked have passed."""
        if action["seat"] is not None:
            raise RecordError(index, "wrong_seat", f"nobody names the trump, its seat is null, not {action['seat']!r}")
        suit = _suit(index, action["trump"])
        while self.table.phase == Phase.EXPOSE:
            self.table.pass_()
        if suit != self.table.trump:
            raise RecordError(index, "bad_trump", f"trump {suit} is written, but {self.table.trump} is exposed")
        self.trump_is_written = True

    def _expose(self, index: int, seat: int, faces: list[int], after: object) -> None:
        """All who are asked before the seat pass: passes while dealing are not written."""
        table = self.table
        if not is_whole(after) or not isinstance(after, int) or not 1 <= after <= DEALT_CARDS:
            raise RecordError(index, "bad_after", f"after must be a whole number 1 .. {DEALT_CARDS}, not {after!r}")
        while table.phase == Phase.EXPOSE and table.tables["dealt"][0] < after:
            table.pass_()
        fault = None
        while table.phase == Phase.EXPOSE and table.tables["dealt"][0] == after:
            if table.acting_seat == seat:
                fault = self._try_expose(faces)
                if fault is None:
                    return
            table.pass_()
        if fault is not None:
            raise RecordError(index, fault.reason, str(fault))
        cards = format_cards(faces)
        raise RecordError(index, "bad_after", f"seat {seat} cannot show {cards!r} with {after} cards dealt")

    def _try_expose(self, faces: list[int]) -> IllegalAction | None:
        """Expose, or return why the acting seat may not; protecting may be written with one card or with both."""
        table = self.table.tables[0]
        protects = table["exposed_suit"] != NO_TRUMP_YET and table["exposed_by"] == table["acting"]
        if protects and faces == [int(table["exposed_suit"]) * 13] * 2:
            faces = faces[:1]
        try:
            self.table.expose(format_cards(faces))
        except IllegalAction as error:
            return error
        return None


def _check_form(index: int, action: object) -> None:
    """Refuse an action that has not exactly one verb, its seat and, for an exposure, `after`."""
    if not isinstance(action, Mapping):
        raise RecordError(index, "bad_action", "an action is a JSON object")
    verbs = [key for key in action if key in VERBS]
    if len(verbs) != 1:
        given = " and ".join(verbs) or "none"
        raise RecordError(index, "bad_action", f"an action has exactly one of {', '.join(VERBS)}; here: {given}")
    if "seat" not in action:
        raise RecordError(index, "bad_action", "seat is missing")
    allowed = {"seat", verbs[0], "after"} if verbs[0] == "expose" else {"seat", verbs[0]}
    unknown = [repr(key) for key in action if key not in allowed]
    if unknown:
        raise RecordError(index, "bad_action", f"unknown in an action with {verbs[0]}: {', '.join(unknown)}")


def _drawn_suit(actions: list[Any]) -> int | None:
    """Return the trump that a record of preset `exposure` lays down where nobody exposes, as 0 .. 3, or None."""
    for action in actions:
        if isinstance(action, Mapping) and "trump" in action:
            suit = action["trump"]
            return SUITS.index(suit) if isinstance(suit, str) and len(suit) == 1 and suit in SUITS else None
    return None


def _suit(index: int, value: object) -> str:
    if not isinstance(value, str) or len(value) != 1 or value not in SUITS:
        raise RecordError(index, "bad_trump", f"trump must be one of s h c d, not {value!r}")
    return value
