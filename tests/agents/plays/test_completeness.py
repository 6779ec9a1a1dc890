"""All legal plays of a decision are what the table says of every set of cards."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from baofen.agents.plays.exhaustive import TOO_MANY, all_plays
from baofen.envs import PRESETS, Table
from baofen.envs.cards import format_cards
from baofen.envs.core.dtypes import Phase
from baofen.envs.explain import hand_faces, set_faces


@pytest.mark.parametrize("rules", PRESETS)
def test_all_plays_are_those_that_the_table_takes(rules: str) -> None:
    rng = Random(1)
    compared = 0
    for seed in range(6):
        table = Table(rules, seed=seed)
        while not table.is_over:
            row = table.tables[0]
            hand = hand_faces(table.tables, table.rules, table.acting_seat)
            picked = bool(row["selection_ones"])
            if table.phase == Phase.PLAY and not picked and len(hand) <= 8 and rng.random() < 0.3:
                sizes = range(1, len(hand) + 1) if row["num_plays"] == 0 else [int(row["lead_cards"])]
                sets = {tuple(sorted(some)) for size in sizes for some in combinations(hand, size)}
                legal = {some for some in sets if table.is_legal_play(format_cards(some))}
                ones, twos = np.zeros(500, np.int64), np.zeros(500, np.int64)
                count = all_plays(row, table.rules.record[0], ones, twos)
                assert count != TOO_MANY
                layout = int(row["layout"])
                found = [
                    tuple(sorted(set_faces(table.rules, layout, int(one), int(two))))
                    for one, two in zip(ones[:count], twos[:count], strict=True)
                ]
                assert len(found) == len(set(found))
                assert set(found) == legal
                compared += len(legal) > 1
            table.apply(rng.choice(table.legal_actions()))
    assert compared >= 10
