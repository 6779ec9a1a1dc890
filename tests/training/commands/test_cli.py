"""The command line: exit codes, where messages go, and what a mistake is told."""

import importlib
import subprocess
import sys
import types
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from baofen.training import cli
from baofen.training.config import TrainConfig, dump_config, load_config

HEAVY = ("torch", "ray", "numba", "matplotlib", "gymnasium", "pettingzoo")


def stand_in(monkeypatch: pytest.MonkeyPatch, package: str, name: str, module: types.ModuleType) -> None:
    """Put a module in the place of another, whether that has been imported yet or not."""
    monkeypatch.setitem(sys.modules, f"{package}.{name}", module)
    monkeypatch.setattr(importlib.import_module(package), name, module, raising=False)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Stands in for the training loop and keeps what it is asked."""
    kept: list[Any] = []
    loop = types.ModuleType("baofen.training.run.loop")

    def train(config: TrainConfig, run_dir: Path, resume: bool, evaluate: Any) -> Any:
        kept.append((config, run_dir, resume))
        return types.SimpleNamespace(checkpoint=run_dir / "checkpoint")

    vars(loop)["method_factory"] = lambda name: None
    vars(loop)["train"] = train
    stand_in(monkeypatch, "baofen.training.run", "loop", loop)
    judging = types.ModuleType("baofen.training.run.judging")
    vars(judging)["EVALUATION"] = "evaluation"
    vars(judging)["QuickEvaluation"] = lambda config: None
    vars(judging)["final_table"] = lambda policy, config, out: print("table")
    vars(judging)["where_things_are"] = lambda run_dir, checkpoint: f"at {checkpoint}"
    stand_in(monkeypatch, "baofen.training.run", "judging", judging)
    return kept


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main(words)
    assert isinstance(left.value.code, int)
    return left.value.code


def mistake(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The message for a mistake: on stderr alone, exit code 2, no traceback."""
    assert run(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def test_help_is_light() -> None:
    script = (
        "import sys, time\nfrom baofen.training.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit as left:\n"
        f"    print(left.code, [name for name in {HEAVY} if name in sys.modules], time.process_time() < 1)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (
        done.stdout.splitlines()[-1] == "0 [] True"
    )  # a third of a second here; the bound leaves room for slow machines
    assert "train" in done.stdout


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"baofen {version('baofen')}\n"


def test_help_shows_flags_as_the_pages_write_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "--help") == 0
    assert "--deals-set" in capsys.readouterr().out
    assert run("train", "--help") == 0
    assert "--learning.gae_lambda.bidder" in capsys.readouterr().out


