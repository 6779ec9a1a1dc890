"""All worked examples of the rules (section 7), played by the naive twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from naive import Game, Match, settlement
from naive.cards import without
from naive.following import Duties
from naive.options import resolve
from naive.order import Order, lead_of

OPENING = {"suzhou": 85, "hongwu": 70}


def start(
    held: Mapping[int, Sequence[str]],
    group: str | None = None,
    keepers: Sequence[int] = (0,),
    rules: str = "suzhou",
    bottom: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> Game:
    """Seat 0 has become declarer, has named spades, has buried the bottom again, and is to lead."""
    hands, bottom = deal_around(held, group, keepers, rules=rules, bottom=bottom)
    game = Game(rules=rules, options=options, hands=hands, bottom=bottom)
    game.call(OPENING[rules])
    for _ in range(3):
        game.pass_()
    game.name_trump("s")
    game.bury(bottom)
    return game


def discard(game: Game) -> None:
    """The seat to act plays what it must, and side cards if it may."""
    assert game.trick
    while game.acting is not None:
        words = sorted(game.legal_actions(), key=lambda card: (is_trump(card, "s", game.rules), card == "5h"))
        game.act(words[0])
        if not game.selection:
            return


def finish_trick(game: Game) -> None:
    """The remaining seats discard."""
    while game.trick:
        discard(game)


def by_name(example: Follow | Trick | Throw | RedFive | Bottom) -> str:
    """The name under which the rules list an example."""
    return example.id


@pytest.mark.parametrize("example", FOLLOWING, ids=by_name)
def test_duties(example: Follow) -> None:
    switches = resolve(example.rules, {})
    order = Order(example.rules, "s", switches["joker_tractor"])
    duties = Duties(order, switches, lead_of(order, cards(example.lead)), cards(example.hand))
    assert [duties.fault(cards(play)) for play in example.legal] == [None] * len(example.legal)
    assert all(duties.fault(cards(play)) for play in example.illegal)


def after_lead(example: Follow) -> Game:
    """Seat 1 is to follow."""
    lead, hand = cards(example.lead), cards(example.hand)
    game = start({0: lead, 1: hand}, group_of(lead[0], "s", example.rules), rules=example.rules)
    game.play(lead)
    assert [(seat, sorted(led)) for seat, led in game.trick] == [(0, sorted(lead))]
    return game


def can_be_picked(game: Game, play: Sequence[str]) -> bool:
    """True if the play can be made card by card."""
    for card in play:
        if card not in game.legal_actions():
            return False
        game.act(card)
    return True


@pytest.mark.parametrize("example", [one for one in FOLLOWING if one.can_be_led], ids=by_name)
def test_following_at_the_table(example: Follow) -> None:
    for play in map(cards, example.legal):
        assert after_lead(example).why_illegal_play(play) is None
        assert can_be_picked(after_lead(example), play)
        assert can_be_picked(after_lead(example), play[::-1])
    for play in map(cards, example.illegal):
        assert after_lead(example).why_illegal_play(play) is not None
        assert not can_be_picked(after_lead(example), play)


@pytest.mark.parametrize("example", [one for one in FOLLOWING if one.wins is not None], ids=by_name)
def test_following_and_winning(example: Follow) -> None:
    for play in example.legal:
        game = after_lead(example)
        game.play(cards(play))
        finish_trick(game)
        assert game.last_winner == (1 if play in (example.wins or ()) else 0)


@pytest.mark.parametrize("example", TRICKS, ids=by_name)
def test_winner(example: Trick) -> None:
    plays = [cards(play) for play in (example.lead, *example.answers)]
    group = group_of(plays[0][0], "s", example.rules)
    # A trump lead is answered by everybody; of a side suit nobody has more than is given.
    game = start(dict(enumerate(plays)), None if group == "trump" else group, rules=example.rules)
    for play in plays:
        game.play(play)
    finish_trick(game)
    assert game.last_winner == example.winner


@pytest.mark.parametrize("example", THROWS, ids=by_name)
def test_throw(example: Throw) -> None:
    attempt = cards(example.attempt)
    held = {seat: cards(text) for seat, text in example.held.items()}
    held[example.thrower] = attempt
    for seat, text in example.before:
        held[seat] = held.get(seat, []) + cards(text)
    game = start(
        held,
        group_of(attempt[0], "s", example.rules),
        keepers=[example.thrower],
        rules=example.rules,
        options=example.options,
    )
    for seat, text in example.before:
        assert game.acting == seat
        game.play(cards(text))
    hand = list(game.hand)
    game.play(attempt)

    assert sorted(game.trick[0][1]) == sorted(cards(example.led))
    assert sorted(game.hands[example.thrower]) == sorted(without(hand, cards(example.led)))
    stands = sorted(attempt) == sorted(cards(example.led))
    assert game.attempts == ([] if stands else [(example.thrower, attempt)])
    if example.rules == "hongwu":  # settled after the deal
        assert game.fines[example.thrower] == 3 * example.charged
        assert game.rewards == [0, 0, 0, 0]
    else:
        fine = [0, 0, 0, 0]
        fine[example.thrower] = -3 * example.charged
        assert game.rewards == fine


def test_second_failure_of_a_defender_is_free() -> None:
    switches = resolve("hongwu", {})
    assert settlement.hongwu_fines(switches, declarer=0, levels=[0, 6, 0, 0]) == [6, -6, 0, 0]
    assert settlement.hongwu_fines(switches, declarer=0, levels=[0, 9, 0, 0]) == [6, -6, 0, 0]
    assert settlement.hongwu_fines(switches, declarer=0, levels=[9, 0, 0, 0]) == [-27, 9, 9, 9]


@pytest.mark.parametrize(("target", "captured", "trump", "buried", "trump_buried", "score"), BAOFEN_RESULTS)
def test_baofen_result(target: int, captured: int, trump: int, buried: int, trump_buried: int, score: int) -> None:
    switches = resolve("suzhou", {})
    assert settlement.baofen_score(switches, target, captured, trump, buried, trump_buried) == score


@pytest.mark.parametrize(("target", "result", "levels"), HONGWU_RESULTS)
def test_hongwu_result(target: int, result: int, levels: int) -> None:
    assert settlement.hongwu_levels(target, result) == levels


@pytest.mark.parametrize("steps", POT, ids=["made", "failed twice", "never called"])
def test_pot(steps: list[tuple[int | None, list[int], int]]) -> None:
    pot = 0
    match = Match(num_deals=len(steps))
    hands, bottom = deal_around({})
    for num_deals, (score, rewards, pot_left) in enumerate(steps, start=1):
        if score is None:
            game = match.deal(hands=hands, bottom=bottom)
            for _ in range(4):
                game.pass_()
            match.close(game)
            # The first caller moves on, the example keeps him in seat 0.
            match.first_caller = 0
            paid, pot = game.rewards, game.pot
        else:
            paid = settlement.baofen_payments(resolve("suzhou", {}), 1, score)
            flow, pot = settlement.pot_payments(pot, 1, made=score >= 0)
            paid = settlement.add(paid, flow)
            if settlement.pot_is_due(pot, num_deals):
                paid, pot = settlement.add(paid, settlement.share_pot(pot)), 0
        assert (paid, pot) == (rewards, pot_left)


@pytest.mark.parametrize(("rules", "first_caller", "said", "declarer", "target"), AUCTIONS)
def test_auction(rules: str, first_caller: int, said: list[int], declarer: int, target: int) -> None:
    hands, bottom = deal_around({})
    game = Game(rules=rules, first_caller=first_caller, hands=hands, bottom=bottom, random_trump="s")
    while game.phase == "expose":
        game.pass_()
    for value in said:
        assert game.phase == "auction"
        game.act(f"call:{value}" if value else "pass")
    assert (game.declarer, game.target) == (declarer, target)


@pytest.mark.parametrize("example", RED_FIVES, ids=by_name)
def test_red_five(example: RedFive) -> None:
    held = {seat: cards(text) for seat, text in example.trumps.items()}
    for seat, text in example.plays:
        if not all(card in held.get(seat, []) for card in cards(text)):
            held[seat] = held.get(seat, []) + cards(text)
    game = start(held, "trump", keepers=[2, 3], rules="hongwu")
    for seat, text in example.plays:
        assert game.acting == seat
        if text:
            game.play(cards(text))
        else:
            discard(game)
    finish_trick(game)
    assert game.red_five_points == example.bonus


@pytest.mark.parametrize("example", BOTTOMS, ids=by_name)
def test_bottom(example: Bottom) -> None:
    kept = {1: cards(example.kept)} | {seat: cards(text) for seat, text in KEPT_BY_OTHERS.items()}
    hand = cards(BOTTOM_HAND)
    game = start({0: hand} | kept, rules="hongwu", bottom=cards(BOTTOM_CARDS))
    game.play(hand[:22])
    for seat in (1, 2, 3):
        game.play(without(game.hands[seat], kept[seat]))
    game.play(["Ad", "Ad"])
    game.play(cards(example.to_the_pair))
    finish_trick(game)
    game.play(["4d"])
    game.play([example.last])
    finish_trick(game)
    assert game.result is not None
    assert game.result["captured"] == example.result


def test_three_of_the_trump_colour_is_no_club() -> None:
    game = start({0: cards("4c 4c 3c 3c")}, rules="hongwu")
    assert game.why_illegal_play(cards("4c 4c 3c 3c")) == "mixed_lead"


def eight(rank: str) -> list[str]:
    """All eight cards of a rank."""
    return [rank + suit for suit in "shcd" for _ in range(2)]


def test_eight_is_answered_by_an_eight_or_as_a_trump_tractor() -> None:
    game = start(
        {0: eight("9"), 1: eight("K"), 2: cards("3s 3s 4s 4s 7s 7s 8s Js As BJ BJ"), 3: cards("5s 6s")}, "trump"
    )
    assert "eight:9" in game.legal_actions()
    game.act("eight:9")
    assert game.legal_actions() == {"eight:K"}
    assert game.why_illegal_play(game.hand[:7] + game.hand[-1:]) == "eight_duty"
    game.act("eight:K")
    # To a run of four pairs: its own run of two, and as many pairs as it has, up to four.
    assert game.why_illegal_play(cards("3s 3s 4s 4s 7s 7s BJ BJ")) is None
    assert game.why_illegal_play(cards("3s 3s 7s 7s BJ BJ 8s Js")) == "tractor_duty"
    assert game.why_illegal_play(cards("3s 3s 4s 4s 7s 7s 8s Js")) == "pair_duty"
    game.play(cards("3s 3s 4s 4s 7s 7s BJ BJ"))
    assert game.why_illegal_play(cards("5s") + [card for card in game.hand if card[1] in "hc"][:7]) == "suit_duty"
    finish_trick(game)
    assert game.last_winner == 1


def test_eight_off() -> None:
    game = start({0: eight("9")}, options={"eights": "off"})
    assert "eight:9" not in game.legal_actions()
    assert game.why_illegal_play(eight("9")) == "mixed_lead"
