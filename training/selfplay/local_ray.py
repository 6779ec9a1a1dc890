"""Ray without what one process does not need: a cluster, and a folder in the user's home."""

import logging
import os
import tempfile
import zlib
from typing import Any

import ray
from ray import cloudpickle
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.env import env_runner_group

from baofen.training.errors import UserError


class _RayWithoutCluster:
    """Ray as the runner group sees it, except that values stay in the process while there is no cluster.

    The group puts its config and every set of weights into the object store even if no other process will
    fetch them, and that alone would start a cluster: seconds of waiting and half a dozen processes.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(ray, name)

    @staticmethod
    def put(value: Any) -> Any:
        if isinstance(value, AlgorithmConfig):
            return InCall(value)
        return ray.put(value) if ray.is_initialized() else value


class InCall:
    """Travels to another process within the call, as `value`: packed, for Ray keeps only small arguments there."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (zlib.compress(cloudpickle.dumps(self._value)),)


def _unpacked(packed: bytes) -> Any:
    return cloudpickle.loads(zlib.decompress(packed))


def store_without_cluster() -> None:
    """Let runner groups of this process work without a cluster; nothing changes where there is one."""
    env_runner_group.ray = _RayWithoutCluster()


def quieten_ray() -> None:
    """Keep Ray's advice about its own stacks and drivers off the progress line; errors still show."""
    for name in ("ray", "ray.rllib", "ray.tune"):
        logging.getLogger(name).setLevel(logging.ERROR)


class ScratchFolder:
    """Mixed into an Algorithm: its scratch folder lies where `config.scratch_dir` says, not in the user's home.

    Without that setting it is a temporary folder.
    """

    config: Any
    _storage: Any
    _logdir: str

    def _setup_logdir(self) -> None:
        if self._storage:  # Tune keeps its own
            super()._setup_logdir()  # type: ignore[misc]
            return
        scratch = getattr(self.config, "scratch_dir", None)
        if scratch is not None:
            os.makedirs(scratch, exist_ok=True)
        self._logdir = tempfile.mkdtemp(dir=scratch)


def start_cluster(num_env_runners: int) -> bool:
    """Start Ray's processes if other processes are to play; return whether that was done here."""
    if num_env_runners == 0 or ray.is_initialized():
        return False
    try:
        ray.init(
            num_cpus=num_env_runners + 1,
            include_dashboard=False,
            logging_level=logging.ERROR,
            log_to_driver=False,
        )
    except (OSError, RuntimeError, ConnectionError) as error:
        raise UserError(f"cannot start Ray for {num_env_runners} runner processes: {error}") from None
    return True
