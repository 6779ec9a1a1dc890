"""A rule system in force: a preset with its switches set, and what it becomes for the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from baofen.envs import layout
from baofen.envs.cards import SUITS
from baofen.envs.core import dtypes as core
from baofen.envs.core import settle
from baofen.envs.rules.presets import PRESETS, Preset
from baofen.envs.rules.switches import SWITCHES, OptionValue

MOST_RECORDS_KEPT = 64
"""Most rule sets kept as the core sees them; one is 8 kB and takes longer to work out than a deal."""


@dataclass(frozen=True)
class Rules:
    """A rule system: a preset and the switches that differ from it.

    Raises:
        ValueError: for an unknown preset or switch, a switch that means nothing in the preset, or a value that is
            not allowed; the message names all faults.
        TypeError: if the options are no mapping.

    >>> dict(Rules("suzhou", {"all_pass": "direct", "eights": "on"}).options)
    {'all_pass': 'direct'}
    """

    preset: str = "suzhou"
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise ValueError(f"unknown rules {self.preset!r}: there are {', '.join(PRESETS)}")
        if not isinstance(self.options, Mapping):
            raise TypeError(f"options must be a mapping from switches to values, not {self.options!r}")
        faults = []
        normal: dict[str, OptionValue] = {}
        for name, value in self.options.items():
            if name not in SWITCHES:
                faults.append(f"unknown option {name!r}: there are {', '.join(self.switches(self.preset))}")
            elif name not in self.system.switches:
                faults.append(f"option {name!r} means nothing in rules {self.preset!r}")
            else:
                try:
                    word = SWITCHES[name].normal(value)
                except ValueError as error:
                    faults.append(f"option {name!r} {error}")
                else:
                    if word != self.system.switches[name]:
                        normal[name] = word
        object.__setattr__(self, "options", MappingProxyType(normal))
        if not faults:
            faults = self._out_of_bounds()
        if faults:
            raise ValueError("; ".join(faults))

    def _out_of_bounds(self) -> list[str]:
        """Return what is wrong with numbers that other switches bound."""
        faults = []
        for name in self.switches(self.preset):
            bound = SWITCHES[name].at_least
            if bound in self.system.switches and self._given(name) < self._given(bound):
                faults.append(f"{name} must be at least {bound}, {self._given(bound)}, not {self._given(name)}")
        return faults

    @classmethod
    def of(cls, rules: str | Rules, options: Mapping[str, OptionValue] | None = None) -> Rules:
        """Return the rule system that the name of a preset and its switches, or a `Rules` alone, stand for.

        Raises:
            ValueError: as `Rules`, and for options beside a `Rules`, which has its own.
        """
        if not isinstance(rules, Rules):
            return cls(rules, options or {})
        if options:
            raise ValueError(
                f"these rules have options of their own; give options {dict(options)} with the preset's name"
            )
        return rules

    @staticmethod
    def switches(preset: str) -> list[str]:
        """Return the names of the switches that a preset has, in the order of `SWITCHES`."""
        return [name for name in SWITCHES if name in PRESETS[preset].switches]

    @property
    def system(self) -> Preset:
        """The preset itself, with all that is the same for whatever switches."""
        return PRESETS[self.preset]

    def value(self, name: str) -> OptionValue:
        """Return the value of a switch in force: a word, or a number, at most the one that bounds it."""
        value = self.options.get(name, self.system.switches[name])
        bound = SWITCHES[name].at_most
        return value if bound not in self.system.switches else min(self._given(name), self._given(bound))

    def number(self, name: str) -> int:
        """Return the value of a switch in force as the core sees it."""
        return SWITCHES[name].parse(self.value(name))

    def _given(self, name: str) -> int:
        """Return the number that was given for a switch, or its default."""
        return SWITCHES[name].parse(self.options.get(name, self.system.switches[name]))

    @property
    def has_pot(self) -> bool:
        """Whether a pot can exist (`all_pass = pot`)."""
        return "all_pass" in self.system.switches and self.value("all_pass") == "pot"

    @property
    def has_levels(self) -> bool:
        """Whether a deal settles in levels (Bao Hong Wu), not in points."""
        return bool(self.system.fixed.get("level_settlement"))

    @property
    def score_unit(self) -> str:
        """What scores and rewards count: "points" or "levels"."""
        return "levels" if self.has_levels else "points"

    @property
    def declarer_factor(self) -> int:
        """How many times the score (or levels) of a played deal the declarer gets; each defender pays it once."""
        return int(settle.declarer_factor(self.record[0]))

    @cached_property
    def record(self) -> NDArray[np.void]:
        """The rule set as the core sees it, an array [1] of the `RULES` dtype, read-only; equal rules share it."""
        return _core_record(self.system, tuple((name, self.number(name)) for name in self.switches(self.preset)))

    def __reduce__(self) -> tuple[type[Rules], tuple[str, dict[str, OptionValue]]]:
        """Travel to another process as what was asked for; the core's tables are made there."""
        return Rules, (self.preset, dict(self.options))

    def __hash__(self) -> int:
        return hash((self.preset, tuple(sorted(self.options.items()))))


@lru_cache(maxsize=MOST_RECORDS_KEPT)
def _core_record(system: Preset, numbers: tuple[tuple[str, int], ...]) -> NDArray[np.void]:
    """Return a rule set as the core sees it: rules are values, and this is worked out once for each."""
    rules = np.zeros(1, core.RULES)
    record = rules[0]
    for name, number in (*numbers, *system.fixed.items()):
        record[name] = number
    joker_run = bool(record["joker_tractor"] != core.NONE)
    for trump, suit in enumerate(SUITS):
        layout.fill_layout(record, trump, system.trump_order(suit, joker_run))
    layout.fill_plain_layout(record)
    layout.fill_points_and_ranks(record)
    layout.fill_moves(record)
    rules.setflags(write=False)
    return rules
