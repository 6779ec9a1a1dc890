"""From a training configuration to RLlib's: the one place that translates names."""

from baofen.envs.core.dtypes import ROLES
from baofen.training.config import RoleValues, TrainConfig
from baofen.training.selfplay.algorithm import SelfPlayConfig
from baofen.training.selfplay.precision import decided
from baofen.training.selfplay.tables import Game

NO_VALUE_CLIP = 1e9
"""RLlib wants a number; squared errors of scaled returns never come near this one."""


def algorithm_config(config: TrainConfig, game: Game, scratch_dir: str | None = None) -> SelfPlayConfig:
    """Return the algorithm's configuration for a game; `scratch_dir` is where Ray may make its own folder."""
    # Arithmetic is decided here, once: runners and learner in processes of their own must not come to different answers.
    config = decided(config)
    learning, sampling, entropy = config.learning, config.sampling, config.learning.entropy
    built = SelfPlayConfig().self_play(game, config, scratch_dir)
    built.rl_module(
        algorithm_config_overrides_per_module={
            role: SelfPlayConfig.overrides(
                lr=_of(learning.learning_rate, role),
                entropy_coeff=[
                    [0, _of(entropy.start, role)],
                    [entropy.decay_decisions, _of(entropy.end, role)],
                ],
            )
            for role in ROLES
        }
    )
    built.training(
        train_batch_size_per_learner=sampling.decisions_per_iteration,
        # Ours come by role; RLlib only checks that its own is no more than the batch.
        minibatch_size=1,
        num_epochs=learning.epochs_per_iteration,
        gamma=learning.discount,
        clip_param=learning.clip,
        vf_clip_param=learning.value_clip or NO_VALUE_CLIP,
        vf_loss_coeff=learning.value_loss_coefficient,
        grad_clip=learning.max_grad_norm,
        use_kl_loss=False,
    )
    built.env_runners(num_env_runners=sampling.num_env_runners or 0, num_cpus_per_env_runner=1)
    built.learners(num_learners=0)
    built.fault_tolerance(restart_failed_env_runners=True)
    built.debugging(seed=config.seed, log_level="ERROR", log_sys_usage=False)
    return built


def _of(values: RoleValues, role: str) -> float:
    value: float = getattr(values, role)
    return value
