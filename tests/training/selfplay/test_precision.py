"""Which arithmetic `auto` stands for: the quicker one of this processor, decided once for a run."""

import pytest
import torch

from baofen.training.config import TrainConfig
from baofen.training.selfplay import precision
from baofen.training.selfplay.baofen_game import baofen_game
from baofen.training.selfplay.build import algorithm_config


@pytest.fixture(autouse=True)
def decide_anew():
    precision._bf16_pays.cache_clear()
    yield
    precision._bf16_pays.cache_clear()


@pytest.mark.parametrize(
    ("has_it", "fp32", "bf16", "taken"),
    [
        (True, 3.0, 1.0, "bf16"),
        (True, 1.1, 1.0, "fp32-medium"),
        (True, 1.0, 2.0, "fp32-medium"),
        (False, 9.0, 1.0, "fp32-medium"),
    ],
)
def test_auto_takes_bf16_only_where_it_is_clearly_quicker(monkeypatch, has_it, fp32, bf16, taken):
    monkeypatch.setattr(precision, "has_bf16", lambda: has_it)
    monkeypatch.setattr(precision, "_product_seconds", {torch.float32: fp32, torch.bfloat16: bf16}.__getitem__)
    assert precision.resolved("auto") == taken
    assert precision.resolved("fp32") == "fp32"
    assert precision.resolved("bf16") == "bf16"


def test_trying_leaves_the_process_as_it_was():
    before = torch.get_float32_matmul_precision(), torch.get_num_threads()
    assert precision._product_seconds(torch.float32) > 0
    assert (torch.get_float32_matmul_precision(), torch.get_num_threads()) == before


def test_a_run_has_one_arithmetic_in_all_its_processes():
    config = TrainConfig()
    built = algorithm_config(config, baofen_game(config))
    taken = precision.resolved("auto")
    settings = built.settings
    assert (settings.sampling.inference_precision, settings.learning.precision) == (taken, taken) != ("auto", "auto")


def test_what_was_decided_stands_in_the_configuration():
    taken = precision.resolved("auto")
    config = precision.decided(TrainConfig())
    assert (config.sampling.inference_precision, config.learning.precision) == (taken, taken)
    assert precision.decided(config) == config
