"""The agent `bidder:value`: legal everywhere, blind, the same in any batch; its network without torch."""

import subprocess
import sys

import numpy as np
import pytest
from random_play import random_options

from baofen.agents import make_agent
from baofen.agents.bids.bidder import UNFITTED, ValueBidder, decision_terms, situations
from baofen.agents.bids.inputs import DECLARE_GIVEN
from baofen.agents.bids.lowest_calls import lowest_calls
from baofen.agents.bids.outcomes import Prices
from baofen.agents.bids.value_network import ValueFileError, load_network, read_inputs, value_file
from baofen.envs import VectorTables
from baofen.envs.core.dtypes import AUCTION, OVER
from baofen.envs.rules import PRESETS, Rules
from baofen.envs.vector import MatchStarts
from baofen.training.bids.hand.given import auction_view, parse_hand

HAND = "BJ LJ 2h As As Kd Kd Td 5d 9d 8d 7d 3d 2d Kh 5h Ac Kc Tc 9c 3c 6s 7s 8s Qs"
STRONG = "BJ BJ LJ LJ 2s 2s As As Ks Ks Qs Qs Js 9s 7s 6s 5s Ah Ah Kh Ac Ac Ad Kd 9d"


@pytest.mark.parametrize("preset", PRESETS)
def test_plays_legally_to_the_end(preset):
    rng = np.random.default_rng(1)
    for round_index in range(3):
        options = random_options(rng, preset) if round_index else {}
        tables = VectorTables(16, preset, options, seed=round_index, auto_reset=False)
        agent = make_agent("bidder:value/random:cards")
        agent.reset(16, 0)
        actions = np.zeros(16, np.int64)
        while (rows := np.flatnonzero(tables.phase != OVER)).size:
            actions[rows] = agent.act(tables.views(rows))
            tables.step(actions)


@pytest.mark.parametrize("preset", PRESETS)
def test_calls_do_not_depend_on_the_batch_or_on_what_is_hidden(preset):
    tables = VectorTables(24, preset, seed=4, auto_reset=False, starts=MatchStarts(pot_percent=50))
    agent = make_agent("bidder:value")
    while (tables.phase <= AUCTION).any():
        rows = np.flatnonzero(tables.phase <= AUCTION)
        together = agent.act(tables.views(rows))
        np.testing.assert_array_equal(together, agent.act(tables.views(rows, cheating=True)))
        alone = [int(agent.act(tables.views(rows[index : index + 1]))[0]) for index in range(min(3, len(rows)))]
        assert alone == together[:3].tolist()
        mask = tables.mask()
        actions = mask.argmax(1).astype(np.int64)
        actions[rows] = together
        tables.step(actions)


def test_strong_hands_call_and_weak_ones_pass():
    agent = make_agent("bidder:value")
    assert agent.act(auction_view(Rules(), parse_hand(STRONG), "95"))[0] > 67
    weak = "3s 4s 6s 7s 9s Js Qs 3h 3h 4h 6h 8h 9h 4c 6c 7c 8c Jc Qc 4d 6d 8d 9d Jd Qd"
    assert agent.act(auction_view(Rules(), parse_hand(weak), "95"))[0] == 67


def test_situations_of_an_auction():
    seen = [auction_view(Rules(), parse_hand(HAND), words).state for words in ("", "pass", "pass pass pass")]
    assert [int(situations(state)[0]) for state in seen] == [0, 1, 3]
    seen = [auction_view(Rules(), parse_hand(HAND), words).state for words in ("85", "85 pass", "85 pass pass")]
    assert [int(situations(state)[0]) for state in seen] == [6, 5, 4]
    assert int(lowest_calls(seen[0], Rules())[0]) == 90


def test_suits_may_change_their_names():
    hand = HAND.replace("2h", "4h")
    swapped = hand.translate(str.maketrans("shcd", "cdsh"))
    one, two = (auction_view(Rules(), parse_hand(cards)).state for cards in (hand, swapped))
    np.testing.assert_array_equal(read_inputs(one, Rules(), 0), read_inputs(two, Rules(), 0))
    given, renamed = (read_inputs(state, Rules(), DECLARE_GIVEN, trump) for state, trump in ((one, 3), (two, 1)))
    np.testing.assert_array_equal(given, renamed)


@pytest.mark.parametrize("preset", PRESETS)
def test_predictions_are_distributions(preset):
    rules = Rules(preset)
    tables = VectorTables(8, rules, seed=1)
    while (tables.phase != AUCTION).any():
        tables.step(tables.mask().argmax(1).astype(np.int64))
    network = load_network(value_file(rules))
    for question in (0, 2):
        chances = network.predict(tables.tables, rules, question)
        np.testing.assert_allclose(chances.sum(1), 1, rtol=1e-5)
    terms = decision_terms(network, Prices(rules), tables.tables, rules)
    assert terms.shape == (8, UNFITTED.shape[1])
    assert np.isfinite(terms).all()


def test_a_wrong_file_is_told(tmp_path):
    with pytest.raises(ValueFileError, match="holds no value network"):
        load_network(tmp_path / "values.npz")


def test_needs_no_torch():
    script = (
        "import sys; from baofen.agents import make_agent; from baofen.envs import VectorTables; "
        "make_agent('bidder:value').act(VectorTables(2, seed=1).views()); "
        "print([name for name in ('torch', 'ray', 'safetensors') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_other_coefficients_make_another_bidder():
    view = auction_view(Rules(), parse_hand(HAND))
    always, never = UNFITTED * 0, UNFITTED * 0
    always[:, 0], never[:, 0] = 1, -1
    assert ValueBidder(coefficients=always).act(view)[0] > 67
    assert ValueBidder(coefficients=never).act(view)[0] == 67
