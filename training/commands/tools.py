"""The small commands: `replay`, `agents` and `speed`."""

from pathlib import Path
from textwrap import wrap
from typing import Annotated

from pydantic import Field
from tyro.conf import FlagCreatePairsOff, Positional, arg

from baofen.training.commands.needs import needing
from baofen.training.commands.ranges import in_range
from baofen.training.errors import UserError

_LAYERS_HELP = (
    "Measure these layers only; 'all' for all of them, 'policy' for what a decision costs agents. "
    "None measures all, or what the flags below need."
)


def replay(
    file: Annotated[Positional[Path], arg(metavar="FILE", help="Game records, one deal a line; or a bench's folder.")],
    *,
    show: Annotated[FlagCreatePairsOff[bool], arg(help="Print each game.")] = False,
    deal: Annotated[int | None, arg(metavar="N", help="With a bench's folder: the number of the deal to show.")] = None,
    agents: Annotated[
        str,
        arg(metavar="A,B", help="With a bench's folder: whose games are shown, side by side to the first difference."),
    ] = "",
) -> int:
    """Check game records: exit code 0, or 1 with the line, the action and the reason."""
    if deal is not None or agents:
        return _replay_two(file, deal, [name.strip() for name in agents.split(",") if name.strip()])
    if not file.exists() or file.is_dir():
        raise UserError(f"{file}: {'is a directory' if file.is_dir() else 'no such file'}")
    with needing("replay"):
        from baofen.envs.records import replay_main
        from baofen.training.terminal import progress
    try:
        with progress(f"checking {file.name}", quiet=show):
            return replay_main(file, show)
    except PermissionError as error:
        raise UserError(f"{file}: {error.strerror}") from error


def _replay_two(folder: Path, deal: int | None, names: list[str]) -> int:
    """Show the games of two agents on a deal of a bench."""
    if deal is None or len(names) != 2:
        raise UserError("to show a deal of a bench, give both --deal N and --agents A,B")
    if not folder.is_dir():
        raise UserError(f"{folder}: --deal needs the folder that `baofen bench --out` wrote")
    with needing("replay"):
        from baofen.training.arena.finding import show_side_by_side
        from baofen.training.terminal import stdout_console
    show_side_by_side(folder, deal, names, stdout_console())
    return 0


def agents() -> None:
    """List the agents that can be named."""
    with needing("agents"):
        from baofen.agents.registry import list_agents
        from baofen.training.terminal import stdout_console
    width = stdout_console().width
    known = list_agents()
    indent = max(map(len, known)) + 2
    for name, sentence in known.items():
        first, *more = wrap(sentence, width - indent, break_long_words=False, break_on_hyphens=False)
        print(f"{name:{indent}}{first}")
        for line in more:
            print(f"{'':{indent}}{line}")


@in_range
def speed(
    *,
    json: Annotated[FlagCreatePairsOff[bool], arg(help="Print one object on one line.")] = False,
    markdown: Annotated[FlagCreatePairsOff[bool], arg(help="Print the tables in Markdown.")] = False,
    layers: Annotated[str | None, arg(metavar="NAME,...", help=_LAYERS_HELP)] = None,
    peers: Annotated[
        FlagCreatePairsOff[bool],
        arg(help="Measure also the other packages of card games that are installed, and what ours is a multiple of."),
    ] = False,
    growth: Annotated[
        FlagCreatePairsOff[bool], arg(help="Measure how cost grows with tables, rules and a second process.")
    ] = False,
    core_time: Annotated[
        FlagCreatePairsOff[bool], arg(help="Measure what a decision of the core costs, by part and by kind.")
    ] = False,
    training_time: Annotated[FlagCreatePairsOff[bool], arg(help="Measure where the time of training goes.")] = False,
    policy: Annotated[
        str | None,
        arg(metavar="NAME,...", help="With --layers policy: measure these policies or agents, not those shipped."),
    ] = None,
    seconds: Annotated[
        float, Field(gt=0, le=60), arg(metavar="S", help="CPU-seconds of each repeat of a layer of the game.")
    ] = 0.4,
) -> None:
    """Measure how fast the game, its environments and training are on this machine."""
    if json and markdown:
        raise UserError("--json and --markdown exclude each other")
    with needing("speed"):
        from baofen.training.speed import Wanted, speed_main
    names = layers.split(",") if layers else None
    policies = policy.split(",") if policy else ()
    speed_main(Wanted(names, peers, growth, core_time, training_time, seconds, policies), json, markdown)
