"""All legal plays of a decision, and the list held against them: what each is worth in worlds the seat may be in."""

import numpy as np

from baofen.agents.heuristic_v1.choose import choose_action
from baofen.agents.heuristic_v1.playout import play_once
from baofen.agents.plays.listing import CARDS, list_plays, make_play
from baofen.agents.search.worlds import begin_walk, expect_play, next_world
from baofen.envs.core.bits import bit, lowest
from baofen.envs.core.dtypes import LEGAL, NUM_GROUPS, OVER, PLAY
from baofen.envs.core.kernel import kernel
from baofen.envs.core.leading import eight_rank
from baofen.envs.core.rng import advance, below, mix, stream
from baofen.envs.core.step import apply, play_cards, play_fault, update_legal

MOST_PLAYS = 500
"""Decisions with more legal plays are left out."""
MOST_TRIED = 200_000
"""Sets of cards tried; where there are more, there are most likely more legal plays than that as well."""
TOO_MANY = -1
PARTS = 1 << 16
LEAD, FOLLOW_ONE, FOLLOW_MORE = range(3)


@kernel
def _add_sets(table, rules, pool_ones, pool_twos, count, ones, twos):
    """Add all legal plays made of some cards of the hand; return how many there are then, or `TOO_MANY`."""
    leads = table.num_plays == 0
    size = 25 if leads else int(table.lead_cards)
    positions = [lowest(pool_ones)]
    rest = pool_ones & (pool_ones - 1)
    while rest != 0:
        positions.append(lowest(rest))
        rest &= rest - 1
    taken = [-1 for _ in positions]
    level = 0
    total = 0
    tried = 0
    while level >= 0:
        position = positions[level]
        held = 1 + ((pool_twos >> position) & 1)
        taken[level] += 1
        total += taken[level] > 0
        if taken[level] > held or total > size:
            total -= taken[level]
            level -= 1
            continue
        if level + 1 < len(positions):
            level += 1
            taken[level] = -1
            continue
        if total == 0 or (not leads and total != size):
            continue
        tried += 1
        if tried > MOST_TRIED:
            return TOO_MANY
        set_ones = 0
        set_twos = 0
        for index in range(len(positions)):
            if taken[index] > 0:
                set_ones |= bit(positions[index])
            if taken[index] > 1:
                set_twos |= bit(positions[index])
        if set_ones == set_twos and eight_rank(table, rules, set_ones) != 0:
            continue  # an eight: listed as such
        if play_fault(table, rules, set_ones, set_twos) != LEGAL:
            continue
        if count == MOST_PLAYS:
            return TOO_MANY
        ones[count] = set_ones
        twos[count] = set_twos
        count += 1
    return count


@kernel
def all_plays(table, rules, ones, twos):
    """Write all legal sets of cards of the acting seat, int64 [500], eights aside; return how many, or `TOO_MANY`.

    The seat is to play and has picked nothing.
    """
    seat, layout = int(table.acting), int(table.layout)
    hand_ones, hand_twos = table.hand_ones[seat], table.hand_twos[seat]
    if table.num_plays > 0:
        if table.duty_cards >= table.lead_cards:
            group = rules.group_bits[layout, table.lead_group]
            return _add_sets(table, rules, hand_ones & group, hand_twos & group, 0, ones, twos)
        return _add_sets(table, rules, hand_ones, hand_twos, 0, ones, twos)
    count = 0
    for group in range(NUM_GROUPS):
        bits = rules.group_bits[layout, group]
        if hand_ones & bits != 0 and count != TOO_MANY:
            count = _add_sets(table, rules, hand_ones & bits, hand_twos & bits, count, ones, twos)
    return count


@kernel
def _add_unlisted(plays, count, ones, twos):
    """Move the sets that are not listed to the front of the arrays; return how many they are."""
    kept = 0
    for index in range(count):
        is_listed = False
        for entry in range(plays.count):
            if plays.action[entry] == CARDS and plays.ones[entry] == ones[index] and plays.twos[entry] == twos[index]:
                is_listed = True
        if not is_listed:
            ones[kept] = ones[index]
            twos[kept] = twos[index]
            kept += 1
    return kept


