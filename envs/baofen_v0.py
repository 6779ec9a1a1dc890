"""Baofen for PettingZoo: `from baofen.envs import baofen_v0; env = baofen_v0.env()`.

Version history: v0, the first.
"""

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from baofen.envs.cards import is_whole
from baofen.envs.interfaces.aec import BaofenEnv, Observation
from baofen.envs.interfaces.by_plays import Actions, BaofenPlaysEnv, check_actions
from baofen.envs.interfaces.illegal import RAISE, TERMINATE, Illegal, check_illegal

raw_env = BaofenEnv
"""The environment itself, without wrappers."""

ILLEGAL_POINTS = -400.0
"""What an illegal action is worth to who took it, where it ends the game: what it costs to leave a table for points."""
ILLEGAL_LEVELS = -7.0
"""The same in Bao Hong Wu: what it costs a declarer."""


def env(
    *args: Any, illegal: Illegal = RAISE, actions: Actions = "picks", **kwargs: Any
) -> AECEnv[str, Observation, int]:
    """Return the environment with PettingZoo's checks; the arguments are those of `BaofenEnv`, `illegal` and `actions`.

    illegal: with `raise` an illegal action raises `IllegalAction` and changes nothing. With `terminate` the match ends
        there, by PettingZoo's `TerminateIllegalWrapper`: whoever acted is paid `ILLEGAL_POINTS` (`ILLEGAL_LEVELS`), the
        others nothing; `table` and its record stay at the last legal action.
    actions: `picks`, cards one by one, or `plays`, whole plays from a list of at most 64 (`BaofenPlaysEnv`).

    Raises:
        ValueError: for anything that does not exist.

    >>> baofen_env = env(rules="suzhou")
    >>> baofen_env.reset(seed=1)
    >>> baofen_env.agent_selection
    'seat_3'
    """
    check_illegal(illegal)
    raw = BaofenPlaysEnv(*args, **kwargs) if check_actions(actions) else raw_env(*args, **kwargs)
    return InOrder(raw, terminate_illegal=illegal == TERMINATE)


class InBounds(AssertOutOfBoundsWrapper[str, Observation, int]):
    """PettingZoo's check of the bounds of actions, also for whole numbers beyond 64 bits, which no space can hold."""

    def step(self, action: int | None) -> None:
        """Take an action of the selected seat; see `BaofenEnv.step`."""
        assert action is None or not is_whole(action) or 0 <= action < self.action_space(self.agent_selection).n, (
            "action is not in action space"
        )
        super().step(action)


class InOrder(OrderEnforcingWrapper[str, Observation, int]):
    """PettingZoo's checks of the order of calls and of the bounds of actions, and if so wished its end of illegal games.

    A forfeit counts as a step. `last` asks the environment at once, past the checks of each of its attributes.
    """

    def __init__(self, raw: BaofenEnv, *, terminate_illegal: bool = False) -> None:
        self._raw = raw
        self._ends_illegal = terminate_illegal
        checked: AECEnv[str, Observation, int] = raw
        if terminate_illegal:
            checked = TerminateIllegalWrapper(raw, ILLEGAL_LEVELS if raw.rules.has_levels else ILLEGAL_POINTS)
        super().__init__(InBounds(checked))

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, terminated, truncated and info of the selected seat."""
        return self._raw.last(observe) if self._has_reset else super().last(observe)

    def forfeit(self, seat: int | str, room: str = "points") -> None:
        """End the deal because a seat leaves; see `BaofenEnv.forfeit`."""
        if not self._has_reset:
            raise AttributeError("forfeit cannot be called before reset")
        self._raw.forfeit(seat, room)
        self._has_updated = True
        if self._ends_illegal:
            self.env.observe(
                self.agent_selection
            )  # so that the next action is held against the mask of what is now asked
