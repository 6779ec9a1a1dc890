"""Pages say what is so: examples are right, and versions those that were tested (what is generated: test_generated)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from baofen.envs.records import replay_record

DOCS = Path(__file__).parents[1] / "docs"


def test_the_example_of_a_record_is_a_whole_deal_and_right() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", (DOCS / "record.md").read_text(encoding="utf-8"), re.DOTALL)
    record = json.loads(block)
    table = replay_record(record)  # refuses a result that does not follow
    assert table.is_over
    assert {"players": record["players"], **table.record()} == record


def test_the_readme_names_the_torch_that_was_tested() -> None:
    version = re.compile(r"^.*\b(torch==[\d.]+)", re.MULTILINE)
    named = version.findall((DOCS.parent / "README.md").read_text(encoding="utf-8"))
    assert named
    assert set(named) == set(version.findall((DOCS.parent / "constraints.txt").read_text(encoding="utf-8")))
