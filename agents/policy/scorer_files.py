"""A scorer saved and loaded: the two files of every policy, written and read without torch and without code.

The names in the weights are `<network>.<parameter of PlayScorer>`. Its networks are `declarer` and `defender`, and
`bury` where there is one; without it the declarer's scores his buries.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field
from safetensors.numpy import save_file

from baofen.agents.policy import FACTS_FILE
from baofen.agents.policy.policy_files import (
    FORMAT,
    WEIGHTS_FILE,
    PolicyFileError,
    check_facts,
    check_layout,
    observation_layout,
    read_arrays,
    read_facts,
    rules_of,
)
from baofen.agents.policy.scorer_kernels import CARD_INPUTS, POINTS_PER_UNIT, ScorerParameters
from baofen.agents.policy.scorer_parameters import higher_faces, scorer_parameters
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.writing import replace_text, replacing

KIND = "scorer"
SCORER_NETWORKS = ("declarer", "defender", "bury")
"""By the kind of decision: a play of the declarer, of a defender, a bury."""
DECLARER, DEFENDER, BURY = range(3)
BONUS_SHARE = 0.25
"""Part of the bonus beside the points when playing; a larger one costs points and brings no clear score."""

_Count = Annotated[int, Field(ge=1)]


class _Observation(BaseModel, strict=True):
    size: _Count
    layout: str


class _Architecture(BaseModel, strict=True):
    kind: Literal["scorer"]
    hidden_size: _Count
    head_size: _Count


class _Plays(BaseModel, strict=True):
    listing: str
    features: list[str]


class _Facts(BaseModel, strict=True):
    """What an agent must know of `policy.json`; the rest of the file is for the record."""

    architecture: _Architecture
    networks: list[str]
    rules: str
    options: dict[str, OptionValue]
    observation: _Observation
    plays: _Plays
    bonus_share: Annotated[float, Field(ge=0, le=1)]
    bidder: str
    points_per_unit: Annotated[float, Field(gt=0, allow_inf_nan=False)]


@dataclass(frozen=True)
class ScorerPolicy:
    """A scorer as loaded.

    networks: of each kind of decision, as in `SCORER_NETWORKS`; the bury's may be the declarer's.
    rules: of the training.
    listing, features: of which list of plays, with which features, the scores are.
    bonus_share: part of the bonus that counts beside the points.
    bidder: the agent that calls, exposes and names trump.
    """

    networks: tuple[ScorerParameters, ScorerParameters, ScorerParameters]
    rules: Rules
    listing: str
    features: tuple[str, ...]
    bonus_share: float
    bidder: str
    facts: Mapping[str, Any]


def save_scorer(
    folder: Path,
    networks: Mapping[str, Mapping[str, Any]],
    *,
    rules: Rules,
    listing: str,
    features: Sequence[str],
    bonus_share: float = BONUS_SHARE,
    bidder: str = "heuristic-v1",
    half_precision: bool = False,
    record: Mapping[str, Any] | None = None,
) -> None:
    """Write `policy.safetensors` and `policy.json` into an existing folder, each whole or not at all.

    Args:
        folder: where to.
        networks: by name, of `SCORER_NETWORKS`, the state of a `PlayScorer`: arrays or tensors on the CPU. The bury's
            may be left out.
        rules: of the training.
        listing: name and version of the list of plays.
        features: names of the features of a play, in their order.
        bonus_share: part of the bonus that counts beside the points when playing.
        bidder: name of the agent that calls, exposes and names trump.
        half_precision: write numbers of 16 bits, half the size.
        record: what else is to stand in `policy.json`, such as the progress and configuration of the training.

    Raises:
        ValueError: if a network is missing, unknown, or its parameters do not fit one another.
    """
    if set(networks) - {"bury"} != {"declarer", "defender"}:
        raise ValueError(f"a scorer has the networks declarer, defender and perhaps bury, not {', '.join(networks)}")
    higher = higher_faces(rules)
    kind = np.float16 if half_precision else np.float32
    arrays: dict[str, NDArray[Any]] = {}
    for name, weights in networks.items():
        parameters = scorer_parameters(weights, higher)
        _check_features(parameters, features)
        arrays |= {f"{name}.{key}": np.ascontiguousarray(value, dtype=kind) for key, value in weights.items()}
    hidden_size, head_size = parameters.head.shape
    facts = {
        "format": FORMAT,
        "architecture": {"kind": KIND, "hidden_size": hidden_size, "head_size": head_size},
        "networks": [name for name in SCORER_NETWORKS if name in networks],
        "rules": rules.preset,
        "options": dict(rules.options),
        "observation": {"size": OBSERVATION_SIZE, "layout": observation_layout()},
        "plays": {"listing": listing, "features": list(features)},
        "bonus_share": float(bonus_share),
        "bidder": bidder,
        "points_per_unit": POINTS_PER_UNIT,
    }
    with replacing(folder / WEIGHTS_FILE) as beside:
        save_file(arrays, beside)
    replace_text(folder / FACTS_FILE, json.dumps(facts | dict(record or {}), indent=1) + "\n")


def load_scorer(folder: Path) -> ScorerPolicy:
    """Return a scorer with its numbers ready for compiled code.

    Raises:
        PolicyFileError: if a file is missing or damaged, or does not fit the other one or this version.
    """
    facts = read_facts(folder)
    check_facts(folder, _Facts, facts)
    check_layout(folder, facts, observation_layout())
    named = facts["networks"]
    if named not in (list(SCORER_NETWORKS), list(SCORER_NETWORKS[:BURY])):
        raise PolicyFileError(
            f"{folder / FACTS_FILE}: networks must be declarer, defender and perhaps bury, not {', '.join(named)}"
        )
    if facts["observation"]["size"] != OBSERVATION_SIZE or facts["points_per_unit"] != POINTS_PER_UNIT:
        raise PolicyFileError(
            f"{folder / FACTS_FILE}: observation.size and points_per_unit must be {OBSERVATION_SIZE} and {POINTS_PER_UNIT}"
        )
    rules = rules_of(folder, facts)
    assert rules is not None  # the facts were checked
    arrays = read_arrays(folder)
    stray = sorted(name for name in arrays if name.partition(".")[0] not in named)
    if stray:
        raise PolicyFileError(f"{folder / WEIGHTS_FILE}: {', '.join(stray)} belongs to no network")
    found = [_network(folder, name, arrays, facts, rules) for name in named]
    declarer, defender = found[:2]
    return ScorerPolicy(
        networks=(declarer, defender, found[BURY] if len(found) > BURY else declarer),
        rules=rules,
        listing=facts["plays"]["listing"],
        features=tuple(facts["plays"]["features"]),
        bonus_share=facts["bonus_share"],
        bidder=facts["bidder"],
        facts=facts,
    )


def _network(
    folder: Path, name: str, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any], rules: Rules
) -> ScorerParameters:
    own = {key.removeprefix(f"{name}."): value for key, value in arrays.items() if key.startswith(f"{name}.")}
    try:
        whole = [key for key, value in own.items() if not np.issubdtype(value.dtype, np.floating)]
        if whole:
            raise ValueError(f"{', '.join(whole)} should hold floating-point numbers")
        parameters = scorer_parameters(own, higher_faces(rules))
        _check_features(parameters, facts["plays"]["features"])
        told = facts["architecture"]
        if parameters.head.shape != (told["hidden_size"], told["head_size"]):
            raise ValueError(f"its sizes are {parameters.head.shape}, and {FACTS_FILE} says otherwise")
    except ValueError as error:
        raise PolicyFileError(f"{folder / WEIGHTS_FILE}: {name}: {error}") from None
    return parameters


def _check_features(parameters: ScorerParameters, features: Sequence[str]) -> None:
    num_features = len(parameters.play) - CARD_INPUTS
    if num_features != len(features):
        raise ValueError(f"play.weight takes {num_features} features, not {len(features)}")
