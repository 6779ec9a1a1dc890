"""An AEC environment in which each seat shows up under a name for each role: `seat_2_bidder`, `seat_2_declarer` ..

RLlib fixes which module an agent has for a whole episode. Separate networks for the auction and for play therefore
need separate agents. Every agent of a seat is paid all that the seat wins after the agent's own decisions.
"""

from typing import Any

import numpy as np
from pettingzoo import AECEnv

from baofen.envs.core.dtypes import AUCTION, ROLES
from baofen.envs.observation import OFFSETS


def acting_role(observation: Any) -> int:
    """Return the index in `ROLES` of the observer's role, from uint8 [observation size]."""
    phase = int(np.argmax(observation[OFFSETS["phase"] : OFFSETS["phase"] + 6]))
    if phase <= AUCTION:
        return 0
    return 1 if observation[OFFSETS["declarer"]] else 2  # seats are relative: the first is the observer


class RoleAgents(AECEnv):
    """Wraps an AEC environment of four seats into one of twelve agents."""

    def __init__(self, seats: AECEnv) -> None:
        super().__init__()
        self._seats = seats
        self.metadata = {**seats.metadata, "name": "baofen_by_role"}
        self.render_mode = seats.render_mode
        self.possible_agents = [f"{seat}_{role}" for seat in seats.possible_agents for role in ROLES]

    def observation_space(self, agent: str) -> Any:
        """Return the space of the agent's seat."""
        return self._seats.observation_space(_seat_of(agent))

    def action_space(self, agent: str) -> Any:
        """Return the space of the agent's seat."""
        return self._seats.action_space(_seat_of(agent))

    def observe(self, agent: str) -> Any:
        """Return what the agent's seat may know."""
        return self._seats.observe(_seat_of(agent))

    def render(self) -> Any:
        """Return the table as the wrapped environment shows it."""
        return self._seats.render()

    def close(self) -> None:
        """Close the wrapped environment."""
        self._seats.close()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match."""
        self._seats.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._has_decided = dict.fromkeys(self.agents, False)
        self.agent_selection = self._acting()

    def step(self, action: int | None) -> None:
        """Take the acting agent's decision."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._has_decided[agent] = True
        self._seats.step(action)
        for other in self.agents:
            won = self._seats.rewards.get(_seat_of(other), 0.0) if self._has_decided[other] else 0.0
            self.rewards[other] = float(won)
        self._accumulate_rewards()
        if all(self._seats.terminations.values()):
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._acting()

    def _acting(self) -> str:
        seat = self._seats.agent_selection
        return f"{seat}_{ROLES[acting_role(self._seats.observe(seat)['observation'])]}"


def _seat_of(agent: str) -> str:
    """Return `seat_2` for `seat_2_bidder`."""
    return agent.rpartition("_")[0]
