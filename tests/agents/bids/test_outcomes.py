"""Outcomes in one byte: as the game settles them, for every target."""

import numpy as np
import pytest

from baofen.agents.bids.contracts import AS_PLAYED, play_all_contracts, play_contract, play_named_contracts
from baofen.agents.bids.outcome_codes import outcome_of
from baofen.agents.bids.outcomes import Event, Prices, call_index
from baofen.agents.bids.reference import reference_variants
from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.envs import Table
from baofen.envs.core.dtypes import BARE, NO_TRUMP, TABLE
from baofen.envs.core.settle import baofen_event, baofen_score, declarer_reward
from baofen.envs.rules import PRESETS, Rules
from baofen.training.bids.auction_deals import auction_deals

ZERO_SUM = {"settlement": "zero_sum"}


def in_auction(rules, count, seed=0):
    """Tables in their auction."""
    return auction_deals(rules, seed, "test", 0, count)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("options", [{}, ZERO_SUM])
def test_prices_are_what_the_game_pays(preset, options):
    if preset == "hongwu":
        options = {}
    rules = Rules(preset, options)
    prices = Prices(rules)
    for table in in_auction(rules, 60):
        seat = int(table["acting"])
        outcome, _ = play_contract(table, rules.record[0], heuristic_weights()[0], seat, AS_PLAYED)
        target = int(table["result_target"])
        assert prices.points[outcome] == table["result_captured"]
        assert prices.scores(target)[outcome] == table["result_score"]
        assert prices.rewards(target, 0)[outcome] == table["result_rewards"][seat]
        others = [s for s in range(4) if s != seat]
        assert (table["result_rewards"][others] == -prices.scores(target)[outcome]).all()


def test_rare_results_by_hand():
    prices = Prices(Rules())
    zero, half, full = 0, 36 + 64 * Event.SWEPT, 40 + 64 * Event.SWEPT
    no_trump, all_trump = 10 + 64 * Event.NO_TRUMP, 20 + 64 * Event.ALL_TRUMP
    assert prices.scores(85)[[zero, half, full]].tolist() == [-500, 250, 500]
    assert prices.scores(120)[[no_trump, all_trump]].tolist() == [50 - 100 - 120, 100 + 50 - 120]
    assert prices.made(200)[[zero, half, full]].tolist() == [0, 1, 1]
    assert prices.rewards(85, 200)[[20, 10]].tolist() == [15 + 200, -35 - 200]


def test_levels_by_hand():
    prices = Prices(Rules("hongwu"))
    of = {points: points // 5 + 64 for points in (-40, 60, 70, 75, 80)}
    assert [prices.scores(70)[code] for code in of.values()] == [-12, -2, 1, 2, 2]
    assert prices.rewards(70, 0)[of[80]] == 6
    assert (prices.event == Event.PLAIN).all()


def test_calls_are_numbered_from_70():
    assert [call_index(target) for target in (70, 85, 200)] == [0, 3, 26]


@pytest.mark.parametrize("preset", PRESETS)
def test_contracts_of_all_pairs_agree_with_those_played(preset):
    rules = Rules(preset)
    tables = in_auction(rules, 4, seed=3)
    variants, scratch = reference_variants(2), np.zeros(2, TABLE)
    every, named = np.zeros((4, 4, 4, 2), np.uint8), np.zeros((4, 4), np.int8)
    play_all_contracts(tables, rules.record, variants, scratch, every, named)
    before = tables.copy()
    played, trumps = np.zeros((4, 4, 2), np.uint8), np.zeros((4, 4), np.int8)
    play_named_contracts(tables, rules.record, variants, scratch, played, trumps)
    np.testing.assert_array_equal(tables, before)
    if preset != "exposure":
        np.testing.assert_array_equal(named, trumps)
    deals, seats = np.meshgrid(np.arange(4), np.arange(4), indexing="ij")
    np.testing.assert_array_equal(every[deals, seats, trumps], played)


def test_neighbours_of_the_reference():
    few, many = reference_variants(2), reference_variants(4)
    np.testing.assert_array_equal(few, many[:2])
    np.testing.assert_array_equal(few[:1], heuristic_weights())
    assert len({variant.tobytes() for variant in many}) == 4


@pytest.mark.parametrize("target", [-5, 0, 69, 87, 205, 1000])
def test_what_is_no_call_has_no_price(target: int) -> None:
    for price in (Prices(Rules()).scores, Prices(Rules()).made, lambda points: Prices(Rules()).rewards(points, 0)):
        with pytest.raises(ValueError, match="does not exist"):
            price(target)


def test_the_core_tells_what_happened_besides_the_points():
    """All trump points buried, where only those in play count: none and all of them are captured."""
    rules = Rules("suzhou", {"trump_bonus_counts_buried": "on"})
    prices = Prices(rules)
    for buried, event in ((50, BARE), (40, NO_TRUMP)):
        for target in (85, 120, 200):
            told = np.zeros(1, TABLE)
            told["result_event"] = baofen_event(rules.record[0], 100, 0, buried, buried)
            told["result_captured"] = 100
            assert told["result_event"] == event
            outcome = outcome_of(told[0], rules.record[0])
            score = baofen_score(rules.record[0], target, 100, 0, buried, buried)
            assert prices.scores(target)[outcome] == score == 100 - target - (50 if event == BARE else 100)


@pytest.mark.parametrize("options", [{}, ZERO_SUM, {"all_pass": "direct", "direct_points": 15}, {"all_pass": "forced"}])
@pytest.mark.parametrize("pot", [0, 100, 200])
def test_prices_are_those_of_the_core_with_a_pot_and_without_calls(options, pot):
    rules = Rules("suzhou", options)
    prices = Prices(rules)
    for target in (85, 140):
        core = [declarer_reward(rules.record[0], int(score), pot) for score in prices.scores(target)]
        assert prices.rewards(target, pot).tolist() == core
    if pot and not rules.has_pot:
        return
    table = Table.from_deck(sorted(range(54)) * 2, rules, pot=pot, first_caller=2)
    first = np.arange(4) == 2
    paid = prices.all_pass(first, np.full(4, pot), np.full(4, 7.0), np.full(4, -7.0))
    for _ in range(4):
        table.pass_()
    if options.get("all_pass") == "forced":
        assert table.declarer == 2
        assert paid.tolist() == [-7, -7, 7, -7]
    else:
        assert table.result is not None and paid.tolist() == table.result["rewards"]
