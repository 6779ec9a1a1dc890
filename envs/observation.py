"""The observation and the state as named parts: one table that makes the vectors, the spaces, the docs and views.

An observation is a flat uint8 vector of what one seat may know. Seats in it are relative: 0 the observer, 1 the next in
playing order, and so on. `normalised = (value - zero) / scale` lies about in 0 .. 1 (-1 .. 1 for signed parts). The
omniscient state has the parts of `STATE_PARTS`, with absolute seats.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baofen.envs import actions
from baofen.envs.cards import NUM_FACES, NUM_RANKS, NUM_SUITS

FACES = "faces"
"""A part whose last axis are the 54 faces."""
GROUPS = "groups"
"""A part whose last axis are the groups s h c d, trump (and, for one-hots, none)."""


@dataclass(frozen=True)
class Part:
    """One part of a vector: its shape, what its values mean, and how to normalise them.

    `axis` says whether the last axis runs over faces or groups, for relabelling suits.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    scale: float = 1.0
    zero: int = 0
    axis: str = ""

    @property
    def size(self) -> int:
        """Number of bytes of the part."""
        return math.prod(self.shape)


SIGNED_ZERO = 128

PUBLIC_PARTS: tuple[Part, ...] = (
    Part("played", (4, 54), "copies of each face played by each seat, the current trick included", 2, axis=FACES),
    Part("trick", (4, 54), "copies of each face in the current trick by seat", 2, axis=FACES),
    Part("shown", (4, 54), "copies shown to all and not played since: exposed 2s, failed throws", 2, axis=FACES),
    Part("hand_cards", (4,), "cards left in each hand", 33),
    Part("void", (4, 5), "seat has shown that it is void in the group", axis=GROUPS),
    Part("pairless", (4, 5), "seat has shown that it holds no pair of the group", axis=GROUPS),
    Part("runless", (4, 5), "seat has shown that it holds no run of the group", axis=GROUPS),
    Part("phase", (6,), "one-hot: expose, auction, trump, bury, play, over"),
    Part("trump", (5,), "one-hot: s h c d, not known; while dealing, the exposed suit in force", axis=GROUPS),
    Part("exposed_by", (5,), "one-hot: seat of the exposure in force, nobody"),
    Part("exposure_final", (1,), "the exposure is protected or overturned"),
    Part("first_caller", (4,), "one-hot: seat"),
    Part("calls", (4,), "each seat's last call in points / 5, 0 if none", 40),
    Part("num_calls", (4,), "calls each seat has made", 7),
    Part("passed", (4,), "seat has passed"),
    Part("last_call", (1,), "highest call so far in points / 5, 0 if none", 40),
    Part("last_caller", (5,), "one-hot: seat of the highest call, nobody"),
    Part("declarer", (5,), "one-hot: seat, nobody yet"),
    Part("target", (1,), "target in points / 5", 40),
    Part("captured", (1,), "points the declarer has captured, / 5", 40),
    Part("captured_trump", (1,), "trump points the declarer has captured, / 5", 10),
    Part("conceded", (1,), "points the defenders have captured, / 5", 40),
    Part("conceded_trump", (1,), "trump points the defenders have captured, / 5", 10),
    Part("red_five_bonus", (1,), "points for red fives so far / 5 (Bao Hong Wu)", 40, SIGNED_ZERO),
    Part("fine_levels", (4,), "levels each seat owes for failed throws (Bao Hong Wu), at most 255", 20),
    Part("leader", (5,), "one-hot: seat that leads or has led the trick, nobody"),
    Part("num_plays", (1,), "plays made in the trick", 4),
    Part("lead_group", (6,), "one-hot: s h c d trump, no lead", axis=GROUPS),
    Part("lead_cards", (1,), "cards led", 25),
    Part("lead_pairs", (1,), "pairs led, inside tractors or not", 12),
    Part("lead_runs", (6,), "lengths of the tractors led, in pairs, longest first", 12),
    Part("lead_is_throw", (1,), "the lead has several components"),
    Part("lead_is_forced", (1,), "the lead is what a failed throw was cut to"),
    Part("lead_eight", (1,), "rank of an eight led: 1 for the 3 .. 12 for the ace, 0 for none", 12),
    Part("winner", (5,), "one-hot: seat that wins the trick so far, nobody"),
    Part("winner_is_trump", (1,), "the best play so far is of trump"),
    Part("trick_points", (1,), "points in the current trick / 5", 40),
    Part("pot", (1,), "size of the pot / 10, at most 255", 40),
    Part("pot_age", (1,), "deals the pot has lived before this one", 5),
    Part("totals", (4,), "running totals / 8, from -128 to 127", 64, SIGNED_ZERO),
    Part("deal_index", (1,), "deals of the match played before this one, at most 255", 16),
    Part("deals_left", (1,), "deals of the match still to come after this one, at most 255", 16),
)
"""What all seats know."""

