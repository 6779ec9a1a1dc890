"""The measurement of training speed itself."""

import pytest

from baofen.training.speed_train import plain_rate, train_rate


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*Overriding environment")
def test_training_is_many_times_quicker_than_plain_rllib() -> None:
    """The bar is 15; a machine without quick bf16 whose other core is busy gets some slack."""
    assert train_rate(iterations=1).per_cpu_second > 7 * plain_rate(iterations=1).per_cpu_second
