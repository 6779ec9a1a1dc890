"""Hand values by play-out: reproducible, blind, with honest errors, and better for better hands."""

import numpy as np
import pytest

from baofen.agents.bids.contracts import AS_PLAYED
from baofen.agents.bids.handvalues import auction_weights, hand_values
from baofen.agents.bids.outcomes import Prices
from baofen.envs import Table
from baofen.envs.views import make_views
from baofen.training.bids.hand.given import auction_view, parse_hand

STRONG = "BJ BJ LJ LJ 2s 2s As As Ks Ks Qs Qs Js 9s 7s 6s 5s Ah Ah Kh Ac Ac Ad Kd 9d"
WEAK = "3s 4s 6s 7s 9s Js Qs 3h 3h 4h 6h 8h 9h 4c 6c 7c 8c Jc Qc 4d 6d 8d 9d Jd Qd"


def view_of(hand, auction="", table=None):
    return auction_view((table or Table()).rules, parse_hand(hand), auction)


def declaring(hand, num_worlds):
    """The expected reward of declaring 85, and its standard error."""
    values = hand_values(view_of(hand), num_worlds)
    return values.mean(Prices(values.rules).rewards(85, 0)[values.declaring(AS_PLAYED)])


def test_same_seed_same_values():
    one, two, other = (hand_values(view_of(WEAK), 20, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.outcomes, two.outcomes)
    assert (one.outcomes != other.outcomes).any()


def test_more_worlds_begin_with_the_same():
    few, many = (hand_values(view_of(WEAK), count, 5) for count in (5, 15))
    np.testing.assert_array_equal(few.outcomes, many.outcomes[:5])


def test_strong_hands_are_worth_more():
    strong, weak = (declaring(hand, 60) for hand in (STRONG, WEAK))
    assert strong[0] > 150
    assert weak[0] < -50
    assert 0 < weak[1] < 20


def test_errors_shrink_with_worlds():
    errors = [declaring(WEAK, count)[1] for count in (50, 800)]
    assert errors[1] == pytest.approx(errors[0] / 4, rel=0.4)


def test_the_hidden_cards_do_not_matter():
    table = Table(seed=5)
    fair = hand_values(make_views(table.rules, table.tables), 10)
    whole = hand_values(make_views(table.rules, table.tables, cheating=True), 10)
    np.testing.assert_array_equal(fair.outcomes, whole.outcomes)


def test_a_known_trump_is_the_only_one():
    table = Table("exposure", seed=2)
    while table.phase.name == "EXPOSE":
        table.apply(67 if 67 in table.legal_actions() else table.legal_actions()[0])
    values = hand_values(make_views(table.rules, table.tables), 10)
    suit = "shcd".index(table.trump or "")
    assert values.trumps == [suit]
    assert (values.named == suit).all()


def test_calls_of_others_make_worlds_likelier():
    table = Table(seed=1)
    table.call(95)
    limits = np.array([[60.0, 60.0, 130.0], [60.0, 60.0, 60.0]])  # the caller sits three seats after the next
    weights = auction_weights(table.tables[0], table.rules, limits)
    assert weights[0] > 5 * weights[1]
    assert weights.sum() == pytest.approx(1)


def test_only_in_the_auction():
    table = Table(seed=1)
    table.call(85)
    for _ in range(3):
        table.pass_()
    with pytest.raises(ValueError, match="in the auction"):
        hand_values(make_views(table.rules, table.tables), 5)
