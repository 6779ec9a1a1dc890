"""The vector of tables as Gymnasium's own: infos, how episodes follow each other, wrappers, histories, truncation."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers
from scripted import Scripted, choose

from baofen.envs import IllegalAction
from baofen.envs.actions import NUM_ACTIONS, PASS
from baofen.envs.interfaces.gym_single import BaofenSingleEnv
from baofen.envs.interfaces.gym_vector import BaofenVectorEnv
from baofen.envs.observation import OBSERVATION_SIZE

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


def chosen(observations: Any, masks: Any) -> Any:
    """An action for each table; the pass where none is legal, as where it is ignored."""
    if isinstance(observations, dict):
        observations = observations["observation"]
    return np.array([choose(*pair) if pair[1].any() else PASS for pair in zip(observations, masks, strict=True)])


def infos_of(vector: Any) -> dict[tuple[bool, bool], dict[str, Any]]:
    """What the infos of a vector are made of, by (has an episode ended, by an illegal action): name -> dtype, shape."""

    def make_up(info: Any) -> Any:
        return (
            {key: make_up(value) for key, value in info.items()} if isinstance(info, dict) else (info.dtype, info.shape)
        )

    observations, info = vector.reset(seed=1)
    met = {(False, False): make_up(info)}
    for step in range(200):
        actions = chosen(observations, info["action_mask"])
        if step % 50 > 46:
            actions[0] = NUM_ACTIONS
        observations, _, ended, _, info = vector.step(actions)
        met[bool(ended.any()), "illegal" in info or "illegal" in info.get("final_info", {})] = make_up(info)
    return met


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("history_tokens", [False, True])
def test_infos_are_as_those_of_a_vector_of_single_environments(mode: AutoresetMode, history_tokens: bool) -> None:
    given: dict[str, Any] = {"opponents": Scripted(), "history_tokens": history_tokens}
    singles = [lambda: BaofenSingleEnv(**given)] * 3
    theirs = infos_of(SyncVectorEnv(singles, autoreset_mode=mode))
    ours = BaofenVectorEnv(3, autoreset_mode=mode, **given)
    assert ours.metadata["autoreset_mode"] == mode
    assert infos_of(ours) == theirs
    assert set(theirs) == {(False, False), (True, False), (True, True)}


def test_infos_share_no_arrays() -> None:
    vector = BaofenVectorEnv(2, opponents=Scripted(), autoreset_mode=AutoresetMode.SAME_STEP)
    vector.reset(seed=1)
    _, _, ended, _, info = vector.step(np.array([NUM_ACTIONS, PASS]))
    before = ended.copy()
    for name in ("_final_obs", "_final_info"):
        assert info[name].tolist() == before.tolist()
        info[name][:] = False
    assert ended.tolist() == before.tolist()


@pytest.mark.parametrize("max_steps", [None, 7])
def test_the_next_step_begins_the_next_episode(max_steps: int | None) -> None:
    """Table 0 has the deals of the single environment, and both take the same way from episode to episode."""
    single = gymnasium.make("baofen/Baofen-v0", seat=None, opponents=Scripted(), max_episode_steps=max_steps)
    vector = gymnasium.make_vec(
        "baofen/Baofen-v0", num_envs=3, seat=None, opponents=Scripted(), max_episode_steps=max_steps
    )
    observation, info = single.reset(seed=4)
    observations, infos = vector.reset(seed=4)
    ends = 0
    over = False
    for step in range(400):
        assert np.array_equal(observation, observations[0])
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        actions = chosen(observations, infos["action_mask"])
        if step % 70 == 69:
            actions[0] = NUM_ACTIONS
        if over:
            observation, info = single.reset()
            expected: tuple[Any, ...] = (0.0, False, False)
        else:
            observation, *expected_list, info = single.step(actions[0])
            expected = tuple(expected_list)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        assert (rewards[0], terminated[0], truncated[0]) == expected
        assert info.get("illegal") == (infos["illegal"][0] if "illegal" in infos else None)
        over = bool(expected[1] or expected[2])
        ends += over
    assert ends > (40 if max_steps else 5)


def test_statistics_of_episodes_are_right_by_default() -> None:
    """Gymnasium's wrapper loses episodes where the next begins in the same step."""
    counted = {}
    for mode in MODES:
        vector = wrappers.RecordEpisodeStatistics(
            BaofenVectorEnv(4, opponents=Scripted(), autoreset_mode=mode), buffer_length=1000
        )
        observations, info = vector.reset(seed=1)
        returns, running = [], np.zeros(4)
        lengths, steps = [], np.zeros(4, int)
        begun = np.ones(4, bool)
        for _ in range(300):
            observations, rewards, ended, _, info = vector.step(chosen(observations, info["action_mask"]))
            running += rewards
            steps += begun
            returns += running[ended].tolist()
            lengths += steps[ended].tolist()
            running[ended], steps[ended] = 0.0, 0
            begun = ~ended if mode == AutoresetMode.NEXT_STEP else begun
        right = (list(vector.return_queue), list(vector.length_queue)) == (returns, lengths)
        counted[mode] = (len(returns) > 20, right)
    assert counted == {AutoresetMode.NEXT_STEP: (True, True), AutoresetMode.SAME_STEP: (True, False)}


