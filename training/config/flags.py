"""The configuration on the command line: a flag for each field, its present value as the default.

Flags are read into plain values and validated once, so that all that is wrong with them is told together.
"""

import dataclasses
import typing
from typing import Any

from tyro import constructors

from baofen.training.config.faults import ConfigError, ConfigFault
from baofen.training.config.loader import as_plain, validate
from baofen.training.config.text import Plain, scalar
from baofen.training.config.train import TrainConfig

COMMAND_LINE = "command line"

# What a resumed run has learned and drawn so far stands on these.
_FIXED_ON_RESUME = ("seed", "method", "start_from", "game", "network")


def registry() -> constructors.ConstructorRegistry:
    """How tyro reads our sections: into dicts, whose numbers and choices are checked later."""
    rules = constructors.ConstructorRegistry()
    rules.struct_rule(_section)
    rules.primitive_rule(_number_or_choice)
    return rules


def config_from_flags(plain: Plain) -> TrainConfig:
    """The configuration that the flags describe (`plain` is what tyro has read with our registry)."""
    return validate(_listed(plain), COMMAND_LINE)


def check_resumable(before: TrainConfig, now: TrainConfig) -> None:
    """Refuse flags that would turn a resumed run into another one."""
    old, new = as_plain(before), as_plain(now)
    faults = [
        ConfigFault(COMMAND_LINE, key, "cannot change when a run is resumed", new[key])
        for key in _FIXED_ON_RESUME
        if old[key] != new[key]
    ]
    if faults:
        raise ConfigError(faults)


def _section(info: constructors.StructTypeInfo) -> constructors.StructConstructorSpec | None:
    fields = getattr(info.type, "__pydantic_fields__", None)
    if fields is None or not dataclasses.is_dataclass(info.type):
        return None
    types = typing.get_type_hints(info.type)
    return constructors.StructConstructorSpec(
        instantiate=dict,
        fields=tuple(
            constructors.StructFieldSpec(
                name=name,
                type=types[name],
                default=getattr(info.default, name),
                helptext=field.description or types[name].__doc__,
            )
            for name, field in fields.items()
        ),
    )


def _number_or_choice(
    info: constructors.PrimitiveTypeInfo,
) -> constructors.PrimitiveConstructorSpec[Any] | None:
    choices = typing.get_args(info.type) if typing.get_origin(info.type) is typing.Literal else ()
    if info.type not in (int, float) and not choices:
        return None
    return constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar="{" + ",".join(choices) + "}" if choices else info.type.__name__.upper(),
        instance_from_str=lambda words: scalar(words[0]),
        is_instance=lambda value: isinstance(value, int | float | str),
        str_from_instance=lambda value: [str(value)],
    )


def _listed(value: Plain) -> Plain:
    """Tuples as lists, as a file would have them."""
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    return [_listed(inner) for inner in value] if isinstance(value, tuple | list) else value
