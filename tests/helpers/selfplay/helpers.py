"""What several tests of self-play need: a small configuration, and an algorithm on the toy."""

from baofen.training.config import (
    CheckpointsConfig,
    EntropyConfig,
    EvaluationConfig,
    LeagueConfig,
    LearningConfig,
    NetworkConfig,
    RoleValues,
    SamplingConfig,
    StoppingConfig,
    TrainConfig,
)


def alike(value: float) -> RoleValues:
    """The same number for every role."""
    return RoleValues(bidder=value, declarer=value, defender=value)


def toy_config(
    *,
    iterations: int = 4,
    league: LeagueConfig | None = None,
    checkpoint_every: int = 2,
    keep: int = 3,
    runners: int = 0,
    evaluate_every: int = 1,
    seed: int = 3,
) -> TrainConfig:
    """A configuration that solves the signal game in seconds, in plain fp32."""
    return TrainConfig(
        seed=seed,
        method="ppo",
        network=NetworkConfig(hidden_sizes=(32,)),
        sampling=SamplingConfig(
            num_env_runners=runners,
            tables_per_runner=96,
            decisions_per_iteration=3072,
            inference_precision="fp32",
        ),
        learning=LearningConfig(
            minibatch_decisions=256,
            bidder_minibatch_decisions=256,
            learning_rate=alike(1e-2),
            entropy=EntropyConfig(start=alike(0.003), end=alike(0.0), decay_decisions=40_000),
            precision="fp32",
        ),
        league=league or LeagueConfig(pool_size=0),
        stopping=StoppingConfig(minutes=None, iterations=iterations),
        evaluation=EvaluationConfig(every_iterations=evaluate_every),
        checkpoints=CheckpointsConfig(every_iterations=checkpoint_every, keep=keep),
    )
