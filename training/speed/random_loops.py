"""Random play inside compiled code, as the layers of the core measure it, and its parts by themselves.

The parts are each done often in a row, so that their costs can be told apart.
"""

from baofen.agents.legal import legal_action, num_legal
from baofen.envs.core.deal import new_match
from baofen.envs.core.dtypes import OVER
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.observe import write_observation
from baofen.envs.core.rng import advance, below, mix
from baofen.envs.core.step import apply, update_legal, write_mask


@inline_kernel
def drawn_action(table, rules, number):
    """Return a legal action, uniformly by a mixed uint64."""
    return legal_action(table, rules, below(number, num_legal(table)))


@inline_kernel
def _take(table, rules, starts, number):
    """Take a random action; when the match is over, begin the next and return 1, else 0."""
    apply(table, rules, drawn_action(table, rules, number))
    if table.phase != OVER:
        return 0
    new_match(table, rules, starts)
    update_legal(table, rules)
    return 1


@kernel
def play_with_masks(tables, rules, starts, draws, steps, mask):
    """Take `steps` random decisions at each table [B], writing masks uint8 [B, 99]; return the deals finished.

    draws: uint64 [1], the state of the stream that actions are drawn from.
    """
    deals = 0
    for _ in range(steps):
        for index in range(tables.shape[0]):
            write_mask(tables[index], rules[0], mask[index])
            draws[0] = advance(draws[0])
            deals += _take(tables[index], rules[0], starts[0], mix(draws[0]))
    return deals


@kernel
def play_with_observations(tables, rules, starts, draws, steps, mask, observation):
    """Do the same as `play_with_masks` and also write observations, uint8 [B, O]."""
    deals = 0
    for _ in range(steps):
        for index in range(tables.shape[0]):
            table = tables[index]
            write_mask(table, rules[0], mask[index])
            write_observation(table, rules[0], int(table.acting), observation[index])
            draws[0] = advance(draws[0])
            deals += _take(table, rules[0], starts[0], mix(draws[0]))
    return deals


@kernel
def choose_by_mask(mask, draws, actions):
    """Write a legal action of each row of a mask, uniformly: actions int64 [B]; draws: uint64 [1], as above."""
    for row in range(mask.shape[0]):
        legal = 0
        for action in range(mask.shape[1]):
            legal += mask[row, action]
        draws[0] = advance(draws[0])
        left = below(mix(draws[0]), legal)
        for action in range(mask.shape[1]):
            left -= mask[row, action]
            if left < 0:
                actions[row] = action
                break


@kernel
def deal_often(tables, rules, starts, rounds):
    """Deal so many matches at each table [B]."""
    for _ in range(rounds):
        for index in range(tables.shape[0]):
            new_match(tables[index], rules[0], starts[0])
            update_legal(tables[index], rules[0])


@kernel
def choose_often(tables, rules, draws, rounds):
    """Choose so many random actions at each table and take none; return their sum, so that they are wanted."""
    total = 0
    for _ in range(rounds):
        for index in range(tables.shape[0]):
            draws[0] = advance(draws[0])
            total += drawn_action(tables[index], rules[0], mix(draws[0]))
    return total


@kernel
def mask_often(tables, rules, mask, rounds):
    """Write so many masks, uint8 [B, 99], of each table."""
    for _ in range(rounds):
        for index in range(tables.shape[0]):
            write_mask(tables[index], rules[0], mask[index])


@kernel
def observe_often(tables, rules, observation, rounds):
    """Write so many observations, uint8 [B, O], of each table's acting seat."""
    for _ in range(rounds):
        for index in range(tables.shape[0]):
            write_observation(tables[index], rules[0], int(tables[index].acting), observation[index])


@kernel
def copy_often(kept, tables, rules, draws, rounds):
    """Set each table back and choose a random action, so many times: what `act_often` does beside acting."""
    total = 0
    for _ in range(rounds):
        for index in range(tables.shape[0]):
            tables[index] = kept[index]
            draws[0] = advance(draws[0])
            total += drawn_action(tables[index], rules[0], mix(draws[0]))
    return total


@kernel
def act_often(kept, tables, rules, draws, rounds):
    """Set each table back to `kept` [B] and take a random action there, so many times."""
    for _ in range(rounds):
        for index in range(tables.shape[0]):
            tables[index] = kept[index]
            draws[0] = advance(draws[0])
            apply(tables[index], rules[0], drawn_action(tables[index], rules[0], mix(draws[0])))
