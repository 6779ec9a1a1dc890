"""Names of agents and training: none is left over, and none says again what a name of the game says already."""

import ast
import importlib
import tomllib
from collections.abc import Iterator
from pathlib import Path

from places import ROOT

ROOMS = ("agents", "training")
LOOKS_UP = ("_game", "_trained")
"""Functions of `baofen.training.speed.layers` that find another by its name, in a module imported when it is wanted."""
VOCABULARY = ("baofen.envs.cards", "baofen.envs.core.dtypes")


def sources() -> list[Path]:
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def names_of(path: Path) -> set[str]:
    """What a module defines at its top level."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            found.update(inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name))
    return found


def uses_of(source: str) -> Iterator[str]:
    """What a module reads: names and attributes; a definition, an import or a word in a text is no use."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in LOOKS_UP:
            yield from (str(word.value) for word in node.args if isinstance(word, ast.Constant))


def entered() -> set[str]:
    """What installed commands and entry points name: `module:function`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project.get("scripts", {}), project.get("gui-scripts", {}), *project.get("entry-points", {}).values()]
    return {target.rpartition(":")[2] for group in groups for target in group.values()}


def test_every_name_is_used_somewhere() -> None:
    used = entered()
    for folder in ("agents", "envs", "notebooks", "scripts", "tests", "training"):
        for path in (ROOT / folder).rglob("*.py"):
            used.update(uses_of(path.read_text(encoding="utf-8")))
    assert [
        f"{path.relative_to(ROOT)}: {name}" for path in sources() for name in names_of(path) - used - {"__all__"}
    ] == []


def test_a_word_in_a_text_is_no_use() -> None:
    source = "from there import imported\nmade = 1\ndef f(): 'described'\n# remarked\nx = 'quoted'\nread.attribute()"
    assert set(uses_of(source)) == {"read", "attribute"}


def test_the_words_of_the_game_are_imported_not_defined_again() -> None:
    vocabulary = {
        name: value
        for module in map(importlib.import_module, VOCABULARY)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int | str | tuple)
    }
    again = []
    for path in sources():
        for name in vocabulary.keys() & names_of(path):
            module = importlib.import_module("baofen." + ".".join(path.relative_to(ROOT).with_suffix("").parts))
            if getattr(module, name) == vocabulary[name]:
                again.append(f"{path.relative_to(ROOT)}: {name}")
    assert again == []
