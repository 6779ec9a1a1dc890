"""The wheel: it holds all that the rooms need, and what is installed from it works away from the repository.

The source distribution holds all else as well.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from places import RECORDS, ROOT

import baofen

ROOMS = ("envs", "agents", "training", "configs")
RECORD = RECORDS / "suzhou.jsonl"

pytestmark = pytest.mark.slow

Run = Callable[..., str]


def sources() -> list[str]:
    """The files of the repository, changes and new files that are not yet committed included; links are left out."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [name for name in listed.split("\0") if (ROOT / name).is_file() and not (ROOT / name).is_symlink()]


def copy_of_the_sources(target: Path) -> Path:
    """Copy what the repository holds.

    The build writes beside the sources, so it is not let into the repository; and what git ignores has no place in a wheel.
    """
    for name in sources():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel is installed, alone."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = copy_of_the_sources(folder / "sources")
    quiet = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    # Without isolation the build needs no network: it takes the setuptools that is installed.
    build = [*quiet, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
    subprocess.run([*build, str(sources)], cwd=folder, check=True)
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    subprocess.run([*quiet, "install", "--no-deps", "--no-index", "--target", str(site), str(wheel)], check=True)
    return site


@pytest.fixture(scope="module")
def run(installed: Path) -> Run:
    """Runs Python on what is installed, in no folder of ours.

    Without the module `site` no .pth file is read, so the editable install of the repository is not found.
    """
    libraries = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(installed), *dict.fromkeys(libraries)]),
        "BAOFEN_CACHE_DIR": str(installed.parent / "cache"),
    }

    def python(*words: str | Path) -> str:
        done = subprocess.run(
            [sys.executable, "-S", *words], cwd="/", env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return python


def test_it_holds_the_files_that_are_not_python(installed: Path) -> None:
    wanted = {
        path.relative_to(ROOT)
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.suffix in (".yaml", ".npz") or path.name == "py.typed"
    }
    missing = sorted(str(path) for path in wanted if not (installed / "baofen" / path).is_file())
    assert missing == []
    assert {path.suffix for path in wanted} == {".yaml", ".npz", ".typed"}
    assert {path.parts[0] for path in wanted if path.name == "py.typed"} == set(ROOMS)


def test_it_holds_nothing_else(installed: Path) -> None:
    assert {path.name for path in (installed / "baofen").iterdir()} - {"__pycache__"} == {
        *ROOMS,
        "__init__.py",
        "py.typed",
    }
    assert {path.name.partition("-")[0] for path in installed.iterdir()} == {"baofen", "bin"}


def test_it_is_what_runs(installed: Path, run: Run) -> None:
    script = "import importlib; print(*(importlib.import_module('baofen.' + name).__file__ for name in {}))"
    assert run("-c", script.format(ROOMS)).split() == [str(installed / "baofen" / r / "__init__.py") for r in ROOMS]


def test_the_command_tells_the_version(installed: Path, run: Run) -> None:
    assert run(installed / "bin" / "baofen", "--version") == f"baofen {baofen.__version__}"
    assert run("-c", "import baofen; print(baofen.__version__, *baofen.__path__)").split() == [
        baofen.__version__,
        str(installed / "baofen"),
    ]


def test_records_are_checked(installed: Path, run: Run, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text("".join(RECORD.read_text(encoding="utf-8").splitlines(keepends=True)[:20]), encoding="utf-8")
    assert "20 records, all legal" in run(installed / "bin" / "baofen", "replay", records)


def test_the_data_files_are_found(run: Run) -> None:
    run("-c", "from baofen.training.config import load_config; load_config('smoke')")
    assert run("-c", "from baofen.agents import make_agent; print(make_agent('bidder:value').name)") == "bidder:value"


def test_the_source_distribution_is_complete(tmp_path: Path) -> None:
    copied = copy_of_the_sources(tmp_path / "sources")
    for room in ROOMS:  # as in a checkout: the links must not bring a second copy of the rooms
        (copied / ".typing" / "baofen" / room).symlink_to(f"../../{room}")
    build = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=copied, check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        files = {member.name.partition("/")[2] for member in archive if member.isfile()}
    made = {name for name in files if name in ("PKG-INFO", "setup.cfg") or name.startswith("baofen.egg-info/")}
    assert files - made == set(sources())
