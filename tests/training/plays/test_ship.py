"""Shipping a policy: half the size, the same plays, and a sentence where there is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scorers import write_scorer

from baofen.agents.policy import SHIPPED, shipped_policies
from baofen.agents.policy.scorer_agent import ScorerAgent
from baofen.agents.policy.scorer_files import load_scorer
from baofen.training.plays.ship import main


def test_a_shipped_scorer_says_what_the_checkpoint_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkpoint = write_scorer(tmp_path / "000004", record={"progress": {"iterations": 4}}, bonus_share=0.4)
    assert main([str(checkpoint), "mine-v1", "--to", str(tmp_path / "shipped")]) == 0
    shipped = tmp_path / "shipped" / "mine-v1"
    assert capsys.readouterr().out.strip() == str(shipped)
    before, after = load_scorer(checkpoint), load_scorer(shipped)
    assert after.facts["progress"] == {"iterations": 4}
    assert after.bonus_share == before.bonus_share
    for one, other in zip(before.networks, after.networks, strict=True):
        assert np.allclose(one.middle, other.middle, rtol=2e-3, atol=1e-4)
    size = [(folder / "policy.safetensors").stat().st_size for folder in (checkpoint, shipped)]
    assert size[1] < 0.6 * size[0]


def test_what_is_no_policy_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "mine-v1", "--to", str(tmp_path / "shipped")]) == 2
    assert "no policy lies in" in capsys.readouterr().err
    assert main([str(write_scorer(tmp_path / "one")), "../mine", "--to", str(tmp_path / "shipped")]) == 2
    assert "a name has letters" in capsys.readouterr().err
    assert not (tmp_path / "shipped").exists()


@pytest.mark.parametrize("name", shipped_policies())
def test_what_is_shipped_can_be_played_and_is_small(name: str) -> None:
    agent = ScorerAgent(SHIPPED / name, name=name)
    assert agent.trained_on.preset == name.partition("-")[0]
    assert (SHIPPED / name / "policy.safetensors").stat().st_size < 5_000_000
