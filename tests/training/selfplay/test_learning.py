"""A short training run of each preset: afterwards, more is won against `random` than before, in every role.

Small networks, many small steps, and the heuristic in every auction, so that all of it is play. The contracts are
fixed for the same reason: who passes in every auction, as beginners do, is already better than `random` there.
"""

from pathlib import Path

import pytest

from baofen.training.arena.bench import Plan, compare
from baofen.training.arena.compare import Question, Row
from baofen.training.arena.contestants import contestants
from baofen.training.arena.matches import Setup
from baofen.training.config import (
    EntropyConfig,
    GameConfig,
    LeagueConfig,
    LearningConfig,
    NetworkConfig,
    RoleShares,
    RoleValues,
    SamplingConfig,
    StartsConfig,
    StoppingConfig,
    TrainConfig,
)
from baofen.training.run.loop import train

UNTRAINED = "random:cards"
"""What fresh networks play: all legal actions are equally likely."""
ALL = 1.0


def short_run(rules: str, seed: int = 0) -> TrainConfig:
    """About 670,000 decisions of play, in plain arithmetic."""
    rate, bonus = RoleValues(bidder=0, declarer=2e-3, defender=2e-3), RoleValues(bidder=0, declarer=3e-3, defender=3e-3)
    return TrainConfig(
        seed=seed,
        method="ppo",
        game=GameConfig(rules=rules),
        starts=StartsConfig(practice_auction_probability=ALL),
        network=NetworkConfig(hidden_sizes=(64, 64)),
        sampling=SamplingConfig(tables_per_runner=256, decisions_per_iteration=8192, inference_precision="fp32"),
        learning=LearningConfig(
            minibatch_decisions=512,
            learning_rate=rate,
            entropy=EntropyConfig(start=bonus, end=bonus),
            gae_lambda=RoleShares(bidder=0.95, declarer=0.95, defender=0.95),
            precision="fp32",
        ),
        league=LeagueConfig(pool_size=0),
        stopping=StoppingConfig(minutes=None, iterations=80),
    )


def judged(policy: Path, rules: str) -> list[Row]:
    """The policy over `random` and over untrained networks, as the declarer and as the defenders, against `random`."""
    cast = contestants([str(policy), "random", UNTRAINED])
    setup = Setup(rules, contracts="fixed", deals=1024)
    return compare(setup, Plan(cast, [Question(0, 1, 1), Question(0, 2, 1)]), quiet=True).rows


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["suzhou", "exposure", "hongwu"])
def test_a_short_run_makes_the_return_against_random_rise(rules: str, tmp_path: Path) -> None:
    policy = train(short_run(rules), tmp_path).checkpoint
    rows = {(row.role, row.metric, row.versus): row for row in judged(policy, rules)}
    # Measured once: differences, with the lower ends of their intervals, which are far from 0.
    #                                       suzhou      exposure    hongwu (scores in levels)
    #   declarer, score over random         +48 (45)    +55 (50)    +9.5 (8.4)
    #   declarer, captured over random      +32 (30)    +30 (28)    +26 (23)
    #   defenders, score over untrained     +31 (27)    +30 (25)    +6.3 (5.9)
    for claim in (
        ("declarer", "score", UNTRAINED),
        ("declarer", "score", "random"),
        ("declarer", "captured", "random"),
        # Three defenders learn more slowly: whether they beat `random`, which never throws, is not yet sure by now.
        ("defenders", "score", UNTRAINED),
    ):
        assert rows[claim].ci_low > 0, rows[claim]
