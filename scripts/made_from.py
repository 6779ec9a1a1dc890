"""What generated files were made from: how a file that takes long is known to be stale, without making it anew.

Noted in `made_from.json`, by file: the switches of its presets and their defaults, a digest of what the reference player
does in them (its plays and what they bring, so also of the rules), and the settings of the recipe. Sources are not part
of it: a file is not stale because a comment was written.
"""

import hashlib
import json
import re
from collections.abc import Callable
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from baofen.agents.bids.reference import reference_name
from baofen.agents.registry import HEURISTIC_V1, make_agent
from baofen.envs import VectorTables
from baofen.envs.core.dtypes import OVER
from baofen.envs.rules import PRESETS
from baofen.envs.writing import replace_text

NOTES = Path(__file__).with_name("made_from.json")
NUMBER = re.compile(r"[-+]?\d+\.\d+")
DEALS = {"suzhou": 40_000, "exposure": 24_000, "hongwu": 24_000}
"""Deals that the value network of each preset that has one is trained on."""
PAR = {"deals": 10_000, "playouts": 8, "seed": 0}
NUM_TABLES = 32


def switches(preset: str) -> dict[str, Any]:
    """Return the switches of a preset with their defaults."""
    return dict(PRESETS[preset].switches)


def plays(preset: str) -> str:
    """Return a digest of whole deals by the frozen heuristic: actions and rewards."""
    tables = VectorTables(NUM_TABLES, preset, seed=1, auto_reset=False)
    agent = make_agent(HEURISTIC_V1)
    agent.reset(NUM_TABLES, 0)
    seen = hashlib.sha256()
    actions = np.zeros(NUM_TABLES, np.int64)
    while (rows := np.flatnonzero(tables.phase != OVER)).size:
        actions[rows] = agent.act(tables.views(rows))
        rewards, _ = tables.step(actions)
        seen.update(actions[rows].astype(np.int16).tobytes() + rewards.astype(np.int32).tobytes())
    return seen.hexdigest()[:16]


def recipe(preset: str) -> dict[str, dict[str, Any]]:
    """Return the settings that a value network is made with."""
    from baofen.training.bids.auction_deals import POT_PERCENT
    from baofen.training.bids.make import ROUNDS_OF_DATA
    from baofen.training.bids.value_network import fit, learn, samples

    return {
        "deals": {"deals": DEALS[preset], "test_deals": 10_000, "fit_deals": 2_000, "seed": 0},
        "samples": {
            "rounds": ROUNDS_OF_DATA,
            "pot_percent": POT_PERCENT,
            "playouts": samples.PLAYOUTS,
            "table_mood_points": samples.TABLE_MOOD_POINTS,
            "seat_mood_points": samples.SEAT_MOOD_POINTS,
        },
        "learning": {
            "hidden_sizes": list(learn.HIDDEN_SIZES),
            "batch_rows": learn.BATCH_ROWS,
            "epochs": learn.EPOCHS,
            "learning_rate": learn.LEARNING_RATE,
            "weight_decay": learn.WEIGHT_DECAY,
            "least_count": learn.LEAST_COUNT,
        },
        "fitting": {
            "playouts": fit.PLAYOUTS,
            "ridge": fit.RIDGE,
            "off_path_weight": fit.OFF_PATH_WEIGHT,
            "shifts": [float(fit.SHIFTS.min()), float(fit.SHIFTS.max()), len(fit.SHIFTS)],
        },
    }


def _of_rules(preset: str) -> dict[str, Any]:
    return {"switches": switches(preset), HEURISTIC_V1: plays(preset)}


def _of_values(preset: str) -> dict[str, Any]:
    return {**_of_rules(preset), "reference": reference_name(), "recipe": recipe(preset)}


def _of_speed() -> dict[str, Any]:
    from baofen.training.speed.layers import LAYERS
    from baofen.training.speed.measure import REPEATS, SECONDS

    layers = {name: f"{layer.meaning}, {layer.unit}" for name, layer in LAYERS.items()}
    return {**_of_rules("suzhou"), "repeats": REPEATS, "seconds": SECONDS, "layers": layers}


TODAY: dict[str, Callable[[], Any]] = {
    **{f"agents/bids/values-{preset}.npz": partial(_of_values, preset) for preset in DEALS},
    "training/bids/par/par-suzhou-v1.npz": lambda: {
        **_of_rules("suzhou"),
        "reference": reference_name(),
        "recipe": PAR,
    },
    "docs/speed.md": _of_speed,
}
"""File -> what it would be made from today."""


def noted() -> dict[str, Any]:
    """Return what each file was made from."""
    notes: dict[str, Any] = json.loads(NOTES.read_text(encoding="utf-8"))
    return notes


def note(file: str) -> None:
    """Note that a file was made now."""
    notes = {**(noted() if NOTES.exists() else {}), file: TODAY[file]()}
    replace_text(NOTES, json.dumps({name: notes[name] for name in TODAY if name in notes}, indent=1) + "\n")


def differences(before: Any, now: Any, name: str = "") -> list[str]:
    """Return what a file was made from that is otherwise today, a line each; what came new beside it changes nothing.

    >>> differences({"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 3, "d": 4}})
    ['b.c was 2, is 3']
    """
    if isinstance(before, dict) and isinstance(now, dict):
        return [
            line
            for key, value in before.items()
            for line in differences(value, now.get(key), f"{name}.{key}" if name else key)
        ]
    return [] if before == now else [f"{name} was {before!r}, is {now!r}"]


def is_same(file: str, before: str | None, now: str) -> bool:
    """Return whether a text is what is on file; in notebooks, decimals may differ by one in the last place.

    Notebooks print what a network computes, and processors round its sums differently.
    """
    if before is None or not file.endswith(".ipynb"):
        return before == now
    if NUMBER.sub("", before) != NUMBER.sub("", now):
        return False
    pairs = zip_longest(NUMBER.findall(before), NUMBER.findall(now), fillvalue="nan")
    return all(abs(float(one) - float(other)) < 1.5 * 10.0 ** -len(one.partition(".")[2]) for one, other in pairs)
