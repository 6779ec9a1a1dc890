"""The environments with whole plays as actions (`baofen.envs.plays`): `Discrete(64)`, the list in the observation."""

from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray

from baofen.envs.cards import NUM_FACES, is_whole
from baofen.envs.explain import IllegalAction
from baofen.envs.interfaces.aec import AGENTS, BaofenEnv, Observation
from baofen.envs.interfaces.gym_single import BaofenSingleEnv
from baofen.envs.interfaces.illegal import RAISE
from baofen.envs.interfaces.spaces import LearnerObservation, masked_observation_space
from baofen.envs.plays import MAX_PLAYS, Plays, play_lister
from baofen.envs.vector import NO_ACTION

Actions = Literal["picks", "plays"]
ACTIONS = ("picks", "plays")
NO_SUCH_PLAY = "no such play"


def check_actions(actions: Actions) -> bool:
    """Return whether actions are whole plays.

    Raises:
        ValueError: for a kind of actions that does not exist.
    """
    if actions not in ACTIONS:
        raise ValueError(f"actions must be {' or '.join(map(repr, ACTIONS))}, not {actions!r}")
    return actions == "plays"


def _list_spaces() -> dict[str, Space[Any]]:
    num_features = len(play_lister().features)
    return {
        "cards": Box(0, 2, (MAX_PLAYS, NUM_FACES), np.uint8),
        "features": Box(-np.inf, np.inf, (MAX_PLAYS, num_features), np.float32),
    }


def _no_list() -> dict[str, NDArray[Any]]:
    return {name: np.zeros(space.shape or (), space.dtype) for name, space in _list_spaces().items()}


def _fault(choice: int, plays: Plays) -> IllegalAction:
    last = int(plays.count[0]) - 1
    return IllegalAction(f"there is no play {choice}; the list has 0 .. {last}", NO_SUCH_PLAY, {"last": last})


class BaofenPlaysEnv(BaofenEnv):
    """`BaofenEnv` with the decisions of a seat as one list: calls, trumps, buries and plays.

    An observation is `{"observation": uint8 [O], "action_mask": int8 [64], "cards": uint8 [64, 54], "features": float32
    [64, F]}`; mask and list are zeros for a seat that is not to act.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        spaces = dict(masked_observation_space(history_tokens=self.history_tokens).spaces)
        spaces["action_mask"] = Box(0, 1, (MAX_PLAYS,), np.int8)
        space = Dict({**spaces, **_list_spaces()})
        self.observation_spaces = dict.fromkeys(AGENTS, space)
        self.action_spaces = {agent: Discrete(MAX_PLAYS) for agent in AGENTS}
        self._plays: Plays | None = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match, as `BaofenEnv.reset`."""
        self._plays = None
        super().reset(seed, options)

    def forfeit(self, seat: int | str, room: str = "points") -> None:
        """End the deal because a seat leaves, as `BaofenEnv.forfeit`."""
        self._plays = None
        super().forfeit(seat, room)

    def step(self, action: int) -> None:
        """Carry out an entry of the selected seat's list, pick by pick; None for a seat whose match is over.

        Raises:
            IllegalAction: if there is no such entry; nothing has changed then.
        """
        if self._is_over:
            super().step(action)
            return
        plays = self._listed()
        choice = int(action)
        if not 0 <= choice < plays.count[0]:
            raise _fault(choice, plays)
        last = play_lister().pick_all_but_last(self.table.rules, self._tables, plays, np.array([choice]))
        self._plays = None
        super().step(int(last[0]))

    def observe(self, agent: str) -> Observation:
        """Return what a seat may know; its mask and its list are all zeros if it is not to act."""
        shown = super().observe(agent)
        acts = bool(shown["action_mask"].any())
        listed = _no_list()
        mask = np.zeros(MAX_PLAYS, np.int8)
        if acts:
            plays = self._listed()
            listed = {"cards": plays.cards[0].copy(), "features": plays.features[0].copy()}
            mask = plays.mask[0].astype(np.int8)
        return {**shown, "action_mask": mask, **listed}

    def _listed(self) -> Plays:
        if self._plays is None:
            self._plays = play_lister().list_plays(self.table.rules, self._tables)
        return self._plays


class BaofenSinglePlaysEnv(BaofenSingleEnv):
    """`BaofenSingleEnv` with whole plays as actions.

    Observations are `{"observation": uint8 [O], "cards": uint8 [64, 54], "features": float32 [64, F]}`, and the mask,
    int8 [64], is in `info["action_mask"]`. A number that names no entry is an illegal action.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = self.observation_space
        spaces = dict(shown.spaces) if isinstance(shown, Dict) else {"observation": shown}
        self.observation_space = Dict({**spaces, **_list_spaces()})
        self.action_space = Discrete(MAX_PLAYS)
        self._plays: Plays | None = None

    def step(self, action: Any) -> Any:
        """Carry out an entry of the list, let the others play, and return the next decision; see `BaofenSingleEnv.step`."""
        if self._is_over or self._plays is None:
            return super().step(NO_ACTION)
        choice = action.item() if isinstance(action, np.ndarray) and action.size == 1 else action
        if not is_whole(choice):
            raise TypeError(f"an action is a whole number, not {action!r}")
        plays = self._plays
        if 0 <= choice < plays.count[0]:
            table = self.table
            last = play_lister().pick_all_but_last(table.rules, table.tables, plays, np.array([int(choice)]))
            return super().step(int(last[0]))
        fault = _fault(int(choice), plays)
        if self._learner.illegal == RAISE:
            raise fault
        observation, reward, terminated, truncated, info = super().step(NO_ACTION)
        return observation, reward, terminated, truncated, {**info, "illegal": str(fault)}

    def _show(self) -> tuple[LearnerObservation, dict[str, Any]]:
        observation, info = super()._show()
        shown = observation if isinstance(observation, dict) else {"observation": observation}
        self._plays = None
        self._mask = np.zeros(MAX_PLAYS, np.int8)
        listed = _no_list()
        if not self._is_over:
            self._plays = play_lister().list_plays(self.table.rules, self.table.tables)
            self._mask = self._plays.mask[0].astype(np.int8)
            listed = {"cards": self._plays.cards[0].copy(), "features": self._plays.features[0].copy()}
        return {**shown, **listed}, {**info, "action_mask": self._mask.copy()}


def make_single(*, actions: Actions = "picks", **kwargs: Any) -> BaofenSingleEnv:
    """Return the Gymnasium environment of one learner; the arguments are those of `BaofenSingleEnv`, and `actions`.

    actions: `picks`, cards one by one, or `plays`, whole plays from a list of at most 64.

    Raises:
        ValueError: for anything that does not exist.
    """
    return BaofenSinglePlaysEnv(**kwargs) if check_actions(actions) else BaofenSingleEnv(**kwargs)
