"""Shipping a policy: `python -m baofen.training.plays.ship CHECKPOINT NAME` puts it among those that come with the package."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from baofen.agents.policy import SHIPPED, policy_folder
from baofen.agents.policy.policy_files import PolicyFileError, read_arrays
from baofen.agents.policy.scorer_files import SCORER_NETWORKS, load_scorer, save_scorer

RECORD = ("progress", "config")
"""What else of a checkpoint's `policy.json` is kept: how it came about."""


def ship(checkpoint: Path, name: str, shipped: Path = SHIPPED) -> Path:
    """Copy the scorer of a checkpoint, with numbers of 16 bits, to where policies are found by name; return the folder.

    Raises:
        PolicyFileError: if there is no scorer, or it cannot be used.
    """
    policy = load_scorer(checkpoint)
    arrays = read_arrays(checkpoint)
    networks = {
        network: {
            key.removeprefix(f"{network}."): value for key, value in arrays.items() if key.startswith(f"{network}.")
        }
        for network in SCORER_NETWORKS
    }
    folder = shipped / name
    folder.mkdir(parents=True, exist_ok=True)
    save_scorer(
        folder,
        {network: weights for network, weights in networks.items() if weights},
        rules=policy.rules,
        listing=policy.listing,
        features=policy.features,
        bonus_share=policy.bonus_share,
        bidder=policy.bidder,
        half_precision=True,
        record={key: policy.facts[key] for key in RECORD if key in policy.facts},
    )
    return folder


def main(words: Sequence[str] | None = None) -> int:
    """Ship what the command line names; exit code 2 if it cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m baofen.training.plays.ship", description=__doc__)
    parser.add_argument("checkpoint", help="a checkpoint of a run with the method plays")
    parser.add_argument("name", help="what the policy is to be called, such as suzhou-v1")
    parser.add_argument("--to", type=Path, default=SHIPPED, help="folder of shipped policies; default: the package's")
    given = parser.parse_args(words)
    if not given.name.replace("-", "").isalnum():
        print(f"ship: a name has letters, digits and dashes, not {given.name!r}", file=sys.stderr)
        return 2
    folder = policy_folder(given.checkpoint)
    if folder is None:
        print(f"ship: no policy lies in {given.checkpoint}", file=sys.stderr)
        return 2
    try:
        print(ship(folder, given.name, given.to))
    except PolicyFileError as error:
        print(f"ship: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
