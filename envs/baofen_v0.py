"""Baofen for PettingZoo: `from baofen.envs import baofen_v0; env = baofen_v0.env()`.

Version history: v0, the first.
"""

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.cards import is_whole
from baofen.envs.interfaces.aec import BaofenEnv, Observation

raw_env = BaofenEnv
"""The environment itself, without wrappers."""


def env(*args: Any, **kwargs: Any) -> AECEnv[str, Observation, int]:
    """Return the environment with PettingZoo's checks; the arguments are those of `BaofenEnv`.

    >>> baofen_env = env(rules="suzhou")
    >>> baofen_env.reset(seed=1)
    >>> baofen_env.agent_selection
    'seat_3'
    """
    return InOrder(raw_env(*args, **kwargs))


class InBounds(AssertOutOfBoundsWrapper[str, Observation, int]):  # type: ignore[misc]  # untyped
    """PettingZoo's check of the bounds of actions, also for whole numbers beyond 64 bits, which no space can hold."""

    def step(self, action: int | None) -> None:
        """Take an action of the selected seat; see `BaofenEnv.step`."""
        assert action is None or not is_whole(action) or 0 <= action < NUM_ACTIONS, "action is not in action space"
        super().step(action)


class InOrder(OrderEnforcingWrapper[str, Observation, int]):  # type: ignore[misc]  # untyped
    """PettingZoo's checks of the order of calls and of the bounds of actions.

    A forfeit counts as a step. `last` asks the environment at once, past the checks of each of its attributes.
    """

    def __init__(self, raw: BaofenEnv) -> None:
        super().__init__(InBounds(raw))
        self._raw = raw

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, terminated, truncated and info of the selected seat."""
        return self._raw.last(observe) if self._has_reset else super().last(observe)

    def forfeit(self, seat: int | str, room: str = "points") -> None:
        """End the deal because a seat leaves; see `BaofenEnv.forfeit`."""
        if not self._has_reset:
            raise AttributeError("forfeit cannot be called before reset")
        self._raw.forfeit(seat, room)
        self._has_updated = True