SHAPE = (OBSERVATION_SIZE,)
WRAPPERS: dict[str, Any] = {
    "dtype": lambda env: wrappers.DtypeObservation(env, np.float32),
    "rescale": lambda env: wrappers.RescaleObservation(
        wrappers.DtypeObservation(env, np.float32), np.float32(0), np.float32(1)
    ),
    "flatten": wrappers.FlattenObservation,
    "reshape": lambda env: wrappers.ReshapeObservation(env, (2, SHAPE[0] // 2)),
    "transform": lambda env: wrappers.TransformObservation(
        env, lambda seen: np.asarray(seen, np.float32) / 255, single_observation_space=Box(0, 1, SHAPE, np.float32)
    ),
    "normalise": wrappers.NormalizeObservation,
    "rewards": lambda env: wrappers.TransformReward(env, lambda points: points / 100),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_wrappers_of_gymnasium(name: str) -> None:
    given: dict[str, Any] = {"num_envs": 3, "opponents": Scripted()}
    vector = WRAPPERS[name](gymnasium.make_vec("baofen/Baofen-v0", **given))
    plain = gymnasium.make_vec("baofen/Baofen-v0", **given)
    observations, info = vector.reset(seed=1)
    plain.reset(seed=1)
    for _ in range(60):
        actions = info["action_mask"].argmax(1)
        observations, rewards, ended, _, info = vector.step(actions)
        shown, points, over, *_ = plain.step(actions)
        assert np.array_equal(ended, over)
        assert observations.shape == vector.observation_space.shape
    same = observations.reshape(shown.shape)
    if name == "normalise":
        assert abs(same.mean()) < 1
    else:
        factor = 255 if name in ("rescale", "transform") else 1
        assert np.allclose(same * factor, shown, atol=1e-3)
        assert vector.observation_space.contains(observations)
    assert np.array_equal(rewards * (100 if name == "rewards" else 1), points)


@pytest.mark.parametrize("mode", MODES)
def test_histories_are_those_of_the_tables(mode: AutoresetMode) -> None:
    vector = BaofenVectorEnv(3, seat=None, opponents=Scripted(), history_tokens=True, autoreset_mode=mode)
    shown, info = vector.reset(seed=5)
    final = 0
    for _ in range(150):
        assert vector.observation_space.contains(shown)
        for index in range(3):
            tokens = vector._learner.table(index).history_tokens(int(vector.seats[index]))
            assert np.array_equal(shown["history_tokens"][index], tokens)
        shown, _, ended, _, info = vector.step(chosen(shown, info["action_mask"]))
        for index in np.flatnonzero(ended).tolist() if "final_obs" in info else ():
            assert vector.single_observation_space.contains(info["final_obs"][index])
            final += 1
    assert (final > 0) == (mode == AutoresetMode.SAME_STEP)


def test_an_illegal_action_raises_if_so_wished_and_no_table_has_changed() -> None:
    vector = BaofenVectorEnv(3, opponents=Scripted(), illegal="raise")
    _, info = vector.reset(seed=1)
    before = vector._learner.batch.tables.copy()
    actions = info["action_mask"].argmax(1)
    actions[1] = NUM_ACTIONS
    with pytest.raises(IllegalAction, match="table 1: action 99 does not exist"):
        vector.step(actions)
    assert np.array_equal(before, vector._learner.batch.tables)


def test_what_does_not_exist_is_refused() -> None:
    for wrong in (
        {"autoreset_mode": "Disabled"},
        {"autoreset_mode": AutoresetMode.DISABLED},
        {"max_episode_steps": 0},
        {"max_episode_steps": 2.5},
        {"max_episode_steps": True},
    ):
        with pytest.raises(ValueError, match="must be"):
            BaofenVectorEnv(2, **wrong)  # type: ignore[arg-type]


def test_made_by_gymnasium_as_a_vector() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vector = gymnasium.make_vec(
            "baofen/Baofen-v0", num_envs=3, vectorization_mode="vector_entry_point", opponents=Scripted()
        )
    observations, info = vector.reset(seed=1)
    assert vector.observation_space.contains(observations)
    assert info["action_mask"].shape == (3, NUM_ACTIONS)
    for wrong in (np.zeros(2), np.zeros((3, 1))):
        with pytest.raises(ValueError, match="shape"):
            vector.step(wrong.astype(np.int64))
