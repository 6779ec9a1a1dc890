"""The trained agent: reads `policy.safetensors` and `policy.json`, nothing else, and plays with torch alone.

No code is ever loaded from a file. The names in the weights are `<role>.<parameter of RoleNetwork>`.
"""

import math
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import BaseModel, Field
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from baofen.agents.base import Views
from baofen.agents.policy import FACTS_FILE
from baofen.agents.policy.mlp import RoleNetwork
from baofen.agents.policy.policy_files import (
    MAX_HIDDEN_LAYERS,
    MAX_WEIGHTS_BYTES,
    WEIGHTS_FILE,
    PolicyFileError,
    check_facts,
    check_layout,
    check_size,
    observation_layout,
    read_facts,
    rules_of,
)
from baofen.agents.policy.suits import NUM_TRUMPS
from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.core.dtypes import ROLES
from baofen.envs.core.rng import seed_word
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.rules import Rules

SUIT_ORDERS_IN_WEIGHTS = ("suits.observation_order", "suits.action_order")

_Count = Annotated[int, Field(ge=1)]


class _Observation(BaseModel, strict=True):
    size: _Count
    layout: str | None


class _Architecture(BaseModel, strict=True):
    kind: Literal["mlp"]
    hidden_sizes: Annotated[list[_Count], Field(min_length=1, max_length=MAX_HIDDEN_LAYERS)]


class _Facts(BaseModel, strict=True):
    """What an agent must know of `policy.json`; the rest of the file is for the record."""

    architecture: _Architecture
    roles: list[str]
    rules: str | None
    options: dict[str, bool | int | str]
    observation: _Observation
    num_actions: _Count
    suits_renamed: bool
    value_unit_points: Annotated[float, Field(gt=0, allow_inf_nan=False)]


