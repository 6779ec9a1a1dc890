"""Playing many deals in lockstep: each step asks each agent once, for all tables where it is to act."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.envs.core.dtypes import FORFEIT_POINTS, NUM_PHASES, OVER, Phase
from baofen.envs.rules import Rules
from baofen.training.arena import stepping as kernels
from baofen.training.arena.asking import ask, begin

OUTCOME = np.dtype(
    [
        ("declarer", np.int8),  # -1: passed out
        ("target", np.int16),
        ("trump", np.int8),
        ("captured", np.int16),
        ("score", np.int32),
        ("made", np.int8),  # 1: the declarer reached the target
        ("forfeit", np.int8),  # the seat that left because its agent failed, or -1
        ("rewards", np.int32, 4),  # changes of the totals over the deal
    ],
    align=True,
)
"""dtype of how one deal came out."""


@dataclass
class Fault:
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
) -> list[Fault]:
    """Play the deals of `tables`, TABLE [n], to the end in place; return what went wrong with agents.

    seating: int8 [n, 4], the index in `agents` of who sits at each seat.
    seed: all that agents draw.
    until: stop each table when it comes to this phase.

    An agent that raises, acts illegally or (as a guest) is late forfeits the deal by the rules, and the others go on.
    """
    rows = np.arange(len(tables))
    faults: list[Fault] = []
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


def _step(rules: Rules, tables: NDArray[np.void], rows: NDArray[np.int64], agent: Agent) -> list[Fault]:
    """Have one agent act at the tables `rows`, where it is to act."""
    answers = ask(agent, rules, tables, rows)
    faults = []
    for index, message in sorted(answers.faults.items()):
        row = int(rows[index])
        seat = int(tables["acting"][row])
        phase = Phase(int(tables["phase"][row])).name
        faults.append(Fault(row, seat, agent.name, phase, message, forfeited=not answers.legal[index]))
        if not answers.legal[index]:
            kernels.forfeit_row(tables, rules.record, row, seat, FORFEIT_POINTS)
    legal = answers.legal
    kernels.step_rows(tables, rules.record, rows if legal.all() else rows[legal], answers.actions[legal])
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
    """Return how finished tables came out, OUTCOME [n]."""
    assert (tables["phase"] == OVER).all() and OVER == NUM_PHASES - 1
    outcomes = np.zeros(len(tables), OUTCOME)
    kernels.write_outcomes(tables, outcomes)
    return outcomes
