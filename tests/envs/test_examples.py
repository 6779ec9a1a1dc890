"""All worked examples of the rules (section 7), played by the core through `Table`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from examples import (
    AUCTIONS,
    BAOFEN_RESULTS,
    BOTTOM_CARDS,
    BOTTOM_HAND,
    BOTTOMS,
    FOLLOWING,
    HONGWU_RESULTS,
    KEPT_BY_OTHERS,
    POT,
    RED_FIVES,
    THROWS,
    TRICKS,
    Bottom,
    Follow,
    RedFive,
    Throw,
    Trick,
    cards,
    deal_around,
    group_of,
    is_trump,
)
from naive.cards import without
from side_by_side import same_tables

from baofen.envs import IllegalAction, Rules, Table
from baofen.envs.actions import ACTION_BY_NAME, action_name
from baofen.envs.cards import FACE_BY_NAME, FACE_NAMES, count_faces
from baofen.envs.core import settle
from baofen.envs.core.dtypes import Phase
from baofen.envs.core.following import begin_follow
from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import update_legal
from baofen.envs.explain import face_set, hand_faces, play_fault
from baofen.envs.observation import STATE_PARTS, named_views

OPENING = {"suzhou": 85, "hongwu": 70}


def start(
    held: Mapping[int, Sequence[str]],
    group: str | None = None,
    keepers: Sequence[int] = (0,),
    rules: str = "suzhou",
    bottom: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> Table:
    """Seat 0 has become declarer, has named spades, has buried the bottom again, and is to lead."""
    hands, bottom = deal_around(held, group, keepers, rules=rules, bottom=bottom)
    table = Table.from_hands(hands, bottom, rules, options)
    table.call(OPENING[rules])
    for _ in range(3):
        table.pass_()
    table.name_trump("s")
    table.bury(bottom)
    return table


def discard(table: Table) -> None:
    """The seat to act plays what it must, and side cards if it may."""
    seat = table.acting_seat
    num_plays = int(table.tables["num_plays"][0])
    rules = table.rules.preset
    while table.acting_seat == seat and table.tables["num_plays"][0] == num_plays:
        words = sorted(
            (action_name(action) for action in table.legal_actions()),
            key=lambda card: (is_trump(card, "s", rules), card == "5h", card),
        )
        table.apply(ACTION_BY_NAME[words[0]])


def finish_trick(table: Table) -> None:
    """The remaining seats discard."""
    while table.tables["num_plays"][0]:
        discard(table)


def part(table: Table, name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A part of the omniscient state by name."""
    return named_views(table.state(), STATE_PARTS)[name]


def trick_of(table: Table, seat: int) -> list[int]:
    """Copies of each face that a seat has in the trick."""
    return [int(copies) for copies in part(table, "trick")[seat]]


def counts(words: Sequence[str]) -> list[int]:
    """Copies of each face among cards."""
    return [int(copies) for copies in count_faces([FACE_BY_NAME[word] for word in words])]


def last_winner(table: Table) -> int:
    """The winner of the last trick."""
    return int(table.tables["last_winner"][0])


def by_name(example: Follow | Trick | Throw | RedFive | Bottom) -> str:
    """The name under which the rules list an example."""
    return example.id


def after_lead(example: Follow) -> Table:
    """Seat 1 is to follow."""
    lead, hand = cards(example.lead), cards(example.hand)
    table = start({0: lead, 1: hand}, group_of(lead[0], "s", example.rules), rules=example.rules)
    table.play(lead)
    assert trick_of(table, 0) == counts(lead)
    return table


def can_be_picked(table: Table, play: Sequence[str]) -> bool:
    """True if the play can be made card by card."""
    for card in play:
        if FACE_BY_NAME[card] not in table.legal_actions():
            assert table.why_illegal(FACE_BY_NAME[card]) is not None
            return False
        table.apply(FACE_BY_NAME[card])
    return True


