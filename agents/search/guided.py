"""Search with a scorer of plays: the network proposes and orders the candidates, and may lead for its side in play-outs.

Only the plays that the network thinks best are tried in worlds, and what it thinks counts beside what they say. Its own
pick stands where the heuristic's stands in a plain search: it is played unless another is better (and, with `confirm`,
surely better on fresh worlds).
"""

import numpy as np

from baofen.agents.draws import draw_number
from baofen.agents.plays.labels import play_on
from baofen.agents.plays.listing import MAX_PLAYS, make_play
from baofen.agents.policy.plans_kept import follow_plan, set_plan
from baofen.agents.policy.scorer_choice import NOT_DECIDED, best_play
from baofen.agents.policy.scorer_kernels import POINTS_PER_UNIT
from baofen.agents.search.endgame import is_solvable, solve
from baofen.agents.search.trials import CONFIDENCE, CONFIRM_WORLDS, EXACT_CARDS, NO_WORLD, SEARCH_STREAM, outcome
from baofen.agents.search.worlds import begin_walk, expect_play, next_world
from baofen.envs.core.dtypes import BURY, PLAY
from baofen.envs.core.kernel import kernel

MOST_KEPT = 6
"""Candidates that are searched at most,"""
KEPT_GAP = 0.5
"""of those that the network thinks at most so much worse than its pick, in units of 20 points."""

WORTH_WORLDS = 8
"""What the network expects counts as so many worlds: within a decision, the noise of one play-out has a variance some
eight times that of the error of a trained network."""


@kernel
def keep_best(plays, scores, best, kept, kept_scores):
    """Write the plays that are worth a search into `kept`, the network's pick first, the others in its order.

    Their scores go to `kept_scores`; those in `scores` are used up.
    """
    lowest = scores[best] - KEPT_GAP
    kept.count = 0
    while kept.count < min(MOST_KEPT, int(plays.count)):
        following = best
        if kept.count > 0:
            following = 0
            for index in range(1, plays.count):
                if scores[index] > scores[following]:
                    following = index
            if scores[following] < lowest:
                return
        kept_scores[kept.count] = scores[following]
        scores[following] = -np.inf
        kept.ones[kept.count] = plays.ones[following]
        kept.twos[kept.count] = plays.twos[following]
        kept.action[kept.count] = plays.action[following]
        kept.count += 1


@kernel
def try_guided(table, rules, weights, kept, index, network_leads, scorers, room, solver, path):
    """Play or bury a kept play and go on to the end; return what it is worth to the acting seat's side."""
    declarers = table.acting == table.declarer
    side = 1.0 if declarers else -1.0
    exact = table.phase == PLAY and is_solvable(table, rules, EXACT_CARDS)
    table.deals_per_match = 0
    make_play(table, rules, kept, index)
    if exact:
        return side * float(solve(table, rules, solver, path))
    play_on(table, rules, weights, network_leads, declarers, scorers, room)
    return side * outcome(table, rules)


@kernel
def _search_kept(table, rules, weights, seed, num_worlds, confirm, network_leads, kept, scorers, room, work):
    """Return the index of the best of the kept plays, `NO_WORLD` if no world was found; their scores are in `room.bonus`."""
    totals, solver, path = work
    walk, scratch = room.walk[0], room.tables
    number = draw_number(table, seed ^ SEARCH_STREAM, False)
    if not begin_walk(table, rules, int(table.acting), number, walk):
        return NO_WORLD
    expect_play(table, rules, walk)
    for index in range(kept.count):
        totals[index] = WORTH_WORLDS * POINTS_PER_UNIT * room.bonus[index]
    for _ in range(num_worlds):
        scratch[0] = table
        next_world(table, rules, walk, scratch[0])
        for index in range(kept.count):
            scratch[1] = scratch[0]
            totals[index] += try_guided(
                scratch[1], rules, weights, kept, index, network_leads, scorers, room, solver, path
            )
    best = 0
    for index in range(1, kept.count):
        if totals[index] > totals[best]:
            best = index
    if not confirm or best == 0:
        return best
    total = 0.0
    squares = 0.0
    fresh = CONFIRM_WORLDS * num_worlds
    for _ in range(fresh):
        scratch[0] = table
        next_world(table, rules, walk, scratch[0])
        scratch[1] = scratch[0]
        gain = try_guided(scratch[1], rules, weights, kept, best, network_leads, scorers, room, solver, path)
        scratch[1] = scratch[0]
        gain -= try_guided(scratch[1], rules, weights, kept, 0, network_leads, scorers, room, solver, path)
        total += gain
        squares += gain * gain
    mean = total / fresh
    variance = max(squares / fresh - mean * mean, 0.0) / max(fresh - 1, 1)
    return best if mean > CONFIDENCE * np.sqrt(variance) else 0


@kernel
def search_guided(
    tables, rules, weights, indices, seed, num_worlds, confirm, network_leads, scorers, room, kept, solver, path, plans, actions
):  # fmt: skip
    """Write the next action of each view in bury and play, `NOT_DECIDED` elsewhere.

    network_leads: int64 [2], 1 where in play-outs long hands of the own side lead by the network: defenders, declarer.
    kept: PLAYS [1] to work in. plans: PLAN, one for each table. Returns whether worlds were found.
    """
    totals = np.empty(MAX_PLAYS)
    work = (totals, solver[0], path)
    for row in range(tables.shape[0]):
        table = tables[row]
        plan = plans[indices[row]]
        if table.phase != PLAY and table.phase != BURY:
            actions[row] = NOT_DECIDED
            continue
        if table.selection_ones == 0:
            best = best_play(table, rules[0], weights[0], room.plays[0], scorers, room)
            keep_best(room.plays[0], room.points, best, kept[0], room.bonus)
            best = 0
            if kept[0].count > 1:
                leads = network_leads[1 if table.acting == table.declarer else 0]
                best = _search_kept(
                    table, rules[0], weights[0], seed, num_worlds, confirm, leads, kept[0], scorers, room, work
                )
                if best == NO_WORLD:
                    return False
            set_plan(plan, kept[0], best)
        actions[row] = follow_plan(table, rules[0], weights[0], plan)
    return True
