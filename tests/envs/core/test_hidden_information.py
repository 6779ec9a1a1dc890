"""What a seat sees is the same in all worlds that it cannot tell apart: observation, mask and redacted table.

Worlds are made by `other_worlds`, in every phase, in the middle of a selection, after failed throws.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from other_worlds import other_worlds
from side_by_side import random_pair
from stacked import Player

from baofen.envs import Table
from baofen.envs.core.known import redact_tables
from baofen.envs.views import make_views

GAMES = 20


def redacted(table: Table, seat: int) -> NDArray[np.void]:
    """The table as a seat may have it."""
    state = table.tables.copy()
    redact_tables(state, np.array([seat], np.int8))
    return state


def differences(one: NDArray[np.void], other: NDArray[np.void]) -> list[str]:
    """The names of the fields that differ."""
    assert one.dtype.names is not None
    return [name for name in one.dtype.names if not np.array_equal(one[name], other[name])]


def check(table: Table, world: Table, seat: int) -> None:
    """A seat must not be able to tell the two tables apart."""
    assert table.observe(seat).tobytes() == world.observe(seat).tobytes()
    assert not differences(redacted(table, seat), redacted(world, seat))
    assert table.history_tokens(seat).tobytes() == world.history_tokens(seat).tobytes()
    if table.acting_seat == seat:
        assert table.mask().tobytes() == world.mask().tobytes()
        ours, theirs = make_views(table.rules, table.tables), make_views(world.rules, world.tables)
        assert ours.observation.tobytes() == theirs.observation.tobytes()
        assert ours.action_mask.tobytes() == theirs.action_mask.tobytes()
        assert not differences(ours.state, theirs.state)
        assert ours.history(0) == theirs.history(0)


@pytest.mark.parametrize("rules", ["suzhou", "exposure", "hongwu"])
def test_worlds_look_alike(rules: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        rng = Random(seed)
        pair = random_pair(rng, rules)
        player = Player(rng, pair.twin, pair.deal)
        while pair.twin.phase != "over":
            table = pair.table
            if rng.random() < 0.08:
                seat = table.acting_seat
                if pair.twin.phase != "expose" and rng.random() < 0.3:
                    seat = rng.randrange(4)
                for world in other_worlds(rng, table, seat):
                    check(table, world, seat)
                    seen[pair.twin.phase] += 1
                    seen["declarer"] += seat == table.declarer
                    seen["in a selection"] += bool(pair.twin.selection)
                    seen["not acting"] += seat != table.acting_seat
                    seen["after a failed throw"] += bool(pair.twin.attempts)
                    seen["leading"] += bool(pair.twin.tricks) and not pair.twin.trick
            pair.act(player.choose(pair.twin))
    assert min(seen[name] for name in ("auction", "bury", "play", "declarer", "in a selection", "not acting")) >= 10
    assert min(seen[name] for name in ("after a failed throw", "leading")) >= 10
    assert rules != "exposure" or seen["expose"] >= 10


def test_nothing_is_left_of_the_deal_before() -> None:
    table = Table("exposure", seed=3, deals_per_match=2)
    rng = Random(3)
    while not table.tables["deal_index"][0]:
        table.apply(rng.choice(table.legal_actions()))
    state = redacted(table, table.acting_seat)
    assert not state["actions"].any()
    assert not state["action_marks"].any()
