"""The agent around a network of any kind: it gives the inputs that the kind asks for and plays the best legal answer."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Views
from baofen.agents.combined import some_views
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.plays.features import NUM_FEATURES
from baofen.agents.plays.listing import MAX_PLAYS, PLAYS
from baofen.agents.policy.plans_kept import PLAN, follow_plans, list_views, set_plans
from baofen.agents.policy.suit_orders import face_places
from baofen.agents.search.candidates import CANDIDATES
from baofen.envs.cards import NUM_FACES
from baofen.envs.core.dtypes import TABLE
from baofen.envs.rules import Rules

OBSERVATION, HISTORY, LISTED_PLAYS = "observation", "history", "plays"
INPUTS = (OBSERVATION, HISTORY, LISTED_PLAYS)
"""What a network may ask for. One that asks for plays is asked only where nothing is picked yet, and scores plays."""


@dataclass(frozen=True, eq=False)
class NetworkInputs:
    """What a network is given, one row for each of n decisions; what it has not asked for is None.

    rules: of the tables.
    observation: uint8 [n, O] (`baofen.envs.observation`), suits as they are.
    history: int16 [n, H], the actions known to the seat (`baofen.envs.history.history_tokens`).
    action_mask: uint8 [n, 99], 1 where an action is legal.
    role, trump: int8 [n], of the acting seat; trump 4 until it is known.
    num_plays: int16 [n], listed plays of each decision (`baofen.agents.plays`), m in all; calls and the like count too.
    cards: uint8 [m, 54], copies of each face in a play, suits as in `suit_orders`.
    features: float32 [m, F] (`baofen.agents.plays.features`).
    """

    rules: Rules
    action_mask: NDArray[np.uint8]
    role: NDArray[np.int8]
    trump: NDArray[np.int8]
    observation: NDArray[np.uint8] | None = None
    history: NDArray[np.int16] | None = None
    num_plays: NDArray[np.int16] | None = None
    cards: NDArray[np.uint8] | None = None
    features: NDArray[np.float32] | None = None


class Network(Protocol):
    """A network that is ready to play; the factory of its kind makes it (`network_kinds`)."""

    inputs: Collection[str]
    """What it asks for, of `INPUTS`."""

    def scores(self, given: NetworkInputs) -> NDArray[np.float32]:
        """Return how good each action is, float [n, 99], illegal ones are not looked at; or each listed play, [m]."""


class NetworkPlayer:
    """Plays the legal action, or the listed play, with the highest score; nothing is drawn."""

    cheats = False

    def __init__(self, network: Network, name: str, trained_on: Rules | None) -> None:
        """Make the agent of a network.

        Raises:
            ValueError: if the network asks for what there is not.
        """
        if strange := sorted(set(network.inputs) - set(INPUTS)):
            raise ValueError(f"{name}: a network may ask for {', '.join(INPUTS)}, not for {', '.join(strange)}")
        self.name = name
        self.trained_on = trained_on
        self.needs_observation = OBSERVATION in network.inputs
        self._network = network
        self._plans = np.zeros(1, PLAN)
        self._weights = heuristic_weights()

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew with room for the plans of `num_tables` tables."""
        self._plans = np.zeros(num_tables, PLAN)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n].

        Raises:
            ValueError: if the network gives scores of another shape, or some that are no numbers.
        """
        if LISTED_PLAYS in self._network.inputs:
            return self._act_by_plays(views)
        scores = self._scores(views, views.action_mask.shape)
        lowest = np.finfo(np.float32).min  # even -inf of a legal action is better than an illegal one
        return np.where(views.action_mask != 0, np.maximum(scores, lowest), -np.inf).argmax(1)

    def _scores(self, views: Views, shape: tuple[int, ...], **plays: Any) -> NDArray[np.float32]:
        asked = self._network.inputs
        given = NetworkInputs(
            rules=views.rules,
            action_mask=views.action_mask,
            role=views.role,
            trump=views.trump,
            observation=views.observation if OBSERVATION in asked else None,
            history=views.history_tokens() if HISTORY in asked else None,
            **plays,
        )
        scores = np.asarray(self._network.scores(given))
        if scores.shape != shape or np.isnan(scores).any():
            raise ValueError(f"{self.name}: scores must be numbers of shape {shape}, not {scores.shape}")
        return scores

    def _act_by_plays(self, views: Views) -> NDArray[np.int64]:
        begun = np.flatnonzero(views.state["selection_ones"] == 0)
        if len(begun):
            self._plan(views if len(begun) == len(views) else some_views(views, begun))
        actions = np.empty(len(views), np.int64)
        state: Any = np.ascontiguousarray(views.state)
        follow_plans(state, views.rules.record, self._weights, views.table, self._plans, actions)
        return actions

    def _plan(self, views: Views) -> None:
        """Make the best listed play of each decision the plan of its table."""
        state: Any = np.ascontiguousarray(views.state)
        lists = np.zeros(len(state), PLAYS)
        cards = np.empty((len(state) * MAX_PLAYS, NUM_FACES), np.uint8)
        features = np.empty((len(state) * MAX_PLAYS, NUM_FEATURES), np.float32)
        found, scratch = np.zeros(1, CANDIDATES), np.zeros(1, TABLE)
        total = int(
            list_views(
                state,
                views.rules.record,
                self._weights,
                face_places(views.rules),
                found,
                scratch,
                lists,
                cards,
                features,
            )
        )
        num_plays = lists["count"].copy()
        scores = self._scores(views, (total,), num_plays=num_plays, cards=cards[:total], features=features[:total])
        ends = np.cumsum(num_plays)
        chosen = [int(own.argmax()) for own in np.split(scores, ends[:-1])]
        set_plans(views.table, lists, np.array(chosen), self._plans)
