"""Self-play with PPO in one file, in the manner of CleanRL: torch and `VectorTables`, nothing of our runner or learner.

    python -m baofen.training.examples.single_file_ppo --minutes 5 --save ppo.pt
    SINGLE_FILE_PPO=ppo.pt baofen bench baofen.training.examples.single_file_ppo:Trained random --contracts fixed

Four seats play each other with three networks by role. What a newcomer to this game would stumble over is marked with
(1) .. (5): returns run along a seat's own decisions, deals cut off by the end of a rollout, auctions for practice, points
paid when they are captured, suits renamed so that trump comes first.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from torch import Tensor, nn

from baofen.agents import make_agent
from baofen.envs import Starts, VectorTables, Views
from baofen.envs.core.dtypes import BIDDER, ROLES
from baofen.envs.observation import ACTION_ORDER, OBSERVATION_ORDER, normalisation

Array = NDArray[Any]


def has_bf16() -> bool:
    """Return whether the processor multiplies bf16 itself."""
    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


@dataclass(frozen=True)
class Args:
    """What can be set."""

    rules: str = "suzhou"
    """A rule preset that counts in points: suzhou or exposure."""
    minutes: float = 5.0
    """Minutes of training."""
    iterations: int | None = None
    """Iterations of sampling and learning; None: as many as the minutes allow."""
    seed: int = 1
    """Seed of deals, networks and draws."""
    save: str = "single_file_ppo.pt"
    """File that the networks are written to."""
    num_tables: int = 512
    """Tables played side by side."""
    num_steps: int = 128
    """Decisions at each table before each round of learning."""
    practice: float = 0.75
    """Share of tables whose auctions the heuristic calls."""
    hidden_size: int = 256
    """Units of each of two hidden layers."""
    epochs: int = 2
    """Passes over the decisions of a rollout."""
    minibatch_decisions: tuple[int, int, int] = (512, 1024, 1024)
    """Decisions of one gradient step: of the bidder, the declarer, the defenders; and so below."""
    learning_rates: tuple[float, float, float] = (3e-4, 1e-3, 2e-3)
    """Step sizes of Adam."""
    gae_lambdas: tuple[float, float, float] = (0.9, 0.8, 0.7)
    """How far advantages look ahead."""
    entropy: tuple[float, float, float] = (0.02, 0.01, 0.01)
    """Bonus for undecided policies at the start; it falls to a quarter by `entropy_decisions`."""
    entropy_decisions: int = 10_000_000
    """Decisions sampled until the bonus has fallen."""
    clip: float = 0.2
    """How far the probability ratio may leave 1."""
    value_coefficient: float = 0.5
    """Weight of the value loss."""
    max_grad_norm: float = 0.5
    """Longest gradient of a network."""
    bf16: bool = has_bf16()
    """Multiply matrices in bf16; quicker where the processor does so itself."""
    points_per_return: float = 100.0
    """Rewards are divided by it: a deal is worth a hundred points or so."""


class Network(nn.Module):
    """Bytes in, a logit for each action and a value out."""

    def __init__(self, hidden_size: int) -> None:
        super().__init__()
        zero, scale = map(torch.from_numpy, normalisation())
        self.zero, self.scale = nn.Buffer(zero), nn.Buffer(scale)
        self.first = nn.Linear(len(zero), hidden_size)
        self.second = nn.Linear(hidden_size, hidden_size)
        self.heads = nn.Linear(hidden_size, VectorTables.num_actions + 1)
        nn.init.zeros_(self.heads.weight)  # all actions equally likely, all values zero
        nn.init.zeros_(self.heads.bias)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return masked logits, float [n, 99], and values, float [n], for bytes [n, O] and [n, 99]."""
        weight = self.first.weight / self.scale  # `(byte - zero) / scale` is worked into the weights, not into the rows
        rows = observation.to(
            torch.bfloat16 if torch.is_autocast_enabled("cpu") else torch.float32
        )  # bytes are exact in both
        x = torch.relu(nn.functional.linear(rows, weight, self.first.bias - weight @ self.zero))
        out = self.heads(torch.relu(self.second(x))).float()
        return out[:, :-1].masked_fill(mask == 0, -1e9), out[:, -1]


def rename_suits(rows: Array, order: Array, trump: Array) -> None:
    """(5) Put trump first in uint8 rows [n, N], in place: what is learned of one suit holds for all. order: [5, N]."""
    for suit in np.unique(trump):
        if not np.array_equal(order[suit], np.arange(order.shape[1])):
            of_suit = np.flatnonzero(trump == suit)
            rows[of_suit] = rows[of_suit].take(order[suit], axis=1)


