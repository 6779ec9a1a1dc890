"""The PettingZoo environment: its contract, rewards, masks, illegal actions, records, forfeits and matches."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from places import RECORDS
from random_play import random_action

from baofen.envs import IllegalAction, Table, VectorTables, baofen_v0
from baofen.envs.actions import CALL, NUM_ACTIONS, PASS
from baofen.envs.interfaces.aec import AGENTS
from baofen.envs.records import RecordError, replay_record
from baofen.envs.rules import PRESETS


def play(env: Any, rng: np.random.Generator, steps: int = 10**6) -> None:
    """Play at random, to the end of the match or some steps on."""
    for _ in range(steps):
        observation, _, terminated, _, _ = env.last()
        if terminated:
            return
        env.step(random_action(rng, np.flatnonzero(observation["action_mask"]).tolist()))


def example(preset: str, *, played: bool = True) -> dict[str, Any]:
    """A record of the other implementation, without its result."""
    for line in (RECORDS / f"{preset}.jsonl").read_text(encoding="utf-8").splitlines():
        record: dict[str, Any] = json.loads(line)
        if (record.pop("result")["captured"] is not None) == played:
            return record
    raise AssertionError("no such record")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("make", [baofen_v0.env, baofen_v0.raw_env])
def test_api(preset: str, make: Any) -> None:
    with warnings.catch_warnings():  # what it warns of is wanted: dictionaries, and masks of zeros
        warnings.simplefilter("ignore")
        api_test(make(rules=preset), num_cycles=400)


@pytest.mark.parametrize("preset", PRESETS)
def test_seeds(preset: str) -> None:
    seed_test(lambda: baofen_v0.env(rules=preset), num_cycles=100)


@pytest.mark.parametrize("preset", PRESETS)
def test_one_game_in_all_interfaces(preset: str) -> None:
    rng = np.random.default_rng(3)
    env = baofen_v0.env(rules=preset, deals_per_match=2)
    table = Table(preset, seed=7, deals_per_match=2)
    batch = VectorTables(1, preset, seed=7, deals_per_match=2)
    env.reset(seed=7)
    for match in range(2):
        if match:
            env.reset()
            table.rematch()
        while not table.is_over:
            observation, _, terminated, truncated, info = env.last()
            assert (terminated, truncated, info) == (False, False, {})
            assert env.agent_selection == AGENTS[table.acting_seat] == AGENTS[batch.acting_seat[0]]
            assert np.array_equal(observation["action_mask"], table.mask())
            assert np.array_equal(observation["action_mask"], batch.mask()[0])
            assert np.array_equal(observation["observation"], table.observe(table.acting_seat))
            assert np.array_equal(observation["observation"], batch.observe()[0])
            assert np.array_equal(env.state(), table.state())
            action = random_action(rng, table.legal_actions())
            env.step(action)
            table.apply(action)
            rewards, _ = batch.step(np.array([action]))
            assert [env.rewards[agent] for agent in AGENTS] == table.rewards.tolist() == rewards[0].tolist()
        assert env.unwrapped.table.records() == table.records()


@pytest.mark.parametrize("preset", PRESETS)
def test_rewards_are_the_changes_of_the_totals(preset: str) -> None:
    rng = np.random.default_rng(4)
    env = baofen_v0.env(rules=preset, deals_per_match=2)
    env.reset(seed=1)
    for _ in range(5):
        env.reset()
        paid = dict.fromkeys(AGENTS, 0.0)
        received = dict.fromkeys(AGENTS, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, _, _ = env.last()
            received[agent] += reward
            action = None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"])))
            env.step(action)
            for other, change in env.rewards.items():
                paid[other] += change
        totals = dict(zip(AGENTS, env.unwrapped.table.totals, strict=True))
        assert received == paid == totals
        assert env.agents == []


def test_a_mask_belongs_to_the_acting_seat() -> None:
    env = baofen_v0.env()
    env.reset(seed=2)
    play(env, np.random.default_rng(0), 30)
    for agent in AGENTS:
        mask = env.observe(agent)["action_mask"]
        assert mask.dtype == np.int8
        assert mask.any() == (agent == env.agent_selection)
        assert env.observation_space(agent).contains(env.observe(agent))
    play(env, np.random.default_rng(0))
    assert not any(env.observe(agent)["action_mask"].any() for agent in AGENTS)


def test_arrays_given_out_are_the_callers_own() -> None:
    env = baofen_v0.env()
    env.reset(seed=2)
    play(env, np.random.default_rng(0), 10)
    first, second = env.last()[0], env.last()[0]
    for key in first:
        assert np.array_equal(first[key], second[key])
        first[key][:] = 1
    assert not np.array_equal(first["action_mask"], env.last()[0]["action_mask"])


@pytest.mark.parametrize("preset", PRESETS)
def test_an_illegal_action_raises_and_changes_nothing(preset: str) -> None:
    env = baofen_v0.env(rules=preset)
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    for _ in range(20):
        play(env, rng, 9)
        if not env.agents or env.terminations[env.agent_selection]:
            env.reset()
        before = env.unwrapped.table.tables.copy()
        mask = env.last()[0]["action_mask"]
        for action in np.flatnonzero(mask == 0)[::7]:
            with pytest.raises(IllegalAction) as refused:
                env.step(int(action))
            assert str(refused.value) == env.unwrapped.table.why_illegal(int(action))
        assert np.array_equal(before, env.unwrapped.table.tables)
        assert np.array_equal(env.last()[0]["action_mask"], mask)


def test_the_wrappers_refuse_what_is_no_action() -> None:
    wrapped = baofen_v0.env()
    for action in (-1, NUM_ACTIONS, 3.5, None):
        wrapped.reset(seed=1)
        with pytest.raises(AssertionError, match="not in action space"):
            wrapped.step(action)


@pytest.mark.parametrize("make", [baofen_v0.env, baofen_v0.raw_env])
def test_after_the_end_seats_leave(make: Any) -> None:
    env = make()
    env.reset(seed=1)
    for _ in range(4):
        env.step(PASS)
    assert list(env.agent_iter(1)) == ["seat_0"]
    with pytest.raises((ValueError, AssertionError, IllegalAction)):
        env.step(PASS)
    for left in (3, 2, 1, 0):
        env.step(None)
        assert len(env.agents) == left
    env.reset()
    assert env.agents == list(AGENTS)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_record_begins_an_episode(preset: str) -> None:
    record = example(preset)
    for length in range(0, len(record["actions"]), 7):
        prefix = {**record, "actions": record["actions"][:length]}
        env = baofen_v0.env(rules=preset)
        env.reset(seed=1, options={"record": prefix})
        table = replay_record(prefix, seed=1)
        assert np.array_equal(env.state(), table.state())
        assert not any(env.rewards.values())
        rng = np.random.default_rng(1)
        paid = np.zeros(4)
        while not env.terminations[env.agent_selection]:
            play(env, rng, 1)
            paid += list(env.rewards.values())
        assert paid.tolist() == np.subtract(env.unwrapped.table.totals, table.totals).tolist()
        written = env.unwrapped.table.record()
        assert written["actions"][: len(prefix["actions"])] == prefix["actions"]


def test_records_that_cannot_begin_an_episode() -> None:
    env = baofen_v0.env()
    record = example("suzhou")
    with pytest.raises(ValueError, match="over"):
        env.reset(seed=1, options={"record": record})
    with pytest.raises(RecordError, match="action 0"):
        env.reset(seed=1, options={"record": {**record, "actions": [{"seat": 5, "call": 85}]}})
    longer = baofen_v0.env(deals_per_match=2)
    longer.reset(seed=1, options={"record": record})
    assert longer.unwrapped.table.tables["deal_index"][0] == 1
    assert len(longer.unwrapped.table.records()) == 2


def test_a_record_brings_its_rules_for_one_match() -> None:
    env = baofen_v0.env()
    env.reset(seed=1, options={"record": {**example("hongwu"), "actions": []}})
    assert env.unwrapped.table.rules.preset == "hongwu"
    env.reset()
    assert env.unwrapped.table.rules.preset == "suzhou"


@pytest.mark.parametrize(("preset", "room"), [("suzhou", "points"), ("exposure", "silver"), ("hongwu", "points")])
def test_forfeits(preset: str, room: str) -> None:
    for deals in (1, 2):
        env = baofen_v0.env(rules=preset, deals_per_match=deals)
        for seat in range(4):
            env.reset(seed=seat)
            for _ in range(40 + deals):
                env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
            table = env.unwrapped.table.copy()
            agent = env.agent_selection
            before = env.last()[1]
            env.forfeit(seat if deals == 1 else f"seat_{seat}", room)
            table.forfeit(seat, room)
            assert list(env.rewards.values()) == table.rewards.tolist()
            assert env._cumulative_rewards[agent] == before + env.rewards[agent]
            assert all(env.terminations.values()) == (deals == 1)
            assert env.unwrapped.table.records() == table.records()
            play(env, np.random.default_rng(0))
    for wrong in (4, "seat_9", -1):
        env.reset(seed=1)
        with pytest.raises(ValueError, match="seat must be"):
            env.forfeit(wrong)


def test_a_forfeit_counts_as_a_step() -> None:
    env = baofen_v0.env()
    env.reset(seed=1)
    seen = []
    for agent in env.agent_iter():
        _, _, terminated, _, _ = env.last()
        seen.append(terminated)
        env.step(None) if terminated else env.forfeit(agent)
    assert seen == [False, True, True, True, True]


def test_people_are_shown_each_step_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = baofen_v0.env(render_mode="human")
    env.reset(seed=1)
    texts = [capsys.readouterr().out]
    for _ in range(4):
        env.step(PASS)
        texts.append(capsys.readouterr().out)
    assert all(text.startswith("suzhou, deal 1 of 1") for text in texts)
    assert "rewards" in texts[-1]
    env.reset()
    env.forfeit(0)
    assert capsys.readouterr().out.count("deal 1 of 1") == 2
    assert env.render() is None


def test_made_by_pettingzoo() -> None:
    env = pettingzoo.make("aec", "baofen/Baofen-v0", rules="hongwu", illegal="terminate")
    env.reset(seed=1)
    assert env.unwrapped.table.rules.preset == "hongwu"
    assert type(env) is type(baofen_v0.env())


def test_nothing_can_be_done_before_reset() -> None:
    env = baofen_v0.env()
    for act in (env.last, lambda: env.forfeit(0), lambda: env.agents):
        with pytest.raises(AttributeError, match="before reset"):
            act()


def test_what_does_not_exist_is_refused() -> None:
    for wrong in (
        {"rules": "bridge"},
        {"options": {"x": 1}},
        {"deals_per_match": 0},
        {"render_mode": "picture"},
        {"illegal": "lose"},
    ):
        with pytest.raises(ValueError, match=r"must be|unknown"):
            baofen_v0.env(**wrong)


@pytest.mark.parametrize("preset", PRESETS)
def test_rendering(preset: str) -> None:
    text_env = baofen_v0.env(rules=preset, render_mode="ansi")
    picture_env = baofen_v0.env(rules=preset, render_mode="rgb_array")
    rng = np.random.default_rng(1)
    for env in (text_env, picture_env):
        env.reset(seed=1)
        for _ in range(30):
            play(env, rng, 8)
            shown = env.render()
            if env is text_env:
                assert "seat 3" in shown
            else:
                assert (shown.dtype, shown.shape) == (np.uint8, (560, 800, 3))
    assert "rewards" in text_env.render()


def test_hidden_cards_do_not_show() -> None:
    """What the other seats hold, how it is dealt among them and the bottom change nothing that a seat sees."""
    rng = np.random.default_rng(6)
    record = {**example("suzhou"), "actions": []}
    first = record["first_caller"]
    hidden = [card for seat in range(4) if seat != first for card in record["hands"][seat].split()]
    hidden += record["bottom"].split()
    seen = []
    for _ in range(4):
        rng.shuffle(hidden)
        others = iter([" ".join(hidden[25 * part : 25 * part + 25]) for part in range(3)])
        hands = [record["hands"][seat] if seat == first else next(others) for seat in range(4)]
        env = baofen_v0.env()
        env.reset(seed=1, options={"record": {**record, "hands": hands, "bottom": " ".join(hidden[75:])}})
        before = env.last()[0]
        env.step(CALL + 3)
        seen.append((before["observation"].tobytes(), env.observe(AGENTS[first])["observation"].tobytes()))
    assert len(set(seen)) == 1
