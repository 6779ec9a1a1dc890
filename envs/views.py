"""Views: what acting seats may know, in a batch, as agents get it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.cards import format_cards
from baofen.envs.core.known import redact_tables
from baofen.envs.core.loops import describe, mask_tables, observe_tables
from baofen.envs.explain import hand_faces
from baofen.envs.history import deal_actions, history_tokens, known_tables
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.rules import Rules


@dataclass(frozen=True, eq=False)
class Views:
    """One row for each decision; all rows are of the same rules.

    observation: uint8 [n, O], what the acting seat may know (`baofen.envs.observation`).
    action_mask: uint8 [n, 99], 1 where an action is legal.
    seat, role, phase, trump: int8 [n], of the acting seat (absolute), trump 4 until it is known.
    table: int64 [n], which of the tables the row belongs to.
    state: TABLE [n], the table with all that is hidden from the seat removed; the whole table for cheating agents.
    """

    rules: Rules
    observation: NDArray[np.uint8]
    action_mask: NDArray[np.uint8]
    seat: NDArray[np.int8]
    role: NDArray[np.int8]
    phase: NDArray[np.int8]
    trump: NDArray[np.int8]
    table: NDArray[np.int64]
    state: NDArray[np.void]

    def __len__(self) -> int:
        return len(self.seat)

    def hand(self, row: int) -> str:
        """Return the acting seat's cards as card words; picked cards are still among them."""
        return format_cards(hand_faces(self.state[row : row + 1], self.rules, int(self.seat[row])))

    def history(self, row: int) -> list[dict[str, Any]]:
        """Return the actions of the deal that the acting seat knows, as the `actions` of a game record.

        What others buried is not among them, nor are passes while the cards are dealt; that holds for cheating agents too.
        """
        return deal_actions(known_tables(self.state[row : row + 1], self.seat[row : row + 1]))

    def history_tokens(self) -> NDArray[np.int16]:
        """Return the same for all rows as tokens, int16 [n, H] (`baofen.envs.history.history_tokens`)."""
        return history_tokens(self.state, self.seat)


def make_views(
    rules: Rules,
    tables: NDArray[np.void],
    indices: NDArray[np.int64] | None = None,
    *,
    cheating: bool = False,
    observe: bool = True,
) -> Views:
    """Return the views of the acting seats of some tables (all by default), none of which may be over.

    All arrays are copies: whatever is written to them does not reach the tables.

    cheating: the state is left whole, for agents declared as cheating.
    observe: if False, observations are left out: uint8 [n, 0], for agents that play from the state alone.
    """
    indices = np.arange(len(tables)) if indices is None else np.array(indices, np.int64)
    state = copy_rows(tables, indices)
    count = len(state)
    observation = np.empty((count, OBSERVATION_SIZE if observe else 0), np.uint8)
    action_mask = np.empty((count, NUM_ACTIONS), np.uint8)
    seat, role, phase, trump = (np.empty(count, np.int8) for _ in range(4))
    describe(state, seat, role, phase, trump)
    if observe:
        observe_tables(state, rules.record, observation)
    mask_tables(state, rules.record, action_mask)
    if not cheating:
        redact_tables(state, seat)
    return Views(rules, observation, action_mask, seat, role, phase, trump, indices, state)


def copy_rows(tables: NDArray[np.void], rows: NDArray[np.int64] | NDArray[np.bool_]) -> NDArray[np.void]:
    """Return copies of some of the tables, by index or mask, [n]; as bytes, for numpy would copy field by field.

    >>> from baofen.envs import VectorTables
    >>> copy_rows(VectorTables(3).tables, np.array([2, 0])).shape
    (2,)
    """
    octets = np.ascontiguousarray(tables).view(np.uint8).reshape(len(tables), -1)[rows]
    return octets.view(tables.dtype).reshape(len(octets))
