"""Pages say what is so: programs print what stands below them, and examples and tables are those of the code.

`python tests/test_pages.py` writes the pages with programs anew.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from baofen.envs.records import replay_record
from baofen.envs.rules import PRESETS, SWITCHES

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("episode.md", "gymnasium.md")
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


def test_the_example_of_a_record_is_a_whole_deal_and_right() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", (DOCS / "record.md").read_text(encoding="utf-8"), re.DOTALL)
    record = json.loads(block)
    table = replay_record(record)  # refuses a result that does not follow
    assert table.is_over
    assert {"players": record["players"], **table.record()} == record


def test_the_rules_have_the_switches_of_the_code() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8").partition("## 8. Which switch where")[2]
    heading, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    assert heading == ["switch", "values", *PRESETS]
    told = {}
    for names, values, *defaults in rows:
        for index, name in enumerate(names.split(", ")):  # switches that are numbers share a row
            own = [cell.split(", ")[index] if ", " in cell else cell for cell in defaults]
            told[name] = (set(values.split(", ")), [cell.removesuffix(" (forced)") for cell in own])
    true = {
        name: (set(switch.words or {"number"}), [str(preset.switches.get(name, "-")) for preset in PRESETS.values()])
        for name, switch in SWITCHES.items()
    }
    assert told == true


def test_the_readme_names_the_torch_that_was_tested() -> None:
    version = re.compile(r"^.*\b(torch==[\d.]+)", re.MULTILINE)
    named = version.findall((DOCS.parent / "README.md").read_text(encoding="utf-8"))
    assert named
    assert set(named) == set(version.findall((DOCS.parent / "constraints.txt").read_text(encoding="utf-8")))


if __name__ == "__main__":
    for page in PAGES:
        (DOCS / page).write_text(page_as_printed((DOCS / page).read_text(encoding="utf-8")), encoding="utf-8")
