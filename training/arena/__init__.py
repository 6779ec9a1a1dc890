"""The arena: agents against each other on the same deals, with intervals that deal luck cannot fool."""

from typing import Literal

Contracts = Literal["auction", "fixed"]
"""Whether the agents call, or play contracts that the reference has fixed."""
Split = Literal["dev", "holdout", "final"]
"""Which deals: to try things, to choose between settings, for figures that are published."""
