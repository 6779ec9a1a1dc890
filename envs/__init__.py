"""Baofen as environments: rules, tables, batches, PettingZoo and Gymnasium, game records."""

import gymnasium
import pettingzoo

from baofen.envs import records
from baofen.envs.explain import IllegalAction
from baofen.envs.rules import PRESETS, Rules
from baofen.envs.table import Table
from baofen.envs.vector import MatchStarts, Starts, VectorTables
from baofen.envs.views import Views

__all__ = ["PRESETS", "IllegalAction", "MatchStarts", "Rules", "Starts", "Table", "VectorTables", "Views", "records"]

gymnasium.register(
    id="baofen/Baofen-v0",
    entry_point="baofen.envs.interfaces.by_plays:make_single",
    vector_entry_point="baofen.envs.interfaces.gym_vector:BaofenVectorEnv",
)
pettingzoo.register(
    "aec",
    id="baofen/Baofen-v0",
    entry_point="baofen.envs.baofen_v0:env",
)
