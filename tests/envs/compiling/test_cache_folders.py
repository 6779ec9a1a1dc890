"""Where compiled code is kept: never an old rule, never what others wrote, and damage heals."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from places import ROOT

from baofen.envs.compiling.cache_folders import cache_root

# A kernel, two modules of constants and helpers below it, and one that it has nothing to do with.
PRINTED = """
import sys, types
sys.path.insert(0, {root!r})
from baofen.envs.core.fine import fine, cost
print(fine(2), cost.stats.cache_hits[cost.signatures[0]] if cost.signatures else None)
"""
SOURCES = {
    "amounts.py": "FINE_POINTS = 3\n",
    "helper.py": (
        "from baofen.envs.core import amounts\n"
        "from baofen.envs.core.kernel import inline_kernel\n\n"
        "@inline_kernel\n"
        "def points(cards):\n"
        "    return amounts.FINE_POINTS * cards\n"
    ),
    "fine.py": (
        "from baofen.envs.core.helper import (\n    points,\n)\n"
        "from baofen.envs.core.kernel import kernel\n\n"
        "@kernel\n"
        "def cost(cards):\n"
        "    return points(cards) + 1\n\n"
        "def fine(cards):\n"
        "    return cost(cards)\n"
    ),
    "apart.py": "OTHER = 1\n",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the kernel machinery with a few small modules, as package `baofen` of its own."""
    core = tmp_path / "baofen" / "envs" / "core"
    core.mkdir(parents=True)
    shutil.copytree(ROOT / "envs" / "compiling", core.parent / "compiling")
    shutil.copy(ROOT / "envs" / "core" / "kernel.py", core / "kernel.py")
    for folder in (core, core.parent):
        (folder / "__init__.py").touch()
    for name, source in SOURCES.items():
        (core / name).write_text(source, encoding="utf-8")
    return core