def policy_facts(folder: Path) -> dict[str, Any]:
    """Return what `policy.json` says: architecture, roles, rules, options, observation, actions, training config.

    Raises:
        PolicyFileError: if there is no such file, or what an agent must know is missing in it or wrong.
    """
    facts = read_facts(folder)
    check_facts(folder, _Facts, facts)
    if facts["roles"] != list(ROLES):
        given = ", ".join(facts["roles"])
        raise PolicyFileError(f"{folder / FACTS_FILE}: roles must be {', '.join(ROLES)}, not {given}")
    return facts


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
            layout: of the observations it will be shown, if another game than the environments shows them.

        Raises:
            PolicyFileError: if a file is missing or damaged, or does not fit the other one or this version.
        """
        folder = Path(folder)
        self.name = name or str(folder)
        self.greedy = greedy
        self.facts = policy_facts(folder)
        self._size, self._num_actions = self.facts["observation"]["size"], self.facts["num_actions"]
        self.trained_on: Rules | None = None
        """The rules of the training, if it was on the environments: for who knows what the user means to play."""
        check_layout(folder, self.facts, observation_layout() if layout is None else layout)
        if layout is None:
            self._fit_environments(folder)
        weights = _weights(folder)
        try:
            self._observation_order, self._action_order = self._suit_orders(weights)
            self._networks = [self._network(role, weights) for role in ROLES]
            known = tuple(f"{role}." for role in ROLES)
            stray = sorted(key for key in weights if key not in SUIT_ORDERS_IN_WEIGHTS and not key.startswith(known))
            if stray:
                raise ValueError(f"{', '.join(stray)} belongs to no role")
        except ValueError as error:
            raise PolicyFileError(f"{folder / WEIGHTS_FILE}: {error}") from None
        self._generator = torch.Generator()

    def _fit_environments(self, folder: Path) -> None:
        """Check the facts against the environments of this version, and take note of the rules."""
        given, needed = (self._size, self._num_actions), (OBSERVATION_SIZE, NUM_ACTIONS)
        if given != needed:
            raise PolicyFileError(f"{folder / FACTS_FILE}: observation size and actions are {given}, not {needed}")
        self.trained_on = rules_of(folder, self.facts)

    def _suit_orders(self, weights: dict[str, Tensor]) -> tuple[Tensor | None, Tensor | None]:
        """Return the renaming of suits, of observations and of actions, if there is any."""
        found = [weights.get(key) for key in SUIT_ORDERS_IN_WEIGHTS]
        if not self.facts["suits_renamed"]:
            if any(order is not None for order in found):
                raise ValueError(f"it renames suits, and {FACTS_FILE} says that none are renamed")
            return None, None
        for key, order, size in zip(SUIT_ORDERS_IN_WEIGHTS, found, (self._size, self._num_actions), strict=True):
            if order is None or not _is_order(order, size):
                raise ValueError(f"{key} is no order of {size} places for each of {NUM_TRUMPS} trumps")
        return found[0], found[1]

    def _network(self, role: str, weights: dict[str, Tensor]) -> RoleNetwork:
        """Return one role's network with its weights."""
        given = {key.removeprefix(role + "."): value for key, value in weights.items() if key.startswith(role + ".")}
        whole = [key for key, value in given.items() if not value.is_floating_point()]
        if whole:
            raise ValueError(f"{role}: {', '.join(whole)} should hold floating-point numbers")
        own = {key: value.float() for key, value in given.items()}
        try:
            with torch.device("meta"):  # neither memory nor random numbers for weights that are replaced at once
                network = RoleNetwork(self._size, self._num_actions, self.facts["architecture"]["hidden_sizes"])
            network.load_state_dict(own, assign=True)
        except RuntimeError as error:
            raise ValueError(f"{role}: {' '.join(str(error).split())}") from None
        network.fold()
        # After folding, for a scale of zero makes infinities too.
        broken = [key for key, value in network.state_dict().items() if not value.isfinite().all()]
        if broken:
            raise ValueError(f"{role}: {', '.join(broken)} is not finite")
        return network.eval().requires_grad_(False)

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew; the network itself remembers nothing, so only the draws depend on this."""
        self._generator.manual_seed(int(seed_word(seed)))

    @torch.inference_mode()
    def act(self, views: Views) -> NDArray[np.int64]:
        """Return one legal action for each view, int64 [n]."""
        logits, _ = self.logits_and_values(views)
        if self.greedy:
            chosen = logits.argmax(1)
        else:
            chosen = torch.multinomial(torch.softmax(logits, 1), 1, generator=self._generator).squeeze(1)
        actions: NDArray[np.int64] = chosen.numpy()
        return actions

    @torch.inference_mode()
    def logits_and_values(self, views: Views) -> tuple[Tensor, Tensor]:
        """Return logits of the raw actions, float [n, actions], and values in points, float [n].

        Those of illegal actions are -inf, all others finite, so that no weights can choose an illegal action.
        """
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
        logits.nan_to_num_()  # finite weights too may add up to more than a float holds
        return logits.masked_fill_(mask == 0, -math.inf), values * self.facts["value_unit_points"]


def _weights(folder: Path) -> dict[str, Tensor]:
    path = folder / WEIGHTS_FILE
    try:
        check_size(path, MAX_WEIGHTS_BYTES)
        # In memory, not mapped: training writes the file anew while an agent may still play.
        return {key: value.clone() for key, value in load_file(path).items()}
    except FileNotFoundError:
        raise PolicyFileError(f"{folder} holds no policy: it has no {WEIGHTS_FILE}") from None
    except (SafetensorError, OSError) as error:
        raise PolicyFileError(f"{path}: {error}") from None


def _is_order(order: Tensor, size: int) -> bool:
    """Return whether each row, one for each trump, holds every place once."""
    fits = order.shape == (NUM_TRUMPS, size) and order.dtype == torch.int64
    return fits and bool((order.sort(1).values == torch.arange(size)).all())
