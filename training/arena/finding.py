"""Finding the deal: every deal's outcome by agent, the deals where two agents differ most, two games side by side."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from baofen.envs.records.main import SET_IN
from baofen.envs.records.show import show_record
from baofen.envs.render.text import fold
from baofen.envs.writing import replacing
from baofen.training.arena.compare import COMPARED_ROLES, MAIN_METRIC, SEATS, Question, Role, values
from baofen.training.arena.matches import Lineup, Results, Setup
from baofen.training.errors import UserError
from baofen.training.terminal import Terminal, plain_table, show_table

RECORDS = "records.jsonl"
LARGEST = "largest.jsonl"
DEALS = "deals.csv"
HALF_WIDTH = 38
LINES_AFTER = 4
"""Of each game from the first difference on."""
COLUMNS = ("deal", "role", "agent", "opponents", "seat", "reward")
OUTCOME_COLUMNS = ("declarer", "target", "trump", "captured", "score", "made", "forfeit")


@dataclass(frozen=True)
class Apart:
    """A deal on which two agents came out differently in the same role: `difference` is agent minus versus.

    own, other: their games; seat: theirs (None for the declarer, or for all three defenders).
    """

    deal: int
    role: Role
    agent: int
    versus: int
    own: Lineup
    other: Lineup
    seat: int | None
    difference: float


def write_deals(results: Results, labels: Sequence[str], path: Path) -> None:
    """Write a line for each deal, role and agent: who sat where, the reward of the agent's seat, and the outcome."""
    with replacing(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow((*COLUMNS, *OUTCOME_COLUMNS))
        for lineup, games in results.outcomes.items():
            outcome = [games[name].tolist() for name in OUTCOME_COLUMNS]
            for role, agent, opponents, seat, rewards in _parts(lineup, games):
                told = ((deal, role, labels[agent], labels[opponents]) for deal in range(results.deals))
                for facts, one, reward, row in zip(told, seat, rewards, zip(*outcome, strict=True), strict=True):
                    writer.writerow((*facts, one, f"{reward:g}", *row))


def _parts(
    lineup: Lineup, games: NDArray[np.void]
) -> Iterator[tuple[Role, int, int, Sequence[int | str], Sequence[float]]]:
    """Yield each role in a lineup: who has it, against whom, its seats and its rewards (of defenders the mean)."""
    if lineup.seat is not None:
        for seat in SEATS if lineup.alone == lineup.others else (lineup.seat,):
            yield "seat", lineup.alone, lineup.others, [seat] * len(games), games["rewards"][:, seat].tolist()
        return
    own = games["rewards"][np.arange(len(games)), games["declarer"]]
    yield "declarer", lineup.alone, lineup.others, games["declarer"].tolist(), own.tolist()
    shared = (games["rewards"].sum(1) - own) / 3
    yield "defenders", lineup.others, lineup.alone, [""] * len(games), shared.tolist()


def most_apart(questions: Iterable[Question], results: Results, setup: Setup, count: int) -> list[Apart]:
    """Return the `count` deals with the largest differences in the main metric, each deal once, the largest first."""
    found: list[Apart] = []
    pairs = {(frozenset((one.agent, one.versus)), one.opponents): one for one in reversed(list(questions))}
    for question in pairs.values():
        for role in COMPARED_ROLES[setup.contracts]:
            for own, other, seat, apart in _differences(question, role, results, setup):
                largest = np.argsort(-np.abs(apart), kind="stable")[:count]
                found += [
                    Apart(int(deal), role, question.agent, question.versus, own, other, seat, float(apart[deal]))
                    for deal in largest
                ]
    best: dict[int, Apart] = {}
    for one in sorted(found, key=lambda one: -abs(one.difference)):
        best.setdefault(one.deal, one)
    return list(best.values())[:count]


def _differences(
    question: Question, role: Role, results: Results, setup: Setup
) -> Iterator[tuple[Lineup, Lineup, int | None, NDArray[np.float64]]]:
    """Yield the games of the two agents, for each seating, with what they differ by on each deal."""
    agent, versus, opponents = question.agent, question.versus, question.opponents
    if role == "seat":
        for seat in SEATS:
            own, other = (_at_seat(who, opponents, seat) for who in (agent, versus))
            rewards = [results.outcomes[lineup]["rewards"][:, seat].astype(np.float64) for lineup in (own, other)]
            yield own, other, seat, rewards[0] - rewards[1]
        return
    metric = MAIN_METRIC[setup.contracts]
    apart = values(results, agent, opponents, role, metric) - values(results, versus, opponents, role, metric)
    own, other = (Lineup(who, opponents) if role == "declarer" else Lineup(opponents, who) for who in (agent, versus))
    yield own, other, None, apart


def _at_seat(who: int, opponents: int, seat: int) -> Lineup:
    return Lineup(who, opponents, 0 if who == opponents else seat)


def write_largest(found: Sequence[Apart], labels: Sequence[str], records: Path, path: Path) -> None:
    """Write the two records of each deal found, taken from the records of all games."""
    wanted: dict[tuple[str, str, int | None, int], dict[str, Any]] = {}
    for one in found:
        for lineup in (one.own, one.other):
            wanted[labels[lineup.alone], labels[lineup.others], lineup.seat, one.deal] = {}
    with records.open(encoding="utf-8") as file:
        for record in map(json.loads, file):
            key = _key(record)
            if key in wanted:
                wanted[key] = record
    with replacing(path) as beside, beside.open("w", encoding="utf-8") as file:
        for one in found:
            about = {
                "role": one.role,
                "agent": labels[one.agent],
                "versus": labels[one.versus],
                "difference": one.difference,
            }
            for lineup in (one.own, one.other):
                record = wanted[labels[lineup.alone], labels[lineup.others], lineup.seat, one.deal]
                file.write(json.dumps({**record, "apart": about}) + "\n")


def _key(record: Mapping[str, Any]) -> tuple[str, str, int | None, int]:
    bench = record["bench"]
    return bench["alone"], bench["others"], bench["seat"], bench["deal"]


def show_side_by_side(folder: Path, deal: int, agents: Sequence[str], console: Terminal) -> None:
    """Print the games of two agents on a deal up to their first difference, of all in the folder those furthest apart.

    folder: what `bench --out` left, with records.

    Raises:
        UserError: if there are no such records.
    """
    records = _records_of(folder, deal)
    games = {_key(record)[:3]: record for record in records}
    own, other, role, seat, opponents = _furthest_apart(folder, deal, games, agents)
    bench = own["bench"]
    source = bench["deals_set"] or f"{bench['split']} {bench['seed']}"
    where = "as declarer" if role == "declarer" else "as the defenders" if role == "defenders" else f"at seat {seat}"
    console.print(Text(f"deal {deal} of {source}, {own['rules']}: A and B {where}, {opponents} elsewhere", "bold"))
    for letter, name in zip("AB", agents, strict=True):
        console.print(Text(f"{letter}: {name}"))
    lines = [[line for line in show_record(game) if not line.startswith("players ")] for game in (own, other)]
    same = next((i for i, (a, b) in enumerate(zip(*lines, strict=False)) if a != b), min(map(len, lines)))
    for line in lines[0][:same]:
        console.print(Text(fold(line, console.width, SET_IN)))
    if same == len(lines[0]) == len(lines[1]):
        console.print(Text("the two games are the same"))
        return
    table = plain_table(("A", "B"), "ll")
    for column in table.columns:
        column.no_wrap, column.overflow, column.max_width = False, "fold", HALF_WIDTH
    after = [game[same : same + LINES_AFTER] for game in lines]
    for a, b in zip_longest(*after, fillvalue=""):
        table.add_row(Text(a.strip()), Text(b.strip()))
    table.add_row("..", "..")
    table.add_row(*(Text(game[-1]) for game in lines))
    show_table(console, "the first difference", table)


def _records_of(folder: Path, deal: int) -> list[dict[str, Any]]:
    """Return the records of a deal that a bench left."""
    path = next((folder / name for name in (RECORDS, LARGEST) if (folder / name).is_file()), None)
    if path is None:
        raise UserError(f"{folder} holds no records of a bench: run it with --records, or with --largest N")
    with path.open(encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    if not all("bench" in record for record in records):
        raise UserError(f"{path} does not say which deals it holds: it was written by an older version")
    found = [record for record in records if record["bench"]["deal"] == deal]
    if not found:
        deals = sorted({record["bench"]["deal"] for record in records})
        told = ", ".join(map(str, deals)) if len(deals) <= 30 else f"{deals[0]} .. {deals[-1]}"
        raise UserError(f"{path} holds no deal {deal}, but {told}")
    return found


Games = Mapping[tuple[str, str, int | None], dict[str, Any]]


def _furthest_apart(
    folder: Path, deal: int, games: Games, agents: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any], str, int | None, str]:
    """Return the games of two agents in the same role that differ most in its reward, with role, seat and opponents."""
    names = dict.fromkeys(name for alone, others, _ in games for name in (alone, others))
    unknown = [name for name in agents if name not in names]
    if unknown:
        raise UserError(f"no game of {', '.join(unknown)} on deal {deal} in {folder}: there are {', '.join(names)}")
    one, two = agents
    pairs: list[tuple[float, dict[str, Any], dict[str, Any], str, int | None, str]] = []
    for others in names:
        for seat in SEATS:
            keys = [(who, others, 0 if who == others else seat) for who in (one, two)]
            if all(key in games for key in keys):
                own, other = (games[key] for key in keys)
                apart = abs(own["result"]["rewards"][seat] - other["result"]["rewards"][seat])
                pairs.append((apart, own, other, "seat", seat, others))
        for role in ("declarer", "defenders"):
            fixed = [(who, others, None) if role == "declarer" else (others, who, None) for who in (one, two)]
            if all(key in games for key in fixed):
                own, other = (games[key] for key in fixed)
                declarer = own["result"]["declarer"]
                apart = abs(own["result"]["rewards"][declarer] - other["result"]["rewards"][declarer])
                pairs.append((apart, own, other, role, None, others))
    if not pairs:
        raise UserError(f"{folder} holds no two games of {one} and {two} in the same seat on deal {deal}")
    return max(pairs, key=lambda pair: pair[0])[1:]
