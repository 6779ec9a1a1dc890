"""Everything that turns an observation into an action."""

from baofen.agents.base import Agent, Views
from baofen.agents.registry import list_agents, make_agent

__all__ = ["Agent", "Views", "list_agents", "make_agent"]
