"""How sharp can a prediction be that sees one hand? `python -m baofen.training.bids.knowable PRESET`.

The hidden cards decide most of a deal, so even whoever knows the distribution of outcomes exactly has a CRPS far from
zero. That distribution is had by play-outs of the same hand in many worlds; its CRPS is the least that any prediction
from the hand can have, and stands here beside those of the network and of a count of the hand, on the same deals.
"""

import argparse
import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.bids.inputs import DECLARE
from baofen.agents.bids.outcome_codes import NUM_OUTCOMES
from baofen.agents.bids.outcomes import Prices
from baofen.agents.bids.value_network import ValueNetwork, load_network, read_inputs, value_file
from baofen.envs.core.known import redact_tables
from baofen.envs.rules import PRESETS, Rules
from baofen.envs.views import copy_rows
from baofen.training.bids.estimates import Estimate, estimate
from baofen.training.bids.judging.calibration import count_hands, crps, crps_by_count
from baofen.training.bids.judging.fair import AgreeingWorlds, play_out
from baofen.training.bids.value_network.fit import valued_deals

NUM_WORLDS = 200


@dataclass(frozen=True)
class Knowable:
    """CRPS of the points (less is better) of the first to speak as declarer, on the same deals.

    all_hands, hand_count, network: of the prediction that is the same for all hands, of that by a count of the hand,
    and of the value network (which has learned from neighbours of the reference too, and is the blunter for it).
    worlds: of play-outs in worlds, corrected for their number: the least there can be. saved_of_hand_count: by which
    share of the hand count's CRPS worlds and network are below it.
    """

    rules: str
    deals: int
    all_hands: float
    hand_count: float
    network: float
    worlds: float
    worlds_below_network: Estimate
    saved_of_hand_count: dict[str, float]


def knowable(network: ValueNetwork, rules: Rules, *, deals: int, seed: int = 0) -> Knowable:
    """Compare predictions on deals number 0 .. of the split `test`, at the first decision of the auction."""
    tables, outcomes = valued_deals(rules, seed, "test", 0, deals, pot_percent=0, playouts=1)
    seats: Any = tables["acting"].copy()
    achieved = outcomes[np.arange(deals), seats, 0]
    states: Any = copy_rows(tables, np.arange(len(tables)))
    redact_tables(states, seats)
    inputs = read_inputs(states, rules, DECLARE)
    points = Prices(rules).points
    by_network = crps(network.chances(inputs, defends=False), points, points[achieved])
    by_worlds = np.empty(deals)
    for index in range(deals):
        worlds = AgreeingWorlds(rules, states[index : index + 1], int(seats[index]), seed + index).draw(NUM_WORLDS)
        by_worlds[index] = fair_crps(play_out(rules, worlds)[:, seats[index], 0], points, int(achieved[index]))
    counted, alike = (
        crps_by_count(counts, achieved, points) for counts in (count_hands(inputs), np.zeros(deals, np.int64))
    )
    told = {"network": float(by_network.mean()), "worlds": float(by_worlds.mean())}
    return Knowable(
        rules=rules.preset,
        deals=deals,
        all_hands=alike,
        hand_count=counted,
        worlds_below_network=estimate(by_network - by_worlds, seed),
        saved_of_hand_count={name: 1 - value / counted for name, value in told.items()},
        **told,
    )


def fair_crps(drawn: NDArray[np.uint8], points: NDArray[np.float64], achieved: int) -> float:
    """Return the CRPS that the distribution has of which outcomes [W] were drawn, without the part due to their number.

    >>> fair_crps(np.array([0, 2], np.uint8), np.array([0.0, 5.0, 10.0]), 0)
    0.0
    """
    times = np.bincount(drawn, minlength=NUM_OUTCOMES)[: len(points)] / len(drawn)
    spread = float(times @ np.abs(points[:, None] - points[None]) @ times)
    score = float(crps(times[None], points, points[[achieved]])[0])
    return score - spread / 2 / (len(drawn) - 1)


def main() -> None:
    """Read the command line and print the comparison as JSON."""
    parser = argparse.ArgumentParser(description="How sharp can a prediction be that sees one hand?")
    parser.add_argument("preset", choices=PRESETS)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    if told.deals < 2 or told.seed < 0:
        parser.error(f"--deals must be at least 2 and --seed at least 0, not {told.deals} and {told.seed}")
    rules = Rules(told.preset)
    found = knowable(load_network(value_file(rules)), rules, deals=told.deals, seed=told.seed)
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main()
