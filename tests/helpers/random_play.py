"""Random rules and random games, for tests of what stands around the game core."""

from __future__ import annotations

import numpy as np

from baofen.envs.actions import CALL, PASS, TRUMP
from baofen.envs.rules import PRESETS, SWITCHES, OptionValue, Rules
from baofen.envs.table import Table

PASS_SHARE = 0.6


def random_options(rng: np.random.Generator, preset: str) -> dict[str, OptionValue]:
    """Some switches of a preset set to words drawn at random; numbers are left alone."""
    return {
        name: str(rng.choice(list(switch.words)))
        for name, switch in SWITCHES.items()
        if name in PRESETS[preset].switches and switch.words and rng.random() < 0.3
    }


def random_action(rng: np.random.Generator, legal: list[int]) -> int:
    """A legal action; in the auction rather a pass than a call, so that games differ."""
    if PASS in legal and any(CALL <= action < TRUMP for action in legal) and rng.random() < PASS_SHARE:
        return PASS
    return int(rng.choice(legal))


def play_on(table: Table, rng: np.random.Generator, *, steps: int = 10**6, forfeits: bool = False) -> None:
    """Play a table at random, to the end of the match or some steps on."""
    for _ in range(steps):
        if table.is_over:
            return
        if forfeits and rng.random() < 0.003:
            table.forfeit(int(rng.integers(4)), str(rng.choice(["points", "silver"])))
        else:
            table.apply(random_action(rng, table.legal_actions()))


def random_rules(rng: np.random.Generator, preset: str) -> Rules:
    """A preset with some of its switches changed."""
    return Rules(preset, random_options(rng, preset))
