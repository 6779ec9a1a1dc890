"""The rule systems by name: an entry of `PRESETS` each, and nothing elsewhere asks for a name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from baofen.envs.core import dtypes as core
from baofen.envs.layout import TrumpOrder, hongwu_order, suzhou_order
from baofen.envs.rules.switches import OptionValue


@dataclass(frozen=True, kw_only=True, eq=False)
class Preset:
    """A rule system: the switches it has, and what else makes it differ from others.

    switches: the default of each switch (`SWITCHES`) that means something in it; the others are refused.
    trump_order: from the trump suit, s h c d, and whether the jokers are a run, the order of trump.
    fixed: fields of the core's rule set beyond its switches (`core.dtypes.RULES`); what is not named is 0.
    late_call_passes: whether a call that comes too late counts as a pass (`rules.md` section 3), not as a forfeit.
    has_titles: whether points won over many deals earn titles (`rules.md` section 4).
    """

    switches: Mapping[str, OptionValue]
    trump_order: Callable[[str, bool], TrumpOrder]
    fixed: Mapping[str, int] = field(default_factory=dict)
    late_call_passes: bool = False
    has_titles: bool = False


_SHAPE: Mapping[str, OptionValue] = {"follow_shape": "strict", "tractor_follow": "longest"}

_SUZHOU: Mapping[str, OptionValue] = {
    **_SHAPE,
    "joker_tractor": "demoted",
    "eights": "on",
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
    "trump_bonus_counts_buried": "off",
}

PRESETS: dict[str, Preset] = {
    "suzhou": Preset(switches=_SUZHOU, trump_order=suzhou_order),
    "exposure": Preset(
        switches={**_SUZHOU, "joker_tractor": "high", "eights": "off", "opening_max": 200, "all_pass": "forced"},
        trump_order=suzhou_order,
        fixed={"exposure": 1, "max_calls": 7, "next_first_caller": core.LAST_DECLARER},
        late_call_passes=True,
    ),
    "hongwu": Preset(
        switches={
            **_SHAPE,
            "throw_equal": "stands",
            "throw_fine_levels": 3,
            "throw_fine_cap": 6,
            "bid_min": 70,
            "bid_step": 5,
            "opening_max": 200,
            "bid_max": 200,
            "red5_bonus": 40,
            "red5_mode": "additive",
        },
        trump_order=hongwu_order,
        fixed={
            "next_first_caller": core.DRAWN,
            "throws_by_outside_card": 1,
            "level_settlement": 1,
            "all_pass": core.FORCED,
            "joker_tractor": core.NONE,
        },
        has_titles=True,
    ),
}
"""The rule systems there are, by name."""
