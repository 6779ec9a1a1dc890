"""What is generated is what the code makes today; `make regenerate` makes it anew.

What is quick is made afresh and compared; the counts in `tests/perft` are counted anew by `test_perft`. What takes long
is compared by what it was made from.
"""

from __future__ import annotations

import json
from itertools import zip_longest

import made_from
import pytest
from places import DOCS, ROOT
from regenerate import PROGRAM, QUICK, WITH_PROGRAMS

MAKERS = {file: (name, make) for name, files in QUICK.items() if name != "perft" for file, make in files.items()}


@pytest.mark.parametrize("file", MAKERS)
def test_a_file_is_as_it_is_made_today(file: str) -> None:
    name, make = MAKERS[file]
    written, fresh = (ROOT / file).read_text(encoding="utf-8"), make()
    if not made_from.is_same(file, written, fresh):
        lines = enumerate(zip_longest(written.splitlines(), fresh.splitlines()), start=1)
        number, (before, now) = next((number, pair) for number, pair in lines if pair[0] != pair[1])
        pytest.fail(f"{file} is stale, line {number}: {before!r} is now {now!r}; run: make regenerate-{name}")


@pytest.mark.parametrize("file", made_from.TODAY)
def test_what_takes_long_was_made_from_what_holds_today(file: str) -> None:
    stale = made_from.differences(made_from.noted()[file], made_from.TODAY[file]())
    assert stale == [], f"{file} is stale; `python scripts/regenerate.py --help` says what makes it anew"


def test_nothing_is_noted_or_left_over_that_is_not_made() -> None:
    assert set(made_from.noted()) == set(made_from.TODAY)
    for folder in ("tests/playthroughs", "tests/perft"):
        files = {str(path.relative_to(ROOT)) for path in (ROOT / folder).iterdir()}
        assert files == {file for makers in QUICK.values() for file in makers if file.startswith(folder)}
    scripts, rendered = ({path.stem for path in (ROOT / "notebooks").glob(f"*.{kind}")} for kind in ("py", "ipynb"))
    assert scripts == rendered != set()


@pytest.mark.parametrize("name", WITH_PROGRAMS)
def test_every_program_of_a_page_stands_above_what_it_prints(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    assert len(PROGRAM.findall(text)) == text.count("```python")


def test_renderings_have_outputs_and_no_errors() -> None:
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        assert outputs
        assert all(output["output_type"] != "error" for output in outputs)


def test_decimals_of_notebooks_may_differ_in_the_last_place_and_nowhere_else() -> None:
    def same(before: str, now: str) -> bool:
        return made_from.is_same("notebooks/some.ipynb", before, now)

    assert same("worth +5.8, 12 of 30", "worth +5.9, 12 of 30")
    assert not same("worth +5.8, 12 of 30", "worth +6.0, 12 of 30")
    assert not same("worth +5.8, 12 of 30", "worth +5.8, 13 of 30")
    assert not same("worth +5.8", "worth +5.8 or +5.8")
    assert not made_from.is_same("docs/switches.md", "5.8", "5.9")


def test_differences_name_what_has_changed_and_tolerate_what_is_new() -> None:
    before = {"switches": {"eights": "on"}, "recipe": {"deals": 10}}
    now = {"switches": {"eights": "off", "tens": "on"}, "recipe": {"deals": 10}}
    assert made_from.differences(before, now) == ["switches.eights was 'on', is 'off'"]
    assert made_from.differences(before, {"recipe": {"deals": 10}}) == ["switches was {'eights': 'on'}, is None"]
