"""The core's counts of legal sequences are those on file (`counting.py` makes them, with the twin)."""

from __future__ import annotations

import json

import pytest
from counting import FOLDER, count_core, set_up

from baofen.envs import PRESETS


@pytest.mark.parametrize("rules", PRESETS)
def test_counts(rules: str) -> None:
    positions = json.loads((FOLDER / f"{rules}.json").read_text(encoding="utf-8"))
    assert len(positions) >= 20
    for number, position in enumerate(positions):
        pair = set_up(position)
        for depth, count in enumerate(position["counts"], start=1):
            found = count_core(pair.table.tables, pair.rules, depth, position["whole_plays"])
            assert found == count, f"position {number}, depth {depth}"
