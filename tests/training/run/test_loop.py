"""A run from start to end: limits, checkpoints, kill and resume, Ctrl-C, the exported policy."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from places import HELPERS
from selfplay.helpers import toy_config
from selfplay.signal_game import SIZE, SignalTables, signal_game
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from baofen.agents.base import Agent
from baofen.agents.policy.agent import NetworkAgent
from baofen.agents.policy.policy_files import PolicyFileError, observation_layout
from baofen.envs.core.dtypes import ROLES
from baofen.envs.rules import Rules
from baofen.training.config import LeagueConfig, TrainConfig
from baofen.training.errors import UserError
from baofen.training.run.checkpoints import Checkpoints, Progress, progress_of
from baofen.training.run.loop import StopRequestedError, train
from baofen.training.selfplay.algorithm import SelfPlay

LEAGUE = LeagueConfig(pool_size=2, snapshot_every_iterations=1, frozen_table_probability=0.5)


def run(config: TrainConfig, folder: Path, **options: Any) -> Any:
    return train(config, folder, game=signal_game(), **options)


def curve(run_dir: Path, name: str) -> dict[int, float]:
    """One curve of a run: decisions -> value; fails if a point stands twice."""
    events = EventAccumulator(str(run_dir / "tensorboard"), size_guidance={"scalars": 0})
    events.Reload()
    points = [(event.step, event.value) for event in events.Scalars(name)]
    assert len(dict(points)) == len(points)
    return dict(points)


def names(run_dir: Path) -> list[str]:
    return sorted(path.name for path in (run_dir / "checkpoints").iterdir())


def test_a_run_leaves_checkpoints_curves_and_nothing_else(tmp_path: Path, capfd: Any) -> None:
    rows = [{"role": "seat", "metric": "score", "versus": "random", "opponents": "random", "difference": 12.5}]
    judged: list[list[str]] = []

    def evaluate(folder: Path) -> Any:
        judged.append(sorted(path.name for path in folder.iterdir()))
        return rows

    config = toy_config(iterations=5, checkpoint_every=2, keep=2, evaluate_every=3, league=LEAGUE)
    outcome = run(config, tmp_path, evaluate=evaluate)
    assert outcome.progress.iterations == 5 and outcome.progress.decisions >= 5 * 3072
    assert outcome.checkpoint == tmp_path / "checkpoints" / "000005"
    assert names(tmp_path) == ["000004", "000005"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoints", "tensorboard"]
    assert judged == [["policy.json", "policy.safetensors"]]
    made = curve(tmp_path, "auction/made_rate")
    assert list(made)[-1] == outcome.progress.decisions and len(made) == 5
    assert list(curve(tmp_path, "evaluation/seat_score_over_random_against_random").values()) == [12.5]
    assert {"returns/declarer_points_per_deal", "speed/deals_per_second", "entropy/bidder_nats",
            "learning_defender/value_loss", "league/seat_lead_over_past_points",
            "auction/share_of_bids/pass"} <= set(tags(tmp_path))  # fmt: skip
    err = capfd.readouterr().err
    assert "deals/s" in err and "points declarer" in err and "finished; saved" in err


def tags(run_dir: Path) -> list[str]:
    events = EventAccumulator(str(run_dir / "tensorboard"))
    events.Reload()
    return events.Tags()["scalars"]


def test_resuming_goes_on_to_the_same_limit(tmp_path: Path) -> None:
    first = run(toy_config(iterations=2), tmp_path)
    again = run(toy_config(iterations=2), tmp_path, resume=True)
    assert again.progress == first.progress and again.checkpoint == first.checkpoint
    more = run(toy_config(iterations=4), tmp_path, resume=True)
    assert more.progress.iterations == 4 and more.progress.decisions >= first.progress.decisions + 2 * 3072
    assert more.progress.deals > first.progress.deals and more.progress.seconds > first.progress.seconds
    assert len(curve(tmp_path, "auction/made_rate")) == 4
    assert names(tmp_path) == ["000002", "000004"]


CHILD = """
import sys
from pathlib import Path
from selfplay.helpers import toy_config
from selfplay.signal_game import signal_game
from baofen.training.config import LeagueConfig
from baofen.training.run.loop import train
league = LeagueConfig(pool_size=2, snapshot_every_iterations=1, frozen_table_probability=0.5)
config = toy_config(iterations=100000, checkpoint_every=3, league=league)
train(config, Path(sys.argv[1]), resume=len(sys.argv) > 2, game=signal_game())
"""


def child(run_dir: Path, *words: str) -> subprocess.Popen[str]:
    """A process that trains on and on."""
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(run_dir), *words],
        env=os.environ | {"PYTHONPATH": str(HELPERS)},
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_checkpoint(process: subprocess.Popen[str], run_dir: Path, after: int) -> None:
    """Wait as long as the process takes; fail if it ends."""
    while not any(int(path.name) > after for path in Checkpoints(run_dir, 3).whole()):
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.05)


def test_a_killed_run_resumes_at_its_last_checkpoint_with_equal_counters(tmp_path: Path) -> None:
    process = child(tmp_path)
    wait_for_checkpoint(process, tmp_path, 3)
    process.kill()
    process.communicate()
    last = Checkpoints(tmp_path, 3).last()
    assert last is not None
    saved = progress_of(last)
    # Whatever lay half written is cleared, and what was lost after the checkpoint is not counted.
    (tmp_path / "checkpoints" / "unfinished-000999").mkdir()
    at_once = run(toy_config(iterations=saved.iterations, league=LEAGUE), tmp_path, resume=True)
    assert at_once.progress == saved and not any("unfinished" in name for name in names(tmp_path))
    on = run(toy_config(iterations=saved.iterations + 1, league=LEAGUE), tmp_path, resume=True)
    state = json.loads((on.checkpoint / "training.json").read_text())
    assert state["iterations"] == saved.iterations + 1
    assert 3072 <= state["decisions"] - saved.decisions < 2 * 3072
    points = curve(tmp_path, "progress/iterations")
    assert list(points.values()) == list(range(1, saved.iterations + 2))


def test_a_damaged_checkpoint_is_told_with_the_one_before(tmp_path: Path) -> None:
    config = toy_config(iterations=2, checkpoint_every=1, keep=2)
    outcome = run(config, tmp_path)
    for state in outcome.checkpoint.rglob("*.pkl"):
        state.write_bytes(state.read_bytes()[:20])
    with pytest.raises(UserError, match=r"000002 cannot be read \(.*\); remove it to go on from .*000001"):
        run(config, tmp_path, resume=True)
    shutil.rmtree(outcome.checkpoint)
    assert run(config, tmp_path, resume=True).progress.iterations == 2


def test_a_run_begun_anew_hides_the_curves_of_before(tmp_path: Path) -> None:
    config = toy_config(iterations=2)
    run(config, tmp_path)
    shutil.rmtree(tmp_path / "checkpoints")
    run(config, tmp_path, resume=True)
    assert list(curve(tmp_path, "progress/iterations").values()) == [1, 2]


def test_ctrl_c_saves_a_checkpoint_and_says_so(tmp_path: Path) -> None:
    process = child(tmp_path)
    wait_for_checkpoint(process, tmp_path, 0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    last = Checkpoints(tmp_path, 3).last()
    assert last is not None and f"interrupted; saved {last}" in err and "--resume" in err
    assert StopRequestedError.__name__ in err and process.returncode != 0


def test_a_checkpoint_is_whole_or_absent(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, keep=2)

    def fails(folder: Path) -> None:
        (folder / "half").write_text("x")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        checkpoints.save(Progress(iterations=1), fails)
    assert checkpoints.last() is None
    for iterations in (1, 2, 10):
        checkpoints.save(Progress(iterations=iterations, decisions=7 * iterations), lambda folder: None)
    assert [path.name for path in checkpoints.whole()] == ["000002", "000010"]
    assert progress_of(checkpoints.whole()[-1]).decisions == 70
    checkpoints.clean()
    assert len(list((tmp_path / "checkpoints").iterdir())) == 2


def test_the_exported_policy_answers_as_the_modules_do(tmp_path: Path) -> None:
    outcome = run(toy_config(iterations=3), tmp_path)
    agent = NetworkAgent(outcome.checkpoint, layout="signal")
    assert isinstance(agent, Agent) and agent.facts["rules"] == "signal" and not agent.cheats
    from ray.rllib.core.rl_module.rl_module import RLModule

    path = outcome.checkpoint / "rllib" / "learner_group" / "learner" / "rl_module"
    modules = [RLModule.from_checkpoint(str(path / role)) for role in ROLES]
    tables = SignalTables(64, 5)
    orders = signal_game().suits
    drawn = NetworkAgent(outcome.checkpoint, greedy=False, layout="signal")
    drawn.reset(64, 1)
    for _ in range(6):
        mask, shown = np.zeros((64, 6), np.uint8), np.zeros((64, SIZE), np.uint8)
        tables.mask(mask)
        tables.observe(shown)
        views: Any = SimpleNamespace(
            observation=shown,
            action_mask=mask,
            role=tables.role,
            trump=tables.trump,
            seat=tables.acting_seat,
            rules=Rules(),
        )
        logits, values = agent.logits_and_values(views)
        for i in range(64):
            order = orders.action[tables.trump[i]]
            batch = {
                "obs": {
                    "observation": torch.from_numpy(shown[i : i + 1, orders.observation[tables.trump[i]]]),
                    "action_mask": torch.from_numpy(mask[i : i + 1, order]),
                }
            }
            out = modules[tables.role[i]].forward_train(batch)
            legal = torch.from_numpy(mask[i, order] == 1)
            assert torch.allclose(logits[i, order][legal], out["action_dist_inputs"][0][legal], atol=1e-5)
            assert (logits[i, order][~legal] == -torch.inf).all()
            assert torch.allclose(values[i], 100 * out["values"][0], atol=1e-3)
        actions = agent.act(views)
        assert (actions == logits.argmax(1).numpy()).all()
        random_actions = drawn.act(views)
        assert mask[np.arange(64), random_actions].all()
        tables.step(random_actions)


def test_unusable_policies_are_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match="holds no policy"):
        NetworkAgent(tmp_path)
    (tmp_path / "policy.json").write_text('{"format": 99}')
    with pytest.raises(PolicyFileError, match="format 1"):
        NetworkAgent(tmp_path)
    outcome = run(toy_config(iterations=1), tmp_path / "run")
    with pytest.raises(PolicyFileError, match=f"layout signal, this version has {observation_layout()}"):
        NetworkAgent(outcome.checkpoint)


def test_an_algorithm_restores_by_itself_from_the_checkpoint(tmp_path: Path) -> None:
    """RLlib's own way works too: no code of the loop is needed to read a checkpoint."""
    outcome = run(toy_config(iterations=2), tmp_path)
    algorithm = SelfPlay.from_checkpoint(str(outcome.checkpoint / "rllib"))
    assert algorithm.iteration == 2
    result = algorithm.train()
    assert int(result["env_runners"]["num_env_steps_sampled_lifetime"]) > outcome.progress.decisions
    algorithm.stop()
