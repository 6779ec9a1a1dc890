"""Counterfactual labels: every play of a decision is carried out and the deal played to its end, in the same worlds.

The luck of the deal is common to all plays of a decision and cancels. Labels are from the view of the acting side, in
points: what the declarer captures, and what the score says beyond that (bonuses, made and failed contracts, fines).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baofen.agents.heuristic_v1.choose import choose_action
from baofen.agents.heuristic_v1.playout import play_once
from baofen.agents.plays.features import NUM_FEATURES, write_plays
from baofen.agents.plays.listing import MAX_PLAYS, PLAYS, list_exchanges, list_plays, make_play
from baofen.agents.policy.scorer_kernels import (
    ScorerParameters,
    ScorerScratch,
    make_scratch,
    observe_for_scorer,
    order_row,
    score_plays,
)
from baofen.agents.search.candidates import CANDIDATES
from baofen.agents.search.worlds import WORLDS, begin_walk, expect_play, next_world
from baofen.envs.cards import NUM_FACES
from baofen.envs.core.bits import count_cards
from baofen.envs.core.dtypes import BURY, OVER, PLAY, TABLE
from baofen.envs.core.kernel import kernel
from baofen.envs.core.rng import advance, below, mix, stream
from baofen.envs.core.step import apply
from baofen.envs.observation import OBSERVATION_SIZE

DECLARER, DEFENDER, BURYING = range(3)
KINDS = ("declarer", "defender", "bury")
"""Kinds of decisions, a network each."""
POINTS_PER_LEVEL = 10.0
PARTS = 1 << 16
"""Shares are given to kernels in parts of this."""


class Scorers(NamedTuple):
    """The networks that kernels may ask, one for each kind of decision, and how far bonuses count beside points."""

    declarer: ScorerParameters
    defender: ScorerParameters
    bury: ScorerParameters
    bonus_share: float
    scratch: ScorerScratch


class Room(NamedTuple):
    """What kernels work in; one for each thread."""

    order: NDArray[np.int64]
    """[orders of suits, observation size], of `suit_orders.observation_orders`."""
    places: NDArray[np.int64]
    """[orders of suits, 54], of `suit_orders.face_places`."""
    tables: NDArray[np.void]
    """TABLE [3]: the world, the play-out, and what becomes of a play."""
    found: NDArray[np.void]
    """CANDIDATES [1]"""
    plays: NDArray[np.void]
    """PLAYS [2]: of the decision, and of decisions in play-outs."""
    walk: NDArray[np.void]
    """WORLDS [1]"""
    rng: NDArray[np.uint64]
    """[1]: the stream that draws come from."""
    plain: NDArray[np.uint8]
    observation: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    features: NDArray[np.float32]
    points: NDArray[np.float32]
    bonus: NDArray[np.float32]
    counts: NDArray[np.int64]
    """[3]: deals, play-outs, decisions that a network was asked in play-outs."""


class Rows(NamedTuple):
    """Where labelled decisions are written, flat by entry but for the first four."""

    observation: NDArray[np.uint8]
    kind: NDArray[np.int8]
    sizes: NDArray[np.int16]
    """Plays of each decision."""
    worlds: NDArray[np.int16]
    cards: NDArray[np.uint8]
    features: NDArray[np.float32]
    points: NDArray[np.float32]
    bonus: NDArray[np.float32]


class Shares(NamedTuple):
    """Which decisions are labelled, and how the deals are played; shares in parts of `PARTS`."""

    true: int
    """Plays labelled in the true deal."""
    worlds: int
    """Plays labelled by the mean over worlds; leads `lead_factor` times as often."""
    lead_factor: int
    bury: int
    num_worlds: int
    exploration: int
    """Plays drawn from the list."""
    network: int
    """For each side of a deal: the chance that the networks play it, not the heuristic."""
    own_leads: int
    """1: in play-outs the networks lead for the acting side while its hands are long."""
    only_leads: int
    """1: no follow is labelled."""
    only_declarer: int
    """1: no defender's play is labelled."""
    top: int
    """Most plays that are labelled: the heuristic's own and those the network likes best; 0: all."""


OWN_LEADS_HAND = 13
"""Cards in a hand from which on a network leads in play-outs: what it adds later is little, and play-outs dear."""


def make_room(order: NDArray[np.int64], places: NDArray[np.int64]) -> Room:
    """Return room for one thread; the arguments are as in `Room`."""
    return Room(
        np.ascontiguousarray(order, np.int64),
        np.ascontiguousarray(places, np.int64),
        np.zeros(3, TABLE),
        np.zeros(1, CANDIDATES),
        np.zeros(2, PLAYS),
        np.zeros(1, WORLDS),
        np.zeros(1, np.uint64),
        np.zeros(OBSERVATION_SIZE, np.uint8),
        np.zeros(OBSERVATION_SIZE, np.uint8),
        np.zeros((MAX_PLAYS, NUM_FACES), np.uint8),
        np.zeros((MAX_PLAYS, NUM_FEATURES), np.float32),
        np.zeros(MAX_PLAYS, np.float32),
        np.zeros(MAX_PLAYS, np.float32),
        np.zeros(3, np.int64),
    )


