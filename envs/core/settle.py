"""The end of a deal: scores, pot, fines, forfeits and who calls first next (`rules.md` sections 2, 4 and 5)."""

from baofen.envs.core.dtypes import (
    BY_RESULT,
    DIRECT,
    DRAWN,
    FORFEIT_POINTS,
    LAST_DECLARER,
    NOBODY,
    PLAY,
    POT,
    TRUMP_GROUP,
    ZERO_SUM,
)
from baofen.envs.core.kernel import kernel
from baofen.envs.core.trick import points_of

SWEEP = 500
SWEEP_WITH_BURIED_POINTS = 250
NOTHING_CAPTURED = -500
ALL_TRUMP_POINTS = 50
NO_TRUMP_POINTS = -100
TRUMP_SUIT_POINTS = 50
DECK_POINTS = 200
POT_FIRST_CALLER = 40
POT_OTHERS = 20
POT_SHARED_AT = 400
POT_LAST_DEAL = 5
ESCAPE_POINTS = 400
ESCAPE_TO_OPPONENTS = (80, 240)  # by room: points, silver
ESCAPE_LEVELS_DECLARER = 7
ESCAPE_LEVELS_DEFENDER = 5


@kernel
def share_pot(table):
    """Give each seat a quarter of the pot, rounded down, and empty it."""
    for seat in range(4):
        table.totals[seat] += table.pot // 4
    table.pot = 0
    table.pot_age = 0


@kernel
def _finish(table, rules, captured, trump_points, score, next_first_caller):
    """Age or share the pot, note the result of the deal and who calls first in the next."""
    if table.pot > 0:
        table.pot_age += 1
        if table.pot >= POT_SHARED_AT or table.pot_age >= POT_LAST_DEAL:
            share_pot(table)
    else:
        table.pot_age = 0
    table.result = min(table.result + 1, 100)
    table.result_played = table.phase == PLAY and table.result_forfeit == NOBODY
    table.result_declarer = table.declarer
    table.result_target = table.target
    table.result_trump = table.trump
    table.result_captured = captured
    table.result_trump_points = trump_points
    table.result_score = score
    for seat in range(4):
        table.result_rewards[seat] = table.totals[seat] - table.start_totals[seat]
    table.result_pot = table.pot
    table.result_pot_age = table.pot_age
    table.result_next_first_caller = next_first_caller


@kernel
def _after(table, rules, failed):
    """Return the next first caller after a deal with a declarer who made it or failed; NOBODY if it is drawn."""
    if rules.next_first_caller == DRAWN:
        return NOBODY
    if rules.next_first_caller == LAST_DECLARER or not failed:
        return int(table.declarer)
    return (table.declarer + 1) & 3


@kernel
def settle_all_pass(table, rules):
    """Settle a deal in which nobody called, by the pot or directly."""
    first = table.first_caller
    if rules.all_pass == POT:
        if table.pot == 0:
            for seat in range(4):
                paid = POT_FIRST_CALLER if seat == first else POT_OTHERS
                table.totals[seat] -= paid
                table.pot += paid
    elif rules.all_pass == DIRECT:
        for seat in range(4):
            table.totals[seat] += -rules.direct_points if seat == first else rules.direct_points
    following = first if rules.next_first_caller == LAST_DECLARER else (first + 1) & 3
    _finish(table, rules, 0, 0, 0, following)


@kernel
def baofen_score(rules, target, captured, captured_trump, buried, buried_trump):
    """Return the score S of a played deal of Baofen (`rules.md` section 2, Deal result)."""
    if captured == 0:
        return NOTHING_CAPTURED
    if captured == DECK_POINTS - buried:
        return SWEEP if buried == 0 else SWEEP_WITH_BURIED_POINTS
    score = captured - target
    needed = TRUMP_SUIT_POINTS
    if rules.trump_bonus_counts_buried:
        needed -= buried_trump
    if captured_trump == 0:
        score += NO_TRUMP_POINTS
    if captured_trump == needed:
        score += ALL_TRUMP_POINTS
    return score


