"""How complete the list of plays is: `python -m baofen.agents.plays.completeness PRESET`.

At decisions with at most 500 legal plays, in deals of `heuristic-v1`, every legal play is played out in worlds that the
seat may be in. Where the best of all is better there than the best that is listed, both are played out in as many fresh
worlds: the best of many is lucky in the worlds that chose it.
"""

import argparse
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.plays.exhaustive import MOST_PLAYS, PARTS, compare_lists
from baofen.agents.plays.listing import MAX_PLAYS, PLAYS
from baofen.agents.search.candidates import CANDIDATES
from baofen.agents.search.worlds import WORLDS
from baofen.envs.core.dtypes import TABLE
from baofen.envs.core.loops import deal_by_number
from baofen.envs.core.rng import seed_word
from baofen.envs.rules import PRESETS, Rules
from baofen.envs.vector import MatchStarts

KINDS = ("lead", "follow of one card", "follow of several")
SHARE = 0.05
"""Decisions of a deal that are looked at: more would be decisions of the same few deals."""
DEALS_AT_ONCE = 32


@dataclass(frozen=True, eq=False)
class Completeness:
    """What was found at n decisions.

    kinds: int8 [n], of `KINDS`.
    chosen_gains: float32 [n], points by which the best of all plays is better than the best listed, on average over the
        worlds that chose both; 0 where the list has it.
    fresh_gains: the same in fresh worlds, where it may be below 0.
    num_left_out: decisions with more than 500 legal plays; legal, listed: plays of all n decisions.
    """

    kinds: NDArray[np.int8]
    chosen_gains: NDArray[np.float32]
    fresh_gains: NDArray[np.float32]
    num_left_out: int
    legal: int
    listed: int


def measure_completeness(rules: Rules, num_decisions: int, *, num_worlds: int = 16, seed: int = 0) -> Completeness:
    """Return what the lists of `num_decisions` decisions lack; the same seed gives the same."""
    room: Any = (
        np.zeros(1, PLAYS),
        np.zeros(1, CANDIDATES),
        np.zeros(1, WORLDS),
        np.zeros(2, TABLE),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(MAX_PLAYS + MOST_PLAYS, np.float64),
    )
    kinds: Any = np.zeros(num_decisions, np.int8)
    gains: Any = np.zeros((num_decisions, 2), np.float32)
    counts = np.zeros(3, np.int64)
    done = first = 0
    while done < num_decisions:
        tables = np.zeros(DEALS_AT_ONCE, TABLE)
        deal_by_number(tables, rules.record, MatchStarts().record(), seed_word(seed), first)
        done += compare_lists(
            tables, first, seed_word(seed), rules.record, heuristic_weights(), int(SHARE * PARTS), num_worlds, room,
            kinds[done:], gains[done:], counts,
        )  # fmt: skip
        first += DEALS_AT_ONCE
    return Completeness(kinds, gains[:, 0], gains[:, 1], *counts.tolist())


def report(found: Completeness) -> str:
    """Return a table of what was found; intervals are 95 %, over decisions."""
    lines = [f"{'decisions':20}{'number':>8}{'lacks the best':>16}{'costs, in fresh worlds':>26}"]
    every = np.ones(len(found.kinds), np.bool_)
    for name, rows in [*((name, found.kinds == kind) for kind, name in enumerate(KINDS)), ("all", every)]:
        number = int(rows.sum())
        if number < 2:
            lines.append(f"{name:20}{number:>8}")
            continue
        lacks = (found.chosen_gains[rows] > 0).mean()
        gains = found.fresh_gains[rows].astype(np.float64)
        cost = f"{gains.mean():+.3f} +- {1.96 * gains.std(ddof=1) / np.sqrt(number):.3f} points"
        lines.append(f"{name:20}{number:>8}{100 * lacks:>14.1f} %{cost:>26}")
    number = len(found.kinds)
    lines.append(
        f"{found.legal / number:.1f} legal plays a decision, {found.listed / number:.1f} listed; "
        f"{found.num_left_out} decisions more have over {MOST_PLAYS} legal plays"
    )
    return "\n".join(lines)


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description="How complete the list of plays is, against all legal plays.")
    parser.add_argument("preset", choices=PRESETS)
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    if told.decisions < 1 or told.worlds < 1 or told.seed < 0:
        given = f"{told.decisions}, {told.worlds} and {told.seed}"
        parser.error(f"--decisions and --worlds must be at least 1 and --seed at least 0, not {given}")
    sys.stdout.write(
        report(measure_completeness(Rules(told.preset), told.decisions, num_worlds=told.worlds, seed=told.seed)) + "\n"
    )


if __name__ == "__main__":
    main()
