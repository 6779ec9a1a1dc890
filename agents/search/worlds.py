"""Worlds: deals of the hidden cards that agree with all that a seat knows.

A world gives every card that the observer has not seen to one of the other three hands or, where he does not know
it, to the pile of eight (the bottom, or what the declarer has buried). It agrees with

- the number of cards in each hand, the observer's own hand and own bury;
- voids, and groups in which following has shown that a hand holds no pair or no run;
- cards that all have seen: held for sure, or (exposed by the declarer before he buried) held or buried.

All worlds are equally likely (the two copies of a face counted as different cards): a random walk that exchanges two
cards, or three or four in a ring, between holders, keeps what is allowed and so has the uniform distribution.

`expect_play` makes a walk an informed one: declarers hold many trumps and bury neither trumps nor points, so worlds in
which they do are less likely, by odds for each card; then the walk takes an exchange with the chance that the odds give.
"""

import numpy as np

from baofen.envs.core.bits import count_cards, lowest
from baofen.envs.core.dtypes import AUCTION, NO_TRUMP_YET, NOBODY, PLAY, TRUMP_GROUP
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.rng import advance, below, mix

PILE = 4
"""Holder index of the eight cards that are in no hand; 0 .. 3 are the seats."""
NUM_HOLDERS = 5
MAX_HIDDEN = 83
"""Cards that a seat with 25 cards has not seen."""
PILE_CARDS = 8
WALK_PER_CARD = 6
"""Exchanges tried per hidden card from one world to the next."""
LONGEST_REPAIR = 1_000_000
ALL_SEEN = 2
# Odds of a card against another of its holder's, counted in self-play of the heuristic (14.4 trumps in the declarer's
# hand and 7.2 in a defender's; 0 trumps and 0.003 points buried), and kept milder than that.
TRUMP_WITH_DECLARER = 3.0
TRUMP_BURIED = 0.02
POINTS_BURIED = 0.02

WORLDS = np.dtype(
    [
        ("observer", np.int8),
        ("num_hidden", np.int16),
        ("position", np.int8, MAX_HIDDEN),  # of each hidden card that may move
        ("allowed", np.uint8, MAX_HIDDEN),  # bit h: holder h may have it
        ("holder", np.int8, MAX_HIDDEN),
        ("ones", np.int64, NUM_HOLDERS),  # what each holder has, cards that cannot move included
        ("twos", np.int64, NUM_HOLDERS),
        ("pairless", np.int64, NUM_HOLDERS),  # positions at which a holder may not have both copies
        ("runless", np.int64, NUM_HOLDERS),  # positions at which a holder may not have neighbouring pairs
        ("informed", np.int8),  # whether the odds count
        ("declarer", np.int8),
        ("declarer_odds", np.float64, MAX_HIDDEN),  # of each hidden card to be with the declarer, or in the pile,
        ("pile_odds", np.float64, MAX_HIDDEN),  # against being elsewhere
        ("rng", np.uint64),
    ],
    align=True,
)
"""dtype of a random walk through the worlds of one decision."""


@kernel
def _group_positions(rules, layout, flags):
    """Return the positions of the groups whose bits are set in `flags`."""
    bits = 0
    for group in range(5):
        if (flags >> group) & 1:
            bits |= rules.group_bits[layout, group]
    return bits


@inline_kernel
def _breaks(walk, links, holder):
    """Return how many pairs and runs a holder has that it has been shown not to have (counted roughly, 0 if none)."""
    twos = walk.twos[holder]
    if twos & walk.pairless[holder] != 0:
        return 1 + count_cards(twos & walk.pairless[holder], 0)
    runs = twos & walk.runless[holder]
    return count_cards(runs & ((runs & links) << 1), 0)


@inline_kernel
def _put(walk, holder, position):
    bits = 1 << position
    walk.twos[holder] |= walk.ones[holder] & bits
    walk.ones[holder] |= bits


@inline_kernel
def _take(walk, holder, position):
    bits = 1 << position
    if walk.twos[holder] & bits != 0:
        walk.twos[holder] &= ~bits
    else:
        walk.ones[holder] &= ~bits