@pytest.mark.parametrize("example", [one for one in FOLLOWING if one.can_be_led], ids=by_name)
def test_following(example: Follow) -> None:
    for play in map(cards, example.legal):
        assert after_lead(example).is_legal_play(play)
        assert can_be_picked(after_lead(example), play)
        assert can_be_picked(after_lead(example), play[::-1])
    for play in map(cards, example.illegal):
        table = after_lead(example)
        before = table.tables.copy()
        with pytest.raises(IllegalAction):
            table.play(play)
        assert same_tables(table.tables, before)
        assert not can_be_picked(table, play)


@kernel
def follow_anew(tables, rules):
    """Fix the duties of the acting follower from the hand that stands in the table."""
    begin_follow(tables[0], rules[0])
    update_legal(tables[0], rules[0])


@pytest.mark.parametrize("example", [one for one in FOLLOWING if not one.can_be_led], ids=by_name)
def test_following_a_throw_that_would_fail(example: Follow) -> None:
    """The throw is led past a weaker hand, whose cards are then exchanged."""
    lead, hand = cards(example.lead), cards(example.hand)
    weaker = [card for card in hand if card != "Kh"]
    table = start({0: lead, 1: weaker}, "h")
    table.play(lead)
    held = hand_faces(table.tables, table.rules, 1)
    spare = [face for face in held if group_of(FACE_NAMES[face], "s", "suzhou") == "d"][: len(hand) - len(weaker)]
    for face in spare:
        held.remove(face)
    held += [FACE_BY_NAME["Kh"]] * len(spare)
    layout = int(table.tables["layout"][0])
    table.tables["hand_ones"][0, 1], table.tables["hand_twos"][0, 1] = face_set(table.rules, layout, held)
    follow_anew(table.tables, table.rules.record)
    for play in map(cards, example.legal):
        assert table.is_legal_play(play)
        assert can_be_picked(table.copy(), play)
    for play in map(cards, example.illegal):
        assert not table.is_legal_play(play)
        assert not can_be_picked(table.copy(), play)


@pytest.mark.parametrize("example", [one for one in FOLLOWING if one.wins is not None], ids=by_name)
def test_following_and_winning(example: Follow) -> None:
    for play in example.legal:
        table = after_lead(example)
        table.play(play)
        finish_trick(table)
        assert last_winner(table) == (1 if play in (example.wins or ()) else 0)


@pytest.mark.parametrize("example", TRICKS, ids=by_name)
def test_winner(example: Trick) -> None:
    plays = [cards(play) for play in (example.lead, *example.answers)]
    group = group_of(plays[0][0], "s", example.rules)
    # A trump lead is answered by everybody; of a side suit nobody has more than is given.
    table = start(dict(enumerate(plays)), None if group == "trump" else group, rules=example.rules)
    for play in plays:
        table.play(play)
    finish_trick(table)
    assert last_winner(table) == example.winner


@pytest.mark.parametrize("example", THROWS, ids=by_name)
def test_throw(example: Throw) -> None:
    attempt, led = cards(example.attempt), cards(example.led)
    held = {seat: cards(text) for seat, text in example.held.items()}
    held[example.thrower] = attempt
    for seat, text in example.before:
        held[seat] = held.get(seat, []) + cards(text)
    group = group_of(attempt[0], "s", example.rules)
    table = start(held, group, [example.thrower], example.rules, options=example.options)
    for seat, text in example.before:
        assert table.acting_seat == seat
        table.play(text)
    hand = Counter(cards(table.hand(example.thrower)))
    table.play(attempt)

    assert trick_of(table, example.thrower) == counts(led)
    assert Counter(cards(table.hand(example.thrower))) == hand - Counter(led)
    stands = sorted(attempt) == sorted(led)
    shown = Counter() if stands else Counter(attempt) - Counter(led)
    assert [int(copies) for copies in part(table, "shown")[example.thrower]] == counts(sorted(shown.elements()))
    assert table.tables["lead_is_forced"][0] == (not stands)
    if example.rules == "hongwu":  # settled after the deal
        assert table.tables["fine_levels"][0, example.thrower] == 3 * example.charged
        assert list(table.rewards) == [0, 0, 0, 0]
    else:
        fine = [0, 0, 0, 0]
        fine[example.thrower] = -3 * example.charged
        assert list(table.rewards) == fine