@torch.no_grad()
def answer(networks: nn.ModuleList, role: Array, observation: Array, mask: Array) -> tuple[Tensor, Tensor]:
    """Return masked logits, float [n, 99], and values, float [n], each row by the network of its role."""
    logits, values = torch.empty(mask.shape), torch.empty(len(mask))
    for number, network in enumerate(networks):
        rows = torch.from_numpy(np.flatnonzero(role == number))
        if len(rows):
            shown, legal = torch.from_numpy(observation)[rows], torch.from_numpy(mask)[rows]
            logits[rows], values[rows] = network(shown, legal)
    return logits, values


class Rollout:
    """T decisions at each of B tables, in arrays that every rollout fills anew."""

    def __init__(self, args: Args) -> None:
        self.args = args
        T, B = args.num_steps, args.num_tables  # noqa: N806, as everywhere in the field
        self.batch = VectorTables(
            B,
            args.rules,
            seed=args.seed,
            skip_forced=True,
            starts=Starts(pot_percent=25, totals_spread=260),
        )
        if self.batch.rules.has_levels:
            raise ValueError(f"rules must count in points, as suzhou and exposure do; {args.rules} settles in levels")
        self.rng = np.random.default_rng(args.seed)
        self.heuristic = make_agent("heuristic")
        self.practises = np.arange(B) < args.practice * B
        self.observation = np.empty((T, B, self.batch.observation_size), np.uint8)
        self.mask = np.empty((T, B, self.batch.num_actions), np.uint8)
        self.seat, self.role = np.empty((2, T, B), np.int8)
        self.learns, self.done = np.empty((2, T, B), np.bool_)
        self.action = np.empty((T, B), np.int64)
        self.log_probability, self.value, self.advantage = np.empty((3, T, B), np.float32)
        self.reward = np.empty((T, B, 4), np.float32)
        self.at_stake = self.points_at_stake()
        self.num_deals, self.declared = 0, 0

    def points_at_stake(self) -> Array:
        """(4) Points that the running deals have brought each seat so far, [B, 4]: the end of a deal pays only the rest."""
        tables = self.batch.tables
        points = np.where(tables["declarer"] >= 0, tables["captured"], 0)[:, None].repeat(4, 1)
        seats = np.arange(4)[None, :] == tables["declarer"][:, None]
        return np.where(seats, self.batch.rules.declarer_factor * points, -points)

    def play(self, networks: nn.ModuleList) -> None:
        """Fill all arrays but the advantages."""
        batch = self.batch
        for t in range(self.args.num_steps):
            observation, mask = batch.observe(self.observation[t]), batch.mask(self.mask[t])
            trump = batch.trump.copy()
            self.seat[t], self.role[t] = batch.acting_seat, batch.role
            rename_suits(observation, OBSERVATION_ORDER, trump)
            rename_suits(mask, ACTION_ORDER, trump)
            with torch.autocast("cpu", torch.bfloat16, enabled=self.args.bf16):
                logits, values = answer(networks, self.role[t], observation, mask)
            log_probabilities = logits.log_softmax(-1).numpy()
            noise = self.rng.random(mask.shape, np.float32)
            action = (log_probabilities - np.log(-np.log(noise + 1e-9))).argmax(1)  # a draw, as of a Gumbel-max
            self.value[t], self.action[t] = values.numpy(), action
            self.log_probability[t] = np.take_along_axis(log_probabilities, action[:, None], 1)[:, 0]
            plain = ACTION_ORDER[trump, action]
            # (3) Beginners lose every contract, soon only pass, and never learn to play: most auctions are practice.
            practice = np.flatnonzero(self.practises & (self.role[t] == BIDDER))
            if len(practice):
                plain[practice] = self.heuristic.act(batch.views(practice, observe=False))
            self.learns[t] = True
            self.learns[t, practice] = False
            rewards, self.done[t] = batch.step(plain)
            before, self.at_stake = self.at_stake, self.points_at_stake()
            self.reward[t] = (rewards + self.at_stake - before) / self.args.points_per_return
            ended = batch.results[batch.deal_done]
            self.num_deals += len(ended)
            self.declared += int((ended["declarer"] >= 0).sum())

    def estimate_advantages(self) -> None:
        """(1) Generalised advantages along each seat's own decisions, from the last to the first.

        (2) A seat's last decision in a deal that the rollout cuts off has no successor to be judged by: it is left out,
        and its value stands for what is to come.
        """
        tables = np.arange(self.args.num_tables)
        lambdas = np.array(self.args.gae_lambdas, np.float32)
        next_value, next_advantage, won = np.zeros((3, self.args.num_tables, 4), np.float32)
        has_next = np.zeros((self.args.num_tables, 4), np.bool_)
        for t in reversed(range(self.args.num_steps)):
            done = self.done[t]
            next_value[done], next_advantage[done], won[done], has_next[done] = 0.0, 0.0, 0.0, True
            won += self.reward[t]
            here = tables, self.seat[t]
            surprise = won[here] + next_value[here] - self.value[t]
            advantage = surprise + lambdas[self.role[t]] * next_advantage[here]
            self.learns[t] &= has_next[here]
            self.advantage[t] = np.where(has_next[here], advantage, 0.0)
            next_value[here], next_advantage[here] = self.value[t], self.advantage[t]
            won[here], has_next[here] = 0.0, True

    def rows(self, role: int) -> list[Tensor]:
        """Return what one role is to learn from: observations, masks, actions, log probabilities, advantages, targets."""
        index = np.flatnonzero(self.learns & (self.role == role))
        arrays = (
            self.observation.reshape(-1, self.observation.shape[-1])[index],
            self.mask.reshape(-1, self.mask.shape[-1])[index],
            *(values.reshape(-1)[index] for values in (self.action, self.log_probability, self.advantage)),
            (self.advantage + self.value).reshape(-1)[index],
        )
        return [torch.from_numpy(array) for array in arrays]


