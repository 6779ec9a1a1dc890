"""Everything that turns an observation into an action. Importing it lets environments find opponents by name."""

from baofen.agents.base import Agent, Views
from baofen.agents.registry import list_agents, make_agent
from baofen.envs.interfaces.opponents import register_resolver

register_resolver(make_agent)

__all__ = ["Agent", "Views", "list_agents", "make_agent"]
