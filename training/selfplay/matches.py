"""The running match of every table, and the rows that finished matches give."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.envs.cards import NUM_SEATS
from baofen.envs.core.dtypes import ROLES
from baofen.training.selfplay import kernels


class RoleRows:
    """Rows of one role to learn from; the arrays grow, and are used again for the next sample.

    Attributes:
        num_rows: rows written so far.
        arrays: name -> [capacity, ...]: observation uint8, mask uint8, action int64, log_probability float32,
            advantage float32, target float32 (advantage and target in units of scaled returns).
    """

    def __init__(self, observation_size: int, num_actions: int) -> None:
        self._shapes: dict[str, tuple[Any, tuple[int, ...]]] = {
            "observation": (np.uint8, (observation_size,)),
            "mask": (np.uint8, (num_actions,)),
            "action": (np.int64, ()),
            "log_probability": (np.float32, ()),
            "advantage": (np.float32, ()),
            "target": (np.float32, ()),
        }
        self.num_rows = 0
        self.arrays = self._allocated(0)

    def _allocated(self, capacity: int) -> dict[str, NDArray[Any]]:
        return {name: np.empty((capacity, *shape), dtype) for name, (dtype, shape) in self._shapes.items()}

    def reserve(self, more: int) -> None:
        """Make room for `more` rows."""
        needed = self.num_rows + more
        if needed > len(self.arrays["action"]):
            grown = self._allocated(max(needed, 2 * len(self.arrays["action"])))
            for name, old in self.arrays.items():
                grown[name][: self.num_rows] = old[: self.num_rows]
            self.arrays = grown

    def filled(self) -> dict[str, NDArray[Any]]:
        """Return the rows written so far, without a copy: good until the next sample begins."""
        return {name: array[: self.num_rows] for name, array in self.arrays.items()}


class Matches:
    """Decision by decision, what happened in the running match of each of B tables.

    Attributes:
        length: int64 [B], decisions of the running match so far.
        skip: bool [B], matches whose rows are not wanted (they began with warm-up moves).
    """

    def __init__(self, num_tables: int, observation_size: int, num_actions: int, capacity: int = 192) -> None:
        self.length = np.zeros(num_tables, np.int64)
        self.skip = np.zeros(num_tables, np.bool_)
        self._last = np.full((num_tables, NUM_SEATS), -1, np.int64)
        # Pages of an array that are never written cost nothing, but a long match must not fix the room for all.
        self._capacity = capacity
        self._fields: dict[str, NDArray[Any]] = {
            name: np.empty((num_tables, capacity, *shape), dtype)
            for name, dtype, shape in (
                ("observation", np.uint8, (observation_size,)),
                ("mask", np.uint8, (num_actions,)),
                ("seat", np.int8, ()),
                ("role", np.int8, ()),
                ("learns", np.bool_, ()),
                ("action", np.int64, ()),
                ("log_probability", np.float32, ()),
                ("value", np.float32, ()),
                ("reward", np.float32, ()),
                ("advantage", np.float32, ()),
                ("target", np.float32, ()),
            )
        }

    def remember(
        self,
        *,
        seat: NDArray[np.int8],
        role: NDArray[np.int8],
        learns: NDArray[np.bool_],
        place: NDArray[np.int64],
        observation: NDArray[np.uint8],
        mask: NDArray[np.uint8],
        action: NDArray[np.int64],
        log_probability: NDArray[np.float32],
        value: NDArray[np.float32],
    ) -> None:
        """Append one decision of every table; observation, mask and value are grouped, row `place` is table i's."""
        if self.length.max() >= self._capacity:
            self._grow()
        f = self._fields
        kernels.remember(
            self.length, seat, role, learns, place, observation, mask, action, log_probability, value,
            f["observation"], f["mask"], f["seat"], f["role"], f["learns"], f["action"],
            f["log_probability"], f["value"], f["reward"], self._last,
        )  # fmt: skip

    def credit(self, points: NDArray[np.int32], scale: float) -> None:
        """Add int32 [B, 4] points, times scale, to each seat's latest decision."""
        kernels.credit(points, scale, self._last, self._fields["reward"])

    def finish(
        self, done: NDArray[np.bool_], discount: float, gae_lambda: NDArray[np.float64], rows: list[RoleRows]
    ) -> int:
        """Close the matches that ended: append their rows by role, clear the tables, return how many rows.

        gae_lambda: float64 [roles].
        """
        ended = np.flatnonzero(done)
        wanted = ended[~self.skip[ended]]
        count = np.zeros(len(ROLES), np.int64)
        f = self._fields
        if len(wanted):
            kernels.advantages(
                wanted, self.length, f["seat"], f["role"], f["reward"], f["value"], discount, gae_lambda,
                f["advantage"], f["target"],
            )  # fmt: skip
            kernels.count_rows(wanted, self.length, f["role"], f["learns"], count)
            for role, out in enumerate(rows):
                if count[role]:
                    out.reserve(int(count[role]))
                    a = out.arrays
                    out.num_rows = kernels.emit_rows(
                        wanted, self.length, role, f["role"], f["learns"], f["observation"], f["mask"],
                        f["action"], f["log_probability"], f["advantage"], f["target"], out.num_rows,
                        a["observation"], a["mask"], a["action"], a["log_probability"], a["advantage"],
                        a["target"],
                    )  # fmt: skip
        self.clear(ended)
        return int(count.sum())

    def clear(self, tables: NDArray[np.int64]) -> None:
        """Forget the running matches of these tables; their next matches are wanted."""
        self.length[tables] = 0
        self._last[tables] = -1
        self.skip[tables] = False

    def _grow(self) -> None:
        """Double the room for decisions of one match."""
        for name, old in self._fields.items():
            grown = np.empty((old.shape[0], 2 * self._capacity, *old.shape[2:]), old.dtype)
            grown[:, : self._capacity] = old
            self._fields[name] = grown
        self._capacity *= 2
