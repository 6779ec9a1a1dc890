"""Playing many deals in lockstep: each step asks each agent once, for all tables where it is to act.

Agents are not trusted: what crashes or is illegal becomes a fault of one decision.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.agents.base import needs_observation
from baofen.envs.actions import PASS
from baofen.envs.core.dtypes import AUCTION, FORFEIT_POINTS, NUM_PHASES, OVER, RESULT, Phase
from baofen.envs.core.loops import copy_results, find_legal, step_rows
from baofen.envs.explain import explain
from baofen.envs.render.printable import printable
from baofen.envs.rules import Rules
from baofen.envs.views import Views, make_views
from baofen.training.arena import stepping as kernels
from baofen.training.arena.guests import MAX_ERROR_CHARACTERS, GuestError, Late, Lost


@dataclass
class AgentFault:
    """An agent failed. `table` is the table's index, in results the deal's number.

    forfeited: the deal, by its seat; otherwise the agent was late and that counted as a pass.
    """

    table: int
    seat: int
    agent: str
    phase: str
    message: str
    forfeited: bool = True


def play_deals(
    rules: Rules,
    tables: NDArray[np.void],
    seating: NDArray[np.int8],
    agents: Sequence[Agent],
    seed: int,
    *,
    until: Phase = Phase.OVER,
) -> list[AgentFault]:
    """Play the deals of `tables`, TABLE [n], to the end in place; return what went wrong with agents.

    seating: int8 [n, 4], the index in `agents` of who sits at each seat.
    seed: all that agents draw.
    until: stop each table when it comes to this phase.

    An agent that raises, acts illegally or (as a guest) is late forfeits the deal by the rules, and the others go on.
    """
    rows = np.arange(len(tables))
    faults: list[AgentFault] = []
    agents = [begin(agent, len(tables), seed) for agent in agents]
    asked = np.empty(len(tables), np.int8)
    rows = rows[: kernels.count_unfinished(tables, rows, int(until))]
    while len(rows):
        kernels.asked_agents(tables, rows, seating, asked)
        for index, agent in enumerate(agents):
            own = rows[asked[: len(rows)] == index]
            if len(own):
                faults += _step(rules, tables, own, agent)
        rows = rows[: kernels.count_unfinished(tables, rows, int(until))]
    return faults


def _step(rules: Rules, tables: NDArray[np.void], rows: NDArray[np.int64], agent: Agent) -> list[AgentFault]:
    """Have one agent act at the tables `rows`, where it is to act."""
    answers = ask(agent, rules, tables, rows)
    faults = []
    for index, message in sorted(answers.faults.items()):
        row = int(rows[index])
        seat = int(tables["acting"][row])
        phase = Phase(int(tables["phase"][row])).name
        faults.append(AgentFault(row, seat, agent.name, phase, message, forfeited=not answers.legal[index]))
        if not answers.legal[index]:
            kernels.forfeit_row(tables, rules.record, row, seat, FORFEIT_POINTS)
    legal = answers.legal
    step_rows(tables, rules.record, rows if legal.all() else rows[legal], answers.actions[legal])
    return faults


def fix_contracts(rules: Rules, tables: NDArray[np.void], reference: Agent, seed: int) -> None:
    """Have a reference agent play the auction and name trump at all seats, in place: the next is to bury.

    Raises:
        RuntimeError: if the reference fails; no figure would be worth anything then.
    """
    seating = np.zeros((len(tables), 4), np.int8)
    faults = play_deals(rules, tables, seating, [reference], seed, until=Phase.BURY)
    if faults:
        raise RuntimeError(f"the reference {reference.name} failed in the auction: {faults[0].message}")


def outcomes_of(tables: NDArray[np.void]) -> NDArray[np.void]:
    """Return how finished tables came out, RESULT [n]."""
    assert (tables["phase"] == OVER).all() and OVER == NUM_PHASES - 1
    outcomes = np.zeros(len(tables), RESULT)
    copy_results(tables, outcomes)
    return outcomes


@dataclass(frozen=True)
class Answers:
    """What an agent did with n decisions.

    actions: int64 [n]; legal: bool [n], whether the action may be taken; faults: row -> what was wrong. A fault of which
    the action is legal all the same is a late call that counts as a pass.
    """

    actions: NDArray[np.int64]
    legal: NDArray[np.bool_]
    faults: dict[int, str]


class WrongNumberError(ValueError):
    """An agent returned more or fewer actions than it was asked for."""


class BrokenAgent:
    """Stands in for an agent that could not begin: it fails at its first decision."""

    def __init__(self, agent: Agent, error: Exception) -> None:
        self.name, self.cheats, self.error = agent.name, agent.cheats, error

    def reset(self, num_tables: int, seed: int) -> None:
        """Do nothing."""

    def act(self, views: object) -> NDArray[np.int64]:
        """Raise what went wrong at the beginning."""
        raise self.error


def begin(agent: Agent, num_tables: int, seed: int) -> Agent:
    """Reset an agent and return it; one that fails already here loses all that it should play."""
    try:
        agent.reset(num_tables, seed)
    except Warning:  # made an error by the user's filter: no fault of the agent's
        raise
    except Exception as error:  # noqa: BLE001, whatever an agent does is its own loss
        return BrokenAgent(agent, error)
    return agent


def ask(agent: Agent, rules: Rules, tables: NDArray[np.void], rows: NDArray[np.int64]) -> Answers:
    """Ask an agent for an action at the tables `rows` [n], where it is to act."""
    actions = np.full(len(rows), -1, np.int64)
    faults: dict[int, str] = {}
    observed = needs_observation(agent)

    def see(some: NDArray[np.int64]) -> Views:
        return make_views(rules, tables, rows[some], cheating=agent.cheats, observe=observed)

    late: list[int] = []
    _collect(agent, see, np.arange(len(rows)), actions, faults, late)
    if rules.system.late_call_passes:
        actions[[row for row in late if tables["phase"][rows[row]] == AUCTION]] = PASS
    legal = np.empty(len(rows), np.bool_)
    find_legal(tables, rules.record, rows, actions, legal)
    for row in np.flatnonzero(~legal).tolist():
        if row not in faults:
            fault = explain(tables[rows[row] : rows[row] + 1], rules, int(actions[row]))
            faults[row] = f"illegal: {fault.message if fault else actions[row]}"
    return Answers(actions, legal, faults)


def _collect(
    agent: Agent,
    see: Callable[[NDArray[np.int64]], Any],
    some: NDArray[np.int64],
    actions: NDArray[np.int64],
    faults: dict[int, str],
    late: list[int],
) -> None:
    """Write the actions of some decisions; where a call fails, ask again for each half until the culprit is alone.

    A guest whose process is lost is not asked again, nor is an agent that does not answer each decision, which might
    do well one by one and yet breaks the contract: all of these decisions fail.
    """
    try:
        given = np.asarray(agent.act(see(some)))
        if given.shape != (len(some),) or given.dtype.kind not in "iu":
            wrong = WrongNumberError if given.ndim == 1 and len(given) != len(some) else ValueError
            raise wrong(f"act returned {given.dtype} {list(given.shape)} for {len(some)} decisions")
        actions[some] = given
    except Warning:  # made an error by the user's filter: no fault of the agent's
        raise
    except Exception as error:  # noqa: BLE001
        message = printable(
            error if isinstance(error, GuestError) else f"{type(error).__name__}: {error}", MAX_ERROR_CHARACTERS
        )
        if len(some) == 1 or isinstance(error, Lost | WrongNumberError):
            faults.update(dict.fromkeys(some.tolist(), message))
            late += some.tolist() if isinstance(error, Late) else []
            return
        middle = len(some) // 2
        for half in (some[:middle], some[middle:]):
            _collect(agent, see, half, actions, faults, late)
