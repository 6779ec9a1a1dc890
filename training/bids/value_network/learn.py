"""Training the value network: plain torch, one thread, the same result every time."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from baofen.agents.bids.value_network import FORMAT, NUM_LAYERS, PARTS, Part, ValueNetwork, arrays_of
from baofen.envs.writing import replacing
from baofen.training.bids.value_network.samples import Samples

HIDDEN_SIZES = (128, 96)
BATCH_ROWS = 1024
EPOCHS = 5
LEARNING_RATE = 2e-3
WEIGHT_DECAY = 1e-2
LEAST_COUNT = 3
"""Outcomes seen fewer times have no output of their own; the nearest one that has stands for them."""


def train_network(
    samples: Samples,
    facts: Mapping[str, Any],
    *,
    seed: int = 0,
    epochs: int = EPOCHS,
    progress: Callable[[str], None] = lambda line: None,
) -> tuple[ValueNetwork, dict[str, NDArray[Any]]]:
    """Train both parts; return the network as it will be read back, and the arrays of its file."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        arrays: dict[str, NDArray[Any]] = {}
        for part in PARTS:
            rows = np.flatnonzero((samples.question > 0) == (part == "defend"))
            trained = _train_part(samples.some(rows), seed, epochs, lambda line, part=part: progress(f"{part}: {line}"))  # type: ignore[misc]
            arrays.update({f"{part}.{name}": array for name, array in trained.items()})
    finally:
        torch.set_num_threads(threads)
    return ValueNetwork({part: Part(arrays_of(part, arrays)) for part in PARTS}, {**facts, "format": FORMAT}), arrays


def save_network(path: Path, network: ValueNetwork, arrays: Mapping[str, NDArray[Any]], **more: Any) -> None:
    """Write the file of a network: its facts, with more of them, and its arrays."""
    facts = np.array(json.dumps({**network.facts, **more}))
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, facts=facts, **arrays)  # type: ignore[arg-type]


def _train_part(samples: Samples, seed: int, epochs: int, progress: Callable[[str], None]) -> dict[str, NDArray[Any]]:
    """Train one part by the likelihood of the outcomes seen."""
    seen = np.bincount(samples.outcomes.ravel(), minlength=256)
    outcomes = np.flatnonzero(seen >= LEAST_COUNT)
    nearest = np.abs(np.arange(256)[:, None] - outcomes[None]).argmin(1)
    labels = torch.from_numpy(nearest[samples.outcomes])
    inputs = torch.from_numpy(samples.inputs)
    mean, scale = _spread(samples.inputs)
    generator = torch.Generator().manual_seed(seed)
    network = _network(len(mean), len(outcomes), generator)
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    steps = epochs * (len(samples) // BATCH_ROWS + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps)
    centre, width = torch.from_numpy(mean), torch.from_numpy(scale)
    for epoch in range(epochs):
        order = torch.randperm(len(samples), generator=generator)
        total = 0.0
        for rows in torch.split(order, BATCH_ROWS):
            logits = functional.log_softmax(network((inputs[rows].float() - centre) / width), 1)
            loss = -logits.gather(1, labels[rows]).mean()
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(rows)
        progress(f"epoch {epoch + 1} of {epochs}, {total / len(samples):.4f} nats a sample")
    arrays: dict[str, NDArray[Any]] = {
        "mean": mean,
        "scale": scale,
        "outcomes": outcomes.astype(np.uint8),
    }
    linear = [layer for layer in network if isinstance(layer, nn.Linear)]
    for index, layer in enumerate(linear):
        arrays[f"weight_{index}"] = layer.weight.detach().numpy().astype(np.float16)
        arrays[f"bias_{index}"] = layer.bias.detach().numpy().astype(np.float16)
    return arrays


def _network(num_inputs: int, num_outputs: int, generator: torch.Generator) -> nn.Sequential:
    sizes = (num_inputs, *HIDDEN_SIZES, num_outputs)
    assert len(sizes) == NUM_LAYERS + 1
    layers: list[nn.Module] = []
    for index in range(NUM_LAYERS):
        layer = nn.Linear(sizes[index], sizes[index + 1])
        if index + 1 < NUM_LAYERS:
            nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu", generator=generator)
        else:
            nn.init.zeros_(layer.weight)
        nn.init.zeros_(layer.bias)
        layers += [layer, nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def _spread(inputs: NDArray[np.float16]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the mean and the standard deviation of each input; 1 where it never changes."""
    mean = inputs.mean(0, dtype=np.float64)
    square = np.mean(np.square(inputs, dtype=np.float32), axis=0, dtype=np.float64)
    deviation = np.sqrt(np.maximum(square - mean**2, 0))
    return mean.astype(np.float32), np.where(deviation > 1e-3, deviation, 1.0).astype(np.float32)
