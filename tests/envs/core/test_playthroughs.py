"""Games on file come out the same (`playing_through.py` writes them)."""

from __future__ import annotations

import pytest
from playing_through import FOLDER, GAMES, text_of


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for number, (line, now) in enumerate(zip(written, text_of(name).splitlines(), strict=True), start=1):
        assert now == line, (
            f"{name}.txt, line {number}; if the change is meant: python tests/helpers/playing_through.py"
        )


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
