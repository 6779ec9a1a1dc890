"""What may be led, and how a lead is picked card by card (sections 1, 2 and 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from naive.cards import RANKS, holds, without
from naive.order import TRUMP, Order, components, pairs_in
from naive.winning import eight_rank


def why_illegal_lead(order: Order, rules: str, switches: Mapping[str, Any], cards: Sequence[str]) -> str | None:
    """Any set of cards of one group; in Bao Hong Wu a trump lead is one component."""
    if switches["eights"] and eight_rank(cards):
        return None
    group = order.common_group(cards)
    if group is None:
        return "mixed_lead"
    if rules == "hongwu" and group == TRUMP and len(components(order, cards)) > 1:
        return "trump_throw"
    return None


def eights_in(hand: Sequence[str]) -> list[str]:
    """The ranks of which a hand holds all eight cards."""
    return [rank for rank in RANKS[1:] if sum(card[0] == rank for card in hand) == 8]


def lead_words(
    order: Order, rules: str, switches: Mapping[str, Any], hand: Sequence[str], picked: list[str]
) -> set[str]:
    """The next picks of a leader, and `commit` when the picks are a legal lead."""
    rest = set(without(hand, picked))
    if not picked:
        eights = eights_in(hand) if switches["eights"] else []
        return rest | {f"eight:{rank}" for rank in eights}
    group = order.group(picked[0])
    if rules == "hongwu" and group == TRUMP:
        units = trump_units(order, hand)
        words = {card for card in rest if any(holds(unit, [*picked, card]) for unit in units)}
        return words | {"commit"} if any(sorted(unit) == sorted(picked) for unit in units) else words
    return {card for card in rest if order.group(card) == group} | {"commit"}


def trump_units(order: Order, hand: Sequence[str]) -> list[list[str]]:
    """Every single component of trump that a hand can lead."""
    trumps = order.of_group(hand, TRUMP)
    units = [[card] for card in trumps]
    for run in order.runs(pairs_in(trumps)):
        for start in range(len(run)):
            for end in range(start + 1, len(run) + 1):
                units.append([face for face in run[start:end] for _ in range(2)])
    return units
