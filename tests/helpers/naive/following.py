"""What a follower owes to the lead (section 1.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from naive.order import Lead, Order, pairs_in

Lengths = tuple[int, ...]


class Duties:
    """What one hand owes to one lead, and which picks can still pay it."""

    def __init__(self, order: Order, switches: Mapping[str, Any], lead: Lead, hand: Iterable[str]) -> None:
        self.order = order
        self.lead = lead
        self.own = order.of_group(hand, lead.group)
        self.method = switches["tractor_follow"]
        # A hand no larger than the lead is played whole: shape cannot matter.
        self.shaped = switches["follow_shape"] == "strict" and len(self.own) > lead.size
        doubles = pairs_in(self.own)
        self.owed_pairs = min(lead.num_pairs, len(doubles)) if self.shaped else 0
        self.owed_covering = self._covering(doubles) if self.shaped else ()
        # A covering never has more pairs than are owed anyway, so the smallest sets of pairs that
        # pay both duties have exactly `owed_pairs` pairs.
        self.payments = [
            chosen
            for chosen in combinations(doubles, self.owed_pairs)
            if not self.shaped or self._covering(chosen) == self.owed_covering
        ]

    def _covering(self, doubles: Iterable[str]) -> tuple[Lengths, ...]:
        if self.method == "pairs":
            return ()
        lengths = tuple(sorted(len(run) for run in self.order.runs(doubles) if len(run) >= 2))
        return greatest_covering(lengths, self.lead.tractors, self.method == "exact")

    def fault(self, cards: Iterable[str]) -> str | None:
        """The duty that a play of the right size, all from the hand, leaves unpaid."""
        given = self.order.of_group(cards, self.lead.group)
        if len(given) < min(len(self.own), self.lead.size):
            return "suit_duty"
        if not self.shaped:
            return None
        doubles = pairs_in(given)
        if self._covering(doubles) != self.owed_covering:
            return "tractor_duty"
        if len(doubles) < self.owed_pairs:
            return "pair_duty"
        return None

    def can_complete(self, picked: list[str]) -> bool:
        """True if cards of the hand can be added to the picked ones to make a legal play."""
        free = max(self.lead.size - len(self.own), 0)
        own = Counter(self.order.of_group(picked, self.lead.group))
        if len(picked) - own.total() > free or len(picked) > self.lead.size:
            return False
        if not self.shaped:
            return True
        # More cards never unpay a duty: it is enough that some payment fits beside the picks.
        room = self.lead.size - len(picked)
        return any(sum(2 - own[face] for face in chosen) <= room for chosen in self.payments)


@cache
def greatest_covering(runs: Lengths, tractors: Lengths, exact: bool) -> tuple[Lengths, ...]:
    """The lexicographically greatest covering of the led tractors by runs of these lengths.

    One entry for each led tractor: the lengths of its pieces, longest first. With ``exact`` only
    one piece of the full length will do.
    """
    if not tractors:
        return ()
    ways: dict[Lengths, set[Lengths]] = {}
    for pieces, left in _pieces(runs, tractors[0], tractors[0], exact):
        ways.setdefault(pieces, set()).add(left)
    best = max(ways)
    return (best, *max(greatest_covering(left, tractors[1:], exact) for left in ways[best]))


def _pieces(runs: Lengths, room: int, longest: int, exact: bool) -> Iterator[tuple[Lengths, Lengths]]:
    """Every way to cut pieces for one led tractor: the pieces and the runs that are left."""
    yield (), runs
    for run in set(runs):
        for piece in range(room if exact else 2, min(run, room, longest) + 1):
            if piece < 2:
                continue
            left = list(runs)
            left.remove(run)
            # Cutting at an end leaves the longest rest; a cut in the middle is never better.
            if run - piece >= 2:
                left.append(run - piece)
            for more, rest in _pieces(tuple(sorted(left)), room - piece, piece, exact):
                yield (piece, *more), rest
