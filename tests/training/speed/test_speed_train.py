"""A smoke test of the measurement of training speed: both sides run, and ours has not become many times slower."""

import statistics

import pytest

from baofen.training.speed.train_rate import plain_rate, train_rate

BAR = 7
"""The aim is 15 (`baofen speed --layers train_cpu,train_plain_cpu`). Half of it is asked here, where a round is one
iteration, other tests may keep the other core busy, and the machine may have no quick bf16."""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*Overriding environment")
def test_training_is_still_many_times_quicker_than_plain_rllib() -> None:
    ours, plain = [], []
    for _ in range(2):
        ours.append(train_rate(iterations=1).per_cpu_second)
        plain.append(plain_rate(iterations=1).per_cpu_second)
    assert statistics.median(ours) > BAR * statistics.median(plain), (ours, plain)
