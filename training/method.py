"""What the training loop needs of a way to learn, so that another one can take its place.

The loop (`training.run.loop`) keeps time, limits, curves, evaluations and checkpoints; a method plays and learns. Which
one is named by `method` of the configuration (`training.run.methods`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from baofen.training.config import TrainConfig


@dataclass(frozen=True)
class Assignment:
    """What a method is to learn.

    Attributes:
        config: of the run, all of it.
        scratch: folder that it may make and use; it is removed at the end of the sitting.
        game: what is played, for a method that can play other games; None for `config.game`.
    """

    config: TrainConfig
    scratch: Path
    game: Any = None


@dataclass(frozen=True)
class Iteration:
    """What an iteration has come to; counts are of the whole run, all sittings together.

    Attributes:
        iterations: done so far.
        decisions: learned from so far, each counted once.
        deals: played so far.
        seconds: of wall time that this iteration took.
        figures: points of the curves, by their names in TensorBoard.
        calls: how often each call was made, by label, for the histogram of calls.
    """

    iterations: int
    decisions: int
    deals: int
    seconds: float
    figures: Mapping[str, float]
    calls: Mapping[str, float] = field(default_factory=dict)


class Method(Protocol):
    """Learns by iterations, and can be saved and restored between two of them."""

    def iterate(self, share_done: float) -> Iteration:
        """Play and learn for one iteration.

        share_done: how much of the run is behind us by its limits, 0 .. 1, for whatever falls with time.

        Raises:
            NotFiniteError: as soon as what is learned is no number any more.
        """

    def arrays(self) -> Iterable[tuple[str, NDArray[Any]]]:
        """Return all weights, each with a name: nothing is saved while one of them is not finite."""

    def save(self, folder: Path) -> None:
        """Write what `restore` needs into an unfinished checkpoint, in files of its own."""

    def restore(self, folder: Path) -> None:
        """Take over what `save` wrote; fields of the present configuration are in force from the next iteration.

        Any error is told as a checkpoint that cannot be read.
        """

    def export(self, folder: Path, progress: Mapping[str, Any]) -> None:
        """Write the present policy, as agents play it, into an existing folder."""

    def stop(self) -> None:
        """End its processes."""


MakeMethod = Callable[[Assignment], Method]


class NotFiniteError(ArithmeticError):
    """Something learned is not finite; the message says what."""


def check_finite(arrays: Iterable[tuple[str, NDArray[Any]]]) -> None:
    """Raise NotFiniteError naming the first array that holds a number that is not finite."""
    for name, array in arrays:
        values = np.asarray(array)
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise NotFiniteError(f"the weights {name}")
