"""Many tables with one learning seat each, as a Gymnasium vector environment."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.interfaces.one_learner import LearnerTables
from baofen.envs.interfaces.opponents import Opponents
from baofen.envs.interfaces.spaces import action_space, observation_box
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.starts import WHOLE_DEAL, Start
from baofen.envs.vector import one_action_each


class BaofenVectorEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """B tables stepped together; each is as in `BaofenSingleEnv`.

    An episode that ends is followed at once by the next (`AutoresetMode.SAME_STEP`): the observation is that of the new
    episode, `info["final_obs"]` (object [B], rows where `info["_final_obs"]`) that of the end. `info["action_mask"]` is
    int8 [B, 99]. `info["final_info"]` (for rows where `info["_final_info"]`) is what `info` would have been at the end:
    its `"illegal"` (object [B], where its `"_illegal"`) says why a learner has forfeited.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
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
        start: Start = WHOLE_DEAL,
        render_mode: None = None,
    ) -> None:
        """Make the tables; the arguments are those of `BaofenSingleEnv`, for all tables alike."""
        if render_mode is not None:
            raise ValueError(f"a vector of tables has no render_mode {render_mode!r}")
        self.num_envs = num_envs
        self.render_mode = None
        self.single_observation_space = observation_box()
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._learner = LearnerTables(
            num_envs, rules, options, seat=seat, opponents=opponents, deals_per_match=deals_per_match, start=start
        )
        self._mask = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        self._has_begun = False

    @property
    def seats(self) -> NDArray[np.int64]:
        """int64 [B], the learner's seat at each table."""
        return self._learner.seats.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin an episode at each table; table i's deals depend on the seed and i alone.

        Raises:
            ValueError: for any option: there are none, for tables begin anew by themselves.
        """
        if options:
            raise ValueError(f"reset has no options, but was given {', '.join(map(repr, options))}")
        super().reset(seed=seed)
        self._learner.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._has_begun = True
        observations, self._mask = self._learner.observe()
        return observations, self._masks()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take the learners' actions, int64 [B], and return their next decisions.

        Raises:
            ValueError: before the first reset, or if the actions are not whole numbers, one for each table.
        """
        if not self._has_begun:
            raise ValueError("no episode has begun: reset() begins the first")
        rewards, terminated, illegal = self._learner.step(one_action_each(actions, self.num_envs))
        info: dict[str, Any] = {}
        if terminated.any():
            info["final_obs"], info["_final_obs"] = self._pick(dict(enumerate(self._learner.observe()[0])), terminated)
            info["final_info"], info["_final_info"] = self._final_info(illegal, terminated), terminated.copy()
            self._learner.rematch(np.flatnonzero(terminated))
        observations, self._mask = self._learner.observe()
        info |= self._masks()
        return observations, rewards, terminated, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return what the learners may do now, bool [B, 99]."""
        return self._mask.astype(np.bool_)

    def _final_info(self, illegal: dict[int, str], ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what `info` would have said at the end of the episodes that have just ended, bool [B]."""
        last = {name: np.zeros_like(values) for name, values in self._masks().items()}  # nobody may act there
        last["_action_mask"] |= ended
        if illegal:
            last["illegal"], last["_illegal"] = self._pick(illegal, np.isin(np.arange(self.num_envs), list(illegal)))
        return last

    def _pick(self, values: dict[int, Any], where: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return an info entry as Gymnasium writes it: objects [B], and for which tables there is one."""
        entries = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(where).tolist():
            entries[index] = values[index]
        return entries, where.copy()

    def _masks(self) -> dict[str, Any]:
        """Return the masks as an info has them: `_action_mask` says for which tables there is one, for all."""
        return {"action_mask": self._mask.copy(), "_action_mask": np.ones(self.num_envs, np.bool_)}
