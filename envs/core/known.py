"""What a seat may know of a table: everything else is removed, and the history of the deal is cut down to that.

Of a selection only the cards are kept, ascending: in which order somebody picked them is nobody's business.
"""

import numpy as np

from baofen.envs.actions import NUM_ACTIONS, PASS
from baofen.envs.core.deal import BEFORE_CLOSING
from baofen.envs.core.dtypes import BURY, COMMITTED, EXPOSE, MAX_ACTIONS, PHASE_BITS, PHASE_SHIFT, SEAT_BITS
from baofen.envs.core.kernel import kernel

NO_TOKEN = 0
"""What stands in a history behind the last action."""
NUM_TOKENS = 1 + 4 * NUM_ACTIONS


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
def redact(table, seat):
    """Remove from a table all that a seat may not know."""
    keep_known_actions(table, seat)
    table.rng = np.uint64(0)
    table.drawn_suit = 0
    table.others_left = 0  # who is still to be asked while cards are dealt would show who has passed
    table.closing_left = BEFORE_CLOSING
    for index in range(108):
        table.deck[index] = 0
    for other in range(4):
        if other != seat:
            table.hand_ones[other] = 0
            table.hand_twos[other] = 0
    if seat != table.declarer:
        table.buried_ones = 0
        table.buried_twos = 0
    if seat != table.acting:
        table.selection_ones = 0
        table.selection_twos = 0
        table.legal_picks = 0
        table.legal_words = 0
    if seat != table.acting or table.num_plays == 0:  # a leader has no duties: those are of the last to follow
        table.duty_cards = 0
        table.duty_pairs = 0
        table.duty_num_pieces = 0
    for index in range(table.duty_num_pieces, 6):
        table.duty_pieces[index] = 0


@kernel
def redact_tables(tables, seats):
    """Remove from each table [n] what seat `seats[i]` may not know."""
    for index in range(tables.shape[0]):
        redact(tables[index], seats[index])
