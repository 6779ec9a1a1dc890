"""Making the shipped files: `python -m baofen.training.bids.make PRESET` trains the network and fits the bidder.

Deterministic: the same reference, the same file. Minutes on one core.
"""

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np

from baofen.agents.bids.inputs import DECLARE, DECLARE_GIVEN
from baofen.agents.bids.outcomes import Prices
from baofen.agents.bids.reference import reference_name
from baofen.agents.bids.value_network import load_network, value_file
from baofen.envs.rules import PRESETS, Rules
from baofen.training.bids.judging.calibration import calibrate_network
from baofen.training.bids.value_network.fit import fit_bidder
from baofen.training.bids.value_network.learn import save_network, train_network
from baofen.training.bids.value_network.samples import make_samples

QUESTIONS = {"declare": DECLARE, "given trump": DECLARE_GIVEN, "defend": 1}
ROUNDS_OF_DATA = 2
"""First auctions by the reference's estimate, then half of them by the network that this gave."""


def make_values(rules: Rules, path: Path, *, deals: int, test_deals: int, fit_deals: int, seed: int = 0) -> None:
    """Train, fit and write the file of a preset; the calibration on held-out deals is printed as JSON."""
    started = time.monotonic()

    def tell(line: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {line}", file=sys.stderr, flush=True)

    facts = {"rules": rules.preset, "reference": reference_name(), "seed": seed, "deals": deals}
    network = None
    for number in range(ROUNDS_OF_DATA):
        some = deals // 4 if number == 0 else deals
        samples = make_samples(rules, seed, "train", some, network=network)
        tell(f"{len(samples)} samples of {some} deals")
        network, arrays = train_network(samples, facts, seed=seed, progress=tell)
    assert network is not None
    held_out = make_samples(rules, seed, "test", test_deals, network=network)
    prices = Prices(rules)
    asked = {name: question for name, question in QUESTIONS.items() if (held_out.question == question).any()}
    told = {name: calibrate_network(network, held_out, prices, question).as_dict() for name, question in asked.items()}
    coefficients, rounds = fit_bidder(network, rules, seed=seed, deals_per_round=fit_deals, progress=tell)
    bidder = {"coefficients": coefficients.round(5).tolist(), "rounds": [asdict(one) for one in rounds]}
    save_network(path, network, arrays, bidder=bidder, calibration=told)
    print(json.dumps(told))


def refit(rules: Rules, path: Path, *, fit_deals: int, seed: int = 0) -> None:
    """Fit the bidder of a file anew; network and calibration stay."""
    network = load_network(path)
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files if name != "facts"}
    coefficients, rounds = fit_bidder(
        network, rules, seed=seed, deals_per_round=fit_deals, progress=lambda line: print(line, file=sys.stderr)
    )
    bidder = {"coefficients": coefficients.round(5).tolist(), "rounds": [asdict(one) for one in rounds]}
    save_network(path, network, arrays, bidder=bidder)


def main() -> None:
    """Read the command line and make the file."""
    parser = argparse.ArgumentParser(description="Make the value network and bidder of a preset.")
    parser.add_argument("preset", choices=PRESETS)
    parser.add_argument("--out", type=Path, help="file to write; default: the shipped one")
    parser.add_argument("--deals", type=int, default=60_000)
    parser.add_argument("--test-deals", type=int, default=10_000)
    parser.add_argument("--fit-deals", type=int, default=2_000, help="deals in each round of fitting")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--refit", action="store_true", help="keep the network, fit only the bidder")
    told = parser.parse_args()
    rules = Rules(told.preset)
    out = told.out or value_file(rules)
    if told.refit:
        refit(rules, out, fit_deals=told.fit_deals, seed=told.seed)
        return
    make_values(rules, out, deals=told.deals, test_deals=told.test_deals, fit_deals=told.fit_deals, seed=told.seed)


if __name__ == "__main__":
    main()
