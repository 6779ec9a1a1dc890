"""A toy with the shape of the real game that a learner must solve in seconds.

Each seat holds a strength 0 .. 3. Seats are asked in turn to call or to pass; the first to call is the declarer (if
all pass, seat 3 is). The declarer, then each defender but the one opposite (who is never asked in play), sees a
signal 0 .. 3 and names it; one wrong answer is illegal. Names are written relative to a trump suit, so that what
is seen and what is done must both be renamed, and renamed back. Some answers are paid only at later decisions:

- declarer right: +100 for him at the end if his strength is 2 or 3; otherwise -100;
- defender right: +40 for him, but paid with the next step of the table; defender wrong: nothing;
- all passed: -50 for seat 3, before anything else.

So: call with 2 or 3, else pass (but seat 3 always calls); name every signal. The best returns follow by counting.
"""

from typing import Any

import numpy as np

from baofen.agents.policy.suits import NUM_TRUMPS, SuitOrders
from baofen.envs.core.dtypes import BIDDER, DECLARER, DEFENDER
from baofen.training.selfplay.tables import Game

PASS, CALL = 4, 5
NUM_ACTIONS = 6
SIGNAL, STRENGTH, OTHER = 0, 4, 8
SIZE = 12
RESULT = np.dtype([("declarer", "i1"), ("target", "i2"), ("captured", "i2"), ("rewards", "i4", 4), ("made", "i1")])


class SignalTables:
    """`Tables` in plain Python."""

    def __init__(self, num_tables: int, seed: int) -> None:
        self.num_tables = num_tables
        self._rng = np.random.default_rng(seed)
        self.acting_seat = np.zeros(num_tables, np.int8)
        self.role = np.zeros(num_tables, np.int8)
        self.trump = np.full(num_tables, 4, np.int8)
        self.deal_done = np.zeros(num_tables, np.bool_)
        self.results = np.zeros(num_tables, RESULT)
        self._matches = [self._dealt(i) for i in range(num_tables)]

    def _dealt(self, i: int) -> dict[str, Any]:
        match = {
            "strength": self._rng.integers(4, size=4), "signal": self._rng.integers(4, size=4),
            "wrong": self._rng.integers(1, 4, size=4), "turn": 0, "declarer": -1, "owed": np.zeros(4, int),
            "paid": np.zeros(4, int), "trump": int(self._rng.integers(4)), "queue": [], "made": 0,
        }  # fmt: skip
        self.acting_seat[i], self.role[i], self.trump[i] = 0, BIDDER, 4
        return match

    def mask(self, out: np.ndarray) -> None:
        out[:] = 0
        for i, match in enumerate(self._matches):
            if self.role[i] == BIDDER:
                out[i, [PASS, CALL]] = 1
            else:
                seat = self.acting_seat[i]
                out[i, :4] = 1
                out[i, (match["signal"][seat] + match["wrong"][seat] + match["trump"]) % 4] = 0

    def observe(self, out: np.ndarray) -> None:
        out[:] = 0
        for i, match in enumerate(self._matches):
            seat = self.acting_seat[i]
            out[i, STRENGTH + match["strength"][seat]] = 1
            out[i, OTHER] = self.role[i]
            out[i, OTHER + 1] = seat
            if self.role[i] != BIDDER:
                out[i, SIGNAL + (match["signal"][seat] + match["trump"]) % 4] = 1

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        points = np.zeros((self.num_tables, 4), np.int32)
        done = np.zeros(self.num_tables, np.bool_)
        for i, match in enumerate(self._matches):
            points[i] = match["owed"]
            match["owed"] = np.zeros(4, int)
            self._play(i, match, int(actions[i]), points[i])
            match["paid"] += points[i]
            done[i] = self.role[i] != BIDDER and not match["queue"]
            if done[i]:
                points[i] += match["owed"]
                result = (match["declarer"], 85, 100, match["paid"] + match["owed"], match["made"])
                self.results[i] = result
                self._matches[i] = self._dealt(i)
        self.deal_done[:] = done
        return points, done

    def _play(self, i: int, match: dict[str, Any], action: int, points: np.ndarray) -> None:
        seat = int(self.acting_seat[i])
        if self.role[i] == BIDDER:
            assert action in (PASS, CALL), "illegal bid"
            if action == PASS and seat < 3:
                self.acting_seat[i] = seat + 1
                return
            if action == PASS:
                points[3] -= 50
            match["declarer"] = seat
            match["queue"] = [seat, (seat + 1) % 4, (seat + 3) % 4]
            self.trump[i] = match["trump"]
        else:
            told = (action - match["trump"]) % 4
            assert told != (match["signal"][seat] + match["wrong"][seat]) % 4 and action < 4, "illegal answer"
            right = told == match["signal"][seat]
            if seat == match["declarer"]:
                match["made"] = int(right and match["strength"][seat] >= 2)
            elif right:
                match["owed"][seat] += 40
            match["queue"].pop(0)
            if not match["queue"]:
                match["owed"][match["declarer"]] += 100 if match["made"] else -100
                return
        self.acting_seat[i] = match["queue"][0]
        self.role[i] = DECLARER if self.acting_seat[i] == match["declarer"] else DEFENDER


BEST_DECLARER_POINTS = 100 * (1 - 2**-4) - 100 * 2**-4
"""Somebody has strength 2 or more but for one deal in sixteen; then seat 3 calls, since passing costs 50 on top."""
BEST_DEFENDER_POINTS = 80 / 3
"""Two of three defenders are asked, 40 each."""


def suit_orders() -> SuitOrders:
    """The signal `k` of trump `t` stands at place `(k + t) % 4`, in observations and in actions."""
    observation = np.tile(np.arange(SIZE), (NUM_TRUMPS, 1))
    action = np.tile(np.arange(NUM_ACTIONS), (NUM_TRUMPS, 1))
    for trump in range(4):
        observation[trump, :4] = action[trump, :4] = (np.arange(4) + trump) % 4
    return SuitOrders(observation=observation, action=action)


def signal_game() -> Game:
    """The toy as self-play sees it."""
    return Game(
        make_tables=SignalTables,
        observation_size=SIZE,
        num_actions=NUM_ACTIONS,
        suits=suit_orders(),
        bids={PASS: "pass", CALL: "call"},
        facts={"rules": "signal", "options": {}, "observation_layout": "signal"},
    )
