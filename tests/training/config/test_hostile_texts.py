"""Configurations that would take for ever to read, or more memory than there is, are refused at once."""

from pathlib import Path

import pytest

from baofen.agents.policy import policy_files
from baofen.training.config import sections
from baofen.training.config.faults import ConfigError
from baofen.training.config.loader import load_config, loads

BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BOMB, "more than 10000 values, those that stand for others counted each time"),
        ("seed: [" + "1," * 20_000 + "1]", "more than 10000 values"),
        ("seed: [" + "1," * 2_000_000 + "1]", "longer than 100000 characters"),
        ("seed: " + "1" * 5_000, r"seed: input should be a valid integer \(given \"1{56}"),
        ("network: {hidden_sizes: [" + "1," * 200 + "1]}", "network.hidden_sizes: takes at most 64"),
        ("[" * 5_000, "nested deeper than 20 levels"),
    ],
)
def test_what_would_grow_is_refused_in_a_line(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence) as refused:
        loads(text, "theirs.yaml")
    assert len(str(refused.value)) < 300


def test_a_file_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(ConfigError, match="longer than 100000 characters"):
        load_config(Path("/dev/zero"))


def test_agents_read_as_many_layers_as_training_makes() -> None:
    assert sections.MAX_HIDDEN_LAYERS == policy_files.MAX_HIDDEN_LAYERS
