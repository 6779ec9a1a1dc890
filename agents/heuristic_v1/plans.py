"""From a whole play to the next single action, and back: the adapter between plans and the action space.

A plan is a function of the table without its selection, so it is made anew for each pick and comes out the same.
"""

from baofen.envs.actions import COMMIT, EIGHT
from baofen.envs.core.bits import lowest, remove_cards
from baofen.envs.core.deal import COMMIT_WORD
from baofen.envs.core.kernel import kernel


@kernel
def next_action(table, rules, play, eight):
    """Return the next action of a plan: an eight, the pick of the lowest card still missing, or COMMIT.

    If the selection is not part of the plan (another chose it), what is selected is led, or any legal card picked.
    """
    picked_ones, picked_twos = table.selection_ones, table.selection_twos
    if eight != 0 and picked_ones == 0:
        return EIGHT + eight - 1
    left = 0
    if picked_ones & ~play.ones == 0 and picked_twos & ~play.twos == 0:
        left, _ = remove_cards(play.ones, play.twos, picked_ones, picked_twos)
        left &= table.legal_picks
    if left == 0:
        if table.legal_words & COMMIT_WORD:
            return COMMIT
        left = table.legal_picks
    return int(rules.face[table.layout, lowest(left)])


@kernel
def fits(table, play):
    """Return whether the selection is part of a plan."""
    return table.selection_ones & ~play.ones == 0 and table.selection_twos & ~play.twos == 0
