"""numba's cache of one function, that heals when its files are damaged and says when something is compiled."""

import os
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache

from baofen.envs.compiling.cache_folders import tell

QUIET = "BAOFEN_QUIET"
"""Variable of the environment: if it is set, nothing says that something is compiled."""


class KeptFunction(FunctionCache):
    """Compiled code of one function on disk, by the types of its arguments."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature, None if it has to be compiled."""
        folder = Path(self.cache_path)
        try:
            code = super().load_overload(sig, target_context)
        except Exception as error:  # noqa: BLE001 - unpickling a file cut short may raise anything
            reason = f"{type(error).__name__}: {error}"[:200]
            _tell_once("damaged", f"compiled code in {folder} is damaged ({reason}); what is damaged is compiled anew")
            self.flush()
            return None
        if code is None and not any(folder.glob("*.nbc")) and QUIET not in os.environ:
            _tell_once("compiling", f"compiling for this machine, up to a minute, once; kept in {folder.parents[1]}")
        return code

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature; if the disk will not have it, say so and go on without."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            line = f"compiled code cannot be kept in {self.cache_path} ({error.strerror}): the next start compiles it again"
            _tell_once("unkept", line)


_told: set[str] = set()


def _tell_once(kind: str, line: str) -> None:
    """Say one line of a kind a process."""
    if kind not in _told:
        tell(line)
    _told.add(kind)
