"""Matches of the core against the naive twin's: totals, rotation and pot over several deals, and the end."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from naive import Match
from side_by_side import ACTIONS, WORDS
from stacked import Deal, Player, random_switches

from baofen.envs import Rules, Table, VectorTables
from baofen.envs.cards import FACE_NAMES, SUITS
from baofen.envs.core.dtypes import RESULT
from baofen.envs.core.loops import copy_results

MATCHES = 14
DEALS = 7


def deal_in(table: Table) -> Deal:
    """The deal that a table has begun."""
    row = table.tables[0]
    dealt = tuple(FACE_NAMES[face] for face in row["deck"])
    return Deal(table.first_caller, dealt, SUITS[int(row["drawn_suit"])])


@pytest.mark.parametrize("rules", ["suzhou", "exposure", "hongwu"])
def test_matches_agree(rules: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(MATCHES):
        rng = Random(seed)
        options = random_switches(rng, rules)
        if rules != "hongwu" and seed % 2:
            options["all_pass"] = "pot"
        table = Table(rules, options, seed=seed, deals_per_match=DEALS)
        match = Match(DEALS, rules, options, first_caller=table.first_caller)
        for number in range(DEALS):
            deal = deal_in(table)
            assert match.first_caller in (None, table.first_caller)
            row = table.tables[0]
            assert (row["deal_index"], row["pot"], row["pot_age"]) == (number, match.pot, match.pot_age)
            assert table.totals == match.totals
            game = match.deal(table.first_caller, dealt=deal.dealt, random_trump=deal.random_trump)
            player = Player(rng, game, deal)
            player.calls = rng.choice((0.0, 0.0, 0.4, 0.9))
            player.eager = None
            while game.phase != "over":
                assert {WORDS[action] for action in table.legal_actions()} == game.legal_actions()
                if rng.random() < 0.0005:
                    seat = rng.randrange(4)
                    game.forfeit(seat, "silver")
                    table.forfeit(seat, "silver")
                else:
                    word = player.choose(game)
                    game.act(word)
                    table.apply(ACTIONS[word])
                if game.phase != "over":
                    assert list(table.rewards) == game.rewards
            shares = match.close(game)
            assert list(table.rewards) == [one + other for one, other in zip(game.rewards, shares, strict=True)]
            assert game.result is not None and table.result is not None
            for key in ("declarer", "rewards", "pot", "next_first_caller"):
                assert table.result[key] == game.result[key]
            seen["pot carried over"] += match.pot > 0
            seen["pot shared at the end"] += any(shares)
            seen["passed out"] += game.declarer is None
        assert table.is_over
        assert table.totals == match.totals
        assert table.tables["pot"][0] == match.pot == 0
        assert [record["rules"] for record in table.records()] == [rules] * DEALS
    assert rules == "hongwu" or min(seen["pot carried over"], seen["pot shared at the end"], seen["passed out"]) > 0


def choice(batch: VectorTables, mask: np.ndarray[tuple[int, int], np.dtype[np.uint8]], index: int) -> int:
    """A legal action that depends on the table's state alone."""
    legal = np.flatnonzero(mask[index])
    row = batch.tables[index]
    mixed = int(row["hand_ones"].sum() ^ row["selection_ones"] ^ row["legal_picks"]) * 0x9E3779B97F4A7C15
    return int(legal[(mixed >> 20) % len(legal)])


@pytest.mark.parametrize("rules", ["suzhou", "exposure", "hongwu"])
def test_forced_decisions_can_be_stepped_over(rules: str) -> None:
    """The same games are played, their rewards added up, whether or not single legal actions are asked for."""
    plain = VectorTables(4, rules, seed=11, deals_per_match=3)
    quick = VectorTables(4, rules, seed=11, deals_per_match=3, skip_forced=True)
    ended: dict[str, list[str]] = {"plain": [], "quick": []}
    num_steps = Counter[str]()
    for name, batch in (("plain", plain), ("quick", quick)):
        gains = np.zeros((4, 4), np.int64)
        over = np.zeros(4, np.bool_)
        while not over.all():
            mask = batch.mask()
            if name == "quick":
                forced = mask.sum(axis=1) == 1
                # Only the first decision of a match is asked even if it is forced.
                assert not forced[~over & (batch.tables["num_actions"] > 0)].any()
            actions = np.array([choice(batch, mask, index) for index in range(4)])
            rewards, done = batch.step(actions)
            gains[~over] += rewards[~over]
            num_steps[name] += 4 - int(over.sum())
            for index in np.flatnonzero(batch.deal_done & ~over):
                ended[name].append(f"{index} {batch.results[index].tolist()}")
            over |= done
        ended[name].append(f"gains {gains.tolist()}")
    assert sorted(ended["plain"]) == sorted(ended["quick"])
    assert num_steps["quick"] < num_steps["plain"]


def test_a_new_match_begins_by_itself() -> None:
    batch = VectorTables(2, "suzhou", seed=5, deals_per_match=2)
    assert batch.results.dtype == RESULT
    num_done = 0
    while num_done < 6:
        mask = batch.mask()
        actions = np.array([choice(batch, mask, index) for index in range(2)])
        before = batch.tables["totals"].copy()
        rewards, done = batch.step(actions)
        for index in range(2):
            row = batch.tables[index]
            if done[index]:
                num_done += 1
                assert (row["deal_index"], row["pot"], row["num_actions"]) == (0, 0, 0)
                assert not row["totals"].any()
                assert mask[index].any()
            else:
                assert np.array_equal(row["totals"], before[index] + rewards[index])


def test_a_single_deal_keeps_its_pot() -> None:
    """An episode of one deal is no match: what is in the pot is told, not shared."""
    table = Table.from_deck([index >> 1 for index in range(108)], Rules("suzhou"))
    for _ in range(4):
        table.pass_()
    assert table.is_over
    assert table.result is not None
    assert (table.result["pot"], table.totals) == (100, [-40, -20, -20, -20])


def test_a_forfeited_deal_is_not_made() -> None:
    """One meaning of `made`, for batches and for the arena: played to the end, and the target reached."""
    table = Table("suzhou", seed=1)
    table.call(85)
    for _ in range(3):
        table.pass_()
    assert table.declarer is not None
    leaver = (table.declarer + 1) % 4
    table.forfeit(leaver)
    result = np.zeros(1, RESULT)
    copy_results(table.tables, result)
    assert (result["made"][0], result["forfeit"][0], result["score"][0]) == (0, leaver, 0)
    assert result["rewards"][0].tolist() == table.rewards.tolist()
