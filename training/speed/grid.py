"""Printing tables of figures: for a terminal, or in Markdown for a page."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich import box
from rich.table import Table

from baofen.training.terminal import stdout_console


@dataclass
class Grid:
    """A table of texts.

    columns: heading -> whether its texts are numbers, set to the right.
    """

    columns: dict[str, bool]
    rows: list[Sequence[str]] = field(default_factory=list)

    def show(self, markdown: bool = False) -> None:
        """Print it on stdout."""
        if markdown:
            print(self.as_markdown())
            return
        table = Table(box=box.SIMPLE_HEAD)
        for name, is_number in self.columns.items():
            table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number)
        for row in self.rows:
            table.add_row(*row)
        stdout_console().print(table)

    def as_markdown(self) -> str:
        """Return it as Markdown.

        >>> print(Grid({"layer": False, "figure": True}, [("core", "1.2 M")]).as_markdown())
        | layer | figure |
        |---|--:|
        | core | 1.2 M |
        """
        lines = [self.columns, ["--:" if is_number else "---" for is_number in self.columns.values()], *self.rows]
        texts = [f"| {' | '.join(line)} |" for line in lines]
        texts[1] = texts[1].replace(" ", "")
        return "\n".join(texts)


def short(value: float) -> str:
    """Return a figure with about three digits.

    >>> [short(value) for value in (16_234_000.0, 95_400.0, 3906.25, 27.31, 0.874)]
    ['16.2 M', '95.4 k', '3.91 k', '27.3', '0.87']
    """
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if value >= unit:
            scaled = value / unit
            return f"{scaled:.{2 if scaled < 10 else 1 if scaled < 100 else 0}f}{name}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"
