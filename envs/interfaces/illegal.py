"""What an environment does with an illegal action: raise, or end the game."""

from typing import Final, Literal

Illegal = Literal["raise", "terminate"]
RAISE: Final = "raise"
"""`IllegalAction` is raised, and nothing has changed."""
TERMINATE: Final = "terminate"
"""The game ends, at the cost of whoever acted."""


def check_illegal(illegal: Illegal) -> Illegal:
    """Return a way with illegal actions that exists.

    Raises:
        ValueError: for another.
    """
    if illegal not in (RAISE, TERMINATE):
        raise ValueError(f"illegal must be {RAISE!r} or {TERMINATE!r}, not {illegal!r}")
    return illegal
