#!/usr/bin/env python3
"""Runs the scripts in notebooks/ and gives each with its outputs, for the .ipynb beside it, never edited by hand."""

import os
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"


def rendered(script: Path) -> str:
    """Return the notebook of a script, run, as the text of its file; the same run gives the same text."""
    notebook = jupytext.read(script)
    quiet = {**os.environ, "BAOFEN_QUIET": "1"}  # what the machine has compiled before is no part of a notebook
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute(cwd=str(FOLDER), env=quiet)
    for index, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{index}"  # not random, so that a rendering without changes has none
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell["outputs"] = _joined(cell["outputs"])
    notebook.metadata.pop("language_info", None)
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


def _joined(outputs: list[Any]) -> list[Any]:
    """Return outputs with what was printed in one go, however many pieces it came in."""
    joined: list[Any] = []
    for output in outputs:
        if output.output_type == "stream" and joined and joined[-1].get("name") == output.name:
            joined[-1]["text"] += output.text
        else:
            joined.append(output)
    return joined
