"""What a seat sees is the same in all worlds that it cannot tell apart: observation, mask and redacted table.

Worlds are made by `other_worlds`, in every phase, in the middle of a selection, after failed throws.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from other_worlds import other_worlds
from side_by_side import random_pair
from stacked import Player

from baofen.envs import PRESETS, Table
from baofen.envs.actions import action_name
from baofen.envs.core.dtypes import TABLE_FIELDS, Field, Phase, Sees, dtype_of
from baofen.envs.core.known import redact_tables
from baofen.envs.observation import named_views
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
    assert table.seen_by(seat) == world.seen_by(seat)
    assert table.history_tokens(seat).tobytes() == world.history_tokens(seat).tobytes()
    if table.acting_seat == seat:
        assert table.mask().tobytes() == world.mask().tobytes()
        ours, theirs = make_views(table.rules, table.tables), make_views(world.rules, world.tables)
        assert ours.observation.tobytes() == theirs.observation.tobytes()
        assert ours.action_mask.tobytes() == theirs.action_mask.tobytes()
        assert not differences(ours.state, theirs.state)
        assert ours.history(0) == theirs.history(0)


@pytest.mark.parametrize("rules", PRESETS)
def test_worlds_look_alike(rules: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        rng = Random(seed)
        pair = random_pair(rng, rules)
        player = Player(rng, pair.twin, pair.deal)
        while pair.twin.phase != "over":
            table = pair.table
            if rng.random() < (0.5 if pair.twin.phase == "expose" else 0.08):
                seat = table.acting_seat
                if rng.random() < 0.3:
                    seat = rng.randrange(4)
                for world in other_worlds(rng, table, seat):
                    check(table, world, seat)
                    seen[pair.twin.phase] += 1
                    seen["declarer"] += seat == table.declarer
                    seen["in a selection"] += bool(pair.twin.selection)
                    seen["not acting"] += seat != table.acting_seat
                    seen["another is asked"] += pair.twin.phase == "expose" and seat != table.acting_seat
                    seen["after a failed throw"] += bool(pair.twin.attempts)
                    seen["leading"] += bool(pair.twin.tricks) and not pair.twin.trick
            pair.act(player.choose(pair.twin))
    assert min(seen[name] for name in ("auction", "bury", "play", "declarer", "in a selection", "not acting")) >= 10
    assert min(seen[name] for name in ("after a failed throw", "leading")) >= 10
    assert rules != "exposure" or min(seen["expose"], seen["another is asked"]) >= 10


def test_nothing_is_left_of_the_deal_before() -> None:
    table = Table("exposure", seed=3, deals_per_match=2)
    rng = Random(3)
    while not table.tables["deal_index"][0]:
        table.apply(rng.choice(table.legal_actions()))
    state = redacted(table, table.acting_seat)
    assert not state["actions"].any()
    assert not state["action_marks"].any()


@pytest.mark.parametrize("seed", range(6))
def test_who_is_asked_to_expose_is_seen_by_nobody_else(seed: int) -> None:
    """As long as a seat holds the same cards and nobody exposes, it sees the same, whoever is asked."""
    table = Table("exposure", seed=seed)
    views = defaultdict(set)
    asked = defaultdict(set)
    while table.phase == Phase.EXPOSE:
        for seat in range(4):
            if seat != table.acting_seat:
                own = [action for action in table.seen_by(seat)["actions"] if action["seat"] == seat]
                moment = seat, table.hand(seat), int((table.history_tokens(seat) > 0).sum()), str(own)
                shown = table.observe(seat).tobytes(), redacted(table, seat).tobytes(), table.seen_by(seat)
                views[moment].add(str(shown))
                asked[moment].add((table.acting_seat, int(table.tables["dealt"][0])))
        table.pass_()
    assert {len(shown) for shown in views.values()} == {1}
    assert max(len(seats) for seats in asked.values()) > 1


def test_the_seat_that_is_asked_first_is_not_told_to_the_others() -> None:
    table = Table("exposure", seed=1)
    assert table.acting_seat == 0
    for seat in (1, 2, 3):
        seen = table.seen_by(seat)
        assert (seen["acting"], seen["legal"]) == (None, [])
        sizes = named_views(table.observe(seat))["hand_cards"]
        assert [int(sizes[(other - seat) % 4]) for other in range(4)] == seen["hand_cards"]
        assert sum(seen["hand_cards"]) == seen["dealt"] == int(redacted(table, seat)["dealt"][0]) < 6
    assert table.seen_by(0)["hand_cards"] == [2, 1, 1, 2]


def test_what_is_hidden_is_blank() -> None:
    """Every byte of every field that a seat may not know, whatever stands there."""
    rng = np.random.default_rng(0)
    table = Table("suzhou", seed=1)
    table.call(85)
    for _ in range(3):
        table.pass_()
    assert table.declarer is not None
    other = (table.declarer + 1) % 4
    state = table.tables.copy()
    for field in TABLE_FIELDS:
        if field.sees not in (Sees.ALL, Sees.KNOWN_ACTIONS, Sees.KNOWN_DEALT, Sees.WHILE_ASKED):
            state[field.name] = rng.integers(1, 100, state[field.name].shape)
    redact_tables(state, np.array([other], np.int8))
    hidden = {Sees.NOBODY_SEES, Sees.ACTING, Sees.FOLLOWER, Sees.BURIER}
    for field in TABLE_FIELDS:
        if field.sees in hidden:
            assert (state[field.name] == field.blank).all(), field.name
        elif field.sees == Sees.OWN:
            assert (state[field.name][0] != 0).nonzero()[0].tolist() == [other], field.name


def test_a_field_says_who_may_know_it() -> None:
    with pytest.raises(TypeError, match="sees"):
        Field("secret", np.int8)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"the field 'secret' of a table must say who may know it \(Sees\), not 4"):
        dtype_of([*TABLE_FIELDS, Field("secret", np.int8, 4)])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="each seat's own, and has 1 entries"):
        dtype_of([Field("secret", np.int8, Sees.OWN)])


def test_what_a_seat_sees_is_plain_data() -> None:
    for preset in PRESETS:
        table = Table(preset, seed=2, deals_per_match=2)
        rng = Random(2)
        while not table.is_over:
            for seat in range(4):
                seen = table.seen_by(seat)
                assert json.loads(json.dumps(seen)) == seen
                assert seen["hand"] == table.hand(seat)
                assert (seen["acting"] == seat) == bool(seen["legal"])
                if seat == table.acting_seat:
                    assert seen["legal"] == [action_name(action) for action in table.legal_actions()]
            table.apply(rng.choice(table.legal_actions()))
        assert table.seen_by(0)["result"] == table.result
        assert table.seen_by(0)["acting"] is None
