"""Contracts played out in worlds that a seat may be in."""

from baofen.agents.bids.contracts import AS_PLAYED, play_contract, take_contract
from baofen.agents.heuristic_v1.choose_call import call_limit
from baofen.agents.search.worlds import begin_walk, next_world
from baofen.envs.cards import NUM_SUITS
from baofen.envs.core.dtypes import NO_TRUMP_YET
from baofen.envs.core.kernel import kernel

NUM_CONTRACTS = 7
"""Own contracts with trump s h c d, then those of the next, the second and the third seat after the own."""


@kernel
def play_worlds(table, rules, weights, seed, walk, scratch, outcomes, named, limits):
    """Play all contracts in worlds of the acting seat; return whether a world was found.

    outcomes: uint8 [W, 7]; of trumps other than a known one nothing is written. named: int8 [W], the own trump as
    it would be played. limits: float64 [W, 3], what the heuristic would stand for in the others' seats.
    """
    seat = int(table.acting)
    if not begin_walk(table, rules, seat, seed, walk):
        return False
    for world in range(outcomes.shape[0]):
        scratch[0] = table
        next_world(table, rules, walk, scratch[0])
        scratch[1] = scratch[0]
        named[world] = take_contract(scratch[1], rules, seat, AS_PLAYED)
        for trump in range(NUM_SUITS):
            if table.trump == NO_TRUMP_YET or table.trump == trump:
                scratch[1] = scratch[0]
                outcomes[world, trump], _ = play_contract(scratch[1], rules, weights, seat, trump)
        for step in range(1, 4):
            other = (seat + step) & 3
            scratch[1] = scratch[0]
            outcomes[world, NUM_SUITS - 1 + step], _ = play_contract(scratch[1], rules, weights, other, AS_PLAYED)
            scratch[0].acting = other
            limits[world, step - 1] = call_limit(scratch[0], rules, weights.declarer)
        scratch[0].acting = seat
    return True


@kernel
def play_worlds_single(tables, rules, weights, seed, walk, scratch, outcomes, named, limits):
    """Do the same for table [1]."""
    return play_worlds(tables[0], rules[0], weights[0], seed, walk[0], scratch, outcomes, named, limits)