# ---- settlement, straight from the kernels -----------------------------------------------------------


@kernel
def score_of(rules, target, captured, captured_trump, buried, buried_trump):
    """S of a played deal of Baofen."""
    return settle.baofen_score(rules[0], target, captured, captured_trump, buried, buried_trump)


@kernel
def pay_fines(tables, rules):
    """Settle the fines that stand in a table."""
    settle.settle_fines(tables[0], rules[0])


@kernel
def end_played(tables, rules):
    """Settle the deal as played with the points that stand in a table."""
    settle.settle_played(tables[0], rules[0])


@pytest.mark.parametrize("levels", [[0, 6, 0, 0], [0, 9, 0, 0], [9, 0, 0, 0]])
def test_second_failure_of_a_defender_is_free(levels: list[int]) -> None:
    table = start({}, rules="hongwu")
    table.tables["fine_levels"][0] = levels
    pay_fines(table.tables, table.rules.record)
    assert table.totals == ([-27, 9, 9, 9] if levels[0] else [6, -6, 0, 0])


@pytest.mark.parametrize(("target", "captured", "trump", "buried", "trump_buried", "score"), BAOFEN_RESULTS)
def test_baofen_result(target: int, captured: int, trump: int, buried: int, trump_buried: int, score: int) -> None:
    record = Rules("suzhou").record
    assert score_of(record, target, captured, trump, buried, trump_buried) == score


def test_buried_trump_points_can_count() -> None:
    record = Rules("suzhou", {"trump_bonus_counts_buried": "on"}).record
    assert score_of(record, 85, 150, 40, 10, 10) == 115
    # All trump points buried: there are none to capture, and none is captured.
    assert score_of(record, 85, 100, 0, 50, 50) == 100 + 50 - 100 - 85


@pytest.mark.parametrize(("target", "result", "levels"), HONGWU_RESULTS)
def test_hongwu_result(target: int, result: int, levels: int) -> None:
    assert settle.hongwu_levels(result, target) == levels


@pytest.mark.parametrize("steps", POT, ids=["made", "failed twice", "never called"])
def test_pot(steps: list[tuple[int | None, list[int], int]]) -> None:
    """Deals one after the other; the declarer is seat 1, whose captured points give the score wanted."""
    pot, pot_age = 0, 0
    hands, bottom = deal_around({})
    for score, rewards, pot_left in steps:
        table = Table.from_hands(hands, bottom, pot=pot, pot_age=pot_age)
        if score is None:
            for _ in range(4):
                table.pass_()
            paid = [int(reward) for reward in table.rewards]
        else:
            table.pass_()
            table.call(85)
            table.pass_()
            table.pass_()
            # 20 of the points are trump points, so that neither bonus counts.
            table.tables["captured"], table.tables["captured_trump"] = 85 + score, 20
            end_played(table.tables, table.rules.record)
            paid = table.totals
        pot, pot_age = (int(table.tables[name][0]) for name in ("pot", "pot_age"))
        assert (paid, pot) == (rewards, pot_left)


@pytest.mark.parametrize(("rules", "first_caller", "said", "declarer", "target"), AUCTIONS)
def test_auction(rules: str, first_caller: int, said: list[int], declarer: int, target: int) -> None:
    hands, bottom = deal_around({})
    table = Table.from_hands(hands, bottom, rules, first_caller=first_caller)
    while table.phase == Phase.EXPOSE:
        table.pass_()
    for value in said:
        assert table.phase == Phase.AUCTION
        if value:
            table.call(value)
        else:
            table.pass_()
    assert (table.declarer, table.tables["target"][0]) == (declarer, target)


