#!/usr/bin/env python3
"""Puts the tables that `baofen speed --markdown` prints into docs/speed.md, each where a table with its headings stands.

In one line, for all of them (`make regenerate-speed` does the same):

    baofen speed --layers all --peers --growth --core-time --training-time --markdown | scripts/write_speed_page.py
"""

import re
import sys
from pathlib import Path

from baofen.envs.writing import replace_text

PAGE = Path(__file__).resolve().parent.parent / "docs" / "speed.md"
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def headings(table: str) -> str:
    """Return the first line of a table."""
    return table.partition("\n")[0]


def with_tables(page: str, printed: str) -> str:
    """Return a page with the printed tables in the place of those with the same headings.

    Raises:
        ValueError: if no table was printed, or one that is not on the page.
    """
    tables = {headings(table): table for table in TABLE.findall(printed.rstrip("\n") + "\n")}
    strange = tables.keys() - {headings(table) for table in TABLE.findall(page)}
    if not tables or strange:
        raise ValueError(f"no tables to write, or none like these on the page: {sorted(strange)}")
    return TABLE.sub(lambda old: tables.get(headings(old[0]), old[0]), page)


def main() -> None:
    """Read the tables from stdin and write the page."""
    try:
        replace_text(PAGE, with_tables(PAGE.read_text(encoding="utf-8"), sys.stdin.read()))
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
