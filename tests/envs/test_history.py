"""Histories: what a seat knows of the actions of a deal, as a record's prefix and as tokens."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test
from random_play import PRESETS, random_action, random_rules

from baofen.envs import Table, VectorTables, baofen_v0
from baofen.envs.actions import NUM_ACTIONS, PASS
from baofen.envs.cards import parse_cards
from baofen.envs.core.known import NUM_TOKENS
from baofen.envs.explain import set_faces
from baofen.envs.views import make_views


def known(record: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    """What a seat knows of a record's actions: all but what others buried."""
    return [action for action in record["actions"] if "bury" not in action or action["seat"] == seat]


def words(tokens: np.ndarray[Any, Any], seat: int) -> list[tuple[int, int]]:
    """Tokens as (absolute seat, action); nothing follows the first empty place."""
    length = int((tokens != 0).sum())
    assert not tokens[length:].any()
    assert tokens.max() < NUM_TOKENS
    return [((int(t) - 1) // NUM_ACTIONS + seat & 3, (int(t) - 1) % NUM_ACTIONS) for t in tokens[:length]]


@pytest.mark.parametrize("preset", PRESETS)
def test_histories_are_the_record_as_far_as_the_seat_knows_it(preset: str) -> None:
    rng = np.random.default_rng(5)
    seen = dict.fromkeys(("hidden bury", "own bury", "own pass while dealing", "selection"), 0)
    for seed in range(12):
        table = Table(random_rules(rng, preset), seed=seed)
        own_passes = [0] * 4
        while not table.is_over:
            seat, record = table.acting_seat, table.record()
            if rng.random() < 0.15 or table.phase.name == "BURY":
                views = make_views(table.rules, table.tables)
                assert views.history(0) == known(record, seat)
                assert views.hand(0) == table.hand(seat)
                tokens = table.history_tokens(seat)
                assert np.array_equal(views.history_tokens()[0], tokens)
                history = words(tokens, seat)
                calls = [(action["seat"], action["call"]) for action in record["actions"] if "call" in action]
                assert len(calls) + own_passes[seat] == sum(action >= PASS and action < 95 for _, action in history)
                for other in range(4):
                    cards = [
                        face
                        for action in known(record, seat)
                        if action["seat"] == other
                        for verb in ("play", "expose", "bury")
                        for face in parse_cards(action.get(verb, ""))
                    ]
                    picks = [action for who, action in history if who == other and action < 54]
                    eights = [action for who, action in history if who == other and 55 <= action < PASS]
                    picked = faces_selected(table) if other == seat else []
                    assert len(picks) + 8 * len(eights) == len(cards) + len(picked)
                    seen["selection"] += bool(picked)
                seen["hidden bury"] += len(known(record, seat)) < len(record["actions"])
                seen["own bury"] += any("bury" in action for action in known(record, seat))
                seen["own pass while dealing"] += bool(own_passes[seat])
            action = random_action(rng, table.legal_actions())
            own_passes[seat] += table.phase.name == "EXPOSE" and action == PASS
            table.apply(action)
    assert seen.pop("own pass while dealing") > 0 or preset != "exposure"
    assert all(seen.values()), seen


def faces_selected(table: Table) -> list[int]:
    """The faces that the acting seat has picked so far."""
    row = table.tables[0]
    return set_faces(table.rules, int(row["layout"]), int(row["selection_ones"]), int(row["selection_twos"]))


def test_the_batch_and_the_table_tell_the_same() -> None:
    rng = np.random.default_rng(1)
    batch, table = VectorTables(3, seed=4), Table(seed=4)
    for _ in range(120):
        assert np.array_equal(batch.history_tokens()[0], table.history_tokens(table.acting_seat))
        mask = batch.mask()
        actions = (rng.random(mask.shape) * mask).argmax(1)
        batch.step(actions)
        table.apply(int(actions[0]))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_environment_shows_histories_if_asked(preset: str) -> None:
    with warnings.catch_warnings():  # what it warns of is wanted: dictionaries, and masks of zeros
        warnings.simplefilter("ignore")
        api_test(baofen_v0.env(rules=preset, history_tokens=True), num_cycles=200)
    env = baofen_v0.raw_env(rules=preset, history_tokens=True)
    env.reset(seed=3)
    while not env.table.is_over:
        agent = env.agent_selection
        seat = env.table.acting_seat
        shown = env.observe(agent)
        assert env.observation_space(agent).contains(shown)
        assert np.array_equal(shown["history_tokens"], env.table.history_tokens(seat))
        env.step(int(shown["action_mask"].argmax()))
    assert "history_tokens" not in baofen_v0.raw_env(rules=preset).observation_space("seat_0").spaces
