"""Learning from labels: what is in them is learned, equal seeds learn the same, and what is not finite stops."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from baofen.agents.plays.features import NUM_FEATURES
from baofen.agents.plays.labeller import LabelledDecisions
from baofen.agents.policy.scorer_files import SCORER_NETWORKS
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.training.config import LearningConfig, PlaysConfig, RoleValues, SamplingConfig, TrainConfig
from baofen.training.method import NotFiniteError
from baofen.training.plays.plays_algorithm import PlaysAlgorithm, PlaysAlgorithmConfig
from baofen.training.plays.schedule import has_continuations, labelling

SMALL = TrainConfig(
    sampling=SamplingConfig(num_env_runners=0),
    learning=LearningConfig(minibatch_decisions=256, precision="fp32"),
    plays=PlaysConfig(
        hidden_size=32, head_size=16, decisions_per_iteration=600, held_decisions=0, buffer_decisions=4096
    ),
)


def planted(number: int, seed: int) -> LabelledDecisions:
    """Decisions in which a play brings what its first feature says, points, and its second, bonus; much luck in common."""
    rng = np.random.default_rng(seed)
    count = rng.integers(2, 10, number).astype(np.int16)
    plays = int(count.sum())
    features = rng.normal(size=(plays, NUM_FEATURES)).astype(np.float32)
    luck = np.repeat(rng.normal(size=number) * 40, count)
    return LabelledDecisions(
        observation=rng.integers(0, 3, (number, OBSERVATION_SIZE)).astype(np.uint8),
        kind=(np.arange(number) % 3).astype(np.int8),
        count=count,
        worlds=np.zeros(number, np.int16),
        cards=rng.integers(0, 3, (plays, 54)).astype(np.uint8),
        features=features,
        points=(10 * features[:, 0] + luck).astype(np.float32),
        bonus=(20 * features[:, 1]).astype(np.float32),
    )


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Any]:
    made: list[PlaysAlgorithm] = []

    def built(config: TrainConfig = SMALL) -> PlaysAlgorithm:
        made.append(PlaysAlgorithmConfig().set_settings(config, str(tmp_path)).build_algo())
        return made[-1]

    yield built
    for algorithm in made:
        algorithm.stop()


def test_what_labels_say_is_learned_for_every_kind(build: Any) -> None:
    learner = build().learner
    learner.hold(planted(900, 1))
    learner.take(planted(6000, 2))
    before = learner.figures()
    learner.learn(600, 0.0)
    after = learner.figures()
    for name in SCORER_NETWORKS:
        assert before[f"fit_{name}/explained_variance_of_points"] == pytest.approx(0)
        assert after[f"fit_{name}/explained_variance_of_points"] > 0.4
        assert after[f"fit_{name}/gain_points"] > 3 and after[f"fit_{name}/gain_bonus"] > 0.3


def test_rates_are_those_of_the_roles_and_fall_over_the_run(build: Any) -> None:
    rate = RoleValues(bidder=7.0, declarer=1e-3, defender=4e-3)
    learner = build(replace(SMALL, learning=replace(SMALL.learning, learning_rate=rate))).learner
    learner.steps = [1000, 1000, 0]
    names = dict(zip(SCORER_NETWORKS, range(3), strict=True))
    assert learner.rate(names["declarer"], 0.0) == 1e-3 and learner.rate(names["defender"], 0.0) == 4e-3
    assert learner.rate(names["bury"], 0.0) == pytest.approx(1e-3 / 50), "its first steps are small"
    assert learner.rate(names["defender"], 1.0) == pytest.approx(4e-3 * 0.02)
    assert learner.rate(names["defender"], 0.5) == pytest.approx(4e-3 * 0.02**0.5)


def test_equal_seeds_learn_the_same(build: Any) -> None:
    def weights(config: TrainConfig) -> dict[str, Any]:
        algorithm = build(config)
        for share in (0.0, 0.5, 0.7):
            algorithm.share_done = share
            algorithm.train()
        assert algorithm.decisions >= 1800 and algorithm.deals > 100 and sum(algorithm.learner.steps) > 3
        arrays: dict[str, Any] = algorithm.learner.arrays()
        return arrays

    first, again, other = weights(SMALL), weights(SMALL), weights(replace(SMALL, seed=1))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert any(not np.array_equal(first[name], other[name]) for name in first)


def test_no_deal_is_labelled_twice(build: Any) -> None:
    algorithm = build()
    calls = [algorithm._next_call() for _ in range(3)]
    firsts = [call["first_deal"] for call in calls]
    assert len(set(firsts)) == 3 and min(np.diff(firsts)) >= 1 << 20
    algorithm.share_done = 0.0
    one = [algorithm.env_runner.sample(**call).labels.observation for call in (calls[0], calls[0], calls[1])]
    assert np.array_equal(one[0], one[1]) and not np.array_equal(one[0][:500], one[2][:500])


def test_a_gradient_that_is_not_finite_stops(build: Any) -> None:
    learner = build().learner
    labels = planted(3000, 5)
    labels.points[:] = np.inf
    learner.take(labels)
    with pytest.raises(NotFiniteError, match="the gradient of the network for"):
        learner.learn(3, 0.0)


def test_arrays_bring_a_learner_back(build: Any) -> None:
    learner, other = build().learner, build().learner
    for one in (learner, other):
        one.take(planted(3000, 2))
    learner.learn(20, 0.0)
    saved = learner.arrays()
    assert any(name.startswith("adam.declarer") for name in saved)
    other.set_arrays(saved)
    other.steps = list(learner.steps)
    for one in (learner, other):
        one._rng = np.random.default_rng(1)
        torch.manual_seed(0)
        one.learn(5, 0.5)
    assert all(np.array_equal(value, other.arrays()[name]) for name, value in learner.arrays().items())
    with pytest.raises(ValueError, match=r"declarer.head.bias is missing"):
        other.set_arrays({name: value for name, value in saved.items() if name != "declarer.head.bias"})


def test_cheap_labels_come_first_then_worlds_then_the_networks_own_deals() -> None:
    plays = PlaysConfig(worlds_from=0.2, network_from=0.4, continuations_from=0.6)
    told = [labelling(plays, share) for share in (0.0, 0.2, 0.4)]
    assert [one.worlds > 0 for one in told] == [False, True, True]
    assert [one.network > 0 for one in told] == [False, False, True]
    assert all(one.true > 0 for one in told), "labels in worlds alone make defenders worse"
    assert [has_continuations(plays, share) for share in (0.0, 0.59, 0.6)] == [False, False, True]
    assert not any(has_continuations(PlaysConfig(), share) for share in (0.0, 0.99, 1.0))