@kernel
def _captured(world, rules, weights, plays, ones, twos, index, future):
    """Return what the declarer captures where play `index` is made in a world: listed ones first, then the others."""
    future[0] = world
    future[0].deals_per_match = 0
    if index < plays.count:
        make_play(future[0], rules, plays, index)
    else:
        play_cards(future[0], rules, ones[index - plays.count], twos[index - plays.count])
    while future[0].phase != OVER:
        play_once(future[0], rules, weights)
    return float(future[0].result_captured)


@kernel
def _best(values, start, end):
    best = start
    for index in range(start, end):
        if values[index] > values[best]:
            best = index
    return best


@kernel
def _compare(
    table, rules, weights, num_worlds, seed, plays, found, walk, worlds, ones, twos, values, kinds, gains, counts, row
):
    """Hold the list of one decision against all legal plays; return whether there was anything to compare."""
    list_plays(table, rules, weights, found[0], plays[0])
    for entry in range(plays[0].count):
        if plays[0].action[entry] != CARDS:
            return False  # eights
    update_legal(table, rules)  # what a follower owes
    count = all_plays(table, rules, ones, twos)
    if count == TOO_MANY:
        counts[0] += 1
        return False
    if count < 2 or not begin_walk(table, rules, int(table.acting), seed, walk[0]):
        return False
    listed = int(plays[0].count)
    counts[1] += count
    counts[2] += listed
    end = listed + _add_unlisted(plays[0], count, ones, twos)
    expect_play(table, rules, walk[0])
    side = 1.0 if table.acting == table.declarer else -1.0
    for index in range(end):
        values[index] = 0.0
    for _ in range(num_worlds):
        worlds[0] = table
        next_world(table, rules, walk[0], worlds[0])
        for index in range(end):
            values[index] += side * _captured(worlds[0], rules, weights, plays[0], ones, twos, index, worlds[1:])
    in_list = _best(values, 0, listed)
    best = in_list
    if end > listed:
        other = _best(values, listed, end)
        if values[other] > values[in_list]:
            best = other
    gains[row, 0] = (values[best] - values[in_list]) / num_worlds
    gains[row, 1] = 0.0
    if best != in_list:
        gain = 0.0
        for _ in range(num_worlds):
            worlds[0] = table
            next_world(table, rules, walk[0], worlds[0])
            gain += _captured(worlds[0], rules, weights, plays[0], ones, twos, best, worlds[1:])
            gain -= _captured(worlds[0], rules, weights, plays[0], ones, twos, in_list, worlds[1:])
        gains[row, 1] = side * gain / num_worlds
    if table.num_plays == 0:
        kinds[row] = LEAD
    else:
        kinds[row] = FOLLOW_ONE if table.lead_cards == 1 else FOLLOW_MORE
    return True


@kernel
def compare_lists(tables, first, seed, rules, weights, share, num_worlds, room, kinds, gains, counts):
    """Play deals by the heuristic and hold the list against all legal plays at some decisions; return how many.

    tables: TABLE [B], deals just begun, numbered from `first` on. share: decisions looked at, in 1 / 65,536.
    room: `(plays PLAYS [1], found CANDIDATES [1], walk WORLDS [1], worlds TABLE [2], ones, twos int64 [500], values
    float64 [64 + 500])` to work in.
    kinds: int8 [n]; gains: float32 [n, 2], of the best of all plays over the best listed: in the worlds they were chosen
    in, and in fresh ones. counts: int64 [3], decisions left out for too many plays, legal plays and listed plays of those
    looked at.
    """
    plays, found, walk, worlds, ones, twos, values = room
    row = 0
    for index in range(tables.shape[0]):
        table = tables[index]
        state = stream(seed, np.uint64(first + index))
        while table.phase < PLAY:
            apply(table, rules[0], choose_action(table, rules[0], weights[0]))
        while table.phase != OVER and row < kinds.shape[0]:
            state = advance(state)
            if below(mix(state), PARTS) < share:
                state = advance(state)
                if _compare(
                    table, rules[0], weights[0], num_worlds, mix(state), plays, found, walk, worlds, ones, twos, values,
                    kinds, gains, counts, row,
                ):  # fmt: skip
                    row += 1
            play_once(table, rules[0], weights[0])
        if row == kinds.shape[0]:
            break
    return row
