"""Features of plays are what the naive twin of the rules reckons, in stacked deals with random house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest
from naive.cards import points, two_packs, without
from naive.order import TRUMP, eight_lead, pairs_in
from naive.winning import winner
from other_worlds import played_faces
from side_by_side import WORDS, SideBySide, random_pair

from baofen.agents.plays.features import FEATURES
from baofen.envs import PRESETS, Table
from baofen.envs.actions import EIGHT
from baofen.envs.cards import FACE_NAMES, expand_counts
from baofen.envs.plays import Plays, play_lister

NAMES = [name for name, _ in FEATURES]
GAMES = 4


def decisions(rng: Random, rules: str) -> Iterator[tuple[SideBySide, Plays]]:
    """The decisions of a random deal, played by entries of the lists drawn at random."""
    pair = random_pair(rng, rules)
    while pair.twin.phase != "over":
        table = pair.table
        plays = play_lister().list_plays(table.rules, table.tables)
        yield pair, plays
        choice = rng.randrange(int(plays.count[0]))
        if plays.actions[0, choice] >= 0:
            pair.act(WORDS[plays.actions[0, choice]])
            continue
        ahead = table.copy()
        last = play_lister().pick_all_but_last(ahead.rules, ahead.tables, plays, np.array([choice]))
        picked = expand_counts(plays.cards[0, choice])
        left = list(picked)
        while left:  # in any order the rules take
            face = next(face for face in left if table.why_illegal(face) is None)
            left.remove(face)
            pair.act(WORDS[face])
        if WORDS[int(last[0])] == "commit":
            pair.act("commit")


@pytest.mark.parametrize("rules", PRESETS)
def test_features_of_plays_are_what_the_twin_reckons(rules: str) -> None:
    num_plays = 0
    for seed in range(100, 100 + GAMES):
        for pair, plays in decisions(Random(seed), rules):
            if pair.twin.phase != "play":
                continue
            for index in range(int(plays.count[0])):
                cards = [FACE_NAMES[face] for face in expand_counts(plays.cards[0, index])]
                action = int(plays.actions[0, index])
                expected = slow_features(pair, cards, action)
                ours = dict(zip(NAMES, plays.features[0, index].tolist(), strict=True))
                for name, value in expected.items():
                    assert ours[name] == pytest.approx(float(value), abs=1e-5), (name, cards, pair.table.record())
                num_plays += 1
    assert num_plays >= 500


def slow_features(pair: SideBySide, cards: list[str], action: int) -> dict[str, float]:
    """Those features of a play that the rules alone say, without the judgement of the heuristic."""
    game, table = pair.twin, pair.table
    order, seat = game.order, game.acting
    assert order is not None and seat is not None
    later = [(seat + step) % 4 for step in range(1, 4 - len(game.trick))]
    enemies = [other for other in later if seat == game.declarer or other == game.declarer]
    found = {
        "cards": len(cards) / 4,
        "pairs": len(pairs_in(cards)) / 2,
        "points": points(cards) / 10,
        "hand": len(game.hand) / 25,
        "leads": not game.trick,
        "enemies_after": len(enemies) / 3,
        "allies_after": (len(later) - len(enemies)) / 2,
        "declarer_best": 0,
    }
    if game.trick:
        assert game.lead is not None
        lead = game.lead if game.lead.eight is None else eight_lead(game.lead.eight, game.lead.cards)
        takes = winner(order, lead, [*game.trick, (seat, cards)]) == seat
        found |= {
            "takes": takes,
            "wins": takes and not later,
            "declarer_best": winner(order, lead, game.trick) == game.declarer,
            "points_there": sum(points(played) for _, played in game.trick) / 20,
        }
    else:
        found |= {"takes": 1, "wins": 0, "points_there": 0}
    if action >= EIGHT:
        return found
    seen = [FACE_NAMES[face] for other in range(4) for face in played_faces(table, other)]
    unseen = without(without(two_packs(), game.hand), seen)
    if seat == game.declarer:
        unseen = without(unseen, game.buried)
    # The core's highest card of a play lies in its highest group.
    group = TRUMP if order.of_group(cards, TRUMP) else order.group(max(cards, key=_place_of(table)))
    of_group = order.of_group(cards, group)
    height = max(order.strength(card) for card in of_group)
    outside = order.of_group(unseen, group)
    higher = sum(order.strength(card) > height for card in outside)
    left = len(order.of_group(game.hand, group)) - len(of_group)
    found |= {
        "trump": group == TRUMP,
        "higher": min(higher, 8) / 4,
        "master": higher == 0,
        "group_left": left / 6,
        "void": left == 0,
        "group_outside": len(outside) / 12,
        "broken": sum(card in cards and card not in pairs_in(cards) for card in pairs_in(game.hand)),
    }
    if game.trick and game.lead is not None:
        found["ruffs"] = group == TRUMP and game.lead.group != TRUMP
        found["discards"] = group not in (TRUMP, game.lead.group)
    return found


def _place_of(table: Table) -> Callable[[str], int]:
    """How high a card lies among the core's positions."""
    position = table.rules.record["position"][0][int(table.tables["layout"][0])]
    return lambda card: int(position[FACE_NAMES.index(card)])
