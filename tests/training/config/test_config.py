"""The configuration: what files may say, and what is told when they say something else."""

import dataclasses
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from baofen import training as training_package
from baofen.training.config import (
    ConfigError,
    GameConfig,
    LearningConfig,
    NetworkConfig,
    RoleShares,
    RoleValues,
    StoppingConfig,
    TrainConfig,
    config_names,
    dump_config,
    load_config,
    loads,
)

MANY_FAULTS = """\
seed: -1
learning:
  clip: x
  lerning_rate: 3
  clip: 2
  learning_rate: {bidder: 3e-4, dealer: 2}
network: {hidden_sizes: [1, -2, a]}
game: {options: {all_pass: null, joker_tractor: high}}
stopping: {minutes: null}
evaluation: {baselines: random}
sampling: 4
stoping: {minutes: 1}
"""

MANY_FAULTS_REPORT = """\
12 faults in the configuration:
  bad.yaml: learning.clip: stands twice, in lines 3 and 5
  bad.yaml: seed: input should be greater than or equal to 0 (given -1)
  bad.yaml: game.options.all_pass: input should be a valid boolean, or a valid integer, or a valid string (given null)
  bad.yaml: network.hidden_sizes[1]: input should be greater than or equal to 1 (given -2)
  bad.yaml: network.hidden_sizes[2]: input should be a valid integer (given "a")
  bad.yaml: sampling: takes keys with values (given 4)
  bad.yaml: learning.learning_rate.dealer: unknown key; did you mean 'declarer'? (given 2)
  bad.yaml: learning.clip: input should be a valid number (given "x")
  bad.yaml: learning.lerning_rate: unknown key; did you mean 'learning_rate'? (given 3)
  bad.yaml: stopping: set at least one of minutes, iterations, decisions
  bad.yaml: evaluation.baselines: takes a list (given "random")
  bad.yaml: stoping: unknown key; did you mean 'stopping'? (given {"minutes": 1})"""

SINGLE_FAULTS = {
    "learning: [": "line 1, column 12: expected the node content, but found '<stream end>'",
    "- 1": "takes keys with values (given [1])",
    "network: &loop {hidden_sizes: *loop}": "nested deeper than 20 levels",
    "? [seed]\n: 1": "line 1: a key must be a word",
    "seed: 1\n---\nseed: 2": "line 2, column 1: but found another document",
    "seed: true": "seed: input should be a valid integer (given true)",
    "seed: '3'": 'seed: input should be a valid integer (given "3")',
    "stopping: {decisions: 1e7}": "stopping.decisions: input should be a valid integer (given 10000000.0)",
    "stopping: {minutes: 0}": "stopping.minutes: input should be greater than 0 (given 0)",
    "network: {hidden_sizes: []}": "network.hidden_sizes: takes at least 1 (given [])",
    "learning: {clip: .nan}": "learning.clip: input should be a finite number (given NaN)",
    "learning: {minibatch_decisions: 70000}": (
        "learning.minibatch_decisions (70000) is more than sampling.decisions_per_iteration (65536)"
    ),
    "sampling: {inference_precision: fp16}": (
        "sampling.inference_precision: input should be 'auto', 'fp32', 'fp32-medium' or 'bf16' (given \"fp16\")"
    ),
}


def report(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        loads(text, "bad.yaml")
    return str(caught.value)


def test_every_fault_of_a_file_stands_in_one_report() -> None:
    assert report(MANY_FAULTS) == MANY_FAULTS_REPORT


@pytest.mark.parametrize("text", SINGLE_FAULTS)
def test_message_of_one_fault(text: str) -> None:
    assert report(text) == f"one fault in the configuration:\n  bad.yaml: {SINGLE_FAULTS[text]}"


def test_a_number_in_scientific_notation_is_a_number() -> None:
    assert loads("learning: {learning_rate: {bidder: 3e-4}}").learning.learning_rate.bidder == 3e-4


def test_a_file_says_only_what_differs() -> None:
    config = loads("learning: {learning_rate: {bidder: 0.5}}\nnetwork:\n  # nothing yet\n")
    assert config == dataclasses.replace(
        TrainConfig(),
        learning=LearningConfig(learning_rate=dataclasses.replace(TrainConfig().learning.learning_rate, bidder=0.5)),
    )
    assert loads("") == TrainConfig()


def test_words_that_older_yaml_takes_for_something_else() -> None:
    options = loads("game: {options: {a: on, b: no, c: 010, d: 2026-01-01, e: true, f: '5'}}").game.options
    assert options == {"a": "on", "b": "no", "c": 10, "d": "2026-01-01", "e": True, "f": "5"}


@pytest.mark.parametrize(
    "config",
    [
        TrainConfig(),
        TrainConfig(
            game=GameConfig(
                options={"throw_penalty_to": "on", "bid_min": 80, "late": True, "word": "3e-4", "no": "null"}
            ),
            network=NetworkConfig(hidden_sizes=(7,)),
            stopping=StoppingConfig(minutes=None, decisions=1),
        ),
        *map(load_config, config_names()),
    ],
)
def test_a_dumped_config_is_read_back_equal(config: TrainConfig) -> None:
    assert loads(dump_config(config)) == config


def test_a_config_is_a_value() -> None:
    config = TrainConfig()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.seed = 3  # type: ignore[misc]
    with pytest.raises(ValidationError):
        LearningConfig(clip=-1.0)


def test_every_field_has_a_sentence() -> None:
    def missing(schema: type, path: str = "") -> list[str]:
        found = []
        for name, field in schema.__pydantic_fields__.items():  # type: ignore[attr-defined]
            inner = field.annotation
            if hasattr(inner, "__pydantic_fields__"):
                found += missing(inner, f"{path}{name}.")
            elif not field.description:
                found.append(path + name)
        return found

    assert missing(TrainConfig) == []


def test_smoke_is_a_whole_run_in_miniature() -> None:
    smoke = load_config("smoke")
    assert smoke.stopping.iterations is not None
    assert smoke.stopping.iterations // smoke.checkpoints.every_iterations >= 2


def test_a_file_is_found_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("seed: 4", encoding="utf-8")
    assert load_config(str(path)).seed == load_config(path).seed == 4


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("smok", "smok: no such configuration; did you mean 'smoke'? (a file is given as FILE.yaml)"),
        (
            "xyz",
            "xyz: no such configuration; known are exposure, hongwu, ppo, ppo-smoke, smoke, suzhou (a file is given as FILE.yaml)",
        ),
        ("absent.yaml", "absent.yaml: no such file or directory"),
        ("./", ".: is a directory"),
    ],
)
def test_a_config_that_is_not_there(name: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(name)
    assert str(caught.value) == f"one fault in the configuration:\n  {message}"


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "bytes.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not a text file"):
        load_config(path)


def test_every_field_is_read_by_what_trains() -> None:
    """A field that nothing reads would be taken, written down and ignored."""
    training = Path(training_package.__file__ or "").parent
    readers = [path for path in training.rglob("*.py") if path.parent.name not in ("config", "examples")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in readers)

    def unread(schema: type) -> list[str]:
        found = []
        for name, field in schema.__pydantic_fields__.items():  # type: ignore[attr-defined]
            if not re.search(rf"\.{name}\b", text):
                found.append(name)
            if hasattr(field.annotation, "__pydantic_fields__") and field.annotation not in (RoleValues, RoleShares):
                found += unread(field.annotation)
        return found

    assert unread(TrainConfig) == []
