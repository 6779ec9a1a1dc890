"""The offset test's other bidder: an agent that calls as if every price were some points lower or higher."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents import Agent
from baofen.envs.actions import CALL_MIN, CALL_STEP, PASS
from baofen.envs.rules import Rules
from baofen.envs.views import copy_rows
from baofen.training.arena.play import ask
from baofen.training.bids.auction_kernels import update_legal_all
from baofen.training.bids.judging.ladder import Ladders


def shifted_decisions(ladders: Ladders, agent: Agent, points: int) -> NDArray[np.bool_]:
    """Return at which rungs the agent would call if it stood for so many points more (less if negative), bool [m].

    It is shown the auction with all calls that much lower. There are no calls below 70, so that where prices are that
    low the shift is smaller.
    """
    calls = np.zeros(len(ladders.state), np.bool_)
    opens = ladders.state["last_call"] == 0
    for rows, rules in ((~opens, ladders.rules), (opens, _shifted_rules(ladders.rules, points))):
        state: Any = copy_rows(ladders.state, rows)
        if not len(state):
            continue
        least, most = CALL_MIN - CALL_STEP, ladders.rules.number("bid_max") - CALL_STEP
        for name in ("last_call", "calls"):
            state[name] = np.where(state[name] > 0, (state[name] - points).clip(least, most), 0)
        update_legal_all(state, rules.record)
        agent.reset(len(state), 0)
        calls[rows] = ask(agent, rules, state, np.arange(len(state))).actions != PASS
    top = ladders.state["last_call"] + ladders.rules.number("bid_step") <= ladders.rules.number("bid_max")
    return calls & top


def _shifted_rules(rules: Rules, points: int) -> Rules:
    """Return the rules with the first call of a deal cheaper by some points, as far as there are such calls."""
    low, most = rules.number("bid_min"), rules.number("opening_max")
    new_low = min(max(low - points, CALL_MIN), rules.number("bid_max"))
    new_most = min(max(most - points, new_low), rules.number("bid_max"))
    return Rules(rules.preset, {**rules.options, "bid_min": new_low, "opening_max": new_most})
