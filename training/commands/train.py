"""`baofen train [CONFIG] [--run DIR] [--section.field value ...]` and `baofen train --resume DIR`."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from tyro.conf import Positional, arg

from baofen.training.commands.needs import needing
from baofen.training.config import TrainConfig, flags, load_config
from baofen.training.errors import UserError
from baofen.training.run import folders as runs

CONFIG_FIRST = "CONFIG comes right after train, as in `baofen train smoke --seed 1`"


def train_command(arguments: Sequence[str]) -> Callable[..., None]:
    """The command for these arguments (those after `train`): its flags show the asked configuration's values."""
    asked = next((word for word in arguments[:1] if not word.startswith("-")), None)
    resume_dir = _value_after("--resume", arguments)
    if asked is not None and resume_dir is not None:
        raise UserError("a resumed run has its own configuration: give CONFIG or --resume, not both")
    base = load_config(asked) if resume_dir is None else runs.config_of_run(Path(resume_dir))

    def train(
        config: Annotated[
            Positional[str | None],
            arg(metavar="[CONFIG]", help="A named configuration, or a YAML file. None takes the defaults."),
        ] = None,
        *,
        run: Annotated[
            Path | None, arg(metavar="DIR", help="Folder of the new run. None makes one under runs/.")
        ] = None,
        resume: Annotated[
            Path | None,
            arg(metavar="DIR", help="Go on with the run in this folder, from its last checkpoint."),
        ] = None,
        settings: Annotated[Any, arg(name="", constructor=TrainConfig)] = base,
    ) -> None:
        """Learn to play: writes a run folder with configuration, TensorBoard events and checkpoints."""
        if config != asked:
            raise UserError(CONFIG_FIRST)
        resolved = flags.config_from_flags(settings)
        _check_rules(resolved)
        with needing("training"):
            from baofen.training.run import judging, loop
            from baofen.training.selfplay import precision
        loop.method_factory(resolved.method)  # a name that there is not is told before anything is written
        evaluate = judging.QuickEvaluation(resolved)
        if resume is None:
            run_dir = run or runs.new_run_dir(config)
            resolved = precision.decided(resolved)
            runs.start_run(run_dir, resolved)
        else:
            if run is not None:
                raise UserError("a resumed run stays in its folder: give --run or --resume, not both")
            run_dir = resume
            flags.check_resumable(base, resolved)
            resolved = precision.decided(resolved)
            for line in runs.continue_run(run_dir, base, resolved):
                print(line, file=sys.stderr)
        outcome = loop.train(resolved, run_dir, resume is not None, evaluate)
        judging.final_table(outcome.checkpoint, resolved, run_dir / judging.EVALUATION)
        print(judging.where_things_are(run_dir, outcome.checkpoint))

    return train


def _check_rules(config: TrainConfig) -> None:
    """Refuse rules and house rules that do not exist, before anything is written."""
    with needing("training"):
        from baofen.envs.rules import Rules
    try:
        Rules(config.game.rules, dict(config.game.options))
    except ValueError as error:
        raise UserError(f"game: {error}") from None


def _value_after(flag: str, arguments: Sequence[str]) -> str | None:
    """The value of a flag written as `--flag VALUE` or `--flag=VALUE`."""
    for i, word in enumerate(arguments):
        if word == flag:
            return arguments[i + 1] if i + 1 < len(arguments) else None
        if word.startswith(flag + "="):
            return word.partition("=")[2]
    return None
