"""The notebooks' scripts run, and the renderings are theirs, without errors."""

import subprocess
import sys

import jupytext
import pytest
from places import ROOT

FOLDER = ROOT / "notebooks"
SCRIPTS = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script_runs(script):
    done = subprocess.run([sys.executable, script], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_rendering_is_of_the_script(script):
    source, rendered = jupytext.read(script), jupytext.read(script.with_suffix(".ipynb"))
    hint = "run: scripts/render_notebooks"
    assert [(c.cell_type, c.source) for c in source.cells] == [(c.cell_type, c.source) for c in rendered.cells], hint
    outputs = [output for cell in rendered.cells for output in cell.get("outputs", [])]
    assert outputs, hint
    assert all(output.output_type != "error" for output in outputs)


def test_there_are_notebooks():
    assert SCRIPTS