def minibatches(rows: list[Tensor], size: int, epochs: int) -> Iterator[list[Tensor]]:
    """Yield the rows `epochs` times over, shuffled, in parts of about `size`."""
    parts = max(1, len(rows[0]) // size)
    for _ in range(epochs):
        for index in torch.randperm(len(rows[0])).tensor_split(parts):
            yield [values[index] for values in rows]


def learn(
    network: nn.Module, optimiser: torch.optim.Optimizer, rows: list[Tensor], args: Args, role: int, bonus: float
) -> None:
    """Train the network of one role on its rows."""
    advantage = rows[4]
    rows[4] = (advantage - advantage.mean()) / (advantage.std() + 1e-4)
    for observation, mask, action, old, advantage, target in minibatches(
        rows, args.minibatch_decisions[role], args.epochs
    ):
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            logits, value = network(observation, mask)
        log_probabilities = logits.log_softmax(-1)
        ratio = (log_probabilities.gather(1, action[:, None])[:, 0] - old).exp()
        gain = torch.min(advantage * ratio, advantage * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
        entropy = -(logits.softmax(-1) * log_probabilities).sum(-1).mean()
        loss = -gain + args.value_coefficient * (value - target).square().mean() - bonus * entropy
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
        optimiser.step()


def train(args: Args) -> nn.ModuleList:
    """Train, print a line for each iteration, write the networks to `args.save`, and return them."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # more only wait for each other at this size
    torch.set_float32_matmul_precision("medium")
    networks = nn.ModuleList(Network(args.hidden_size) for _ in ROLES)
    optimisers = [
        torch.optim.Adam(network.parameters(), lr=rate, eps=1e-5, fused=True)
        for network, rate in zip(networks, args.learning_rates, strict=True)
    ]
    rollout = Rollout(args)
    started, cpu_started, decisions, iteration = time.monotonic(), time.process_time(), 0, 0
    while iteration != args.iterations and time.monotonic() - started < 60 * args.minutes:
        iteration += 1
        rollout.play(networks)
        rollout.estimate_advantages()
        remaining = 1 - 0.75 * min(1.0, decisions / args.entropy_decisions)
        for role, (network, optimiser) in enumerate(zip(networks, optimisers, strict=True)):
            rows = rollout.rows(role)
            if len(rows[0]) > 1:
                learn(network, optimiser, rows, args, role, args.entropy[role] * remaining)
        decisions += args.num_steps * args.num_tables
        print(
            f"{iteration}: {decisions:,} decisions, {decisions / (time.process_time() - cpu_started):,.0f} a CPU-second;"
            f" {rollout.num_deals:,} deals, {rollout.declared / max(1, rollout.num_deals):.0%} played",
            flush=True,
        )
    torch.save({"hidden_size": args.hidden_size, "networks": networks.state_dict()}, args.save)
    return networks


class Trained:
    """The trained networks as an agent, greedy; read from the file that the variable SINGLE_FILE_PPO names."""

    name = "single-file-ppo"
    cheats = False

    def __init__(self) -> None:
        saved = torch.load(os.environ.get("SINGLE_FILE_PPO", Args.save), weights_only=True)
        self.networks = nn.ModuleList(Network(saved["hidden_size"]) for _ in ROLES)
        self.networks.load_state_dict(saved["networks"])

    def reset(self, num_tables: int, seed: int) -> None:
        """There is nothing to forget."""

    def act(self, views: Views) -> Array:
        """Return the likeliest legal action of each view."""
        observation, mask, trump = views.observation.copy(), views.action_mask.astype(np.uint8), views.trump
        rename_suits(observation, OBSERVATION_ORDER, trump)
        rename_suits(mask, ACTION_ORDER, trump)
        logits, _ = answer(self.networks, views.role, observation, mask)
        return ACTION_ORDER[trump, logits.argmax(1).numpy()]


if __name__ == "__main__":
    train(tyro.cli(Args))
