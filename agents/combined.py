"""`BIDDER/PLAYER`: one agent speaks in the auction and exposes, another names trump, buries and plays."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Agent, Views, needs_observation
from baofen.envs.core.dtypes import AUCTION


class CombinedAgent:
    """Two agents as one: `bidder` until there is a declarer, `player` from then on."""

    def __init__(self, bidder: Agent, player: Agent) -> None:
        self.name = f"{bidder.name}/{player.name}"
        self.cheats = bidder.cheats or player.cheats
        self.needs_observation = needs_observation(bidder) or needs_observation(player)
        self.bidder = bidder
        self.player = player

    def reset(self, num_tables: int, seed: int) -> None:
        """Start both anew."""
        self.bidder.reset(num_tables, seed)
        self.player.reset(num_tables, seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
        bids = views.state["phase"] <= AUCTION
        actions = np.empty(len(bids), np.int64)
        for agent, rows in ((self.bidder, np.flatnonzero(bids)), (self.player, np.flatnonzero(~bids))):
            if len(rows):
                actions[rows] = agent.act(views if len(rows) == len(bids) else some_views(views, rows))
        return actions


def some_views(views: Views, rows: NDArray[np.int64]) -> Views:
    """Return the views of some rows."""
    parts: dict[str, Any] = {
        field.name: getattr(views, field.name)[rows] for field in dataclasses.fields(views) if field.name != "rules"
    }
    return dataclasses.replace(views, **parts)
