"""Parts of random play by themselves, compiled, so that their costs can be told apart."""

from baofen.envs.core.deal import new_match
from baofen.envs.core.kernel import kernel
from baofen.envs.core.observe import write_observation
from baofen.envs.core.rng import advance, mix
from baofen.envs.core.step import apply, update_legal, write_mask
from baofen.training.speed.kernels import random_action


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
            total += random_action(tables[index], rules[0], mix(draws[0]))
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
            total += random_action(tables[index], rules[0], mix(draws[0]))
    return total


@kernel
def act_often(kept, tables, rules, draws, rounds):
    """Set each table back to `kept` [B] and take a random action there, so many times."""
    for _ in range(rounds):
        for index in range(tables.shape[0]):
            tables[index] = kept[index]
            draws[0] = advance(draws[0])
            apply(tables[index], rules[0], random_action(tables[index], rules[0], mix(draws[0])))
