"""The value network without torch: from what a bidder sees to the distribution of outcomes. Numpy only.

A file (npz) for each preset holds `facts` (JSON) and, for each of the parts `declare` and `defend`, the inputs' mean
and scale, the layers' weights and biases, and the outcomes that its outputs stand for. It is written by
`training.bids.learn`.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.bids.inputs import DECLARE, NUM_INPUTS, write_all_inputs
from baofen.agents.bids.outcome_codes import NUM_OUTCOMES
from baofen.envs.rules import Rules

FORMAT = "baofen-bid-values/1"
PARTS = ("declare", "defend")
NUM_LAYERS = 3
ANY_SUIT = 0


class ValueFileError(ValueError):
    """A file that holds no value network, with the reason."""


class Part:
    """One multi-layer perceptron with a softmax over outcomes."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take the arrays `mean`, `scale` [inputs], `weight_i`, `bias_i` and `outcomes` (uint8)."""
        self.outcomes = arrays["outcomes"].astype(np.int64)
        weights = [arrays[f"weight_{layer}"].astype(np.float32) for layer in range(NUM_LAYERS)]
        biases = [arrays[f"bias_{layer}"].astype(np.float32) for layer in range(NUM_LAYERS)]
        weights[0] /= arrays["scale"].astype(np.float32)
        biases[0] = biases[0] - weights[0] @ arrays["mean"].astype(np.float32)
        self._layers = [(weight.T.copy(), bias) for weight, bias in zip(weights, biases, strict=True)]

    def __call__(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the chance of each outcome, float [n, 256]."""
        x = inputs
        for weight, bias in self._layers[:-1]:
            x = np.maximum(x @ weight + bias, 0)
        weight, bias = self._layers[-1]
        logits = x @ weight + bias
        chances = np.exp(logits - logits.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        out = np.zeros((len(inputs), NUM_OUTCOMES), np.float32)
        out[:, self.outcomes] = chances
        return out


class ValueNetwork:
    """Predicts how contracts come out, for the acting seats of tables in the auction."""

    def __init__(self, parts: Mapping[str, Part], facts: Mapping[str, Any]) -> None:
        self.facts = facts
        self._parts = parts

    def predict(
        self,
        state: NDArray[np.void],
        rules: Rules,
        question: int | NDArray[np.int8] = DECLARE,
        given: int | NDArray[np.int8] = ANY_SUIT,
    ) -> NDArray[np.float32]:
        """Return the chance of each outcome for tables [n], float [n, 256]; questions are those of `inputs`.

        All questions must be about declaring oneself, or all about others.
        """
        return self.chances(read_inputs(state, rules, question, given), defends=bool(np.max(question) > 0))

    def chances(self, inputs: NDArray[np.float32], *, defends: bool) -> NDArray[np.float32]:
        """Return the chance of each outcome for inputs that were read before, float [n, 256]."""
        return self._parts["defend" if defends else "declare"](inputs)


def read_inputs(
    state: NDArray[np.void], rules: Rules, question: int | NDArray[np.int8], given: int | NDArray[np.int8] = ANY_SUIT
) -> NDArray[np.float32]:
    """Return the inputs of the acting seats, float32 [n, NUM_INPUTS]."""
    tables: Any = np.ascontiguousarray(state)
    questions, suits = (np.broadcast_to(np.asarray(value, np.int8), len(tables)).copy() for value in (question, given))
    rows = np.empty((len(tables), NUM_INPUTS), np.float32)
    write_all_inputs(tables, rules.record, questions, suits, rows)
    return rows


def value_file(rules: Rules) -> Path:
    """Return the shipped file for a preset; with other switches it is a good guess."""
    return Path(__file__).with_name(f"values-{rules.preset}.npz")


@lru_cache(maxsize=8)
def load_network(path: Path) -> ValueNetwork:
    """Read a network.

    Raises:
        ValueFileError: if the file holds none.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            facts = json.loads(str(file["facts"]))
            arrays = {name: file[name] for name in file.files if name != "facts"}
    except (OSError, ValueError, KeyError) as error:
        raise ValueFileError(f"{path} holds no value network: {error}") from None
    if facts.get("format") != FORMAT:
        raise ValueFileError(f"{path}: not a value network of format {FORMAT}")
    return ValueNetwork({part: Part(arrays_of(part, arrays)) for part in PARTS}, facts)


def arrays_of(part: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a part, by their names in it."""
    prefix = part + "."
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
