"""The list of a decision: whole plays where cards are played or buried, single actions everywhere else.

The list of a lead, a follow or a bury is what search compares (`baofen.agents.search`): the heuristic's own play
first. Calls, the pass, trumps and exposures are all legal ones, in the order of their actions; so is what may be picked
next where a selection has been begun.
"""

import numpy as np

from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.agents.heuristic_v1.plans import next_action
from baofen.agents.heuristic_v1.playout import bury_cards
from baofen.agents.search.buries import add_exchanges, find_buries
from baofen.agents.search.candidates import find_candidates
from baofen.envs.actions import COMMIT, EIGHT
from baofen.envs.cards import NUM_FACES
from baofen.envs.core.bits import lowest
from baofen.envs.core.dtypes import BURY, PLAY
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.step import after_play, apply, play_cards
from baofen.envs.core.trick import play_eight

LIST_NAME = "heuristic-v1 candidates"
LIST_VERSION = 1
"""A network is trained on one list and must be played with the same: policies name it."""
MAX_PLAYS = 64
CARDS = -1
"""Value of `action` where an entry is a set of cards."""

PLAYS = np.dtype(
    [
        ("count", np.int16),
        ("ones", np.int64, MAX_PLAYS),  # the cards of an entry as two words; of an eight and of calls none
        ("twos", np.int64, MAX_PLAYS),
        ("action", np.int16, MAX_PLAYS),  # the single action of an entry, or CARDS
    ],
    align=True,
)
"""dtype of the list of one decision."""


@inline_kernel
def _add(plays, ones, twos, action):
    """Add an entry unless it is there or there is no room."""
    if plays.count == MAX_PLAYS:
        return
    for index in range(plays.count):
        if plays.ones[index] == ones and plays.twos[index] == twos and plays.action[index] == action:
            return
    plays.ones[plays.count] = ones
    plays.twos[plays.count] = twos
    plays.action[plays.count] = action
    plays.count += 1


@kernel
def _list_actions(table, rules, plays):
    """List all legal actions in their order; what is legal must be up to date."""
    for face in range(NUM_FACES):
        if (table.legal_picks >> rules.position[table.layout, face]) & 1:
            _add(plays, 0, 0, face)
    words = table.legal_words
    while words != 0:
        _add(plays, 0, 0, COMMIT + lowest(words))
        words &= words - 1


@kernel
def _take_candidates(found, plays):
    """Add the candidates of search."""
    for index in range(found.count):
        eight = int(found.eight[index])
        _add(plays, found.ones[index], found.twos[index], CARDS if eight == 0 else EIGHT + eight - 1)


@kernel
def list_plays(table, rules, weights, found, plays):
    """Write the list of the acting seat's decision into `plays`, a record of `PLAYS`; reads only what the seat may know.

    found: a record of `CANDIDATES` to work in. What is legal must be up to date but where cards are played or buried
    and none is picked yet.
    """
    plays.count = 0
    if table.phase == PLAY and table.selection_ones == 0:
        find_candidates(table, rules, weights, found)
        _take_candidates(found, plays)
    elif table.phase == BURY and table.selection_ones == 0:
        find_buries(table, rules, weights, found)
        _take_candidates(found, plays)
        add_exchanges(table, rules, weights, 0, found)
        _take_candidates(found, plays)
    else:
        _list_actions(table, rules, plays)


@kernel
def list_exchanges(table, rules, weights, best, found, plays):
    """Write a second list of a bury: the heuristic's own, the entry `best` of the first, and what it becomes by exchanges."""
    found.ones[0], found.twos[0] = plays.ones[0], plays.twos[0]
    found.ones[1], found.twos[1] = plays.ones[best], plays.twos[best]
    found.count = 2
    add_exchanges(table, rules, weights, 1, found)
    plays.count = 0
    _take_candidates(found, plays)


@kernel
def make_play(table, rules, plays, index):
    """Carry an entry out at once; of the picks of a play only the last may be in the history."""
    action = int(plays.action[index])
    if action == CARDS:
        if table.phase == BURY:
            bury_cards(table, rules, Cards(plays.ones[index], plays.twos[index]))
        else:
            play_cards(table, rules, plays.ones[index], plays.twos[index])
    elif table.phase == PLAY and action >= EIGHT:
        play_eight(table, rules, action - EIGHT + 1)
        after_play(table, rules)
    else:
        apply(table, rules, action)


@kernel
def next_pick(table, rules, plays, index):
    """Return the next single action that carries an entry out, so that the history of a deal is as if picked by hand."""
    action = int(plays.action[index])
    if action != CARDS:
        return action
    return next_action(table, rules, Cards(plays.ones[index], plays.twos[index]), 0)
