"""What has been played, on disk: a file for each lineup on each chunk of deals, so that a bench can be continued.

The folder also holds what was played (`setup.json`); games are only continued under the same setup by the same agents.
More deals may be asked for than before.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from baofen.envs.core.dtypes import RESULT
from baofen.envs.render.printable import printable
from baofen.envs.writing import replace_text, replacing
from baofen.training.arena.contestants import Contestant
from baofen.training.arena.matches import Chunk, Lineup, Played, Setup
from baofen.training.arena.play import AgentFault
from baofen.training.errors import UserError

SETUP = "setup.json"
CHUNKS = "chunks"


class Memory:
    """Finished units of work, as long as the process lives."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Lineup, Chunk], Played] = {}

    def get(self, lineup: Lineup, chunk: Chunk) -> Played | None:
        """Return what was played of a lineup on a chunk, if it was."""
        return self._kept.get((lineup, chunk))

    def put(self, lineup: Lineup, chunk: Chunk, played: Played) -> None:
        """Keep what was played."""
        self._kept[lineup, chunk] = replace(played, faults=[replace(fault) for fault in played.faults])


class Store:
    """Finished units of work in a folder."""

    def __init__(self, folder: Path, setup: Setup, cast: Sequence[Contestant], *, records: bool, resume: bool) -> None:
        """Open the folder, made if need be.

        Raises:
            UserError: if games lie there that are not to be continued, or are of another setup.
        """
        self._folder = folder / CHUNKS
        self._labels = [one.label for one in cast]
        facts = setup_facts(setup, self._labels, records)
        path = folder / SETUP
        if resume and path.exists():
            _demand_same(_read_setup(path), facts, folder)
        elif self._folder.exists() and any(self._folder.iterdir()):
            raise UserError(f"{folder} holds a comparison: go on with --resume, or choose another folder")
        self._folder.mkdir(parents=True, exist_ok=True)
        replace_text(path, json.dumps(facts, indent=1) + "\n")

    def get(self, lineup: Lineup, chunk: Chunk) -> Played | None:
        """Return what was played of a lineup on a chunk, if it was.

        Raises:
            UserError: if its file is damaged.
        """
        path = self._path(lineup, chunk)
        if not path.exists():
            return None
        try:
            with path.open("rb") as file, np.load(file) as parts:
                faults = [AgentFault(**fault) for fault in json.loads(str(parts["faults"]))]
                return Played(as_results(parts["outcomes"]), faults, json.loads(str(parts["records"])))
        except (OSError, EOFError, BadZipFile, zlib.error, ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"{path} is damaged ({printable(error, 200)}); without it --resume plays it again"
            ) from None

    def put(self, lineup: Lineup, chunk: Chunk, played: Played) -> None:
        """Keep what was played, whole or not at all."""
        path = self._path(lineup, chunk)
        faults = json.dumps([asdict(fault) for fault in played.faults])
        records = json.dumps(played.records)
        with replacing(path) as beside:
            np.savez_compressed(beside, outcomes=played.outcomes, faults=np.array(faults), records=np.array(records))

    def _path(self, lineup: Lineup, chunk: Chunk) -> Path:
        seat = "declarer" if lineup.seat is None else f"seat{lineup.seat}"
        name = f"{lineup.alone}-{seat}-against-{lineup.others}-deals-{chunk.first}-{chunk.first + chunk.count - 1}.npz"
        return self._folder / name


def as_results(kept: NDArray[np.void]) -> NDArray[np.void]:
    """Return outcomes, RESULT [n], from what may have been kept by a version that had fewer fields."""
    results = np.zeros(len(kept), RESULT)
    for name in kept.dtype.names or ():
        results[name] = kept[name]
    return results


def setup_facts(setup: Setup, labels: Sequence[str], records: bool) -> dict[str, Any]:
    """Return what decides the games, but for the number of deals."""
    return {
        "agents": list(labels),
        "rules": setup.rules,
        "options": dict(setup.options),
        "contracts": setup.contracts,
        "reference": setup.reference.label,
        "seed": setup.seed,
        "split": setup.split,
        "records": records,
    }


def _read_setup(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(
            f"{path} is damaged ({printable(error, 200)}): nobody knows what was played; take another folder"
        ) from None
    if not isinstance(facts, dict):
        raise UserError(f"{path} is damaged (no object): nobody knows what was played; take another folder")
    return facts


def _demand_same(before: dict[str, Any], now: dict[str, Any], folder: Path) -> None:
    changed = [
        f"{name} was {before.get(name)!r}, not {value!r}" for name, value in now.items() if before.get(name) != value
    ]
    if changed:
        raise UserError(f"cannot continue in {folder}: {'; '.join(changed)}")
