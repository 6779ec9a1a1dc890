"""How fast the game, its environments and training are: `baofen speed`."""

from baofen.training.speed.command import speed_main

__all__ = ["speed_main"]
