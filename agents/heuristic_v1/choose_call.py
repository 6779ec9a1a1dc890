"""How the heuristic exposes, calls and names trump: all by the estimate of its hand."""

import numpy as np

from baofen.agents.heuristic_v1.estimate import NUM_FEATURES, best_trump, estimate_points
from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.envs.actions import CALL, CALL_MIN, CALL_STEP, COMMIT, PASS, TRUMP
from baofen.envs.cards import NUM_RANKS
from baofen.envs.core.bits import count_cards, lowest
from baofen.envs.core.deal import exposures, to_layout
from baofen.envs.core.dtypes import DIRECT, FORCED, NO_TRUMP_YET, TRUMP_GROUP
from baofen.envs.core.kernel import inline_kernel, kernel

CALL_WORDS = ((1 << (TRUMP - CALL)) - 1) << (CALL - COMMIT)
"""The calls among `legal_words`."""


@inline_kernel
def all_pass_value(table, rules, weights):
    """Return how many points more a first call is worth because of what happens if all pass."""
    if rules.all_pass == FORCED:  # against a declarer who did not want to be one
        return 0.0 if table.acting == table.first_caller else -weights.bid_forced
    num_passed = 0
    for other in range(4):
        num_passed += table.passed[other]
    if num_passed < 3:
        return 0.0
    if rules.all_pass == DIRECT:
        return -float(rules.direct_points) if table.acting != table.first_caller else 0.0
    return weights.bid_last if table.pot == 0 else 0.0


@kernel
def call_limit(table, rules, weights):
    """Return the highest target that the acting seat stands for."""
    seat = table.acting
    cards = Cards(table.hand_ones[seat], table.hand_twos[seat])
    if table.trump == NO_TRUMP_YET:
        _, limit = best_trump(rules, cards)
    else:
        limit = estimate_points(rules, table.trump, cards, np.empty(NUM_FEATURES)) + weights.bid_known
    if rules.level_settlement:
        return limit
    limit += weights.bid_margin + weights.bid_pot * table.pot
    if table.last_call == 0:
        limit += all_pass_value(table, rules, weights)
    return limit


@kernel
def choose_call(table, rules, weights):
    """Return the lowest call while it is within the limit, else the pass."""
    calls = table.legal_words & CALL_WORDS
    if calls == 0:
        return PASS
    action = COMMIT + lowest(calls)
    if CALL_MIN + CALL_STEP * (action - CALL) > call_limit(table, rules, weights):
        return PASS
    return action


@kernel
def choose_trump(table, rules):
    """Return the action that names the best suit."""
    seat = table.acting
    suit, _ = best_trump(rules, Cards(table.hand_ones[seat], table.hand_twos[seat]))
    return TRUMP + suit


@kernel
def trump_length(rules, trump, cards):
    """Return how many trumps some cards, given by faces, hold if a suit is trump."""
    ones, twos = to_layout(rules, trump, cards.ones), to_layout(rules, trump, cards.twos)
    bits = rules.group_bits[trump, TRUMP_GROUP]
    return count_cards(ones & bits, twos & bits)


@kernel
def choose_exposure(table, rules):
    """Return what to do when asked to expose: show the longest suit, protect it, overturn for a longer one.

    Longer than a fair share of the cards dealt so far, jokers and 2s counted.
    """
    seat = table.acting
    cards = Cards(table.hand_ones[seat], table.hand_twos[seat])
    if table.selection_ones != 0:
        # A pair of 2s is shown whole, so that nobody can overturn it.
        if table.legal_picks != 0:
            return lowest(table.legal_picks)
        return COMMIT
    held = count_cards(cards.ones, cards.twos)
    best = -1
    longest = held // 3 + 3
    if table.exposed_suit != NO_TRUMP_YET:
        if seat == table.exposed_by:
            return lowest(table.legal_picks)
        longest = max(longest, trump_length(rules, int(table.exposed_suit), cards))
    rest = exposures(table, seat)
    while rest != 0:
        face = lowest(rest)
        rest &= rest - 1
        length = trump_length(rules, face // NUM_RANKS, cards)
        if length > longest:
            longest = length
            best = face
    return PASS if best < 0 else best
