"""The learner of plays: a ring of labelled decisions and one scorer for each kind of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.core.learner.torch.torch_learner import TorchLearner

from baofen.agents.plays.features import NUM_FEATURES
from baofen.agents.plays.labeller import LabelledDecisions
from baofen.agents.policy.scorer import PlayScorer
from baofen.agents.policy.scorer_files import SCORER_NETWORKS
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.training.config import TrainConfig
from baofen.training.method import NotFiniteError
from baofen.training.plays.fitting import fit, losses
from baofen.training.plays.ring import ENTRIES_PER_DECISION, Minibatch, Ring
from baofen.training.plays.scorer_module import SCORER
from baofen.training.selfplay import precision as arithmetic

WARM_UP_STEPS = 50
"""Steps over which the rate rises, from the first of all."""
VALUE_COEFFICIENT = 0.02
BURY = SCORER_NETWORKS.index("bury")


class PlaysLearner(TorchLearner):
    """Regresses the differences between the plays of a decision, kind by kind."""

    def build(self) -> None:
        """Set the arithmetic of this process, then build; the rings are empty."""
        self.settings: TrainConfig = self.config.settings
        learning = self.settings.learning
        self._precision = arithmetic.resolved(learning.precision)
        arithmetic.apply(self._precision, learning.threads)
        super().build()
        capacity = self.settings.plays.buffer_decisions
        self._rings = [Ring(capacity, OBSERVATION_SIZE, NUM_FEATURES) for _ in SCORER_NETWORKS]
        self._held: list[Minibatch | None] = [None] * len(SCORER_NETWORKS)
        self.steps = [0] * len(SCORER_NETWORKS)
        self._rng = np.random.default_rng([self.settings.seed, 1])
        self._recent: list[dict[str, float | torch.Tensor]] = [{} for _ in SCORER_NETWORKS]

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """Register the fused Adam; its rate is set before every iteration."""
        params = self.get_parameters(self._module[module_id])
        self.register_optimizer(
            module_id=module_id, optimizer=torch.optim.Adam(params, lr=0.0, eps=1e-6, fused=True), params=params
        )

    def take(self, labels: LabelledDecisions, continues: bool = False) -> float:
        """Add labelled decisions to the rings; return the sum of their weights.

        continues: whether the network led on in the play-outs.
        """
        total = 0.0
        for kind, ring in enumerate(self._rings):
            own = labels.of_kind(kind)
            weight = self._weights(own, continues)
            ring.add(own, weight)
            total += float(weight.sum())
        return total

    def _weights(self, labels: LabelledDecisions, continues: bool = False) -> NDArray[np.float32]:
        """Return how often each decision is drawn: a mean over worlds says more than one deal."""
        plays = self.settings.plays
        in_worlds = np.float32(plays.continuation_weight if continues else plays.world_weight)
        return np.where(labels.worlds > 0, in_worlds, np.float32(1))

    def hold(self, labels: LabelledDecisions) -> None:
        """Keep labels of other deals, on which `fit` is measured."""
        for kind in range(len(SCORER_NETWORKS)):
            own = labels.of_kind(kind)
            if len(own):
                ring = Ring(max(len(own), -(-len(own.points) // ENTRIES_PER_DECISION)), OBSERVATION_SIZE, NUM_FEATURES)
                ring.add(own, self._weights(own))
                self._held[kind] = ring.newest(len(own))

    def minibatch_decisions(self, kind: int) -> int:
        """Return the size of a minibatch; there are few buries."""
        whole = self.settings.learning.minibatch_decisions
        return max(1, whole // 4) if kind == BURY else whole

    def learn(self, num_steps: int, share_done: float) -> None:
        """Take gradient steps, of each kind as many as its decisions ask for.

        share_done: of the run, 0 .. 1; the rate falls with it.
        """
        torch.set_num_threads(self.settings.learning.threads)  # an evaluation in between will have set one
        need = np.array([len(ring) / self.minibatch_decisions(kind) for kind, ring in enumerate(self._rings)])
        if not need.sum():
            return
        for kind in self._rng.choice(len(need), num_steps, p=need / need.sum()):
            self._step(int(kind), share_done)

    def _step(self, kind: int, share_done: float) -> None:
        name = SCORER_NETWORKS[kind]
        scorer, optimizer = self._scorer(name), self._optimizer(name)
        for group in optimizer.param_groups:
            group["lr"] = self.rate(kind, share_done)
        batch = self._rings[kind].draw(self.minibatch_decisions(kind), self._rng)
        share = self.settings.plays.bonus_share
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._precision == arithmetic.BF16):
            parts = losses(scorer, batch, share)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(parts.total(share, VALUE_COEFFICIENT))
        norm = torch.nn.utils.clip_grad_norm_(scorer.parameters(), self.settings.learning.max_grad_norm)
        if not torch.isfinite(norm):
            raise NotFiniteError(f"the gradient of the network for {name}")
        optimizer.step()
        self.steps[kind] += 1
        self._recent[kind] = {
            "points_loss": parts.points.detach(),
            "bonus_loss": parts.bonus.detach(),
            "value_loss": parts.value.detach(),
            "gradient_norm": norm,
            "learning_rate": group["lr"],
        }

    def rate(self, kind: int, share_done: float) -> float:
        """Return the step size of a kind: it falls exponentially from `learning.learning_rate` over the run."""
        rates = self.settings.learning.learning_rate
        first: float = rates.defender if SCORER_NETWORKS[kind] == "defender" else rates.declarer
        warm = min(1.0, (self.steps[kind] + 1) / WARM_UP_STEPS)
        return first * warm * self.settings.plays.final_rate_share**share_done

    def figures(self) -> dict[str, float]:
        """Return what there is to tell of the last steps, and the fit of labels held out, by name in TensorBoard."""
        told: dict[str, float] = {}
        for kind, name in enumerate(SCORER_NETWORKS):
            told |= {f"learning_{name}/{key}": float(value) for key, value in self._recent[kind].items()}
            held = self._held[kind]
            if held is not None:
                fitted = fit(self._scorer(name), held, self.settings.plays.bonus_share)
                told |= {f"fit_{name}/{key}": value for key, value in fitted.items()}
        return told

    def num_labels(self) -> int:
        """Return how many decisions are in the rings."""
        return sum(map(len, self._rings))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all weights, `NETWORK.PARAMETER`, and Adam's moments, `adam.NETWORK.PARAMETER.MOMENT`."""
        found: dict[str, NDArray[Any]] = {}
        for name in SCORER_NETWORKS:
            scorer, state = self._scorer(name), self._optimizer(name).state
            for key, parameter in scorer.named_parameters():
                found[f"{name}.{key}"] = parameter.detach().numpy().copy()
                for moment, value in state.get(parameter, {}).items():
                    found[f"adam.{name}.{key}.{moment}"] = value.numpy().copy()
        return found

    def weights(self) -> dict[str, dict[str, NDArray[Any]]]:
        """Return the parameters of each `PlayScorer` by network."""
        return {
            name: {key: value.detach().numpy().copy() for key, value in self._scorer(name).state_dict().items()}
            for name in SCORER_NETWORKS
        }

    def set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `arrays` gave; moments that are not there begin anew.

        Raises:
            ValueError: if a weight is missing or of another shape.
        """
        for name in SCORER_NETWORKS:
            scorer, optimizer = self._scorer(name), self._optimizer(name)
            for key, parameter in scorer.named_parameters():
                own = f"{name}.{key}"
                if own not in arrays or arrays[own].shape != tuple(parameter.shape):
                    held = arrays[own].shape if own in arrays else "missing"
                    raise ValueError(f"{own} is {held}, not of shape {tuple(parameter.shape)}")
                with torch.no_grad():
                    parameter.copy_(torch.from_numpy(np.asarray(arrays[own], np.float32)))
                moments = {
                    moment: torch.from_numpy(np.array(arrays[f"adam.{own}.{moment}"]))
                    for moment in ("step", "exp_avg", "exp_avg_sq")
                    if f"adam.{own}.{moment}" in arrays
                }
                if moments:
                    optimizer.state[parameter] = moments

    def _scorer(self, name: str) -> PlayScorer:
        scorer: PlayScorer = getattr(self.module[name].unwrapped(), SCORER.rstrip("."))
        return scorer

    def _optimizer(self, name: str) -> torch.optim.Optimizer:
        (registered,) = self._module_optimizers[name]
        optimizer: torch.optim.Optimizer = self._named_optimizers[registered]
        return optimizer

    def compute_loss_for_module(self, *, module_id: str, config: Any, batch: Any, fwd_out: Any) -> Any:
        """RLlib's own loop is not used: `learn` has ours."""
        raise NotImplementedError("PlaysLearner.learn draws its minibatches from the rings")
