"""What compiled code could not take, or would take for something else, is refused with a sentence."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from baofen.envs import VectorTables


def test_buffers_that_cannot_be_written_are_refused() -> None:
    batch = VectorTables(3)
    for write in (batch.mask, batch.observe):
        buffer = np.zeros_like(write())
        buffer.flags.writeable = False
        with pytest.raises(ValueError, match="out is read-only; give an array that can be written to"):
            write(buffer)


@pytest.mark.parametrize(
    ("indices", "sentence"),
    [
        (np.array([True, False, True]), r"whole numbers in one row, not bool \[3\]"),
        ([0.5], r"whole numbers in one row, not float64 \[1\]"),
        ([1.0], r"whole numbers in one row, not float64 \[1\]"),
        ([[0, 1]], r"whole numbers in one row, not int64 \[1, 2\]"),
        (1, r"whole numbers in one row, not int64 \[\]"),
        ([0, 3], r"must be 0 .. 2, not 0 .. 3"),
        ([-1, 2], r"must be 0 .. 2, not -1 .. 2"),
        (["1"], "whole numbers in one row, not <U1"),
    ],
)
def test_indices_of_views_are_checked(indices: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        VectorTables(3).views(indices)


@pytest.mark.parametrize("indices", [[2, 0], (1,), np.array([1], np.uint8), [], np.arange(0)])
def test_indices_of_any_whole_kind_will_do(indices: Any) -> None:
    assert VectorTables(3).views(indices).table.tolist() == list(indices)


@pytest.mark.parametrize("options", [{"records": {}}, {"record": None, 3: 4}])
def test_options_of_reset_that_there_are_not_are_named(options: Any) -> None:
    with pytest.raises(ValueError, match=r"reset has the option 'record' alone, not ('records'|3)$"):
        gymnasium.make("baofen/Baofen-v0").reset(seed=0, options=options)
