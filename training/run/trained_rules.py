"""Telling the user that a policy was trained on other rules than those it is to play.

Only a command knows what rules its user means. What an agent meets inside the arena may be a device of its own: fixed
contracts force the first caller, and `bids` shows auctions with other prices.
"""

import sys
from collections.abc import Iterable

from baofen.agents import Agent
from baofen.agents.combined import CombinedAgent
from baofen.envs.rules import Rules

TrainedOn = tuple[tuple[str, Rules], ...]


def trained_on(agent: Agent) -> TrainedOn:
    """Return each policy in an agent, by its name and the rules of its training."""
    if isinstance(agent, CombinedAgent):
        return trained_on(agent.bidder) + trained_on(agent.player)
    rules = getattr(agent, "trained_on", None)
    return ((agent.name, rules),) if isinstance(rules, Rules) else ()


def tell_other_rules(policies: Iterable[tuple[str, Rules]], playing: Rules) -> None:
    """Say on stderr which policies were trained on other rules, each once."""
    for name, rules in dict.fromkeys(policies):
        if rules != playing:
            print(f"note: {name} was trained on rules {_words(rules)}, and plays {_words(playing)}", file=sys.stderr)


def _words(rules: Rules) -> str:
    """Return a preset, and the house rules if there are any."""
    options = ", ".join(f"{name}={value}" for name, value in sorted(rules.options.items()))
    return repr(rules.preset) + (f" with {options}" if options else "")
