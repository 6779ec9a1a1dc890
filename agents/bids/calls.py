"""The calls that a table in the auction allows, for compiled code."""

from baofen.agents.heuristic_v1.choose_call import CALL_WORDS
from baofen.envs.actions import COMMIT, PASS
from baofen.envs.core.bits import lowest
from baofen.envs.core.kernel import kernel


@kernel
def lowest_call(table):
    """Return the action of the lowest call that the acting seat may make, the pass if it may make none."""
    calls = table.legal_words & CALL_WORDS
    return PASS if calls == 0 else COMMIT + lowest(calls)
