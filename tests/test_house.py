"""The shape of the house: rooms, sizes, names, and examples in the docs; arrows between rooms: test_arrows."""

import doctest
import importlib
import importlib.metadata
import os
import pkgutil
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest
import yaml
from importing import ROOMS, sources
from places import ROOT

import baofen

MAX_LINES = 400
MAX_PYTHON_FILES = 16
NAMED_TWICE = {
    "agent": "the agent of a folder: agents/policy, agents/search",
    "bench": "a command, and what it does",
    "command": "a program behind a command: training/speed, training/bids/par",
    "errors": "of records, and of the command line",
    "matches": "to be parted: of self-play, and of the arena",
    "pages": "what the rooms envs and agents write for docs/",
    "report": "what a program tells, in the program's folder",
    "table": "to be parted: the game's table, and that of par values",
    "text": "how a table is shown, and how a configuration is",
    "train": "a command, and its configuration",
}
TOP_LEVEL = {
    *(
        ".ci",
        ".gitignore",
        ".typing",
        "CHANGELOG.md",
        "CITATION.cff",
        "LICENSE",
        "MANIFEST.in",
        "Makefile",
        "README.md",
    ),
    *("agents", "configs", "constraints.txt", "docs", "envs", "notebooks", "pyproject.toml"),
    *("scripts", "tests", "training"),
}
CITED_PAGE = re.compile(r"[\w./-]*\w\.md\b")
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(?:home|root|work|Users|opt|tmp|mnt|srv)/\w")


def tracked_files() -> list[Path]:
    """The files of the repository, links left out."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    paths = [ROOT / name for name in listed.decode().split("\0") if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def modules() -> list[str]:
    """Every module of the package, under its real name."""
    names = []
    for room in ROOMS:
        package = importlib.import_module(f"baofen.{room}")
        names.append(package.__name__)
        names += [found.name for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return names


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
        for path in sources(*ROOMS, "tests", "notebooks", "scripts")
    }
    assert {path: length for path, length in lengths.items() if length > MAX_LINES} == {}


def test_folders_can_be_taken_in() -> None:
    sizes = Counter(str(path.parent.relative_to(ROOT)) for path in sources(*ROOMS, "tests", "notebooks", "scripts"))
    assert {folder: size for folder, size in sizes.items() if size > MAX_PYTHON_FILES} == {}


def test_a_file_has_its_name_for_itself() -> None:
    """The stems of files in the rooms; the list of those that stand more than once, each with its reason, is exact."""
    stems = Counter(path.stem for path in sources(*ROOMS) if path.stem != "__init__")
    assert {stem for stem, number in stems.items() if number > 1} == set(NAMED_TWICE)


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
    assert importlib.metadata.version("baofen") == baofen.__version__
    assert Path(importlib.import_module("baofen.training").__file__ or "").parent == ROOT / "training"


def test_the_package_itself_imports_nothing() -> None:
    """So that a room is imported as fast as if it stood alone."""
    code = "import sys; before = set(sys.modules); import baofen; print(baofen.__version__, set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout.strip() == f"{baofen.__version__} {{'baofen'}}"


def test_without_an_installation_the_links_do() -> None:
    code = "import baofen.envs; print(baofen.__version__, baofen.envs.__file__)"
    libraries = [ROOT / ".typing", *dict.fromkeys(path for path in sys.path if path.endswith("site-packages"))]
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],  # no .pth file, so no editable installation
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, libraries))},
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    assert done.stdout.split() == [baofen.__version__, str(ROOT / "envs" / "__init__.py")]


def test_the_citation_names_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["version"] == baofen.__version__
