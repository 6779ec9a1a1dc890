"""The shapes of plays: runs, tractors, coverings (`rules.md` section 1, Decomposition, 1.1 and 1.2).

Runs of one group are written as *packed runs*: the lengths (in pairs, at least 2) of its maximal runs, one nibble each.
Twelve pairs at most lie in one hand of 25 cards, so six nibbles are enough.
"""

import numpy as np

from baofen.envs.core.bits import highest, lowest, popcount, run_bits, run_tops
from baofen.envs.core.dtypes import MAX_RUNS
from baofen.envs.core.kernel import inline_kernel, kernel

WEIGHT_SHIFT = 54
"""A choice of pairs is written as one word: its weight above bit 54, positions below."""
POSITIONS = (1 << WEIGHT_SHIFT) - 1
INFEASIBLE = -1


@kernel
def pack_runs(twos: int, links: int) -> int:
    """Return the packed lengths of the maximal runs of two or more adjacent pairs."""
    packed = 0
    shift = 0
    rest = twos & ((twos & links) << 1)  # the upper ends of neighbouring pairs; empty for most hands
    if rest == 0:
        return 0
    rest = twos
    while rest != 0:
        position = lowest(rest)
        rest &= rest - 1
        length = 1
        while (links >> position) & 1 and (twos >> (position + 1)) & 1:
            position += 1
            rest &= rest - 1
            length += 1
        if length > 1:
            packed |= length << shift
            shift += 4
    return packed


@inline_kernel
def longest_run(packed: int) -> int:
    """Return the length of the longest of packed runs, 0 if there is none."""
    longest = 0
    while packed != 0:
        longest = max(longest, packed & 15)
        packed >>= 4
    return longest


@kernel
def sort_runs(packed, lengths):
    """Write the lengths of packed runs into `lengths` [6], longest first, and return how many there are."""
    count = 0
    while packed != 0:
        length = packed & 15
        packed >>= 4
        slot = count
        while slot > 0 and lengths[slot - 1] < length:
            lengths[slot] = lengths[slot - 1]
            slot -= 1
        lengths[slot] = length
        count += 1
    return count


MAX_STATES = 128
"""More than there are ways to split twelve pairs into runs."""


@kernel
def _normal(packed):
    """Return packed runs with the longest in the lowest nibble and what is shorter than 2 dropped."""
    sorted_runs = 0
    shift = 0
    for length in range(12, 1, -1):
        rest = packed
        while rest != 0:
            if rest & 15 == length:
                sorted_runs |= length << shift
                shift += 4
            rest >>= 4
    return sorted_runs


@kernel
def _cut(states, count, piece, after):
    """Write into `after` all packed runs that a cut of `piece` pairs leaves, each once, and return how many."""
    num_after = 0
    for index in range(count):
        for slot in range(MAX_RUNS):
            if (states[index] >> (4 * slot)) & 15 < piece:
                continue
            packed = _normal(states[index] - (piece << (4 * slot)))
            known = False
            for other in range(num_after):
                known |= after[other] == packed
            if not known:
                after[num_after] = packed
                num_after += 1
    return num_after


@kernel
def _add_piece(pieces, count, length):
    """Insert a length into `pieces[:count]`, longest first, and return the new count."""
    slot = count
    while slot > 0 and pieces[slot - 1] < length:
        pieces[slot] = pieces[slot - 1]
        slot -= 1
    pieces[slot] = length
    return count + 1


@kernel
def _cover_one(packed, length, exact, pieces):
    """Write the greatest covering of one led tractor: the longest run again and again, the last one cut."""
    count = 0
    left = length
    while True:
        piece = min(left, longest_run(packed))
        if piece < 2 or (exact and piece < length):
            return count
        count = _add_piece(pieces, count, piece)
        left -= piece
        for slot in range(MAX_RUNS):
            if (packed >> (4 * slot)) & 15 >= piece:
                packed -= piece << (4 * slot)
                break


@kernel
def _cover_several(packed, led, num_led, exact, pieces):
    """Write the greatest covering of several led tractors, piece by piece.

    Which run a piece is cut from decides what later pieces can be, so all that the hand may be left with is followed.
    """
    states = np.empty(MAX_STATES, np.int64)
    after = np.empty(MAX_STATES, np.int64)
    states[0] = packed
    num_states = 1
    count = 0
    for index in range(num_led):
        left = last = int(led[index])
        while True:
            longest = 0
            for state in range(num_states):
                longest = max(longest, longest_run(states[state]))
            piece = min(left, last, longest)
            if piece < 2 or (exact and piece < left):
                break
            num_states = _cut(states, num_states, piece, after)
            states, after = after, states
            count = _add_piece(pieces, count, piece)
            left -= piece
            last = piece
    return count


@kernel
def owed_pieces(twos, links, led, num_led, exact, pieces):
    """Write the pieces of the greatest covering a hand can reach (`rules.md` 1.1.2a) and return how many there are.

    `led`: int8 [6], lengths of the led tractors, longest first. `pieces`: int8 [6], longest first.
    `exact`: only a run of at least a led tractor's length is owed to it.
    """
    packed = pack_runs(twos, links)
    if packed == 0:
        return 0
    if num_led == 1:
        return _cover_one(packed, int(led[0]), exact, pieces)
    return _cover_several(packed, led, num_led, exact, pieces)


