"""Compiled loops of the arena: who is asked, and which tables go on; steps are `core.loops`."""

from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import forfeit


@kernel
def asked_agents(tables, rows, seating, agent):
    """Write which agent is to act at each table of `rows` [n]: `seating`, int8 [B, 4], says who sits where."""
    for index in range(rows.shape[0]):
        row = rows[index]
        agent[index] = seating[row, tables[row].acting]


@kernel
def forfeit_row(tables, rules, row, seat, room):
    """End the deal of one table because a seat leaves."""
    forfeit(tables[row], rules[0], seat, room)


@kernel
def count_unfinished(tables, rows, phase_before):
    """Move the rows [n] whose tables are not yet in a phase from `phase_before` on to the front; return how many."""
    kept = 0
    for index in range(rows.shape[0]):
        row = rows[index]
        if tables[row].phase < phase_before:
            rows[kept] = row
            kept += 1
    return kept
