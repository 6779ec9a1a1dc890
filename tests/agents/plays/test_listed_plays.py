"""Lists of plays: legal, as the same picks, and made of nothing that a seat may not know."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from other_worlds import other_worlds

from baofen.agents.plays.features import FEATURES, HAND, LEADS, NUM_CARDS, OWN, POINTS
from baofen.envs import PRESETS, Table, VectorTables
from baofen.envs.actions import action_name
from baofen.envs.cards import FACE_POINTS, format_cards
from baofen.envs.core.dtypes import Phase
from baofen.envs.plays import check_choices, play_lister

SINGLE = -1


def step_by_hand(table: Table, plays, choice: int) -> None:
    """Carry an entry out as a person would: card by card, in any legal order."""
    if plays.actions[0, choice] != SINGLE:
        table.apply(int(plays.actions[0, choice]))
        return
    faces = np.repeat(np.arange(54), plays.cards[0, choice])
    if table.phase == Phase.BURY:
        table.bury(format_cards(faces.tolist()))
    else:
        table.play(format_cards(faces.tolist()))


@pytest.mark.parametrize("rules", PRESETS)
def test_every_listed_play_is_legal_and_leads_where_its_cards_lead(rules: str) -> None:
    rng = Random(1)
    phases = set()
    for seed in range(3):
        table = Table(rules, seed=seed)
        while not table.is_over:
            plays = play_lister().list_plays(table.rules, table.tables)
            count = int(plays.count[0])
            assert count > 0
            assert plays.mask[0].tolist() == [1] * count + [0] * (64 - count)
            singles = plays.actions[0, :count]
            if (singles != SINGLE).all() and table.phase != Phase.PLAY:
                assert singles.tolist() == list(table.legal_actions())  # all of them, in their order
            for entry in range(count):
                if table.phase == Phase.PLAY and plays.actions[0, entry] == SINGLE:
                    assert table.is_legal_play(format_cards(np.repeat(np.arange(54), plays.cards[0, entry]).tolist()))
            entry = rng.randrange(count)
            picked = table.copy()
            last = play_lister().pick_all_but_last(picked.rules, picked.tables, plays, np.array([entry]))
            assert picked.why_illegal(int(last[0])) is None, action_name(int(last[0]))
            picked.apply(int(last[0]))
            phases.add(table.phase)
            step_by_hand(table, plays, entry)
            for field in (
                "acting",
                "phase",
                "hand_ones",
                "hand_twos",
                "played_ones",
                "buried_ones",
                "captured",
                "totals",
            ):
                assert np.array_equal(table.tables[field], picked.tables[field]), field
            table = picked
    assert {Phase.AUCTION, Phase.BURY, Phase.PLAY} <= phases


@pytest.mark.parametrize("rules", PRESETS)
def test_lists_and_features_are_the_same_in_worlds_that_a_seat_cannot_tell_apart(rules: str) -> None:
    rng = Random(2)
    compared = 0
    for seed in range(4):
        batch = VectorTables(1, rules, seed=seed)
        for _ in range(60):
            plays = batch.plays()
            table = Table.over(batch.tables, batch.rules)
            if rng.random() < 0.2:
                for world in other_worlds(rng, table, table.acting_seat):
                    theirs = play_lister().list_plays(world.rules, world.tables)
                    assert theirs.features.tobytes() == plays.features.tobytes()
                    assert theirs.cards.tobytes() == plays.cards.tobytes()
                    assert theirs.actions.tobytes() == plays.actions.tobytes()
                    compared += 1
            batch.step_plays(plays, np.array([rng.randrange(int(plays.count[0]))]))
    assert compared > 20


def test_features_say_of_the_cards_what_they_say() -> None:
    batch = VectorTables(16, "suzhou", seed=3)
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(60):
        plays = batch.plays()
        for row in range(len(plays.count)):
            for entry in range(int(plays.count[row])):
                features = plays.features[row, entry]
                faces = np.repeat(np.arange(54), plays.cards[row, entry])
                assert features[POINTS] == pytest.approx(FACE_POINTS[faces].sum() / 10)
                assert features[NUM_CARDS] == pytest.approx(len(faces) / 4)
                leads = batch.phase[row] == Phase.PLAY and batch.tables["num_plays"][row] == 0
                assert features[LEADS] == leads
                seen += leads
                hand = (
                    batch.tables["hand_ones"][row, batch.acting_seat[row]],
                    batch.tables["hand_twos"][row, batch.acting_seat[row]],
                )
                assert features[HAND] == pytest.approx(sum(int(word).bit_count() for word in hand) / 25)
            if batch.phase[row] != Phase.AUCTION:
                assert plays.features[row, : plays.count[row], OWN].sum() <= 1
        choices = (rng.random(16) * plays.count).astype(np.int64)
        batch.step_plays(plays, choices)
    assert seen
    assert len({name for name, _ in FEATURES}) == len(FEATURES)


def test_the_first_play_is_the_heuristics_own() -> None:
    from baofen.agents import make_agent

    batch = VectorTables(8, "suzhou", seed=4)
    agent = make_agent("heuristic-v1")
    agent.reset(8, 0)
    for _ in range(120):
        plays = batch.plays()
        own = np.array([plays.features[row, : plays.count[row], OWN].argmax() for row in range(8)])
        by_list = batch.tables.copy()
        last = play_lister().pick_all_but_last(batch.rules, by_list, plays, own)
        views = batch.views()
        asked = agent.act(views)
        single = plays.actions[np.arange(8), own] != SINGLE
        assert (asked[single] == last[single]).all()
        batch.step(asked)
        while (batch.tables["selection_ones"] != 0).any():  # the rest of its play, until no table is within one
            busy = batch.tables["selection_ones"] != 0
            before = batch.tables[~busy].copy()
            batch.step(agent.act(batch.views()))
            batch.tables[~busy] = before
            batch.refresh()


def test_wrong_choices_are_refused_and_change_nothing() -> None:
    batch = VectorTables(2, "suzhou", seed=1)
    plays, before = batch.plays(), batch.tables.copy()
    for wrong, words in (
        (np.array([0, 64]), "table 1: there is no play 64"),
        (np.array([0]), "choices must be"),
        ([0.5, 0], "whole"),
    ):
        with pytest.raises(ValueError, match=words):
            batch.step_plays(plays, wrong)
    assert all(np.array_equal(batch.tables[name], before[name]) for name in before.dtype.names or ())
    assert check_choices([0, 0], plays).tolist() == [0, 0]


@pytest.mark.parametrize("rules", PRESETS)
def test_matches_by_plays_conserve_points_and_end(rules: str) -> None:
    batch = VectorTables(4, rules, seed=9, deals_per_match=2)
    rng = np.random.default_rng(1)
    deals = 0
    for _ in range(400):
        plays = batch.plays()
        _, done = batch.step_plays(plays, (rng.random(4) * plays.count).astype(np.int64))
        deals += int(batch.deal_done.sum())
        for row in np.flatnonzero(batch.deal_done):
            assert batch.results["rewards"][row].sum() == batch.rewards[row].sum() or not done[row]
    assert deals >= 4
