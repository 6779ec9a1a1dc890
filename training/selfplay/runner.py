"""The sampler: many tables step by step, one forward pass for each network in play, whole matches out.

RLlib asks an EnvRunner for `sample()`; this one returns a ready MultiAgentBatch of rows by role. There are no
episode objects and no connectors: observations and masks stay bytes, advantages are computed here.
"""

import time
from collections.abc import Collection
from typing import Any

import numpy as np
import ray
from numpy.typing import NDArray
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.columns import Columns
from ray.rllib.env import INPUT_ENV_SINGLE_SPACES, INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import (
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    NUM_EPISODES_LIFETIME,
    WEIGHTS_SEQ_NO,
)

from baofen.envs.core.dtypes import ROLES
from baofen.training.config import TrainConfig
from baofen.training.selfplay import kernels
from baofen.training.selfplay import precision as arithmetic
from baofen.training.selfplay.matches import Matches, RoleRows
from baofen.training.selfplay.module import NETWORK
from baofen.training.selfplay.players import Players, Weights
from baofen.training.selfplay.seating import MAX_PAST_SELVES, Seating
from baofen.training.selfplay.tables import Game
from baofen.training.selfplay.tally import Tally

COMPONENT_LEAGUE = "league"
COUNTS = "counts"
"""Key of the sums of `Tally` in the runner's metrics."""


def network_weights(module_state: Any) -> dict[str, Any]:
    """Return the parameters of `RoleNetwork` out of one module's state."""
    return {name.removeprefix(NETWORK): value for name, value in module_state.items()}


