#!/usr/bin/env python3
"""Makes anew what is generated from the code: `make regenerate`, and by name what takes long.

    python scripts/regenerate.py              # all that is made in a minute or two: pages, games on file, notebooks
    python scripts/regenerate.py pages perft  # some of it
    python scripts/regenerate.py values       # the value networks of the bidder: many minutes
    python scripts/regenerate.py speed        # the tables of docs/speed.md: many minutes, on an idle machine

`tests/test_generated.py` makes the first kind afresh and says which file is stale. What takes long is not made by a
test: `made_from.json` says what each file was made from, and the test compares that with what holds today.
"""

import argparse
import contextlib
import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests" / "helpers")]

import counting
import made_from
import playing_through
from render_notebooks import rendered
from write_speed_page import with_tables

from baofen.agents.pages import with_table
from baofen.envs.pages import PAGES
from baofen.envs.rules import PRESETS, Rules
from baofen.envs.writing import replace_text

DOCS = ROOT / "docs"
WITH_PROGRAMS = ("episode.md", "gymnasium.md")
PROGRAM = re.compile(r"(```python\n(.*?)```\n\n```text\n)(.*?)(```)", re.DOTALL)
SPEED = "speed --layers all --peers --growth --core-time --training-time --markdown"


def page_as_printed(text: str) -> str:
    """Return a page with the output of its programs, run one after the other in one namespace, in its `text` blocks."""
    names: dict[str, Any] = {}

    def run(block: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block[2], "a page", "exec"), names)  # noqa: S102, our own pages
        return block[1] + printed.getvalue() + block[4]

    return PROGRAM.sub(run, text)


Maker = Callable[[], str]
"""Makes the text of a file."""


def _pages() -> dict[str, Maker]:
    """The pages that are made whole, and those in which a table or what programs print is made."""

    def changed(name: str, change: Callable[[str], str]) -> Maker:
        return lambda: change((DOCS / name).read_text(encoding="utf-8"))

    return {
        **{f"docs/{name}": page for name, page in PAGES.items()},
        "docs/agents.md": changed("agents.md", with_table),
        **{f"docs/{name}": changed(name, page_as_printed) for name in WITH_PROGRAMS},
    }


def _playthroughs() -> dict[str, Maker]:
    return {f"tests/playthroughs/{name}.txt": partial(playing_through.text_of, name) for name in playing_through.GAMES}


def _perft() -> dict[str, Maker]:
    """The counts of the positions on file, each by core and twin; the positions stay."""
    return {f"tests/perft/{rules}.json": partial(counting.counted_anew, rules) for rules in PRESETS}


def _notebooks() -> dict[str, Maker]:
    return {
        f"notebooks/{script.stem}.ipynb": partial(rendered, script)
        for script in sorted((ROOT / "notebooks").glob("*.py"))
    }


QUICK: dict[str, dict[str, Maker]] = {
    "pages": _pages(),
    "playthroughs": _playthroughs(),
    "perft": _perft(),
    "notebooks": _notebooks(),
}
"""Name -> file -> what makes its text; a test compares each with what is on file."""


def _values() -> Iterator[str]:
    from baofen.agents.bids.value_network import value_file

    for preset in made_from.DEALS:
        recipe = made_from.recipe(preset)["deals"]
        arguments = [word for name, number in recipe.items() for word in (f"--{name.replace('_', '-')}", str(number))]
        subprocess.run([sys.executable, "-m", "baofen.training.bids.make", preset, *arguments], check=True)
        yield str(value_file(Rules(preset)).relative_to(ROOT))


def _par() -> Iterator[str]:
    from baofen.training.bids.par.table import SHIPPED, make_par, save_par

    deals = made_from.PAR
    table = make_par(Rules("suzhou"), deals["deals"], deals["seed"], playouts=deals["playouts"])
    save_par(table, SHIPPED)
    yield str(SHIPPED.relative_to(ROOT))


def _speed() -> Iterator[str]:
    command = [sys.executable, "-c", "from baofen.training.cli import main; main()", *SPEED.split()]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    page = DOCS / "speed.md"
    replace_text(page, with_tables(page.read_text(encoding="utf-8"), printed))
    yield "docs/speed.md"


DEAR: dict[str, Callable[[], Iterator[str]]] = {"values": _values, "par": _par, "speed": _speed}
"""Name -> what makes and writes its files, and gives the path of each once it is written."""


def main() -> None:
    """Make what the command line names, or all that is quick."""
    parser = argparse.ArgumentParser(description="Make generated files anew.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join([*QUICK, *DEAR])}; none: {', '.join(QUICK)}"
    )
    names = parser.parse_args().names or list(QUICK)
    unknown = [name for name in names if name not in QUICK and name not in DEAR]
    if unknown:
        parser.error(f"{', '.join(unknown)}: there are {', '.join([*QUICK, *DEAR])}")
    for name in names:
        for file, make in QUICK.get(name, {}).items():
            text, path = make(), ROOT / file
            before = path.read_text(encoding="utf-8") if path.exists() else None
            if not made_from.is_same(file, before, text):
                replace_text(path, text)
                print(f"written: {file}")
        if name in DEAR:
            for file in DEAR[name]():
                made_from.note(file)
                print(f"written: {file}")


if __name__ == "__main__":
    main()
