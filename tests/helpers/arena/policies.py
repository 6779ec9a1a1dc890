"""Exported policies to load: networks of one small layer, as they are before any learning."""

from pathlib import Path
from typing import Any

from baofen.agents.policy.mlp import RoleNetwork
from baofen.envs.core.dtypes import ROLES
from baofen.training.config import GameConfig, NetworkConfig, TrainConfig
from baofen.training.run.export import export_policy
from baofen.training.selfplay.baofen_game import baofen_game

HIDDEN = (8,)


def write_policy(folder: Path, **game: Any) -> Path:
    """Write a policy as training exports it, into a folder that is made if need be; `game` as in a configuration."""
    config = TrainConfig(network=NetworkConfig(hidden_sizes=HIDDEN), game=GameConfig(**game))
    played = baofen_game(config)
    shape = (played.observation_size, played.num_actions, HIDDEN, played.input_zero, played.input_scale)
    weights = {role: RoleNetwork(*shape).state_dict() for role in ROLES}
    folder.mkdir(exist_ok=True)
    export_policy(folder, weights, played, config, {})
    return folder
