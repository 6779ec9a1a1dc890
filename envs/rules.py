"""Rule systems as data: presets, switches and what they become for the core (`rules.md` section 8).

A *switch* is one row of the table `SWITCHES`: its values, what it means, and its default for each preset that has
it. A switch that a preset does not have is refused there. `Rules` is a preset with its switches set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from baofen.envs import layout
from baofen.envs.cards import SUITS, is_whole
from baofen.envs.core import dtypes as data
from baofen.envs.core.dtypes import RULES

PRESETS = ("suzhou", "exposure", "hongwu")
OptionValue = str | int | bool


@dataclass(frozen=True)
class Switch:
    """One house rule: either a choice among words or a number from a range.

    `values` are the words, whose index is the number that the core sees; numbers are given by `low`, `high`, `step`.
    `defaults` has an entry for each preset in which the switch means something.
    """

    meaning: str
    source: str
    defaults: Mapping[str, OptionValue]
    values: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1

    def allowed(self) -> str:
        """Return what may be given, in words."""
        if self.values:
            return " | ".join(self.values)
        multiples = f", multiples of {self.step}" if self.step > 1 else ""
        return f"a whole number {self.low} .. {self.high}{multiples}"

    def parse(self, value: object) -> int:
        """Return the number that the core sees for a value.

        Raises:
            ValueError: if the value is not allowed.
        """
        if self.values:
            if isinstance(value, bool) and self.values == ("off", "on"):
                return int(value)
            if isinstance(value, str) and value in self.values:
                return self.values.index(value)
        elif is_whole(value) and self._holds(int(value)):  # type: ignore[call-overload]
            return int(value)  # type: ignore[call-overload]
        raise ValueError(f"must be {self.allowed()}, not {value!r}")

    def _holds(self, number: int) -> bool:
        return self.low <= number <= self.high and number % self.step == 0


def _baofen(suzhou: OptionValue, exposure: OptionValue) -> dict[str, OptionValue]:
    return {"suzhou": suzhou, "exposure": exposure}


def _all(value: OptionValue) -> dict[str, OptionValue]:
    return dict.fromkeys(PRESETS, value)


SWITCHES: dict[str, Switch] = {
    "follow_shape": Switch(
        "strict: tractors and pairs must be followed; suit_only: only the number of cards of the group",
        "1.1",
        _all("strict"),
        ("strict", "suit_only"),
    ),
    "tractor_follow": Switch(
        "longest: the longest runs at hand are owed; exact: only a run as long as the one led; pairs: no tractor duty",
        "1.1",
        _all("longest"),
        ("longest", "exact", "pairs"),
    ),
    "joker_tractor": Switch(
        "demoted: LJLJ BJBJ follows as the lowest run; high: it is the highest; none: it is no run",
        "2",
        _baofen("demoted", "high"),
        ("demoted", "high", "none"),
    ),
    "eights": Switch("all eight cards of a rank may be led as one unit", "2", _baofen("on", "off"), ("off", "on")),
    "throw_forced": Switch(
        "what a failed throw leads: the beatable component with the lowest card, or the one of fewest cards",
        "1.3",
        _baofen("lowest_rank", "lowest_rank"),
        ("lowest_rank", "single_first"),
    ),
    "throw_penalty_count": Switch(
        "a failed throw costs 3 points for each card in beaten components, or for all cards thrown",
        "1.3",
        _baofen("beaten", "beaten"),
        ("beaten", "all"),
    ),
    "throw_penalty_to": Switch(
        "who gets the fine of a failed throw: nobody, or the opponents (a third each, or all of it the declarer)",
        "1.3",
        _baofen("nobody", "nobody"),
        ("nobody", "opponents"),
    ),
    "throw_equal": Switch(
        "a throw whose lowest card is equalled outside stands or fails", "4", {"hongwu": "stands"}, ("stands", "fails")
    ),
    "throw_fine_levels": Switch("levels for each beaten card of a failed throw", "4", {"hongwu": 3}, high=100),
    "throw_fine_cap": Switch("most levels of fines a defender pays in a deal", "4", {"hongwu": 6}, high=1000),
    "bid_min": Switch("the lowest call", "2, 3, 4", {"suzhou": 85, "exposure": 85, "hongwu": 70}, (), 70, 200, 5),
    "bid_step": Switch("calls are bid_min and so many points more, again and again", "2, 3, 4", _all(5), (), 5, 130, 5),
    "opening_max": Switch(
        "the highest first call of a deal", "2, 3, 4", {"suzhou": 95, "exposure": 200, "hongwu": 200}, (), 70, 200, 5
    ),
    "bid_max": Switch("the highest call; it ends the auction", "2, 3, 4", _all(200), (), 70, 200, 5),
    "all_pass": Switch(
        "if nobody calls: points go into a pot, the first caller pays the others, or he must declare",
        "2, 3",
        _baofen("pot", "forced"),
        ("pot", "direct", "forced"),
    ),
    "direct_points": Switch(
        "what the first caller pays with all_pass = direct; each other player gains as much",
        "2",
        _baofen(40, 40),
        high=1000,
    ),
    "settlement": Switch(
        "the declarer gets the score, or three times the score so that the sum is zero",
        "2",
        _baofen("literal", "literal"),
        ("literal", "zero_sum"),
    ),
    "trump_bonus_counts_buried": Switch(
        "the +50 needs only the trump points that are in play", "2", _baofen("off", "off"), ("off", "on")
    ),
    "red5_bonus": Switch("points for a caught red five", "4", {"hongwu": 40}, high=1000),
    "red5_mode": Switch(
        "the bonus is on top of the 5 points of the card, or replaces them",
        "4",
        {"hongwu": "additive"},
        ("additive", "replace"),
    ),
}

_FIXED: dict[str, dict[str, int]] = {
    "suzhou": {},
    "exposure": {"exposure": 1, "max_calls": 7, "next_first_caller": data.LAST_DECLARER},
    "hongwu": {
        "next_first_caller": data.DRAWN,
        "throws_by_outside_card": 1,
        "level_settlement": 1,
        "all_pass": data.FORCED,
        "joker_tractor": data.NONE,
    },
}
"""What differs between the presets beyond switches; a field not named is 0."""

_ORDERS = {"suzhou": layout.suzhou_order, "exposure": layout.suzhou_order, "hongwu": layout.hongwu_order}


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
            switch = SWITCHES.get(name)
            if switch is None:
                faults.append(f"unknown option {name!r}: there are {', '.join(self.switches(self.preset))}")
            elif self.preset not in switch.defaults:
                faults.append(f"option {name!r} means nothing in rules {self.preset!r}")
            else:
                try:
                    number = switch.parse(value)
                except ValueError as error:
                    faults.append(f"option {name!r} {error}")
                else:
                    word: OptionValue = switch.values[number] if switch.values else number
                    if word != switch.defaults[self.preset]:
                        normal[name] = word
        object.__setattr__(self, "options", MappingProxyType(normal))
        if not faults:
            low, opening, high = (self.number(name) for name in ("bid_min", "opening_max", "bid_max"))
            if not low <= opening <= high:
                faults.append(f"calls need bid_min <= opening_max <= bid_max, not {low}, {opening}, {high}")
        if faults:
            raise ValueError("; ".join(faults))

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
        """Return the names of the switches that a preset has."""
        return [name for name, switch in SWITCHES.items() if preset in switch.defaults]

    def value(self, name: str) -> OptionValue:
        """Return the value of a switch in force: a word or a number."""
        return self.options.get(name, SWITCHES[name].defaults[self.preset])

    def number(self, name: str) -> int:
        """Return the value of a switch in force as the core sees it."""
        return SWITCHES[name].parse(self.value(name))

    @property
    def has_pot(self) -> bool:
        """Whether a pot can exist (`all_pass = pot`)."""
        return "all_pass" in self.switches(self.preset) and self.value("all_pass") == "pot"

    @property
    def has_levels(self) -> bool:
        """Whether a deal settles in levels (Bao Hong Wu), not in points."""
        return bool(_FIXED[self.preset].get("level_settlement"))

    @property
    def score_unit(self) -> str:
        """What scores and rewards count: "points" or "levels"."""
        return "levels" if self.has_levels else "points"

    @property
    def declarer_factor(self) -> int:
        """How many times the score (or levels) of a played deal the declarer gets; each defender pays it once."""
        return 3 if self.has_levels or self.value("settlement") == "zero_sum" else 1

    @cached_property
    def record(self) -> NDArray[np.void]:
        """The rule set as the core sees it, an array [1] of the `RULES` dtype, read-only."""
        rules = np.zeros(1, RULES)
        record = rules[0]
        for name, switch in SWITCHES.items():
            if self.preset in switch.defaults:
                record[name] = switch.parse(self.value(name))
        for name, number in _FIXED[self.preset].items():
            record[name] = number
        joker_run = record["joker_tractor"] != data.NONE
        for trump, suit in enumerate(SUITS):
            layout.fill_layout(record, trump, _ORDERS[self.preset](suit, joker_run))
        layout.fill_plain_layout(record)
        layout.fill_points_and_ranks(record)
        layout.fill_moves(record)
        rules.setflags(write=False)
        return rules

    def __reduce__(self) -> tuple[type[Rules], tuple[str, dict[str, OptionValue]]]:
        """Travel to another process as what was asked for; the core's tables are made there."""
        return Rules, (self.preset, dict(self.options))

    def __hash__(self) -> int:
        return hash((self.preset, tuple(sorted(self.options.items()))))
