"""Candidates tried in worlds: nominated by their means, confirmed on fresh worlds, the best carried out as a plan."""

import numpy as np

from baofen.agents.draws import draw_number
from baofen.agents.heuristic_v1.choose import choose_action
from baofen.agents.heuristic_v1.knowledge import Cards
from baofen.agents.heuristic_v1.plans import fits, next_action
from baofen.agents.heuristic_v1.playout import bury_cards, playout
from baofen.agents.search.buries import add_exchanges, find_buries
from baofen.agents.search.candidates import MAX_CANDIDATES, find_candidates
from baofen.agents.search.endgame import is_solvable, solve
from baofen.agents.search.worlds import begin_walk, expect_play, next_world
from baofen.envs.core.dtypes import BURY, PLAY
from baofen.envs.core.kernel import kernel
from baofen.envs.core.step import after_play, play_cards
from baofen.envs.core.trick import play_eight

BONUS_SHARE = 0.5
"""Part of bonuses and penalties (all or no trump points, sweep, nothing captured) that counts beside the points.

They are rare and large: at their full price they drown the points in noise, at none they are given away.
"""
CONFIRM_WORLDS = 10
"""Fresh worlds to confirm a nominee, for each world that nominated it."""
CONFIDENCE = 1.96
EXACT_CARDS = 3
"""From so many cards a hand on, worlds are solved: a whole decision of 100 worlds then takes less than 50 ms."""
NO_WORLD = -1
SEARCH_STREAM = np.uint64(0x5EA2C4)


@kernel
def outcome(table, rules):
    """Return what a finished deal is worth to the declarer, in points."""
    points = float(table.result_captured)
    if rules.level_settlement:
        return points
    bonus = float(table.result_score + table.result_target) - points
    return points + BONUS_SHARE * bonus


@kernel
def try_candidate(table, rules, weights, found, index, solver, path):
    """Play or bury a candidate and go on to the end; return what it is worth to the acting seat's side."""
    if table.phase == PLAY:
        return play_candidate(table, rules, weights, found, index, solver, path)
    table.deals_per_match = 0
    bury_cards(table, rules, Cards(found.ones[index], found.twos[index]))
    playout(table, rules, weights)
    return outcome(table, rules)


@kernel
def play_candidate(table, rules, weights, found, index, solver, path):
    """Make a candidate play and go on to the end; return what it is worth to the acting seat's side."""
    side = 1.0 if table.acting == table.declarer else -1.0
    table.deals_per_match = 0
    exact = is_solvable(table, rules, EXACT_CARDS)
    if found.eight[index] != 0:
        play_eight(table, rules, int(found.eight[index]))
        after_play(table, rules)
    else:
        play_cards(table, rules, found.ones[index], found.twos[index])
    if exact:
        return side * float(solve(table, rules, solver, path))
    playout(table, rules, weights)
    return side * outcome(table, rules)


@kernel
def nominate(table, rules, weights, found, num_worlds, walk, scratch, totals, solver, path):
    """Write the sum of what each candidate is worth over the next worlds of a walk into `totals`."""
    for index in range(found.count):
        totals[index] = 0.0
    for _ in range(num_worlds):
        scratch[0] = table
        next_world(table, rules, walk, scratch[0])
        for index in range(found.count):
            scratch[1] = scratch[0]
            totals[index] += try_candidate(scratch[1], rules, weights, found, index, solver, path)


@kernel
def is_surely_better(table, rules, weights, found, nominee, num_worlds, walk, scratch, solver, path):
    """Return whether the nominee beats the heuristic's play on fresh worlds, by the lower bound of the mean."""
    total = 0.0
    squares = 0.0
    for _ in range(num_worlds):
        scratch[0] = table
        next_world(table, rules, walk, scratch[0])
        scratch[1] = scratch[0]
        gain = try_candidate(scratch[1], rules, weights, found, nominee, solver, path)
        scratch[1] = scratch[0]
        gain -= try_candidate(scratch[1], rules, weights, found, 0, solver, path)
        total += gain
        squares += gain * gain
    mean = total / num_worlds
    variance = max(squares / num_worlds - mean * mean, 0.0) / max(num_worlds - 1, 1)
    return mean > CONFIDENCE * np.sqrt(variance)


@kernel
def _best_candidate(table, rules, weights, num_worlds, cheats, work):
    """Return the index of the candidate that is best in the true deal, or on average over the next worlds."""
    found, walk, scratch, totals, solver, path = work
    if cheats:
        for index in range(found.count):
            scratch[1] = table
            totals[index] = try_candidate(scratch[1], rules, weights, found, index, solver, path)
    else:
        nominate(table, rules, weights, found, num_worlds, walk, scratch, totals, solver, path)
    best = 0
    for index in range(1, found.count):
        if totals[index] > totals[best]:
            best = index
    return best


@kernel
def _search(table, rules, weights, seed, num_worlds, confirm, cheats, work):
    """Return the index of the best candidate, `NO_WORLD` if no world was found."""
    found, walk, scratch, _, solver, path = work
    if not cheats:
        number = draw_number(table, seed ^ SEARCH_STREAM, False)
        if not begin_walk(table, rules, int(table.acting), number, walk):
            return NO_WORLD
        expect_play(table, rules, walk)
    best = _best_candidate(table, rules, weights, num_worlds, cheats, work)
    if table.phase == BURY:
        add_exchanges(table, rules, weights, best, found)
        best = _best_candidate(table, rules, weights, num_worlds, cheats, work)
    if confirm and best != 0:
        fresh = CONFIRM_WORLDS * num_worlds
        if not is_surely_better(table, rules, weights, found, best, fresh, walk, scratch, solver, path):
            best = 0
    return best


@kernel
def search_all(
    tables,
    rules,
    weights,
    indices,
    seed,
    num_worlds,
    confirm,
    cheats,
    found,
    walk,
    scratch,
    solver,
    path,
    plans,
    actions,
):
    """Write the next action of each view; a plan is searched for when a play begins and then followed.

    `plans`: one record of `CANDIDATES` for each table, of which entry 0 is the plan. Returns whether worlds were found.
    """
    totals = np.empty(MAX_CANDIDATES)
    work = (found[0], walk[0], scratch, totals, solver[0], path)
    for row in range(tables.shape[0]):
        table = tables[row]
        plan = plans[indices[row]]
        if table.phase != PLAY and table.phase != BURY:
            actions[row] = choose_action(table, rules[0], weights[0])
            continue
        if table.selection_ones == 0 or not fits(table, Cards(plan.ones[0], plan.twos[0])):
            if table.phase == PLAY:
                find_candidates(table, rules[0], weights[0], found[0])
            else:
                find_buries(table, rules[0], weights[0], found[0])
            best = 0
            if found[0].count > 1 and table.selection_ones == 0:
                best = _search(table, rules[0], weights[0], seed, num_worlds, confirm, cheats, work)
                if best == NO_WORLD:
                    return False
            plan.ones[0] = found[0].ones[best]
            plan.twos[0] = found[0].twos[best]
            plan.eight[0] = found[0].eight[best]
        actions[row] = next_action(table, rules[0], Cards(plan.ones[0], plan.twos[0]), int(plan.eight[0]))
    return True
