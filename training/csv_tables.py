"""Tables that commands leave in a folder as CSV files."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from baofen.envs.writing import replacing


def write_csv(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write a table under the names of its first line; without lines there is no file, nor an old one left."""
    if not lines:
        path.unlink(missing_ok=True)
        return
    with replacing(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
