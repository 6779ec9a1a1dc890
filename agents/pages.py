"""The table of agents in `docs/agents.md`, made from the registry: `make regenerate` writes it anew.

A test holds the committed page equal to what this module makes.
"""

import re

from baofen.agents.registry import BUILT_IN, NAMED_BY_NUMBER, NAMED_BY_POLICY, make_agent

OTHERS = {
    "BIDDER/PLAYER": "one agent exposes and calls, another names trump, buries and plays",
    "path/to/policy": "a folder with an exported policy, as training leaves them; an `mlp` needs torch",
    "KIND@path/to/policy": "one whose network is of a kind that another package brings",
    "module:Class": "a class of yours, made without arguments",
    "NAME": "an entry point of the group `baofen.agents`, from an installed package",
}
TABLE = re.compile(r"^\| name \|.*\n(?:\|.*\n)+", re.MULTILINE)


def agents_table() -> str:
    """Return the table of agents by name, of the built-in ones with whether they cheat."""
    rows = ["| name | what it is | cheats |", "| --- | --- | --- |"]
    for name, (_, meaning) in BUILT_IN.items():
        rows.append(_row(name, meaning, _yes(name)))
    for name, meaning in NAMED_BY_NUMBER.items():
        rows.append(_row(name, meaning, _yes(name.replace("N", "1"))))
    rows += [_row(name, meaning, "no") for name, meaning in NAMED_BY_POLICY.items()]
    for name, meaning in OTHERS.items():
        rows.append(_row(name, meaning, "if a part does" if name == "BIDDER/PLAYER" else "if it says so"))
    return "\n".join(rows) + "\n"


def _row(name: str, meaning: str, cheats: str) -> str:
    return f"| `{name}` | {meaning} | {cheats} |"


def _yes(name: str) -> str:
    return "yes" if make_agent(name).cheats else "no"


def with_table(page: str) -> str:
    """Return a page with the table of agents in it brought up to date.

    >>> with_table("| name | of old |\\n| --- |\\n\\nMore.").count("| name |")
    1
    """
    return TABLE.sub(lambda _: agents_table(), page, count=1)
