"""The numbers of a scorer as compiled code takes them, made of what a `PlayScorer` has learnt. No torch."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.policy.scorer_kernels import CARD_INPUTS, NUM_DERIVED, ScorerParameters
from baofen.envs.cards import NUM_FACES, NUM_SUITS
from baofen.envs.observation import ACTION_ORDER, OBSERVATION_ORDER, OBSERVATION_SIZE, OFFSETS, normalisation
from baofen.envs.rules import Rules


def higher_faces(rules: Rules) -> NDArray[np.int64]:
    """Return for each trump and face the faces that are higher in its group, as bits, int64 [4, 54].

    Faces are numbered with trump as the first suit.

    >>> int(higher_faces(Rules("suzhou"))[0, 53])  # nothing is higher than the big joker
    0
    """
    record = rules.record[0]
    words = np.zeros((NUM_SUITS, NUM_FACES), np.int64)
    for trump in range(NUM_SUITS):
        place = record["position"][trump, ACTION_ORDER[trump, :NUM_FACES]]
        for low in range(NUM_FACES):
            above = int(record["higher"][trump, place[low]])
            words[trump, low] = sum(1 << high for high in range(NUM_FACES) if above >> int(place[high]) & 1)
    return words


def observation_order(rules: Rules) -> NDArray[np.int64]:
    """Return the order in which a scorer sees the bytes of an observation, int64 [5, observation size]:
    `canonical = plain[order[trump]]`, suits with trump first.

    Where the order of cards is not the same for all trumps (the red five of Bao Hong Wu), the part `trump` is left as
    it is, so that it tells the suit; elsewhere it says nothing but that trump is first.
    """
    order = OBSERVATION_ORDER.copy()
    higher = higher_faces(rules)
    if (higher != higher[0]).any():
        told = slice(OFFSETS["trump"], OFFSETS["trump"] + NUM_SUITS + 1)
        order[:, told] = np.arange(told.start, told.stop)
    return order


def parameter_shapes(num_features: int, hidden_size: int, head_size: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of all parameters of a `PlayScorer` by name."""
    return {
        "observation.weight": (hidden_size, OBSERVATION_SIZE),
        "observation.bias": (hidden_size,),
        "derived.weight": (hidden_size, NUM_DERIVED),
        "middle.weight": (hidden_size, hidden_size),
        "middle.bias": (hidden_size,),
        "play.weight": (hidden_size, CARD_INPUTS + num_features),
        "head.weight": (head_size, hidden_size),
        "head.bias": (head_size,),
        "points.weight": (1, head_size),
        "points.bias": (1,),
        "bonus.weight": (1, head_size),
        "bonus.bias": (1,),
        "value.weight": (1, hidden_size),
        "value.bias": (1,),
    }


def scorer_parameters(weights: Mapping[str, Any], higher: NDArray[np.int64]) -> ScorerParameters:
    """Return the parameters of a `PlayScorer` for kernels; the scale of the observation is worked in.

    Args:
        weights: the module's state by name, arrays or tensors on the CPU, of any floating-point type.
        higher: as of `higher_faces`.

    Raises:
        ValueError: if a parameter is missing, of another shape than the others ask for, or not finite.
    """
    given = {name: np.asarray(value, np.float32) for name, value in weights.items()}
    try:
        (hidden_size,), (head_size,) = given["observation.bias"].shape, given["head.bias"].shape
        num_features = given["play.weight"].shape[1] - CARD_INPUTS
    except (KeyError, ValueError, IndexError):
        raise ValueError("observation.bias, head.bias or play.weight is missing or of no right shape") from None
    shapes = parameter_shapes(num_features, hidden_size, head_size)
    for name, shape in shapes.items():
        if name not in given or given[name].shape != shape:
            held = given[name].shape if name in given else "missing"
            raise ValueError(f"{name} is {held}, not of shape {shape}")
        if not np.isfinite(given[name]).all():
            raise ValueError(f"{name} is not finite")
    if stray := sorted(given.keys() - shapes.keys()):
        raise ValueError(f"{', '.join(stray)} is no parameter of a scorer")
    zero, scale = normalisation()
    observed = given["observation.weight"] / scale
    return ScorerParameters(
        higher=np.array(higher, np.int64),
        inputs=np.ascontiguousarray(np.concatenate([observed, given["derived.weight"]], axis=1).T),
        inputs_bias=(given["observation.bias"] - observed @ zero).astype(np.float32),
        middle=np.ascontiguousarray(given["middle.weight"].T),
        middle_bias=given["middle.bias"].copy(),
        play=np.ascontiguousarray(given["play.weight"].T),
        head=np.ascontiguousarray(given["head.weight"].T),
        head_bias=given["head.bias"].copy(),
        answers=np.concatenate([given["points.weight"], given["bonus.weight"]]),
        answers_bias=np.concatenate([given["points.bias"], given["bonus.bias"]]),
        value=given["value.weight"].reshape(-1).copy(),
        value_bias=given["value.bias"].copy(),
    )


def no_scorer(num_features: int) -> ScorerParameters:
    """Return the least scorer, all zeros: for kernels that take one and are told not to ask it."""
    shapes = parameter_shapes(num_features, 1, 1)
    higher = np.zeros((NUM_SUITS, NUM_FACES), np.int64)
    return scorer_parameters({name: np.zeros(shape) for name, shape in shapes.items()}, higher)