def make_scorers(
    declarer: ScorerParameters, defender: ScorerParameters, bury: ScorerParameters, bonus_share: float
) -> Scorers:
    """Return networks for kernels; all three may differ in size."""
    return Scorers(declarer, defender, bury, float(bonus_share), make_scratch(declarer, defender, bury))


@kernel
def _draw(room, bound):
    room.rng[0] = advance(room.rng[0])
    return below(mix(room.rng[0]), bound)


@kernel
def decision_kind(table):
    """Return which kind of decision a play or a bury is."""
    if table.phase == BURY:
        return BURYING
    return DECLARER if table.acting == table.declarer else DEFENDER


@kernel
def write_decision(table, rules, weights, plays, room):
    """Write the observation, and the cards and features of a list, into the room; suits in the scorer's order."""
    row = order_row(table, rules)
    observe_for_scorer(table, rules, room.order[row], room.plain, room.observation)
    write_plays(table, rules, weights, plays, room.places[row], room.tables[2:], room.cards, room.features)


@kernel
def _score(parameters, scorers, count, room):
    score_plays(
        room.observation, room.cards, room.features, count, parameters, scorers.scratch, room.points, room.bonus
    )


@kernel
def ask(table, rules, weights, plays, scorers, room):
    """Return the entry of a list that the network of its kind likes best; the answers stay in the room."""
    write_decision(table, rules, weights, plays, room)
    count = int(plays.count)
    kind = decision_kind(table)
    if kind == DECLARER:
        _score(scorers.declarer, scorers, count, room)
    elif kind == DEFENDER:
        _score(scorers.defender, scorers, count, room)
    else:
        _score(scorers.bury, scorers, count, room)
    best = 0
    for index in range(count):
        room.points[index] += scorers.bonus_share * room.bonus[index]
        if room.points[index] > room.points[best]:
            best = index
    return best


@kernel
def outcome(table, rules):
    """Return `(points, bonus)` of a finished deal from the declarer's view."""
    points = float(table.result_captured)
    if rules.level_settlement:
        return points, POINTS_PER_LEVEL * table.result_score - points
    return points, float(table.result_score + table.result_target) - points


@kernel
def play_on(table, rules, weights, own_leads, declarers, scorers, room):
    """Play a deal to its end by the heuristic; with `own_leads` the networks lead for one side while hands are long."""
    while table.phase != OVER:
        if own_leads and table.num_plays == 0 and (table.acting == table.declarer) == declarers:
            seat = int(table.acting)
            if count_cards(table.hand_ones[seat], table.hand_twos[seat]) >= OWN_LEADS_HAND:
                list_plays(table, rules, weights, room.found[0], room.plays[1])
                best = 0
                if room.plays[1].count > 1:
                    best = ask(table, rules, weights, room.plays[1], scorers, room)
                    room.counts[2] += 1
                make_play(table, rules, room.plays[1], best)
                continue
        play_once(table, rules, weights)


@kernel
def label_plays(table, rules, weights, plays, num_worlds, own_leads, scorers, room, points, bonus):
    """Write the labels of all entries of a list of plays or buries; return False if no world was found.

    num_worlds: worlds that the acting seat may be in; 0: the true deal. points, bonus: float32 [>= count], means.
    """
    declarers = table.acting == table.declarer
    side = 1.0 if declarers else -1.0
    count = int(plays.count)
    if num_worlds > 0:
        room.rng[0] = advance(room.rng[0])
        if not begin_walk(table, rules, int(table.acting), mix(room.rng[0]), room.walk[0]):
            return False
        expect_play(table, rules, room.walk[0])
    times = max(num_worlds, 1)
    for index in range(count):
        points[index] = 0.0
        bonus[index] = 0.0
    for _ in range(times):
        room.tables[0] = table
        if num_worlds > 0:
            next_world(table, rules, room.walk[0], room.tables[0])
        for index in range(count):
            room.tables[1] = room.tables[0]
            future = room.tables[1]
            future.deals_per_match = 0
            make_play(future, rules, plays, index)
            play_on(future, rules, weights, own_leads, declarers, scorers, room)
            captured, beyond = outcome(future, rules)
            points[index] += side * captured / times
            bonus[index] += side * beyond / times
            room.counts[1] += 1
    return True


