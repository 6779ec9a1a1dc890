"""Whether a throw stands, what is led instead, and what it costs (sections 1.3 and 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from naive.cards import face_id
from naive.order import Component, Order, components, pairs_in


@dataclass(frozen=True)
class Throw:
    """What becomes of an attempted lead."""

    led: tuple[str, ...]
    num_charged: int  # cards that are paid for
    failed: bool


def try_lead(
    order: Order,
    rules: str,
    switches: Mapping[str, Any],
    cards: Sequence[str],
    others: Sequence[Sequence[str]],
) -> Throw:
    """A lead of one component stands; a throw is tested against the three other hands."""
    parts = components(order, cards)
    if len(parts) == 1:
        return Throw(tuple(cards), 0, failed=False)
    group = order.group(cards[0])
    own_others = [order.of_group(hand, group) for hand in others]
    if rules == "hongwu":
        return _try_by_rank(order, switches, cards, own_others)
    return _try_by_kind(order, switches, cards, parts, own_others)


def _try_by_kind(
    order: Order,
    switches: Mapping[str, Any],
    cards: Sequence[str],
    parts: list[Component],
    others: list[list[str]],
) -> Throw:
    """Baofen: each component is tested against the same kind."""
    beatable = [part for part in parts if any(_is_beaten(order, part, hand) for hand in others)]
    if not beatable:
        return Throw(tuple(cards), 0, failed=False)

    def lowest(part: Component) -> tuple[int, ...]:
        return (part.low, len(part.cards), min(map(face_id, part.cards)))

    def smallest(part: Component) -> tuple[int, ...]:
        return (len(part.cards), part.low, min(map(face_id, part.cards)))

    forced = min(beatable, key=lowest if switches["throw_forced"] == "lowest_rank" else smallest)
    charged = beatable if switches["throw_penalty_count"] == "beaten" else parts
    return Throw(forced.cards, sum(len(part.cards) for part in charged), failed=True)


def _is_beaten(order: Order, part: Component, hand: list[str]) -> bool:
    """True if the hand alone has the same kind, higher."""
    if part.num_pairs == 0:
        return any(order.strength(card) > part.top for card in hand)
    doubles = pairs_in(hand)
    if part.num_pairs == 1:
        return any(order.strength(face) > part.top for face in doubles)
    for run in order.runs(doubles):
        if run == ["LJ", "BJ"] and order.joker_tractor == "demoted":
            continue
        if len(run) >= part.num_pairs and order.strength(run[-1]) > part.top:
            return True
    return False


def _try_by_rank(order: Order, switches: Mapping[str, Any], cards: Sequence[str], others: list[list[str]]) -> Throw:
    """Bao Hong Wu: only the lowest card thrown and the highest card outside matter."""
    highest = max((order.strength(card) for hand in others for card in hand), default=-1)
    lowest = min(cards, key=order.strength)
    too_high = order.strength(lowest) + (0 if switches["throw_equal"] == "fails" else 1)
    if highest < too_high:
        return Throw(tuple(cards), 0, failed=False)
    num_lower = sum(order.strength(card) < highest for card in cards)
    return Throw((lowest,), num_lower, failed=True)
