"""Batches: arrays of the caller's, and words of positions as words of faces."""

from typing import Any

import numpy as np
import pytest

from baofen.envs import PRESETS, Rules, VectorTables
from baofen.envs.core.dtypes import NUM_LAYOUTS
from baofen.envs.core.kernel import kernel
from baofen.envs.core.spread import faces_of_seats
from baofen.envs.views import make_views


@kernel
def faces_of(words, move_bits, move_turns, faces):
    for index in range(words.shape[0]):
        moved = faces_of_seats(words[index], words[index], move_bits, move_turns)
        faces[index] = moved[1]


@pytest.mark.parametrize("preset", PRESETS)
def test_cards_move_to_their_faces(preset):
    rules = Rules(preset).record[0]
    words = np.zeros((54, 4), np.int64)
    words[:, 1] = 1 << np.arange(54)
    faces = np.zeros(54, np.int64)
    for layout in range(NUM_LAYOUTS):
        faces_of(words, rules["move_bits"][layout], rules["move_turns"][layout], faces)
        assert faces.tolist() == [1 << int(face) for face in rules["face"][layout]]


def test_observations_are_written_into_arrays_of_any_layout():
    batch = VectorTables(8, seed=3)
    expected = batch.observe()
    for wide in (np.zeros((8, 2000), np.uint8), np.zeros((16, 1000), np.uint8)[::2]):
        out = wide[:, : batch.observation_size]
        assert batch.observe(out) is out
        assert np.array_equal(out, expected)
        assert not wide[:, batch.observation_size :].any()
    turned = np.zeros((batch.observation_size, 8), np.uint8).T
    assert np.array_equal(batch.observe(turned), expected)


def test_views_are_copies_of_the_tables_asked_for():
    batch = VectorTables(8, seed=4)
    before = batch.tables.copy()
    rows = np.array([6, 1])
    views = batch.views(rows, cheating=True)
    assert np.array_equal(views.state, before[rows])
    assert np.array_equal(views.observation, batch.observe()[rows])
    for array in (views.state, views.table, batch.views().state):
        array.view(np.uint8)[...] = 7
    assert np.array_equal(batch.tables, before)
    assert rows.tolist() == [6, 1]
    unseen = make_views(batch.rules, batch.tables[::2], observe=False)
    assert unseen.observation.shape == (4, 0)
    assert np.array_equal(unseen.seat, batch.acting_seat[::2])


@pytest.mark.parametrize("name", ["mask", "observe"])
def test_a_buffer_of_another_shape_or_dtype_is_refused(name):
    batch = VectorTables(4)
    right = getattr(batch, name)()
    for wrong in (right[:3], right[:, 1:], right.astype(np.float32), right[0]):
        with pytest.raises(ValueError, match=r"out must be uint8 \[4, "):
            getattr(batch, name)(wrong.copy())
    strided = np.zeros((4, 2 * right.shape[1]), np.uint8)[:, ::2]
    assert (getattr(batch, name)(strided) == right).all()


def test_actions_are_whole_numbers():
    batch = VectorTables(4)
    actions: Any
    for actions in (np.zeros(4), batch.mask().argmax(1).astype(np.float32)):
        with pytest.raises(ValueError, match="actions must be whole numbers, not float"):
            batch.step(actions)
    batch.step(batch.mask().argmax(1).astype(np.int8))
