"""The heuristic: a compiled player by rules of thumb and expected points, for all rule systems."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Views
from baofen.agents.bidding import choose_call, choose_exposure, choose_trump
from baofen.agents.burying import choose_bury
from baofen.agents.following import choose_follow
from baofen.agents.leading import choose_lead
from baofen.agents.plans import next_action
from baofen.agents.weights import heuristic_weights
from baofen.envs.core.kernel import kernel
from baofen.envs.core.rng import seed_word
from baofen.envs.core.state import AUCTION, BURY, PLAY, TRUMP


@kernel
def choose_play(table, rules, weights):  # type: ignore[no-untyped-def]
    """Return `(play, eight)`: the whole play of the acting seat; an eight by its rank index, else 0."""
    own = weights.declarer if table.acting == table.declarer else weights.defender
    if table.num_plays == 0:
        return choose_lead(table, rules, own)
    return choose_follow(table, rules, own)


@kernel
def choose_action(table, rules, weights):  # type: ignore[no-untyped-def]
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
def _choose_all(tables, rules, weights, actions):  # type: ignore[no-untyped-def]
    for index in range(tables.shape[0]):
        actions[index] = choose_action(tables[index], rules[0], weights[0])


class HeuristicAgent:
    """Plays by rules of thumb; the same every time, without chance."""

    cheats = False
    needs_observation = False

    def __init__(self, weights: NDArray[np.void] | None = None, name: str = "heuristic") -> None:
        """Make the agent; `weights`: an array [1] of the `WEIGHTS` dtype instead of the agent's own."""
        self.name = name
        self._weights = heuristic_weights() if weights is None else weights

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew; nothing is remembered and nothing is drawn, but a seed has to be one."""
        seed_word(seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
        state: Any = np.ascontiguousarray(views.state)
        actions = np.empty(len(state), np.int64)
        _choose_all(state, views.rules.record, self._weights, actions)
        return actions