def test_flags_override_the_file(calls: list[Any], tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    assert run("train", "smoke", "--run", str(run_dir), "--learning.learning_rate.bidder", "3e-4") == 0
    config, where, resume = calls[0]
    assert config.learning.learning_rate.bidder == 3e-4
    assert config.network == load_config("smoke").network
    assert (where, resume) == (run_dir, False)
    assert load_config(run_dir / "config.yaml") == config


def test_flags_of_every_kind(calls: list[Any], tmp_path: Path) -> None:
    flags = "--network.hidden_sizes 8 4 --stopping.minutes None --stopping.iterations 3 --seed=5"
    more = "--game.options all_pass direct bid_min 80 eights true --evaluation.baselines random"
    assert run("train", "--run", str(tmp_path / "run"), *flags.split(), *more.split()) == 0
    config: TrainConfig = calls[0][0]
    assert config.network.hidden_sizes == (8, 4)
    assert (config.stopping.minutes, config.stopping.iterations, config.seed) == (None, 3, 5)
    assert config.game.options == {"all_pass": "direct", "bid_min": 80, "eights": True}
    assert config.evaluation.baselines == ("random",)


def test_a_run_ends_with_its_table(calls: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train", "smoke", "--run", str(tmp_path / "run")) == 0
    assert capsys.readouterr().out == f"table\nat {tmp_path / 'run' / 'checkpoint'}\n"


def test_a_run_without_a_folder_goes_under_runs(
    calls: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("train", "smoke") == 0
    assert calls[0][1].parent == Path("runs")
    assert calls[0][1].name.startswith("smoke-")
    assert run("train") == 0
    assert calls[1][1].name.startswith("default-")


def test_resume_takes_the_configuration_of_the_run(calls: list[Any], tmp_path: Path) -> None:
    before = TrainConfig(seed=9)
    (tmp_path / "config.yaml").write_text(dump_config(before), encoding="utf-8")
    assert run("train", "--resume", str(tmp_path), "--stopping.minutes", "7") == 0
    config, where, resume = calls[0]
    assert (config.seed, config.stopping.minutes, where, resume) == (9, 7.0, tmp_path, True)
    assert load_config(tmp_path / "config.yaml") == config


def test_what_a_resumed_run_changes_is_told_and_the_old_configuration_kept(
    calls: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = TrainConfig()
    (tmp_path / "config.yaml").write_text(dump_config(before), encoding="utf-8")
    assert run("train", "--resume", str(tmp_path), "--learning.clip", "0.3") == 0
    told = capsys.readouterr().err.splitlines()
    assert "learning.clip: 0.2 -> 0.3" in told
    assert told[-1] == f"the configuration until now is in {tmp_path / 'config-until-000000.yaml'}"
    assert load_config(tmp_path / "config-until-000000.yaml") == before
    assert load_config(tmp_path / "config.yaml") == calls[0][0] != before
    assert run("train", "--resume", str(tmp_path)) == 0
    assert capsys.readouterr().err == ""


def test_a_run_at_its_limit_keeps_its_configuration(calls: list[Any], tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(dump_config(TrainConfig()), encoding="utf-8")
    checkpoint = tmp_path / "checkpoints" / "000007"
    checkpoint.mkdir(parents=True)
    (checkpoint / "training.json").write_text('{"iterations": 7, "seconds": 300.0}', encoding="utf-8")
    written = (tmp_path / "config.yaml").read_bytes()
    assert run("train", "--resume", str(tmp_path), "--learning.clip", "0.3") == 0
    assert (tmp_path / "config.yaml").read_bytes() == written
    assert run("train", "--resume", str(tmp_path), "--learning.clip", "0.3", "--stopping.minutes", "6") == 0
    assert load_config(tmp_path / "config-until-000007.yaml") == TrainConfig()


def test_resume_refuses_to_become_another_run(
    calls: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yaml").write_text(dump_config(TrainConfig()), encoding="utf-8")
    message = mistake(capsys, "train", "--resume", str(tmp_path), "--seed", "1", "--network.hidden_sizes", "8")
    assert message == (
        "baofen: 2 faults in the configuration:\n"
        "  command line: seed: cannot change when a run is resumed (given 1)\n"
        '  command line: network: cannot change when a run is resumed (given {"hidden_sizes": [8]})\n'
    )
    assert calls == []


def test_help_shows_the_values_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train", "ppo-smoke", "--help") == 0
    out, err = capsys.readouterr()
    assert "Units of each hidden layer. (default: 64 64)" in out
    assert err == ""


def test_every_faulty_flag_stands_in_one_report(capsys: pytest.CaptureFixture[str]) -> None:
    flags = "--seed x --learning.clip 3 --network.hidden_sizes 3 y -2 --stopping.minutes None"
    more = "--stopping.iterations None --sampling.inference_precision fp6"
    assert mistake(capsys, "train", "smoke", *flags.split(), *more.split()) == (
        "baofen: 6 faults in the configuration:\n"
        '  command line: seed: input should be a valid integer (given "x")\n'
        '  command line: network.hidden_sizes[1]: input should be a valid integer (given "y")\n'
        "  command line: network.hidden_sizes[2]: input should be greater than or equal to 1 (given -2)\n"
        "  command line: sampling.inference_precision: "
        "input should be 'auto', 'fp32', 'fp32-medium' or 'bf16' (given \"fp6\")\n"
        "  command line: learning.clip: input should be less than 1 (given 3)\n"
        "  command line: stopping: set at least one of minutes, iterations, decisions\n"
    )


def test_a_mistyped_flag_or_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--learning.clip" in mistake(capsys, "train", "--learning.clp", "0.3")
    assert "train" in mistake(capsys, "trian")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["train", "smok"],
            "smok: no such configuration; did you mean 'smoke'? (a file is given as FILE.yaml)",
        ),
        (
            ["train", "--run", "x", "smoke"],
            "CONFIG comes right after train, as in `baofen train smoke --seed 1`",
        ),
        (["train", "--resume", "absent"], "absent is not a run folder: it has no config.yaml"),
        (["train", "smoke", "--resume", "x"], "give CONFIG or --resume, not both"),
    ],
)
def test_other_mistakes(words: list[str], message: str, calls: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert message in mistake(capsys, *words)
    assert calls == []


def test_a_used_folder_is_not_overwritten(calls: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert "is not empty" in mistake(capsys, "train", "--run", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert calls == []


WITHOUT_TORCH = """
import sys
class Absent:
    def find_spec(self, name, *places):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Absent())
from baofen.training import cli
cli.main(sys.argv[1:])
"""


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    words = [sys.executable, "-c", WITHOUT_TORCH, "train", "--run", str(tmp_path / "run")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "baofen: training needs torch; install it with: pip install 'baofen[train]'\n"
    assert not (tmp_path / "run").exists()


def test_replay_wants_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert mistake(capsys, "replay", "absent.jsonl") == "baofen: absent.jsonl: no such file\n"


def test_replay_leaves_with_the_code_of_the_check(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    records = types.ModuleType("baofen.envs.records")
    vars(records)["replay_main"] = lambda file, show: 1 if show else 0
    monkeypatch.setitem(sys.modules, "baofen.envs.records", records)
    file = tmp_path / "games.jsonl"
    file.write_text("")
    assert (run("replay", str(file)), run("replay", str(file), "--show")) == (0, 1)


@pytest.mark.parametrize(
    "words",
    [
        "bench random --deals x",
        "bench random --workers 1.5",
        "bids heuristic --seed x",
        "par --deals x --out par.npz",
        "speed --seconds soon",
    ],
)
def test_a_word_where_a_number_should_be(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    flag = next(word for word in words.split() if word.startswith("--"))
    assert flag in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--game.rules suzho", "game: unknown rules 'suzho': there are suzhou, exposure, hongwu"),
        ("--game.options bid_min 83", "game: option 'bid_min' must be a whole number"),
    ],
)
def test_rules_that_do_not_exist_leave_no_folder(
    words: str, message: str, calls: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("train", "smoke", *words.split(), "--run", str(tmp_path / "run")) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    assert calls == []
