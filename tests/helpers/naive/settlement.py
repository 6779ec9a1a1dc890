"""Who pays whom when a deal ends (sections 2, 4 and 5); every payment is a list by seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from naive.cards import SEATS

Payments = list[int]

ALL_POINTS = 200
ALL_TRUMP_POINTS = 50
POT_LIMIT = 400
POT_DEALS = 5


def from_all_others(seat: int, of_seat: int, of_others: int) -> Payments:
    """One amount for a seat, another for each of the three others."""
    return [of_seat if other == seat else of_others for other in SEATS]


def baofen_score(
    switches: Mapping[str, Any],
    target: int,
    captured: int,
    trump_captured: int,
    buried: int,
    trump_buried: int,
) -> int:
    """S of section 2; all arguments but the target are points, the declarer's or buried."""
    if captured == 0:
        return -500
    if captured == ALL_POINTS - buried:
        return 500 if buried == 0 else 250
    needed = ALL_TRUMP_POINTS - (trump_buried if switches["trump_bonus_counts_buried"] else 0)
    result = captured
    if trump_captured == needed:
        result += 50
    if trump_captured == 0:
        result -= 100
    return result - target


def baofen_payments(switches: Mapping[str, Any], declarer: int, score: int) -> Payments:
    """The declarer's total changes by S, each defender's by -S; not zero-sum unless the switch says so."""
    own = 3 * score if switches["settlement"] == "zero_sum" else score
    return from_all_others(declarer, own, -score)


def pot_payments(pot: int, declarer: int, made: bool) -> tuple[Payments, int]:
    """A declarer who makes it takes the pot, one who fails doubles it; also gives the new pot."""
    if made:
        return from_all_others(declarer, pot, 0), 0
    return from_all_others(declarer, -pot, 0), 2 * pot


def share_pot(pot: int) -> Payments:
    """An equal whole share for each seat; a remainder is lost."""
    return [pot // 4] * 4


def pot_is_due(pot: int, num_deals: int) -> bool:
    """A pot is shared out when it reaches 400 or at the end of its fifth deal."""
    return pot >= POT_LIMIT or (pot > 0 and num_deals >= POT_DEALS)


def hongwu_levels(target: int, result: int) -> int:
    """Levels that each defender pays the declarer (negative: receives)."""
    if result >= target:
        return 1 + _tens(result - target)
    return -(1 + _tens(target - result))


def _tens(difference: int) -> int:
    """Ten points or part of them."""
    return -(-difference // 10)


def hongwu_fines(switches: Mapping[str, Any], declarer: int, levels: list[int]) -> Payments:
    """A defender's fines go to the declarer, up to the cap; the declarer's to each defender."""
    paid = [0] * 4
    for seat in SEATS:
        if seat == declarer:
            paid = add(paid, from_all_others(declarer, -3 * levels[seat], levels[seat]))
        else:
            fine = min(levels[seat], switches["throw_fine_cap"])
            paid[seat] -= fine
            paid[declarer] += fine
    return paid


def escape_payments(rules: str, seat: int, declarer: int | None, room: str) -> Payments:
    """What the escaper pays and who gets it (sections 2, 4 and 5)."""
    if rules == "hongwu":
        each = 7 if seat == declarer else 5
        return from_all_others(seat, -3 * each, each)
    to_opponents = {"points": 80, "silver": 240}[room]
    if declarer is None or seat == declarer:
        return from_all_others(seat, -400, to_opponents // 3)
    paid = [0] * 4
    paid[seat] = -400
    paid[declarer] = to_opponents
    return paid


def add(one: Payments, other: Payments) -> Payments:
    """Two payments together, seat by seat."""
    return [left + right for left, right in zip(one, other, strict=True)]
