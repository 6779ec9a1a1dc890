"""Chances: what the others may hold, and how likely one's own side wins the current trick."""

import numpy as np

from baofen.envs.cards import BOTTOM_CARDS
from baofen.envs.core.bits import count_cards, popcount, run_tops
from baofen.envs.core.dtypes import TRUMP_GROUP
from baofen.envs.core.kernel import inline_kernel, kernel

SHARES = 32
"""Shares of the unseen cards are counted in parts of 32."""
_SHARE = np.arange(SHARES + 1) / SHARES
NONE_HELD = (1.0 - _SHARE[:, None]) ** np.arange(109)
"""Chance that a hand with a share of the unseen cards, in parts of 32, holds none of so many of them."""
NO_PAIR_HELD = (1.0 - _SHARE[:, None] ** 2) ** np.arange(55)
"""The same for unseen pairs."""
NO_RUN_HELD = (1.0 - _SHARE[:, None] ** 4) ** np.arange(55)
"""The same for unseen runs of two pairs or more."""


@inline_kernel
def hand_share(table, seat, group):
    """Return which part of a group's unseen cards lies in one hand that may hold some, in parts of 32.

    They are shared by the other hands that are not known to be void and, for a defender, by what is buried; trumps are
    hardly ever buried. All hands are about as long as one's own.
    """
    holders = 0
    for other in range(4):
        if other != seat and (table.shown_void[other] >> group) & 1 == 0:
            holders += 1
    if holders == 0:
        return 0
    if seat == table.declarer or group == TRUMP_GROUP:
        return SHARES // holders
    length = count_cards(table.hand_ones[seat], table.hand_twos[seat])
    return SHARES * length // (holders * length + BOTTOM_CARDS)


@inline_kernel
def chance_held(rules, layout, share, unseen, high, lead, is_pairless, is_runless):
    """Return the chance that a hand holds a single, pair or tractor as led whose top is at a position of `high`."""
    if lead.pairs == 0:
        return 1.0 - NONE_HELD[share, count_cards(unseen.ones & high, unseen.twos & high)]
    if is_pairless:
        return 0.0
    if lead.run_length == 0:
        return 1.0 - NO_PAIR_HELD[share, popcount(unseen.twos & high)]
    if is_runless:
        return 0.0
    return 1.0 - NO_RUN_HELD[share, popcount(run_tops(unseen.twos, rules.links[layout], lead.run_length) & high)]


@inline_kernel
def chance_void(table, rules, weights, share, other, unseen, group):
    """Return the chance that `other` is void in a side suit."""
    if (table.shown_void[other] >> group) & 1:
        return 1.0
    cards = rules.group_bits[table.layout, group]
    void = NONE_HELD[share, count_cards(unseen.ones & cards, unseen.twos & cards)]
    if other != table.declarer:
        return void
    if table.played_ones[other] & cards != 0:
        return max(void, weights.declarer_out)
    return max(void, weights.declarer_void)


@kernel
def chance_to_beat(table, rules, weights, seat, other, unseen, lead, best):
    """Return the chance, as `seat` sees it, that `other`, who has not played yet, can beat the best play so far."""
    layout = table.layout
    void = 0.0
    share = hand_share(table, seat, lead.group)
    if lead.group != TRUMP_GROUP:
        void = chance_void(table, rules, weights, share, other, unseen, lead.group)
    chance = 0.0
    if void < 1.0 and not lead.is_throw and (lead.group == TRUMP_GROUP or not best.by_trump):
        pairless = (table.shown_pairless[other] >> lead.group) & 1
        runless = (table.shown_runless[other] >> lead.group) & 1
        chance = (1.0 - void) * chance_held(rules, layout, share, unseen, best.above, lead, pairless, runless)
    if void > 0.0 and (table.shown_void[other] >> TRUMP_GROUP) & 1 == 0:
        share = hand_share(table, seat, TRUMP_GROUP)
        high = best.above if best.by_trump else rules.group_bits[layout, TRUMP_GROUP]
        pairless = (table.shown_pairless[other] >> TRUMP_GROUP) & 1
        runless = (table.shown_runless[other] >> TRUMP_GROUP) & 1
        ruff = chance_held(rules, layout, share, unseen, high, lead, pairless, runless)
        if lead.is_throw:
            ruff *= weights.ruff_throw
        chance += void * ruff
    return chance


@kernel
def chance_to_win(table, rules, weights, seat, unseen, lead, best, num_later):
    """Return the chance that the side of `seat` wins a trick once `seat` has played.

    The next `num_later` seats play after it; `best` is the best play by then. The side of a defender is all three.
    """
    declarer = table.declarer
    if seat == declarer:
        if best.seat != seat:
            return 0.0
        chance = 1.0
        for step in range(1, num_later + 1):
            beats = chance_to_beat(table, rules, weights, seat, (seat + step) & 3, unseen, lead, best)
            chance *= 1.0 - weights.enemy_willing * beats
        return chance
    steps_to_declarer = (declarer - seat) & 3
    if steps_to_declarer > num_later:  # the declarer has played
        if best.seat != declarer:
            return 1.0
        lost = 1.0
        for step in range(1, num_later + 1):
            beats = chance_to_beat(table, rules, weights, seat, (seat + step) & 3, unseen, lead, best)
            lost *= 1.0 - weights.ally_willing * beats
        return 1.0 - lost
    beaten = weights.enemy_willing * chance_to_beat(table, rules, weights, seat, declarer, unseen, lead, best)
    recovered = 0.0
    for step in range(steps_to_declarer + 1, num_later + 1):
        other = (seat + step) & 3
        shown = table.shown_void[other]
        if lead.group != TRUMP_GROUP and (shown >> lead.group) & 1 and (shown >> TRUMP_GROUP) & 1 == 0:
            recovered = max(recovered, weights.ally_ruffs)
        else:
            recovered = max(recovered, weights.ally_recovers)
    return 1.0 - beaten * (1.0 - recovered)
