"""The numbers of the heuristic, by name: what it pays for a card, a chance or the lead.

All are in captured points. They were fitted by self-play on paired deals; a set of them is a value, so that another
set can play against this one.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

NUM_HIGHER = 16
"""Card values are listed by the number of unseen higher cards, 0 .. 15 (15: that many or more)."""

ROLE_WEIGHTS = np.dtype(
    [
        # What it costs to part with a card, by the number of unseen higher cards of its group.
        ("keep_side", np.float64, NUM_HIGHER),
        ("keep_trump", np.float64, NUM_HIGHER),
        ("keep_pair_side", np.float64),  # on top, if a pair is broken
        ("keep_pair_trump", np.float64),
        # How surely one's own points are captured by one's own side in the end, if they are not played now.
        ("base_side", np.float64),
        ("base_top", np.float64),  # for a side card with none higher unseen
        ("base_trump", np.float64),
        ("guard", np.float64),  # more for trump points while the bonus on them is open
        # Tricks.
        ("enemy_won", np.float64),  # points that each later card of an enemy brings if we win the trick
        ("ally_won", np.float64),  # the same of an ally
        ("enemy_lost", np.float64),  # points that each later card of an enemy costs if we lose it
        ("ally_lost", np.float64),  # the same of an ally
        ("tempo", np.float64),  # being the next leader
        ("declarer_void", np.float64),  # chance that the declarer is void in a side suit that he has not played yet
        ("declarer_out", np.float64),  # chance that he has no more of a side suit that he has played
        ("ally_recovers", np.float64),  # chance that an ally after the declarer takes back what the declarer has won
        ("ally_ruffs", np.float64),  # the same if that ally is void in the suit led and may hold trumps
        ("enemy_willing", np.float64),  # chance that an enemy who can win does so
        ("ally_willing", np.float64),  # chance that an ally who can win does so
        ("ruff_throw", np.float64),  # chance that a hand with trumps can ruff a throw
        ("short_suit", np.float64),  # gain by discarding or leading the last card of a side suit while holding trumps
        # Leads.
        ("lead_keep", np.float64),  # part of the cost of cards that counts when they are led
        ("lead_gain", np.float64),  # points that each of the others' cards brings if the lead wins
        ("lead_density", np.float64),  # the same, for each point on an unseen card of the group on average
        ("lead_loss", np.float64),  # points of ours that each of the others' cards costs if the lead loses
        ("lead_tempo", np.float64),
        ("draw", np.float64),  # for each trump that a winning trump lead draws, with a surplus of trumps
        ("trump_lead", np.float64),  # cost of leading trump
        ("force", np.float64),  # leading a suit in which the declarer is void
        ("long_suit", np.float64),  # for each card of a side suit led from
        # Burying.
        ("bury_point", np.float64),  # cost of each point buried
        ("bury_void", np.float64, 3),  # gain by 0, 1, 2 cards left in a side suit
        ("bury_boss", np.float64),  # cost of burying an ace
        # Bidding.
        ("bid_margin", np.float64),  # added to the estimate of the points: to lose to a better hand costs as well
        ("bid_pot", np.float64),  # part of the pot that is added
        ("bid_known", np.float64),  # added where trump is known before the auction: others' hands fit it better
        ("bid_forced", np.float64),  # taken off a first call where the first caller would have to declare
        ("bid_last", np.float64),  # added for the last to speak when nobody has called and all would pay into a pot
    ],
    align=True,
)
"""dtype of the weights of one role."""

WEIGHTS = np.dtype([("declarer", ROLE_WEIGHTS), ("defender", ROLE_WEIGHTS)], align=True)
"""dtype of the weights of a player; those for burying and bidding stand with the declarer's."""


def _falling(top: float, decay: float, floor: float) -> NDArray[np.float64]:
    """Return card values that fall from `floor + top` to `floor` with the number of unseen higher cards."""
    values: NDArray[np.float64] = floor + top * np.power(decay, np.arange(NUM_HIGHER), dtype=np.float64)
    return values


DECLARER: dict[str, Any] = {
    "keep_side": _falling(7.45, 0.60, -0.12),
    "keep_trump": _falling(7.63, 0.68, 3.00),
    "keep_pair_side": 5.90,
    "keep_pair_trump": 6.05,
    "base_side": 0.45,
    "base_top": 0.45,
    "base_trump": 0.77,
    "guard": 0.12,
    "enemy_won": 3.79,
    "ally_won": 4.17,
    "enemy_lost": 0.00,
    "ally_lost": 0.00,
    "tempo": 2.68,
    "declarer_void": 0.59,
    "declarer_out": 0.26,
    "ally_recovers": 0.10,
    "ally_ruffs": 0.40,
    "enemy_willing": 1.00,
    "ally_willing": 0.80,
    "ruff_throw": 0.85,
    "short_suit": 1.20,
    "lead_keep": -0.15,
    "lead_gain": 0.99,
    "lead_density": 0.09,
    "lead_loss": -0.20,
    "lead_tempo": 1.95,
    "draw": 3.92,
    "trump_lead": -2.14,
    "force": 2.00,
    "long_suit": -1.91,
    "bury_point": 3.0,
    "bury_void": (8.00, 3.12, 0.86),
    "bury_boss": 8.06,
    "bid_margin": 10.0,
    "bid_pot": 0.1,
    "bid_known": -12.0,
    "bid_forced": 10.0,
    "bid_last": 5.0,
}
DEFENDER: dict[str, Any] = {
    "keep_side": _falling(3.65, 0.45, 0.05),
    "keep_trump": _falling(9.00, 0.71, 3.05),
    "keep_pair_side": 1.99,
    "keep_pair_trump": 2.50,
    "base_side": 0.49,
    "base_top": 0.49,
    "base_trump": 0.73,
    "guard": -0.11,
    "enemy_won": 1.96,
    "ally_won": 4.16,
    "enemy_lost": 13.49,
    "ally_lost": 9.83,
    "tempo": 0.20,
    "declarer_void": 0.30,
    "declarer_out": 0.30,
    "ally_recovers": 0.00,
    "ally_ruffs": 0.40,
    "enemy_willing": 1.00,
    "ally_willing": 0.42,
    "ruff_throw": 0.64,
    "short_suit": 0.28,
    "lead_keep": 0.50,
    "lead_gain": 2.50,
    "lead_density": 0.00,
    "lead_loss": 0.70,
    "lead_tempo": 0.63,
    "draw": -0.35,
    "trump_lead": 3.00,
    "force": 1.92,
    "long_suit": 0.20,
}


def _fill(weights: np.void, values: dict[str, Any]) -> None:
    for name, value in values.items():
        weights[name] = value


def heuristic_weights() -> NDArray[np.void]:
    """Return the weights of the agent `heuristic`, an array [1] of the `WEIGHTS` dtype."""
    weights = np.zeros(1, WEIGHTS)
    _fill(weights[0]["declarer"], DECLARER)
    _fill(weights[0]["defender"], DEFENDER)
    return weights
