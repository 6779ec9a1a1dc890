"""PPO by self-play over a batch of tables: RLlib's Algorithm with our runner, our learner, and a league."""

from typing import Any, Self

import gymnasium
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.policy.sample_batch import MultiAgentBatch, concat_samples
from ray.rllib.utils.metrics import (
    ENV_RUNNER_RESULTS,
    ENV_RUNNER_SAMPLING_TIMER,
    LEARNER_RESULTS,
    LEARNER_UPDATE_TIMER,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    SYNCH_WORKER_WEIGHTS_TIMER,
    TIMERS,
)

from baofen.envs.core.dtypes import BIDDER, ROLES
from baofen.training.config import TrainConfig
from baofen.training.selfplay.learner import SelfPlayLearner
from baofen.training.selfplay.local_ray import ScratchFolder, store_without_cluster
from baofen.training.selfplay.module import MaskedModule, observation_space
from baofen.training.selfplay.runner import VectorRunner, network_weights
from baofen.training.selfplay.tables import Game


class SelfPlayConfig(PPOConfig):
    """PPO's configuration and what self-play adds, which has no defaults here: `self_play` sets all of it.

    Attributes:
        game: what is played.
        settings: of the run; runner and learner read there whatever RLlib has no name for.
        scratch_dir: where the algorithm may make its own folder; None for a temporary one.
        pad_rows: rows come to networks in multiples of it, for matrices of few shapes are quicker.
    """

    game: Game
    settings: TrainConfig
    scratch_dir: str | None

    def __init__(self, algo_class: Any = None) -> None:
        super().__init__(algo_class=algo_class or SelfPlay)
        self.pad_rows = 64
        # Weights are sent by `training_step`, and there are no connectors whose state could differ.
        self._dont_auto_sync_env_runner_states = True
        self.use_kl_loss = False
        self.env_runners(env_runner_cls=VectorRunner)

    def self_play(self, game: Game, settings: TrainConfig, scratch_dir: str | None) -> Self:
        """Set the game and the settings; what RLlib has its own name for is set in `build`."""
        self.game, self.settings, self.scratch_dir = game, settings, scratch_dir
        shown = observation_space(game.observation_size, game.num_actions)
        actions: Any = gymnasium.spaces.Discrete(game.num_actions)
        spec = {
            role: RLModuleSpec(
                module_class=MaskedModule,
                observation_space=shown,
                action_space=actions,
                model_config={
                    "hidden_sizes": list(settings.network.hidden_sizes),
                    "input_zero": game.input_zero,
                    "input_scale": game.input_scale,
                },
            )
            for role in ROLES
        }
        self.environment(env=None, observation_space=shown, action_space=actions)
        self.multi_agent(policies=set(ROLES), policy_mapping_fn=_no_mapping)
        self.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=spec))
        return self

    def get_default_learner_class(self) -> type[SelfPlayLearner]:
        """Return our learner."""
        return SelfPlayLearner


def _no_mapping(agent_id: Any, episode: Any = None, **kwargs: Any) -> str:
    """RLlib wants a mapping from agents to modules; ours is from decisions to modules, in the runner."""
    raise NotImplementedError("the runner maps each decision to the module of the acting seat's role")


class SelfPlay(ScratchFolder, PPO):
    """Sample, learn, send the weights; keep copies of the networks for the league."""

    def __init__(self, config: Any = None, *args: Any, **kwargs: Any) -> None:
        store_without_cluster()
        super().__init__(config, *args, **kwargs)

    @classmethod
    def get_default_config(cls) -> SelfPlayConfig:
        """Return the configuration of this algorithm."""
        return SelfPlayConfig()

    def training_step(self) -> None:
        """One round: whole matches from all runners, some epochs over them, new weights for the runners."""
        with self.metrics.log_time((TIMERS, ENV_RUNNER_SAMPLING_TIMER)):
            results = self._sample(self.config.total_train_batch_size)
        if not results:
            return
        self.metrics.aggregate([metrics for _, metrics in results], key=ENV_RUNNER_RESULTS)
        batches = [batch for batch, _ in results]
        batch = batches[0] if len(batches) == 1 else concat_samples(batches)
        lifetime = self.metrics.peek((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME))
        with self.metrics.log_time((TIMERS, LEARNER_UPDATE_TIMER)):
            learned = self.learner_group.update(
                batch=batch,
                timesteps={NUM_ENV_STEPS_SAMPLED_LIFETIME: lifetime},
                num_epochs=self.config.num_epochs,
                num_minibatches=self._num_minibatches(batch),
            )
            self.metrics.aggregate(learned, key=LEARNER_RESULTS)
        with self.metrics.log_time((TIMERS, SYNCH_WORKER_WEIGHTS_TIMER)):
            self.env_runner_group.sync_weights(from_worker_or_learner_group=self.learner_group, inference_only=True)

    def _sample(self, num_rows: int) -> list[tuple[MultiAgentBatch, Any]]:
        """Return a sample and its metrics from every runner."""
        group = self.env_runner_group
        if group.num_remote_env_runners() == 0:
            return [group.local_env_runner.sample_and_metrics(num_timesteps=num_rows)]
        share = -(-num_rows // max(1, group.num_healthy_remote_env_runners()))
        results: list[tuple[MultiAgentBatch, Any]] = group.foreach_env_runner(
            lambda runner: runner.sample_and_metrics(num_timesteps=share),
            local_env_runner=False,
            timeout_seconds=self.config.sample_timeout_s,
        )
        return results

    def _num_minibatches(self, batch: MultiAgentBatch) -> dict[str, int]:
        """Return how many minibatches an epoch has for each role, the same for all learners of a group."""
        learners, learning = max(1, self.config.num_learners), self.config.settings.learning
        wanted = dict.fromkeys(ROLES, learning.minibatch_decisions)
        wanted[ROLES[BIDDER]] = learning.bidder_minibatch_decisions
        return {role: max(1, round(len(rows) / learners / wanted[role])) for role, rows in batch.policy_batches.items()}

    def present_weights(self) -> dict[str, dict[str, Any]]:
        """Return role -> parameter of `RoleNetwork` -> array, as learned so far."""
        state = self.learner_group.get_weights()
        return {role: network_weights(state[role]) for role in ROLES}

    def add_past_self(self) -> None:
        """Put a copy of the present networks into the league's pool, in every runner.

        The pool is part of a runner's state, so it is in every checkpoint, and a restarted runner gets it from the
        local one.
        """
        iteration, weights = self.iteration, self.present_weights()
        self.env_runner_group.foreach_env_runner(lambda runner: runner.add_past_self(iteration, weights))

    def share_pool(self) -> None:
        """Send the local runner's pool to all others, as after restoring a checkpoint."""
        pool = dict(self.env_runner.past_selves)
        self.env_runner_group.foreach_env_runner(
            lambda runner: runner.set_state({"league": pool}), local_env_runner=False
        )
