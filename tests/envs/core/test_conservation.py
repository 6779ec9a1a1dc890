"""No card and no point is ever lost or made: every face twice, 200 points, after every action of whole games."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from side_by_side import random_pair
from stacked import Player

from baofen.envs import Table
from baofen.envs.cards import FACE_POINTS, SUITS, count_faces
from baofen.envs.core.dtypes import MAX_ACTIONS, Phase
from baofen.envs.observation import PARTS, STATE_PARTS, named_views

GAMES = 25


def check(table: Table) -> None:
    """All cards are somewhere, once."""
    row = table.tables[0]
    parts = named_views(table.state().astype(np.int64), STATE_PARTS)
    hands, played, trick, buried = (parts[name] for name in ("hands", "played", "trick", "buried"))
    undealt = row["deck"][100 if table.declarer is None else 108 :]
    if row["phase"] == Phase.EXPOSE:
        undealt = row["deck"][int(row["dealt"]) :]
    everywhere = hands.sum(axis=0) + played.sum(axis=0) + buried + count_faces(undealt)
    assert (everywhere == 2).all()
    assert (trick <= played).all()
    assert (parts["selection"] <= hands[max(table.acting_seat, 0)]).all()

    taken = (played - trick).sum(axis=0)
    assert taken @ FACE_POINTS == row["captured"] + row["conceded"]
    assert row["captured"] + row["conceded"] + (everywhere - taken) @ FACE_POINTS == 200
    if table.trump is not None:
        own_suit = slice(13 * SUITS.index(table.trump), 13 * SUITS.index(table.trump) + 13)
        points = (taken * FACE_POINTS)[own_suit].sum()
        if table.rules.preset != "hongwu":  # the red five is a trump of another suit
            assert points == row["captured_trump"] + row["conceded_trump"]
    assert [int(number) for number in parts["hand_cards"]] == [int(hand.sum()) for hand in hands]
    assert row["num_actions"] <= MAX_ACTIONS


def check_observations(table: Table) -> None:
    """What the four seats see fits together, and each sees his own."""
    parts = named_views(table.state(), STATE_PARTS)
    for seat in range(4):
        seen = named_views(table.observe(seat).astype(np.int64), PARTS)
        assert np.array_equal(seen["hand"], parts["hands"][seat])
        assert np.array_equal(seen["played"], np.roll(parts["played"], -seat, axis=0))
        assert np.array_equal(seen["shown"], np.roll(parts["shown"], -seat, axis=0))
        assert np.array_equal(seen["selection"], parts["selection"] * (seat == table.acting_seat))
        assert np.array_equal(seen["buried"], parts["buried"] * (seat == table.declarer))
        unseen = 2 - seen["hand"] - seen["played"].sum(axis=0) - seen["buried"]
        assert (unseen >= 0).all()
        assert seen["unseen_points"][0] * 5 == unseen @ FACE_POINTS
        assert table.trump is None or seen["unseen"].sum() == unseen.sum()
        check_shown(table, seat, seen)


def check_shown(table: Table, seat: int, seen: Mapping[str, NDArray[np.uint8]]) -> None:
    """What a seat has shown about its hand is true."""
    row, record = table.tables[0], table.rules.record
    layout = int(row["layout"])
    ones, twos = int(row["hand_ones"][seat]), int(row["hand_twos"][seat])
    assert int(row["held_ones"][seat]) & ~ones == 0
    assert int(row["held_twos"][seat]) & ~twos == 0
    for group in range(5):
        bits = int(record["group_bits"][0, layout, group])
        pairs = twos & bits
        assert not (seen["void"][0][group] and ones & bits)
        assert not (seen["pairless"][0][group] and pairs)
        assert not (seen["runless"][0][group] and pairs & ((pairs & int(record["links"][0, layout])) << 1))


@pytest.mark.parametrize("rules", ["suzhou", "exposure", "hongwu"])
def test_cards_and_points_are_kept(rules: str) -> None:
    for seed in range(300, 300 + GAMES):
        rng = Random(seed)
        pair = random_pair(rng, rules)
        player = Player(rng, pair.twin, pair.deal)
        check(pair.table)
        while pair.twin.phase != "over":
            pair.act(player.choose(pair.twin))
            check(pair.table)
            if not pair.twin.selection and pair.twin.phase != "over":
                check_observations(pair.table)
