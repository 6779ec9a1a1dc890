"""Whole games as text, so that a change of the rules or of the observation shows as a readable difference.

For each decision: what the acting seat sees (the parts of its observation that have changed since it was last
asked), what it may do, what it does, and rewards that are not nil. The texts lie in `tests/playthroughs/`;
`make regenerate` writes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from places import TESTS

from baofen.envs import Table
from baofen.envs.actions import CALL, COMMIT, EIGHT, PASS, TRUMP, action_name
from baofen.envs.cards import expand_counts, format_cards
from baofen.envs.observation import FACES, GROUPS, PARTS, Part, named_views

FOLDER = TESTS / "playthroughs"
GROUP_LETTERS = "shcdT"


@dataclass(frozen=True)
class Game:
    """A game to write down: `blocks` is how many neighbouring faces lie together, 0 for a shuffled deck."""

    rules: str
    seed: int
    blocks: int = 0
    deals: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)


GAMES = {
    "suzhou-match": Game("suzhou", 2, deals=2, options={"all_pass": "direct"}),
    "suzhou-runs": Game(
        "suzhou",
        3,
        blocks=3,
        options={"tractor_follow": "exact", "joker_tractor": "high", "throw_penalty_to": "opponents"},
    ),
    "suzhou-eights": Game("suzhou", 5, blocks=-1, options={"settlement": "zero_sum"}),
    "exposure": Game("exposure", 5),
    "exposure-runs": Game(
        "exposure", 6, blocks=4, options={"throw_forced": "single_first", "follow_shape": "suit_only"}
    ),
    "hongwu": Game("hongwu", 7),
    "hongwu-runs": Game("hongwu", 8, blocks=4, options={"red5_mode": "replace", "throw_equal": "fails"}),
}


class Chance:
    """Numbers that are the same everywhere, for ever."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        """A number 0 .. bound - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def shuffle(self, things: list[Any]) -> None:
        """Put things in any order."""
        for index in range(len(things) - 1, 0, -1):
            other = self.below(index + 1)
            things[index], things[other] = things[other], things[index]


def begin(game: Game, chance: Chance) -> Table:
    """The table with its first deal."""
    if game.blocks == 0:
        return Table(game.rules, game.options, seed=game.seed, deals_per_match=game.deals)
    if game.blocks < 0:  # ranks together
        faces = [suit * 13 + rank for rank in range(12, -1, -1) for suit in range(4)] + [52, 53]
        blocks = [faces[start : start + 4] for start in range(0, 54, 4)]
    else:
        blocks = [list(range(54))[start : start + game.blocks] for start in range(0, 54, game.blocks)]
    chance.shuffle(blocks)
    cards = [face for block in blocks for face in block for _ in range(2)]
    hands = [cards[seat * 25 : seat * 25 + 25] for seat in range(4)]
    for hand in hands:
        chance.shuffle(hand)
    deck = [hands[index % 4][index // 4] for index in range(100)] + cards[100:]
    return Table.from_deck(deck, game.rules, game.options, drawn_suit=chance.below(4))


def choose(chance: Chance, legal: list[int]) -> int:
    """A legal action; leads are ended and eights led more often than by chance, passes are a quarter."""
    for low, high, percent in ((COMMIT, EIGHT, 40), (EIGHT, PASS, 70), (PASS, CALL, 25), (CALL, TRUMP, 100)):
        some = [action for action in legal if low <= action < high]
        if some and len(some) < len(legal) and chance.below(100) < percent:
            return some[0] if low == CALL else some[chance.below(len(some))]
    return legal[chance.below(len(legal))]


def draw_part(part: Part, values: NDArray[np.uint8]) -> str:
    """A part of the observation in few signs: cards and groups by name, other numbers with a dot for nil."""
    if len(part.shape) == 2:
        rows = [draw_part(Part(part.name, part.shape[1:], "", axis=part.axis), row) for row in values]
        return " | ".join(rows)
    if part.axis == FACES:
        return format_cards(expand_counts(values)) or "."
    if part.axis == GROUPS and part.shape == (5,) and values.max() <= 1:
        return "".join(letter for letter, value in zip(GROUP_LETTERS, values, strict=True) if value) or "."
    return " ".join(str(value) if value else "." for value in values)


def draw_mask(legal: list[int]) -> str:
    """Legal actions in words."""
    return ", ".join(action_name(action) for action in legal)


def describe(name: str) -> Iterator[str]:
    """The lines of a playthrough."""
    game = GAMES[name]
    chance = Chance(game.seed)
    table = begin(game, chance)
    yield f"rules {game.rules}, options {dict(game.options)}, deals {game.deals}"
    last_seen: dict[int, NDArray[np.uint8]] = {}
    deal, decision = -1, 0
    while not table.is_over:
        if table.tables["deal_index"][0] != deal:
            deal = int(table.tables["deal_index"][0])
            yield from ("", f"deal {deal}, first caller {table.first_caller}, totals {table.totals}")
            deck = [int(face) for face in table.tables["deck"][0]]
            for seat in range(4):
                yield f"  seat {seat}  {format_cards(deck[(seat - table.first_caller) % 4 : 100 : 4])}"
            yield f"  bottom  {format_cards(deck[100:])}"
        seat, legal = table.acting_seat, table.legal_actions()
        assert [int(action) for action in np.flatnonzero(table.mask())] == legal
        seen = table.observe(seat)
        decision += 1
        trump = table.trump or "not known"
        yield from (
            "",
            f"{decision}. seat {seat}, {table.phase.name.lower()}, trump {trump}, captured {_captured(table)}",
        )
        before, now = named_views(last_seen.get(seat, np.zeros_like(seen))), named_views(seen)
        for part in PARTS:
            values = now[part.name]
            if not np.array_equal(values, before[part.name]):
                yield f"  {part.name}: {draw_part(part, values)}"
        last_seen[seat] = seen
        yield f"  may  {draw_mask(legal)}"
        action = choose(chance, legal)
        yield f"  does {action_name(action)}"
        deals_ended = int(table.tables["deal_index"][0])
        table.apply(action)
        if np.any(table.rewards):
            yield f"  rewards {' '.join(map(str, table.rewards))}"
        if table.is_over or table.tables["deal_index"][0] != deals_ended:
            yield f"  result {table.result}"
    yield from ("", f"totals {table.totals}")


def _captured(table: Table) -> str:
    row = table.tables[0]
    return f"{row['captured']}, conceded {row['conceded']}"


def text_of(name: str) -> str:
    """A playthrough."""
    return "\n".join(describe(name)) + "\n"
