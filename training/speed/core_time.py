"""What a decision of the core costs, by part and by kind of decision: `baofen speed --core-time`."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.core.dtypes import AUCTION, BURY, PLAY
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.vector import MatchStarts, VectorTables
from baofen.training.speed import random_loops
from baofen.training.speed.game import BATCH, RULES
from baofen.training.speed.grid import Grid
from baofen.training.speed.measure import median_rate

FIRST = 64
STEPS_TO_SPREAD = 3000
"""Some deals: shares of kinds of decisions are counted at one moment, when no two tables should be in step."""


def measured_core_time(seconds: float) -> dict[str, dict[str, float]]:
    """Return nanoseconds of CPU time: `parts` of a mean decision, and acting by kind (`kinds`, with `shares` of each).

    Parts are measured by themselves on tables that are spread over all places of a deal, acting as what remains of
    whole random play. A kind is measured by setting tables back again and again.
    """
    print("measuring what a decision of the core costs", file=sys.stderr, flush=True)
    made = VectorTables(BATCH, RULES)
    tables, rules, starts = made.tables, made.rules.record, MatchStarts().record()
    draws = np.zeros(1, np.uint64)
    mask = np.zeros((BATCH, NUM_ACTIONS), np.uint8)
    observation = np.zeros((BATCH, OBSERVATION_SIZE), np.uint8)
    random_loops.play_with_masks(tables, rules, starts, draws, STEPS_TO_SPREAD, mask)

    def nanoseconds(kernel: Callable[..., Any], *arguments: Any, rows: int = BATCH) -> float:
        def work(rounds: int) -> float:
            kernel(*arguments, rounds)
            return rounds * rows

        return 1e9 / median_rate(work, FIRST, seconds)

    played = [0, 0]

    def play(rounds: int) -> float:
        played[0] += random_loops.play_with_masks(tables, rules, starts, draws, rounds, mask)
        played[1] += rounds * BATCH
        return rounds * BATCH

    whole = 1e9 / median_rate(play, FIRST, seconds)
    a_deal = nanoseconds(random_loops.deal_often, tables.copy(), rules, starts)
    parts = {
        "dealing": a_deal * played[0] / played[1],
        "choosing at random": nanoseconds(random_loops.choose_often, tables, rules, draws),
        "writing the mask": nanoseconds(random_loops.mask_often, tables, rules, mask),
    }
    parts["acting, and finding what is legal next"] = whole - sum(parts.values())
    parts["writing the observation"] = nanoseconds(random_loops.observe_often, tables, rules, observation)
    kinds, shares = {}, {}
    for kind, chosen in _kinds(tables).items():
        kept = tables[chosen].copy()
        shares[kind] = len(kept) / BATCH
        if len(kept):
            given = (kept, kept.copy(), rules, draws)
            beside = nanoseconds(random_loops.copy_often, *given, rows=len(kept))
            kinds[kind] = nanoseconds(random_loops.act_often, *given, rows=len(kept)) - beside
    return {"parts": _rounded(parts), "kinds": _rounded(kinds), "shares": _rounded(shares)}


def _kinds(tables: Any) -> dict[str, Any]:
    """Return kind of decision -> bool [B], where one is due."""
    playing, leads = tables["phase"] == PLAY, tables["num_plays"] == 0
    return {
        "a call or a pass": tables["phase"] == AUCTION,
        "a card to bury": tables["phase"] == BURY,
        "a card to lead, or the end of a lead": playing & leads,
        "a card to follow with": playing & ~leads,
    }


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in values.items()}


def core_time_grids(found: dict[str, dict[str, float]]) -> list[Grid]:
    """Return the tables of parts and of kinds."""
    total = sum(found["parts"].values())
    parts = Grid({"part of a decision": False, "nanoseconds": True, "share": True})
    parts.rows += [(name, f"{spent:.1f}", f"{100 * spent / total:.0f} %") for name, spent in found["parts"].items()]
    parts.rows.append(("all", f"{total:.1f}", "100 %"))
    kinds = Grid({"acting by kind of decision": False, "nanoseconds": True, "share of decisions": True})
    kinds.rows += [
        (name, f"{spent:.1f}", f"{100 * found['shares'][name]:.0f} %") for name, spent in found["kinds"].items()
    ]
    return [parts, kinds]
