"""Baofen for Gymnasium: one seat learns, agents play the others (`gymnasium.make("baofen/Baofen-v0", ...)`)."""

from collections.abc import Mapping
from operator import index
from typing import Any, ClassVar, SupportsFloat

import gymnasium
import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.interfaces.illegal import TERMINATE, Illegal
from baofen.envs.interfaces.one_learner import LearnerTables
from baofen.envs.interfaces.opponents import Opponents
from baofen.envs.interfaces.spaces import LearnerObservation, action_space, learner_space, row_of
from baofen.envs.records import replay_record
from baofen.envs.render.modes import HUMAN, check_render_mode, render_modes_here, render_table
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.starts import WHOLE_DEAL, EpisodeStart
from baofen.envs.table import Table

ONLY_TABLE = np.zeros(1, np.int64)


def _whole(action: Any) -> int:
    """Return one action as a number of Python, which any whole number fits."""
    return index(action.item() if isinstance(action, np.ndarray) and action.size == 1 else action)


class BaofenSingleEnv(gymnasium.Env[LearnerObservation, np.int64]):
    """One learning seat; the environment answers with the learner's next decision.

    Observations are uint8 [O]; `info["action_mask"]`, int8 [99], and `action_masks()` say what is legal. The reward is the
    change of the learner's running total since its last decision, unscaled. An episode is a match of `deals_per_match`
    deals.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": render_modes_here(), "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        rules: str | Rules = "suzhou",
        options: Mapping[str, OptionValue] | None = None,
        *,
        seat: int | None = 0,
        opponents: Opponents = "random",
        deals_per_match: int = 1,
        start: EpisodeStart = WHOLE_DEAL,
        illegal: Illegal = TERMINATE,
        history_tokens: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; `reset` deals.

        seat: the learner's; None draws it for each episode.
        opponents: a name or an agent for all others, or three, for the seats after the learner's in playing order.
        start: `deal`, `declarer`, `defender` or a `Contract` (`baofen.envs.starts`).
        illegal: with `terminate` an illegal action forfeits (points room): the episode is terminated and
            `info["illegal"]` says why; with `raise` it raises `IllegalAction` and changes nothing.
        history_tokens: observations are `{"observation": uint8 [O], "history_tokens": int16 [H]}`, the latter the actions
            of the deal that the learner knows (`baofen.envs.history.history_tokens`).

        Raises:
            ValueError: for anything that does not exist.
            TypeError: if `history_tokens` is neither True nor False.
            DependencyNotInstalled: for the render mode `rgb_array` without Pillow.
        """
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._learner = LearnerTables(
            1,
            rules,
            options,
            seat=seat,
            opponents=opponents,
            deals_per_match=deals_per_match,
            start=start,
            illegal=illegal,
            with_history=history_tokens,
        )
        self.observation_space = learner_space(history_tokens=history_tokens)
        self.action_space = action_space()
        self._is_over = True
        self._has_begun = False
        self._mask = np.zeros(NUM_ACTIONS, np.int8)

    @property
    def table(self) -> Table:
        """The game itself, with its `record()`; reading it is free, acting is for `step`."""
        return self._learner.table(0)

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self._learner.seats[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[LearnerObservation, dict[str, Any]]:
        """Begin an episode: from a seed, or else the next of the stream of deals.

        options: `{"record": {...}}` begins with a game record (`record.md`), its actions played first, by its rules.

        Raises:
            RecordError: for a record that is not legal.
            ValueError: for a record in which the learner would have nothing to decide, or another option.
        """
        unknown = set(options or {}) - {"record"}
        if unknown:
            raise ValueError(
                f"reset has the option 'record' alone, not {', '.join(map(repr, sorted(unknown, key=str)))}"
            )
        super().reset(seed=seed)
        record = (options or {}).get("record")
        if record is not None:
            seed = self._some_seed(seed)
            table = replay_record(record, seed=seed, deals_per_match=self._learner.batch.deals_per_match)
            self._learner.load(table, seed)
        elif seed is None and self._has_begun:
            self._learner.rematch(ONLY_TABLE)
        else:
            self._learner.reset(self._some_seed(seed))
        self._has_begun = True
        self._is_over = False
        return self._show()

    def step(self, action: np.int64 | int) -> tuple[LearnerObservation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Take the learner's action, let the others play, and return its next decision.

        action: any whole number, or an array of one, as learners' `predict` returns it.

        Raises:
            ValueError: if the episode is over.
            TypeError: if the action is no whole number.
            IllegalAction: if an illegal action is to raise; nothing has changed then.
        """
        if self._is_over:
            raise ValueError("the episode is over: reset() begins the next")
        rewards, terminated, illegal = self._learner.step(np.array([_whole(action)]), np.ones(1, np.bool_))
        self._is_over = bool(terminated[0])
        observation, info = self._show()
        if illegal:
            info["illegal"] = illegal[0]
        return observation, float(rewards[0]), self._is_over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return what the learner may do now, bool [99]: what masked PPO of sb3-contrib asks for."""
        return self._mask.astype(np.bool_)

    def state(self) -> NDArray[np.uint8]:
        """Return the omniscient state, uint8 [S] (`baofen.envs.observation.STATE_PARTS`)."""
        return self.table.state()

    def render(self) -> Any:
        """Return the whole table, all hands open: as text (`ansi`) or as a picture (`rgb_array`); `human` prints it."""
        return render_table(self.table, self.render_mode)

    def _show(self) -> tuple[LearnerObservation, dict[str, Any]]:
        observations, masks = self._learner.observe()
        self._mask = np.zeros_like(masks[0]) if self._is_over else masks[0]
        if self.render_mode == HUMAN:
            self.render()
        return row_of(observations, 0), {"action_mask": self._mask.copy()}

    def _some_seed(self, seed: int | None) -> int:
        return int(self.np_random.integers(2**63)) if seed is None else seed
