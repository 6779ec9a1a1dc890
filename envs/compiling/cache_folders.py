"""The folders that compiled kernels are kept in: named by the sources they were made from, and this user's alone.

numba's own cache looks only at the file that holds a function, so an edit of a helper or a constant in another file
would go on giving the old answer. Here each module's kernels are cached in a folder named by a hash of the sources
of that module and of all modules of ours that it imports, directly or not. An edit of any of them gives a fresh
folder; an edit elsewhere leaves the cache warm. What lies in such a folder is run, so others must not write there.
"""

import atexit
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numba

CHOSEN = "BAOFEN_CACHE_DIR"
OLD_DAYS = 14
"""Compiled code that no process has asked for in so many days is removed."""
_DAY_SECONDS = 24 * 60 * 60

_ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds envs/ and agents/ (or, in a wheel, the folder `baofen`)."""
_IMPORT = re.compile(r"^from (baofen[\w.]*) import (\([^)]*\)|[^\n]*)|^import (baofen[\w.]*)", re.MULTILINE)
_NAMED_BY_DIGEST = re.compile(r"[0-9a-f]{20}")


@cache
def _source(module: str) -> Path | None:
    """Return the file of a module of ours, None if the name is not one (but a function in one, or foreign)."""
    if not module.startswith("baofen."):
        return None
    path = _ROOT.joinpath(*module.split(".")[1:])
    if path.is_dir():
        return path / "__init__.py"
    path = path.with_suffix(".py")
    return path if path.exists() else None


def _imports(text: str) -> Iterator[str]:
    """Yield the modules of ours that a source imports."""
    for origin, names, whole in _IMPORT.findall(text):
        if whole:
            yield whole
            continue
        for name in re.findall(r"\w+", re.sub(r"\bas \w+", "", names)):
            submodule = f"{origin}.{name}"
            yield submodule if _source(submodule) is not None else origin


@cache
def _read(module: str) -> str:
    path = _source(module)
    return "" if path is None else path.read_text(encoding="utf-8")


@cache
def _imports_of(module: str) -> list[str]:
    return list(_imports(_read(module)))


def source_closure(text: str) -> list[str]:
    """Return the modules of ours that a source imports, directly or not, by name."""
    closure: set[str] = set()
    waiting = list(_imports(text))
    while waiting:
        name = waiting.pop()
        if name not in closure:
            closure.add(name)
            waiting.extend(_imports_of(name))
    return sorted(closure)


@cache
def cache_folder(path: str) -> str:
    """Return the folder for the compiled functions of a source file, named by all the sources they are made of.

    Named by how numba compiles as well: its own cache would hand out code without bounds checks where they are asked for.
    """
    file = Path(path)
    text = file.read_text(encoding="utf-8") if file.exists() else path  # typed in: it has no file
    made_by = f"{numba.__version__}\0{numba.config.BOUNDSCHECK}"
    digest = hashlib.sha256(f"{made_by}\0{path}\0{text}".encode())
    for name in source_closure(text):
        digest.update(f"\0{name}\0{_read(name)}".encode())
    folder = cache_root() / digest.hexdigest()[:20]
    _make_ready(folder)
    return str(folder)


def _make_ready(folder: Path) -> None:
    """Have a folder below the root that only this user can write, and note that it is in use."""
    if folder.is_dir() and _why_not(folder):  # made when files of this user were open to others
        shutil.rmtree(folder)
    if not folder.is_dir():
        folder.mkdir(mode=0o700, exist_ok=True)
        _remove_old(folder.parent)
    elif time.time() - folder.stat().st_mtime > _DAY_SECONDS:
        os.utime(folder)


@cache
def _remove_old(root: Path) -> None:
    """Remove what older sources were compiled to, once a process."""
    for folder in root.iterdir():
        if _NAMED_BY_DIGEST.fullmatch(folder.name) and time.time() - folder.stat().st_mtime > OLD_DAYS * _DAY_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)  # another process may be removing it as well


@cache
def cache_root() -> Path:
    """Return the folder of all compiled code: `BAOFEN_CACHE_DIR`, or `baofen` in the user's cache folder.

    It must be this user's, and nobody else may write there: what is found there is run. Otherwise stderr says so in
    a line, and a fresh private folder serves this process and those it starts, and is removed at its end.
    """
    folder = _wanted_root()
    why_not = "there is no home folder" if folder is None else _made_and_ours(folder)
    if folder is not None and not why_not:
        return folder
    fresh = Path(tempfile.mkdtemp(prefix="baofen-"))
    tell(
        f"compiled code is not kept in {folder or 'the cache folder'}: {why_not}; it goes to {fresh} for this time only"
    )
    os.environ[CHOSEN] = str(fresh)
    atexit.register(_remove_at_the_end, fresh, os.getpid())
    return fresh


def _wanted_root() -> Path | None:
    """Return the folder to use if it may be used; None if nobody knows where the user's cache folder is."""
    chosen = os.environ.get(CHOSEN)
    if chosen:
        return Path(chosen).absolute()
    user = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(user).absolute() if user else Path.home() / ".cache") / "baofen"
    except RuntimeError:  # neither HOME nor an entry in the list of users
        return None


def _made_and_ours(folder: Path) -> str:
    """Return why a folder, made if it is missing, is not one to keep compiled code in; empty if it is."""
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    except OSError as error:
        return f"it cannot be made ({error.strerror})"
    return _why_not(folder) or ("" if os.access(folder, os.W_OK | os.X_OK) else "it cannot be written")


def _why_not(folder: Path) -> str:
    """Return why what lies in a folder is not to be trusted; empty if it is."""
    if not hasattr(os, "getuid"):  # Windows keeps users apart by other means
        return ""
    status = folder.stat()
    if status.st_uid != os.getuid():
        return "it belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others may write there (chmod go-w would do)"
    return ""


def _remove_at_the_end(folder: Path, process: int) -> None:
    if os.getpid() == process:  # not in one that was forked from it
        shutil.rmtree(folder, ignore_errors=True)


def tell(line: str) -> None:
    """Say something on stderr in one line."""
    if sys.stderr is not None:
        print(f"baofen: {line}", file=sys.stderr, flush=True)
