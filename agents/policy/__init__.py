"""Trained networks as agents. What tells a folder with a policy from others is here, where it loads nothing."""

import os
from pathlib import Path

FACTS_FILE = "policy.json"
"""The file that tells a folder with a policy from others."""
SHIPPED = Path(__file__).parent / "shipped"
"""Where the policies lie that come with this package, each in a folder of its name."""


def shipped_policies() -> dict[str, Path]:
    """Return the folders of the shipped policies by name."""
    return {path.parent.name: path.parent for path in sorted(SHIPPED.glob(f"*/{FACTS_FILE}"))}


def policy_folder(name: str) -> Path | None:
    """Return the folder of a policy by its path or, if it is shipped, by its name; None if there is none."""
    if os.path.isfile(os.path.join(name, FACTS_FILE)):
        return Path(name)
    return shipped_policies().get(name)
