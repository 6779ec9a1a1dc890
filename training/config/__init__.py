"""The configuration of a training run: typed sections, and YAML that says only what differs."""

from baofen.training.config.faults import ConfigError, ConfigFault
from baofen.training.config.loader import config_names, dump_config, load_config, loads
from baofen.training.config.sections import (
    CheckpointsConfig,
    EntropyConfig,
    EvaluationConfig,
    GameConfig,
    LeagueConfig,
    LearningConfig,
    NetworkConfig,
    PlaysConfig,
    Precision,
    RoleShares,
    RoleValues,
    SamplingConfig,
    StartsConfig,
    StoppingConfig,
)
from baofen.training.config.train import TrainConfig

__all__ = [
    "CheckpointsConfig",
    "ConfigError",
    "ConfigFault",
    "EntropyConfig",
    "EvaluationConfig",
    "GameConfig",
    "LeagueConfig",
    "LearningConfig",
    "NetworkConfig",
    "PlaysConfig",
    "Precision",
    "RoleShares",
    "RoleValues",
    "SamplingConfig",
    "StartsConfig",
    "StoppingConfig",
    "TrainConfig",
    "config_names",
    "dump_config",
    "load_config",
    "loads",
]
