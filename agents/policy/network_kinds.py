"""Which agent plays a saved policy: the one for the kind of network that `architecture.kind` of `policy.json` names.

Kinds of this package are `mlp` and `scorer`. Any other is code of somebody else, and runs only if it is asked for by
name, in front of the folder: `KIND@FOLDER`, where KIND is what `policy.json` says, an entry point of the group
`baofen.networks` or `module:Factory`. A folder alone never makes code run.
"""

import importlib
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

from numpy.typing import NDArray

from baofen.agents.base import Agent
from baofen.agents.policy import FACTS_FILE
from baofen.agents.policy.network_player import Network, NetworkPlayer
from baofen.agents.policy.policy_files import (
    PolicyFileError,
    check_layout,
    observation_layout,
    read_arrays,
    read_facts,
    rules_of,
)

ENTRY_POINTS = "baofen.networks"
OWN_KINDS = {
    "mlp": "baofen.agents.policy.agent:NetworkAgent",
    "scorer": "baofen.agents.policy.scorer_agent:ScorerAgent",
}
"""The agent of each kind of this package, by name: torch is needed only where it is asked for."""

NetworkFactory = Callable[[Mapping[str, Any], Mapping[str, NDArray[Any]]], Network]
"""What a foreign kind is: from `architecture` of `policy.json` and the arrays of `policy.safetensors` to a network."""


def policy_agent(folder: str | Path, *, kind: str | None = None, name: str | None = None) -> Agent:
    """Return the agent that plays the policy in a folder.

    Args:
        folder: where `policy.json` and `policy.safetensors` lie.
        kind: the kind of its network, if it is a foreign one: only then is code that is not of this package run.
        name: what to call the agent, otherwise the folder, behind the kind if one was given.

    Raises:
        PolicyFileError: if the policy cannot be used, or is of another kind; the message says what is needed.
    """
    folder = Path(folder)
    facts = read_facts(folder)
    architecture = facts.get("architecture")
    named = architecture.get("kind") if isinstance(architecture, dict) else None
    path = folder / FACTS_FILE
    if kind is not None and kind != named:
        raise PolicyFileError(f"{path}: the network is of kind {named!r}, not {kind!r}")
    if kind is None or kind in OWN_KINDS:
        # Facts that name no kind are left to the oldest one, which says all that is wrong with them.
        own = named if isinstance(named, str) else "mlp"
        if own not in OWN_KINDS:
            raise PolicyFileError(f"{path}: {_what_is_needed(own, folder)}")
        module, _, made = OWN_KINDS[own].partition(":")
        return cast(Agent, getattr(importlib.import_module(module), made)(folder, name=name))
    factory = _foreign_factory(kind, folder)
    assert isinstance(architecture, dict)  # it has named the kind
    try:
        check_layout(folder, facts, observation_layout())
        trained_on = rules_of(folder, facts)
    except (KeyError, TypeError) as error:
        raise PolicyFileError(f"{path}: observation.layout, rules or options is missing or wrong: {error!r}") from None
    network = factory(architecture, read_arrays(folder))
    return NetworkPlayer(network, name or f"{kind}@{folder}", trained_on)


def _what_is_needed(kind: str, folder: Path) -> str:
    installed = bool(entry_points(group=ENTRY_POINTS, name=kind)) or ":" in kind
    first = "" if installed else f"install the package that has the entry point {kind!r} in {ENTRY_POINTS!r}, then "
    return (
        f"the network is of the foreign kind {kind!r}, and foreign code runs only if it is named: "
        f"{first}say {kind}@{folder}"
    )


def _foreign_factory(kind: str, folder: Path) -> NetworkFactory:
    path = folder / FACTS_FILE
    for entry in entry_points(group=ENTRY_POINTS, name=kind):
        return cast(NetworkFactory, entry.load())
    module, colon, made = kind.partition(":")
    if not colon:
        raise PolicyFileError(f"{path}: no installed package has the entry point {kind!r} in {ENTRY_POINTS!r}")
    try:
        return cast(NetworkFactory, getattr(importlib.import_module(module), made))
    except (ImportError, AttributeError) as error:
        raise PolicyFileError(f"{path}: the network's kind {kind!r} needs {module}: {error}") from None
