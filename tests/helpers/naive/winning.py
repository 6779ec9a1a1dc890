"""Who wins a trick (section 1.2)."""

from __future__ import annotations

from collections.abc import Sequence

from naive.cards import RANKS
from naive.order import TRUMP, Lead, Order, components, pairs_in

Standing = tuple[int, int]  # (0 follows or 1 ruffs, height): higher beats lower


def winner(order: Order, lead: Lead, plays: Sequence[tuple[int, Sequence[str]]]) -> int:
    """The seat of the best play; equal means that the first played stays.

    ``plays`` starts with the lead itself.
    """
    best_seat = plays[0][0]
    best: Standing = (0, _height_of_lead(order, lead))
    for seat, cards in plays[1:]:
        standing = _standing(order, lead, cards)
        if standing is not None and standing > best:
            best_seat, best = seat, standing
    return best_seat


def _height_of_lead(order: Order, lead: Lead) -> int:
    if lead.eight is not None:
        return RANKS.index(lead.eight)
    return max(order.strength(card) for card in lead.cards)


def _standing(order: Order, lead: Lead, cards: Sequence[str]) -> Standing | None:
    """How high a later play stands; None if it cannot win."""
    if lead.eight is not None:
        rank = eight_rank(cards)
        return None if rank is None else (0, RANKS.index(rank))
    group = order.common_group(cards)
    if group == lead.group:
        if lead.num_components > 1:
            return None  # nothing inside the group beats a throw that stands
        height = _same_shape(order, lead, cards, demote=order.joker_tractor == "demoted")
        return None if height is None else (0, height)
    if group == TRUMP:
        one = lead.num_components == 1
        height = _same_shape(order, lead, cards, demote=False) if one else best_ruff(order, lead, cards)
        return None if height is None else (1, height)
    return None


def _same_shape(order: Order, lead: Lead, cards: Sequence[str], demote: bool) -> int | None:
    """The top of a play that is one component of the size led."""
    parts = components(order, cards)
    if len(parts) != 1 or parts[0].num_pairs != lead.num_pairs:
        return None
    if demote and parts[0].is_joker_tractor:
        return None  # the lowest tractor of two pairs wins nothing
    return parts[0].top


def eight_rank(cards: Sequence[str]) -> str | None:
    """The rank of eight cards of one rank 3 to A."""
    ranks = {card[0] for card in cards}
    if len(cards) == 8 and len(ranks) == 1 and (rank := ranks.pop()) in RANKS[1:]:
        return rank
    return None


def best_ruff(order: Order, lead: Lead, cards: Sequence[str]) -> int | None:
    """The height of the best reading of trumps that cover a throw; None if they do not cover it.

    Only the lead's largest kind counts: the run for its longest tractor, else the best pair, else
    the best card.
    """
    doubles = pairs_in(cards)
    if lead.tractors:
        return _best_run(order, doubles, lead.tractors, lead.num_lone_pairs)
    if lead.num_pairs:
        return max(map(order.strength, doubles)) if len(doubles) >= lead.num_pairs else None
    return max(map(order.strength, cards))


def _best_run(order: Order, doubles: list[str], tractors: tuple[int, ...], num_lone_pairs: int) -> int | None:
    """The highest top of a run for the first tractor that leaves enough for all the others."""
    if not tractors:
        return 0 if len(doubles) >= num_lone_pairs else None
    length = tractors[0]
    windows = [run[start : start + length] for run in order.runs(doubles) for start in range(len(run) - length + 1)]
    for window in sorted(windows, key=lambda window: order.strength(window[-1]), reverse=True):
        left = [face for face in doubles if face not in window]
        if _best_run(order, left, tractors[1:], num_lone_pairs) is not None:
            return order.strength(window[-1])
    return None
