"""Many tables with one learning seat each, as a Gymnasium vector environment."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.cards import is_whole
from baofen.envs.interfaces.illegal import TERMINATE, Illegal
from baofen.envs.interfaces.one_learner import LearnerTables
from baofen.envs.interfaces.opponents import Opponents
from baofen.envs.interfaces.spaces import LearnerObservation, action_space, learner_space, row_of
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.starts import WHOLE_DEAL, EpisodeStart
from baofen.envs.vector import one_action_each

AUTORESET_MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


class BaofenVectorEnv(VectorEnv[LearnerObservation, NDArray[np.int64], NDArray[Any]]):
    """B tables stepped together; each is as in `BaofenSingleEnv`.

    `info["action_mask"]` is int8 [B, 99]. How an episode that has ended is followed by the next is Gymnasium's
    `autoreset_mode`, one of two.

    With `NEXT_STEP`, the default, the observation and the mask (all zeros) are those of the end, `info["illegal"]` (object
    [B], where `info["_illegal"]`) says why a learner has forfeited, and the step after that ignores the action of that
    table: it answers with the first decision of its next episode, and reward 0.

    With `SAME_STEP` the observation and the mask are those of the next episode at once, `info["final_obs"]` (object [B],
    rows where `info["_final_obs"]`) is the observation of the end, and `info["final_info"]` (for rows where
    `info["_final_info"]`) is what `info` would have been there, `illegal` included.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Rules = "suzhou",
        options: Mapping[str, OptionValue] | None = None,
        *,
        seat: int | None = 0,
        opponents: Opponents = "random",
        deals_per_match: int = 1,
        start: EpisodeStart = WHOLE_DEAL,
        illegal: Illegal = TERMINATE,
        history_tokens: bool = False,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: None = None,
    ) -> None:
        """Make the tables; the arguments are those of `BaofenSingleEnv`, for all tables alike, and two more.

        max_episode_steps: an episode is truncated after so many decisions of the learner; None or -1: never.
        autoreset_mode: `NEXT_STEP` or `SAME_STEP`, or Gymnasium's words for them.

        Raises:
            ValueError: for anything that does not exist.
            TypeError: if `history_tokens` is neither True nor False.
        """
        if render_mode is not None:
            raise ValueError(f"a vector of tables has no render_mode {render_mode!r}")
        self.num_envs = num_envs
        self.render_mode = None
        self._learner = LearnerTables(
            num_envs,
            rules,
            options,
            seat=seat,
            opponents=opponents,
            deals_per_match=deals_per_match,
            start=start,
            illegal=illegal,
            with_history=history_tokens,
        )
        self._max_steps = _checked_steps(max_episode_steps)
        self._autoreset_mode = _checked_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._autoreset_mode}  # type: ignore[misc]  # theirs is each object's
        self.single_observation_space = learner_space(history_tokens=history_tokens)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mask = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        self._ended = np.zeros(num_envs, np.bool_)
        self._num_steps = np.zeros(num_envs, np.int64)
        self._has_begun = False

    @property
    def seats(self) -> NDArray[np.int64]:
        """int64 [B], the learner's seat at each table."""
        return self._learner.seats.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[LearnerObservation, dict[str, Any]]:
        """Begin an episode at each table; table i's deals depend on the seed and i alone.

        Raises:
            ValueError: for any option: there are none, for tables begin anew by themselves.
        """
        if options:
            raise ValueError(f"reset has no options, but was given {', '.join(map(repr, options))}")
        super().reset(seed=seed)
        self._learner.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._has_begun = True
        self._ended[:] = False
        self._num_steps[:] = 0
        observations, self._mask = self._learner.observe()
        return observations, self._masks()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[LearnerObservation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take the learners' actions, int64 [B], and return their next decisions.

        Raises:
            ValueError: before the first reset, or if the actions are not whole numbers, one for each table.
            IllegalAction: if an illegal action is to raise; no table has changed then.
        """
        if not self._has_begun:
            raise ValueError("no episode has begun: reset() begins the first")
        playing = ~self._ended
        rewards, terminated, illegal = self._learner.step(one_action_each(actions, self.num_envs), playing)
        self._begin_next(~playing)
        self._num_steps += playing
        truncated = playing & (self._num_steps >= self._max_steps)
        ended = terminated | truncated
        info: dict[str, Any] = {}
        if self._autoreset_mode == AutoresetMode.NEXT_STEP:
            self._ended = ended
        elif ended.any():
            info = self._final(ended, terminated, illegal)
            self._begin_next(ended)
        observations, self._mask = self._learner.observe()
        if self._autoreset_mode == AutoresetMode.NEXT_STEP:
            self._mask[terminated] = 0
            info = self._why(illegal)
        return observations, rewards, terminated, truncated, info | self._masks()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return what the learners may do now, bool [B, 99]."""
        return self._mask.astype(np.bool_)

    def _begin_next(self, where: NDArray[np.bool_]) -> None:
        """Begin the next episode at some tables, bool [B]."""
        if where.any():
            self._learner.rematch(np.flatnonzero(where))
            self._num_steps[where] = 0

    def _final(
        self, ended: NDArray[np.bool_], terminated: NDArray[np.bool_], illegal: dict[int, str]
    ) -> dict[str, Any]:
        """Return what `info` says of the episodes that have just ended, bool [B]."""
        observations, masks = self._learner.observe()
        masks[terminated | ~ended] = 0
        rows = {index: row_of(observations, index) for index in np.flatnonzero(ended).tolist()}
        last = self._why(illegal) | {"action_mask": masks, "_action_mask": ended.copy()}
        final_obs, where = self._entries(rows)
        return {"final_obs": final_obs, "_final_obs": where, "final_info": last, "_final_info": where.copy()}

    def _why(self, illegal: dict[int, str]) -> dict[str, Any]:
        """Return what an info says of illegal actions, by table: nothing where there were none."""
        return dict(zip(("illegal", "_illegal"), self._entries(illegal), strict=True)) if illegal else {}

    def _entries(self, values: Mapping[int, Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return an info entry as Gymnasium writes it: objects [B], and for which tables there is one."""
        entries, where = np.full(self.num_envs, None, dtype=object), np.zeros(self.num_envs, np.bool_)
        for index, value in values.items():
            entries[index], where[index] = value, True
        return entries, where

    def _masks(self) -> dict[str, Any]:
        """Return the masks as an info has them: `_action_mask` says for which tables there is one, for all."""
        return {"action_mask": self._mask.copy(), "_action_mask": np.ones(self.num_envs, np.bool_)}


def _checked_steps(max_episode_steps: int | None) -> float:
    """Return after how many steps an episode is truncated: infinity for never."""
    if max_episode_steps is None or max_episode_steps == -1:
        return np.inf
    if not is_whole(max_episode_steps) or max_episode_steps < 1:
        raise ValueError(
            f"max_episode_steps must be a whole number from 1, or -1 or None for none, not {max_episode_steps!r}"
        )
    return max_episode_steps


def _checked_mode(mode: str | AutoresetMode) -> AutoresetMode:
    """Return a way in which episodes follow each other."""
    for known in AUTORESET_MODES:
        if mode in (known, known.value):
            return known
    words = " or ".join(repr(known.value) for known in AUTORESET_MODES)
    raise ValueError(f"autoreset_mode must be {words} (or Gymnasium's AutoresetMode), not {mode!r}")
