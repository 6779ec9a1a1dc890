"""Where tables and progress are printed."""

from rich.console import Console

WIDTH_WITHOUT_TERMINAL = 132


class Terminal(Console):
    """A console that leaves a closed pipe to the command line, which has one exit code for it."""

    def on_broken_pipe(self) -> None:
        """Raise it again; rich itself would leave with code 1, as if the results were bad."""
        raise  # noqa: PLE0704, rich calls this while it handles the error


def stdout_console() -> Terminal:
    """Return a console on stdout, wide enough for the tables where there is no terminal."""
    console = Terminal()
    return console if console.is_terminal else Terminal(width=WIDTH_WITHOUT_TERMINAL)
