"""Plain RLlib on the PettingZoo environment: nothing of our runner or learner, only the masked module.

    python -m baofen.training.examples.plain_rllib --iterations 20
    python -m baofen.training.examples.plain_rllib --by-role

All four seats share one module, `seat`; with `--by-role` seats show up under a name for each role, and bidder, declarer
and defender have a module each. This path is for learning how things fit together and for checking the fast one; it
is more than ten times slower than `baofen train`.
"""

import argparse
import os
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env

from baofen.envs import baofen_v0
from baofen.envs.core.dtypes import ROLES
from baofen.envs.observation import normalisation
from baofen.training.examples.role_agents import RoleAgents
from baofen.training.selfplay.local_ray import ScratchFolder, store_without_cluster
from baofen.training.selfplay.module import MaskedModule

ENVIRONMENT = "baofen_plain"
POINTS_PER_REWARD = 100.0
"""A deal is worth a hundred points or so; networks learn returns near one."""


class PlainPPO(ScratchFolder, PPO):
    """RLlib's PPO as it is, but for the folder it would leave in the user's home."""


class ScaledRewards(PettingZooEnv):
    """RLlib's wrapper, with rewards in hundreds of points."""

    def step(self, action: dict[str, int]) -> Any:
        """Take one decision; return what RLlib asks for, agent by agent."""
        observation, points, terminated, truncated, info = super().step(action)
        rewards = {agent: won / POINTS_PER_REWARD for agent, won in points.items()}
        return observation, rewards, terminated, truncated, info


def make_environment(settings: dict[str, Any]) -> ScaledRewards:
    """Return one table for RLlib; `by_role`: seats show up under a name for each role."""
    seats = baofen_v0.raw_env(rules=settings.get("rules", "suzhou"))
    return ScaledRewards(RoleAgents(seats) if settings.get("by_role") else seats)


def module_of(agent: str, episode: Any = None, **kwargs: Any) -> str:
    """Return the module of an agent: its role if its name says one, else `seat`."""
    last = agent.rpartition("_")[2]
    return last if last in ROLES else "seat"


def plain_config(
    *,
    by_role: bool = False,
    num_envs: int = 8,
    decisions_per_iteration: int = 4000,
    minibatch_decisions: int = 512,
    epochs: int = 2,
    hidden_sizes: tuple[int, ...] = (256, 256),
    rules: str = "suzhou",
    seed: int = 0,
) -> PPOConfig:
    """Return RLlib's own PPO for Baofen."""
    register_env(ENVIRONMENT, make_environment)
    modules = ROLES if by_role else ("seat",)
    zero, scale = normalisation()
    model = {"hidden_sizes": list(hidden_sizes), "input_zero": zero.tolist(), "input_scale": scale.tolist()}
    return (
        PPOConfig(algo_class=PlainPPO)
        .environment(ENVIRONMENT, env_config={"by_role": by_role, "rules": rules}, disable_env_checking=True)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=num_envs, batch_mode="truncate_episodes")
        .multi_agent(policies=set(modules), policy_mapping_fn=module_of, count_steps_by="agent_steps")
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={name: RLModuleSpec(module_class=MaskedModule, model_config=model) for name in modules}
            )
        )
        .training(
            train_batch_size_per_learner=decisions_per_iteration,
            minibatch_size=minibatch_decisions,
            num_epochs=epochs,
            lr=3e-4,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.01,
            vf_clip_param=1e9,
            use_kl_loss=False,
            grad_clip=0.5,
        )
        .learners(num_learners=0)
        .debugging(seed=seed, log_level="ERROR")
    )


def main() -> None:
    """Train for some iterations and print how the seats fare."""
    parser = argparse.ArgumentParser(description="plain RLlib on the PettingZoo environment")
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--by-role", action="store_true", help="one module for each role")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # more only wait for each other at this size
    store_without_cluster()
    algorithm = plain_config(by_role=arguments.by_role).build_algo()
    for iteration in range(1, arguments.iterations + 1):
        sampled = algorithm.train()["env_runners"]
        points = {
            name: round(POINTS_PER_REWARD * float(value), 1)
            for name, value in sampled.get("agent_episode_returns_mean", {}).items()
        }
        print(f"{iteration}: {int(sampled['num_env_steps_sampled_lifetime'])} decisions; points {points}")
    algorithm.stop()


if __name__ == "__main__":
    main()
