"""YAML read strictly, and written so that reading gives the same values back.

Read is the core of YAML 1.2: `3e-4` is a number, `yes` and `2026-01-01` are words, and a key stands once.
"""

import re
from collections.abc import Hashable, Iterator
from typing import Any

import yaml

Plain = Any
"""What a file can say: a dict, a list, a word, a number, true, false or null."""

MAX_DEPTH = 20
MAX_CHARACTERS = 100_000
MAX_VALUES = 10_000
"""Values in a text, those that stand for others counted each time."""
MAX_DIGITS = 300

_WORDS: dict[str, Plain] = {"null": None, "~": None, "": None, "true": True, "false": False}
_INTEGER = re.compile(r"[-+]?[0-9][0-9_]*")
_NUMBER = re.compile(r"[-+]?([0-9][0-9_]*\.?[0-9_]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_INFINITE = {".inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}


class TextError(Exception):
    """The text is not YAML that a configuration can use: where, and why."""

    def __init__(self, faults: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(message for _, message in faults))
        self.faults = faults
        """Each fault as (dotted key, message)."""


def scalar(text: str) -> Plain:
    """The value that an unquoted word stands for.

    >>> [scalar(word) for word in ("3e-4", "65_536", "2.", "true", "null", "on", "256x")]
    [0.0003, 65536, 2.0, True, None, 'on', '256x']
    """
    if text in _WORDS:
        return _WORDS[text]
    if text.lower() in _INFINITE:
        return _INFINITE[text.lower()]
    if len(text) > MAX_DIGITS:
        return text
    if _INTEGER.fullmatch(text):
        return int(text.replace("_", ""))
    if _NUMBER.fullmatch(text):
        return float(text.replace("_", ""))
    return text


def read(text: str) -> tuple[Plain, list[tuple[str, str]]]:
    """The value of a text, and its repeated or unusable keys as (dotted key, message); the first of two counts."""
    faults: list[tuple[str, str]] = []
    if len(text) > MAX_CHARACTERS:
        raise TextError([("", f"longer than {MAX_CHARACTERS} characters")])
    try:
        node = yaml.compose(text, Loader=yaml.BaseLoader)
        value = None if node is None else _value(node, (), faults, [0])
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise TextError([("", f"{where}{error.problem or error.context}")]) from None
    except yaml.YAMLError as error:
        raise TextError([("", " ".join(str(error).split()))]) from None
    except RecursionError:
        raise TextError([("", f"nested deeper than {MAX_DEPTH} levels")]) from None
    return value, faults


def write(value: Plain) -> str:
    """The value as YAML, keys in their order."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, default_flow_style=None, width=100)


def dotted(path: tuple[Hashable, ...]) -> str:
    """`learning.clip` for ("learning", "clip"), `network.hidden_sizes[1]` for a place in a list."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def flat(value: Plain, path: tuple[Hashable, ...] = ()) -> dict[str, Plain]:
    """The innermost values by their dotted keys.

    >>> flat({"learning": {"clip": 0.2}, "seed": 1})
    {'learning.clip': 0.2, 'seed': 1}
    """
    if not isinstance(value, dict) or not value:
        return {dotted(path): value}
    return {key: inner for name, child in value.items() for key, inner in flat(child, (*path, name)).items()}


def _value(node: yaml.Node, path: tuple[Hashable, ...], faults: list[tuple[str, str]], num_values: list[int]) -> Plain:
    num_values[0] += 1
    if num_values[0] > MAX_VALUES:
        raise TextError([("", f"more than {MAX_VALUES} values, those that stand for others counted each time")])
    if len(path) > MAX_DEPTH:
        raise RecursionError
    if isinstance(node, yaml.MappingNode):
        return dict(_pairs(node, path, faults, num_values))
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, (*path, i), faults, num_values) for i, child in enumerate(node.value)]
    quoted = isinstance(node, yaml.ScalarNode) and node.style is not None
    return node.value if quoted else scalar(node.value)


def _pairs(
    node: yaml.MappingNode, path: tuple[Hashable, ...], faults: list[tuple[str, str]], num_values: list[int]
) -> Iterator[tuple[str, Plain]]:
    first_line: dict[str, int] = {}
    for key_node, child in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            faults.append((dotted(path), f"line {line}: a key must be a word"))
            continue
        key = key_node.value
        if key in first_line:
            faults.append((dotted((*path, key)), f"stands twice, in lines {first_line[key]} and {line}"))
            continue
        first_line[key] = line
        yield key, _value(child, (*path, key), faults, num_values)


class _Dumper(yaml.SafeDumper):
    """Writes a word in quotes where `scalar` would take it for something else."""


def _write_word(dumper: yaml.SafeDumper, word: str) -> yaml.ScalarNode:
    style = None if scalar(word) == word and isinstance(scalar(word), str) else "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", word, style=style)


_Dumper.add_representer(str, _write_word)
