"""Situations in which the right play is plain."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from situations import SUZHOU, cards_of, situation, sorted_cards, words

from baofen.agents.heuristic_v1.choose import choose_action, choose_play
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.envs.actions import ACTION_BY_NAME, TRUMP, call_action
from baofen.envs.core.dtypes import AUCTION, BURY, NO_TRUMP_YET
from baofen.envs.core.dtypes import TRUMP as TRUMP_PHASE
from baofen.envs.core.step import update_legal
from baofen.envs.rules import Rules

WEIGHTS = heuristic_weights()


def played(tables: NDArray[np.void], rules: Rules = SUZHOU) -> str:
    """What the heuristic plays, in cards."""
    play, eight = choose_play(tables[0], rules.record[0], WEIGHTS[0])
    assert eight == 0
    return cards_of(rules, int(tables[0]["layout"]), play.ones, play.twos)


FILLER = "3d 4d 6d 7d"

FOLLOWS: dict[str, tuple[dict[str, Any], str]] = {
    "the last seat takes twenty points with its cheapest trump": (
        {"hands": ["3s 9s As BJ", FILLER, FILLER, FILLER], "trick": ["Qh", "Th", "Th"], "leader": 1},
        "3s",
    ),
    "the last seat saves its king in a trick that it wins anyway": (
        {"hands": ["Kh Ah 3h 4h", FILLER, FILLER, FILLER], "trick": ["Qh", "Th", "5h"], "leader": 1},
        "Kh",
    ),
    "no points for the declarer's sure trick": (
        {"hands": [FILLER, "Th 5h 4h 3d", FILLER, FILLER], "trick": ["Ah"], "gone": "Ah"},
        "4h",
    ),
    "no points for the declarer's sure trick, last": (
        {"hands": [FILLER, FILLER, FILLER, "Th 5h 4h 3d"], "trick": ["Ah", "6h", "7h"], "gone": "Ah"},
        "4h",
    ),
    "a ten for an ally's ace when the declarer has played": (
        {
            "hands": [FILLER, FILLER, FILLER, "Th 5h 4h 3d"],
            "trick": ["Ah", "6h"],
            "leader": 1,
            "declarer": 2,
            "gone": "Ah",
        },
        "Th",
    ),
    "a ten for an ally's pair of aces from two lone cards": (
        {
            "hands": ["Th 4h 7h 3d", FILLER, FILLER, FILLER],
            "trick": ["Ah Ah", "6h 6h", "7h 8h"],
            "leader": 1,
            "declarer": 2,
        },
        "Th 7h",
    ),
    "no ruff of a trick that an ally has won": (
        {"hands": ["3s 9s 6c 7d", FILLER, FILLER, FILLER], "trick": ["Ah", "3h", "4h"], "leader": 1, "declarer": 2},
        "6c",
    ),
    "an over-ruff of the declarer's ruff with points in it": (
        {"hands": ["3s Js Qc BJ", FILLER, FILLER, FILLER], "trick": ["Kh", "9s", "Th"], "leader": 1, "declarer": 2},
        "Js",
    ),
    "a lone pair must go to a pair, cheap cards otherwise": (
        {"hands": [FILLER, "3h 3h Kh Th 9h", FILLER, FILLER], "trick": ["Ah Ah"]},
        "3h 3h",
    ),
    "the owed run that costs least": (
        {"hands": [FILLER, "3h 3h 4h 4h Th Th Jh Jh", FILLER, FILLER], "trick": ["Kh Kh Ah Ah"]},
        "3h 3h 4h 4h",
    ),
}


@pytest.mark.parametrize("name", FOLLOWS)
def test_follows(name: str) -> None:
    setting, expected = FOLLOWS[name]
    got = played(situation(**setting))
    if name == "no ruff of a trick that an ally has won":
        assert not any(card[1] == "s" for card in got.split())
    elif name.startswith("a ten for an ally's pair"):
        assert "Th" in got.split()
    else:
        assert got == sorted_cards(expected)


def test_does_not_throw_what_may_be_beaten() -> None:
    tables = situation(["Ah Kh Qh 4h 3s 4s 3c 5c", FILLER, FILLER, FILLER])
    assert played(tables) in ("Ah", "3c", "3s", "4h", "4s")


def test_throws_what_is_certain_when_the_trumps_are_gone() -> None:
    trumps = "3s 3s 4s 4s 5s 5s 6s 6s 7s 7s 8s 8s 9s 9s Ts Ts Js Js Qs Qs Ks Ks As As LJ LJ BJ BJ "
    twos = "2s 2s 2h 2h 2c 2c 2d 2d"
    tables = situation(["Ah Ah Kh", FILLER, FILLER, FILLER], gone=trumps + twos)
    tables["played_ones"][0, 2], tables["played_twos"][0, 2] = words(SUZHOU, 0, "Kh")
    assert played(tables) == sorted_cards("Ah Ah Kh")


def in_phase(phase: int, hand: str, trump: int = NO_TRUMP_YET, rules: Rules = SUZHOU) -> NDArray[np.void]:
    """A table [1] with seat 0 to act before the play."""
    tables = situation(["", "", "", ""], rules=rules)
    table = tables[0]
    table["phase"] = phase
    table["trump"] = table["layout"] = trump
    table["hand_ones"][0], table["hand_twos"][0] = words(rules, trump, hand)
    if phase == AUCTION:
        table["declarer"] = table["last_caller"] = -1
    update_legal(table, rules.record[0])
    return tables


STRONG = "BJ BJ LJ 2s 2h As As Ks Ks Qs Js Ts Ts 9s 8s 8s 7s 5s 3s Ah Ah Kh Ac 3c 4d"
WEAK = "3s 4s 6s 7s 9s Js 3h 4h 6h 7h 9h Jh Qh 3c 4c 6c 7c 9c Jc 3d 4d 6d 7d 9d Jd"


def action(tables: NDArray[np.void], rules: Rules = SUZHOU) -> int:
    return int(choose_action(tables[0], rules.record[0], WEIGHTS[0]))


def test_calls_with_a_strong_hand_and_passes_with_a_weak_one() -> None:
    assert action(in_phase(AUCTION, STRONG)) == call_action(85)
    assert action(in_phase(AUCTION, WEAK)) == ACTION_BY_NAME["pass"]


def test_raises_by_the_minimum() -> None:
    tables = in_phase(AUCTION, STRONG)
    tables["last_call"], tables["last_caller"] = 90, 3
    update_legal(tables[0], SUZHOU.record[0])
    assert action(tables) == call_action(95)


def test_names_the_best_suit() -> None:
    assert action(in_phase(TRUMP_PHASE, STRONG + " 3d 4d 6d 7c 8c 9c Qc Jh")) == TRUMP


def bury_of(hand: str) -> str:
    """What the heuristic buries of 33 cards with spades as trump, chosen one by one."""
    tables = in_phase(BURY, hand, trump=0)
    buried = []
    for _ in range(8):
        face = action(tables)
        buried.append(face)
        position = 1 << int(SUZHOU.record["position"][0, 0, face])
        tables["selection_twos"] |= tables["selection_ones"] & position
        tables["selection_ones"] |= position
        update_legal(tables[0], SUZHOU.record[0])
    return cards_of(SUZHOU, 4, *words(SUZHOU, 4, " ".join(map(_name, buried))))


def _name(face: int) -> str:
    return {number: name for name, number in ACTION_BY_NAME.items()}[face]


def test_buries_neither_points_nor_strength() -> None:
    buried = bury_of(STRONG + " 3d 6d 7d 8d 8c 9c Tc 5h").split()
    assert len(buried) == 8
    assert not {"Tc", "5h", "Ah", "Kh", "Ac"} & set(buried)
    assert not any(card.endswith("s") or card in ("BJ", "LJ", "2h") for card in buried)


def test_buries_to_be_void() -> None:
    buried = bury_of(STRONG.replace(" 4d", " 6c") + " 3d 6d 7d 9d 8c 9c Jc Qc").split()
    assert {"3d", "6d", "7d", "9d"} <= set(buried)
