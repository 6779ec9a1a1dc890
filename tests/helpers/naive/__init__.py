"""The naive twin: a slow, obvious implementation of the rules, to compare the fast one with."""

from naive.cards import Illegal
from naive.game import Game
from naive.match import Match

__all__ = ["Game", "Illegal", "Match"]
