"""How fast the game, its environments and training are: `baofen speed`."""

from baofen.training.speed.command import Wanted, speed_main

__all__ = ["Wanted", "speed_main"]
