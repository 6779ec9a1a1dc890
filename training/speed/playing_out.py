"""Whole deals by the heuristic in a row; apart from the layers of the core, which do not depend on any agent."""

from baofen.agents.heuristic_v1.playout import playout
from baofen.envs.core.deal import new_match
from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import update_legal


@kernel
def play_out(tables, rules, starts, weights, deals):
    """Deal and play `deals` deals by the heuristic at table [1]; return how many were played, not passed out."""
    played = 0
    for _ in range(deals):
        new_match(tables[0], rules[0], starts[0])
        update_legal(tables[0], rules[0])
        playout(tables[0], rules[0], weights[0])
        played += tables[0].result_played
    return played
