"""Baofen, a two-pack card game of one against three, to train, benchmark and understand agents.

The rooms are `baofen.envs`, `baofen.agents`, `baofen.training` and `baofen.configs`; nothing of them is imported here.
"""

from os import path as _path

__version__ = "0.1.0"

_ROOMS = "envs", "agents", "training", "configs"
if _path.islink(_path.join(__path__[0], _ROOMS[0])):
    # In a checkout the rooms beside this file are links, for checkers. Modules are to have the names of their own files.
    __path__ = [_path.dirname(_path.realpath(_path.join(__path__[0], _ROOMS[0])))]
