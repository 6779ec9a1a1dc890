"""Another way to learn takes PPO's place without the package being edited; and what is not finite stops a run."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from selfplay.helpers import alike, toy_config
from selfplay.signal_game import signal_game

from baofen.envs.core.dtypes import ROLES
from baofen.training import cli
from baofen.training.config import LeagueConfig, TrainConfig, dump_config, load_config
from baofen.training.errors import UserError
from baofen.training.method import Assignment, Iteration
from baofen.training.run.checkpoints import Checkpoints
from baofen.training.run.folders import config_of_run
from baofen.training.run.loop import train
from baofen.training.selfplay.build import algorithm_config

FOREIGN = f"{__name__}:Counting"


class Counting:
    """Learns to count: a method that knows nothing of RLlib. Its weight is how many iterations there were."""

    made: list["Counting"] = []  # noqa: RUF012, emptied by every test

    def __init__(self, assignment: Assignment) -> None:
        self.assignment, self.count, self.shares = assignment, 0, list[float]()
        self.stopped = False
        self.step = 1.0
        Counting.made.append(self)

    def iterate(self, share_done: float) -> Iteration:
        self.count += 1
        self.shares.append(share_done)
        return Iteration(self.count, 10 * self.count, self.count, 0.5, {"counting/number": float(self.count)})

    def arrays(self) -> Iterable[tuple[str, NDArray[Any]]]:
        yield "count", np.array([self.count * self.step], np.float32)

    def save(self, folder: Path) -> None:
        (folder / "count.json").write_text(json.dumps(self.count))

    def restore(self, folder: Path) -> None:
        self.count = json.loads((folder / "count.json").read_text())

    def export(self, folder: Path, progress: Mapping[str, Any]) -> None:
        save_file(dict(self.arrays()), folder / "policy.safetensors")

    def stop(self) -> None:
        self.stopped = True


class Exploding(Counting):
    """Its third iteration learns nonsense."""

    def iterate(self, share_done: float) -> Iteration:
        done = super().iterate(share_done)
        self.step = np.inf if self.count == 3 else 1.0
        return done


@pytest.fixture(autouse=True)
def _fresh() -> None:
    Counting.made.clear()


def config(method: str = FOREIGN, iterations: int = 3, **more: Any) -> TrainConfig:
    return replace(toy_config(iterations=iterations, checkpoint_every=1, **more), method=method)


def names(run_dir: Path) -> list[str]:
    return sorted(path.name for path in (run_dir / "checkpoints").iterdir())


def test_a_foreign_method_trains_is_saved_and_resumed(tmp_path: Path) -> None:
    outcome = train(config(), tmp_path)
    assert (outcome.progress.iterations, outcome.progress.decisions, outcome.progress.deals) == (3, 30, 3)
    assert names(tmp_path) == ["000001", "000002", "000003"]
    on = train(config(iterations=6), tmp_path, resume=True)
    first, second = Counting.made
    assert on.progress.decisions == 60 and first.stopped and second.stopped
    assert first.shares == pytest.approx([0, 1 / 3, 2 / 3]) and second.shares == pytest.approx([1 / 2, 4 / 6, 5 / 6])


def test_a_method_that_there_is_not_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, message in (("pppo", "there are "), ("no_module:X", "No module"), (f"{__name__}:None_", "no attribute")):
        with pytest.raises(SystemExit) as left:
            cli.main(["train", "smoke", "--method", name, "--run", str(tmp_path / "run")])
        assert left.value.code == 2
        err = capsys.readouterr().err
        assert "method" in err and message in err and "Traceback" not in err
        assert not (tmp_path / "run").exists()


def test_a_run_from_before_there_were_methods_is_one_of_ppo(tmp_path: Path) -> None:
    text = dump_config(TrainConfig(method=FOREIGN))
    (tmp_path / "config.yaml").write_text(text)
    assert config_of_run(tmp_path).method == FOREIGN
    (tmp_path / "config.yaml").write_text(text.replace(f"method: {FOREIGN}", ""))
    assert load_config(tmp_path / "config.yaml").method == TrainConfig().method
    assert config_of_run(tmp_path).method == "ppo"


def test_weights_that_are_not_finite_stop_a_run_of_any_method(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"iteration 3: the weights count .*last good checkpoint is .*000002"):
        train(config(f"{__name__}:Exploding", iterations=9, keep=2), tmp_path)
    assert names(tmp_path) == ["000001", "000002"]
    assert Counting.made[0].stopped


def broken(checkpoint: Path) -> None:
    """Put a number that is none into a checkpoint's policy."""
    weights = load_file(checkpoint / "policy.safetensors")
    weights["count"][0] = np.nan
    save_file(weights, checkpoint / "policy.safetensors")


