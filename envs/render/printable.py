"""Texts that others wrote, made fit for a terminal."""

import re

MAX_CHARACTERS = 2000
_LONG_WORD = re.compile(r"\S{161,}")


def printable(text: object, most: int = MAX_CHARACTERS, *, lines: bool = False) -> str:
    """Return a text of unknown origin as it may be printed: what a terminal would obey stands as an escape, in one line.

    Words of more than 160 characters are cut in their middle, and all is cut after `most` characters.

    lines: line ends stay.

    >>> printable("red \\x1b[31m and\\nmore")
    'red \\\\x1b[31m and\\\\nmore'
    >>> len(printable("x" * 5000)), len(printable("x " * 5000, 300))
    (121, 300)
    """
    kept = "\n" if lines else ""
    shown = _LONG_WORD.sub(lambda found: f"{found[0][:80]}…{found[0][-40:]}", str(text)[: 50 * most])
    shown = "".join(c if c.isprintable() or c in kept else c.encode("unicode_escape").decode() for c in shown)
    return shown if len(shown) <= most else shown[: most - 1] + "…"