@kernel
def _hidden_cards(table, rules, walk, space):
    """List the hidden cards with the holders each may have, and the room of each holder in `space` [5].

    Cards known to be in a hand are put there at once and do not move.
    """
    observer = int(walk.observer)
    layout = table.layout
    pile_known = table.declarer == observer  # he took the bottom and buried what he buried
    for seat in range(4):
        space[seat] = 0
        walk.ones[seat] = 0
        walk.twos[seat] = 0
        if seat != observer:
            space[seat] = 25 - count_cards(table.played_ones[seat], table.played_twos[seat])
            walk.ones[seat] = table.held_ones[seat]
            walk.twos[seat] = table.held_twos[seat]
            if table.phase <= AUCTION or table.declarer != seat:
                walk.ones[seat] |= table.shown_ones[seat]
                walk.twos[seat] |= table.shown_twos[seat]
            space[seat] -= count_cards(walk.ones[seat], walk.twos[seat])
    walk.ones[PILE] = 0
    walk.twos[PILE] = 0
    space[PILE] = 0 if pile_known else PILE_CARDS
    count = 0
    for position in range(54):
        seen = (table.hand_ones[observer] >> position & 1) + (table.hand_twos[observer] >> position & 1)
        if pile_known:
            seen += (table.buried_ones >> position & 1) + (table.buried_twos >> position & 1)
        for seat in range(4):
            seen += (table.played_ones[seat] >> position & 1) + (table.played_twos[seat] >> position & 1)
            seen += (walk.ones[seat] >> position & 1) + (walk.twos[seat] >> position & 1)
        allowed = 0
        for holder in range(NUM_HOLDERS):
            if holder != observer and (holder != PILE or not pile_known):
                void = 0 if holder == PILE else table.shown_void[holder]
                if layout == NO_TRUMP_YET or (void >> rules.group[layout, position]) & 1 == 0:
                    allowed |= 1 << holder
        exposed = 0  # copies that are in the declarer's hand or buried
        declarer = table.declarer
        if table.phase == PLAY and declarer != observer:
            exposed = (table.shown_ones[declarer] >> position & 1) + (table.shown_twos[declarer] >> position & 1)
            exposed -= (walk.ones[declarer] >> position & 1) + (walk.twos[declarer] >> position & 1)
        for copy in range(ALL_SEEN - seen):
            walk.position[count] = position
            walk.allowed[count] = (1 << declarer | 1 << PILE) & allowed if copy < exposed else allowed
            walk.holder[count] = NOBODY
            count += 1
    walk.num_hidden = count


@kernel
def _make_room(walk, card, space):
    """Find a holder for a card, moving others along where all that may have it are full; return it or NOBODY.

    Breadth first over the five holders: from those the card may go to, along cards that may move on, to one with room.
    """
    came_from = np.full(NUM_HOLDERS, -2, np.int64)
    moved = np.full(NUM_HOLDERS, -1, np.int64)
    queue = np.empty(NUM_HOLDERS, np.int64)
    head = tail = 0
    for holder in range(NUM_HOLDERS):
        if (walk.allowed[card] >> holder) & 1:
            came_from[holder] = -1
            queue[tail] = holder
            tail += 1
    while head < tail:
        holder = queue[head]
        head += 1
        if space[holder] > 0:
            space[holder] -= 1
            while came_from[holder] >= 0:
                mover = moved[holder]
                origin = came_from[holder]
                _take(walk, origin, walk.position[mover])
                _put(walk, holder, walk.position[mover])
                walk.holder[mover] = holder
                holder = origin
            return holder
        for other in range(walk.num_hidden):
            if walk.holder[other] != holder:
                continue
            for target in range(NUM_HOLDERS):
                if came_from[target] == -2 and (walk.allowed[other] >> target) & 1:
                    came_from[target] = holder
                    moved[target] = other
                    queue[tail] = target
                    tail += 1
    return NOBODY


@kernel
def _random_below(walk, bound):
    walk.rng = advance(walk.rng)
    return below(mix(walk.rng), bound)


@inline_kernel
def _odds(walk, card, holder):
    if holder == PILE:
        return walk.pile_odds[card]
    return walk.declarer_odds[card] if holder == walk.declarer else 1.0


@kernel
def _odds_allow(walk, cards, size):
    """Draw whether an exchange is taken: with the ratio of the odds after and before it."""
    ratio = 1.0
    for index in range(size):
        following = walk.holder[cards[(index + 1) % size]]
        ratio *= _odds(walk, cards[index], following) / _odds(walk, cards[index], walk.holder[cards[index]])
    return ratio >= 1.0 or _random_below(walk, 1 << 20) < ratio * (1 << 20)


@kernel
def _exchange(walk, links, size):
    """Try to hand `size` cards of different holders on in a ring; undo it where that breaks more than before."""
    cards = np.empty(4, np.int64)
    mask = 0
    for index in range(size):
        cards[index] = _random_below(walk, walk.num_hidden)
        holder = walk.holder[cards[index]]
        if (mask >> holder) & 1:
            return
        mask |= 1 << holder
    for index in range(size):
        if (walk.allowed[cards[index]] >> walk.holder[cards[(index + 1) % size]]) & 1 == 0:
            return
    if walk.informed and not _odds_allow(walk, cards, size):
        return
    before = after = 0
    for index in range(size):
        before += _breaks(walk, links, walk.holder[cards[index]])
    first = walk.holder[cards[0]]
    for index in range(size):
        _hand_on(walk, cards[index], first if index + 1 == size else walk.holder[cards[index + 1]])
    for index in range(size):
        after += _breaks(walk, links, walk.holder[cards[index]])
    if after <= before:
        return
    last = walk.holder[cards[size - 1]]
    for index in range(size - 1, -1, -1):
        _hand_on(walk, cards[index], last if index == 0 else walk.holder[cards[index - 1]])


