"""The choice of `heuristic-v1` in every phase, by whole plays and by single actions."""

from baofen.agents.heuristic_v1.choose_bury import choose_bury
from baofen.agents.heuristic_v1.choose_call import choose_call, choose_exposure, choose_trump
from baofen.agents.heuristic_v1.choose_follow import choose_follow
from baofen.agents.heuristic_v1.choose_lead import choose_lead
from baofen.agents.heuristic_v1.plans import next_action
from baofen.envs.core.dtypes import AUCTION, BURY, PLAY, TRUMP
from baofen.envs.core.kernel import kernel


@kernel
def choose_play(table, rules, weights):
    """Return `(play, eight)`: the whole play of the acting seat; an eight by its rank index, else 0."""
    own = weights.declarer if table.acting == table.declarer else weights.defender
    if table.num_plays == 0:
        return choose_lead(table, rules, own)
    return choose_follow(table, rules, own)


@kernel
def choose_action(table, rules, weights):
    """Return the action of the acting seat."""
    phase = table.phase
    if phase == PLAY:
        play, eight = choose_play(table, rules, weights)
        return next_action(table, rules, play, eight)
    if phase == BURY:
        return next_action(table, rules, choose_bury(table, rules, weights.declarer), 0)
    if phase == AUCTION:
        return choose_call(table, rules, weights.declarer)
    if phase == TRUMP:
        return choose_trump(table, rules)
    return choose_exposure(table, rules)


@kernel
def choose_all(tables, rules, weights, actions):
    for index in range(tables.shape[0]):
        actions[index] = choose_action(tables[index], rules[0], weights[0])
