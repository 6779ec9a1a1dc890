"""Where the time of training goes: `baofen speed --training-time`.

The functions that the runner and the learner call are wrapped in timers while this measures; nothing of it is in their
own code. A timed function that calls another is charged only for what it does itself.
"""

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch

from baofen.envs.vector import VectorTables
from baofen.training.selfplay import kernels, learner
from baofen.training.selfplay.baofen_game import baofen_game
from baofen.training.selfplay.build import algorithm_config
from baofen.training.selfplay.learner import SelfPlayLearner
from baofen.training.selfplay.local_ray import quieten_ray, store_without_cluster
from baofen.training.selfplay.matches import Matches
from baofen.training.selfplay.module import MaskedModule
from baofen.training.selfplay.players import Players
from baofen.training.selfplay.seating import Seating
from baofen.training.speed.grid import Grid
from baofen.training.speed.train_rate import comparable_config, decisions_learned

REST = "the rest"
TIMED: dict[str, list[tuple[Any, str]]] = {
    "stepping": [(VectorTables, "step")],
    "observing": [(VectorTables, "observe"), (VectorTables, "mask")],
    "forward passes to play": [(Players, "answer")],
    "choosing": [(kernels, "choose"), (kernels, "raw_actions")],
    "moving data": [
        *((kernels, "group_rows"), (kernels, "rename_rows"), (Seating, "slots")),
        *((Matches, "remember"), (Matches, "credit"), (Matches, "finish")),
        *((SelfPlayLearner, "_tensors"), (learner, "_select")),
    ],
    "learning: forward": [(MaskedModule, "_forward_train")],
    "learning: loss": [(SelfPlayLearner, "compute_losses")],
    "learning: backward": [(torch.Tensor, "backward")],
    "learning: optimiser": [(SelfPlayLearner, "_gradient_step"), (torch.optim.Adam, "step")],
}
"""Part -> functions whose time it is, each as what holds it and its name there."""


class Stopwatch:
    """CPU-seconds by part, each moment charged to the innermost part that runs."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._running = [REST]
        self._since = time.process_time()

    def turn(self) -> None:
        """Charge the time since the last turn to the part that runs."""
        now = time.process_time()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same and is charged to a part."""

        def wrapped(*arguments: Any, **named: Any) -> Any:
            self.turn()
            self._running.append(part)
            try:
                return function(*arguments, **named)
            finally:
                self.turn()
                self._running.pop()

        return wrapped

    @contextmanager
    def on(self, timed: dict[str, list[tuple[Any, str]]]) -> Iterator[None]:
        """Wrap the functions of some parts, and put them back."""
        before = [(owner, name, getattr(owner, name)) for places in timed.values() for owner, name in places]
        try:
            for part, places in timed.items():
                for owner, name in places:
                    setattr(owner, name, self.timed(part, getattr(owner, name)))
            yield
        finally:
            for owner, name, function in before:
                setattr(owner, name, function)


def measured_training_time(iterations: int = 3, **sizes: Any) -> dict[str, float]:
    """Return microseconds of CPU time for each decision that is learned from, by part; together they are all of it.

    sizes: fields of `SamplingConfig` that differ from the layer `train`.
    """
    print("measuring where the time of training goes", file=sys.stderr, flush=True)
    quieten_ray()
    store_without_cluster()
    torch.set_num_threads(1)
    config = comparable_config()
    config = replace(config, sampling=replace(config.sampling, **sizes))
    game = baofen_game(config)
    watch = Stopwatch()
    if game.points_at_stake is not None:
        game = replace(game, points_at_stake=watch.timed("stepping", game.points_at_stake))
    with tempfile.TemporaryDirectory() as scratch:
        algorithm = algorithm_config(config, game, scratch).build_algo()
        before = decisions_learned(algorithm.train())
        with watch.on(TIMED):
            watch.turn()
            watch.seconds.clear()
            for _ in range(iterations):
                result = algorithm.train()
            watch.turn()
        done = decisions_learned(result) - before
        algorithm.stop()
    return {part: round(1e6 * watch.seconds[part] / done, 3) for part in (*TIMED, REST)}


def training_time_grid(microseconds: dict[str, float]) -> Grid:
    """Return the table of parts."""
    total = sum(microseconds.values())
    grid = Grid({"part": False, "microseconds a decision": True, "share": True})
    grid.rows += [(part, f"{spent:.2f}", f"{100 * spent / total:.1f} %") for part, spent in microseconds.items()]
    grid.rows.append(("all", f"{total:.2f}", "100 %"))
    return grid
