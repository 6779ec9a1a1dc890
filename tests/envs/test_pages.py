"""The committed reference pages are those that the code makes."""

import pytest
from places import DOCS

from baofen.envs.pages import PAGES


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run: python -m baofen.envs.pages docs"
