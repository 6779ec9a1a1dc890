"""The end of a deal: scores, pot, fines, forfeits and who calls first next (`rules.md` sections 2, 4 and 5)."""

from baofen.envs.core.dtypes import (
    ALL_TRUMP,
    BARE,
    BY_RESULT,
    DIRECT,
    DRAWN,
    FORFEIT_POINTS,
    LAST_DECLARER,
    NO_TRUMP,
    NOBODY,
    PLAIN,
    PLAY,
    POT,
    SWEPT,
    TRUMP_GROUP,
    ZERO_SUM,
)
from baofen.envs.core.kernel import inline_kernel, kernel
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
def _finish(table, rules, captured, trump_points, event, score, next_first_caller):
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
    table.result_event = event
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


@inline_kernel
def declarer_factor(rules):
    """Return how many times the score (or levels) of a played deal the declarer gets; each defender pays it once."""
    return 3 if rules.level_settlement or rules.settlement == ZERO_SUM else 1


@kernel
def declarer_reward(rules, score, pot):
    """Return what the score (or levels) of a played deal brings its declarer: his share, and the pot won or lost."""
    return declarer_factor(rules) * score + (pot if score >= 0 else -pot)


@kernel
def all_pass_reward(rules, pot, is_first):
    """Return what a deal that is passed out brings a seat; `pot` is its size before, `is_first`: the first caller's."""
    if rules.all_pass == DIRECT:
        return -rules.direct_points if is_first else rules.direct_points
    if rules.all_pass == POT and pot == 0:
        return -POT_FIRST_CALLER if is_first else -POT_OTHERS
    return 0


@kernel
def settle_all_pass(table, rules):
    """Settle a deal in which nobody called, by the pot or directly."""
    first = table.first_caller
    pot = table.pot
    for seat in range(4):
        change = all_pass_reward(rules, pot, seat == first)
        table.totals[seat] += change
        if rules.all_pass == POT:
            table.pot -= change
    following = first if rules.next_first_caller == LAST_DECLARER else (first + 1) & 3
    _finish(table, rules, 0, 0, PLAIN, 0, following)


@kernel
def baofen_event(rules, captured, captured_trump, buried, buried_trump):
    """Return what happened in a played deal of Baofen besides its points; one in which nothing is captured is plain."""
    if captured == 0:
        return PLAIN
    if captured == DECK_POINTS - buried:
        return SWEPT
    needed = TRUMP_SUIT_POINTS
    if rules.trump_bonus_counts_buried:
        needed -= buried_trump
    if captured_trump == needed:
        return ALL_TRUMP if captured_trump > 0 else BARE
    return NO_TRUMP if captured_trump == 0 else PLAIN


@kernel
def event_score(event, captured, target):
    """Return the score of a played deal of Baofen by what happened in it."""
    if captured == 0:
        return NOTHING_CAPTURED
    if event == SWEPT:
        return SWEEP if captured == DECK_POINTS else SWEEP_WITH_BURIED_POINTS
    score = captured - target
    if event in (ALL_TRUMP, BARE):
        score += ALL_TRUMP_POINTS
    if event in (NO_TRUMP, BARE):
        score += NO_TRUMP_POINTS
    return score


@kernel
def baofen_score(rules, target, captured, captured_trump, buried, buried_trump):
    """Return the score S of a played deal of Baofen (`rules.md` section 2, Deal result)."""
    event = baofen_event(rules, captured, captured_trump, buried, buried_trump)
    return event_score(event, captured, target)


@kernel
def _pay_score(table, rules, score):
    """Pay the score (or levels) of a played deal, and the pot as far as the declarer's totals go."""
    for seat in range(4):
        if seat == table.declarer:
            table.totals[seat] += declarer_reward(rules, score, table.pot)
        else:
            table.totals[seat] -= score


@kernel
def _settle_points(table, rules):
    """Settle a played deal of Baofen: the score, and the pot taken or doubled."""
    layout = table.layout
    trump = rules.group_bits[layout, TRUMP_GROUP]
    buried = points_of(rules, layout, table.buried_ones, table.buried_twos)
    buried_trump = points_of(rules, layout, table.buried_ones & trump, table.buried_twos & trump)
    event = baofen_event(rules, table.captured, table.captured_trump, buried, buried_trump)
    score = event_score(event, int(table.captured), int(table.target))
    failed = score < 0
    _pay_score(table, rules, score)
    table.pot = 2 * table.pot if failed else 0
    _finish(table, rules, table.captured, table.captured_trump, event, score, _after(table, rules, failed))


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
    _pay_score(table, rules, levels)
    settle_fines(table, rules)
    _finish(table, rules, points, 0, PLAIN, levels, _after(table, rules, levels < 0))


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
    _finish(table, rules, table.captured, table.captured_trump, PLAIN, 0, following)
