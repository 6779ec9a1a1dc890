"""Contracts played out by the heuristic: whatever the auction would have been, a seat declares and all play on."""

from baofen.agents.bids.outcome_codes import outcome_of
from baofen.agents.heuristic_v1.choose_call import choose_trump
from baofen.agents.heuristic_v1.playout import playout
from baofen.envs.actions import TRUMP as TRUMP_ACTION
from baofen.envs.core.deal import award_contract, give_face, name_trump
from baofen.envs.core.dtypes import BURY, NO_TRUMP_YET, NOBODY, TRUMP
from baofen.envs.core.kernel import kernel

AS_PLAYED = -1
"""In place of a trump suit: the one that the declarer names after he has seen the bottom, or the exposed one."""


@kernel
def forget_exposures(table):
    """Set all hands back to the 25 cards that were dealt, with no trump yet; the deck must be whole."""
    table.trump = NO_TRUMP_YET
    table.layout = NO_TRUMP_YET
    table.exposed_by = NOBODY
    for seat in range(4):
        table.hand_ones[seat] = 0
        table.hand_twos[seat] = 0
        table.shown_ones[seat] = 0
        table.shown_twos[seat] = 0
        table.held_ones[seat] = 0
        table.held_twos[seat] = 0
    for index in range(100):
        give_face(table, (table.first_caller + index) & 3, int(table.deck[index]))


@kernel
def take_contract(table, rules, declarer, trump):
    """Make a seat declarer in a deal that is in its auction, up to the bury; return the trump suit."""
    table.deals_per_match = 0
    award_contract(table, rules, declarer, rules.bid_min)
    if table.phase == TRUMP:
        if trump == AS_PLAYED:
            trump = choose_trump(table, rules) - TRUMP_ACTION
        name_trump(table, rules, trump)
        table.phase = BURY
    return int(table.trump)


@kernel
def play_contract(table, rules, weights, declarer, trump):
    """Play a deal that is in its auction with a declarer and a trump; return `(outcome, trump)`."""
    trump = take_contract(table, rules, declarer, trump)
    playout(table, rules, weights)
    return outcome_of(table, rules), trump


@kernel
def play_all_contracts(tables, rules, variants, scratch, outcomes, named):
    """Play every seat with every trump in every deal, once with each of some weights.

    tables: TABLE [n], whole decks, not yet beyond the auction. variants: WEIGHTS [R]. scratch: TABLE [2].
    outcomes: uint8 [n, 4 seats, 4 trumps, R]. named: int8 [n, 4], the trump that each seat would name.
    """
    for index in range(tables.shape[0]):
        scratch[0] = tables[index]
        forget_exposures(scratch[0])
        for seat in range(4):
            scratch[1] = scratch[0]
            named[index, seat] = take_contract(scratch[1], rules[0], seat, AS_PLAYED)
            for trump in range(4):
                for variant in range(variants.shape[0]):
                    scratch[1] = scratch[0]
                    outcome, _ = play_contract(scratch[1], rules[0], variants[variant], seat, trump)
                    outcomes[index, seat, trump, variant] = outcome


@kernel
def play_named_contracts(tables, rules, variants, scratch, outcomes, named):
    """Play every seat as declarer of every deal, trump as it would be played, once with each of some weights.

    tables: TABLE [n] in their auction, whole decks. outcomes: uint8 [n, 4, R]. named: int8 [n, 4], the trumps.
    """
    for index in range(tables.shape[0]):
        for seat in range(4):
            for variant in range(variants.shape[0]):
                scratch[0] = tables[index]
                outcome, trump = play_contract(scratch[0], rules[0], variants[variant], seat, AS_PLAYED)
                outcomes[index, seat, variant] = outcome
                named[index, seat] = trump


@kernel
def play_given_contracts(tables, rules, weights, trumps, scratch, outcomes):
    """Play every seat as declarer of every deal with the trump of `trumps`, int8 [n, 4]; outcomes: uint8 [n, 4]."""
    for index in range(tables.shape[0]):
        for seat in range(4):
            scratch[0] = tables[index]
            outcome, _ = play_contract(scratch[0], rules[0], weights[0], seat, int(trumps[index, seat]))
            outcomes[index, seat] = outcome
