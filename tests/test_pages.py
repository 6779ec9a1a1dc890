"""Pages with programs: what they print is what stands below them.

`python tests/test_pages.py` writes the pages anew.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("episode.md",)
PROGRAM = re.compile(r"(```python\n(.*?)```\n\n```text\n)(.*?)(```)", re.DOTALL)


def page_as_printed(text: str) -> str:
    """A page with the output of its programs, run one after the other in one namespace, in its `text` blocks."""
    names: dict[str, Any] = {}

    def run(block: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block[2], "a page", "exec"), names)  # noqa: S102, our own pages
        return block[1] + printed.getvalue() + block[4]

    return PROGRAM.sub(run, text)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_prints_what_it_says(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    assert len(PROGRAM.findall(text)) == text.count("```python")
    assert page_as_printed(text) == text


if __name__ == "__main__":
    for page in PAGES:
        (DOCS / page).write_text(page_as_printed((DOCS / page).read_text(encoding="utf-8")), encoding="utf-8")
