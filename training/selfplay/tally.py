"""What is counted while playing, and the figures that are made of the counts.

Counts are plain sums, so that those of several runners add up.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.envs.cards import NUM_SEATS
from baofen.envs.core.dtypes import BIDDER, DECLARER, DEFENDER, ROLES
from baofen.training.selfplay.seating import ANY_ROLE, ANY_SEAT, Seating

Counts = dict[str, float]


class Tally:
    """Sums over one sample. Deals count where the present networks play every seat; those against the past apart."""

    def __init__(self, num_actions: int, bids: Mapping[int, str], points_per_reward: int = 1) -> None:
        self._bids = bids
        self._points_per_reward = points_per_reward
        self._bid_counts = np.zeros(num_actions, np.int64)
        self._entropy = np.zeros(len(ROLES))
        self._decisions = np.zeros(len(ROLES))
        self._sums: Counts = {}

    def add(self, name: str, value: float) -> None:
        """Add to one sum."""
        self._sums[name] = self._sums.get(name, 0.0) + float(value)

    def decisions(
        self,
        role: NDArray[np.int8],
        learns: NDArray[np.bool_],
        raw_action: NDArray[np.int64],
        entropy: NDArray[np.float32],
    ) -> None:
        """Count one decision of each table, all arrays [B]; only those of the present networks count."""
        weight = learns.astype(np.float64)
        self._decisions += np.bincount(role, weight, len(ROLES))
        self._entropy += np.bincount(role, weight * entropy, len(ROLES))
        bids = raw_action[learns & (role == BIDDER)]
        self._bid_counts += np.bincount(bids, minlength=len(self._bid_counts))

    def deals(self, tables: NDArray[np.int64], results: NDArray[np.void], seating: Seating) -> None:
        """Count the deals that ended at these tables (int64 [n]); results: structured [n]."""
        results = results.copy()
        results["rewards"] *= self._points_per_reward
        self.add("deals", len(tables))
        ours = seating.past[tables] < 0
        practice = seating.practice[tables]
        self._own("own", results[ours & ~practice])
        self._own("practice", results[ours & practice])
        self._against_past(tables[~ours], results[~ours], seating)

    def _own(self, kind: str, results: NDArray[np.void]) -> None:
        """Count deals with the present networks in every seat."""
        played = results[results["declarer"] >= 0]
        score = np.take_along_axis(played["rewards"], played["declarer"][:, None].astype(np.int64), 1)
        self.add(f"{kind}_deals", len(results))
        self.add(f"{kind}_seat_points", results["rewards"].sum() / NUM_SEATS)
        self.add(f"{kind}_played", len(played))
        self.add(f"{kind}_made", (played["made"] == 1).sum())
        self.add(f"{kind}_captured", played["captured"].sum(dtype=np.int64))
        self.add(f"{kind}_target", played["target"].sum(dtype=np.int64))
        self.add(f"{kind}_declarer_points", score.sum())
        self.add(f"{kind}_defender_points", (played["rewards"].sum() - score.sum()) / (NUM_SEATS - 1))

    def _against_past(self, tables: NDArray[np.int64], results: NDArray[np.void], seating: Seating) -> None:
        """Count what the learning side won at tables with a past self in the other seats."""
        seat, role = seating.learner_seat[tables], seating.learner_role[tables]
        by_seat = seat < ANY_SEAT
        own = results["rewards"][by_seat, seat[by_seat]]
        others = results["rewards"][by_seat].sum(1) - own
        self.add("past_seat_deals", by_seat.sum())
        self.add("past_seat_lead", (own - others / (NUM_SEATS - 1)).sum())
        for index in (DECLARER, DEFENDER):
            chosen = results[(role == index) & (role < ANY_ROLE) & (results["declarer"] >= 0)]
            score = np.take_along_axis(chosen["rewards"], chosen["declarer"][:, None].astype(np.int64), 1)
            mine = score if index == DECLARER else (chosen["rewards"].sum(1)[:, None] - score) / (NUM_SEATS - 1)
            self.add(f"past_{ROLES[index]}_deals", len(chosen))
            self.add(f"past_{ROLES[index]}_points", mine.sum())

    def counts(self) -> Counts:
        """Return all sums by name."""
        counts = dict(self._sums)
        for index, role in enumerate(ROLES):
            counts[f"decisions_{role}"] = float(self._decisions[index])
            counts[f"entropy_{role}"] = float(self._entropy[index])
        for action, label in self._bids.items():
            counts[f"bid_{label}"] = float(self._bid_counts[action])
        return counts


def figures(counts: Mapping[str, Any]) -> dict[str, float]:
    """Return the figures that are shown, by their names in TensorBoard; what has no cases is left out.

    >>> figures({"entropy_bidder": 3.0, "decisions_bidder": 2.0})
    {'entropy/bidder_nats': 1.5}
    """
    ratios = {
        "returns/declarer_points_per_deal": ("own_declarer_points", "own_played"),
        "returns/defender_points_per_deal": ("own_defender_points", "own_played"),
        "returns/seat_points_per_deal": ("own_seat_points", "own_deals"),
        "auction/made_rate": ("own_made", "own_played"),
        "auction/contract_rate": ("own_played", "own_deals"),
        "auction/mean_target_points": ("own_target", "own_played"),
        "play/captured_points_per_deal": ("own_captured", "own_played"),
        "practice/declarer_points_per_deal": ("practice_declarer_points", "practice_played"),
        "practice/defender_points_per_deal": ("practice_defender_points", "practice_played"),
        "practice/made_rate": ("practice_made", "practice_played"),
        "practice/captured_points_per_deal": ("practice_captured", "practice_played"),
        "league/seat_lead_over_past_points": ("past_seat_lead", "past_seat_deals"),
        "league/declarer_points_against_past": ("past_declarer_points", "past_declarer_deals"),
        "league/defender_points_against_past": ("past_defender_points", "past_defender_deals"),
        **{f"entropy/{role}_nats": (f"entropy_{role}", f"decisions_{role}") for role in ROLES},
    }
    shown = {
        name: float(counts[above]) / float(counts[below])
        for name, (above, below) in ratios.items()
        if counts.get(below)
    }
    bids = {name.removeprefix("bid_"): float(n) for name, n in counts.items() if name.startswith("bid_")}
    total = sum(bids.values())
    if total:
        shown |= {f"auction/share_of_bids/{label}": n / total for label, n in bids.items()}
    return shown
