"""Exact play of the last cards when all hands are open: alpha-beta search with a transposition table.

The value of a position is how many more points the declarer captures if both sides play perfectly from there; the three
defenders are one side. Bonuses, fines and the bottom are left out, so that a position's value does not depend on how it
was reached. A throw that would fail is not tried: it comes to a lead that is tried anyway.
"""

import numpy as np
from numpy.typing import NDArray

from baofen.envs.core.bits import count_cards, highest
from baofen.envs.core.dtypes import LEGAL, OVER, TABLE
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.leading import held_eights, judge_lead
from baofen.envs.core.rng import mix
from baofen.envs.core.step import play_cards, play_fault

MAX_CARDS = 6
"""Most cards a hand for which the search is meant; each card more takes about ten times as long."""
MAX_PLIES = 4 * MAX_CARDS + 1
MAX_PLAYS = 1 << MAX_CARDS
TABLE_BITS = 14
EXACT, AT_LEAST, AT_MOST = range(3)
LOWEST, HIGHEST = -1000, 1000

SOLVER = np.dtype(
    [
        ("count", np.int16, MAX_PLIES),  # plays of the node at each ply
        ("index", np.int16, MAX_PLIES),  # of them, the next to be tried
        ("ones", np.int64, (MAX_PLIES, MAX_PLAYS)),
        ("twos", np.int64, (MAX_PLIES, MAX_PLAYS)),
        ("low", np.int16, MAX_PLIES),  # window, in captured points at the end
        ("high", np.int16, MAX_PLIES),
        ("floor", np.int16, MAX_PLIES),  # the window as it was when the node was entered
        ("ceiling", np.int16, MAX_PLIES),
        ("best", np.int16, MAX_PLIES),
        ("key", np.uint64, MAX_PLIES),  # 0: not at the beginning of a trick
        ("seen_key", np.uint64, 1 << TABLE_BITS),
        ("seen_value", np.int16, 1 << TABLE_BITS),
        ("seen_bound", np.int8, 1 << TABLE_BITS),
    ],
    align=True,
)
"""dtype of the working memory: the path from the root, and positions already solved."""


def make_solver() -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Return working memory `(solver, path)`: arrays of the `SOLVER` [1] and `TABLE` [plies] dtypes."""
    return np.zeros(1, SOLVER), np.zeros(MAX_PLIES, TABLE)


@inline_kernel
def cards_left(table, seat):
    """Return how many cards a hand has left."""
    return count_cards(table.hand_ones[seat], table.hand_twos[seat])


@kernel
def _position_key(table):
    """Return a hash, never 0, of the hands, the leader, the declarer and trump."""
    key = np.uint64(1 + table.leader + 4 * table.declarer + 16 * table.layout)
    for seat in range(4):
        key = mix(key * np.uint64(31) + np.uint64(table.hand_ones[seat]))
        key = mix(key * np.uint64(31) + np.uint64(table.hand_twos[seat]))
    return key | np.uint64(1)


@kernel
def _is_play(table, rules, ones, twos):
    """Return whether the acting seat may play a set of cards of its hand, throws that fail apart."""
    if play_fault(table, rules, ones, twos) != LEGAL:
        return False
    if table.num_plays > 0:
        return True
    led_ones, led_twos, _ = judge_lead(table, rules, int(table.acting), ones, twos)
    return led_ones == ones and led_twos == twos


@kernel
def _list_plays(table, rules, solver, ply):
    """List the plays of the acting seat: all sets of its cards that are legal, high cards first."""
    seat = int(table.acting)
    cards = np.empty(MAX_CARDS, np.int64)
    num_cards = 0
    rest = table.hand_ones[seat]
    while rest != 0:
        position = highest(rest)
        rest ^= 1 << position
        for _ in range(1 + ((table.hand_twos[seat] >> position) & 1)):
            cards[num_cards] = position
            num_cards += 1
    solver.count[ply] = 0
    solver.index[ply] = 0
    for chosen in range(1, 1 << num_cards):
        ones = twos = 0
        doubled = False
        for card in range(num_cards):
            if (chosen >> card) & 1:
                bits = 1 << cards[card]
                twos |= ones & bits
                ones |= bits
            elif card + 1 < num_cards and cards[card + 1] == cards[card] and (chosen >> (card + 1)) & 1:
                doubled = True  # the same set with the first copy instead is listed
        if not doubled and _is_play(table, rules, ones, twos):
            solver.ones[ply, solver.count[ply]] = ones
            solver.twos[ply, solver.count[ply]] = twos
            solver.count[ply] += 1


@kernel
def _enter(table, rules, solver, ply, low, high):
    """Begin the node at a ply with a window; return whether its value, in `best`, is known already."""
    if table.phase == OVER:
        solver.best[ply] = table.captured
        return True
    solver.key[ply] = 0
    if table.num_plays == 0:
        key = _position_key(table)
        slot = key & np.uint64((1 << TABLE_BITS) - 1)
        solver.key[ply] = key
        if solver.seen_key[slot] == key:
            value = solver.seen_value[slot] + table.captured
            bound = solver.seen_bound[slot]
            if bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low):
                solver.best[ply] = value
                return True
    solver.low[ply] = low
    solver.high[ply] = high
    solver.floor[ply] = low
    solver.ceiling[ply] = high
    solver.best[ply] = LOWEST if table.acting == table.declarer else HIGHEST
    _list_plays(table, rules, solver, ply)
    return False


@kernel
def _remember(table, solver, ply):
    """Store what a finished node at the beginning of a trick is worth."""
    key = solver.key[ply]
    if key == 0:
        return
    slot = key & np.uint64((1 << TABLE_BITS) - 1)
    best = solver.best[ply]
    solver.seen_key[slot] = key
    solver.seen_value[slot] = best - table.captured
    solver.seen_bound[slot] = EXACT
    if best <= solver.floor[ply]:
        solver.seen_bound[slot] = AT_MOST
    elif best >= solver.ceiling[ply]:
        solver.seen_bound[slot] = AT_LEAST


@kernel
def solve(table, rules, solver, path):
    """Return the points that the declarer has captured at the end if both sides play perfectly from here.

    `table` is left as it is; no card may be picked, no eight led or held, and no hand may have more than `MAX_CARDS`.
    """
    path[0] = table
    path[0].deals_per_match = 0
    ply = 0
    if _enter(path[0], rules, solver, 0, LOWEST, HIGHEST):
        return int(solver.best[0])
    while True:
        node = path[ply]
        if solver.index[ply] < solver.count[ply] and solver.low[ply] < solver.high[ply]:
            index = solver.index[ply]
            solver.index[ply] += 1
            path[ply + 1] = node
            play_cards(path[ply + 1], rules, solver.ones[ply, index], solver.twos[ply, index])
            ply += 1
            if not _enter(path[ply], rules, solver, ply, solver.low[ply - 1], solver.high[ply - 1]):
                continue
        else:
            _remember(node, solver, ply)
            if ply == 0:
                return int(solver.best[0])
        value = solver.best[ply]
        ply -= 1
        if path[ply].acting == path[ply].declarer:
            solver.best[ply] = max(solver.best[ply], value)
            solver.low[ply] = max(solver.low[ply], value)
        else:
            solver.best[ply] = min(solver.best[ply], value)
            solver.high[ply] = min(solver.high[ply], value)


@kernel
def is_solvable(table, rules, num_cards):
    """Return whether every hand has at most `num_cards` cards and no eight is in play."""
    if table.lead_eight != 0:
        return False
    for seat in range(4):
        if cards_left(table, seat) > num_cards or held_eights(table, rules, seat) != 0:
            return False
    return True
