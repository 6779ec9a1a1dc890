"""Importing what a command needs, at the moment it runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from baofen.training.errors import UserError


@contextmanager
def needing(purpose: str) -> Iterator[None]:
    """Where an import in the block misses a package of the [train] extra, say so in a sentence.

    Raises:
        UserError: with what to install.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "baofen":
            raise
        raise UserError(f"{purpose} needs {missing}; install it with: pip install 'baofen[train]'") from None
