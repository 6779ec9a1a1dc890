"""Agents by name.

random, random:cards                built in
heuristic-v1                        built in and frozen: it makes the same choices for ever (tests pin them)
heuristic                           the newest heuristic; today it is heuristic-v1
bidder:value                        the heuristic with an auction of its own: calls by a value network
search:N, search:N+confirm          the heuristic's plays searched in N worlds a decision; confirmed on fresh worlds
oracle, oracle:N                    a search that sees all cards: a ceiling, no player
BIDDER/PLAYER                       one for exposing and the auction, another for trump, bury and play
NAME, path/to/policy                a policy that comes with this package, or a folder with an exported one
search:N@POLICY                     a search among the plays that a scorer proposes; +confirm as above
KIND@path/to/policy                 one whose network is of a foreign kind (`policy.network_kinds`)
package.module:Class                any class that makes an agent without arguments
NAME                                an entry point of the group `baofen.agents`
"""

import importlib
import os
import re
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import cast

from baofen.agents.base import Agent
from baofen.agents.bids.bidder import ValueBidder
from baofen.agents.combined import CombinedAgent
from baofen.agents.heuristic import HeuristicAgent
from baofen.agents.policy import FACTS_FILE, policy_folder, shipped_policies
from baofen.agents.randoms import RandomAgent
from baofen.agents.search.agent import SearchAgent

ENTRY_POINTS = "baofen.agents"
HEURISTIC_V1 = "heuristic-v1"
MAX_SLASHES = 100
"""In a name: each may part a bidder from a player, or be one of a path."""

BUILT_IN: dict[str, tuple[Callable[[], Agent], str]] = {
    "random": (RandomAgent, "uniform over the components it can lead, never a throw; else uniform over actions"),
    "random:cards": (lambda: RandomAgent(by_cards=True), "uniform over actions; fast, leads mostly throws"),
    "heuristic": (HeuristicAgent, f"rules of thumb and expected points; today the same as {HEURISTIC_V1}"),
    HEURISTIC_V1: (
        lambda: HeuristicAgent(name=HEURISTIC_V1),
        "the heuristic as it was when the ladder was measured; frozen, for claims",
    ),
    "bidder:value": (
        ValueBidder,
        "calls by a value network, else as the heuristic; bidder:value/PLAYER for another's play",
    ),
    "oracle": (lambda: SearchAgent(1, cheats=True), "cheats: searches the true deal; a ceiling, no player"),
}
_SEARCH = re.compile(r"search:([1-9][0-9]{0,5})(\+confirm)?")
_ORACLE = re.compile(r"oracle:[1-9][0-9]{0,5}")
_CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")
NAMED_BY_NUMBER = {
    "search:N": "plays by search, N worlds a decision, played out by the heuristic",
    "search:N+confirm": "the same, and a play other than the heuristic's must be surely better on 10 N fresh worlds",
    "oracle:N": "cheats: the same as oracle; the number changes nothing, for the one true deal is known",
}
NAMED_BY_POLICY = {
    "search:N@POLICY": "a search among the plays that a scorer proposes, by its folder or the name it is shipped under",
    "search:N+confirm@POLICY": "the same, and a play other than the scorer's must be surely better on 10 N fresh worlds",
}

_OWN_PREFIXES = {name.partition(":")[0] for name in (*BUILT_IN, *NAMED_BY_NUMBER)}
"""No class is looked for in modules of these names: `search:x` is a slip, and `random:Random` no agent."""


class UnknownAgentError(ValueError):
    """There is no agent of a name."""


def list_agents() -> dict[str, str]:
    """Return the agents that have a name, each with what it is.

    >>> "heuristic" in list_agents()
    True
    """
    agents = {name: meaning for name, (_, meaning) in BUILT_IN.items()}
    agents.update(dict.fromkeys(shipped_policies(), "a policy that comes with this package, see docs/agents.md"))
    agents.update(NAMED_BY_NUMBER | NAMED_BY_POLICY)
    for entry in entry_points(group=ENTRY_POINTS):
        agents.setdefault(entry.name, f"entry point {entry.value}")
    return agents


def make_agent(name: str) -> Agent:
    """Return a new agent by its name (see the top of this module).

    Raises:
        UnknownAgentError: if there is none of that name; the message lists the known ones.
        ValueError: if there is one, and it cannot be used.

    >>> make_agent("random/heuristic").name
    'random/heuristic'
    """
    if name in BUILT_IN:
        return BUILT_IN[name][0]()
    if name.count("/") > MAX_SLASHES:
        raise _unknown(name, f"more than {MAX_SLASHES} slashes")
    search = _SEARCH.fullmatch(name)
    if search:
        return SearchAgent(int(search[1]), confirm=search[2] is not None)
    if _ORACLE.fullmatch(name):
        return make_agent("oracle")
    for entry in entry_points(group=ENTRY_POINTS, name=name):
        return cast(Agent, entry.load()())
    folder = policy_folder(name)
    if folder is not None:
        return _policy(folder, None, name)
    kind, folder = _marked_policy(name)
    if folder is not None:
        search = _SEARCH.fullmatch(kind)
        return _policy(folder, kind, name) if search is None else _guided(search, folder, name)
    if os.path.isdir(name):
        raise _unknown(name, _where_policies_lie(Path(name)))
    bidder, player = _two_parts(name)
    if bidder and player:
        return _combined(name, bidder, player)
    if _is_class(name):
        return _from_module(name, *name.split(":"))
    lies_nowhere = name.startswith((".", "~", "/")) or "@" in name
    raise _unknown(name, "no policy lies there" if lies_nowhere else "")


