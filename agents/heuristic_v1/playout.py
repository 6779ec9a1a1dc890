"""Whole deals by the heuristic at once, play by play: for search, for labels and for measuring."""

from baofen.agents.heuristic_v1.choose import choose_action, choose_play
from baofen.agents.heuristic_v1.choose_bury import choose_bury
from baofen.agents.heuristic_v1.plans import fits
from baofen.envs.core.bits import lowest, remove_cards
from baofen.envs.core.dtypes import BURY, OVER, PLAY
from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import after_play, apply, play_cards, update_legal
from baofen.envs.core.trick import play_eight


@kernel
def bury_cards(table, rules, cards):
    """Bury eight cards in one step; of the picks only the last is in the history."""
    last = lowest(cards.ones & ~cards.twos) if cards.ones != cards.twos else lowest(cards.ones)
    table.selection_ones, table.selection_twos = remove_cards(cards.ones, cards.twos, 1 << last, 0)
    apply(table, rules, int(rules.face[table.layout, last]))


@kernel
def play_once(table, rules, weights):
    """Make one whole play of the acting seat by the heuristic; cards already picked are kept."""
    play, eight = choose_play(table, rules, weights)
    if table.selection_ones != 0 and not fits(table, play):
        update_legal(table, rules)
        apply(table, rules, choose_action(table, rules, weights))
    elif eight != 0 and table.selection_ones == 0:
        play_eight(table, rules, eight)
        after_play(table, rules)
    else:
        play_cards(table, rules, play.ones, play.twos)


@kernel
def playout(table, rules, weights):
    """Play a deal to its end with the heuristic in all four seats; the table is then over.

    The table's match ends with this deal, without sharing out its pot. The legal actions must be up to date.
    """
    table.deals_per_match = 0
    while table.phase < PLAY:
        if table.phase == BURY and table.selection_ones == 0:
            bury_cards(table, rules, choose_bury(table, rules, weights.declarer))
        else:
            apply(table, rules, choose_action(table, rules, weights))
    while table.phase != OVER:
        play_once(table, rules, weights)
