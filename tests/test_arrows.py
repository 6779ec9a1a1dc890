"""Who imports whom: one way through the rooms, and kernels only what changes with the rules."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from importing import ROOMS, imports_of, module_of, modules, named_in_texts, sources
from places import ROOT

# An arrow: a room may import itself and those to its right.
MAY_IMPORT = {
    "envs": {"envs"},
    "agents": {"agents", "envs"},
    "training": {"training", "agents", "envs", "configs"},
    "configs": {"configs"},
}
CONSTANTS = {
    "baofen.envs.actions",
    "baofen.envs.cards",
    "baofen.envs.compiling.plain",
    "baofen.envs.core.dtypes",
    "baofen.envs.layout",
    "baofen.envs.observation",
    "baofen.agents.heuristic_v1.weights",
}
"""Modules without kernels that kernels may import."""


def has_kernels(path: Path) -> bool:
    """Whether a file makes compiled functions: it imports the decorator, or numba itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
        if names & {"kernel", "inline_kernel"}:
            return True
    return any(name.partition(".")[0] == "numba" for name in imports_of(path))


KERNEL_MODULES = {module_of(path) for path in sources(*ROOMS) if has_kernels(path)}


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_go_one_way(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(room)
        for name in (*imports_of(path), *named_in_texts(path))
        if name.startswith("baofen.") and name.split(".")[1] not in MAY_IMPORT[room]
    ]
    assert wrong == []


@pytest.mark.parametrize("name", sorted(KERNEL_MODULES))
def test_kernels_import_what_changes_with_the_rules_only(name: str) -> None:
    ours = {found for found in imports_of(modules()[name]) if found.startswith("baofen.")}
    assert ours - KERNEL_MODULES - CONSTANTS == set()


def test_constants_import_constants() -> None:
    for name in CONSTANTS:
        ours = {found for found in imports_of(modules()[name]) if found.startswith("baofen.")}
        assert ours - CONSTANTS == set(), name


def test_no_module_leads_back_to_itself() -> None:
    """By imports, those inside functions too, and by names of modules in texts."""
    leads_to = {
        name: {other for other in (*imports_of(path), *named_in_texts(path)) if other in modules() and other != name}
        for name, path in modules().items()
    }
    # Take away what leads nowhere, again and again; what is left lies on circles, or leads to one.
    while done := {name for name, others in leads_to.items() if not others}:
        leads_to = {name: others - done for name, others in leads_to.items() if name not in done}
    assert leads_to == {}


EXAMPLE = '''
"""baofen.envs.cards"""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from baofen.envs.actions import PASS
FOUND = "baofen.agents.registry:make_agent"
def later():
    from baofen.envs.core import step
'''


def test_what_a_function_or_a_text_imports_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    file.write_text(EXAMPLE, encoding="utf-8")
    assert imports_of(file) == ("typing", "baofen.envs.core.step")
    assert named_in_texts(file) == ("baofen.agents.registry",)


def test_the_game_needs_no_learner() -> None:
    script = "import sys, baofen.envs; print([name for name in ('torch', 'ray') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], cwd="/", capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
