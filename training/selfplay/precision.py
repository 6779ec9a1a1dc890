"""Which arithmetic the networks use, and how many threads of a process."""

import time
from dataclasses import replace
from functools import cache

import torch

from baofen.training.config import Precision, TrainConfig

BF16: Precision = "bf16"


QUICKER = 1.2
"""How many times as quick as fp32 bf16 must be to be taken: a narrow win would change with the weather."""
PROBE_ROWS, PROBE_UNITS, PROBE_REPEATS = 512, 512, 9


def resolved(precision: Precision) -> Precision:
    """Return the arithmetic that `auto` stands for on this processor; anything else stays as it is."""
    if precision != "auto":
        return precision
    return BF16 if _bf16_pays() else "fp32-medium"


def decided(config: TrainConfig) -> TrainConfig:
    """Return a configuration in which no arithmetic is left to be chosen: a run keeps it, also when it is resumed."""
    return replace(
        config,
        sampling=replace(config.sampling, inference_precision=resolved(config.sampling.inference_precision)),
        learning=replace(config.learning, precision=resolved(config.learning.precision)),
    )


@cache
def _bf16_pays() -> bool:
    """Whether bf16 is the quicker arithmetic here, by trying both: some processors that have it are slower with it."""
    return has_bf16() and _product_seconds(torch.float32) > QUICKER * _product_seconds(torch.bfloat16)


def _product_seconds(dtype: torch.dtype) -> float:
    """Return CPU-seconds of a product of matrices as networks have them, the least of some."""
    before = torch.get_float32_matmul_precision(), torch.get_num_threads()
    apply("fp32-medium")
    rows, weight = torch.ones(PROBE_ROWS, PROBE_UNITS, dtype=dtype), torch.ones(PROBE_UNITS, PROBE_UNITS, dtype=dtype)
    try:
        return min(_timed(rows, weight) for _ in range(PROBE_REPEATS))
    finally:
        torch.set_float32_matmul_precision(before[0])
        torch.set_num_threads(before[1])


def _timed(rows: torch.Tensor, weight: torch.Tensor) -> float:
    started = time.thread_time()
    torch.nn.functional.linear(rows, weight)
    return time.thread_time() - started


def has_bf16() -> bool:
    """Whether the processor multiplies bf16 itself (emulated, it would surely be slower than fp32)."""
    capabilities = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def apply(precision: Precision, threads: int = 1) -> None:
    """Set this process up: threads (more than one only wait for each other on a busy machine), how fp32 multiplies."""
    torch.set_num_threads(threads)
    # `medium` lets oneDNN take its own kernels instead of a slow path on some processors; where there are matrix
    # units it may round to bf16 inside. It is global to the process, so it is also set back.
    torch.set_float32_matmul_precision("highest" if precision == "fp32" else "medium")
