"""Hands as people give them, and what is told of calls: which are better than passing, and how sure that is."""

import dataclasses

import numpy as np
import pytest

from baofen.agents.bids.handvalues import HandValues
from baofen.envs.cards import FACE_NAMES
from baofen.envs.render.text import cards_text, hand_text
from baofen.envs.rules import Rules
from baofen.training.bids.hand.advice import Advice, CallValue, beside_agent
from baofen.training.bids.hand.given import parse_hand, read_suit
from baofen.training.bids.hand.report import rows_that_matter
from baofen.training.errors import UserError

HAND = "BJ LJ 2h As As Kd Kd Td 5d 9d 8d 7d 3d 2d Kh 5h Ac Kc Tc 9c 3c 6s 7s 8s Qs"


@pytest.mark.parametrize("seed", range(20))
def test_a_hand_is_taken_in_every_way_that_it_is_printed(seed):
    faces = sorted(np.random.default_rng(seed).permutation(np.repeat(np.arange(54), 2))[:25].tolist())
    names = [FACE_NAMES[face] for face in faces]
    chinese = {"BJ": "大王", "LJ": "小王"}
    written = [
        " ".join(names),
        " ".join(names).lower(),
        ", ".join(name.upper().replace("T", "10") for name in names),
        hand_text(faces),
        hand_text(faces).replace(" | ", "\n"),
        cards_text(faces),
        " ".join(word[-1] + word[:-1] if word[-1] in "♠♥♣♦" else word for word in cards_text(faces).split()),
        " ".join(chinese.get(word, word) for word in hand_text(faces).split()),
        hand_text(faces).replace("♥", "♥\ufe0f"),
    ]
    for words in written:
        assert sorted(parse_hand(words)) == faces, words


def test_all_wrong_cards_are_told_at_once():
    with pytest.raises(UserError) as told:
        parse_hand(HAND.replace("Kh", "1h").replace("Ac", "Zz").replace("BJ", "♠ A | 10"))
    (line,) = str(told.value).splitlines()
    assert line.startswith("unknown cards '10', '1h', 'Zz'; a card is As, 10d, ♠A")


def test_a_suit_may_be_given_by_its_sign():
    assert [read_suit(word) for word in ("♠", "♥", "♣", "♦", "D", "d", "x")] == ["s", "h", "c", "d", "d", "d", "x"]


def advice(*over, agent_call=None, error=5.0):
    """The advice for calls from 85 on that are worth so much more than passing."""
    calls = [CallValue(85 + 5 * place, one - 10, 0.5, error, one, error) for place, one in enumerate(over)]
    values = [*calls, CallValue(None, -10.0, None, error)]
    return Advice(values, agent_call, "s", [], {}, np.zeros(1), np.ones(1), {}, 100, 100.0, "")


def test_rows_far_above_what_matters_are_left_out():
    shown, left = rows_that_matter(advice(20, 12, 3, -9, *(-20 - 10 * place for place in range(20))))
    assert [one.call for one in shown] == [85, 90, 95, 100, 105, 110, None]
    assert [one.against_pass for one in shown[:-1]] == [1, 1, 0, 0, -1, -1]
    assert (left[0].call, left[-1].call) == (115, 200)
    shown, left = rows_that_matter(advice(20, *(-20 - 10 * place for place in range(23)), agent_call=150))
    assert 150 in [one.call for one in shown]
    assert rows_that_matter(advice(20, -20, -30, -40)) == (advice(20, -20, -30, -40).values, [])
    assert [one.call for one in rows_that_matter(advice())[0]] == [None]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (advice(20, -3, agent_call=85), ["calls 85, which is also the best by these play-outs"]),
        (advice(-20, -30), ["passes, which is also the best"]),
        (
            advice(-20, -30, agent_call=90),
            ["calls 90: that is its own rule", "30.0 below the best (the pass), more than"],
        ),
        (advice(20, 19, agent_call=90), ["1.0 below the best (85), no more than can be chance"]),
        (advice(20, 19), ["passes: that is its own rule", "20.0 below the best (85), more than can be chance"]),
    ],
)
def test_an_agent_that_does_otherwise_gets_a_word(given, words):
    told = beside_agent(given, "heuristic")
    assert all(one in told for one in words), told


@pytest.mark.parametrize("worlds", [50, 100, 400])
def test_errors_hold_the_truth_as_often_as_they_should(worlds):
    """Of a hand that goes badly wrong three times in a hundred worlds, which few worlds may not show."""
    rng = np.random.default_rng(worlds)
    away, seen_only = [], []
    for _ in range(1500):
        values = np.where(rng.random(worlds) < 0.03, -300.0, rng.normal(0, 40, worlds))
        weights = rng.choice([0.2, 1.0], worlds)
        told = HandValues(
            Rules(), -1, np.zeros((worlds, 7), np.uint8), np.zeros(worlds, np.int8), weights / weights.sum()
        )
        mean, error = told.mean(values, ((-500.0, 500.0),))
        away.append(abs(mean + 9) / error)
        seen_only.append(abs(mean + 9) / told.mean(values)[1])
    assert 0.63 < np.mean(np.array(away) < 1) < 0.8
    assert np.mean(np.array(away) < 2) > 0.93
    if worlds == 50:
        assert np.mean(np.array(seen_only) < 2) < 0.93  # what the extremes are for


def test_the_values_of_an_advice_agree_with_each_other():
    one = dataclasses.replace(advice(20).values[0], over_pass_error=10.0)
    assert one.against_pass == 0
    assert dataclasses.replace(one, over_pass=-21.0).against_pass == -1
