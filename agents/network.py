"""The trained agent: reads `policy.safetensors` and `policy.json`, nothing else, and plays with torch alone.

No code is ever loaded from a file. The names in the weights are `<role>.<parameter of RoleNetwork>`.
"""

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor

from baofen.agents.base import Views
from baofen.agents.mlp import MASKED_LOGIT, RoleNetwork
from baofen.envs.observation import PARTS

WEIGHTS_FILE = "policy.safetensors"
FACTS_FILE = "policy.json"
FORMAT = 1
SUIT_ORDERS_IN_WEIGHTS = ("suits.observation_order", "suits.action_order")


class PolicyFileError(ValueError):
    """A policy that cannot be used, with the file and the reason."""


def policy_facts(folder: Path) -> dict[str, Any]:
    """Return what `policy.json` says: architecture, roles, rules, options, observation, actions, training config."""
    path = folder / FACTS_FILE
    try:
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PolicyFileError(f"{folder} holds no policy: it has no {FACTS_FILE}") from None
    except (ValueError, OSError) as error:
        raise PolicyFileError(f"{path}: {error}") from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise PolicyFileError(f"{path}: not a policy of format {FORMAT}")
    return facts


def observation_layout() -> str:
    """Return a short hash of what stands where in the environments' observations.

    A policy is tied to it: with another layout its inputs would mean other things.
    """
    layout = [(part.name, part.shape, part.scale, part.zero) for part in PARTS]
    return hashlib.sha256(repr(layout).encode()).hexdigest()[:12]


class NetworkAgent:
    """Plays by a trained network for each role."""

    cheats = False

    def __init__(
        self, folder: str | Path, *, greedy: bool = True, name: str | None = None, layout: str | None = None
    ) -> None:
        """Load a policy.

        Args:
            folder: where `policy.json` and `policy.safetensors` lie; a checkpoint folder is fine.
            greedy: take the likeliest action; otherwise draw one by its probability, as in training.
            name: what to call the agent, otherwise the folder.
            layout: of the observations it will be shown, if not that of the environments (`observation_layout`).
        """
        folder = Path(folder)
        self.name = name or str(folder)
        self.greedy = greedy
        self.facts = policy_facts(folder)
        made_for, shown = self.facts["observation"]["layout"], layout or observation_layout()
        if made_for != shown:
            raise PolicyFileError(
                f"{folder}: the policy was trained on observations of layout {made_for}, this version has {shown}"
            )
        try:
            weights = load_file(folder / WEIGHTS_FILE)
        except FileNotFoundError:
            raise PolicyFileError(f"{folder} holds no policy: it has no {WEIGHTS_FILE}") from None
        self._observation_order, self._action_order = (weights.pop(key, None) for key in SUIT_ORDERS_IN_WEIGHTS)
        self.roles: list[str] = self.facts["roles"]
        self._networks = [self._network(role, weights) for role in self.roles]
        self._generator = torch.Generator()

    def _network(self, role: str, weights: dict[str, Tensor]) -> RoleNetwork:
        """Return one role's network with its weights."""
        network = RoleNetwork(
            self.facts["observation"]["size"],
            self.facts["num_actions"],
            self.facts["architecture"]["hidden_sizes"],
        )
        own = {key.removeprefix(role + "."): value for key, value in weights.items() if key.startswith(role + ".")}
        network.load_state_dict(own)
        network.fold()
        return network.eval().requires_grad_(False)

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew; the network itself remembers nothing, so only the draws depend on this."""
        self._generator.manual_seed(seed)

    @torch.inference_mode()
    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
        trained_on, playing = self.facts["rules"], views.rules.preset
        if trained_on not in (None, playing):
            warnings.warn(f"{self.name} was trained on rules {trained_on!r}, and plays {playing!r}", stacklevel=2)
        logits, _ = self.logits_and_values(views)
        if self.greedy:
            chosen = logits.argmax(1)
        else:
            chosen = torch.multinomial(torch.softmax(logits, 1), 1, generator=self._generator).squeeze(1)
        actions: NDArray[np.int64] = chosen.numpy()
        return actions

    @torch.inference_mode()
    def logits_and_values(self, views: Views) -> tuple[Tensor, Tensor]:
        """Return masked logits of the raw actions, float [n, actions], and values in points, float [n]."""
        observation = torch.from_numpy(np.ascontiguousarray(views.observation))
        mask = torch.from_numpy(np.ascontiguousarray(views.action_mask))
        trump = torch.from_numpy(views.trump.astype(np.int64))
        if self._observation_order is not None:
            observation = observation.gather(1, self._observation_order[trump])
        logits = torch.empty(mask.shape, dtype=torch.float32)
        values = torch.empty(len(mask), dtype=torch.float32)
        role = torch.from_numpy(views.role.astype(np.int64))
        for index, network in enumerate(self._networks):
            rows = (role == index).nonzero().squeeze(1)
            if len(rows):
                logits[rows], values[rows] = network(observation[rows])
        if self._action_order is not None:
            # The canonical action j stands for the raw action order[trump, j].
            logits = torch.empty_like(logits).scatter_(1, self._action_order[trump], logits)
        return logits.masked_fill_(mask == 0, MASKED_LOGIT), values * self.facts["value_unit_points"]
