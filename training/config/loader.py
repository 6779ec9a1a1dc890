"""Reading and writing configurations.

>>> load_config(None) == TrainConfig()
True
>>> loads("seed: 3").seed
3
"""

import json
from importlib import resources
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from baofen.training.config.faults import ConfigError, ConfigFault, faults_of, suggestion
from baofen.training.config.text import MAX_CHARACTERS, Plain, TextError, read, write
from baofen.training.config.train import TrainConfig

_ADAPTER = TypeAdapter(TrainConfig)
_NAMED = resources.files("baofen.configs") / "train"


def config_names() -> list[str]:
    """The configurations that come with the package."""
    return sorted(entry.name.removesuffix(".yaml") for entry in _NAMED.iterdir() if entry.name.endswith(".yaml"))


def load_config(path_or_name: str | Path | None) -> TrainConfig:
    """The configuration of a named one, of a YAML file, or (None) the defaults.

    A name is a word without a folder and without `.yaml`. Raises ConfigError with everything that is wrong.
    """
    if path_or_name is None:
        return TrainConfig()
    if isinstance(path_or_name, Path) or "/" in path_or_name or path_or_name.endswith((".yaml", ".yml")):
        return loads(_read_file(Path(path_or_name)), str(path_or_name))
    if path_or_name not in config_names():
        hint = suggestion(path_or_name, config_names())
        raise ConfigError(
            [ConfigFault(path_or_name, "", f"no such configuration; {hint} (a file is given as FILE.yaml)")]
        )
    entry = _NAMED / f"{path_or_name}.yaml"
    return loads(entry.read_text(encoding="utf-8"), entry.name)


def loads(text: str, source: str = "text") -> TrainConfig:
    """The configuration that a YAML text describes: the defaults, but for what the text says."""
    try:
        value, text_faults = read(text)
    except TextError as error:
        raise ConfigError(ConfigFault(source, key, message) for key, message in error.faults) from None
    faults = [ConfigFault(source, key, message) for key, message in text_faults]
    if value is not None and not isinstance(value, dict):
        raise ConfigError([*faults, ConfigFault(source, "", "takes keys with values", value)])
    try:
        config = validate(_merged(as_plain(TrainConfig()), value or {}), source)
    except ConfigError as error:
        raise ConfigError([*faults, *error.faults]) from None
    if faults:
        raise ConfigError(faults)
    return config


def validate(value: Plain, source: str) -> TrainConfig:
    """The configuration made of plain values, every fault of which is told with this source."""
    try:
        return _ADAPTER.validate_json(json.dumps(value))
    except ValidationError as error:
        raise ConfigError(faults_of(error, source, value, TrainConfig)) from None


def as_plain(config: TrainConfig) -> dict[str, Plain]:
    """The configuration as dicts, lists, words and numbers."""
    plain: dict[str, Plain] = _ADAPTER.dump_python(config, mode="json")
    return plain


def dump_config(config: TrainConfig) -> str:
    """The whole configuration as YAML; reading it gives an equal one.

    >>> loads(dump_config(TrainConfig(seed=5))) == TrainConfig(seed=5)
    True
    """
    return write(as_plain(config))


def _read_file(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(MAX_CHARACTERS + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    except UnicodeDecodeError:
        reason = "not a text file (UTF-8)"
    raise ConfigError([ConfigFault(str(path), "", reason)])


def _merged(base: Plain, changes: Plain) -> Plain:
    """`base` with what `changes` says instead, key by key at every depth; a section left empty changes nothing."""
    if isinstance(base, dict) and changes is None:
        return base
    if not (isinstance(base, dict) and isinstance(changes, dict)):
        return changes
    return {**base, **{key: _merged(base.get(key), value) for key, value in changes.items()}}