@inline_kernel
def _cheapest_pairs(twos: int, picked_ones: int, picked_twos: int, count: int) -> int:
    """Return the best choice of `count` pairs: those of which most cards are picked already."""
    if count == 0:
        return 0
    whole = twos & picked_twos
    left = count - popcount(whole)
    if left <= 0:
        return (2 * count) << WEIGHT_SHIFT | whole
    weight = 2 * popcount(whole)
    half = twos & picked_ones & ~picked_twos
    if left <= popcount(half):
        return (weight + left) << WEIGHT_SHIFT | whole | half
    return (weight + popcount(half)) << WEIGHT_SHIFT | twos


@inline_kernel
def _better(best, choice):
    """Return the choice of greater weight, or the union of two of the same weight."""
    if choice >> WEIGHT_SHIFT > best >> WEIGHT_SHIFT:
        return choice
    if choice >> WEIGHT_SHIFT == best >> WEIGHT_SHIFT:
        return best | (choice & POSITIONS)
    return best


@inline_kernel
def _with_run(choice, run, picked_ones, picked_twos):
    """Return a choice with a run added to it."""
    weight = popcount(run & picked_ones) + popcount(run & picked_twos)
    return (choice + (weight << WEIGHT_SHIFT)) | run


@kernel
def best_pairs(twos, links, picked_ones, picked_twos, pieces, num_pieces, extra):
    """Return the choice of pairs that meets the duties with the most cards picked already.

    A choice holds disjoint runs of the lengths `pieces[:num_pieces]` and `extra` pairs more. Its weight is the number
    of its cards that are picked; the word returned holds the greatest weight and the union of all choices that
    reach it. The pieces must fit, as those of `owed_pieces` do.
    """
    if num_pieces == 0:
        return _cheapest_pairs(twos, picked_ones, picked_twos, extra)
    best = INFEASIBLE
    if num_pieces == 1:
        tops = run_tops(twos, links, int(pieces[0]))
        while tops != 0:
            run = run_bits(lowest(tops), int(pieces[0]))
            tops &= tops - 1
            choice = _cheapest_pairs(twos & ~run, picked_ones, picked_twos, extra)
            best = _better(best, _with_run(choice, run, picked_ones, picked_twos))
        return best
    return _best_pairs_of_several(twos, links, picked_ones, picked_twos, pieces, num_pieces, extra)


@kernel
def _best_pairs_of_several(twos, links, picked_ones, picked_twos, pieces, num_pieces, extra):
    """Return the same for two or more pieces: all placements are tried, equal pieces in ascending order only."""
    tops = np.empty(MAX_RUNS + 1, np.int64)  # of each piece, those still to be tried
    left = np.empty(MAX_RUNS + 1, np.int64)  # pairs that the pieces before leave
    best = INFEASIBLE
    depth = 0
    left[0] = twos
    tops[0] = run_tops(twos, links, int(pieces[0]))
    while depth >= 0:
        if tops[depth] == 0:
            depth -= 1
            continue
        length = int(pieces[depth])
        top = lowest(tops[depth])
        tops[depth] &= tops[depth] - 1
        rest = left[depth] & ~run_bits(top, length)
        if depth + 1 == num_pieces:
            choice = _cheapest_pairs(rest, picked_ones, picked_twos, extra)
            best = _better(best, _with_run(choice, twos & ~rest, picked_ones, picked_twos))
            continue
        depth += 1
        left[depth] = rest
        tops[depth] = run_tops(rest, links, int(pieces[depth]))
        if pieces[depth] == length:
            tops[depth] &= -1 << (top + 1)
    return best


@kernel
def _packs(packed, lengths, count):
    """Return whether disjoint runs of `lengths[1:count]` fit into packed runs."""
    states = np.empty(MAX_STATES, np.int64)
    after = np.empty(MAX_STATES, np.int64)
    states[0] = packed
    num_states = 1
    for index in range(1, count):
        num_states = _cut(states, num_states, int(lengths[index]), after)
        states, after = after, states
    return num_states > 0


@kernel
def covering_top(ones, twos, links, num_pairs, runs, num_runs, barred):
    """Return the position whose rank a play of one group has against a lead, or -1 if it does not cover the lead.

    The lead has `num_pairs` pairs in all, tractors of lengths `runs[:num_runs]`. It is ranked by its largest kind alone:
    the top of the best run that can stand for its longest tractor, else the best pair, else the best card
    (`rules.md` 1.2). Against a lead of one component, of as many cards, covering is the same as having its shape.
    `barred`: positions that may not be the top of a run (the joker tractor where it is demoted).
    """
    if num_pairs == 0:
        return highest(ones)
    if popcount(twos) < num_pairs:
        return -1
    if num_runs == 0:
        return highest(twos)
    length = int(runs[0])
    tops = run_tops(twos, links, length) & ~barred
    while tops != 0:
        top = highest(tops)
        if num_runs == 1 or _packs(pack_runs(twos & ~run_bits(top, length), links), runs, num_runs):
            return top
        tops ^= 1 << top
    return -1
