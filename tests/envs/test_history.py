"""Histories: what a seat knows of the actions of a deal, as a record's prefix and as tokens."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test
from random_play import random_action, random_rules

from baofen.agents import make_agent
from baofen.envs import PRESETS, Rules, Table, VectorTables, baofen_v0
from baofen.envs.actions import COMMIT, EIGHT, NUM_ACTIONS, PASS, TRUMP, call_action
from baofen.envs.cards import FACE_NAMES, RANKS, SUITS, format_cards, parse_cards
from baofen.envs.core.dtypes import Phase
from baofen.envs.core.known import NUM_TOKENS
from baofen.envs.explain import set_faces
from baofen.envs.history import HISTORY_LENGTH, history_tokens
from baofen.envs.views import make_views


def known(record: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    """What a seat knows of a record's actions: all but what others buried."""
    return [action for action in record["actions"] if "bury" not in action or action["seat"] == seat]


def decoded(tokens: np.ndarray[Any, Any], seat: int) -> list[tuple[int, int]]:
    """Tokens as (absolute seat, action), commits left out; nothing follows the first empty place."""
    length = int((tokens != 0).sum())
    assert not tokens[length:].any()
    assert tokens.max() < NUM_TOKENS
    actions = [((int(t) - 1) // NUM_ACTIONS + seat & 3, (int(t) - 1) % NUM_ACTIONS) for t in tokens[:length]]
    return [(who, action) for who, action in actions if action != COMMIT]


def spelled(actions: list[dict[str, Any]], eights: list[str]) -> Iterator[tuple[int, int]]:
    """Actions of a record as (seat, action): calls, trump named, an eight, or card by card in ascending order."""
    for action in actions:
        seat = action["seat"]
        if "call" in action:
            yield seat, PASS if action["call"] == "pass" else call_action(action["call"])
        elif "trump" in action:
            if seat is not None:
                yield seat, TRUMP + SUITS.index(action["trump"])
        elif action.get("play") in eights:
            yield seat, EIGHT + RANKS.index(action["play"][0]) - 1
        else:
            yield from (
                (seat, face) for verb in ("play", "expose", "bury") for face in parse_cards(action.get(verb, ""))
            )


@pytest.mark.parametrize("preset", PRESETS)
def test_histories_are_the_record_as_far_as_the_seat_knows_it(preset: str) -> None:
    rng = np.random.default_rng(5)
    seen = dict.fromkeys(("hidden bury", "own bury", "own pass while dealing", "selection", "eight"), 0)
    for seed in range(14):
        table = stacked_table(rng, preset, seed)
        own_passes = [0] * 4
        eights: list[str] = []
        while not table.is_over:
            acting, record = table.acting_seat, table.record()
            views, cheat = (make_views(table.rules, table.tables, cheating=cheating) for cheating in (False, True))
            assert views.hand(0) == cheat.hand(0) == table.hand(acting)
            assert views.history(0) == cheat.history(0) == known(record, acting)
            assert np.array_equal(views.history_tokens()[0], table.history_tokens(acting))
            for seat in range(4):
                told = decoded(table.history_tokens(seat), seat)
                own = [(seat, PASS)] * own_passes[seat]
                picked = [(seat, face) for face in faces_selected(table)] if seat == acting else []
                expected = [*spelled(known(record, seat), eights), *picked]
                if own:  # they lie between the exposures: compared by their number
                    told = [*own, *without_first_passes(told, own)]
                assert told == own + expected
                seen["hidden bury"] += len(known(record, seat)) < len(record["actions"])
                seen["own bury"] += any("bury" in action for action in known(record, seat))
                seen["own pass while dealing"] += bool(own)
                seen["selection"] += bool(picked)
            action = random_action(rng, table.legal_actions())
            own_passes[acting] += table.phase.name == "EXPOSE" and action == PASS
            table.apply(action)
            if EIGHT <= action < PASS:
                eights.append(table.record()["actions"][-1]["play"])
                seen["eight"] += 1
    assert seen.pop("own pass while dealing") > 0 or preset != "exposure"
    assert seen.pop("eight") > 0 or preset == "hongwu"
    assert all(seen.values()), seen


def without_first_passes(told: list[tuple[int, int]], passes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A history without as many of the seat's first passes as there are in `passes`."""
    left, rest = len(passes), []
    for entry in told:
        if left and entry == passes[0]:
            left -= 1
        else:
            rest.append(entry)
    assert left == 0
    return rest


def stacked_table(rng: np.random.Generator, preset: str, seed: int) -> Table:
    """A table of random rules; in every other one the cards lie so that hands hold whole ranks."""
    rules = random_rules(rng, preset)
    if seed % 2:
        return Table(rules, seed=seed)
    ranks = [[face, face] for rank in range(13) for face in range(rank, 52, 13)]
    faces = [face for pair in ranks for face in pair] + [52, 52, 53, 53]
    hands = [format_cards(faces[25 * at : 25 * at + 25]) for at in range(4)]
    if preset != "hongwu" and rng.random() < 0.8:
        rules = Rules(preset, {**rules.options, "eights": "on"})
    return Table.from_hands(hands, format_cards(faces[100:]), rules)


def faces_selected(table: Table) -> list[int]:
    """The faces that the acting seat has picked so far."""
    row = table.tables[0]
    return set_faces(table.rules, int(row["layout"]), int(row["selection_ones"]), int(row["selection_twos"]))


def test_each_table_has_one_seat() -> None:
    tables = VectorTables(3).tables
    assert history_tokens(tables, np.array([0, 1, 3], np.int8)).shape == (3, HISTORY_LENGTH)
    for seats in ([0], [0, 1, 4], [0, -1, 2], [0, 1, 2, 3]):
        with pytest.raises(ValueError, match="one of 0"):
            history_tokens(tables, np.array(seats, np.int8))


def late_exposures(seed: int) -> list[Table]:
    """Two tables: whoever gets the last card exposes two 2s at once, or passes and does so in the closing round."""
    tables = []
    for closing in (False, True):
        table = Table("exposure", seed=seed)
        last = (table.first_caller + 99) % 4
        while table.phase == Phase.EXPOSE and table.tables["dealt"][0] < 100:
            table.pass_()
        waits = int(closing)
        while table.phase == Phase.EXPOSE and (table.acting_seat != last or waits):
            waits -= table.acting_seat == last
            table.pass_()
        pairs = [face for face in range(0, 52, 13) if table.hand(last).split().count(FACE_NAMES[face]) == 2]
        if table.phase == Phase.EXPOSE and pairs:  # a pair is final: then nobody else is asked
            table.apply(pairs[0])
            table.apply(pairs[0])
            tables.append(table)
    return tables


def test_who_has_passed_while_cards_are_dealt_stays_private() -> None:
    compared = 0
    for seed in range(300):
        tables = late_exposures(seed)
        if len(tables) < 2:
            continue
        assert [table.phase for table in tables] == [Phase.AUCTION] * 2
        for seat in range(4):
            if not np.array_equal(tables[0].history_tokens(seat), tables[1].history_tokens(seat)):
                continue  # who was asked in between knows it
            for table in tables:
                while table.acting_seat != seat:
                    table.call(85 + 5 * table.tables["num_calls"][0].sum())
            one, other = (make_views(table.rules, table.tables) for table in tables)
            assert one.observation.tobytes() == other.observation.tobytes()
            fields = one.state.dtype.names or ()
            assert [name for name in fields if not np.array_equal(one.state[name], other.state[name])] == []
            for name in ("random", "random:cards"):
                agent = make_agent(name)
                agent.reset(1, 7)
                assert agent.act(one) == agent.act(other)
            compared += 1
    assert compared >= 5


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
