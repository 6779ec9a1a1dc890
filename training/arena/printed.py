"""What a bench prints: ratings, a matrix of agents or a table for each pair, in 80 columns.

Names that are long stand in tables as a letter, or as the alias that the user gave, with a legend below.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase

from rich.table import Table
from rich.text import Text

from baofen.training.arena.compare import LEAST_DEALS, RoleSplit, Row
from baofen.training.arena.standings import Rating, Standing
from baofen.training.terminal import Terminal, plain_table, show_table

Names = Mapping[str, str]
"""What tables call an agent, by its name."""
LONGEST_NAME = 12
METRIC_ORDER = ("captured", "score", "made")
DIGITS = {"captured": 1, "score": 1, "made": 3}
CELL_WIDTH = 15
TOO_FEW = "too few deals"
GREEN, RED = "green", "red"
READING = (
    "A over B: A minus B in the same role on the same deals, the same agent in the other seats; more is better (points "
    "that defenders concede count negative). +-: half of the 95 % interval, by bootstrap over deals. open: zero is in it; "
    "a true difference of what it sees would be told from zero in 4 runs of 5."
)


def short_names(labels: Iterable[str], aliases: Names | None = None) -> dict[str, str]:
    """Return what tables call each agent: its alias, its name, or a letter where that is long.

    >>> short_names(["heuristic", "runs/mine/checkpoints/000100", "A"])
    {'heuristic': 'heuristic', 'runs/mine/checkpoints/000100': 'B', 'A': 'A'}
    """
    labels = list(labels)
    names = {label: (aliases or {}).get(label, label) for label in labels}
    taken = set(names.values())
    letters = (letter for letter in _letters() if letter not in taken)
    return {label: name if len(name) <= LONGEST_NAME else next(letters) for label, name in names.items()}


def _letters() -> Iterable[str]:
    yield from ascii_uppercase
    number = 0
    while True:
        number += 1
        yield from (f"{letter}{number}" for letter in ascii_uppercase)


def legend(names: Names) -> list[str]:
    """Return a line for each agent that tables call otherwise than it is named."""
    return [f"{short}: {label}" for label, short in names.items() if short != label]


def one_way(rows: Iterable[Row]) -> list[Row]:
    """Return the rows without those that say the same the other way round."""
    kept: dict[tuple[frozenset[str], str, str, str], Row] = {}
    for row in rows:
        kept.setdefault((frozenset((row.agent, row.versus)), row.opponents, row.role, row.metric), row)
    return list(kept.values())


def difference_text(row: Row) -> str:
    """Return the difference with half of its interval, or alone where the deals are too few for one.

    >>> difference_text(Row("a", "b", "b", "seat", "score", 0.0, 4.52, -6.5, 15.4, 100, 2.15))
    '+4.5 +- 11'
    """
    digits = DIGITS[row.metric]
    told = f"{row.difference:+.{digits}f}"
    return told if row.deals < LEAST_DEALS else f"{told} +- {_half((row.ci_high - row.ci_low) / 2, digits)}"


def _half(width: float, digits: int) -> str:
    return f"{width:.{digits if width < 9.95 else 0}f}"


def verdict(row: Row) -> str:
    """Return in words whether there is a difference, and if not, which one would have been seen.

    >>> verdict(Row("a", "b", "b", "seat", "score", 0.0, 0.5, -1.0, 2.0, 100, 2.15))
    'open, sees 2.2'
    """
    if row.deals < LEAST_DEALS:
        return TOO_FEW
    if row.is_clear:
        return "better" if row.difference > 0 else "worse"
    if row.detectable == 0:
        return "the same"
    digits = DIGITS[row.metric]
    return f"open, sees {math.ceil(row.detectable * 10**digits) / 10**digits:.{digits}f}"


def _style(row: Row) -> str:
    return "" if row.deals < LEAST_DEALS or not row.is_clear else GREEN if row.difference > 0 else RED


def print_pairs(console: Terminal, rows: Sequence[Row], names: Names) -> None:
    """Print a table for each pair of agents: a line for each role, metric and opponents."""
    pairs = dict.fromkeys((row.agent, row.versus) for row in rows)
    for agent, versus in pairs:
        found = [row for row in rows if (row.agent, row.versus) == (agent, versus)]
        found.sort(key=lambda row: (row.role, METRIC_ORDER.index(row.metric)))
        table = plain_table(("role", "metric", "against", "mean", "difference", "verdict"), "lllrrl")
        for row in found:
            cells = (row.role, row.metric, names[row.opponents], f"{row.mean:.{DIGITS[row.metric]}f}")
            table.add_row(*map(Text, cells), Text(difference_text(row), _style(row)), verdict(row))
        show_table(console, f"{names[agent]} over {names[versus]}", table)


def print_matrices(console: Terminal, rows: Sequence[Row], names: Names, order: Sequence[str], metric: str) -> None:
    """Print each agent over each other in one metric, a matrix for each role, and for each opponent if they are others.

    order: the agents, best first. A matrix that is wider than the console is parted.
    """
    rows = [row for row in rows if row.metric == metric]
    own = all(row.opponents in (row.agent, row.versus) for row in rows)
    per_part = max(1, (console.width - LONGEST_NAME - 2) // CELL_WIDTH)
    for role in dict.fromkeys(row.role for row in rows):
        for opponents in [None] if own else list(dict.fromkeys(row.opponents for row in rows)):
            seats = "the column's agent" if opponents is None else names[opponents]
            title = f"{role}, {metric}: the row's agent over the column's, {seats} in the other seats"
            found = {
                (row.agent, row.versus): row
                for row in rows
                if row.role == role and row.opponents == (opponents or row.versus)
            }
            for start in range(0, len(order), per_part):
                show_table(console, title, _matrix(found, names, order, order[start : start + per_part]))
                title = ""


def _matrix(found: Mapping[tuple[str, str], Row], names: Names, order: Sequence[str], columns: Sequence[str]) -> Table:
    table = plain_table(("", *(names[one] for one in columns)), "l" + "r" * len(columns))
    for agent in order:
        cells = [found.get((agent, versus)) for versus in columns]
        texts = (Text("-") if row is None else Text(difference_text(row), _style(row)) for row in cells)
        table.add_row(Text(names[agent]), *texts)
    return table


def split_table(splits: Sequence[RoleSplit], names: Names) -> Table:
    """Return the table of what became of each agent at one seat with the auction."""
    columns = ("agent", "against", "declares", "made", "target", "score", "else", "nobody")
    table = plain_table(columns, "ll" + "r" * 6)
    for split in splits:
        table.add_row(
            Text(names[split.agent]),
            Text(names[split.opponents]),
            f"{split.declared:.1%}",
            _number(split.made, "{:.1%}"),
            _number(split.target, "{:.1f}"),
            _number(split.score_as_declarer, "{:+.1f}"),
            _number(split.score_as_defender, "{:+.1f}"),
            f"{split.passed_out:.1%}",
        )
    return table


def _number(value: float, pattern: str) -> str:
    return "-" if math.isnan(value) else pattern.format(value)


def rating_table(ratings: Sequence[Rating], names: Names) -> Table:
    """Return the table of ratings."""
    table = plain_table(("agent", "rating"), "lr")
    for one in ratings:
        told = f"{one.rating:+.0f}"
        if one.deals >= LEAST_DEALS:
            told += f" +- {_half((one.ci_high - one.ci_low) / 2, 0)}"
        table.add_row(Text(names[one.agent]), told)
    return table


def standing_table(standings: Sequence[Standing], names: Names) -> Table:
    """Return the table of what was won in all, and the titles for it."""
    table = plain_table(("agent", "games", "levels", "title"), "lrrr")
    for one in standings:
        table.add_row(Text(names[one.agent]), str(one.games), f"{one.points:+d}", one.title)
    return table
