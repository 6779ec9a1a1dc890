"""Steps of some tables of a batch: where one seat of each table learns and agents play the others."""

from baofen.envs.core.batch import ALL_LEGAL
from baofen.envs.core.deal import new_match
from baofen.envs.core.kernel import kernel
from baofen.envs.core.observe import write_observation
from baofen.envs.core.step import apply, may_take, update_legal, write_mask


@kernel
def step_some(tables, rules, indices, actions, paid):  # type: ignore[no-untyped-def]
    """Take one action in each of the tables `indices` [n], none of which is over, if all actions are legal.

    Returns `ALL_LEGAL`, or the first place in `indices` whose action is illegal, and nothing has changed.
    paid: int32 [B, 4], to which the changes of the running totals are added.
    """
    for place in range(indices.shape[0]):
        if not may_take(tables[indices[place]], rules[0], actions[place]):
            return place
    for place in range(indices.shape[0]):
        index = indices[place]
        table = tables[index]
        for seat in range(4):
            paid[index, seat] -= table.totals[seat]
        apply(table, rules[0], actions[place])
        for seat in range(4):
            paid[index, seat] += table.totals[seat]
    return ALL_LEGAL


@kernel
def find_legal(tables, rules, actions, legal):  # type: ignore[no-untyped-def]
    """Write whether each table's action [B] is legal, bool [B]."""
    for index in range(tables.shape[0]):
        legal[index] = may_take(tables[index], rules[0], actions[index])


@kernel
def rematch_some(tables, rules, starts, indices):  # type: ignore[no-untyped-def]
    """Begin the next match in the tables `indices` [n], each from its own stream."""
    for place in range(indices.shape[0]):
        new_match(tables[indices[place]], rules[0], starts[0])
        update_legal(tables[indices[place]], rules[0])


@kernel
def observe_seats(tables, rules, seats, observations, masks):  # type: ignore[no-untyped-def]
    """Write what seat `seats[i]` of table i may know, uint8 [B, O], and may do, int8 [B, 99]: zeros if not to act."""
    for index in range(tables.shape[0]):
        write_observation(tables[index], rules[0], seats[index], observations[index])
        if tables[index].acting == seats[index]:
            write_mask(tables[index], rules[0], masks[index])
        else:
            masks[index] = 0
