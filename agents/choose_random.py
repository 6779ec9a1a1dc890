"""Actions drawn at random in compiled code: uniform over actions, or over components."""

from baofen.agents.draws import draw_below
from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.agents.heuristic_v1.plans import next_action
from baofen.agents.legal import legal_action, nth_bit, num_legal
from baofen.envs.core.bits import bit, popcount, run_bits, run_tops
from baofen.envs.core.dtypes import PLAY
from baofen.envs.core.kernel import kernel
from baofen.envs.core.leading import held_eights

LONGEST_RUN = 12


@kernel
def random_action(table, rules, seed):
    """Return a uniformly drawn legal action of the acting seat."""
    return legal_action(table, rules, draw_below(table, seed, True, num_legal(table)))


@kernel
def random_component(table, rules, seed):
    """Return `(play, eight)` for the leader, drawn uniformly: a single, pair, tractor (any run), or an eight."""
    seat = table.acting
    links = rules.links[table.layout]
    ones, twos = table.hand_ones[seat], table.hand_twos[seat]
    eights = held_eights(table, rules, seat)
    num_singles, num_eights = popcount(ones), popcount(eights)
    total = num_singles + num_eights
    for length in range(1, LONGEST_RUN + 1):
        total += popcount(run_tops(twos, links, length))
    index = draw_below(table, seed, False, total)
    if index < num_singles:
        return Cards(bit(nth_bit(ones, index)), 0), 0
    index -= num_singles
    if index < num_eights:
        return Cards(0, 0), nth_bit(eights, index)
    index -= num_eights
    for length in range(1, LONGEST_RUN + 1):
        tops = run_tops(twos, links, length)
        if index < popcount(tops):
            bits = run_bits(nth_bit(tops, index), length)
            return Cards(bits, bits), 0
        index -= popcount(tops)
    return Cards(0, 0), 0


@kernel
def random_component_action(table, rules, seed):
    """Return an action of the acting seat: leads by components, everything else uniformly over actions."""
    if table.phase == PLAY and table.num_plays == 0:
        play, eight = random_component(table, rules, seed)
        return next_action(table, rules, play, eight)
    return random_action(table, rules, seed)


@kernel
def uniform_over_actions(tables, rules, seed, actions):
    """Write a uniformly drawn legal action of each acting seat, int64 [n]."""
    for index in range(tables.shape[0]):
        actions[index] = random_action(tables[index], rules[0], seed)


@kernel
def uniform_over_components(tables, rules, seed, actions):
    """Write an action of each acting seat, int64 [n], leads uniform over components."""
    for index in range(tables.shape[0]):
        actions[index] = random_component_action(tables[index], rules[0], seed)
