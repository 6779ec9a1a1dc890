"""The training loop: iterations of self-play, with evaluations, curves and checkpoints, until a limit is reached.

A run can be killed at any moment and resumed: it goes on at its last whole checkpoint, and its counters continue.
"""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any, Self

# Before Ray is imported: it would otherwise ask whether it may report, and start threads that fight for cores.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")

from baofen.training.config import TrainConfig
from baofen.training.errors import UserError
from baofen.training.method import Assignment, NotFiniteError, check_finite
from baofen.training.run.checkpoints import Checkpoints, Progress, progress_of
from baofen.training.run.finite import holds_finite_weights
from baofen.training.run.folders import is_at_limit, share_done
from baofen.training.run.methods import make_method, method_factory
from baofen.training.run.progress import Board, ProgressLine, evaluation_figures

Rows = Sequence[Mapping[str, Any]]
Evaluate = Callable[[Path], Rows]
"""From a folder with a policy to rows of differences, as in the arena's `results.json`."""

__all__ = ["Outcome", "StopRequestedError", "method_factory", "train"]
SCRATCH = "scratch"


@dataclass(frozen=True)
class Outcome:
    """What a sitting has come to."""

    progress: Progress
    checkpoint: Path
    """The last one; it is also a policy folder."""


class StopRequestedError(KeyboardInterrupt):
    """Training was interrupted, after a checkpoint was saved."""


def train(
    config: TrainConfig,
    run_dir: Path,
    resume: bool = False,
    evaluate: Evaluate | None = None,
    game: Any = None,
) -> Outcome:
    """Train until a limit of `config.stopping` is reached.

    Args:
        config: the resolved configuration; the run folder already has it.
        run_dir: the run folder; nothing is written elsewhere.
        resume: go on at the last checkpoint of the folder.
        evaluate: judges a policy folder, every `config.evaluation.every_iterations`; None leaves that out.
        game: what to play; None plays `config.game`.

    Raises:
        StopRequestedError: after Ctrl-C, once a checkpoint is saved.
        UserError: if what is learned is no number any more: nothing of it is saved, and no checkpoint goes.
    """
    run_dir = Path(run_dir)
    assignment = Assignment(config, run_dir / SCRATCH, game)
    with _Sitting(assignment, run_dir, resume, evaluate) as sitting:
        return sitting.run()


