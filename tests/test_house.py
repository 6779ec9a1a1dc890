"""The shape of the house: rooms, arrows between them, sizes, and examples in the docs."""

import ast
import doctest
import importlib
import importlib.metadata
import pkgutil
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("envs", "agents", "training", "configs")
MAX_LINES = 400
TOP_LEVEL = {
    *(".ci", ".gitignore", ".typing", "CHANGELOG.md", "LICENSE", "Makefile", "README.md"),
    *("agents", "configs", "constraints.txt", "docs", "envs", "notebooks", "pyproject.toml"),
    *("scripts", "tests", "training"),
}
# An arrow: a room may import itself and those to its right.
MAY_IMPORT = {
    "envs": {"envs"},
    "agents": {"agents", "envs"},
    "training": {"training", "agents", "envs", "configs"},
    "configs": {"configs"},
}
CITED_PAGE = re.compile(r"[\w./-]*\w\.md\b")
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(?:home|root|work|Users|opt|tmp|mnt|srv)/\w")


def tracked_files() -> list[Path]:
    """The files of the repository, links left out."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    paths = [ROOT / name for name in listed.decode().split("\0") if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports_of(path: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (
                [f"baofen.{alias.name}" for alias in node.names] if node.module == "baofen" else [node.module or ""]
            )


def modules() -> list[str]:
    """Every module of the package, under its real name."""
    names = []
    for room in ROOMS:
        package = importlib.import_module(f"baofen.{room}")
        names.append(package.__name__)
        names += [found.name for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return names


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_go_one_way(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(room)
        for name in imports_of(path)
        if name.startswith("baofen.") and name.split(".")[1] not in MAY_IMPORT[room]
    ]
    assert wrong == []


def test_the_game_needs_no_learner() -> None:
    script = "import sys, baofen.envs; print([name for name in ('torch', 'ray') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], cwd="/", capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_module_is_loaded_under_two_names() -> None:
    for name in modules():
        importlib.import_module(name)
    names_of = defaultdict(set)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).resolve().is_relative_to(ROOT) and ".venv" not in file:
            names_of[Path(file).resolve()].add(name)
    twice = {str(path): sorted(names) for path, names in names_of.items() if len(names) > 1}
    assert twice == {}


@pytest.mark.parametrize("name", modules())
def test_examples_in_the_docs_run(name: str) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=flags)
    assert failed == 0


def test_files_are_short() -> None:
    lengths = {
        path.relative_to(ROOT): path.read_text(encoding="utf-8").count("\n")
        for path in sources(*ROOMS, "tests", "notebooks")
    }
    assert {path: length for path, length in lengths.items() if length > MAX_LINES} == {}


def test_the_top_level_is_what_was_drawn() -> None:
    found = {path.relative_to(ROOT).parts[0] for path in tracked_files()} | {".typing"}
    assert found <= TOP_LEVEL


def test_no_path_of_a_machine_is_in_the_tree() -> None:
    found = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {match.group()}" for match in MACHINE_PATH.finditer(text)]
    assert found == []


def test_every_page_that_is_cited_exists() -> None:
    """A page is cited by its path from the file or from the root, or by its name alone if it lies in docs/."""
    pages = [path for path in tracked_files() if path.suffix == ".md"]
    missing = []
    for path in [*pages, *(path for path in tracked_files() if path.suffix == ".py")]:
        for name in CITED_PAGE.findall(path.read_text(encoding="utf-8")):
            places = [path.parent / name, ROOT / name, ROOT / "docs" / name]
            if not any(place.resolve() in pages for place in places):
                missing.append(f"{path.relative_to(ROOT)}: {name}")
    assert missing == []


def test_the_links_for_checkers_lead_to_the_rooms() -> None:
    for room in ROOMS:
        link = ROOT / ".typing" / "baofen" / room
        assert link.is_symlink()
        assert not link.readlink().is_absolute()
        assert link.resolve() == ROOT / room


def test_the_package_is_installed_from_here() -> None:
    assert importlib.metadata.version("baofen")
    assert Path(importlib.import_module("baofen.training").__file__ or "").parent == ROOT / "training"
