"""The committed reference pages are those that the code makes."""

from pathlib import Path

import pytest

from baofen.envs.pages import PAGES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run: python -m baofen.envs.pages docs"