@inline_kernel
def _hand_on(walk, card, holder):
    _take(walk, walk.holder[card], walk.position[card])
    _put(walk, holder, walk.position[card])
    walk.holder[card] = holder


@kernel
def _walk_on(walk, links, steps):
    """Take steps of the random walk; one in eight moves three cards, one in 32 four."""
    for _ in range(steps):
        kind = _random_below(walk, 32)
        _exchange(walk, links, 4 if kind == 0 else 3 if kind < 5 else 2)


@kernel
def _is_consistent(walk, links):
    for holder in range(NUM_HOLDERS):
        if _breaks(walk, links, holder) != 0:
            return False
    return True


@kernel
def begin_walk(table, rules, observer, seed, walk):
    """Begin a walk through the worlds that agree with what `observer` knows; return False if none was found.

    Reads of the table only what the observer may know.
    """
    walk.observer = observer
    walk.informed = False
    walk.rng = seed
    links = rules.links[table.layout]
    space = np.zeros(NUM_HOLDERS, np.int64)
    _hidden_cards(table, rules, walk, space)
    for holder in range(NUM_HOLDERS):
        walk.pairless[holder] = 0
        walk.runless[holder] = 0
        if holder < 4 and table.layout != NO_TRUMP_YET:
            walk.pairless[holder] = _group_positions(rules, table.layout, table.shown_pairless[holder])
            walk.runless[holder] = _group_positions(rules, table.layout, table.shown_runless[holder])
    for index in range(walk.num_hidden - 1, 0, -1):  # a random order of cards to place
        other = _random_below(walk, index + 1)
        walk.position[index], walk.position[other] = walk.position[other], walk.position[index]
        walk.allowed[index], walk.allowed[other] = walk.allowed[other], walk.allowed[index]
    for card in range(walk.num_hidden):
        holder = _make_room(walk, card, space)
        if holder == NOBODY:
            return False
        _put(walk, holder, walk.position[card])
        walk.holder[card] = holder
    repairs = 0
    while not _is_consistent(walk, links):
        _walk_on(walk, links, 64)
        repairs += 64
        if repairs > LONGEST_REPAIR:
            return False
    _walk_on(walk, links, 4 * WALK_PER_CARD * walk.num_hidden)
    return True


@kernel
def expect_play(table, rules, walk):
    """Make a walk that has begun an informed one; it goes on to where the odds lead."""
    layout = table.layout
    if table.phase != PLAY or table.declarer == walk.observer:
        return
    trumps = rules.group_bits[layout, TRUMP_GROUP]
    points = rules.fives[layout] | rules.tens[layout]
    walk.informed = True
    walk.declarer = table.declarer
    for card in range(walk.num_hidden):
        bits = 1 << walk.position[card]
        walk.declarer_odds[card] = TRUMP_WITH_DECLARER if bits & trumps else 1.0
        walk.pile_odds[card] = 1.0
        if bits & trumps:
            walk.pile_odds[card] = TRUMP_BURIED
        elif bits & points:
            walk.pile_odds[card] = POINTS_BURIED
    _walk_on(walk, rules.links[layout], 8 * WALK_PER_CARD * walk.num_hidden)


@kernel
def next_world(table, rules, walk, world):
    """Walk on and write the next world into `world`, a table that is a copy of what the observer knows."""
    _walk_on(walk, rules.links[table.layout], WALK_PER_CARD * walk.num_hidden)
    for seat in range(4):
        if seat != walk.observer:
            world.hand_ones[seat] = walk.ones[seat]
            world.hand_twos[seat] = walk.twos[seat]
    if table.phase == PLAY and table.declarer != walk.observer:
        world.buried_ones = walk.ones[PILE]
        world.buried_twos = walk.twos[PILE]
    elif table.phase <= AUCTION:
        _write_bottom(rules, walk, world)


@kernel
def _write_bottom(rules, walk, world):
    """Write the pile as the last eight cards of the deck, where the declarer will take them from."""
    ones, twos = walk.ones[PILE], walk.twos[PILE]
    index = 100
    while ones != 0:
        position = lowest(ones)
        ones &= ones - 1
        world.deck[index] = rules.face[world.layout, position]
        index += 1
        if (twos >> position) & 1:
            world.deck[index] = rules.face[world.layout, position]
            index += 1
