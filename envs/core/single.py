"""One table in one compiled call: what `Table` and the AEC environment do between two Python lines."""

from baofen.envs.core.deal import begin_deal, new_match
from baofen.envs.core.kernel import kernel
from baofen.envs.core.observe import write_observation, write_state
from baofen.envs.core.state import OVER
from baofen.envs.core.step import apply, forfeit, may_take, update_legal, write_mask

ILLEGAL = -1
SEAT_MASK = 3
"""Bits of a step's answer that name the seat to act next."""
PLAIN_ANSWERS = 4
"""A step's answer below this is only the seat to act next; above, something is to be seen to."""
ENDED = 1 << 2
"""Bit of a step's answer: the match is over."""
PAID = 1 << 3
"""Bit of a step's answer: running totals have changed."""
DEAL_ENDED = 1 << 4
"""Bit of a step's answer: the deal is over and the next one of the match has begun."""


@kernel
def begin_single(tables, rules, drawn_suit):  # type: ignore[no-untyped-def]
    """Begin the deal that stands in table [1]; `drawn_suit` is trump if nobody exposes."""
    begin_deal(tables[0], rules[0], drawn_suit)
    update_legal(tables[0], rules[0])


@kernel
def rematch_single(tables, rules, starts):  # type: ignore[no-untyped-def]
    """Begin the next match in table [1], from its stream."""
    new_match(tables[0], rules[0], starts[0])
    update_legal(tables[0], rules[0])


@kernel
def apply_single(tables, rules, action):  # type: ignore[no-untyped-def]
    """Apply a legal action to table [1]."""
    apply(tables[0], rules[0], action)


@kernel
def forfeit_single(tables, rules, seat, room):  # type: ignore[no-untyped-def]
    """End the deal of table [1] because a seat leaves."""
    forfeit(tables[0], rules[0], seat, room)


@kernel
def mask_single(tables, rules, out):  # type: ignore[no-untyped-def]
    """Write the action mask of the acting seat of table [1], [99]; zeros when the game is over."""
    write_mask(tables[0], rules[0], out)


@kernel
def observe_single(tables, rules, seat, out):  # type: ignore[no-untyped-def]
    """Write what a seat of table [1] may know, uint8 [O]."""
    write_observation(tables[0], rules[0], seat, out)


@kernel
def state_single(tables, rules, out):  # type: ignore[no-untyped-def]
    """Write the whole state of table [1], uint8 [S]."""
    write_state(tables[0], rules[0], out)


@kernel
def step_single(tables, rules, action, observation, mask):  # type: ignore[no-untyped-def]
    """Take an action in table [1] and show the next seat to act what it may know and do.

    Returns the next seat to act with bits `ENDED`, `PAID` and `DEAL_ENDED`; or `ILLEGAL`, and nothing has changed.
    observation: uint8 [O], mask: int8 [99], both written unless the match is over.
    """
    table = tables[0]
    if not may_take(table, rules[0], action):
        return ILLEGAL
    deal_index = table.deal_index
    first, second, third, fourth = table.totals[0], table.totals[1], table.totals[2], table.totals[3]
    apply(table, rules[0], action)
    answer = 0
    if table.phase == OVER:
        answer = ENDED
    else:
        answer = int(table.acting)
        write_observation(table, rules[0], table.acting, observation)
        write_mask(table, rules[0], mask)
    if first != table.totals[0] or second != table.totals[1] or third != table.totals[2] or fourth != table.totals[3]:
        answer |= PAID
    if table.deal_index != deal_index:
        answer |= DEAL_ENDED
    return answer
