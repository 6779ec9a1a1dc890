"""The three presets and their switches (section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from naive.cards import Illegal

ON_OFF = (True, False)

CHOICES: dict[str, tuple[Any, ...]] = {
    "follow_shape": ("strict", "suit_only"),
    "tractor_follow": ("longest", "exact", "pairs"),
    "joker_tractor": ("demoted", "high", "none"),
    "eights": ON_OFF,
    "throw_forced": ("lowest_rank", "single_first"),
    "throw_penalty_count": ("beaten", "all"),
    "throw_penalty_to": ("nobody", "opponents"),
    "throw_equal": ("stands", "fails"),
    "all_pass": ("pot", "direct", "forced"),
    "settlement": ("literal", "zero_sum"),
    "trump_bonus_counts_buried": ON_OFF,
    "red5_mode": ("additive", "replace"),
}
CALL_NUMBERS = ("bid_min", "opening_max", "bid_max")

SUZHOU: dict[str, Any] = {
    "follow_shape": "strict",
    "tractor_follow": "longest",
    "joker_tractor": "demoted",
    "eights": True,
    "throw_forced": "lowest_rank",
    "throw_penalty_count": "beaten",
    "throw_penalty_to": "nobody",
    "bid_min": 85,
    "bid_step": 5,
    "opening_max": 95,
    "bid_max": 200,
    "all_pass": "pot",
    "direct_points": 40,
    "settlement": "literal",
    "trump_bonus_counts_buried": False,
}
EXPOSURE = SUZHOU | {"joker_tractor": "high", "eights": False, "opening_max": 200, "all_pass": "forced"}
HONGWU: dict[str, Any] = {
    "follow_shape": "strict",
    "tractor_follow": "longest",
    "throw_equal": "stands",
    "throw_fine_levels": 3,
    "throw_fine_cap": 6,
    "bid_min": 70,
    "bid_step": 5,
    "opening_max": 200,
    "bid_max": 200,
    "red5_bonus": 40,
    "red5_mode": "additive",
}
PRESETS = {"suzhou": SUZHOU, "exposure": EXPOSURE, "hongwu": HONGWU}


def is_whole(value: Any) -> bool:
    """True for a whole number; `true` and `1.0` are none."""
    return type(value) is int


def resolve(rules: Any, options: Any) -> dict[str, Any]:
    """All switches of a preset, with the given ones changed; what means nothing there is refused."""
    if not isinstance(rules, str) or rules not in PRESETS:
        raise Illegal("bad_option", f"unknown preset {rules!r}")
    if not isinstance(options, Mapping):
        raise Illegal("bad_option", "options must be named")
    switches = dict(PRESETS[rules])
    for name, value in options.items():
        if name not in switches:
            raise Illegal("bad_option", f"{rules} has no switch {name!r}")
        switches[name] = _checked(name, value)
    if not switches["bid_min"] <= min(switches["opening_max"], switches["bid_max"]):
        raise Illegal("bad_option", "bid_min is above opening_max or bid_max")
    switches["opening_max"] = min(switches["opening_max"], switches["bid_max"])
    # In Bao Hong Wu the first to pass is declarer, and that is always the first caller.
    switches.setdefault("all_pass", "forced")
    switches.setdefault("eights", False)
    switches.setdefault("joker_tractor", "none")
    return switches


def _checked(name: str, value: Any) -> Any:
    if name in CHOICES:
        if CHOICES[name] == ON_OFF and value in ("on", "off"):
            value = value == "on"
        if not isinstance(value, str | bool) or value not in CHOICES[name]:
            raise Illegal("bad_option", f"{name} cannot be {value!r}")
        return value
    if not is_whole(value) or value < 0:
        raise Illegal("bad_option", f"{name} must be a whole number")
    if name in CALL_NUMBERS and not (70 <= value <= 200 and value % 5 == 0):
        raise Illegal("bad_option", f"{name} must be a multiple of 5 within 70-200")
    if name == "bid_step" and not (5 <= value <= 130 and value % 5 == 0):
        raise Illegal("bad_option", "bid_step must be a multiple of 5")
    return value


def call_ladder(switches: Mapping[str, Any]) -> list[int]:
    """Every value that may be called in this preset."""
    return list(range(switches["bid_min"], switches["bid_max"] + 1, switches["bid_step"]))
