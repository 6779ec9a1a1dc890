"""Loops that step tables: all of a batch, some of it, or one table, in one compiled call each."""

import numpy as np

from baofen.envs.actions import COMMIT
from baofen.envs.core.bits import count_cards, lowest
from baofen.envs.core.deal import begin_deal, dealt_to, new_match
from baofen.envs.core.dtypes import AUCTION, BIDDER, DECLARER, DEFENDER, EXPOSE, NOBODY, OVER
from baofen.envs.core.following import follow_picks
from baofen.envs.core.kernel import kernel
from baofen.envs.core.known import known_dealt
from baofen.envs.core.leading import lead_fault
from baofen.envs.core.observe import write_observation, write_state
from baofen.envs.core.rng import stream
from baofen.envs.core.settle import settle_fines
from baofen.envs.core.step import apply, forfeit, is_legal, may_take, play_fault, update_legal, write_mask

ALL_LEGAL = -1


@kernel
def seat_role(table):
    """Return the role of the acting seat; NOBODY when the game is over."""
    if table.phase == OVER:
        return NOBODY
    if table.phase <= AUCTION:
        return BIDDER
    return DECLARER if table.acting == table.declarer else DEFENDER


@kernel
def describe(tables, acting_seat, role, phase, trump):
    """Write who is to act in each table, in which role and phase, and the trump; all int8 [B]."""
    for index in range(tables.shape[0]):
        table = tables[index]
        acting_seat[index] = table.acting
        role[index] = seat_role(table)
        phase[index] = table.phase
        trump[index] = table.trump


@kernel
def reset_tables(tables, rules, starts, seed, deals_per_match):
    """Begin a match in each table [B]; table i's stream depends on the seed and i alone."""
    for index in range(tables.shape[0]):
        table = tables[index]
        table.rng = stream(seed, np.uint64(index))
        table.deals_per_match = deals_per_match
        new_match(table, rules[0], starts[0])
        update_legal(table, rules[0])


@kernel
def first_illegal(tables, rules, actions):
    """Return the first table whose action is not legal, or `ALL_LEGAL`; finished tables are not looked at."""
    for index in range(tables.shape[0]):
        if tables[index].phase != OVER and not may_take(tables[index], rules[0], actions[index]):
            return index
    return ALL_LEGAL


@kernel
def only_action(table, rules):
    """Return the only legal action, or -1 if there are several or none."""
    picks, words = table.legal_picks, table.legal_words
    if (picks == 0) == (words == 0) or picks & (picks - 1) != 0 or words & (words - 1) != 0:
        return -1
    if picks != 0:
        return int(rules.face[table.layout, lowest(picks)])
    return COMMIT + lowest(words)


@kernel
def take_forced(table, rules):
    """Take the decisions that have a single legal action, until there is a choice or the game is over."""
    action = only_action(table, rules)
    while action >= 0:
        apply(table, rules, action)
        action = only_action(table, rules)


@kernel
def copy_result(table, first_caller, result):
    """Copy the result of the deal just ended, which `first_caller` began, into a RESULT."""
    result.declarer = table.result_declarer
    result.target = table.result_target
    result.trump = table.result_trump
    result.captured = table.result_captured
    result.trump_points = table.result_trump_points
    result.score = table.result_score
    result.made = table.result_declarer != NOBODY and table.result_score >= 0 and table.result_forfeit == NOBODY
    result.forfeit = table.result_forfeit
    result.first_caller = first_caller
    result.pot = table.result_pot
    for seat in range(4):
        result.rewards[seat] = table.result_rewards[seat]


@kernel
def copy_results(tables, results):
    """Copy how the single deals of finished tables [n] came out, RESULT [n]."""
    for index in range(tables.shape[0]):
        copy_result(tables[index], tables[index].first_caller, results[index])


@kernel
def step_tables(tables, rules, starts, actions, auto_reset, skip_forced, rewards, done, deal_done, results):
    """Apply one legal action to each table [B]; see `VectorTables.step` for what is written."""
    for index in range(tables.shape[0]):
        table = tables[index]
        done[index] = table.phase == OVER  # a match that is over and not reset stays done
        deal_done[index] = False
        for seat in range(4):
            rewards[index, seat] = 0
        if done[index]:
            continue
        action = actions[index]
        while action >= 0:
            deal_index, first_caller = table.deal_index, table.first_caller
            for seat in range(4):
                rewards[index, seat] -= table.totals[seat]
            apply(table, rules[0], action)
            for seat in range(4):
                rewards[index, seat] += table.totals[seat]
            if table.phase == OVER or table.deal_index != deal_index:
                deal_done[index] = True
                copy_result(table, first_caller, results[index])
            if table.phase == OVER:
                done[index] = True
                if auto_reset:
                    new_match(table, rules[0], starts[0])
                    update_legal(table, rules[0])
            action = only_action(table, rules[0]) if skip_forced and not done[index] else -1


@kernel
def mask_tables(tables, rules, out):
    """Write the masks of the acting seats, uint8 [B, 99]; zeros for finished games."""
    for index in range(tables.shape[0]):
        write_mask(tables[index], rules[0], out[index])


@kernel
def deal_by_number(tables, rules, starts, seed, first):
    """Begin in table i of [n] the deal with the number `first` + i; each depends on the seed and its number alone."""
    for index in range(tables.shape[0]):
        table = tables[index]
        table.rng = stream(seed, np.uint64(first + index))
        table.deals_per_match = 1
        new_match(table, rules[0], starts[0])
        update_legal(table, rules[0])


