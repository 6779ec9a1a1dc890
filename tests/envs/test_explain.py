"""Explanations and masks are one truth, and it is the twin's: for all actions, and for whole sets of cards."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from naive.cards import without
from naive.game import Game
from naive.leading import eights_in
from side_by_side import WORDS, random_pair
from stacked import Player

from baofen.envs import PRESETS
from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.cards import FACE_BY_NAME, FACE_NAMES
from baofen.envs.explain import Fault, explain, play_fault

GAMES = 45


def card_sets(rng: Random, game: Game, play: list[str]) -> Iterator[list[str]]:
    """Sets of cards around a legal play: one or two cards exchanged, sets of the group, of pairs, and any."""
    hand = game.hand
    size = len(play)
    yield play
    rest = without(hand, play)
    for number in (1, 1, 2, 3):
        if number <= min(size, len(rest)):
            yield without(play, rng.sample(play, number)) + rng.sample(rest, number)
    yield rng.sample(hand, size)
    yield rng.sample(hand, rng.randrange(len(hand) + 1))
    assert game.order is not None
    group = game.lead.group if game.trick and game.lead is not None else game.order.group(rng.choice(hand))
    own = game.order.of_group(hand, group)
    yield rng.sample(own, min(size, len(own)))
    doubles = [card for card in own if own.count(card) == 2]
    faces = rng.sample(sorted(set(doubles)), min(size // 2, len(set(doubles))))
    yield [face for face in faces for _ in range(2)]
    yield [*play[1:], rng.choice(FACE_NAMES)]
    for rank in eights_in(hand)[:1]:
        yield [card for card in hand if card[0] == rank]


def legal_play(rng: Random, game: Game, player: Player) -> list[str]:
    """A whole legal play, picked card by card in the twin; nothing is left picked."""
    picked: list[str] = []
    while True:
        word = player.choose(game)
        if word.startswith("eight:"):
            return [card for card in game.hand if card[0] == word[-1]]
        if word == "commit":
            break
        picked.append(word)
        game.selection.append(word)
        if game.trick and game.lead is not None and len(picked) == game.lead.size:
            break
    game.selection.clear()
    return picked


def untold(fault: Fault) -> set[str]:
    """The numbers, cards, groups and actions of a sentence that are not among its facts, which are plain data."""
    facts = json.dumps(fault.facts)
    assert json.loads(facts) == fault.facts
    says = set(re.findall(r"\b(?:[2-9TJQKA][shcd]|[LB]J|[1-9]\d*)\b", fault.message))
    says -= {"2s"} if "both 2s" in fault.message else set()
    return {word for word in says if word not in facts}


@pytest.mark.parametrize("rules", PRESETS)
def test_reasons_agree_with_masks_and_twin(rules: str) -> None:
    reasons: Counter[str | None] = Counter()
    for seed in range(5000, 5000 + GAMES):
        rng = Random(seed)
        pair = random_pair(rng, rules)
        player = Player(rng, pair.twin, pair.deal)
        while True:
            tables = pair.table.tables
            if rng.random() < 0.08 or pair.twin.phase == "over":
                words = pair.words
                for action in range(NUM_ACTIONS):
                    fault = explain(tables, pair.rules, action)
                    assert (fault is None) == (WORDS[action] in words), (WORDS[action], fault)
                    if fault is not None:
                        assert fault.reason and fault.message
                        assert untold(fault) == set()
            if pair.twin.phase == "over":
                break
            if pair.twin.phase == "play" and not pair.twin.selection and rng.random() < 0.3:
                for cards in card_sets(rng, pair.twin, legal_play(rng, pair.twin, player)):
                    play = play_fault(tables, pair.rules, [FACE_BY_NAME[card] for card in cards])
                    reason = None if play is None else play.reason
                    assert reason == pair.twin.why_illegal_play(cards), (cards, play)
                    reasons[reason] += 1
                    assert play is None or untold(play) == set()
            pair.act(player.choose(pair.twin))
    expected = {None, "suit_duty", "pair_duty", "tractor_duty", "mixed_lead", "wrong_count", "card_not_in_hand"}
    expected |= {"suzhou": {"eight_duty"}, "exposure": set(), "hongwu": {"trump_throw"}}[rules]
    assert not expected - set(reasons)
