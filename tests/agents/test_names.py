"""Names of agents and training: none is left over, and none says again what a name of the game says already."""

import ast
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("agents", "training")
VOCABULARY = ("baofen.envs.cards", "baofen.envs.core.state")
TEXTS = (".py", ".md", ".toml", ".ipynb", ".yaml")


def sources() -> list[Path]:
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def names_of(path: Path) -> Iterator[str]:
    """What a module defines at its top level."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            yield from (inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name))


def test_every_name_is_used_somewhere() -> None:
    words: Counter[str] = Counter()
    for folder in ("agents", "configs", "docs", "envs", "notebooks", "tests", "training", "."):
        for path in (ROOT / folder).glob("*" if folder == "." else "**/*"):
            if path.suffix in TEXTS and path.is_file():
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    assert [
        f"{path.relative_to(ROOT)}: {name}" for path in sources() for name in names_of(path) if words[name] < 2
    ] == []


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