class VectorRunner(EnvRunner, Checkpointable):
    """Plays a batch of tables for a `SelfPlayConfig`."""

    def __init__(self, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        self.game: Game = self.config.game
        self.settings: TrainConfig = self.config.settings
        self.precision = arithmetic.resolved(self.settings.sampling.inference_precision)
        if self.config.num_env_runners == 0 or self.worker_index:
            arithmetic.apply(self.precision, 1 if self.worker_index else self.settings.learning.threads)
        self.past_selves: dict[int, Weights] = {}
        self._weights_seq_no = 0
        self._tables: Any = None
        self._players = Players(
            self.game, self.settings.network.hidden_sizes, self.precision, MAX_PAST_SELVES if self._has_league else 0
        )
        self.module: Any = None
        self._present_is_loaded = False
        self.make_module()

    @property
    def _has_league(self) -> bool:
        league = self.settings.league
        return bool(league.pool_size and league.frozen_table_probability > 0)

    def get_spaces(self) -> dict[str, Any]:
        """Return observation and action space for every role, and for the tables."""
        pair = (self.config.observation_space, self.config.action_space)
        return dict.fromkeys((*ROLES, INPUT_ENV_SPACES, INPUT_ENV_SINGLE_SPACES), pair)

    def make_module(self) -> None:
        """Build the modules that the learner's weights are loaded into."""
        self.module = self.config.get_multi_rl_module_spec(spaces=self.get_spaces(), inference_only=True).build()

    def make_env(self) -> None:
        """Deal the tables and make the arrays that every step writes into."""
        num_tables, game = self.settings.sampling.tables_per_runner, self.game
        # A resumed run must not be dealt the deals it has already played, so the past goes into the seed.
        seed = np.random.SeedSequence(
            [self.config.seed or 0, self.worker_index or 0, int(self.num_env_steps_sampled_lifetime)]
        )
        table_seed, draw_seed = seed.generate_state(2)
        self._rng = np.random.default_rng(draw_seed)
        self._tables = game.make_tables(num_tables, int(table_seed) % 2**31)
        self._matches = Matches(num_tables, game.observation_size, game.num_actions)
        if game.stagger is not None:
            game.stagger(self._tables, self._rng)
            self._matches.skip[:] = True
        if game.points_at_stake is not None:
            self._at_stake = game.points_at_stake(self._tables)
        practice = self.settings.starts.practice_auction_probability if game.practice_bids else 0.0
        self._seating = Seating(num_tables, self.settings.league.frozen_table_probability, practice, self._rng)
        self._seating.reseat(np.arange(num_tables), 0)
        self._rows = [RoleRows(game.observation_size, game.num_actions) for _ in ROLES]
        self._gae_lambda = np.array([getattr(self.settings.learning.gae_lambda, role) for role in ROLES])
        self._renames = game.suits.changes
        grouped = num_tables + self._players.num_slots * self.config.pad_rows
        self._raw_observation = np.zeros((num_tables, game.observation_size), np.uint8)
        self._raw_mask = np.zeros((num_tables, game.num_actions), np.uint8)
        self._observation = np.zeros((grouped, game.observation_size), np.uint8)
        self._mask = np.zeros((grouped, game.num_actions), np.uint8)
        self._logits = np.zeros((grouped, game.num_actions), np.float32)
        self._value = np.zeros(grouped, np.float32)
        self._place = np.zeros(num_tables, np.int64)
        self._start = np.zeros(self._players.num_slots + 1, np.int64)
        self._action = np.zeros(num_tables, np.int64)
        self._raw_action = np.zeros(num_tables, np.int64)
        self._log_probability = np.zeros(num_tables, np.float32)
        self._entropy = np.zeros(num_tables, np.float32)

    def assert_healthy(self) -> None:
        """Fail if there is nothing to play with."""
        assert self.module is not None

    def sample(self, *, num_timesteps: int, explore: bool | None = None, **kwargs: Any) -> MultiAgentBatch:
        """Play until matches with at least `num_timesteps` decisions to learn from have ended.

        The batch's arrays are used again by the next call.
        """
        started = time.perf_counter()
        if self._tables is None:
            self.make_env()
        num_past = self._load_players()
        greedy = not (self.config.explore if explore is None else explore)
        tally = Tally(self.game.num_actions, self.game.bids, self.game.points_per_reward)
        for rows in self._rows:
            rows.num_rows = 0
        num_rows = 0
        while num_rows < num_timesteps:
            num_rows += self._step(greedy, num_past, tally)
        tally.add("sampling_seconds", time.perf_counter() - started)
        self._log(num_rows, tally)
        batches = {role: _sample_batch(rows) for role, rows in zip(ROLES, self._rows, strict=True) if rows.num_rows}
        return MultiAgentBatch(batches, num_rows)

    def _step(self, greedy: bool, num_past: int, tally: Tally) -> int:
        """One decision at every table; return the rows to learn from of the matches that it ended."""
        tables, matches = self._tables, self._matches
        seat, role, trump = tables.acting_seat.copy(), tables.role.copy(), tables.trump.copy()
        tables.observe(self._raw_observation)
        tables.mask(self._raw_mask)
        slot, learns = self._seating.slots(seat, role)
        kernels.group_rows(slot, self._players.num_slots, self.config.pad_rows, self._place, self._start)
        suits = self.game.suits
        for raw, order, grouped in (
            (self._raw_observation, suits.observation, self._observation),
            (self._raw_mask, suits.action, self._mask),
        ):
            kernels.rename_rows(raw, order, trump, self._renames, self._place, grouped)
        self._players.answer(self._start, self._observation, self._logits, self._value)
        kernels.choose(
            self._logits, self._mask, self._rng.random(len(seat)), greedy, self._place,
            self._action, self._log_probability, self._entropy,
        )  # fmt: skip
        kernels.raw_actions(self._action, suits.action, trump, self._raw_action)
        practising = np.flatnonzero(self._seating.practices(role))
        if len(practising):
            self._raw_action[practising] = self.game.practice_bids(tables, practising)  # type: ignore[misc]
        matches.remember(
            seat=seat, role=role, learns=learns, place=self._place, observation=self._observation,
            mask=self._mask, action=self._action, log_probability=self._log_probability, value=self._value,
        )  # fmt: skip
        tally.decisions(role, learns, self._raw_action, self._entropy)
        rewards, done = tables.step(self._raw_action)
        matches.credit(
            self._paid_at_once(rewards * np.int32(self.game.points_per_reward)),
            1.0 / self.settings.learning.return_scale_points,
        )
        tally.add("simulated_decisions", len(seat))
        if tables.deal_done.any():
            ended = np.flatnonzero(tables.deal_done)
            tally.deals(ended, tables.results[ended], self._seating)
        if not done.any():
            return 0
        num_rows = matches.finish(done, self.config.gamma, self._gae_lambda, self._rows)
        self._seating.reseat(np.flatnonzero(done), num_past)
        return num_rows

    def _paid_at_once(self, points: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the points of a step, int32 [B, 4], with what is at stake paid when it is won.

        The end of the deal then pays only the rest: sums over a deal stay the same, but praise and blame fall on
        the decisions they belong to.
        """
        if self.game.points_at_stake is None:
            return points
        before, self._at_stake = self._at_stake, self.game.points_at_stake(self._tables)
        return points + self._at_stake - before

    def _load_players(self) -> int:
        """Give the networks in play their weights; return how many past selves are in play."""
        if not self._present_is_loaded:
            state = self.module.get_state()
            self._players.load(0, {role: network_weights(state[role]) for role in ROLES})
            self._present_is_loaded = True
        if not self._has_league or not self.past_selves:
            return 0
        # Drawn anew for every sample; a running match goes on against the new ones.
        number = min(MAX_PAST_SELVES, len(self.past_selves))
        drawn = self._rng.choice(sorted(self.past_selves), number, replace=False)
        for index, key in enumerate(drawn):
            self._players.load(1 + index, self.past_selves[int(key)])
        return number

    def _log(self, num_rows: int, tally: Tally) -> None:
        counts = tally.counts()
        log = self.metrics.log_value
        log(NUM_ENV_STEPS_SAMPLED, num_rows, reduce="sum")
        log(NUM_ENV_STEPS_SAMPLED_LIFETIME, num_rows, reduce="lifetime_sum", with_throughput=True)
        log(NUM_EPISODES_LIFETIME, counts["deals"], reduce="lifetime_sum")
        log(WEIGHTS_SEQ_NO, self._weights_seq_no, window=1)
        for name, value in counts.items():
            log((COUNTS, name), value, reduce="sum")

    def sample_and_metrics(self, **kwargs: Any) -> tuple[MultiAgentBatch, Any]:
        """Return a sample and the metrics since the last call: one trip for both."""
        return self.sample(**kwargs), self.get_metrics()

    def get_metrics(self) -> Any:
        """Return what was logged since the last call."""
        return self.metrics.reduce()

    def add_past_self(self, iteration: int, weights: Weights) -> None:
        """Take the networks of an iteration into the pool; when it is full, the oldest leaves."""
        self._take_pool(self.past_selves | {iteration: weights})

    def _take_pool(self, past_selves: dict[int, Weights]) -> None:
        """Keep the newest of these, as many as there may be."""
        kept = sorted(past_selves)[-self.settings.league.pool_size :] if self.settings.league.pool_size else []
        self.past_selves = {number: past_selves[number] for number in kept}

    def get_state(
        self,
        components: str | Collection[str] | None = None,
        *,
        not_components: str | Collection[str] | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Return what a checkpoint or a restarted runner needs: counters, weights, the pool of past selves."""
        state: dict[str, Any] = {NUM_ENV_STEPS_SAMPLED_LIFETIME: self.num_env_steps_sampled_lifetime}
        if self._check_component(COMPONENT_LEAGUE, components, not_components):
            state[COMPONENT_LEAGUE] = dict(self.past_selves)
        if self._check_component(COMPONENT_RL_MODULE, components, not_components):
            state[COMPONENT_RL_MODULE] = self.module.get_state(
                components=self._get_subcomponents(COMPONENT_RL_MODULE, components),
                not_components=self._get_subcomponents(COMPONENT_RL_MODULE, not_components),
                **kwargs,
            )
            state[WEIGHTS_SEQ_NO] = self._weights_seq_no
        return state

    def set_state(self, state: Any) -> None:
        """Take over what is in `state`; weights older than the present ones are ignored."""
        if COMPONENT_LEAGUE in state:
            self._take_pool(state[COMPONENT_LEAGUE])
        if COMPONENT_RL_MODULE in state:
            number = state.get(WEIGHTS_SEQ_NO, 0)
            if number == 0 or number > self._weights_seq_no:
                weights = state[COMPONENT_RL_MODULE]
                self.module.set_state(ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights)
                self._present_is_loaded = False
            if number > 0:
                self._weights_seq_no = number
        if NUM_ENV_STEPS_SAMPLED_LIFETIME in state:
            self.num_env_steps_sampled_lifetime = state[NUM_ENV_STEPS_SAMPLED_LIFETIME]

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return what builds this runner again."""
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Any]]:
        """Return the parts that checkpoint themselves."""
        return [(COMPONENT_RL_MODULE, self.module)]

    def stop(self) -> None:
        """Release nothing: arrays go with the runner."""


def _sample_batch(rows: RoleRows) -> SampleBatch:
    """Return one role's rows under RLlib's names."""
    filled = rows.filled()
    return SampleBatch(
        {
            Columns.OBS: {"observation": filled["observation"], "action_mask": filled["mask"]},
            Columns.ACTIONS: filled["action"],
            Columns.ACTION_LOGP: filled["log_probability"],
            Postprocessing.ADVANTAGES: filled["advantage"],
            Postprocessing.VALUE_TARGETS: filled["target"],
        }
    )