PARTS: tuple[Part, ...] = (
    Part("hand", (54,), "copies of each face in the own hand, picked cards included", 2, axis=FACES),
    Part("selection", (54,), "copies of each face picked and not committed", 2, axis=FACES),
    Part("buried", (54,), "copies of each face buried, if the observer is the declarer", 2, axis=FACES),
    Part("unseen", (5,), "cards of each group that the observer has not seen, once trump is known", 36, axis=GROUPS),
    Part("unseen_points", (1,), "points on cards that the observer has not seen, / 5", 40),
    *PUBLIC_PARTS,
)
"""The observation."""

STATE_PARTS: tuple[Part, ...] = (
    Part("hands", (4, 54), "copies of each face in each hand", 2, axis=FACES),
    Part("selection", (54,), "copies of each face the acting seat has picked", 2, axis=FACES),
    Part("buried", (54,), "copies of each face buried", 2, axis=FACES),
    Part("acting", (5,), "one-hot: acting seat, nobody"),
    *PUBLIC_PARTS,
)
"""The omniscient state of `Table.state()`, for centralised critics; seats are absolute."""


def offsets(parts: Sequence[Part]) -> dict[str, int]:
    """Return where each part begins."""
    starts = np.cumsum([0, *(part.size for part in parts)])
    return {part.name: int(start) for part, start in zip(parts, starts, strict=False)}


OFFSETS = offsets(PARTS)
STATE_OFFSETS = offsets(STATE_PARTS)
OBSERVATION_SIZE = sum(part.size for part in PARTS)
STATE_SIZE = sum(part.size for part in STATE_PARTS)
PUBLIC_SIZE = sum(part.size for part in PUBLIC_PARTS)


def named_views(vector: NDArray[np.uint8], parts: Sequence[Part] = PARTS) -> Mapping[str, NDArray[np.uint8]]:
    """Return the parts of a vector (or of a batch, vectors last) by name, as views in their own shapes."""
    views = {}
    start = 0
    for part in parts:
        views[part.name] = vector[..., start : start + part.size].reshape(*vector.shape[:-1], *part.shape)
        start += part.size
    return views


def normalisation(parts: Sequence[Part] = PARTS) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return `(zero, scale)`, float32 vectors: `normalised = (vector - zero) / scale`."""
    zero = np.concatenate([np.full(part.size, part.zero, np.float32) for part in parts])
    scale = np.concatenate([np.full(part.size, part.scale, np.float32) for part in parts])
    return zero, scale


def _suit_order(trump: int) -> list[int]:
    """Return the suits with trump first; the order of the faces when trump is not known."""
    if trump >= NUM_SUITS:
        return list(range(NUM_SUITS))
    return [trump, *(suit for suit in range(NUM_SUITS) if suit != trump)]


def _face_order(trump: int) -> list[int]:
    faces = [suit * NUM_RANKS + rank for suit in _suit_order(trump) for rank in range(NUM_RANKS)]
    return [*faces, *range(len(faces), NUM_FACES)]


def _relabelled(part: Part, trump: int) -> NDArray[np.int64]:
    """Return, for each byte of a part with trump as the first suit, which byte of the plain part it is."""
    index = np.arange(part.size).reshape(part.shape)
    if part.axis == FACES:
        index = index[..., _face_order(trump)]
    elif part.axis == GROUPS:
        rest = range(NUM_SUITS, part.shape[-1])
        index = index[..., [*_suit_order(trump), *rest]]
    return index.reshape(-1)


def _observation_order() -> NDArray[np.int64]:
    rows = [
        np.concatenate([OFFSETS[part.name] + _relabelled(part, trump) for part in PARTS])
        for trump in range(NUM_SUITS + 1)
    ]
    return np.stack(rows)


def _action_order() -> NDArray[np.int64]:
    order = np.tile(np.arange(actions.NUM_ACTIONS), (NUM_SUITS + 1, 1))
    for trump in range(NUM_SUITS + 1):
        order[trump, :NUM_FACES] = _face_order(trump)
        order[trump, actions.TRUMP :] = [actions.TRUMP + suit for suit in _suit_order(trump)]
    return order


OBSERVATION_ORDER: NDArray[np.int64] = _observation_order()
"""int64 [5, O]: `canonical = plain[OBSERVATION_ORDER[trump]]` relabels suits so that trump comes first."""
ACTION_ORDER: NDArray[np.int64] = _action_order()
"""int64 [5, 99]: the same for masks; canonical action `a` is plain action `ACTION_ORDER[trump, a]`."""
