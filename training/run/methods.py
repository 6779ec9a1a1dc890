"""Ways to learn by name: `method` of a configuration.

plays            labels of whole plays, and a network that scores them
ppo              PPO by self-play, card by card
NAME             an entry point of the group `baofen.methods`
module:factory   anything that makes a `Method` of an `Assignment`
"""

import importlib
from importlib.metadata import entry_points
from typing import cast

from baofen.training.errors import UserError
from baofen.training.method import Assignment, MakeMethod, Method
from baofen.training.plays.plays_method import PlaysMethod
from baofen.training.selfplay.ppo_method import PPOMethod

ENTRY_POINTS = "baofen.methods"
BUILT_IN: dict[str, MakeMethod] = {"plays": PlaysMethod, "ppo": PPOMethod}


def make_method(assignment: Assignment) -> Method:
    """Return the method that a configuration names, ready for its first iteration.

    Raises:
        UserError: if there is none of that name.
    """
    return method_factory(assignment.config.method)(assignment)


def method_factory(name: str) -> MakeMethod:
    """Return what makes the method of a name."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    for entry in entry_points(group=ENTRY_POINTS, name=name):
        return cast(MakeMethod, entry.load())
    module, colon, factory = name.partition(":")
    if not colon:
        known = ", ".join([*BUILT_IN, *entry_points(group=ENTRY_POINTS).names])
        raise UserError(f"method: unknown {name!r}: there are {known}, and module:factory")
    try:
        return cast(MakeMethod, getattr(importlib.import_module(module), factory))
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"method: {name!r} cannot be loaded: {error}") from None