class _Sitting:
    """One process's part of a run."""

    def __init__(self, assignment: Assignment, run_dir: Path, resume: bool, evaluate: Evaluate | None) -> None:
        self._config: TrainConfig = assignment.config
        self._evaluate, self._run_dir, self._scratch = evaluate, run_dir, assignment.scratch
        self._checkpoints = Checkpoints(run_dir, self._config.checkpoints.keep)
        self._checkpoints.clean()
        last = self._checkpoints.last() if resume else None
        if last and not holds_finite_weights(last):
            raise UserError(f"{last} holds weights that are not finite; {self._way_out(last)}")
        self._line = ProgressLine(self._config.stopping.minutes)
        self._stop_requested = False
        self._evaluation: dict[str, float] = {}
        self.progress = progress_of(last) if last else Progress()
        self._iteration = self.progress.iterations
        self._method = make_method(assignment)
        if last:
            self._restore(last)
            self._line.say(f"resumed at {last}: {self.progress.decisions} decisions learned from")
        elif resume:
            self._line.say("no checkpoint yet: starting anew")
        self._board = Board(run_dir, self.progress)

    def _restore(self, last: Path) -> None:
        """Take over all that a checkpoint holds."""
        try:
            self._method.restore(last)
        except Exception as error:  # whatever a damaged file makes of pickle and Ray
            reason = f"{type(error).__name__}: {error}"
            raise UserError(f"{last} cannot be read ({reason}); {self._way_out(last)}") from error
        try:
            check_finite(self._method.arrays())
        except NotFiniteError as error:
            raise UserError(f"{last}: {error} are not finite; {self._way_out(last)}") from None

    def _way_out(self, bad: Path) -> str:
        """What to do about the last checkpoint, which cannot be used."""
        earlier = [path for path in self._checkpoints.whole() if path != bad]
        if not earlier:
            return "it is the only one"
        while earlier and not holds_finite_weights(earlier[-1]):
            earlier.pop()
        if not earlier:
            return "nor do those before it hold finite weights"
        doomed = [path.name for path in self._checkpoints.whole() if int(path.name) > int(earlier[-1].name)]
        return f"remove {'it' if len(doomed) == 1 else ' and '.join(doomed)} to go on from {earlier[-1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._board.close()
        self._method.stop()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def run(self) -> Outcome:
        """Iterate until a limit or a request to stop; a checkpoint is the last thing done."""
        self._began, self._seconds_before = time.perf_counter(), self.progress.seconds
        iterations_before = self.progress.iterations
        with self._stop_on_signals():
            try:
                while not self._stop_requested and not is_at_limit(self._config.stopping, self.progress):
                    self._iterate()
                checkpoint = self._save()
            except NotFiniteError as error:
                raise UserError(self._broken(error)) from None
        if self._stop_requested:
            self._line.say(f"interrupted; saved {checkpoint}; go on with --resume {self._run_dir}")
            raise StopRequestedError
        if self.progress.iterations == iterations_before:
            self._line.say("nothing was learned: the run is at its limit already; give a higher --stopping limit")
        self._line.say(f"finished; saved {checkpoint}")
        return Outcome(self.progress, checkpoint)

    def _iterate(self) -> None:
        """One iteration and what is due after it."""
        self._iteration = self.progress.iterations + 1
        done = self._method.iterate(share_done(self._config.stopping, self.progress))
        check_finite(self._method.arrays())
        self.progress = replace(self.progress, iterations=done.iterations, decisions=done.decisions, deals=done.deals)
        figures = {
            **done.figures,
            "progress/iterations": float(done.iterations),
            "progress/deals": float(done.deals),
        }
        self._board.write(figures, done.decisions)
        self._board.write_calls(done.calls, done.decisions)
        if self._evaluate and self._is_due(self._config.evaluation.every_iterations):
            self._judge(self._evaluate)
        # Evaluations and checkpoints are part of the time, or a five-minute run would take six.
        self.progress = replace(self.progress, seconds=self._seconds_before + time.perf_counter() - self._began)
        if self._is_due(self._config.checkpoints.every_iterations):
            self._save()
        self._line.show(self.progress, figures, self._evaluation)

    def _judge(self, evaluate: Evaluate) -> None:
        """Have the present policy evaluated."""
        folder = self._scratch / "policy"
        folder.mkdir(parents=True, exist_ok=True)
        self._export(folder)
        self._evaluation = evaluation_figures(evaluate(folder))
        self._board.write(self._evaluation, self.progress.decisions)

    def _save(self) -> Path:
        """Save a checkpoint of this iteration."""

        def write(folder: Path) -> None:
            self._method.save(folder)
            self._export(folder)

        check_finite(self._method.arrays())
        return self._checkpoints.save(self.progress, write)

    def _export(self, folder: Path) -> None:
        self._method.export(folder, vars(self.progress))

    def _broken(self, error: NotFiniteError) -> str:
        """Say what has become of a run that learned numbers which are not finite."""
        last = self._checkpoints.last()
        way_on = f"the last good checkpoint is {last}: go on with --resume {self._run_dir}" if last else "start anew"
        return (
            f"iteration {self._iteration}: {error} became infinite or no number, so training has stopped and nothing of it is "
            f"saved; {way_on}, and a lower learning.learning_rate"
        )

    def _is_due(self, every: int) -> bool:
        return self.progress.iterations % every == 0

    @contextmanager
    def _stop_on_signals(self) -> Iterator[None]:
        """Let Ctrl-C (or a request to terminate) end training after the iteration; a second one ends it at once."""

        def request(number: int, frame: FrameType | None) -> None:
            if self._stop_requested:
                raise KeyboardInterrupt
            self._stop_requested = True
            self._line.say("stopping after this iteration (once more: at once, without a checkpoint)")

        try:
            old = {number: signal.signal(number, request) for number in (signal.SIGINT, signal.SIGTERM)}
        except ValueError:  # not the main thread: whoever called us handles signals
            old = {}
        try:
            yield
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)
