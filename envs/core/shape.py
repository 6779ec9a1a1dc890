"""The shapes of plays: runs, tractors, coverings (`rules.md` section 1, Decomposition, 1.1 and 1.2).

Runs of one group are written as *packed runs*: the lengths (in pairs, at least 2) of its maximal runs, one nibble each.
Twelve pairs at most lie in one hand of 25 cards, so six nibbles are enough.
"""

from baofen.envs.core.bits import highest, lowest, popcount, run_bits, run_tops
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.state import MAX_RUNS

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
def sort_runs(packed, lengths):  # type: ignore[no-untyped-def]
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


@kernel
def _covering_key(packed, led, num_led, index, left, last, exact, shift):  # type: ignore[no-untyped-def]
    """Return the greatest covering of led tractors `index` and on, as nibbles from `shift` downward.

    `left` pairs of tractor `index` are uncovered, and its last piece had `last`. A 0 nibble ends a tractor. The first
    nibble must be as great as possible; which run it is cut from is tried out, since that decides the later ones.
    """
    piece = min(left, last, longest_run(packed))
    if exact and piece < left:
        piece = 0
    if piece < 2:
        if index + 1 == num_led:
            return 0
        following = int(led[index + 1])
        return _covering_key(packed, led, num_led, index + 1, following, following, exact, shift - 4)
    best = 0
    tried = 0
    for slot in range(MAX_RUNS):
        length = (packed >> (4 * slot)) & 15
        if length >= piece and (tried >> length) & 1 == 0:
            tried |= 1 << length
            rest = packed - (piece << (4 * slot))
            key = _covering_key(rest, led, num_led, index, left - piece, piece, exact, shift - 4)
            best = max(best, key)
    return best | (piece << shift)


@kernel
def owed_pieces(twos, links, led, num_led, exact, pieces):  # type: ignore[no-untyped-def]
    """Write the pieces of the greatest covering a hand can reach (`rules.md` 1.1.2a) and return how many there are.

    `led`: int8 [6], lengths of the led tractors, longest first. `pieces`: int8 [6], longest first.
    `exact`: only a run of at least a led tractor's length is owed to it.
    """
    packed = pack_runs(twos, links)
    if packed == 0:
        return 0
    first = int(led[0])
    key = _covering_key(packed, led, num_led, 0, first, first, exact, 56)
    count = 0
    for shift in range(56, -1, -4):
        length = (key >> shift) & 15
        if length > 0:
            slot = count
            while slot > 0 and pieces[slot - 1] < length:
                pieces[slot] = pieces[slot - 1]
                slot -= 1
            pieces[slot] = length
            count += 1
    return count


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


@kernel
def best_pairs(twos, links, picked_ones, picked_twos, pieces, num_pieces, index, extra, above):  # type: ignore[no-untyped-def]
    """Return the choice of pairs that meets the duties with the most cards picked already.

    A choice holds disjoint runs of the lengths `pieces[index:num_pieces]` and `extra` pairs more. Its weight is the
    number of its cards that are picked; the word returned holds the greatest weight and the union of all choices
    that reach it (`INFEASIBLE` if there is none). Equal pieces are placed in ascending order: tops at `above` only.
    """
    if index == num_pieces:
        return _cheapest_pairs(twos, picked_ones, picked_twos, extra)
    length = int(pieces[index])
    tops = run_tops(twos, links, length)
    if index > 0 and pieces[index - 1] == length:
        tops &= above
    best = INFEASIBLE
    while tops != 0:
        top = lowest(tops)
        tops &= tops - 1
        run = run_bits(top, length)
        choice = best_pairs(
            twos & ~run, links, picked_ones, picked_twos, pieces, num_pieces, index + 1, extra, -1 << (top + 1)
        )
        if choice < 0:
            continue
        weight = popcount(run & picked_ones) + popcount(run & picked_twos)
        choice = (choice + (weight << WEIGHT_SHIFT)) | run
        if choice >> WEIGHT_SHIFT > best >> WEIGHT_SHIFT:
            best = choice
        elif choice >> WEIGHT_SHIFT == best >> WEIGHT_SHIFT:
            best |= choice & POSITIONS
    return best


@kernel
def _packs(packed, lengths, count, index):  # type: ignore[no-untyped-def]
    """Return whether disjoint runs of `lengths[index:count]` fit into packed runs."""
    if index == count:
        return True
    need = int(lengths[index])
    for slot in range(MAX_RUNS):
        if (packed >> (4 * slot)) & 15 >= need and _packs(packed - (need << (4 * slot)), lengths, count, index + 1):
            return True
    return False


@kernel
def covering_top(ones, twos, links, num_pairs, runs, num_runs, barred):  # type: ignore[no-untyped-def]
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
        if num_runs == 1 or _packs(pack_runs(twos & ~run_bits(top, length), links), runs, num_runs, 1):
            return top
        tops ^= 1 << top
    return -1
