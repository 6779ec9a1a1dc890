"""Deals made by hand: nothing that a deal cannot begin with gets past, whoever makes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from baofen.envs import IllegalAction, Table, VectorTables, baofen_v0
from baofen.envs.cards import format_cards
from baofen.envs.interfaces.gym_single import BaofenSingleEnv
from baofen.envs.interfaces.gym_vector import BaofenVectorEnv

DECK = [index >> 1 for index in range(108)]
HANDS, BOTTOM = [format_cards(DECK[25 * seat : 25 * seat + 25]) for seat in range(4)], format_cards(DECK[100:])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"first_caller": 7}, "first_caller must be a seat 0 .. 3, not 7"),
        ({"first_caller": -1}, "first_caller must be a seat"),
        ({"first_caller": True}, "first_caller must be a seat"),
        ({"totals": 5}, "totals must be four whole numbers, not 5"),
        ({"totals": (0, 0, 0)}, "totals must be four whole numbers"),
        ({"totals": (0, 0, 0, 0.5)}, "totals must be four whole numbers"),
        ({"totals": (0, 0, 0, 10**12)}, "totals must lie within"),
        ({"pot": -5}, "pot must be a whole number from 0"),
        ({"pot": 100, "pot_age": 0}, "pot_age must be 1 .. 4 with a pot, not 0"),
        ({"pot": 100, "pot_age": 5}, "pot_age must be 1 .. 4 with a pot, not 5"),
        ({"pot_age": 1}, "pot_age must be 0 without a pot, not 1"),
        ({"pot": 100, "options": {"all_pass": "direct"}}, "a pot of 100 needs the option all_pass = pot"),
        ({"drawn_suit": 9, "rules": "exposure"}, "drawn_suit must be 0 .. 3, not 9"),
        ({"deck": DECK[:-1]}, "a deck has 108 cards, not 107"),
        ({"deck": [*DECK[:-1], 0]}, "2s is dealt 3 times, not twice"),
        ({"deck": [*DECK[:-1], 54]}, "faces are whole numbers 0 .. 53, not 54"),
        ({"deck": [*DECK[:-1], -1]}, "faces are whole numbers 0 .. 53, not -1"),
        ({"deck": [*DECK[:-1], 53.0]}, "faces are whole numbers"),
        ({"first_caller": 1.0}, "first_caller must be a seat"),
        ({"first_caller": "1"}, "first_caller must be a seat"),
        ({"first_caller": None}, "first_caller must be a seat"),
        ({"first_caller": np.uint8(255)}, "first_caller must be a seat"),
        ({"totals": None}, "totals must be four whole numbers"),
        ({"totals": "0000"}, "totals must be four whole numbers"),
        ({"totals": np.array([-(2**63), 0, 0, 0])}, "totals must lie within"),
        ({"pot": "x"}, "pot must be a whole number from 0"),
        ({"pot": None}, "pot must be a whole number from 0"),
        ({"pot": 400}, "pot must be a whole number from 0 to 399, not 400"),
        ({"pot": 100, "pot_age": "1"}, "pot_age must be 1 .. 4 with a pot"),
        ({"drawn_suit": None}, "drawn_suit must be 0 .. 3"),
        ({"deck": None}, "a deck is a sequence of 108 faces, not None"),
    ],
)
def test_what_no_deal_begins_with_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        Table.from_deck(**{"deck": DECK, **settings})
    if "deck" not in settings:
        with pytest.raises(ValueError, match=message):
            Table.from_hands(HANDS, BOTTOM, **settings)


@pytest.mark.parametrize("deals", [0, -1, 2.9, 2.0, True, "2", None, 2**31, 2**32 + 1, 2**40])
def test_a_match_has_a_whole_number_of_deals(deals: Any) -> None:
    for make in (Table, lambda **given: VectorTables(1, **given), baofen_v0.raw_env, BaofenSingleEnv, BaofenVectorEnv):
        with pytest.raises(ValueError, match=r"deals_per_match"):
            make(deals_per_match=deals)
    assert Table(deals_per_match=np.int8(2)).tables["deals_per_match"] == 2  # type: ignore[arg-type]


def test_numbers_of_numpy_will_do_and_a_pot_is_young_by_default() -> None:
    numbers: dict[str, Any] = {"first_caller": np.int8(2), "totals": np.arange(4), "pot": np.int64(100)}
    given = Table.from_deck(list(np.array(DECK)), **numbers)
    assert given.first_caller == 2
    assert given.totals == [0, 1, 2, 3]
    assert given.record()["pot_age"] == 1


def test_hands_that_are_no_deal_are_refused() -> None:
    hands, bottom = HANDS, BOTTOM
    Table.from_hands(hands, bottom)
    for wrong, message in (
        ((hands[:3], bottom), "there are 4 hands, not 3"),
        (([*hands[:3], "As"], bottom), "the hand of seat 3 has 1 cards, not 25"),
        ((hands, "As"), "the bottom has 1 cards, not 8"),
        ((["2s " * 25, *hands[1:]], bottom), "2s is dealt 25 times"),
    ):
        with pytest.raises(ValueError, match=message):
            Table.from_hands(*wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [67.9, 67.0, "67", None])
def test_actions_are_whole_numbers(action: Any) -> None:
    table, env = Table(seed=1), baofen_v0.raw_env()
    env.reset(seed=1)
    before = table.tables.tobytes()
    for take in (table.apply, table.why_illegal, env.step):
        with pytest.raises(TypeError):
            take(action)
    assert table.tables.tobytes() == env.table.tables.tobytes() == before


@pytest.mark.parametrize("action", [-1, 99, 2**70, -(2**70)])
def test_actions_that_do_not_exist_are_illegal(action: int) -> None:
    table, env = Table(seed=1), baofen_v0.raw_env()
    env.reset(seed=1)
    for take in (table.apply, env.step):
        with pytest.raises(IllegalAction, match=r"does not exist: actions are 0 \.\. 98"):
            take(action)


@pytest.mark.parametrize("points", [85.0, "85", 86, 65, 205, None])
def test_calls_that_do_not_exist_are_illegal(points: Any) -> None:
    with pytest.raises(IllegalAction, match=r"does not exist: calls are 70, 75 \.\. 200"):
        Table(seed=1).call(points)


@pytest.mark.parametrize("seat", [-1, 4, 7, True, 1.0])
def test_there_are_four_seats(seat: Any) -> None:
    table = Table(seed=1)
    learning = (lambda seat: BaofenSingleEnv(seat=seat), lambda seat: BaofenVectorEnv(seat=seat))
    for ask in (table.observe, table.hand, table.history_tokens, table.forfeit, *learning):
        with pytest.raises(ValueError, match=r"seat must be 0 \.\. 3"):
            ask(seat)
