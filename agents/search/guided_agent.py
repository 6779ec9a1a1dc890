"""`search:N@POLICY`: search in N worlds a decision among the plays that a scorer proposes."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Agent, Views
from baofen.agents.combined import some_views
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.plays.listing import PLAYS
from baofen.agents.policy.plans_kept import PLAN
from baofen.agents.policy.scorer_agent import BIDDERS, kernel_parts, load_scorer_to_play
from baofen.agents.search.endgame import make_solver
from baofen.agents.search.guided import search_guided
from baofen.envs.core.dtypes import BURY
from baofen.envs.core.rng import seed_word

NETWORK_LEADS = (0, 0)
"""1 where in play-outs the network leads for its own side while hands are long: as defender, as declarer."""


class GuidedSearchAgent:
    """Buries and plays by search among a scorer's best plays; calls, exposes and names trump as its bidder does."""

    cheats = False
    needs_observation = False

    def __init__(self, num_worlds: int, folder: str | Path, *, confirm: bool = False, name: str | None = None) -> None:
        """Make the agent.

        Args:
            num_worlds: worlds a decision.
            folder: of the scorer.
            confirm: play another than the network's pick only if it is surely better on fresh worlds.
            name: what to call the agent, otherwise by worlds and folder.

        Raises:
            ValueError: if there is less than one world.
            PolicyFileError: if the policy cannot be used.
        """
        if num_worlds < 1:
            raise ValueError(f"a search needs at least one world, not {num_worlds}")
        self.name = name or f"search:{num_worlds}{'+confirm' if confirm else ''}@{folder}"
        self.policy = load_scorer_to_play(Path(folder))
        self.trained_on = self.policy.rules
        self.bidder: Agent = BIDDERS[self.policy.bidder]()
        self._num_worlds = num_worlds
        self._confirm = confirm
        self._weights = heuristic_weights()
        self._seed = np.uint64(0)
        self._scorers, self._room = kernel_parts(self.policy)
        self._kept = np.zeros(1, PLAYS)
        self._plans = np.zeros(1, PLAN)
        self._solver, self._path = make_solver()

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew with a seed and room for the plans of `num_tables` tables."""
        self.bidder.reset(num_tables, seed)
        self._seed = seed_word(seed)
        self._plans = np.zeros(num_tables, PLAN)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n].

        Raises:
            RuntimeError: if no deal agrees with what a seat knows, which cannot be in a game played by the rules.
        """
        state: Any = np.ascontiguousarray(views.state)
        actions = np.empty(len(state), np.int64)
        done = search_guided(
            state,
            views.rules.record,
            self._weights,
            views.table,
            self._seed,
            self._num_worlds,
            self._confirm,
            np.array(NETWORK_LEADS),
            self._scorers,
            self._room,
            self._kept,
            self._solver,
            self._path,
            self._plans,
            actions,
        )
        if not done:
            raise RuntimeError("no deal of the hidden cards agrees with what the seat knows")
        bids = np.flatnonzero(views.phase < BURY)
        if len(bids):
            actions[bids] = self.bidder.act(views if len(bids) == len(state) else some_views(views, bids))
        return actions
