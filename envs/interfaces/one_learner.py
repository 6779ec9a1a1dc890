"""One learning seat a table: the others are played between its decisions. The ground of the Gymnasium environments."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.cards import NUM_SEATS, is_seat
from baofen.envs.core.dtypes import FORFEIT_POINTS, NOBODY
from baofen.envs.core.loops import ALL_LEGAL, find_legal, forfeit_single, observe_seats, rematch_some, step_some
from baofen.envs.core.rng import seed_word
from baofen.envs.explain import Fault, explain
from baofen.envs.history import history_tokens
from baofen.envs.interfaces.illegal import RAISE, TERMINATE, Illegal, check_illegal
from baofen.envs.interfaces.opponents import Opponents, Others
from baofen.envs.interfaces.spaces import LearnerObservation, check_history_tokens
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.starts import WHOLE_DEAL, EpisodeStart, begin_at, check_start
from baofen.envs.table import Table
from baofen.envs.vector import VectorTables, as_words


class LearnerTables:
    """B tables in each of which one seat learns.

    Deals are those of `VectorTables` with the same seed. What is drawn for an episode (the learner's seat, the declarer
    of a start) depends on the seed and the table alone.

    Attributes:
        seats: int64 [B], the learner's seat.
        owed: int32 [B, 4], changes of the totals since the learner was last told.

    Raises:
        ValueError: for a seat, opponents, a start or a way with illegal actions that do not exist, or a start within a
            match of several deals.
        TypeError: if `with_history` is neither True nor False.
    """

    def __init__(
        self,
        num_tables: int,
        rules: str | Rules,
        options: Mapping[str, OptionValue] | None,
        *,
        seat: int | None,
        opponents: Opponents,
        deals_per_match: int,
        start: EpisodeStart,
        illegal: Illegal = TERMINATE,
        with_history: bool = False,
    ) -> None:
        if seat is not None and not is_seat(seat):
            raise ValueError(f"seat must be 0 .. 3, or None to draw it for each episode, not {seat!r}")
        if start != WHOLE_DEAL and deals_per_match != 1:
            raise ValueError("a start other than the deal needs deals_per_match = 1")
        self.batch = VectorTables(num_tables, rules, options, deals_per_match=deals_per_match, auto_reset=False)
        self.rules = self.batch.rules
        self.num_tables = num_tables
        self.seat = seat
        self.start = start
        self.illegal = check_illegal(illegal)
        self.with_history = check_history_tokens(with_history)
        self.others = Others(opponents)
        self.seats = np.zeros(num_tables, np.int64)
        self.owed = np.zeros((num_tables, NUM_SEATS), np.int32)
        check_start(start, self.table(0))

    def table(self, index: int) -> Table:
        """Return one of the tables; it shares its state."""
        return Table.over(self.batch.tables[index : index + 1], self.rules)

    def reset(self, seed: int) -> None:
        """Begin all tables anew from a seed, and play up to the learners' first decisions."""
        self.rules = self.batch.rules
        self._seed(seed)
        self.batch.reset(seed)
        self._begin(np.arange(self.num_tables))

    def rematch(self, indices: NDArray[np.int64]) -> None:
        """Begin the next episode in some tables."""
        self.rules = self.batch.rules
        rematch_some(self.batch.tables, self.rules.record, self.batch.starts.record(), indices)
        self._begin(indices)

    def load(self, table: Table, seed: int) -> None:
        """Begin the episode of the only table with another, its rules included.

        Raises:
            ValueError: if the learner would have nothing to decide.
        """
        self.rules = table.rules
        self._seed(seed)
        self.batch.tables[:] = table.tables
        self._draw_seats(np.zeros(1, np.int64))
        self._let_others_play(np.zeros(1, np.int64))
        if self.over[0]:
            raise ValueError(f"the game ends before seat {self.seats[0]} is to act")

    @property
    def over(self) -> NDArray[np.bool_]:
        """bool [B], whether the match has ended."""
        return self.batch.tables["acting"] == NOBODY

    def observe(self) -> tuple[LearnerObservation, NDArray[np.int8]]:
        """Return what the learners may know, uint8 [B, O], and may do, int8 [B, 99], in new arrays.

        With histories, what they know is `{"observation": uint8 [B, O], "history_tokens": int16 [B, H]}`.
        """
        observations = np.empty((self.num_tables, OBSERVATION_SIZE), np.uint8)
        masks = np.empty((self.num_tables, NUM_ACTIONS), np.int8)
        observe_seats(self.batch.tables, self.rules.record, self.seats, observations, masks)
        if not self.with_history:
            return observations, masks
        tokens = history_tokens(self.batch.tables, self.seats.astype(np.int8))
        return {"observation": observations, "history_tokens": tokens}, masks

    def step(
        self, actions: NDArray[Any], playing: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], dict[int, str]]:
        """Take the learners' actions, whole numbers [B], where they are `playing`, bool [B], and play up to their next decisions.

        Returns `(rewards, terminated, illegal)`: float64 [B], bool [B], and why an action was illegal, by table; such a
        learner has forfeited, which ends its episode. No table that plays may be over.

        Raises:
            IllegalAction: if an illegal action is to raise; no table has changed then.
        """
        tables = self.batch.tables
        illegal = {}
        legal = np.empty(self.num_tables, np.bool_)
        words = as_words(actions)
        find_legal(tables, self.rules.record, np.arange(self.num_tables), words, legal)
        wrong = np.flatnonzero(~legal & playing).tolist()
        if wrong and self.illegal == RAISE:
            fault = self._fault(wrong[0], int(actions[wrong[0]]))
            where = f"table {wrong[0]}: " if self.num_tables > 1 else ""
            raise fault.as_error(where)
        for index in wrong:
            illegal[index] = self._forfeit(index, int(actions[index]))
        indices = np.flatnonzero(legal & playing)
        step_some(tables, self.rules.record, indices, words[indices], self.owed)
        self._let_others_play(indices)
        rewards = self.owed[np.arange(self.num_tables), self.seats].astype(np.float64)
        self.owed[:] = 0
        return rewards, playing & (~legal | self.over), illegal

    def _seed(self, seed: int) -> None:
        word = int(seed_word(seed))
        self._rngs = [np.random.default_rng([word, index]) for index in range(self.num_tables)]
        self.others.reset(self.num_tables, word)

    def _begin(self, indices: NDArray[np.int64]) -> None:
        self._draw_seats(indices)
        if self.start != WHOLE_DEAL:
            for index in indices.tolist():
                begin_at(self.table(index), self.start, int(self.seats[index]), self._rngs[index])
        self._let_others_play(indices)

    def _draw_seats(self, indices: NDArray[np.int64]) -> None:
        self.owed[indices] = 0
        for index in indices.tolist():
            self.seats[index] = self._rngs[index].integers(NUM_SEATS) if self.seat is None else self.seat

    def _let_others_play(self, indices: NDArray[np.int64]) -> None:
        """Play some tables on until it is the learner's turn or the match is over."""
        tables = self.batch.tables
        while len(indices):
            acting = tables["acting"][indices]
            indices = indices[(acting != NOBODY) & (acting != self.seats[indices])]
            if not len(indices):
                return
            places = (tables["acting"][indices] - self.seats[indices] - 1) % NUM_SEATS
            actions = self.others.act(self.rules, tables, indices, places)
            wrong = step_some(tables, self.rules.record, indices, actions, self.owed)
            if wrong != ALL_LEGAL:
                index = int(indices[wrong])
                fault = explain(tables[index : index + 1], self.rules, int(actions[wrong]))
                assert fault is not None
                raise fault.as_error("an opponent: ")

    def _fault(self, index: int, action: int) -> Fault:
        """Return what is wrong with an action that is not legal."""
        fault = explain(self.batch.tables[index : index + 1], self.rules, action)
        assert fault is not None
        return fault

    def _forfeit(self, index: int, action: int) -> str:
        """Let a learner forfeit in the points room, and return what was wrong with its action."""
        message = self._fault(index, action).message
        table = self.batch.tables[index : index + 1]
        before = table["totals"][0].copy()
        forfeit_single(table, self.rules.record, int(self.seats[index]), FORFEIT_POINTS)
        self.owed[index] += table["totals"][0] - before
        return message
