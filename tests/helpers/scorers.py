"""Saved scorers to load: small networks that prefer plays at random, but always in the same way."""

from pathlib import Path
from typing import Any

import torch

from baofen.agents.plays.features import NUM_FEATURES
from baofen.agents.policy.scorer import PlayScorer
from baofen.agents.policy.scorer_agent import FEATURE_NAMES, LISTING
from baofen.agents.policy.scorer_files import save_scorer
from baofen.agents.policy.scorer_parameters import higher_faces
from baofen.envs import Rules


def write_scorer(folder: Path, rules: str = "suzhou", *, seed: int = 0, scale: float = 1.0, **how: Any) -> Path:
    """Write a scorer of three networks into a folder that is made if need be.

    scale: of its answers. how: as in `save_scorer`.
    """
    generator = torch.Generator().manual_seed(seed)
    networks = {}
    for name in ("declarer", "defender", "bury"):
        scorer = PlayScorer(NUM_FEATURES, higher_faces(Rules(rules)), hidden_size=16, head_size=8)
        for weights in scorer.parameters():
            torch.nn.init.normal_(weights, std=0.3, generator=generator)
        with torch.no_grad():
            scorer.points.weight *= scale
            scorer.bonus.weight *= scale
        networks[name] = scorer.state_dict()
    folder.mkdir(exist_ok=True)
    facts: dict[str, Any] = {"rules": Rules(rules), "listing": LISTING, "features": FEATURE_NAMES}
    save_scorer(folder, networks, **(facts | how))
    return folder
