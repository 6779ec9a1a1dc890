"""A run of the method plays from start to end: checkpoints of plain files, resuming, starting from a policy."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from baofen.agents.policy.scorer_files import SCORER_NETWORKS, load_scorer
from baofen.training.config import (
    CheckpointsConfig,
    LearningConfig,
    PlaysConfig,
    RoleValues,
    SamplingConfig,
    StoppingConfig,
    TrainConfig,
)
from baofen.training.errors import UserError
from baofen.training.run.checkpoints import Checkpoints
from baofen.training.run.loop import train

SMALL = TrainConfig(
    sampling=SamplingConfig(num_env_runners=0),
    learning=LearningConfig(minibatch_decisions=128, precision="fp32"),
    plays=PlaysConfig(
        hidden_size=32,
        head_size=16,
        decisions_per_iteration=600,
        held_decisions=200,
        buffer_decisions=4096,
        continuations_from=0.6,
    ),
    stopping=StoppingConfig(minutes=None, iterations=4),
    checkpoints=CheckpointsConfig(every_iterations=2),
)


def until(iterations: int, config: TrainConfig = SMALL) -> TrainConfig:
    return replace(config, stopping=StoppingConfig(minutes=None, iterations=iterations))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has come to its limit."""
    folder = tmp_path_factory.mktemp("run")
    train(SMALL, folder)
    return folder


def last(folder: Path) -> Path:
    found = Checkpoints(folder, 3).last()
    assert found is not None
    return found


def test_a_checkpoint_is_plain_files_and_a_policy(finished: Path) -> None:
    assert [path.name for path in Checkpoints(finished, 3).whole()] == ["000002", "000004"]
    files = sorted(path.name for path in last(finished).iterdir())
    assert files == ["learner.json", "learner.safetensors", "policy.json", "policy.safetensors", "training.json"]
    policy = load_scorer(last(finished))
    assert policy.rules.preset == "suzhou" and policy.bidder == "heuristic-v1"
    arrays = load_file(last(finished) / "learner.safetensors")
    exported = load_file(last(finished) / "policy.safetensors")
    for name in SCORER_NETWORKS:
        assert np.array_equal(arrays[f"{name}.head.weight"], exported[f"{name}.head.weight"])
        assert f"adam.{name}.head.weight.exp_avg" in arrays


def test_curves_tell_of_every_network_and_of_the_speed(finished: Path) -> None:
    events = EventAccumulator(str(finished / "tensorboard"))
    events.Reload()
    told = set(events.Tags()["scalars"])
    for name in SCORER_NETWORKS:
        assert {f"fit_{name}/gain_points", f"fit_{name}/explained_variance_of_points"} <= told
        assert {f"learning_{name}/points_loss", f"learning_{name}/learning_rate"} <= told
    assert {"labels/decisions", "speed/decisions_per_second", "progress/iterations"} <= told
    shares = [event.value for event in events.Scalars("labels/continued_share")]
    assert shares[0] == 0 and shares[-1] > 0, "the network leads on in the end"


def test_a_resumed_run_goes_on_with_weights_counters_and_new_deals(tmp_path: Path) -> None:
    train(until(2), tmp_path)
    before = json.loads((last(tmp_path) / "learner.json").read_text())
    rate = RoleValues(bidder=0, declarer=0, defender=1e-3)
    on = replace(SMALL, learning=replace(SMALL.learning, learning_rate=rate))
    train(until(4, on), tmp_path, resume=True)
    after = json.loads((last(tmp_path) / "learner.json").read_text())
    assert after["iterations"] == 4 and after["decisions"] > before["decisions"] and after["calls"] > before["calls"]
    assert all(one > other for one, other in zip(after["steps"], before["steps"], strict=True))
    old, new = (load_file(tmp_path / "checkpoints" / name / "learner.safetensors") for name in ("000002", "000004"))
    assert np.array_equal(old["declarer.head.weight"], new["declarer.head.weight"]), "its rate is 0 from the first step"
    assert not np.array_equal(old["defender.head.weight"], new["defender.head.weight"])


def test_a_run_starts_from_another_policy(finished: Path, tmp_path: Path) -> None:
    still = RoleValues(bidder=0, declarer=0, defender=0)
    config = replace(until(1), start_from=str(last(finished)), learning=replace(SMALL.learning, learning_rate=still))
    outcome = train(config, tmp_path)
    given, begun = (load_file(path / "policy.safetensors") for path in (last(finished), outcome.checkpoint))
    assert all(np.array_equal(given[name], begun[name]) for name in given)
    larger = replace(config, plays=replace(config.plays, hidden_size=48))
    with pytest.raises(UserError, match=r"start_from: .*set plays.hidden_size and plays.head_size as it has"):
        train(larger, tmp_path / "larger")
    other = replace(config, game=replace(config.game, rules="hongwu"))
    with pytest.raises(UserError, match=r"start_from: .*trained on other rules"):
        train(other, tmp_path / "other")
    with pytest.raises(UserError, match=r"start_from: .*holds no policy"):
        train(replace(config, start_from=str(tmp_path)), tmp_path / "none")


def test_what_only_ppo_reads_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rate = RoleValues(bidder=1.0, declarer=1e-3, defender=1e-3)
    config = replace(until(1), learning=replace(SMALL.learning, learning_rate=rate, clip=0.1))
    train(config, tmp_path)
    told = capfd.readouterr().err
    assert "note: with plays these have no effect: learning.learning_rate.bidder, learning.clip" in told


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of Ray's own pipes
def test_another_process_labels_while_we_learn(tmp_path: Path) -> None:
    config = replace(SMALL, sampling=SamplingConfig(num_env_runners=1))
    outcome = train(config, tmp_path)
    assert outcome.progress.decisions >= 4 * 600
    assert sum(json.loads((outcome.checkpoint / "learner.json").read_text())["steps"]) > 0
