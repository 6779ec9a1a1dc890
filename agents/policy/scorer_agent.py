"""The agent of a saved scorer: whole plays by what the network expects of them, without torch and without chance."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Agent, Views
from baofen.agents.bids.bidder import ValueBidder
from baofen.agents.combined import some_views
from baofen.agents.heuristic import HeuristicAgent
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.plays.features import FEATURES
from baofen.agents.plays.labels import Room, Scorers, make_room, make_scorers
from baofen.agents.plays.listing import LIST_NAME, LIST_VERSION
from baofen.agents.policy import FACTS_FILE
from baofen.agents.policy.plans_kept import PLAN
from baofen.agents.policy.policy_files import PolicyFileError
from baofen.agents.policy.scorer_choice import choose_by_scorer
from baofen.agents.policy.scorer_files import ScorerPolicy, load_scorer
from baofen.agents.policy.suit_orders import face_places, observation_orders
from baofen.envs.core.dtypes import BURY

LISTING = f"{LIST_NAME} {LIST_VERSION}"
FEATURE_NAMES = tuple(name for name, _ in FEATURES)
"""The list of plays and their features that a scorer is trained on and plays with."""
BIDDERS = {"heuristic-v1": HeuristicAgent, "bidder:value": ValueBidder}
"""The agents that may call, expose and name trump for a scorer."""


def load_scorer_to_play(folder: Path) -> ScorerPolicy:
    """Return a scorer that fits the plays and the features of this version.

    Raises:
        PolicyFileError: if it was trained on others, or it cannot be used at all.
    """
    policy = load_scorer(folder)
    if policy.listing != LISTING:
        raise PolicyFileError(
            f"{folder / FACTS_FILE}: plays are of the list {policy.listing!r}, this version has {LISTING!r}"
        )
    if policy.features != FEATURE_NAMES:
        strange = sorted(set(policy.features) ^ set(FEATURE_NAMES))
        raise PolicyFileError(
            f"{folder / FACTS_FILE}: plays.features are not those of this version: {', '.join(strange) or 'another order'}"
        )
    if policy.bidder not in BIDDERS:
        raise PolicyFileError(f"{folder / FACTS_FILE}: bidder must be {' or '.join(BIDDERS)}, not {policy.bidder}")
    return policy


def kernel_parts(policy: ScorerPolicy) -> tuple[Scorers, Room]:
    """Return the networks of a policy and room to ask them in, for one thread.

    Observations are ordered as in the training, whatever is played.
    """
    return make_scorers(*policy.networks, policy.bonus_share), make_room(
        observation_orders(policy.rules), face_places(policy.rules)
    )


class ScorerAgent:
    """Buries and plays what a scorer expects most of; calls, exposes and names trump as the policy's bidder does."""

    cheats = False
    needs_observation = False

    def __init__(self, folder: str | Path, *, name: str | None = None) -> None:
        """Load a policy.

        Args:
            folder: where `policy.json` and `policy.safetensors` lie.
            name: what to call the agent, otherwise the folder.

        Raises:
            PolicyFileError: if a file is missing or damaged, or does not fit the other one or this version.
        """
        self.name = name or str(folder)
        self.policy = load_scorer_to_play(Path(folder))
        self.trained_on = self.policy.rules
        """The rules of the training: for who knows what the user means to play."""
        self.bidder: Agent = BIDDERS[self.policy.bidder]()
        self._weights = heuristic_weights()
        self._plans = np.zeros(1, PLAN)
        self._scorers, self._room = kernel_parts(self.policy)

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew with room for the plans of `num_tables` tables; nothing is drawn but by the bidder."""
        self.bidder.reset(num_tables, seed)
        self._plans = np.zeros(num_tables, PLAN)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
        state: Any = np.ascontiguousarray(views.state)
        actions = np.empty(len(state), np.int64)
        choose_by_scorer(
            state,
            views.rules.record,
            self._weights,
            views.table,
            self._scorers,
            self._room,
            self._plans,
            actions,
        )
        bids = np.flatnonzero(views.phase < BURY)
        if len(bids):
            actions[bids] = self.bidder.act(views if len(bids) == len(state) else some_views(views, bids))
        return actions
