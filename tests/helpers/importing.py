"""What the files of the rooms import, wherever in them: only what stands under `if TYPE_CHECKING` is left out."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from places import ROOT

ROOMS = ("envs", "agents", "training", "configs")


def sources(*folders: str) -> list[Path]:
    """The Python files below some folders of the repository; in `scripts` those without a suffix as well."""
    found = {path for folder in folders for path in (ROOT / folder).rglob("*.py")}
    if "scripts" in folders:
        found |= {path for path in (ROOT / "scripts").iterdir() if path.is_file() and _is_python(path)}
    return sorted(found)


def _is_python(path: Path) -> bool:
    return path.suffix == ".py" or "python" in path.read_text(encoding="utf-8").partition("\n")[0]


def module_of(path: Path) -> str:
    """The name that a file of a room is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("baofen", *(parts[:-1] if parts[-1] == "__init__" else parts)))


@cache
def modules() -> dict[str, Path]:
    """The files of the rooms, by the names they are imported by."""
    return {module_of(path): path for path in sources(*ROOMS)}


@cache
def named_in_texts(path: Path) -> tuple[str, ...]:
    """The modules of ours that stand in a file as texts, by which something may import them.

    Descriptions are left out, and groups of entry points, which may be called as a room is.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    described = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ENTRY_POINTS")
    }
    texts = [node.value for node in _nodes(tree) if isinstance(node, ast.Constant) and id(node) not in described]
    named = [text.partition(":")[0] for text in texts if isinstance(text, str)]
    return tuple(name for name in named if name in modules())


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """The modules that a file imports, ours by the name of the file."""
    return tuple(name for node in _nodes(ast.parse(path.read_text(encoding="utf-8"))) for name in _imported(node))


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All of a tree but what only checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        yield node
        yield from _nodes(node)


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            submodule = f"{node.module}.{alias.name}"
            yield submodule if submodule in modules() or node.module == "baofen" else node.module or ""