def ask(package: Path, **environment: str) -> tuple[tuple[int, int], list[str]]:
    """What the kernel says in a new process, how often its code came from the cache, and the lines on stderr."""
    root = package.parents[2]
    script = root / "ask.py"
    script.write_text(PRINTED.format(root=str(root)), encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if name != "BAOFEN_QUIET"}
    place = {"BAOFEN_CACHE_DIR": str(root / "cache"), "PYTHONPATH": _libraries(), "TMPDIR": str(root)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-S", str(script)],
        env={name: value for name, value in {**inherited, **place, **environment}.items() if value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    value, hits = done.stdout.split()
    return (int(value), int(hits)), done.stderr.splitlines()


def answer(package: Path) -> tuple[int, int]:
    return ask(package)[0]


def _libraries() -> str:
    """The folder of the installed packages; without site-packages' hooks, which know our own `baofen`."""
    import numba

    return str(Path(numba.__file__).parents[1])


def test_an_edit_anywhere_below_a_kernel_gives_the_new_answer(package: Path) -> None:
    assert answer(package) == (7, 0)
    assert answer(package) == (7, 1)
    (package / "amounts.py").write_text("FINE_POINTS = 5\n", encoding="utf-8")
    assert answer(package) == (11, 0)
    helper = package / "helper.py"
    helper.write_text(helper.read_text(encoding="utf-8").replace("* cards", "* cards * 2"), encoding="utf-8")
    assert answer(package) == (21, 0)
    (package / "apart.py").write_text("OTHER = 2\n", encoding="utf-8")
    assert answer(package) == (21, 1)


@pytest.fixture
def kept(package: Path) -> Path:
    """The folder of a cache in which the kernel's code lies."""
    assert answer(package) == (7, 0)
    return package.parents[2] / "cache"


def test_the_first_use_says_once_that_it_compiles(package: Path) -> None:
    _, (line,) = ask(package)
    assert line.startswith("baofen: compiling") and line.endswith(str(package.parents[2] / "cache"))
    assert ask(package) == ((7, 1), [])
    (package / "amounts.py").write_text("FINE_POINTS = 5\n", encoding="utf-8")
    assert ask(package, BAOFEN_QUIET="1") == ((11, 0), [])


@pytest.mark.parametrize(("suffix", "length"), [("nbi", 0), ("nbi", 40), ("nbc", 0), ("nbc", 200)])
def test_damaged_code_is_compiled_anew_with_one_line(package: Path, kept: Path, suffix: str, length: int) -> None:
    files = list(kept.rglob(f"*.{suffix}"))
    assert len(files) >= 2
    for file in files:
        file.write_bytes(file.read_bytes()[:length])
    found, (line,) = ask(package)
    assert found == (7, 0)
    assert line.startswith("baofen: compiled code in") and "is damaged" in line
    assert ask(package) == ((7, 1), [])


def test_code_of_older_sources_is_removed_when_nobody_has_asked_for_it_long(package: Path, kept: Path) -> None:
    (former,) = {path.parents[1] for path in kept.rglob("*.cost-*.nbc")}
    other = kept / "mine"
    other.mkdir()
    long_ago = time.time() - 15 * 24 * 60 * 60
    for folder in (former, other):
        os.utime(folder, (long_ago, long_ago))
    assert answer(package) == (7, 1)  # asked for: it is as new
    assert former.stat().st_mtime > long_ago + 1
    os.utime(former, (long_ago, long_ago))
    (package / "amounts.py").write_text("FINE_POINTS = 5\n", encoding="utf-8")
    assert answer(package) == (11, 0)
    assert other.is_dir() and not former.exists()


def test_new_folders_are_private(kept: Path) -> None:
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in (kept, *kept.iterdir())} == {0o700}


@pytest.mark.parametrize("mode", [0o755, 0o711, 0o700])
def test_a_folder_that_others_may_read_will_do(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(mode)
    monkeypatch.setenv("BAOFEN_CACHE_DIR", str(tmp_path))
    assert cache_root.__wrapped__() == tmp_path
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("mode", [0o775, 0o777, 0o1777])
def test_a_folder_that_others_may_write_is_refused(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shared, private = tmp_path / "shared", tmp_path / "private"
    for folder in (shared, private):
        folder.mkdir()
    shared.chmod(mode)
    monkeypatch.setenv("BAOFEN_CACHE_DIR", str(shared))
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    fresh = cache_root.__wrapped__()
    assert fresh.parent == private and stat.S_IMODE(fresh.stat().st_mode) == 0o700
    assert os.environ["BAOFEN_CACHE_DIR"] == str(fresh)  # for the processes that this one starts
    (line,) = capsys.readouterr().err.splitlines()
    assert str(shared) in line and "others may write there" in line


def test_nothing_is_run_from_where_others_may_write(package: Path, kept: Path) -> None:
    """What stands there is not even read, and the fresh folder is gone afterwards."""
    kept.chmod(0o777)
    before = sorted(package.parents[2].iterdir())
    found, (refused, compiling) = ask(package)
    assert found == (7, 0)
    assert str(kept) in refused and "compiling" in compiling
    assert sorted(package.parents[2].iterdir()) == before


def test_code_in_a_folder_below_that_others_may_write_is_made_anew(package: Path, kept: Path) -> None:
    for folder in kept.iterdir():
        folder.chmod(0o777)
    assert answer(package) == (7, 0)
    assert answer(package) == (7, 1)


def test_a_folder_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BAOFEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert cache_root.__wrapped__() != tmp_path
    assert "belongs to another user" in capsys.readouterr().err


def test_a_place_that_is_no_folder_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "a-file"
    place.touch()
    monkeypatch.setenv("BAOFEN_CACHE_DIR", str(place))
    assert cache_root.__wrapped__() != place
    told = capsys.readouterr().err
    assert str(place) in told and "cannot be made" in told


def test_neither_a_home_nor_an_entry_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("BAOFEN_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)

    def no_entry(number: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr(pwd, "getpwuid", no_entry)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert cache_root.__wrapped__().parent == tmp_path
    assert "there is no home folder" in capsys.readouterr().err
