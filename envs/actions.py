"""The action space: one `Discrete(99)` for all rule systems.

0 .. 53    pick: add a card of this face to the selection (exposing, burying, playing)
54         commit: end a lead, or the first exposure of a single 2
55 .. 66   eight: lead, or answer with, all eight cards of a rank 3 .. A
67         pass: in the auction, or when asked to expose
68 .. 94   call 70, 75 .. 200
95 .. 98   name trump: s h c d
"""

import numpy as np

from baofen.envs.cards import FACE_NAMES, NUM_FACES, RANKS, SUITS

COMMIT = 54
EIGHT = 55
PASS = 67
CALL = 68
TRUMP = 95
NUM_ACTIONS = 99

NUM_EIGHTS = 12
CALL_MIN = 70
CALL_MAX = 200
CALL_STEP = 5
NUM_CALLS = (CALL_MAX - CALL_MIN) // CALL_STEP + 1


def call_action(points: int) -> int:
    """Return the action that calls `points`.

    Raises:
        ValueError: if `points` is not one of 70, 75 .. 200.
    """
    if not isinstance(points, int | np.integer) or not CALL_MIN <= points <= CALL_MAX or points % CALL_STEP:
        raise ValueError(f"call {points!r} does not exist: calls are 70, 75 .. 200")
    return CALL + (int(points) - CALL_MIN) // CALL_STEP


def call_points(action: int) -> int:
    """Return the points that a call action promises."""
    return CALL_MIN + CALL_STEP * (action - CALL)


def action_name(action: int) -> str:
    """Return an action in words: `As`, `commit`, `eight 9`, `pass`, `call 85`, `trump s`.

    >>> [action_name(a) for a in (12, 54, 61, 67, 71, 95)]
    ['As', 'commit', 'eight 9', 'pass', 'call 85', 'trump s']
    """
    if 0 <= action < NUM_FACES:
        return FACE_NAMES[action]
    if action == COMMIT:
        return "commit"
    if EIGHT <= action < PASS:
        return f"eight {RANKS[action - EIGHT + 1]}"
    if action == PASS:
        return "pass"
    if CALL <= action < TRUMP:
        return f"call {call_points(action)}"
    if TRUMP <= action < NUM_ACTIONS:
        return f"trump {SUITS[action - TRUMP]}"
    raise ValueError(f"action {action} does not exist: actions are 0 .. {NUM_ACTIONS - 1}")


ACTION_BY_NAME: dict[str, int] = {action_name(action): action for action in range(NUM_ACTIONS)}