@pytest.mark.parametrize("example", RED_FIVES, ids=by_name)
def test_red_five(example: RedFive) -> None:
    held = {seat: cards(text) for seat, text in example.trumps.items()}
    for seat, text in example.plays:
        if not all(card in held.get(seat, []) for card in cards(text)):
            held[seat] = held.get(seat, []) + cards(text)
    table = start(held, "trump", keepers=[2, 3], rules="hongwu")
    for seat, text in example.plays:
        assert table.acting_seat == seat
        if text:
            table.play(text)
        else:
            discard(table)
    finish_trick(table)
    assert table.tables["red_five_bonus"][0] == example.bonus


@pytest.mark.parametrize("example", BOTTOMS, ids=by_name)
def test_bottom(example: Bottom) -> None:
    kept = {1: cards(example.kept)} | {seat: cards(text) for seat, text in KEPT_BY_OTHERS.items()}
    hand = cards(BOTTOM_HAND)
    table = start({0: hand} | kept, rules="hongwu", bottom=cards(BOTTOM_CARDS))
    table.play(hand[:22])
    for seat in (1, 2, 3):
        table.play(without(cards(table.hand(seat)), kept[seat]))
    table.play("Ad Ad")
    table.play(example.to_the_pair)
    finish_trick(table)
    table.play("4d")
    table.play(example.last)
    finish_trick(table)
    assert table.result is not None
    assert table.result["captured"] == example.result


def test_three_of_the_trump_colour_is_no_club() -> None:
    table = start({0: cards("4c 4c 3c 3c")}, rules="hongwu")
    with pytest.raises(IllegalAction) as error:
        table.play("4c 4c 3c 3c")
    assert error.value.reason == "mixed_lead"


def eight(rank: str) -> list[str]:
    """All eight cards of a rank."""
    return [rank + suit for suit in "shcd" for _ in range(2)]


def why(table: Table, play: Sequence[str]) -> str | None:
    """The class of the fault in a play, None if it is legal."""
    fault = play_fault(table.tables, table.rules, [FACE_BY_NAME[card] for card in play])
    return None if fault is None else fault.reason


def test_eight_is_answered_by_an_eight_or_as_a_trump_tractor() -> None:
    held = {0: eight("9"), 1: eight("K"), 2: cards("3s 3s 4s 4s 7s 7s 8s Js As BJ BJ"), 3: cards("5s 6s")}
    table = start(held, "trump")
    assert ACTION_BY_NAME["eight 9"] in table.legal_actions()
    table.apply(ACTION_BY_NAME["eight 9"])
    assert table.legal_actions() == [ACTION_BY_NAME["eight K"]]
    hand = cards(table.hand(1))
    assert why(table, hand[:7] + hand[-1:]) == "eight_duty"
    table.apply(ACTION_BY_NAME["eight K"])
    # To a run of four pairs: its own run of two, and as many pairs as it has, up to four.
    assert why(table, cards("3s 3s 4s 4s 7s 7s BJ BJ")) is None
    assert why(table, cards("3s 3s 7s 7s BJ BJ 8s Js")) == "tractor_duty"
    assert why(table, cards("3s 3s 4s 4s 7s 7s 8s Js")) == "pair_duty"
    table.play("3s 3s 4s 4s 7s 7s BJ BJ")
    assert why(table, cards("5s") + [card for card in cards(table.hand(3)) if card[1] in "hc"][:7]) == "suit_duty"
    finish_trick(table)
    assert last_winner(table) == 1


def test_eight_off() -> None:
    table = start({0: eight("9")}, options={"eights": "off"})
    assert ACTION_BY_NAME["eight 9"] not in table.legal_actions()
    assert why(table, eight("9")) == "mixed_lead"
