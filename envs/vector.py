"""Many tables at once, in arrays: the batch interface for learners and benchmarks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.cards import is_whole
from baofen.envs.core.deal import MATCH_STARTS
from baofen.envs.core.dtypes import NOBODY, RESULT, TABLE
from baofen.envs.core.loops import (
    ALL_LEGAL,
    describe,
    first_illegal,
    mask_tables,
    observe_tables,
    reset_tables,
    step_tables,
)
from baofen.envs.core.rng import seed_word
from baofen.envs.deal_checks import check_deals_per_match
from baofen.envs.explain import explain
from baofen.envs.history import history_tokens
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.plays import Plays, check_choices, play_lister
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.views import Views, make_views

INT64 = np.iinfo(np.int64)
NO_ACTION = -1
"""A number that is no action."""


@dataclass(frozen=True, kw_only=True)
class MatchStarts:
    """How matches begin. By default the first caller is drawn, totals are 0 and there is no pot.

    Learners draw more, so that bidders meet all of it: a pot of 100 or 200 with its age in `pot_percent` of 100
    matches (only with `all_pass = pot`), and running totals from -`totals_spread` to +`totals_spread` points (levels in
    Bao Hong Wu).
    """

    first_caller: int | None = None
    pot_percent: int = 0
    totals_spread: int = 0

    def __post_init__(self) -> None:
        if self.first_caller is not None and self.first_caller not in range(4):
            raise ValueError(f"first_caller must be a seat 0 .. 3, not {self.first_caller!r}")
        if not 0 <= self.pot_percent <= 100:
            raise ValueError(f"pot_percent must be 0 .. 100, not {self.pot_percent!r}")
        if self.totals_spread < 0:
            raise ValueError(f"totals_spread must not be negative: {self.totals_spread!r}")

    def record(self) -> NDArray[np.void]:
        """Return the starts as the core sees them, an array [1] of the `MATCH_STARTS` dtype."""
        record = np.zeros(1, MATCH_STARTS)
        record["first_caller"] = NOBODY if self.first_caller is None else self.first_caller
        record["pot_percent"] = self.pot_percent
        record["totals_spread"] = self.totals_spread
        return record


Starts = MatchStarts
"""The name until version 0.1; it goes on working."""


def _check_buffer(out: NDArray[np.uint8], shape: tuple[int, int]) -> None:
    """Refuse what compiled code would write beyond, or could not write to."""
    if out.shape != shape or out.dtype != np.uint8:
        raise ValueError(f"out must be uint8 {list(shape)}, not {out.dtype} {list(out.shape)}")
    if not out.flags.writeable:
        raise ValueError("out is read-only; give an array that can be written to")


def one_action_each(actions: ArrayLike, num_tables: int) -> NDArray[Any]:
    """Return actions as they were given, whole numbers [B]; `as_words` makes them int64.

    Raises:
        ValueError: if they are not whole numbers, one for each table.
    """
    given = np.asarray(actions)
    is_wide = given.dtype == object and all(map(is_whole, given.flat))  # some do not fit 64 bits
    if not np.issubdtype(given.dtype, np.integer) and not is_wide:
        raise ValueError(f"actions must be whole numbers, not {given.dtype}")
    if given.shape != (num_tables,):
        raise ValueError(f"actions must have the shape ({num_tables},), not {given.shape}")
    return given


def as_words(actions: NDArray[Any]) -> NDArray[np.int64]:
    """Return whole numbers as int64; one that does not fit becomes `NO_ACTION`, and is as little legal.

    >>> as_words(np.array([67, 2**63 + 67], np.uint64)).tolist()
    [67, -1]
    """
    if actions.dtype == object:
        fits = [INT64.min <= int(action) <= INT64.max for action in actions]
        return np.where(fits, actions, NO_ACTION).astype(np.int64)
    words = np.ascontiguousarray(actions, np.int64)
    return np.where(words < 0, NO_ACTION, words) if actions.dtype == np.uint64 else words


class VectorTables:
    """A batch of B tables, stepped together in compiled code.

    Each table plays matches of `deals_per_match` deals and begins the next by itself (`auto_reset`). What a table is
    dealt depends on the seed and its index alone, and is the same as in `Table(seed=...)` for table 0.

    Attributes, kept up to date by `step` (read-only for the caller):
        acting_seat: int8 [B], the seat to act; -1 where the game is over and not reset.
        role: int8 [B], of the acting seat: 0 bidder, 1 declarer, 2 defender; -1 where over.
        phase, trump: int8 [B]; trump is 4 until it is known.
        deal_done: bool [B], a deal ended with the last step; its result is in `results`.
        results: RESULT [B], the last deal that ended in each table.
        tables: TABLE [B], the whole state; a copy of it is a copy of the batch.

    Raises:
        ValueError: for a wrong number of tables or deals, rules or options.
    """

    num_actions = NUM_ACTIONS
    observation_size = OBSERVATION_SIZE

    def __init__(
        self,
        num_tables: int,
        rules: str | Rules = "suzhou",
        options: Mapping[str, OptionValue] | None = None,
        *,
        seed: int = 0,
        deals_per_match: int = 1,
        starts: MatchStarts | None = None,
        auto_reset: bool = True,
        skip_forced: bool = False,
    ) -> None:
        """Begin a match in each table.

        skip_forced: decisions with one legal action are taken by the batch itself.
        """
        if not is_whole(num_tables) or num_tables < 1:
            raise ValueError(f"num_tables must be a whole number from 1 on, not {num_tables!r}")
        self.rules = Rules.of(rules, options)
        self.num_tables = num_tables
        self.deals_per_match = check_deals_per_match(deals_per_match)
        self.auto_reset = auto_reset
        self.skip_forced = skip_forced
        self.tables = np.zeros(num_tables, TABLE)
        self.acting_seat, self.role, self.phase, self.trump = (np.zeros(num_tables, np.int8) for _ in range(4))
        self.rewards = np.zeros((num_tables, 4), np.int32)
        self.done = np.zeros(num_tables, np.bool_)
        self.deal_done = np.zeros(num_tables, np.bool_)
        self.results = np.zeros(num_tables, RESULT)
        self.starts = starts or MatchStarts()
        self._starts = self.starts.record()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin a match in each table, from the streams of a seed."""
        reset_tables(self.tables, self.rules.record, self._starts, seed_word(seed), self.deals_per_match)
        self.done[:] = False
        self.deal_done[:] = False
        self.refresh()

    def refresh(self) -> None:
        """Bring `acting_seat`, `role`, `phase` and `trump` up to date after `tables` was written to."""
        describe(self.tables, self.acting_seat, self.role, self.phase, self.trump)

    def mask(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Write the action masks of the acting seats into `out`, uint8 [B, 99], and return it; zeros where over.

        PettingZoo and Gymnasium want masks as int8, and get them so from their environments.

        Raises:
            ValueError: if `out` is of another shape or dtype, or read-only.
        """
        if out is None:
            out = np.empty((self.num_tables, NUM_ACTIONS), np.uint8)
        _check_buffer(out, (self.num_tables, NUM_ACTIONS))
        mask_tables(self.tables, self.rules.record, out)
        return out

    def observe(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Write what the acting seats may know into `out`, uint8 [B, O], and return it (`baofen.envs.observation`).

        Raises:
            ValueError: if `out` is of another shape or dtype, or read-only.
        """
        if out is None:
            out = np.empty((self.num_tables, OBSERVATION_SIZE), np.uint8)
        _check_buffer(out, (self.num_tables, OBSERVATION_SIZE))
        if out.flags.c_contiguous:
            observe_tables(self.tables, self.rules.record, out)
        else:
            out[...] = self.observe()
        return out

    def history_tokens(self) -> NDArray[np.int16]:
        """Return what the acting seats know of the actions of their deals, int16 [B, H] (`baofen.envs.history`).

        Where the game is over, it is what seat 0 knows.
        """
        return history_tokens(self.tables, np.maximum(self.acting_seat, 0))

    def views(self, indices: NDArray[np.int64] | None = None, *, cheating: bool = False, observe: bool = True) -> Views:
        """Return what the acting seats of some tables (all by default) may know, as agents get it (`make_views`)."""
        return make_views(self.rules, self.tables, indices, cheating=cheating, observe=observe)

    def plays(self) -> Plays:
        """Return the decisions of the acting seats as lists of whole plays (`baofen.envs.plays`).

        Raises:
            LookupError: if no installed package lists plays.
        """
        return play_lister().list_plays(self.rules, self.tables)

    def step_plays(self, plays: Plays, choices: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Carry out one entry of each table's list, int [B], as the same picks, and return as `step` does.

        plays: what `plays()` has just returned.

        Raises:
            ValueError: if a choice names no entry; no table has changed then.
        """
        chosen = check_choices(choices, plays)
        return self.step(play_lister().pick_all_but_last(self.rules, self.tables, plays, chosen))

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Take one action in each table, int64 [B]; the actions of finished tables are ignored.

        Returns `(rewards, done)`: int32 [B, 4], the changes of the running totals, in points (levels in Bao Hong Wu),
        and bool [B], whether the match has ended. Both are overwritten by the next step.

        Raises:
            IllegalAction: if an action is not legal; no table has changed then.
            ValueError: if the actions are not whole numbers, one for each table.
        """
        given = one_action_each(actions, self.num_tables)
        words = as_words(given)
        index = first_illegal(self.tables, self.rules.record, words)
        if index != ALL_LEGAL:
            fault = explain(self.tables[index : index + 1], self.rules, int(given[index]))
            assert fault is not None
            raise fault.as_error(f"table {index}: ")
        step_tables(
            self.tables,
            self.rules.record,
            self._starts,
            words,
            self.auto_reset,
            self.skip_forced,
            self.rewards,
            self.done,
            self.deal_done,
            self.results,
        )
        self.refresh()
        return self.rewards, self.done
