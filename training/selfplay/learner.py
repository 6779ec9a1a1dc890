"""The learner: PPO on rows by role, with its own minibatch loop.

Every role has its own network, optimiser, learning rate, entropy bonus and gradient clip, and its own number of
minibatches, so that the bidder with few rows is not drowned and is not trained more often than its rows allow.
"""

from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core import ALL_MODULES
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.learner import ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED_LIFETIME
from torch import Tensor

from baofen.envs.core.dtypes import ROLES
from baofen.training.method import NotFiniteError
from baofen.training.selfplay import precision as arithmetic
from baofen.training.selfplay.module import VALUES

GRADIENT_NORM = "gradient_norm"
APPROXIMATE_KL = "approximate_kl"
CLIPPED_SHARE = "clipped_share"
EXPLAINED_VARIANCE = "explained_variance_of_returns"
ROWS_LIFETIME = "num_env_steps_trained_lifetime"
KEYS = (Columns.ACTIONS, Columns.ACTION_LOGP, Postprocessing.ADVANTAGES, Postprocessing.VALUE_TARGETS)

Rows = dict[str, Any]
"""One role's rows as tensors, by RLlib's column names; `Columns.OBS` holds a dict of two."""


class SelfPlayLearner(PPOTorchLearner):
    """PPO without the old logits: the ratio needs only the log probability at which an action was drawn."""

    def build(self) -> None:
        """Set the arithmetic of this process, then build as PPO does."""
        learning = self.config.settings.learning
        self._precision = arithmetic.resolved(learning.precision)
        arithmetic.apply(self._precision, learning.threads)
        super().build()

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """Register the fused Adam the stock way, so that learning-rate schedules and checkpoints work."""
        params = self.get_parameters(self._module[module_id])
        self.register_optimizer(
            module_id=module_id,
            optimizer=torch.optim.Adam(params, eps=1e-5, fused=True),
            params=params,
            lr_or_lr_schedule=config.lr,
        )

    def update(
        self,
        batch: Any = None,
        training_data: Any = None,
        *,
        timesteps: dict[str, Any] | None = None,
        num_epochs: int = 1,
        num_minibatches: dict[str, int] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Pass over the rows `num_epochs` times, each role's cut into its own number of minibatches.

        num_minibatches: role -> minibatches of one epoch; the driver decides, so that all learners of a group make
        the same number of steps whatever the size of their share.
        """
        torch.set_num_threads(self.config.settings.learning.threads)  # an evaluation in between will have set one
        self.before_gradient_based_update(timesteps=timesteps or {})
        if training_data is not None:
            training_data.solve_refs()
            batches = [training_data.batch] if training_data.batch is not None else training_data.batches
        else:
            batches = [batch]
        self._weights_seq_no += 1
        num_rows = sum(len(rows) for one in batches for rows in one.policy_batches.values())
        self._set_rates((timesteps or {}).get(NUM_ENV_STEPS_SAMPLED_LIFETIME, num_rows) - num_rows)
        for role in ROLES:
            parts = [b.policy_batches[role] for b in batches if role in b.policy_batches]
            if parts and self.should_module_be_updated(role):
                rows = self._tensors(parts)
                self._train_role(role, rows, num_epochs, (num_minibatches or {}).get(role, 1))
        self.metrics.log_value((ALL_MODULES, ROWS_LIFETIME), num_rows, reduce="lifetime_sum", with_throughput=True)
        self.after_gradient_based_update(timesteps=timesteps or {})
        return self.metrics.reduce()

    def _set_rates(self, decisions: int) -> None:
        """Put in force what the configuration says of rates and bonuses after so many decisions.

        RLlib does so at the end of an iteration, for the next one; a restored optimiser would keep its old rate until
        then, and the entropy bonus begin anew.
        """
        for role in ROLES:
            for name in self._module_optimizers[role]:
                optimizer = self._named_optimizers[name]
                self._set_optimizer_lr(optimizer, self._optimizer_lr_schedules[optimizer].update(timestep=decisions))
            self.entropy_coeff_schedulers_per_module[role].update(timestep=decisions)

    def _train_role(self, role: str, rows: Rows, num_epochs: int, num_minibatches: int) -> None:
        """Train one role's network on its rows."""
        advantages = rows[Postprocessing.ADVANTAGES]
        targets = rows[Postprocessing.VALUE_TARGETS]
        residual = advantages.var(correction=0) / targets.var(correction=0).clamp_min(1e-8)
        self.metrics.log_value((role, EXPLAINED_VARIANCE), 1 - residual, window=1)
        rows[Postprocessing.ADVANTAGES] = (advantages - advantages.mean()) / advantages.std(correction=0).clamp_min(
            1e-4
        )
        total = len(targets)
        size = total // num_minibatches
        if size > 2 * self.config.pad_rows:
            # Repeating matrix shapes are quicker; fewer than `pad_rows` random rows of a minibatch sit out.
            size -= size % self.config.pad_rows
        for epoch in range(num_epochs):
            order = torch.randperm(total, device=self._device)
            for number in range(num_minibatches):
                index = order[number * size : (number + 1) * size]
                log = epoch == num_epochs - 1 and number == num_minibatches - 1
                self._gradient_step(role, _select(rows, index), log)

    def _gradient_step(self, role: str, rows: Rows, log: bool) -> None:
        """Forward, loss, backward, clip, step; without the stock loop's checks of every parameter."""
        self._log_this_step = log
        (name,) = self._module_optimizers[role]
        optimizer = self._named_optimizers[name]
        optimizer.zero_grad(set_to_none=True)
        device = torch.device(self._device).type
        with torch.autocast(device, dtype=torch.bfloat16, enabled=self._precision == arithmetic.BF16):
            forward = self.module.forward_train({role: rows})
        loss = self.compute_losses(fwd_out=forward, batch={role: rows})[role]
        loss.backward()
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        norm = torch.nn.utils.clip_grad_norm_(parameters, self.config.grad_clip)
        if not torch.isfinite(norm):
            raise NotFiniteError(f"the gradient of the {role}'s network")
        if log:
            self.metrics.log_value((role, GRADIENT_NORM), norm, window=1)
        optimizer.step()

    def compute_loss_for_module(self, *, module_id: str, config: Any, batch: Rows, fwd_out: Any) -> Tensor:
        """Return the clipped PPO loss of one minibatch, with value loss and entropy bonus."""
        logits = fwd_out[Columns.ACTION_DIST_INPUTS].float()
        all_log_probability = torch.log_softmax(logits, -1)
        taken = batch[Columns.ACTIONS][:, None]
        log_probability = all_log_probability.gather(1, taken).squeeze(1)
        drift = log_probability - batch[Columns.ACTION_LOGP]
        ratio = torch.exp(drift)
        advantage = batch[Postprocessing.ADVANTAGES]
        clipped = ratio.clamp(1 - config.clip_param, 1 + config.clip_param)
        gain = torch.min(advantage * ratio, advantage * clipped).mean()
        # Not the exponential of the above: that is slow where illegal actions have huge negative numbers.
        entropy = -(torch.softmax(logits, -1) * all_log_probability).sum(-1).mean()
        error = (fwd_out[VALUES].float() - batch[Postprocessing.VALUE_TARGETS]) ** 2
        value_loss = error.clamp(max=config.vf_clip_param).mean()
        bonus = self.entropy_coeff_schedulers_per_module[module_id].get_current_value()
        loss: Tensor = -gain + config.vf_loss_coeff * value_loss - bonus * entropy
        if self._log_this_step:
            with torch.no_grad():
                self.metrics.log_dict(
                    {
                        POLICY_LOSS_KEY: -gain.detach(),
                        VF_LOSS_KEY: value_loss.detach(),
                        ENTROPY_KEY: entropy.detach(),
                        # Never negative, unlike the mean of the drift alone.
                        APPROXIMATE_KL: (ratio - 1 - drift).mean(),
                        CLIPPED_SHARE: ((ratio - 1).abs() > config.clip_param).float().mean(),
                    },
                    key=module_id,
                    window=1,
                )
        return loss

    def _tensors(self, parts: list[Any]) -> Rows:
        """Return the rows of several batches as tensors on the learner's device; bytes stay bytes."""

        def joined(arrays: list[Any]) -> Tensor:
            # Arrays from another process may only be read, which torch does not take.
            tensors = [torch.from_numpy(np.require(array, requirements="W")) for array in arrays]
            return (tensors[0] if len(tensors) == 1 else torch.cat(tensors)).to(self._device)

        shown = {key: joined([part[Columns.OBS][key] for part in parts]) for key in ("observation", "action_mask")}
        return {Columns.OBS: shown, **{key: joined([part[key] for part in parts]) for key in KEYS}}


def _select(rows: Rows, index: Tensor) -> Rows:
    """Return the rows at `index` (int64 [n])."""
    return {
        key: _select(value, index) if isinstance(value, dict) else value.index_select(0, index)
        for key, value in rows.items()
    }
