"""The twin's legal actions against brute force: every set of cards is tried one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from naive import Game
from naive.random_games import play_out, random_game

VARIANTS = [
    ("suzhou", {}),
    ("suzhou", {"tractor_follow": "exact", "joker_tractor": "high", "throw_penalty_to": "opponents"}),
    ("suzhou", {"tractor_follow": "pairs", "joker_tractor": "none", "settlement": "zero_sum"}),
    ("suzhou", {"follow_shape": "suit_only", "eights": "off", "all_pass": "forced"}),
    ("exposure", {}),
    ("exposure", {"eights": "on", "throw_forced": "single_first", "throw_penalty_count": "all"}),
    ("hongwu", {}),
    ("hongwu", {"follow_shape": "suit_only", "throw_equal": "fails", "red5_mode": "replace"}),
]


def all_legal_plays(game: Game) -> set[tuple[str, ...]]:
    """Every legal play of a small hand, found by trying each set of cards."""
    sizes = [len(game.trick[0][1])] if game.trick else range(1, len(game.hand) + 1)
    plays = {tuple(sorted(cards)) for size in sizes for cards in combinations(game.hand, size)}
    return {cards for cards in plays if game.why_illegal_play(cards) is None}


def words_of(plays: set[tuple[str, ...]], picked: list[str], follows: bool) -> set[str]:
    """The next picks that lead from the picked cards to one of the plays."""
    words: set[str] = set()
    for play in plays:
        rest = Counter(play)
        rest.subtract(picked)
        if min(rest.values()) >= 0 and set(picked) <= set(play):
            words |= {card for card, number in rest.items() if number > 0}
            if not follows and rest.total() == 0:
                words.add("commit")
    return words


def as_actions(game: Game) -> set[str]:
    """The exact mask by brute force, eights set apart as their one action."""
    plays = all_legal_plays(game)
    eights = {play for play in plays if game.switches["eights"] and len({card[0] for card in play}) == 1}
    eights = {play for play in eights if len(play) == 8 and play[0][0] in "3456789TJQKA"}
    if game.trick and (game.lead is None or game.lead.eight is None):
        eights = set()  # eight cards of a rank answer nothing but an eight
    if eights and not game.trick and game.selection:
        return words_of(plays - eights, game.selection, follows=False)
    names = {f"eight:{play[0][0]}" for play in eights}
    return names | words_of(plays - eights, game.selection, follows=bool(game.trick))


@pytest.mark.parametrize(("rules", "options"), VARIANTS)
@pytest.mark.parametrize("few_faces", [False, True])
def test_every_pick_leads_to_a_legal_play(rules: str, options: dict[str, object], few_faces: bool) -> None:
    rng = Random(5)
    for _ in range(3):
        for game in play_out(rng, random_game(rng, rules, options, few_faces)):
            assert game.legal_actions()


@pytest.mark.parametrize(("rules", "options"), VARIANTS)
def test_small_hands_match_brute_force(rules: str, options: dict[str, object]) -> None:
    rng = Random(7)
    num_checked = 0
    for _ in range(6):
        for game in play_out(rng, random_game(rng, rules, options, few_faces=True)):
            if game.phase == "play" and len(game.hand) <= 9:
                assert game.legal_actions() == as_actions(game)
                num_checked += 1
    assert num_checked > 100
