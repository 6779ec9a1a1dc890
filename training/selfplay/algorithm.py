"""PPO by self-play over a batch of tables: RLlib's Algorithm with our runner, our learner, and a league."""

from collections.abc import Mapping
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

from baofen.envs.core.dtypes import ROLES
from baofen.training.config import Precision
from baofen.training.selfplay.learner import SelfPlayLearner
from baofen.training.selfplay.local_ray import ScratchFolder, store_without_cluster
from baofen.training.selfplay.module import MaskedModule, observation_space
from baofen.training.selfplay.runner import VectorRunner, network_weights
from baofen.training.selfplay.tables import Game


class SelfPlayConfig(PPOConfig):  # type: ignore[misc]
    """PPO's configuration and what self-play adds, which has no defaults here: `self_play` sets all of it.

    Attributes:
        num_tables: of each runner.
        hidden_sizes: units of each hidden layer, of every role's network.
        return_scale_points: points that make a return of one.
        learning_threads: threads of the learner's arithmetic, and of the sampler's where it is in the same process.
        minibatch_rows: role -> rows of one gradient step, about.
        gae_lambda: role -> how far advantages look ahead; takes the place of `lambda_`.
        league_pool_size: past selves that are kept.
        frozen_table_probability: share of the tables at which past selves sit.
        practice_auction_probability: share of the matches whose auctions the game calls by itself.
        pad_rows: rows come to networks in multiples of it, for matrices of few shapes are quicker.
        scratch_dir: where the algorithm may make its own folder; None for a temporary one.
    """

    game: Game
    num_tables: int
    hidden_sizes: tuple[int, ...]
    return_scale_points: float
    inference_precision: Precision
    learning_precision: Precision
    learning_threads: int
    minibatch_rows: Mapping[str, int]
    gae_lambda: Mapping[str, float]
    league_pool_size: int
    frozen_table_probability: float
    practice_auction_probability: float
    scratch_dir: str | None

    def __init__(self, algo_class: Any = None) -> None:
        super().__init__(algo_class=algo_class or SelfPlay)
        self.pad_rows = 64
        # Weights are sent by `training_step`, and there are no connectors whose state could differ.
        self._dont_auto_sync_env_runner_states = True
        self.use_kl_loss = False
        self.env_runners(env_runner_cls=VectorRunner)

    def self_play(
        self,
        game: Game,
        *,
        num_tables: int,
        hidden_sizes: tuple[int, ...],
        return_scale_points: float,
        inference_precision: Precision,
        learning_precision: Precision,
        learning_threads: int,
        minibatch_rows: Mapping[str, int],
        gae_lambda: Mapping[str, float],
        league_pool_size: int,
        frozen_table_probability: float,
        practice_auction_probability: float,
        scratch_dir: str | None,
    ) -> Self:
        """Set the game and the fields that this class adds; `training.config.sections` says what their defaults are."""
        self.game = game
        self.num_tables = num_tables
        self.hidden_sizes = hidden_sizes
        self.return_scale_points = return_scale_points
        self.inference_precision, self.learning_precision = inference_precision, learning_precision
        self.learning_threads = learning_threads
        self.minibatch_rows, self.gae_lambda = minibatch_rows, gae_lambda
        self.league_pool_size = league_pool_size
        self.frozen_table_probability = frozen_table_probability
        self.practice_auction_probability = practice_auction_probability
        self.scratch_dir = scratch_dir
        shown = observation_space(game.observation_size, game.num_actions)
        actions: Any = gymnasium.spaces.Discrete(game.num_actions)
        spec = {
            role: RLModuleSpec(
                module_class=MaskedModule,
                observation_space=shown,
                action_space=actions,
                model_config={
                    "hidden_sizes": list(self.hidden_sizes),
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


class SelfPlay(ScratchFolder, PPO):  # type: ignore[misc]
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
        learners = max(1, self.config.num_learners)
        return {
            role: max(1, round(len(rows) / learners / self.config.minibatch_rows[role]))
            for role, rows in batch.policy_batches.items()
        }

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
