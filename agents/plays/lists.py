"""Lists of many tables in one compiled call, and choices carried out pick by pick."""

import numpy as np

from baofen.agents.plays.features import write_plays
from baofen.agents.plays.listing import list_plays, next_pick
from baofen.envs.cards import NUM_FACES
from baofen.envs.core.dtypes import NOBODY
from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import apply


@kernel
def list_all(tables, rules, weights, found, scratch, entries, cards, features):
    """Write the list of each table [B]: entries PLAYS [B], cards uint8 [B, 64, 54] by face, features float32 [B, 64, F]."""
    places = np.arange(NUM_FACES)
    for index in range(tables.shape[0]):
        table = tables[index]
        entries[index].count = 0
        if table.acting != NOBODY:
            list_plays(table, rules[0], weights[0], found[0], entries[index])
            write_plays(table, rules[0], weights[0], entries[index], places, scratch, cards[index], features[index])


@kernel
def pick_all_but_last(tables, rules, entries, choices, scratch, last):
    """Make the picks of each table's choice that leave its turn unfinished, and write the action that ends it into `last`."""
    for index in range(tables.shape[0]):
        if tables[index].acting == NOBODY:
            continue
        while True:
            action = next_pick(tables[index], rules[0], entries[index], choices[index])
            scratch[0] = tables[index]
            last[index] = action
            if scratch[0].selection_ones == 0 and int(entries[index].action[choices[index]]) >= 0:
                break
            apply(scratch[0], rules[0], action)
            same_turn = scratch[0].acting == tables[index].acting and scratch[0].phase == tables[index].phase
            if not same_turn or scratch[0].selection_ones == 0:
                break
            tables[index] = scratch[0]
