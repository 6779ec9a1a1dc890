"""Importing what a command needs, at the moment it runs."""

import importlib
from typing import Any

from baofen.training.errors import UserError


def needed(module: str, purpose: str) -> Any:
    """The module, imported now; where a package of the [train] extra is missing, say so in a sentence."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "baofen":
            raise
        raise UserError(f"{purpose} needs {missing}; install it with: pip install 'baofen[train]'") from None
