"""Run folders: one for each training run, with the resolved configuration in `config.yaml`."""

import time
from dataclasses import replace
from pathlib import Path

from baofen.training.config import StoppingConfig, TrainConfig, dump_config, load_config
from baofen.training.config.loader import as_plain
from baofen.training.config.text import flat
from baofen.training.errors import UserError
from baofen.training.run.checkpoints import Checkpoints, Progress, progress_of

CONFIG_FILE = "config.yaml"
RUNS = Path("runs")
METHOD_OF_OLD = "ppo"


def new_run_dir(config_name: str | None) -> Path:
    """The folder under runs/ for a run that was given none: the configuration's name and the time."""
    stem = Path(config_name).stem if config_name else "default"
    return RUNS / f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"


def start_run(run_dir: Path, config: TrainConfig) -> None:
    """Make the folder of a new run and write its configuration; a folder with something in it is refused."""
    try:
        run_dir.mkdir(parents=True, exist_ok=True)
        if any(run_dir.iterdir()):
            raise UserError(f"{run_dir} is not empty; choose another --run folder, or go on with --resume {run_dir}")
        save_config(run_dir, config)
    except OSError as error:
        raise UserError(f"cannot write to {run_dir}: {(error.strerror or str(error)).lower()}") from None


def _replace_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    from baofen.envs.writing import replace_text  # the game's room is heavy, and help must come at once

    replace_text(path, text)


def save_config(run_dir: Path, config: TrainConfig) -> None:
    """Write the resolved configuration into the run folder."""
    _replace_text(run_dir / CONFIG_FILE, dump_config(config))


def continue_run(run_dir: Path, before: TrainConfig, now: TrainConfig) -> list[str]:
    """Write the configuration with which a run goes on; the one until now is kept under a name of its own.

    Returns what was changed, a line for each field. Nothing is written if nothing was, or nothing will be learned.
    """
    last = Checkpoints(run_dir, now.checkpoints.keep).last()
    progress = progress_of(last) if last else Progress()
    old, new = flat(as_plain(before)), flat(as_plain(now))
    changes = [f"{key}: {old.get(key)} -> {new.get(key)}" for key in {**old, **new} if old.get(key) != new.get(key)]
    if not changes or is_at_limit(now.stopping, progress):
        return []
    kept = f"config-until-{progress.iterations:06d}.yaml"
    _replace_text(run_dir / kept, (run_dir / CONFIG_FILE).read_text(encoding="utf-8"))
    save_config(run_dir, now)
    return [*changes, f"the configuration until now is in {run_dir / kept}"]


def is_at_limit(stopping: StoppingConfig, done: Progress) -> bool:
    """Return whether a run has come to one of its limits."""
    return share_done(stopping, done) >= 1


def share_done(stopping: StoppingConfig, done: Progress) -> float:
    """Return how much of a run is behind it, 0 .. 1, by the limit that is nearest."""
    shares = (
        reached / limit
        for limit, reached in (
            (stopping.minutes, done.seconds / 60),
            (stopping.iterations, done.iterations),
            (stopping.decisions, done.decisions),
        )
        if limit is not None
    )
    return min(1.0, max(shares))


def config_of_run(run_dir: Path) -> TrainConfig:
    """The configuration of a run that was started before; one that names no method is older than methods were."""
    path = run_dir / CONFIG_FILE
    if not path.is_file():
        raise UserError(f"{run_dir} is not a run folder: it has no {CONFIG_FILE}")
    config = load_config(path)
    named = any(line.startswith("method:") for line in path.read_text(encoding="utf-8").splitlines())
    return config if named else replace(config, method=METHOD_OF_OLD)
