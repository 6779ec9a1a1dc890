"""Names of RLlib that are not its public interface and that self-play uses: a new version must be looked at."""

import inspect
import re
from importlib.metadata import version

from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.core.learner.learner import Learner
from ray.rllib.core.learner.torch.torch_learner import TorchLearner
from ray.rllib.env import env_runner_group
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.utils.checkpoints import Checkpointable
from ray.tune.trainable import Trainable


def test_ray_is_the_version_that_was_looked_at() -> None:
    assert version("ray").startswith("2.60.")


def test_private_names_exist() -> None:
    learner = inspect.getsource(Learner) + inspect.getsource(TorchLearner)
    for name in ("_module_optimizers", "_named_optimizers", "_weights_seq_no", "self._device", "self._module"):
        assert name in learner, name
    assert "_dont_auto_sync_env_runner_states" in vars(AlgorithmConfig())
    assert hasattr(Trainable, "_setup_logdir") and "self._storage" in inspect.getsource(Trainable._setup_logdir)
    assert hasattr(Checkpointable, "_check_component") and hasattr(Checkpointable, "_get_subcomponents")
    assert "num_env_steps_sampled_lifetime" in inspect.getsource(EnvRunner.__init__)


def test_the_runner_group_uses_the_object_store_only_by_put() -> None:
    """The stand-in for Ray without a cluster covers what runs with no remote runner; the rest is for remote ones."""
    calls = set(re.findall(r"\bray\.(\w+)\(", inspect.getsource(env_runner_group)))
    assert calls == {"put", "get", "remote"}
