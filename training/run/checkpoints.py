"""Checkpoints of a run: whole or absent, whatever happens while one is written or removed.

    RUN/checkpoints/000025/rllib/               RLlib's checkpoint: weights, optimisers, counters, league
    RUN/checkpoints/000025/policy.safetensors   the policy as an agent (with policy.json)
    RUN/checkpoints/000025/training.json        how far training had come

A checkpoint is written under another name and renamed when all of it is on the disk; one that is removed is renamed
first. So a folder with a number for a name is a whole checkpoint.
"""

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

CHECKPOINTS = "checkpoints"
PROGRESS_FILE = "training.json"
_WHOLE = re.compile(r"[0-9]{6,}")
_UNFINISHED = "unfinished-"


@dataclass(frozen=True)
class Progress:
    """How far a run has come, all sittings together."""

    iterations: int = 0
    decisions: int = 0
    """Decisions that were learned from, each counted once."""
    deals: int = 0
    seconds: float = 0.0
    """Of training, without start-up."""


class Checkpoints:
    """The checkpoints of one run folder, of which the newest `keep` stay."""

    def __init__(self, run_dir: Path, keep: int) -> None:
        self._folder = run_dir / CHECKPOINTS
        self._keep = keep

    def whole(self) -> list[Path]:
        """Return the checkpoints there are, oldest first."""
        if not self._folder.is_dir():
            return []
        found = [path for path in self._folder.iterdir() if _WHOLE.fullmatch(path.name)]
        return sorted(found, key=lambda path: int(path.name))

    def last(self) -> Path | None:
        """Return the newest checkpoint, or None."""
        return next(reversed(self.whole()), None)

    def save(self, progress: Progress, write: Callable[[Path], None]) -> Path:
        """Write a checkpoint and return its folder; `write` fills the folder it is given, progress comes on top."""
        final = self._folder / f"{progress.iterations:06d}"
        if final.exists():
            return final
        unfinished = self._folder / f"{_UNFINISHED}{final.name}"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        write(unfinished)
        (unfinished / PROGRESS_FILE).write_text(json.dumps(asdict(progress)) + "\n", encoding="utf-8")
        _to_disk(unfinished)
        unfinished.rename(final)
        _sync(self._folder)
        for old in self.whole()[: -self._keep]:
            self._remove(old)
        return final

    def clean(self) -> None:
        """Remove what an interrupted run left half written or half removed."""
        if self._folder.is_dir():
            for path in self._folder.glob(f"{_UNFINISHED}*"):
                shutil.rmtree(path)

    def _remove(self, checkpoint: Path) -> None:
        doomed = checkpoint.with_name(f"{_UNFINISHED}{checkpoint.name}")
        checkpoint.rename(doomed)
        shutil.rmtree(doomed)


def progress_of(checkpoint: Path) -> Progress:
    """Return how far training had come at a checkpoint."""
    return Progress(**json.loads((checkpoint / PROGRESS_FILE).read_text(encoding="utf-8")))


def _to_disk(folder: Path) -> None:
    """Have the system write everything below a folder, so that a power cut after the rename loses nothing."""
    for root, _, files in os.walk(folder):
        for name in files:
            _sync(Path(root) / name)
        _sync(Path(root))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
