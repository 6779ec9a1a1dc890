"""Which arithmetic the networks use, and one thread for each process."""

import torch

from baofen.training.config import Precision

BF16: Precision = "bf16"


def resolved(precision: Precision) -> Precision:
    """Return the arithmetic that `auto` stands for on this processor; anything else stays as it is."""
    if precision != "auto":
        return precision
    return BF16 if has_bf16() else "fp32-medium"


def has_bf16() -> bool:
    """Whether the processor multiplies bf16 itself (emulated, it would be slower than fp32)."""
    capabilities = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def apply(precision: Precision) -> None:
    """Set this process up: one thread (two only wait for each other on a busy machine), and how fp32 multiplies."""
    torch.set_num_threads(1)
    # `medium` lets oneDNN take its own kernels instead of a slow path on some processors; where there are matrix
    # units it may round to bf16 inside. It is global to the process, so it is also set back.
    torch.set_float32_matmul_precision("highest" if precision == "fp32" else "medium")
