"""The `baofen` command. Results go to stdout, progress to stderr; a user's mistake ends with exit code 2.

Nothing heavy is imported here: every command imports what it needs when it runs.
"""

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version

from tyro.extras import SubcommandApp

from baofen.training.commands import tools
from baofen.training.commands.bench import bench
from baofen.training.commands.bids import bids, par
from baofen.training.commands.train import train_command
from baofen.training.config import flags
from baofen.training.errors import UserError

PROGRAM = "baofen"
DESCRIPTION = (
    "Baofen, a two-pack card game of one against three: learn it by self-play, check and show its games. "
    "`baofen --version` prints the version."
)

SHORT = 160
"""Characters of a message that are printed as they are."""
MAX_MESSAGE_CHARACTERS = 8000
NO_RESULTS = "cannot write the results"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENAMETOOLONG)
"""Faults of the place that was named; other faults of the system may be ours, and are not hidden."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if sys.stdout is None:  # `>&-`; the next file that is opened would get its number, and what is printed to it
            raise UserError(f"{NO_RESULTS}: stdout is closed")
        try:
            code = _run(words)
        finally:  # here, where a failure can be told; help leaves by SystemExit
            sys.stdout.flush()
        sys.exit(code or 0)
    except UserError as error:
        print(f"{PROGRAM}: {_shown(str(error))}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has left, as in `baofen ... | head`
        _drop_output()
        sys.exit(141)
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        print(f"{PROGRAM}: {_shown(_no_room(error))}", file=sys.stderr)
        _drop_output()
        sys.exit(2)
    except KeyboardInterrupt:
        print(f"{PROGRAM}: interrupted", file=sys.stderr)
        sys.exit(130)


def _no_room(error: OSError) -> str:
    """Return what a fault of the place is; of a device that fails nobody knows whether it was read or written."""
    reason = os.strerror(error.errno or 0).lower()
    if error.errno == errno.ENAMETOOLONG:
        return f"{error.filename}: {reason}"
    if error.errno == errno.EIO:
        return f"cannot read or write {error.filename or 'the files of this command'}: {reason}"
    return f"{NO_RESULTS}{f' to {error.filename}' if error.filename else ''}: {reason}"


def _shown(text: str) -> str:
    """Return what may be printed of a message that quotes what others wrote; the game is loaded only for that."""
    if len(text) <= SHORT and text.replace("\n", "").isprintable():
        return text
    from baofen.envs.render.printable import printable

    return printable(text, most=MAX_MESSAGE_CHARACTERS, lines=True)


def _run(words: Sequence[str]) -> int | None:
    """Run the command and return its exit code."""
    if words == ["--version"]:
        print(f"{PROGRAM} {version(PROGRAM)}")
        return 0
    code: int | None = commands(words).cli(
        prog=PROGRAM,
        description=DESCRIPTION,
        args=words or ["--help"],
        # The names of a configuration have underscores in files and flags alike; other flags have dashes.
        use_underscores=words[:1] == ["train"],
        # A configuration's faults are told together, after reading; other commands have each number checked at once.
        registry=flags.registry() if words[:1] == ["train"] else None,
    )
    return code


def _drop_output() -> None:
    """Send what is still to be printed nowhere: the interpreter writes it when it leaves, and would fail again."""
    with suppress(OSError):  # a stdout that is no file, as in a notebook
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def commands(words: Sequence[str]) -> SubcommandApp:
    """The commands there are, made for these words; each returns its exit code, None for success."""
    app = SubcommandApp()
    app.command(name="train")(train_command(words[1:] if words[:1] == ["train"] else []))
    for command in (bench, bids, par, tools.replay, tools.agents, tools.speed):
        app.command(command)
    return app
