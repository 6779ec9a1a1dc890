"""The training loop: iterations of self-play, with evaluations, curves and checkpoints, until a limit is reached.

A run can be killed at any moment and resumed: it goes on at its last whole checkpoint, and its counters continue.
"""

import logging
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

import ray

from baofen.training.config import TrainConfig
from baofen.training.errors import UserError
from baofen.training.run.checkpoints import RLLIB, Checkpoints, Progress, progress_of
from baofen.training.run.export import export_policy
from baofen.training.run.folders import is_at_limit
from baofen.training.run.progress import Board, ProgressLine, evaluation_figures, learner_figures
from baofen.training.selfplay.build import algorithm_config
from baofen.training.selfplay.local_ray import quieten_ray
from baofen.training.selfplay.tables import Game
from baofen.training.selfplay.tally import figures as figures_of
from baofen.training.selfplay.warm import warm_kernels

Rows = Sequence[Mapping[str, Any]]
Evaluate = Callable[[Path], Rows]
"""From a folder with a policy to rows of differences, as in the arena's `results.json`."""

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
    game: Game | None = None,
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
    """
    with _Sitting(config, Path(run_dir), resume, evaluate, game or _configured_game(config)) as sitting:
        return sitting.run()


def _configured_game(config: TrainConfig) -> Game:
    from baofen.training.selfplay.baofen_game import baofen_game

    return baofen_game(config)


class _Sitting:
    """One process's part of a run."""

    def __init__(self, config: TrainConfig, run_dir: Path, resume: bool, evaluate: Evaluate | None, game: Game) -> None:
        self._config, self._game, self._evaluate = config, game, evaluate
        self._scratch = run_dir / SCRATCH
        self._checkpoints = Checkpoints(run_dir, config.checkpoints.keep)
        self._checkpoints.clean()
        last = self._checkpoints.last() if resume else None
        self._line = ProgressLine(config.stopping.minutes)
        self._stop_requested = False
        self._evaluation: dict[str, float] = {}
        self.progress = progress_of(last) if last else Progress()
        quieten_ray()
        self._started_cluster = start_cluster(config.sampling.num_env_runners)
        rllib_config = algorithm_config(config, game, str(self._scratch))
        warm_kernels(rllib_config)
        self._algorithm = rllib_config.build_algo()
        if last:
            self._restore(last)
            self._line.say(f"resumed at {last}: {self.progress.decisions} decisions learned from")
        elif resume:
            self._line.say("no checkpoint yet: starting anew")
        self._board = Board(run_dir, self.progress)
        self._run_dir = run_dir

    def _restore(self, last: Path) -> None:
        """Take over all that a checkpoint holds."""
        try:
            self._algorithm.restore_from_path(str((last / RLLIB).resolve()))
        except Exception as error:  # whatever a damaged file makes of pickle and Ray
            earlier = [path for path in self._checkpoints.whole() if path != last]
            way_out = f"remove it to go on from {earlier[-1]}" if earlier else "it is the only one"
            raise UserError(f"{last} cannot be read ({type(error).__name__}: {error}); {way_out}") from error
        self._algorithm.share_pool()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._board.close()
        self._algorithm.stop()
        shutil.rmtree(self._scratch, ignore_errors=True)
        if self._started_cluster:
            ray.shutdown()

    def run(self) -> Outcome:
        """Iterate until a limit or a request to stop; a checkpoint is the last thing done."""
        self._began, self._seconds_before = time.perf_counter(), self.progress.seconds
        iterations_before = self.progress.iterations
        with self._stop_on_signals():
            while not self._stop_requested and not is_at_limit(self._config.stopping, self.progress):
                self._iterate()
        checkpoint = self._save()
        if self._stop_requested:
            self._line.say(f"interrupted; saved {checkpoint}; go on with --resume {self._run_dir}")
            raise StopRequestedError
        if self.progress.iterations == iterations_before:
            self._line.say("nothing was learned: the run is at its limit already; give a higher --stopping limit")
        self._line.say(f"finished; saved {checkpoint}")
        return Outcome(self.progress, checkpoint)

    def _iterate(self) -> None:
        """One iteration and what is due after it."""
        started = time.perf_counter()
        result = self._algorithm.train()
        seconds = time.perf_counter() - started
        sampled = result["env_runners"]
        counts = sampled["counts"]
        before, runners = self.progress, max(1, self._config.sampling.num_env_runners)
        self.progress = replace(
            before,
            iterations=int(result["training_iteration"]),
            decisions=int(sampled["num_env_steps_sampled_lifetime"]),
            deals=int(sampled["num_episodes_lifetime"]),
        )
        figures = (
            figures_of(counts)
            | learner_figures(result["learners"])
            | {
                "speed/deals_per_second": (self.progress.deals - before.deals) / seconds,
                "speed/decisions_per_second": (self.progress.decisions - before.decisions) / seconds,
                "speed/simulated_decisions_per_second": counts["simulated_decisions"] / seconds,
                "speed/sampling_share_of_time": counts["sampling_seconds"] / runners / seconds,
                "progress/iterations": float(self.progress.iterations),
                "progress/deals": float(self.progress.deals),
            }
        )
        self._board.write(figures, self.progress.decisions)
        bids = {name.removeprefix("bid_"): n for name, n in counts.items() if name.startswith("bid_")}
        self._board.write_calls(bids, self.progress.decisions)
        if self._is_due(self._config.league.snapshot_every_iterations) and self._config.league.pool_size:
            self._algorithm.add_past_self()
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
            self._algorithm.save_to_path(str((folder / RLLIB).resolve()))
            self._export(folder)

        return self._checkpoints.save(self.progress, write)

    def _export(self, folder: Path) -> None:
        weights = self._algorithm.present_weights()
        export_policy(folder, weights, self._game, self._config, vars(self.progress))

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


def start_cluster(num_env_runners: int) -> bool:
    """Start Ray's processes if other processes are to play; return whether that was done here."""
    if num_env_runners == 0 or ray.is_initialized():
        return False
    try:
        ray.init(
            num_cpus=num_env_runners + 1,
            include_dashboard=False,
            logging_level=logging.ERROR,
            log_to_driver=False,
        )
    except (OSError, RuntimeError, ConnectionError) as error:
        raise UserError(f"cannot start Ray for {num_env_runners} runner processes: {error}") from None
    return True
