"""How many deals must there be before an interval may be believed? `python -m baofen.training.arena.coverage AGENT AGENT`.

Two agents play many deals; what they differ by on each is then the truth to draw small samples from. For each number of
deals it is counted how many of the intervals hold the true mean: 95 % should. A percentile bootstrap is too narrow on few
deals, the more so where one deal in fifty counts for hundreds of points; `LEAST_DEALS` is the number from which all
roles and metrics of real pairs come near enough.
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baofen.training.arena.bench import make_plan
from baofen.training.arena.compare import METRICS, ROLES, lineups_for, values
from baofen.training.arena.matches import Setup, play_lineups
from baofen.training.arena.statistics import bootstrap
from baofen.training.terminal import progress

NUMBERS_OF_DEALS = (3, 5, 10, 15, 20, 30, 50, 100, 200)
SAMPLES = 4000
RESAMPLES = 1000


def coverage(differences: NDArray[np.float64], num_deals: int, seed: int = 0, samples: int = SAMPLES) -> float:
    """Return the share of intervals from `num_deals` of `differences` [n] that hold the mean of all.

    >>> coverage(np.array([1.0, 1.0, 1.0]), 5, samples=10)
    1.0
    """
    drawn = np.random.default_rng(seed).choice(differences, (num_deals, samples))
    told = bootstrap(drawn, seed, RESAMPLES)
    truth = differences.mean()
    slack = 1e-9
    return float(((told.low <= truth + slack) & (told.high >= truth - slack)).mean())


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the coverage for each role, metric and opponents of two agents, a column for each number of deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs=2, metavar="AGENT")
    parser.add_argument("--deals", type=int, default=4000, metavar="N")
    parser.add_argument("--rules", default="suzhou")
    parser.add_argument("--contracts", default="auction", choices=list(METRICS))
    given = parser.parse_args(arguments)
    setup = Setup(given.rules, contracts=given.contracts, deals=given.deals)
    plan = make_plan(given.agents)
    lineups = lineups_for(plan.questions, setup.contracts)
    with progress("games", setup.deals * len(lineups)) as advance:
        results = play_lineups(setup, plan.cast, lineups, progress=advance)
    print("deals".ljust(34) + "".join(f"{number:6d}" for number in NUMBERS_OF_DEALS))
    for question in plan.questions:
        if question.agent > question.versus:
            continue
        for role in ROLES[setup.contracts]:
            for metric in METRICS[setup.contracts]:
                own, other = (
                    values(results, who, question.opponents, role, metric) for who in (question.agent, question.versus)
                )
                shares = [coverage(own - other, number) for number in NUMBERS_OF_DEALS]
                name = f"{role}, {metric}, against {plan.cast[question.opponents].label}"
                print(name[:33].ljust(34) + "".join(f"{share:6.1%}" for share in shares))


if __name__ == "__main__":
    main()
