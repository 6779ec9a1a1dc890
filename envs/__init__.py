"""Baofen as environments: rules, tables, batches, PettingZoo and Gymnasium, game records."""

from baofen.envs.explain import IllegalAction
from baofen.envs.rules import PRESETS, Rules
from baofen.envs.table import Table
from baofen.envs.vector import Starts, VectorTables
from baofen.envs.views import Views

__all__ = ["PRESETS", "IllegalAction", "Rules", "Starts", "Table", "VectorTables", "Views"]