def test_a_checkpoint_that_is_not_finite_is_refused_with_an_earlier_one(tmp_path: Path) -> None:
    train(config(), tmp_path)
    whole = Checkpoints(tmp_path, 3).whole()
    for number, way_out in (
        (2, r"000003 holds weights that are not finite; remove it to go on from .*000002$"),
        (1, r"000003 holds .*; remove 000002 and 000003 to go on from .*000001$"),
        (0, r"000003 holds .*; nor do those before it hold finite weights$"),
    ):
        broken(whole[number])
        with pytest.raises(UserError, match=way_out):
            train(config(iterations=6), tmp_path, resume=True)
    assert names(tmp_path) == ["000001", "000002", "000003"]


def rates(now: TrainConfig, rate: float) -> TrainConfig:
    return replace(now, learning=replace(now.learning, learning_rate=alike(rate)))


def test_a_rate_too_high_is_noticed_in_its_iteration_and_nothing_is_lost(tmp_path: Path) -> None:
    """Issue by issue: PPO with a rate of 1e20 at resume."""
    plain = replace(toy_config(iterations=2, keep=1), method="ppo")
    train(plain, tmp_path, game=signal_game())
    wild = rates(replace(plain, stopping=replace(plain.stopping, iterations=8)), 1e20)
    with pytest.raises(UserError, match=r"iteration 3: .* network became infinite .*last good checkpoint is .*000002"):
        train(wild, tmp_path, resume=True, game=signal_game())
    assert names(tmp_path) == ["000002"]
    tame = rates(wild, 1e-3)
    assert train(tame, tmp_path, resume=True, game=signal_game()).progress.iterations == 8


def test_whatever_changes_at_resume_is_in_force_from_the_first_iteration(tmp_path: Path) -> None:
    """A restored algorithm has all that a fresh one of the new configuration has, but for weights and moments."""
    league = LeagueConfig(pool_size=3, snapshot_every_iterations=1, frozen_table_probability=0.5)
    before = replace(toy_config(iterations=3, league=league), method="ppo")
    saved = train(before, tmp_path, game=signal_game()).checkpoint
    learning = replace(
        before.learning,
        learning_rate=alike(5e-4),
        clip=0.1,
        max_grad_norm=0.25,
        entropy=replace(before.learning.entropy, start=alike(0.5), end=alike(0.1), decay_decisions=20_000),
    )
    now = replace(before, learning=learning, league=replace(league, pool_size=1))
    fresh = algorithm_config(now, signal_game(), str(tmp_path)).build_algo()
    restored = algorithm_config(now, signal_game(), str(tmp_path)).build_algo()
    restored.restore_from_path(str(saved / "rllib"))
    used: list[tuple[float, float]] = []
    learner = restored.learner_group._learner
    step = learner._gradient_step

    def seen(role: str, *rest: Any) -> None:
        (name,) = learner._module_optimizers[role]
        bonus = learner.entropy_coeff_schedulers_per_module[role].get_current_value()
        used.append((learner._named_optimizers[name].param_groups[0]["lr"], float(bonus)))
        step(role, *rest)

    learner._gradient_step = seen
    decisions = json.loads((saved / "training.json").read_text())["decisions"]
    restored.train()
    bonus = 0.5 + (0.1 - 0.5) * min(1.0, decisions / 20_000)
    assert used and all(pair == pytest.approx((5e-4, bonus), rel=1e-4) for pair in used)
    assert len(restored.env_runner.past_selves) == 1, "a smaller pool is smaller at once"
    theirs = fresh.learner_group._learner
    for role in ROLES:
        (name,) = learner._module_optimizers[role]
        groups = [one._named_optimizers[name].param_groups[0] for one in (learner, theirs)]
        assert all(groups[0][key] == groups[1][key] for key in groups[1] if key != "params")
        configs = [one.config.get_config_for_module(role) for one in (learner, theirs)]
        for key in ("clip_param", "grad_clip", "gamma", "vf_clip_param", "vf_loss_coeff", "entropy_coeff", "lr"):
            assert configs[0][key] == configs[1][key]
    assert restored.env_runner.settings == fresh.env_runner.settings == now
    assert torch.isfinite(torch.tensor([lr for lr, _ in used])).all()
    for one in (fresh, restored):
        one.stop()
