"""The small commands: `replay`, `agents` and `speed`."""

from pathlib import Path
from typing import Annotated

from tyro.conf import FlagCreatePairsOff, Positional, arg

from baofen.training.commands.needs import needed
from baofen.training.errors import UserError


def replay(
    file: Annotated[Positional[Path], arg(metavar="FILE", help="Game records, one deal a line.")],
    *,
    show: Annotated[FlagCreatePairsOff[bool], arg(help="Print each game.")] = False,
) -> int:
    """Check game records: exit code 0, or 1 with the line, the action and the reason."""
    if not file.is_file():
        raise UserError(f"{file}: {'is a directory' if file.is_dir() else 'no such file'}")
    try:
        code: int = needed("baofen.envs.records", "replay").replay_main(file, show)
    except PermissionError as error:
        raise UserError(f"{file}: {error.strerror}") from error
    return code


def agents() -> None:
    """List the agents that can be named."""
    for name, sentence in needed("baofen.agents.registry", "agents").list_agents().items():
        print(f"{name:16} {sentence}")


def speed(
    *,
    json: Annotated[FlagCreatePairsOff[bool], arg(help="Print one object on one line.")] = False,
    layers: Annotated[str | None, arg(metavar="NAME,...", help="Measure these only. None measures all.")] = None,
    seconds: Annotated[float, arg(metavar="S", help="CPU-seconds of each repeat of a layer of the game.")] = 0.4,
) -> None:
    """Measure how fast the game, its environments and training are on this machine."""
    if not 0 < seconds <= 60:
        raise UserError(f"--seconds must be more than 0 and at most 60, not {seconds}")
    needed("baofen.training.speed", "speed").speed_main(json, layers.split(",") if layers else None, seconds)