@kernel
def _swap(plays, room, one, other):
    """Exchange two entries of a list and what the network says of them."""
    plays.ones[one], plays.ones[other] = plays.ones[other], plays.ones[one]
    plays.twos[one], plays.twos[other] = plays.twos[other], plays.twos[one]
    plays.action[one], plays.action[other] = plays.action[other], plays.action[one]
    room.points[one], room.points[other] = room.points[other], room.points[one]


@kernel
def _keep_best(plays, chosen, top, room):
    """Leave the heuristic's own, the entry `chosen`, and what the network likes best, `top` in all.

    Returns where the chosen entry went.
    """
    count = int(plays.count)
    if count <= top:
        return chosen
    kept = 1
    if chosen != 0:
        _swap(plays, room, 1, chosen)
        kept = 2
    while kept < top:
        likes = kept
        for index in range(kept, count):
            if room.points[index] > room.points[likes]:
                likes = index
        _swap(plays, room, kept, likes)
        kept += 1
    plays.count = kept
    return min(chosen, 1)


@kernel
def _label_row(table, rules, weights, plays, num_worlds, own_leads, scorers, room, rows, at, row):
    """Write decision `row`, its entries from `at` on; return where the next begins, `at` if no world was found."""
    count = int(plays.count)
    end = at + count
    if not label_plays(
        table, rules, weights, plays, num_worlds, own_leads, scorers, room, rows.points[at:end], rows.bonus[at:end]
    ):
        return at
    write_decision(table, rules, weights, plays, room)
    rows.observation[row] = room.observation
    rows.kind[row] = decision_kind(table)
    rows.sizes[row] = count
    rows.worlds[row] = num_worlds
    rows.cards[at:end] = room.cards[:count]
    rows.features[at:end] = room.features[:count]
    return end


@kernel
def _num_worlds(table, shares, room):
    """Draw how this decision is labelled: -1 not at all, 0 in the true deal, else so many worlds."""
    if table.phase == BURY:
        if _draw(room, PARTS) >= shares.bury:
            return -1
        return shares.num_worlds if shares.num_worlds > 0 and _draw(room, 2) == 0 else 0
    leads = table.num_plays == 0
    if (shares.only_leads and not leads) or (shares.only_declarer and table.acting != table.declarer):
        return -1
    drawn = _draw(room, PARTS)
    in_worlds = shares.worlds * (shares.lead_factor if leads else 1)
    if drawn < in_worlds:
        return shares.num_worlds
    return 0 if drawn < in_worlds + shares.true else -1


@kernel
def _decide(table, rules, weights, plays, by_network, shares, scorers, room):
    """Return the entry to be played: the heuristic's own, the network's, or at times any."""
    count = int(plays.count)
    best = 0
    if by_network and count > 1:
        best = ask(table, rules, weights, plays, scorers, room)
    if count > 1 and _draw(room, PARTS) < shares.exploration * (4 if table.phase == BURY else 1):
        best = _draw(room, count)
    return best


@kernel
def collect(tables, first, seed, rules, weights, shares, scorers, room, rows):
    """Play deals and write labels until the rows are full or the deals are done; return `(deals, decisions, entries)`.

    tables: TABLE [B], deals that have just begun, the numbers `first`, `first` + 1 ..; they are played.
    """
    row = 0
    at = 0
    for index in range(tables.shape[0]):
        if row + 128 > rows.kind.shape[0] or at + 128 * MAX_PLAYS > rows.points.shape[0]:
            return index, row, at
        table = tables[index]
        room.rng[0] = stream(seed, np.uint64(first + index))
        room.counts[0] += 1
        while table.phase < BURY:
            apply(table, rules[0], choose_action(table, rules[0], weights[0]))
        declarer_by_network = _draw(room, PARTS) < shares.network
        defenders_by_network = _draw(room, PARTS) < shares.network
        while table.phase != OVER:
            alone = table.acting == table.declarer
            by_network = declarer_by_network if alone else defenders_by_network
            plays = room.plays[0]
            list_plays(table, rules[0], weights[0], room.found[0], plays)
            if table.phase == BURY and _draw(room, 2) == 0:
                best = _decide(table, rules[0], weights[0], plays, by_network, shares, scorers, room)
                list_exchanges(table, rules[0], weights[0], best, room.found[0], plays)
            best = _decide(table, rules[0], weights[0], plays, by_network, shares, scorers, room)
            if plays.count > 1:
                num_worlds = _num_worlds(table, shares, room)
                if num_worlds >= 0:
                    if shares.top > 0 and table.phase == PLAY:
                        if not by_network:
                            ask(table, rules[0], weights[0], plays, scorers, room)
                        best = _keep_best(plays, best, shares.top, room)
                    own_leads = shares.own_leads
                    end = _label_row(
                        table, rules[0], weights[0], plays, num_worlds, own_leads, scorers, room, rows, at, row
                    )
                    if end > at:
                        row += 1
                        at = end
            make_play(table, rules[0], plays, best)
    return tables.shape[0], row, at
