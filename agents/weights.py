"""The numbers of the heuristic, by name: what it pays for a card, a chance or the lead.

All are in captured points. They were fitted by self-play on paired deals; a set of them is a value, so that another
set can play against this one.
"""

import numpy as np
from numpy.typing import NDArray

NUM_HIGHER = 16
"""Card values are listed by the number of unseen higher cards, 0 .. 15 (15: that many or more)."""

WEIGHTS = np.dtype(
    [
        # What it costs to part with a card, by the number of unseen higher cards of its group.
        ("keep_side", np.float64, NUM_HIGHER),
        ("keep_trump", np.float64, NUM_HIGHER),
        ("keep_pair_side", np.float64),  # on top, if a pair is broken
        ("keep_pair_trump", np.float64),
        # How surely one's own points are captured by one's own side in the end, if they are not played now.
        ("base_side", np.float64, 2),  # [declarer, defender]
        ("base_trump", np.float64, 2),
        ("guard", np.float64),  # more for trump points while the bonus on them is open
        # Tricks.
        ("later_won", np.float64, 2),  # points that each later card of a trick brings if we win it
        ("later_lost", np.float64, 2),  # points of ours that each later card costs if we lose it
        ("tempo", np.float64, 2),  # being the next leader
        ("declarer_void", np.float64),  # chance that the declarer is void in a side suit, before he has shown it
        ("ally_recovers", np.float64),  # chance that an ally after the declarer takes back what the declarer has won
        ("ally_willing", np.float64),  # chance that an ally who can win does so
        ("short_suit", np.float64),  # gain by discarding or leading the last card of a side suit while holding trumps
        # Leads.
        ("lead_keep", np.float64, 2),  # part of the cost of cards that counts when they are led
        ("lead_gain", np.float64, 2),  # points that each of the others' cards brings if the lead wins
        ("lead_loss", np.float64, 2),  # points of ours that each of the others' cards costs if the lead loses
        ("lead_tempo", np.float64, 2),
        ("draw", np.float64),  # declarer: for each trump that a winning trump lead draws, with a surplus of trumps
        ("trump_lead", np.float64),  # defender: cost of leading trump
        ("force", np.float64),  # defender: leading a suit in which the declarer is void
        ("long_suit", np.float64),  # for each card of a side suit led from
        # Burying.
        ("bury_point", np.float64),  # cost of each point buried
        ("bury_void", np.float64, 3),  # gain by 0, 1, 2 cards left in a side suit
        ("bury_boss", np.float64),  # cost of burying an ace
        # Bidding.
        ("bid_margin", np.float64),  # added to the estimate of the points
        ("bid_pot", np.float64),  # part of the pot that is added
        ("bid_last", np.float64),  # added for the last to speak when nobody has called
    ],
    align=True,
)
"""dtype of one set of weights."""


def _falling(top: float, decay: float, floor: float) -> NDArray[np.float64]:
    """Return card values that fall from `floor + top` to `floor` with the number of unseen higher cards."""
    values: NDArray[np.float64] = floor + top * np.power(decay, np.arange(NUM_HIGHER), dtype=np.float64)
    return values


def heuristic_weights() -> NDArray[np.void]:
    """Return the weights of the agent `heuristic`, an array [1] of the `WEIGHTS` dtype."""
    array = np.zeros(1, WEIGHTS)
    weights = array[0]
    weights["keep_side"] = _falling(6.0, 0.6, 0.0)
    weights["keep_trump"] = _falling(9.0, 0.85, 3.0)
    weights["keep_pair_side"] = 1.5
    weights["keep_pair_trump"] = 2.5
    weights["base_side"] = 0.45, 0.5
    weights["base_trump"] = 0.8, 0.5
    weights["guard"] = 0.5
    weights["later_won"] = 1.0, 3.0
    weights["later_lost"] = 0.0, 1.0
    weights["tempo"] = 2.0, 0.0
    weights["declarer_void"] = 0.3
    weights["ally_recovers"] = 0.1
    weights["ally_willing"] = 0.8
    weights["short_suit"] = 1.0
    weights["lead_keep"] = 0.5, 0.5
    weights["lead_gain"] = 1.5, 2.5
    weights["lead_loss"] = 0.0, 0.7
    weights["lead_tempo"] = 3.0, 1.0
    weights["draw"] = 1.5
    weights["trump_lead"] = 3.0
    weights["force"] = 2.0
    weights["long_suit"] = 0.2
    weights["bury_point"] = 3.0
    weights["bury_void"] = 8.0, 2.5, 0.5
    weights["bury_boss"] = 12.0
    weights["bid_margin"] = 0.0
    weights["bid_pot"] = 0.1
    weights["bid_last"] = 10.0
    return array
