"""Perft: how many legal sequences of n decisions there are from a position, as chess engines are checked.

A position is a deal and the words spoken since. From openings every pick counts as a decision; from positions with few
cards left a decision is a whole play, so that the order of picks does not matter. The numbers lie in
`tests/perft/PRESET.json`. `make regenerate` counts the positions on file anew, each by core and twin; other positions are
sought with

    python tests/helpers/counting.py
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from naive.game import Game
from numpy.typing import NDArray
from places import TESTS
from side_by_side import ACTIONS, SideBySide
from stacked import STYLES, Deal, Player, random_switches, stacked_deal

from baofen.envs import PRESETS, Rules
from baofen.envs.actions import COMMIT
from baofen.envs.core import step
from baofen.envs.core.dtypes import Phase
from baofen.envs.core.kernel import kernel
from baofen.envs.explain import legal_actions

FOLDER = TESTS / "perft"
OPENINGS, ENDINGS = 6, 14
FEWEST_CARDS_LEFT, MOST_CARDS_LEFT = 3, 6
ENOUGH = 800
"""Counting stops at the first depth with so many sequences."""
DEEPEST = 8


@kernel
def act(tables, rules, action):
    """Apply a legal action."""
    step.apply(tables[0], rules[0], action)


# ---- the core ------------------------------------------------------------------------------------


def count_core(tables: NDArray[np.void], rules: Rules, depth: int, whole_plays: bool) -> int:
    """The number of sequences of `depth` decisions in the core."""
    if tables["phase"][0] == Phase.OVER:
        return 0
    after = _plays_of_core(tables, rules) if whole_plays else _after_each(tables, rules)
    if depth == 1:
        return sum(1 for _ in after)
    return sum(count_core(table, rules, depth - 1, whole_plays) for table in after)


def _after_each(tables: NDArray[np.void], rules: Rules) -> Iterator[NDArray[np.void]]:
    for action in legal_actions(tables, rules):
        after = tables.copy()
        act(after, rules.record, action)
        yield after


def _plays_of_core(tables: NDArray[np.void], rules: Rules) -> Iterator[NDArray[np.void]]:
    """The table after each whole play, each set of cards once."""
    waiting: list[tuple[tuple[int, ...], NDArray[np.void]]] = [((), tables)]
    seen = set()
    while waiting:
        picked, table = waiting.pop()
        for action in legal_actions(table, rules):
            cards = picked if action == COMMIT else tuple(sorted((*picked, action)))
            after = table.copy()
            act(after, rules.record, action)
            key = (cards, bool(after["selection_ones"][0]))
            if key in seen:
                continue
            seen.add(key)
            if key[1]:
                waiting.append((cards, after))
            else:
                yield after


# ---- the twin ------------------------------------------------------------------------------------


def count_twin(game: Game, depth: int, whole_plays: bool) -> int:
    """The number of sequences of `depth` decisions in the twin, whole plays found by trying every set of cards."""
    if game.phase == "over":
        return 0
    moves: list[Any] = _plays_of_twin(game) if whole_plays else sorted(game.legal_actions())
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        after = copy.deepcopy(game)
        if whole_plays:
            after.play(move)
        else:
            after.act(move)
        count += count_twin(after, depth - 1, whole_plays)
    return count


def _plays_of_twin(game: Game) -> list[tuple[str, ...]]:
    sizes = [len(game.trick[0][1])] if game.trick else range(1, len(game.hand) + 1)
    plays = {tuple(sorted(cards)) for size in sizes for cards in combinations(game.hand, size)}
    return [cards for cards in plays if game.why_illegal_play(cards) is None]


# ---- positions -----------------------------------------------------------------------------------


def set_up(position: dict[str, Any]) -> SideBySide:
    """Core and twin in a position."""
    deal = Deal(position["first_caller"], tuple(position["dealt"].split()), position["random_trump"])
    pair = SideBySide(position["rules"], position["options"], deal)
    for word in position["words"].split():
        pair.act(word)
    return pair


def find_positions(rules: str) -> Iterator[dict[str, Any]]:
    """Openings from the deal on, one in each phase, and endings at any moment of a trick."""
    styles = [style for style in STYLES if style != "ranks"]
    for number in range(OPENINGS + ENDINGS):
        rng = Random(number)
        options = {} if number % 3 == 0 else random_switches(rng, rules)
        opening = number < OPENINGS
        phase = ("expose" if rules == "exposure" else "auction", "auction", "bury", "play")[number % 4]
        while True:
            deal = stacked_deal(rng, rng.choice(styles))
            pair = SideBySide(rules, options, deal)
            words = _play_until(rng, pair, deal, phase if opening else None)
            cards_left = sum(map(len, pair.twin.hands))
            if pair.twin.phase != "over" and (opening or cards_left >= 4 * FEWEST_CARDS_LEFT):
                break
        yield {
            "rules": rules,
            "options": options,
            "first_caller": deal.first_caller,
            "dealt": " ".join(deal.dealt),
            "random_trump": deal.random_trump,
            "words": " ".join(words),
            "whole_plays": not opening,
        }


def _play_until(rng: Random, pair: SideBySide, deal: Deal, phase: str | None) -> list[str]:
    """Play to a phase, or to few cards left; gives the words spoken."""
    game = pair.twin
    player = Player(rng, game, deal)
    player.calls = 0.9
    plays_more = rng.randrange(4)
    words: list[str] = []
    while game.phase != "over":
        if phase is not None and game.phase == phase:
            break
        cards_left = sum(map(len, game.hands))
        if phase is None and game.tricks and not game.selection and cards_left <= 4 * MOST_CARDS_LEFT:
            if plays_more == 0:
                break
            plays_more -= 1
        words.append(player.choose(game))
        pair.act(words[-1])
    return words


def count_both(position: dict[str, Any]) -> list[int]:
    """The counts of a position to growing depth, the same by core and twin."""
    pair = set_up(position)
    counts: list[int] = []
    while len(counts) < DEEPEST and (not counts or 0 < counts[-1] < ENOUGH):
        depth = len(counts) + 1
        core = count_core(pair.table.tables, pair.rules, depth, position["whole_plays"])
        twin = count_twin(pair.twin, depth, position["whole_plays"])
        assert core == twin, (position, depth, core, twin)
        counts.append(core)
    return counts


def counted_anew(rules: str) -> str:
    """The file of a preset, its positions as they are, counted by core and twin."""
    return counted(json.loads((FOLDER / f"{rules}.json").read_text(encoding="utf-8")))


def counted(positions: Iterable[dict[str, Any]]) -> str:
    """The text of the file with some positions, counted by core and twin."""
    lines = [json.dumps(position | {"counts": count_both(position)}) for position in positions]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main() -> None:
    """Find other positions, count them and write all files anew."""
    FOLDER.mkdir(exist_ok=True)
    for rules in PRESETS:
        (FOLDER / f"{rules}.json").write_text(counted(find_positions(rules)), encoding="utf-8")


if __name__ == "__main__":
    assert ACTIONS["commit"] == COMMIT
    main()
