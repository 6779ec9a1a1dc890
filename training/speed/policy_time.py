"""What a decision costs an agent: CPU-milliseconds, one view at a time, of all agents on the same decisions.

A decision is the beginning of a bury or a play with more than one action to choose from: whole plays are chosen there,
and the picks that follow carry them out. The heuristic plays the deals.
"""

import sys
import time
from collections.abc import Sequence

import numpy as np

from baofen.agents import make_agent
from baofen.agents.base import Agent, Views
from baofen.agents.combined import some_views
from baofen.agents.policy import policy_folder, shipped_policies
from baofen.agents.registry import HEURISTIC_V1
from baofen.envs.core.dtypes import BURY, OVER
from baofen.envs.vector import VectorTables
from baofen.training.errors import UserError
from baofen.training.speed.grid import Grid, short

POLICY = "policy"
"""Name of the layer."""
RULES = "suzhou"
NUM_DEALS = 8
NUM_DECISIONS = 96
SEED = 20260501
REFERENCE = "search:100"
FEW_WORLDS, MANY_WORLDS = 8, 32
"""Worlds of the searches by a policy that are measured; the time grows evenly with worlds."""


def decisions(num_deals: int = NUM_DEALS, num_decisions: int = NUM_DECISIONS) -> list[Views]:
    """Return single views, evenly spread over whole deals, each at a table of its own."""
    tables = VectorTables(num_deals, RULES, seed=SEED, auto_reset=False)
    heuristic = make_agent(HEURISTIC_V1)
    heuristic.reset(num_deals, 0)
    found: list[Views] = []
    actions = np.zeros(num_deals, np.int64)
    while (rows := np.flatnonzero(tables.phase != OVER)).size:
        views = tables.views(rows)
        begun = (views.phase >= BURY) & (views.state["selection_ones"] == 0) & (views.action_mask.sum(1) > 1)
        found.extend(some_views(views, np.array([row])) for row in np.flatnonzero(begun))
        actions[rows] = heuristic.act(views)
        tables.step(actions)
    places = np.linspace(0, len(found) - 1, min(num_decisions, len(found))).astype(np.int64)
    return [found[place] for place in places]


def decision_ms(agent: Agent, asked: Sequence[Views], seconds: float) -> float:
    """Return the CPU-milliseconds of a decision, the mean over all, the median of rounds of `seconds` in all."""
    agent.reset(1 + max(int(views.table[0]) for views in asked), 0)
    for views in asked[:: max(1, len(asked) // 12)]:  # compiles, and loads what is loaded at first use
        agent.act(views)
    rounds: list[float] = []
    while sum(rounds) < seconds or not rounds:
        before = time.process_time()
        for views in asked:
            agent.act(views)
        rounds.append(time.process_time() - before)
    return 1e3 * float(np.median(rounds)) / len(asked)


def measured_policies(named: Sequence[str], seconds: float) -> dict[str, float]:
    """Return CPU-milliseconds a decision by agent: the heuristic, a search, the policies, and searches by them.

    named: policies by folder or shipped name, or any agents; all shipped policies of the rules if there are none.

    Raises:
        UserError: for an agent that there is not, or that cannot be used.
    """
    policies = list(dict.fromkeys(named)) or [name for name in shipped_policies() if name.startswith(RULES)]
    names = [HEURISTIC_V1, REFERENCE]
    for name in policies:
        names.append(name)
        if _proposes(name):
            names += [f"search:{worlds}@{name}" for worlds in (FEW_WORLDS, MANY_WORLDS)]
    try:
        agents = {name: make_agent(name) for name in dict.fromkeys(names)}
    except (ValueError, ImportError) as error:
        raise UserError(str(error)) from None
    asked = decisions()
    found = {}
    for name, agent in agents.items():
        print(f"measuring {name}", file=sys.stderr, flush=True)
        found[name] = round(decision_ms(agent, asked, seconds), 4)
    return found


def _proposes(name: str) -> bool:
    """Return whether a policy can propose plays to a search."""
    if policy_folder(name) is None:
        return False
    try:
        make_agent(f"search:1@{name}")
    except ValueError:
        return False
    return True


def worlds_as_long(figures: dict[str, float], policy: str) -> int | None:
    """Return how many worlds a search by a policy has in the time of `search:100`; None if it was not measured.

    >>> worlds_as_long({"search:100": 9.0, "search:8@mine": 1.0, "search:32@mine": 4.0}, "mine")
    72
    """
    few, many = (figures.get(f"search:{worlds}@{policy}") for worlds in (FEW_WORLDS, MANY_WORLDS))
    if few is None or many is None or many <= few:
        return None
    a_world = (many - few) / (MANY_WORLDS - FEW_WORLDS)
    return max(0, FEW_WORLDS + int((figures[REFERENCE] - few) / a_world))


def policies_grid(figures: dict[str, float]) -> Grid:
    """Return the table of agents by what a decision costs them."""
    grid = Grid({"agent": False, "CPU-ms a decision": True, f"{REFERENCE} is a multiple": True})
    for name, figure in figures.items():
        told = f"{figure:.3f}" if figure < 1 else short(figure)
        grid.rows.append((name, told, short(figures[REFERENCE] / figure)))
    for name in figures:
        worlds = worlds_as_long(figures, name)
        if worlds is not None:
            grid.rows.append((f"search:N@{name}: as long as {REFERENCE} at N =", str(worlds), ""))
    return grid
