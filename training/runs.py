"""Run folders: one for each training run, with the resolved configuration in `config.yaml`."""

import time
from pathlib import Path

from baofen.training.config import TrainConfig, dump_config, load_config
from baofen.training.errors import UserError

CONFIG_FILE = "config.yaml"
RUNS = Path("runs")


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


def save_config(run_dir: Path, config: TrainConfig) -> None:
    """Write the resolved configuration into the run folder."""
    (run_dir / CONFIG_FILE).write_text(dump_config(config), encoding="utf-8")


def config_of_run(run_dir: Path) -> TrainConfig:
    """The configuration of a run that was started before."""
    path = run_dir / CONFIG_FILE
    if not path.is_file():
        raise UserError(f"{run_dir} is not a run folder: it has no {CONFIG_FILE}")
    return load_config(path)
