"""How cost grows with the number of tables, with the rules, and with a second core: `baofen speed --growth`."""

import multiprocessing
import statistics
import sys
import time
import traceback
from collections.abc import Mapping
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from baofen.envs.rules import PRESETS
from baofen.training.errors import UserError
from baofen.training.speed.game import BATCH, RULES, STEPS_TO_SPREAD, batch, decisions, from_python
from baofen.training.speed.grid import Grid, short
from baofen.training.speed.measure import median_rate

TABLES = (1, 16, 256, 4096, 16384)
DECISIONS_A_CALL = 65_536
"""At least about so many in one call, so that calling costs nothing."""
ROUNDS = 3
LONGEST_WAIT_S = 600
"""The longest that two processes are waited for: to compile, and to play."""


def measured_growth(seconds: float) -> dict[str, dict[str, float]]:
    """Return decisions with masks and observations per CPU-second by number of tables, in compiled code and stepped
    from Python, by rules, and by number of processes at once; and of these also all together per second of wall time.
    """
    found = {
        "tables": {str(tables): _rate(tables, RULES, seconds) for tables in TABLES},
        "tables_from_python": {str(tables): _rate_from_python(tables, seconds) for tables in TABLES},
        "rules": {rules: _rate(BATCH, rules, seconds) for rules in PRESETS},
    }
    found["processes_cpu"], found["processes_wall"] = _by_processes(seconds)
    return found


def _rate(tables: int, rules: str, seconds: float) -> float:
    print(f"measuring {tables} table{'s' * (tables > 1)} of {rules}", file=sys.stderr, flush=True)
    play = batch(tables, rules, observed=True)
    play(STEPS_TO_SPREAD)
    return round(median_rate(decisions(play, tables), max(1, DECISIONS_A_CALL // tables), seconds), 1)


def _rate_from_python(tables: int, seconds: float) -> float:
    print(f"measuring {tables} table{'s' * (tables > 1)} stepped from Python", file=sys.stderr, flush=True)
    work = from_python(tables)
    work(STEPS_TO_SPREAD)
    return round(median_rate(work, 1, seconds), 1)


def _by_processes(seconds: float) -> tuple[dict[str, float], dict[str, float]]:
    """Return decisions per CPU-second, and per second of wall time, of one process and of two at once.

    Medians of some rounds; what else the machine does shows in the second.
    """
    rates: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for turn in range(ROUNDS):
        for count in (1, 2) if turn % 2 else (2, 1):
            print(f"measuring {count} process{'es' * (count > 1)} at once", file=sys.stderr, flush=True)
            rates[count].append(at_once(count, 4 * seconds))
    by_cpu, by_wall = (
        {str(count): round(statistics.median(pair[which] for pair in found), 1) for count, found in rates.items()}
        for which in (0, 1)
    )
    return by_cpu, by_wall


def at_once(count: int, seconds: float) -> tuple[float, float]:
    """Return decisions of processes that begin together: per CPU-second of one, per second of wall time of all.

    Raises:
        UserError: as soon as one of them fails; the others, which would wait for it, are ended.
    """
    context = multiprocessing.get_context("spawn")
    begin = context.Barrier(count)
    processes: dict[Connection, SpawnProcess] = {}
    found: list[tuple[float, float]] = []
    try:
        for _ in range(count):
            receiving, sending = context.Pipe(duplex=False)
            processes[receiving] = process = context.Process(target=_play_for, args=(seconds, begin, sending))
            process.start()
            sending.close()  # only the process holds it now, so that we hear of its death
        waiting = dict(processes)
        while waiting:
            ready = wait(waiting, LONGEST_WAIT_S)
            if not ready:
                raise UserError(f"a process that plays said nothing for {LONGEST_WAIT_S} s")
            found += [_told(pipe, waiting.pop(pipe)) for pipe in list(waiting) if pipe in ready]
    finally:
        for process in processes.values():
            if len(found) < count and process.pid is not None:
                process.kill()
        for pipe, process in processes.items():
            if process.pid is not None:
                process.join()
            pipe.close()
    return statistics.mean(by_cpu for by_cpu, _ in found), sum(by_wall for _, by_wall in found)


def _told(pipe: Connection, process: SpawnProcess) -> tuple[float, float]:
    """Return the two rates that a process tells.

    Raises:
        UserError: if it tells a reason why there are none, or has died.
    """
    try:
        told = pipe.recv()
    except EOFError:
        process.join()
        told = f"it ended with code {process.exitcode}"
    if isinstance(told, str):
        raise UserError(f"a process that plays failed: {told}")
    by_cpu, by_wall = told
    return by_cpu, by_wall


def _play_for(seconds: float, begin: Any, tell: Connection) -> None:
    """In a process of its own: wait for the others, play for a time, and tell the two rates, or why it failed."""
    try:
        play = batch(observed=True)
        play(STEPS_TO_SPREAD)
        begin.wait(LONGEST_WAIT_S)
        done, cpu, wall = 0, time.process_time(), time.perf_counter()
        steps = DECISIONS_A_CALL // BATCH
        while time.perf_counter() - wall < seconds:
            play(steps)
            done += steps * BATCH
        tell.send((done / (time.process_time() - cpu), done / (time.perf_counter() - wall)))
    except Exception as error:
        traceback.print_exc()  # before it is told: whoever hears it ends this process
        tell.send(f"{type(error).__name__}: {error}")
        raise SystemExit(1) from error


HEADINGS = {
    "tables": ("tables", "per CPU-s"),
    "tables_from_python": ("tables, VectorTables from Python", "per CPU-s"),
    "rules": ("rules", "per CPU-s"),
    "processes_cpu": ("processes at once", "per CPU-s of each"),
    "processes_wall": ("processes at once", "per s, all together"),
}


def growth_grid(kind: str, rates: Mapping[str, float]) -> Grid:
    """Return the table of one kind of growth."""
    heading, unit = HEADINGS[kind]
    grid = Grid({heading: False, f"decisions {unit}": True, "times the first": True})
    first = next(iter(rates.values()))
    grid.rows += [(name, short(rate), f"{rate / first:.2f}") for name, rate in rates.items()]
    return grid
