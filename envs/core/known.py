"""What a seat may know of a table: everything else is removed, and the history of the deal is cut down to that.

Of a selection only the cards are kept, ascending: in which order somebody picked them is nobody's business.
"""

import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import NUM_ACTIONS, PASS
from baofen.envs.cards import NUM_SEATS
from baofen.envs.core.deal import dealt_to
from baofen.envs.core.dtypes import (
    BURY,
    COMMITTED,
    EXPOSE,
    MAX_ACTIONS,
    MAX_RUNS,
    PHASE_BITS,
    PHASE_SHIFT,
    SEAT_BITS,
    TABLE,
    TABLE_FIELDS,
    Sees,
)
from baofen.envs.core.kernel import kernel

NO_TOKEN = 0
"""What stands in a history behind the last action."""
NUM_TOKENS = 1 + 4 * NUM_ACTIONS
ACTING, FOLLOWER, BURIER, WHILE_ASKED = (
    int(one) for one in (Sees.ACTING, Sees.FOLLOWER, Sees.BURIER, Sees.WHILE_ASKED)
)


@kernel
def _sort_actions(table, first, end):
    """Sort the actions first .. end - 1 of the history, ascending; there are few."""
    for index in range(first + 1, end):
        action = table.actions[index]
        place = index
        while place > first and table.actions[place - 1] > action:
            table.actions[place] = table.actions[place - 1]
            place -= 1
        table.actions[place] = action


@kernel
def keep_known_actions(table, seat):
    """Keep of a table's history, in place, the actions of the deal that a seat knows.

    Gone are what others did in private: passes while the cards are dealt, cards buried, cards picked so far.
    """
    kept, selection = 0, 0  # actions kept, and where among them the running selection begins
    for index in range(table.num_actions):
        action, mark = table.actions[index], table.action_marks[index]
        phase = (mark >> PHASE_SHIFT) & PHASE_BITS
        if mark & SEAT_BITS != seat and (phase == BURY or (phase == EXPOSE and action == PASS)):
            continue
        table.actions[kept] = action
        table.action_marks[kept] = mark
        kept += 1
        if mark & COMMITTED:
            _sort_actions(table, selection, kept)
            selection = kept
    if kept > selection and table.action_marks[selection] & SEAT_BITS != seat:
        kept = selection
    _sort_actions(table, selection, kept)
    for index in range(kept, MAX_ACTIONS):  # beyond the last action lie those of the deal before
        table.actions[index] = 0
        table.action_marks[index] = 0
    table.num_actions = kept


@kernel
def keep_known(tables, seats):
    """Keep of each table's history [n], in place, the actions that seat `seats[i]` knows."""
    for index in range(tables.shape[0]):
        keep_known_actions(tables[index], seats[index])


@kernel
def write_tokens(table, seat, out):
    """Write the history of a table that holds only what a seat knows, int16 [H], and `NO_TOKEN` behind it.

    A token is 1 + 99 * (how many seats after this one the actor sits) + action.
    """
    for index in range(out.shape[0]):
        out[index] = NO_TOKEN
        if index < table.num_actions:
            actor = ((table.action_marks[index] & SEAT_BITS) - seat) & 3
            out[index] = 1 + NUM_ACTIONS * actor + table.actions[index]


@kernel
def write_histories(tables, seats, out):
    """Write the histories of tables [B] after `keep_known`, int16 [B, H], as `write_tokens` does."""
    for index in range(tables.shape[0]):
        write_tokens(tables[index], seats[index], out[index])


@kernel
def known_dealt(table, seat):
    """Return how many cards a seat knows to be dealt, 0 .. 100.

    While the cards are dealt the seat that is asked sees that dealing stands still; the others know their own cards
    and what has been exposed, so that they do not learn who is asked, and thereby who holds a 2.
    """
    if table.phase != EXPOSE or seat == table.acting:
        return int(table.dealt)
    place = (seat - table.first_caller) & 3
    own = dealt_to(table, seat, int(table.dealt))
    known = 4 * (own - 1) + place + 1 if own > 0 else 0
    for index in range(table.num_exposed):
        known = max(known, int(table.exposed_after[index]))
    return known


NUM_AUDIENCES = len(Sees) + NUM_SEATS
_CUT_APART = (Sees.ALL, Sees.KNOWN_ACTIONS, Sees.KNOWN_DEALT)
"""Audiences that need no byte removed: all, and those for whom more is done than that."""
OWN_OF_SEAT = len(Sees)
"""Audience of what is seat 0's own; those of the other seats follow."""


def _hidden_bytes() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Return the bytes of a table that not all may know: where each lies, its audience, and what is blank there.

    The gaps between fields are nobody's.
    """
    audience = np.full(TABLE.itemsize, Sees.NOBODY_SEES, np.int64)
    blank = np.zeros(1, TABLE)
    for field in TABLE_FIELDS:
        assert TABLE.fields is not None
        start = TABLE.fields[field.name][1]
        size = np.dtype(field.type).itemsize
        for index in range(field.length):
            whose = OWN_OF_SEAT + index if field.sees == Sees.OWN else field.sees
            audience[start + index * size : start + (index + 1) * size] = whose
        blank[field.name] = field.blank
    places = np.flatnonzero(~np.isin(audience, _CUT_APART))
    return places, audience[places], blank.view(np.uint8)[places]


_HIDDEN = _hidden_bytes()


@kernel
def _redact(tables, octets, seats, places, audiences, blanks):
    """Remove from each table [n], whose bytes `octets` are, what seat `seats[i]` may not know."""
    sees = np.empty(NUM_AUDIENCES, np.bool_)
    for index in range(tables.shape[0]):
        table, seat = tables[index], seats[index]
        keep_known_actions(table, seat)
        table.dealt = known_dealt(table, seat)
        acts = seat == table.acting
        sees[:] = False
        sees[ACTING] = acts
        sees[FOLLOWER] = acts and table.num_plays > 0  # a leader has no duties: those are of the last to follow
        sees[BURIER] = seat == table.declarer
        sees[WHILE_ASKED] = acts or table.phase != EXPOSE
        sees[OWN_OF_SEAT + seat] = True
        for piece in range(table.duty_num_pieces, MAX_RUNS):
            table.duty_pieces[piece] = 0
        for number in range(places.shape[0]):
            if not sees[audiences[number]]:
                octets[index, places[number]] = blanks[number]


def redact_tables(tables: NDArray[np.void], seats: NDArray[np.int8]) -> None:
    """Remove from each table, TABLE [n], in place, what seat `seats[i]` may not know.

    What that is stands beside the fields (`core.dtypes.TABLE_FIELDS`).

    Raises:
        ValueError: if the tables do not lie together in memory, so that their bytes could not be written.
    """
    if not tables.flags.c_contiguous:
        raise ValueError("the tables of views must lie together in memory")
    octets = tables.view(np.uint8).reshape(len(tables), TABLE.itemsize)
    _redact(tables, octets, seats, *_HIDDEN)
