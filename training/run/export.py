"""Writing a trained policy as two plain files that `baofen.agents.policy.agent` plays from."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file

from baofen.agents.policy import FACTS_FILE
from baofen.agents.policy.agent import SUIT_ORDERS_IN_WEIGHTS
from baofen.agents.policy.policy_files import FORMAT, WEIGHTS_FILE
from baofen.envs.core.dtypes import ROLES
from baofen.training.config import TrainConfig
from baofen.training.config.loader import as_plain
from baofen.training.selfplay.tables import Game


def export_policy(
    folder: Path,
    weights: Mapping[str, Mapping[str, Any]],
    game: Game,
    config: TrainConfig,
    progress: Mapping[str, Any],
) -> None:
    """Write `policy.safetensors` and `policy.json` into an existing folder.

    Args:
        folder: where to.
        weights: role -> parameter of `RoleNetwork` -> array.
        game: what was played; the renaming of suits is written with the weights.
        config: of the training run, for the record.
        progress: how far training had come, for the record.
    """
    tensors = {
        f"{role}.{name}": torch.as_tensor(np.asarray(value)).contiguous()
        for role in ROLES
        for name, value in weights[role].items()
    }
    renames = bool(game.suits.changes.any())
    if renames:
        orders = (game.suits.observation, game.suits.action)
        tensors |= {
            key: torch.from_numpy(order).contiguous() for key, order in zip(SUIT_ORDERS_IN_WEIGHTS, orders, strict=True)
        }
    save_file(tensors, folder / WEIGHTS_FILE)
    facts = {
        "format": FORMAT,
        "architecture": {"kind": "mlp", "hidden_sizes": list(config.network.hidden_sizes)},
        "roles": list(ROLES),
        "rules": game.facts.get("rules"),
        "options": game.facts.get("options", {}),
        "observation": {"size": game.observation_size, "layout": game.facts.get("observation_layout")},
        "num_actions": game.num_actions,
        "suits_renamed": renames,
        "value_unit_points": config.learning.return_scale_points,
        "progress": dict(progress),
        "config": as_plain(config),
    }
    (folder / FACTS_FILE).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