@kernel
def observe_tables(tables, rules, out):
    """Write the observations of the acting seats, uint8 [B, O]; of seat 0 for finished games."""
    for index in range(tables.shape[0]):
        write_observation(tables[index], rules[0], max(int(tables[index].acting), 0), out[index])


# Some tables of a batch: where one seat of each learns and agents play the others.


@kernel
def step_some(tables, rules, indices, actions, paid):
    """Take one action in each of the tables `indices` [n], none of which is over, if all actions are legal.

    Returns `ALL_LEGAL`, or the first place in `indices` whose action is illegal, and nothing has changed.
    paid: int32 [B, 4], to which the changes of the running totals are added.
    """
    for place in range(indices.shape[0]):
        if not may_take(tables[indices[place]], rules[0], actions[place]):
            return place
    for place in range(indices.shape[0]):
        index = indices[place]
        table = tables[index]
        for seat in range(4):
            paid[index, seat] -= table.totals[seat]
        apply(table, rules[0], actions[place])
        for seat in range(4):
            paid[index, seat] += table.totals[seat]
    return ALL_LEGAL


@kernel
def step_rows(tables, rules, indices, actions):
    """Apply one legal action in each of the tables `indices` [n], and the forced ones after it."""
    for place in range(indices.shape[0]):
        table = tables[indices[place]]
        apply(table, rules[0], actions[place])
        take_forced(table, rules[0])


@kernel
def find_legal(tables, rules, indices, actions, legal):
    """Write whether the action of each of the tables `indices` [n] is legal, bool [n]."""
    for place in range(indices.shape[0]):
        legal[place] = may_take(tables[indices[place]], rules[0], actions[place])


@kernel
def rematch_some(tables, rules, starts, indices):
    """Begin the next match in the tables `indices` [n], each from its own stream."""
    for place in range(indices.shape[0]):
        new_match(tables[indices[place]], rules[0], starts[0])
        update_legal(tables[indices[place]], rules[0])


@kernel
def fines_at_stake(tables, rules, rows, scratch, gains):
    """Write what each seat gains by the fines owed so far in tables `rows` [n], in levels, int32 [n, 4]."""
    for index in range(rows.shape[0]):
        scratch[0] = tables[rows[index]]
        for seat in range(4):
            scratch[0].totals[seat] = 0
        settle_fines(scratch[0], rules[0])
        for seat in range(4):
            gains[index, seat] = scratch[0].totals[seat]


@kernel
def observe_seats(tables, rules, seats, observations, masks):
    """Write what seat `seats[i]` of table i may know, uint8 [B, O], and may do, int8 [B, 99]: zeros if not to act."""
    for index in range(tables.shape[0]):
        write_observation(tables[index], rules[0], seats[index], observations[index])
        if tables[index].acting == seats[index]:
            write_mask(tables[index], rules[0], masks[index])
        else:
            masks[index] = 0


# One table: what `Table` and the AEC environment do between two Python lines.


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
def begin_single(tables, rules, drawn_suit):
    """Begin the deal that stands in table [1]; `drawn_suit` is trump if nobody exposes."""
    begin_deal(tables[0], rules[0], drawn_suit)
    update_legal(tables[0], rules[0])


@kernel
def rematch_single(tables, rules, starts):
    """Begin the next match in table [1], from its stream."""
    new_match(tables[0], rules[0], starts[0])
    update_legal(tables[0], rules[0])


@kernel
def apply_single(tables, rules, action):
    """Apply a legal action to table [1]."""
    apply(tables[0], rules[0], action)


@kernel
def forfeit_single(tables, rules, seat, room):
    """End the deal of table [1] because a seat leaves."""
    forfeit(tables[0], rules[0], seat, room)


@kernel
def is_legal_single(tables, rules, action):
    """Return whether the acting seat of table [1] may take an action 0 .. 98."""
    return is_legal(tables[0], rules[0], action)


@kernel
def play_fault_single(tables, rules, ones, twos):
    """Return what is wrong with a whole play at table [1] (`step.play_fault`)."""
    return play_fault(tables[0], rules[0], ones, twos)


@kernel
def lead_fault_single(tables, rules):
    """Return what is wrong with what the leader of table [1] has picked, as a lead (`leading.lead_fault`)."""
    return lead_fault(tables[0], rules[0], tables[0].selection_ones, tables[0].selection_twos)


@kernel
def picks_without_runs_single(tables, rules):
    """Return what the follower of table [1] might pick, as positions, if he owed no runs; his duties are left without."""
    tables[0].duty_num_pieces = 0
    return follow_picks(tables[0], rules[0])


@kernel
def mask_single(tables, rules, out):
    """Write the action mask of the acting seat of table [1], [99]; zeros when the game is over."""
    write_mask(tables[0], rules[0], out)


@kernel
def observe_single(tables, rules, seat, out):
    """Write what a seat of table [1] may know, uint8 [O]."""
    write_observation(tables[0], rules[0], seat, out)


@kernel
def hand_sizes_single(tables, seat, sizes):
    """Write how many cards each seat of table [1] holds, as a seat knows it, int64 [4]."""
    table = tables[0]
    for other in range(4):
        if table.phase == EXPOSE:
            sizes[other] = dealt_to(table, other, known_dealt(table, seat))
        else:
            sizes[other] = count_cards(table.hand_ones[other], table.hand_twos[other])


@kernel
def state_single(tables, rules, out):
    """Write the whole state of table [1], uint8 [S]."""
    write_state(tables[0], rules[0], out)


@kernel
def step_single(tables, rules, action, observation, mask):
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
