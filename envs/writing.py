"""Files that are whole or not there: written beside their place, then renamed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a path to write to, which takes the place of `path` when the block ends; if it raises, nothing is changed.

    The path given is hidden, in the same folder and of the same suffix, and names the process, so that two that write
    the same file do not meet.
    """
    path = Path(path)
    beside = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def replace_text(path: str | Path, text: str) -> None:
    """Write a file of text in UTF-8, whole or not at all."""
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
