"""The layers of the game: the core, whole deals, playouts, and one table behind the PettingZoo interface."""

from collections.abc import Callable
from typing import Any

import numpy as np

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.vector import MatchStarts, VectorTables
from baofen.training.speed import random_loops
from baofen.training.speed.measure import AbsentError, median_rate, random_matches

BATCH = 1024
RULES = "suzhou"
STEPS_TO_SPREAD = 300
"""Decisions after which the tables of a batch are at all places of a deal."""


def core(seconds: float) -> float:
    """Return decisions with masks written, per CPU-second."""
    return median_rate(decisions(batch()), 64, seconds)


def core_observed(seconds: float) -> float:
    """Return decisions with masks and observations written, per CPU-second."""
    return median_rate(decisions(batch(observed=True)), 64, seconds)


def deals(seconds: float) -> float:
    """Return deals of random actions with masks written, dealing included, per CPU-second."""
    play = batch()
    play(STEPS_TO_SPREAD)
    return median_rate(play, 256, seconds)


def decisions(play: Callable[[int], int], num_tables: int = BATCH) -> Callable[[int], float]:
    """Count the decisions of a batch instead of the deals."""

    def work(steps: int) -> float:
        play(steps)
        return steps * num_tables

    return work


def batch(num_tables: int = BATCH, rules: str = RULES, observed: bool = False) -> Callable[[int], int]:
    """Return what takes a number of random decisions at each table of a batch and returns the deals finished."""
    made = VectorTables(num_tables, rules)
    tables, record, starts = made.tables, made.rules.record, MatchStarts().record()
    draws = np.zeros(1, np.uint64)
    mask = np.zeros((num_tables, NUM_ACTIONS), np.uint8)
    if not observed:
        return lambda steps: random_loops.play_with_masks(tables, record, starts, draws, steps, mask)
    observation = np.zeros((num_tables, OBSERVATION_SIZE), np.uint8)
    return lambda steps: random_loops.play_with_observations(tables, record, starts, draws, steps, mask, observation)


def from_python(num_tables: int) -> Callable[[int], float]:
    """Return what steps `VectorTables` a number of times from Python, with masks and observations written."""
    made = VectorTables(num_tables, RULES)
    mask, observation = made.mask(), made.observe()
    actions, draws = np.zeros(num_tables, np.int64), np.zeros(1, np.uint64)

    def work(steps: int) -> float:
        for _ in range(steps):
            made.observe(observation)
            random_loops.choose_by_mask(made.mask(mask), draws, actions)
            made.step(actions)
        return steps * num_tables

    return work


def playouts(seconds: float) -> float:
    """Return deals played by the heuristic at all seats per CPU-second, from the deal on; passed-out ones do not count."""
    from baofen.agents.heuristic_v1.weights import heuristic_weights
    from baofen.training.speed.playing_out import play_out

    weights = heuristic_weights()
    table = VectorTables(1, RULES)
    starts = MatchStarts().record()

    def work(rounds: int) -> float:
        played: int = play_out(table.tables, table.rules.record, starts, weights, rounds)
        return played

    return median_rate(work, 64, seconds)


def aec_raw(seconds: float) -> float:
    """Return decisions at one table of the AEC environment without wrappers, per CPU-second."""
    return _aec(_pettingzoo().raw_env(rules=RULES), seconds)


def aec(seconds: float) -> float:
    """Return decisions at one table of the AEC environment with its two wrappers, per CPU-second."""
    return _aec(_pettingzoo().env(rules=RULES), seconds)


def _pettingzoo() -> Any:
    try:
        from baofen.envs import baofen_v0
    except ModuleNotFoundError as error:
        raise AbsentError(f"{error.name} is not installed") from None
    return baofen_v0


def _aec(env: Any, seconds: float) -> float:
    play = random_matches(env)
    return median_rate(lambda matches: play(matches)[0], 4, seconds)


def bytes_per_table() -> float:
    """Return the memory of a batch for each table: the game, what `step` writes, a mask and an observation."""
    made = VectorTables(BATCH, RULES)
    arrays = [array for array in vars(made).values() if isinstance(array, np.ndarray) and len(array) == BATCH]
    return sum(array.nbytes for array in arrays) / BATCH + NUM_ACTIONS + OBSERVATION_SIZE
