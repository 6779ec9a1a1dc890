"""The Gymnasium environments: contract, rewards, opponents, starts, illegal actions, and the vector against the single."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from places import RECORDS
from scripted import Scripted, choose

from baofen.envs import IllegalAction, VectorTables, Views, baofen_v0
from baofen.envs.actions import NUM_ACTIONS, PASS
from baofen.envs.core.dtypes import Phase
from baofen.envs.interfaces.gym_single import BaofenSingleEnv
from baofen.envs.interfaces.gym_vector import BaofenVectorEnv
from baofen.envs.interfaces.opponents import resolve_opponent
from baofen.envs.records import replay_record
from baofen.envs.render.modes import render_modes_here
from baofen.envs.rules import PRESETS
from baofen.envs.starts import Contract


def play_episode(env: Any, observation: NDArray[np.uint8], info: dict[str, Any]) -> float:
    """Play to the end and return the sum of the rewards."""
    paid = 0.0
    terminated = False
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(choose(observation, info["action_mask"]))
        paid += float(reward)
        assert not truncated
    assert not info["action_mask"].any()
    return paid


@pytest.mark.parametrize("preset", PRESETS)
def test_the_checker_of_gymnasium(preset: str) -> None:
    env = gymnasium.make("baofen/Baofen-v0", rules=preset, seat=2, opponents="random:cards")
    with warnings.catch_warnings():  # a checker that knows no masks samples illegal actions; that ends the episode
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seat", [0, 3, None])
def test_rewards_are_the_changes_of_the_learners_total(preset: str, seat: int | None) -> None:
    env = BaofenSingleEnv(preset, seat=seat, opponents=Scripted(), deals_per_match=2)
    seats = set()
    for episode in range(8):
        observation, info = env.reset(seed=1) if episode == 0 else env.reset()
        assert env.observation_space.contains(observation)
        assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
        paid = play_episode(env, observation, info)
        assert paid == env.table.totals[env.seat]
        assert env.table.tables["deal_index"][0] == 1
        seats.add(env.seat)
    assert len(seats) > 1 if seat is None else seats == {seat}
    with pytest.raises(ValueError, match="over"):
        env.step(PASS)


def test_the_deals_are_those_of_the_batch() -> None:
    batch = VectorTables(3, seed=9)
    env = BaofenVectorEnv(3, opponents=Scripted())
    env.reset(seed=9)
    assert np.array_equal(env._learner.batch.tables["deck"], batch.tables["deck"])


@pytest.mark.parametrize("start", ["deal", "declarer", "defender", Contract(declarer=1, target=150)])
def test_the_vector_plays_like_the_single_environment(start: Any) -> None:
    single = BaofenSingleEnv(seat=None, opponents=Scripted(), start=start)
    vector = BaofenVectorEnv(5, seat=None, opponents=Scripted(), start=start, autoreset_mode="SameStep")
    observation, info = single.reset(seed=4)
    observations, infos = vector.reset(seed=4)
    ends = 0
    for step in range(300):
        assert np.array_equal(observation, observations[0])
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        assert np.array_equal(vector.action_masks(), infos["action_mask"] == 1)
        actions = np.array([choose(*pair) for pair in zip(observations, infos["action_mask"], strict=True)])
        if step % 70 == 69:
            actions[0] = 0 if not infos["action_mask"][0, 0] else 98
        observation, reward, terminated, _, info = single.step(actions[0])
        observations, rewards, terminations, truncations, infos = vector.step(actions)
        assert (reward, terminated) == (rewards[0], terminations[0])
        assert not truncations.any()
        if terminated:
            ends += 1
            assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == terminations.tolist()
            assert np.array_equal(infos["final_obs"][0], observation)
            final = infos["final_info"]
            assert info.get("illegal") == (final["illegal"][0] if "illegal" in final else None)
            assert final.get("_illegal", [False])[0] == ("illegal" in info)
            assert np.array_equal(final["action_mask"][0], info["action_mask"])
            observation, info = single.reset()
    assert ends > 2


def test_the_vector_refuses_what_is_no_action_for_each_table() -> None:
    vector = BaofenVectorEnv(2, opponents=Scripted())
    with pytest.raises(ValueError, match="no episode has begun"):
        vector.step(np.array([PASS, PASS]))
    vector.reset(seed=1)
    for wrong, why in ((np.array([67.9, 67.2]), "whole numbers, not float64"), (np.array([PASS]), r"shape \(2,\)")):
        with pytest.raises(ValueError, match=why):
            vector.step(wrong)


@pytest.mark.parametrize("make", [BaofenSingleEnv, BaofenVectorEnv])
def test_options_of_a_reset_that_do_not_exist_are_refused(make: Any) -> None:
    env = make(opponents=Scripted())
    with pytest.raises(ValueError, match="option"):
        env.reset(options={"recrod": {}})
    env.reset(options={})


def test_opponents_that_read_no_observations_are_shown_none() -> None:
    class Blind(Scripted):
        needs_observation = False

        def act(self, views: Views) -> NDArray[np.int64]:
            widths.add(views.observation.shape[1])
            return super().act(views)

    widths: set[int] = set()
    BaofenSingleEnv(opponents=Blind(), seat=0).reset(seed=1)
    assert widths == {0}


def test_an_illegal_action_forfeits() -> None:
    env = BaofenSingleEnv(opponents=Scripted(), start="declarer", deals_per_match=1)
    for action in (PASS, -1, NUM_ACTIONS):
        env.reset(seed=1)
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-400.0, True, False)
        assert "action" in info["illegal"] or "name trump" in info["illegal"]
        assert env.table.record()["actions"][-1] == {"seat": 0, "forfeit": "points"}
    match = BaofenSingleEnv(opponents=Scripted(), deals_per_match=3)
    match.reset(seed=1)
    assert match.step(98)[2]
    assert not match.action_masks().any()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("trump", [None, "c"])
def test_starts_with_a_contract(preset: str, trump: str | None) -> None:
    lowest = 70 if preset == "hongwu" else 85
    for declarer, target in ((0, lowest), (2, 100), (3, 200), (1, 90)):
        env = BaofenSingleEnv(
            preset, opponents=Scripted(), start=Contract(declarer=declarer, target=target, trump=trump)
        )
        env.reset(seed=declarer)
        assert env.table.declarer == declarer
        assert env.table.tables["target"][0] == target
        assert trump in (None, env.table.trump)
        if declarer == 0:
            assert env.table.phase == (Phase.TRUMP if trump is None and preset != "exposure" else Phase.BURY)
        play_episode(env, *env.reset(seed=declarer))
        assert replay_record(env.table.record()).is_over


@pytest.mark.parametrize("preset", PRESETS)
def test_starts_in_a_role(preset: str) -> None:
    for role in ("declarer", "defender"):
        env = BaofenSingleEnv(preset, seat=2, opponents=Scripted(), start=role)
        declarers = set()
        for seed in range(12):
            env.reset(seed=seed)
            declarers.add(env.table.declarer)
        assert declarers == ({2} if role == "declarer" else {0, 1, 3})


def test_a_record_begins_an_episode() -> None:
    line = (RECORDS / "hongwu.jsonl").read_text(encoding="utf-8").splitlines()[3]
    record = json.loads(line)
    del record["result"]
    env = BaofenSingleEnv(opponents=Scripted(), seat=1)
    with pytest.raises(ValueError, match="ends before seat 1"):
        env.reset(seed=1, options={"record": record})
    record["actions"] = record["actions"][:20]
    observation, info = env.reset(seed=1, options={"record": record})
    assert env.table.acting_seat == 1
    play_episode(env, observation, info)
    assert env.table.record()["actions"][:20] == record["actions"]
    env.reset()
    assert env.table.rules.preset == "suzhou"


def test_who_plays_the_others() -> None:
    one = Scripted()
    env = BaofenSingleEnv(seat=1, opponents=one)
    play_episode(env, *env.reset(seed=5))
    assert (one.seats, len(one.reset_with)) == ({0, 2, 3}, 1)
    three = [Scripted(), Scripted(), Scripted()]
    env = BaofenSingleEnv(seat=1, opponents=three)
    play_episode(env, *env.reset(seed=5))
    assert [agent.seats for agent in three] == [{2}, {3}, {0}]
    assert len({agent.reset_with[0][1] for agent in three}) == 3
    assert resolve_opponent("random:cards") is not resolve_opponent("random:cards")
    for wrong in ("no such agent", [one], [one] * 4):
        with pytest.raises(ValueError, match=r"no such agent|must be one or 3"):
            BaofenSingleEnv(opponents=wrong)


def test_names_are_known_without_importing_agents() -> None:
    code = "import gymnasium, baofen.envs; gymnasium.make('baofen/Baofen-v0', opponents='random:cards').reset(seed=1)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_does_not_exist_is_refused() -> None:
    faults: list[dict[str, Any]] = [
        {"seat": 4},
        {"rules": "bridge"},
        {"deals_per_match": 0},
        {"start": "middle"},
        {"start": "declarer", "deals_per_match": 2},
        {"start": Contract(declarer=4)},
        {"start": Contract(target=86)},
        {"start": Contract(target=205)},
        {"start": Contract(trump="x")},
        {"render_mode": "picture"},
        {"illegal": "forfeit"},
    ]
    for wrong in faults:
        for make in (BaofenSingleEnv, BaofenVectorEnv):
            with pytest.raises(ValueError, match=r"must|unknown|call|start|vector of tables"):
                make(**{"opponents": Scripted(), **wrong})


def test_an_opponent_that_acts_illegally_is_an_error() -> None:
    class Wrong(Scripted):
        def act(self, views: Views) -> NDArray[np.int64]:
            return np.full(len(views), 98)

    env = BaofenSingleEnv(opponents=Wrong())
    with pytest.raises(ValueError, match="an opponent: "):
        for seed in range(9):
            env.reset(seed=seed)


def test_rendering_and_state() -> None:
    for mode in ("ansi", "rgb_array"):
        env = gymnasium.make("baofen/Baofen-v0", opponents=Scripted(), render_mode=mode)
        env.reset(seed=1)
        assert len(env.render()) > 100  # type: ignore[arg-type]
    assert env.unwrapped.state().dtype == np.uint8  # type: ignore[attr-defined]


def test_people_are_shown_each_decision_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("baofen/Baofen-v0", opponents=Scripted(), render_mode="human")
    _, info = env.reset(seed=1)
    shown = [capsys.readouterr().out]
    env.step(int(info["action_mask"].argmax()))
    shown.append(capsys.readouterr().out)
    assert env.render() is None
    assert capsys.readouterr().out == shown[1]
    assert shown[0] != shown[1]
    assert all(text.startswith("suzhou, deal 1 of 1") and text.count("seat 3") for text in shown)


def test_a_picture_is_not_offered_without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    for make in (BaofenSingleEnv, baofen_v0.env):
        assert make(render_mode="rgb_array").metadata["render_modes"] == ["ansi", "human", "rgb_array"]
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert render_modes_here() == ["ansi", "human"]
    for make in (BaofenSingleEnv, baofen_v0.env):
        make(render_mode="ansi")
        with pytest.raises(DependencyNotInstalled, match=r"baofen\[render\]"):
            make(render_mode="rgb_array")


@pytest.mark.parametrize("preset", PRESETS)
def test_an_illegal_action_raises_if_so_wished_and_changes_nothing(preset: str) -> None:
    env = BaofenSingleEnv(preset, opponents=Scripted(), illegal="raise")
    observation, info = env.reset(seed=2)
    for _ in range(20):
        before = env.table.tables.copy()
        for action in (*np.flatnonzero(info["action_mask"] == 0)[::9], 2**70):
            with pytest.raises(IllegalAction) as refused:
                env.step(action)
            assert str(refused.value) == env.table.why_illegal(int(action))
        assert np.array_equal(before, env.table.tables)
        observation, _, terminated, _, info = env.step(choose(observation, info["action_mask"]))
        if terminated:
            observation, info = env.reset()


def test_histories_are_shown_if_so_wished() -> None:
    env = BaofenSingleEnv(seat=2, opponents=Scripted(), history_tokens=True)
    plain = BaofenSingleEnv(seat=2, opponents=Scripted())
    shown, info = env.reset(seed=3)
    vector_shown, _ = plain.reset(seed=3)
    for _ in range(30):
        assert env.observation_space.contains(shown)
        assert np.array_equal(shown["observation"], vector_shown)
        assert np.array_equal(shown["history_tokens"], env.table.history_tokens(2))
        action = choose(shown["observation"], info["action_mask"])
        shown, _, terminated, _, info = env.step(action)
        vector_shown = plain.step(action)[0]
        if terminated:
            break
    assert shown["history_tokens"].any()
    check_env(env, skip_render_check=True)
    with pytest.raises(TypeError, match="history_tokens must be True or False"):
        BaofenSingleEnv(history_tokens="yes")  # type: ignore[arg-type]
