"""Random numbers of agents: each draw has its own key, so that no draw moves another.

A key is made of the agent's seed, the seat, the cards it was dealt and how far it has got. All of that the seat knows,
and none of it depends on the number of tables, on workers, or on the choices of others.
"""

import numpy as np

from baofen.envs.core.bits import add_cards, count_cards
from baofen.envs.core.dtypes import EXPOSE, SEAT_BITS
from baofen.envs.core.kernel import kernel
from baofen.envs.core.rng import below, mix, stream


@kernel
def asked_while_dealing(table):
    """Return how often the acting seat has answered while the cards are dealt; -1 once they are."""
    if table.phase != EXPOSE:
        return -1
    times = 0
    for index in range(table.num_actions):
        times += table.action_marks[index] & SEAT_BITS == table.acting
    return times


@kernel
def draw_number(table, seed, with_selection):
    """Return a mixed uint64 for the next decision of the acting seat; `seed` is uint64.

    `with_selection`: each pick of a selection draws anew; otherwise they all draw the same, as a plan needs it.
    """
    seat = table.acting
    ones, twos = add_cards(
        table.hand_ones[seat], table.hand_twos[seat], table.played_ones[seat], table.played_twos[seat]
    )
    if seat == table.declarer:
        ones, twos = add_cards(ones, twos, table.buried_ones, table.buried_twos)
    progress = count_cards(table.hand_ones[seat], table.hand_twos[seat])
    progress = progress * 64 + table.last_call
    progress = progress * 64 + asked_while_dealing(table)
    progress = progress * 8 + table.phase
    progress = progress * 4 + seat
    number = stream(seed, np.uint64(ones))
    number = stream(number, np.uint64(twos))
    number = stream(number, np.uint64(progress))
    if with_selection:
        number = stream(number, np.uint64(table.selection_ones))
        number = stream(number, np.uint64(table.selection_twos))
    return mix(number)


@kernel
def draw_below(table, seed, with_selection, bound):
    """Return a number 0 .. bound - 1 for the next decision of the acting seat."""
    return below(draw_number(table, seed, with_selection), bound)