def _policy(folder: Path, kind: str | None, name: str) -> Agent:
    """Return the agent of a saved policy; what reads policies is loaded only here."""
    from baofen.agents.policy.network_kinds import policy_agent

    return policy_agent(folder, kind=kind, name=name)


def _guided(search: re.Match[str], folder: Path, name: str) -> Agent:
    """Return the search among the plays of a scorer; loaded only here, for it reads policies."""
    guided = importlib.import_module("baofen.agents.search.guided_agent")
    return cast(Agent, guided.GuidedSearchAgent(int(search[1]), folder, confirm=search[2] is not None, name=name))


def _marked_policy(name: str) -> tuple[str, Path | None]:
    """Return KIND (or `search:N`) and the folder of `KIND@POLICY`, or no folder if it is not one."""
    kind, _, policy = name.partition("@")
    slip = kind.partition(":")[0] in _OWN_PREFIXES and _SEARCH.fullmatch(kind) is None
    return kind, None if slip or not policy or "/" in kind else policy_folder(policy)


def _where_policies_lie(folder: Path) -> str:
    """Return that a folder is no policy, and the newest policy of the run if it is one of training."""
    policies = sorted(path.parent for path in folder.glob(f"**/{FACTS_FILE}"))
    return f"no policy lies there, but in {policies[-1]}" if policies else "no policy lies there"


def is_foreign(name: str) -> bool:
    """Return whether a name leads to code that is not of this package: by entry point, `module:Class` or `KIND@FOLDER`.

    >>> is_foreign("search:32+confirm"), is_foreign("random/heuristic-v1"), is_foreign("random/my_agents:Mine")
    (False, False, True)
    """
    if name in BUILT_IN or _SEARCH.fullmatch(name) or _ORACLE.fullmatch(name) or name.count("/") > MAX_SLASHES:
        return False
    if entry_points(group=ENTRY_POINTS, name=name):
        return True
    if policy_folder(name) is not None:
        return False
    kind, folder = _marked_policy(name)
    if folder is not None:
        return _SEARCH.fullmatch(kind) is None
    bidder, player = _two_parts(name)
    if bidder and player:
        return is_foreign(bidder) or is_foreign(player)
    return _is_class(name)


def _is_class(name: str) -> bool:
    return _CLASS.fullmatch(name) is not None and name.partition(":")[0] not in _OWN_PREFIXES


def _two_parts(name: str) -> tuple[str, str]:
    """Return the parts of `BIDDER/PLAYER`, or empty ones; a bidder that is a policy's folder may have slashes too.

    >>> _two_parts("bidder:value/runs/mine/checkpoints/000100")
    ('bidder:value', 'runs/mine/checkpoints/000100')
    """
    for slash in re.finditer("/", name):
        first = name[: slash.start()]
        if policy_folder(first) is not None or _marked_policy(first)[1] is not None:
            return first, name[slash.end() :]
    bidder, _, player = name.partition("/")
    return ("", "") if bidder in (".", "..", "~") else (bidder, player)


def _combined(name: str, bidder: str, player: str) -> Agent:
    """Return the agent for `BIDDER/PLAYER`; either part may be a path with slashes of its own."""
    parts = []
    for part in (bidder, player):
        try:
            parts.append(make_agent(part))
        except UnknownAgentError as error:
            raise _unknown(name, str(error).partition(_KNOWN)[0]) from None
    return CombinedAgent(*parts)


def _from_module(name: str, module: str, class_name: str) -> Agent:
    """Return an agent of the class `class_name` in an importable module."""
    try:
        found = getattr(importlib.import_module(module), class_name)
    except ModuleNotFoundError as error:
        sought = error.name is not None and f"{module}.".startswith(f"{error.name}.")
        raise _unknown(name, f"{error}; is its folder on PYTHONPATH?" if sought else f"{module}: {error}") from None
    except (ImportError, AttributeError) as error:
        raise _unknown(name, str(error)) from None
    return cast(Agent, found())


UNKNOWN = "unknown agent"
_KNOWN = ": there are "


def _unknown(name: str, why: str = "") -> UnknownAgentError:
    """Return the error for a name that leads to no agent."""
    known = ", ".join(list_agents())
    reason = f" ({why})" if why else ""
    return UnknownAgentError(
        f"{UNKNOWN} {name!r}{reason}{_KNOWN}{known}, BIDDER/PLAYER, the folder of an exported policy, KIND@FOLDER, "
        "and module:Class"
    )
