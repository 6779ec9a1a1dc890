"""The core and the naive twin, written from the rules by different hands, play the same deals alike.

After every action are compared: phase, acting seat, mask, hands, best play, winner, captured points, rewards,
totals, and at the end the result with pot and next first caller. Deals are stacked so that rare things happen, and
the rare things are counted.
"""

from __future__ import annotations

from random import Random

import pytest
from rare_events import EXPECTED, EXPECTED_SOON, Witness
from side_by_side import play_out, random_pair
from stacked import STYLES

from baofen.envs import PRESETS

STYLES_IN_TURN = [*STYLES, "feud", "feud"]
GAMES_SOON = 176
GAMES = 3000


def walk(rules: str, seeds: range) -> Witness:
    """Play one game for each seed, styles in turn."""
    witness = Witness()
    for seed in seeds:
        rng = Random(seed)
        pair = random_pair(rng, rules, STYLES_IN_TURN[seed % len(STYLES_IN_TURN)])
        try:
            play_out(rng, pair, witness)
        except Exception as error:
            error.add_note(f"seed {seed}, options {dict(pair.rules.options)}, phase {pair.twin.phase}")
            raise
    return witness


@pytest.mark.parametrize("rules", PRESETS)
def test_games_agree(rules: str) -> None:
    witness = walk(rules, range(GAMES_SOON))
    assert not EXPECTED_SOON[rules] - set(witness.counts)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("rules", PRESETS)
def test_thousands_of_games_agree(rules: str, part: int) -> None:
    witness = walk(rules, range(1000 + part * GAMES // 3, 1000 + (part + 1) * GAMES // 3))
    print(sorted(witness.counts.items()))
    assert not EXPECTED[rules] - set(witness.counts)
