"""The two files of a saved policy, `policy.json` and `policy.safetensors`: reading them runs no code and needs no torch."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load_file

from baofen.agents.policy import FACTS_FILE
from baofen.envs.observation import PARTS
from baofen.envs.rules import Rules

WEIGHTS_FILE = "policy.safetensors"
FORMAT = 1


MAX_HIDDEN_LAYERS = 64
MAX_FACTS_BYTES = 1 << 20
MAX_WEIGHTS_BYTES = 4 << 30


class PolicyFileError(ValueError):
    """A policy that cannot be used, with the file and the reason."""


def check_size(path: Path, most_bytes: int) -> None:
    """Refuse a file that is larger than any policy's, before any of it is read.

    Raises:
        PolicyFileError: with both sizes.
        OSError: if there is no such file.
    """
    size = path.stat().st_size
    if size > most_bytes:
        raise PolicyFileError(f"{path} has {size} bytes, and a policy's at most {most_bytes}")


def read_facts(folder: Path) -> dict[str, Any]:
    """Return what `policy.json` says, of whatever kind the network is.

    Raises:
        PolicyFileError: if there is no such file, or it is not of this format.
    """
    path = folder / FACTS_FILE
    try:
        check_size(path, MAX_FACTS_BYTES)
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PolicyFileError(f"{folder} holds no policy: it has no {FACTS_FILE}") from None
    except PolicyFileError:
        raise
    except (ValueError, OSError, RecursionError) as error:
        raise PolicyFileError(f"{path}: {error}") from None
    number = facts.get("format") if isinstance(facts, dict) else None
    if type(number) is not int or number != FORMAT:  # true and 1.0 equal 1 too
        raise PolicyFileError(f"{path}: not a policy of format {FORMAT}")
    return facts


def check_facts(folder: Path, model: type[BaseModel], facts: dict[str, Any]) -> None:
    """Refuse facts in which something that a kind of network must know is missing or wrong.

    Raises:
        PolicyFileError: with all faults in one line.
    """
    try:
        model.model_validate(facts)
    except ValidationError as error:
        faults = [(".".join(map(str, fault["loc"])), fault["msg"].lower()) for fault in error.errors()]
        told = "; ".join(f"{key}: {message}" for key, message in faults)
        raise PolicyFileError(f"{folder / FACTS_FILE}: {told}") from None


def read_arrays(folder: Path) -> dict[str, NDArray[Any]]:
    """Return the numbers of `policy.safetensors` by name, in memory: the file may be written anew while an agent plays.

    Raises:
        PolicyFileError: if there is no such file, or it is damaged or of a precision that numpy does not know.
    """
    path = folder / WEIGHTS_FILE
    try:
        check_size(path, MAX_WEIGHTS_BYTES)
        return {name: np.array(value) for name, value in load_file(path).items()}
    except FileNotFoundError:
        raise PolicyFileError(f"{folder} holds no policy: it has no {WEIGHTS_FILE}") from None
    except (SafetensorError, OSError, KeyError, TypeError) as error:
        raise PolicyFileError(f"{path}: {error!r}") from None


def observation_layout() -> str:
    """Return a short hash of what stands where in the environments' observations.

    A policy is tied to it: with another layout its inputs would mean other things.
    """
    layout = [(part.name, part.shape, part.scale, part.zero) for part in PARTS]
    return hashlib.sha256(repr(layout).encode()).hexdigest()[:12]


def check_layout(folder: Path, facts: dict[str, Any], shown: str) -> None:
    """Refuse a policy that was trained on observations of another layout than it is shown.

    Raises:
        PolicyFileError: with both layouts.
    """
    made_for = facts["observation"]["layout"]
    if made_for != shown:
        raise PolicyFileError(
            f"{folder}: the policy was trained on observations of layout {made_for}, this version has {shown}"
        )


def rules_of(folder: Path, facts: dict[str, Any]) -> Rules | None:
    """Return the rules of the training, if it was on the environments.

    Raises:
        PolicyFileError: if there are no such rules.
    """
    if facts["rules"] is None:
        return None
    try:
        return Rules(facts["rules"], facts["options"])
    except ValueError as error:
        raise PolicyFileError(f"{folder / FACTS_FILE}: {error}") from None
