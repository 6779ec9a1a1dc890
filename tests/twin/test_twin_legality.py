"""The twin's legal actions against brute force: every set of cards is tried one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from naive import Game
from naive.following import greatest_covering
from random_twin_games import choose, play_out, random_game

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


def dense_game(rng: Random, rules: str, options: dict[str, object]) -> Game:
    """The first lead of a game cut down to two suits and the high trumps: pairs and runs everywhere."""
    game = random_game(rng, rules, options)
    while game.phase != "play":
        game.act(choose(rng, game))
        if game.phase == "over":  # passed out
            game = random_game(rng, rules, options)
    side = rng.choice([suit for suit in "shcd" if suit != game.trump])
    ranks = rng.choice(["3456789", "9TJQKA", "345678", "79JKA"])
    faces = {rank + suit for rank in ranks for suit in (side, str(game.trump))}
    faces |= {"LJ", "BJ", "5h", "2c", "2d", "3s"}
    # Suit by suit, so that neighbours hold cards of the same group.
    cards = sorted(sorted(faces) * 2, key=lambda card: (card[1], rng.random()))
    size = min(rng.randrange(6, 10), len(cards) // 4)
    start = rng.randrange(len(cards))
    cards = cards[start:] + cards[:start]
    game.hands = [cards[seat * size : seat * size + size] for seat in range(4)]
    return game


def lead_pairs(rng: Random, game: Game) -> None:
    """Lead all pairs and tractors of some group: a throw, mostly, which the hands must follow in shape."""
    assert game.order is not None and game.acting is not None
    doubles = [card for card in game.hand if game.hand.count(card) == 2]
    groups = sorted({game.order.group(card) for card in doubles})
    if groups:
        cards = game.order.of_group(doubles, rng.choice(groups))
        if game.why_illegal_play(cards) is None:
            game.play(cards)


@pytest.mark.parametrize(("rules", "options"), VARIANTS)
def test_small_hands_match_brute_force(rules: str, options: dict[str, object]) -> None:
    rng = Random(7)
    for _ in range(40):
        for game in play_out(rng, dense_game(rng, rules, options)):
            assert game.legal_actions() == as_actions(game)
            if not game.trick and not game.selection and rng.random() < 0.8:
                lead_pairs(rng, game)


def coverings(runs: list[list[int]], tractors: tuple[int, ...], exact: bool) -> set[tuple[tuple[int, ...], ...]]:
    """Every covering, found by laying each piece at every place of every run."""
    if not tractors:
        return {()}
    found = {((), *rest) for rest in coverings(runs, tractors[1:], exact)}
    for index, run in enumerate(runs):
        for start, end in combinations(range(len(run) + 1), 2):
            piece = end - start
            if piece < 2 or piece > tractors[0] or (exact and piece < tractors[0]):
                continue
            left = [*runs[:index], run[:start], run[end:], *runs[index + 1 :]]
            for first, *rest in coverings(left, (tractors[0] - piece, *tractors[1:]), exact):
                found.add((tuple(sorted((piece, *first), reverse=True)), *rest))
    return found


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("tractors", [(2,), (3,), (4,), (5,), (2, 2), (3, 2), (4, 2), (3, 3), (2, 2, 2)])
@pytest.mark.parametrize("runs", [(2,), (2, 2), (3,), (4,), (2, 3), (2, 4), (2, 2, 3), (5,), (6,), (3, 3)])
def test_greatest_covering_is_the_greatest_of_all(
    runs: tuple[int, ...], tractors: tuple[int, ...], exact: bool
) -> None:
    laid_out = [list(range(length)) for length in runs]
    assert greatest_covering(runs, tractors, exact) == max(coverings(laid_out, tractors, exact))
