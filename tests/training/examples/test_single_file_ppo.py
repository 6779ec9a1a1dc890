"""PPO in one file: its advantages against a plain loop, a few iterations, and the trained networks as an agent."""

from __future__ import annotations

import itertools
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from baofen.envs import VectorTables
from baofen.envs.core.dtypes import BIDDER, ROLES
from baofen.envs.observation import ACTION_ORDER
from baofen.training.examples import single_file_ppo as ppo

SMALL: dict[str, Any] = {"num_tables": 8, "num_steps": 200, "hidden_size": 8, "bf16": False}


def played() -> ppo.Rollout:
    """A rollout of networks that have something to say."""
    torch.manual_seed(1)
    networks = nn.ModuleList(ppo.Network(8) for _ in ROLES)
    for network in networks:
        nn.init.normal_(network.heads.weight)  # type: ignore[union-attr, arg-type]
    rollout = ppo.Rollout(ppo.Args(**SMALL))
    rollout.play(networks)
    return rollout


def test_advantages_run_along_each_seats_own_decisions() -> None:
    rollout = played()
    practised = ~rollout.learns
    rollout.estimate_advantages()
    lambdas = rollout.args.gae_lambdas
    kept = 0
    for table in range(rollout.args.num_tables):
        ends = [-1, *np.flatnonzero(rollout.done[:, table]).tolist(), rollout.args.num_steps - 1]
        for begin, end in itertools.pairwise(ends):
            steps: dict[int, list[int]] = defaultdict(list)
            for t in range(begin + 1, end + 1):
                steps[int(rollout.seat[t, table])].append(t)
            for seat, times in steps.items():
                follows = [*times[1:], None]
                later = 0.0
                for t, following in reversed(list(zip(times, follows, strict=True))):
                    if following is None and not rollout.done[end, table]:
                        assert not rollout.learns[t, table]
                        continue
                    until = end + 1 if following is None else following
                    won = rollout.reward[t:until, table, seat].sum()
                    value = 0.0 if following is None else rollout.value[following, table]
                    later = won + value - rollout.value[t, table] + lambdas[rollout.role[t, table]] * later
                    assert rollout.advantage[t, table] == pytest.approx(later, abs=1e-4)
                    assert rollout.learns[t, table] == (not practised[t, table])
                    kept += 1
    assert kept > 1000
    assert set(rollout.role[practised]) == {BIDDER}


def test_what_a_deal_pays_is_the_same_however_early_it_is_paid() -> None:
    rollout = played()
    plain = VectorTables(8, seed=1, skip_forced=True, starts=rollout.batch.starts)
    paid, promised = np.zeros((2, 8, 4))
    for t in range(rollout.args.num_steps):
        rewards, done = plain.step(_plain_actions(plain, rollout, t))
        paid += rewards
        promised += rollout.reward[t] * rollout.args.points_per_return
        assert np.array_equal(done, rollout.done[t])
        assert np.allclose(paid[done], promised[done], atol=1e-2)
    assert rollout.done.sum() >= 8


def _plain_actions(batch: VectorTables, rollout: ppo.Rollout, t: int) -> Any:
    """The actions of a rollout again: those of the networks renamed back, the heuristic's as it calls."""
    actions = ACTION_ORDER[batch.trump, rollout.action[t]]
    practice = np.flatnonzero(rollout.practises & (batch.role == BIDDER))
    if len(practice):
        actions[practice] = rollout.heuristic.act(batch.views(practice, observe=False))
    return actions


def test_it_trains_and_becomes_an_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ppo.pt"
    args = ppo.Args(**SMALL, iterations=3, minibatch_decisions=(64, 64, 64), save=str(file))
    torch.manual_seed(args.seed)
    before = [parameter.clone() for parameter in nn.ModuleList(ppo.Network(8) for _ in ROLES).parameters()]
    after = list(ppo.train(args).parameters())
    assert all(not torch.equal(old, new) and new.isfinite().all() for old, new in zip(before, after, strict=True))
    assert capsys.readouterr().out.splitlines()[2].startswith("3: 4,800 decisions, ")
    monkeypatch.setenv("SINGLE_FILE_PPO", str(file))
    agent = ppo.Trained()
    batch = VectorTables(16, seed=2)
    agent.reset(16, 0)
    for _ in range(150):
        batch.step(agent.act(batch.views()))  # refuses what is illegal


def test_rules_that_settle_in_levels_are_refused() -> None:
    with pytest.raises(ValueError, match="hongwu settles in levels"):
        ppo.Rollout(ppo.Args(rules="hongwu", num_tables=2))