@kernel
def _settle_points(table, rules):
    """Settle a played deal of Baofen: the score, and the pot taken or doubled."""
    layout = table.layout
    trump = rules.group_bits[layout, TRUMP_GROUP]
    buried = points_of(rules, layout, table.buried_ones, table.buried_twos)
    buried_trump = points_of(rules, layout, table.buried_ones & trump, table.buried_twos & trump)
    score = baofen_score(rules, table.target, table.captured, table.captured_trump, buried, buried_trump)
    declarer = table.declarer
    table.totals[declarer] += 3 * score if rules.settlement == ZERO_SUM else score
    for seat in range(4):
        if seat != declarer:
            table.totals[seat] -= score
    failed = score < 0
    if table.pot > 0:
        if failed:
            table.totals[declarer] -= table.pot
            table.pot *= 2
        else:
            table.totals[declarer] += table.pot
            table.pot = 0
    _finish(table, rules, table.captured, table.captured_trump, score, _after(table, rules, failed))


@kernel
def settle_fines(table, rules):
    """Settle the fines of failed throws in levels: a defender's are capped and go to the declarer (`rules.md` 4)."""
    declarer = table.declarer
    for seat in range(4):
        levels = table.fine_levels[seat]
        if seat == declarer:
            for other in range(4):
                if other != declarer:
                    table.totals[other] += levels
                    table.totals[declarer] -= levels
        else:
            paid = min(levels, rules.throw_fine_cap)
            table.totals[seat] -= paid
            table.totals[declarer] += paid
        table.fine_levels[seat] = 0


@kernel
def hongwu_levels(points, target):
    """Return the levels that each defender pays the declarer for R points (`rules.md` section 4, Settlement)."""
    if points >= target:
        return 1 + (points - target + 9) // 10
    return -(1 + (target - points + 9) // 10)


@kernel
def _settle_levels(table, rules):
    """Settle a played deal of Bao Hong Wu: red fives and bottom into R, levels, fines."""
    points = table.captured + table.red_five_bonus
    buried = points_of(rules, table.layout, table.buried_ones, table.buried_twos)
    if table.last_winner == table.declarer:
        points += buried
    elif table.last_winner_trump:
        points -= 2 * buried
    else:
        points -= buried
    levels = hongwu_levels(points, table.target)
    for seat in range(4):
        if seat != table.declarer:
            table.totals[seat] -= levels
            table.totals[table.declarer] += levels
    settle_fines(table, rules)
    _finish(table, rules, points, 0, levels, _after(table, rules, levels < 0))


@kernel
def settle_played(table, rules):
    """Settle a deal that was played to its last card."""
    if rules.level_settlement:
        _settle_levels(table, rules)
    else:
        _settle_points(table, rules)


@kernel
def settle_forfeit(table, rules, seat, room):
    """Settle a deal that `seat` leaves (`rules.md` section 2, Escape, and 5); the phase is the caller's to end."""
    declarer = table.declarer
    if table.pot > 0:
        share_pot(table)
    if rules.level_settlement:
        if declarer != NOBODY:
            settle_fines(table, rules)
        levels = ESCAPE_LEVELS_DECLARER if seat == declarer else ESCAPE_LEVELS_DEFENDER
        for other in range(4):
            if other != seat:
                table.totals[other] += levels
                table.totals[seat] -= levels
    else:
        shared = ESCAPE_TO_OPPONENTS[0] if room == FORFEIT_POINTS else ESCAPE_TO_OPPONENTS[1]
        table.totals[seat] -= ESCAPE_POINTS
        if declarer == NOBODY or seat == declarer:
            for other in range(4):
                if other != seat:
                    table.totals[other] += shared // 3
        else:
            table.totals[declarer] += shared
    if declarer != NOBODY:
        following = _after(table, rules, seat == declarer)
    elif rules.next_first_caller == DRAWN:
        following = NOBODY
    elif rules.next_first_caller == BY_RESULT:
        following = (table.first_caller + 1) & 3
    else:  # nobody has declared yet, so nobody new becomes first caller
        following = int(table.first_caller)
    table.result_forfeit = seat
    table.result_room = room
    _finish(table, rules, table.captured, table.captured_trump, 0, following)
