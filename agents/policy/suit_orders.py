"""Suits as a scorer sees them: trump first, then the side suits from the one the seat holds most of to the least.

The names of suits mean nothing, so a network that always sees its long suit in the same place learns what would
otherwise take six times the deals. In rules where suits differ by more than name (the red five of Bao Hong Wu), only
trump is moved. `scorer_kernels.order_row` says which row of the orders here a decision is seen by.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from baofen.agents.policy.scorer_kernels import NUM_SIDE_ORDERS
from baofen.agents.policy.scorer_parameters import higher_faces, observation_order
from baofen.envs.cards import NUM_FACES, NUM_RANKS, NUM_SUITS
from baofen.envs.core.dtypes import NO_TRUMP_YET
from baofen.envs.observation import ACTION_ORDER, FACES, GROUPS, PARTS
from baofen.envs.rules import Rules

SIDE_ORDERS = tuple(permutations(range(1, NUM_SUITS)))
"""Which of the suits after trump come second, third and fourth."""
assert len(SIDE_ORDERS) == NUM_SIDE_ORDERS


def _side_faces(order: tuple[int, ...]) -> NDArray[np.int64]:
    suits = [0, *order]
    return np.array([suit * NUM_RANKS + rank for suit in suits for rank in range(NUM_RANKS)] + [52, 53])


def _side_observation(order: tuple[int, ...]) -> NDArray[np.int64]:
    """Return which byte of an observation with trump first each byte is with its side suits in an order."""
    start = 0
    found = []
    for part in PARTS:
        index = np.arange(start, start + part.size).reshape(part.shape)
        if part.axis == FACES:
            index = index[..., _side_faces(order)]
        elif part.axis == GROUPS:
            index = index[..., [0, *order, *range(NUM_SUITS, part.shape[-1])]]
        found.append(index.reshape(-1))
        start += part.size
    return np.concatenate(found)


def _side_orders(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Return the orders of the side suits, all the same where suits differ by more than name."""
    higher = higher_faces(rules)
    above = higher[0][:, None] >> np.arange(NUM_FACES) & 1
    alike = (higher == higher[0]).all() and all(
        (above[np.ix_(faces, faces)] == above).all() for faces in map(_side_faces, SIDE_ORDERS)
    )
    return SIDE_ORDERS if alike else SIDE_ORDERS[:1] * NUM_SIDE_ORDERS


def observation_orders(rules: Rules) -> NDArray[np.int64]:
    """Return int64 [NUM_ORDERS, observation size]: `seen = plain[orders[order_row]]`."""
    plain = observation_order(rules)
    rows = [plain[trump][_side_observation(order)] for trump in range(NUM_SUITS) for order in _side_orders(rules)]
    return np.stack([*rows, plain[NO_TRUMP_YET]])


def face_places(rules: Rules) -> NDArray[np.int64]:
    """Return int64 [NUM_ORDERS, 54]: where each face stands as the scorer sees cards."""
    plain = ACTION_ORDER[:, :NUM_FACES]
    rows = [plain[trump][_side_faces(order)] for trump in range(NUM_SUITS) for order in _side_orders(rules)]
    return np.argsort(np.stack([*rows, plain[NO_TRUMP_YET]]), axis=1)
