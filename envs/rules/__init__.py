"""Rule systems as data (`rules.md` section 8): switches, presets, and `Rules`, a preset with its switches set."""

from baofen.envs.rules.presets import PRESETS, Preset
from baofen.envs.rules.ruleset import Rules
from baofen.envs.rules.switches import SWITCHES, OptionValue, Switch

__all__ = ["PRESETS", "SWITCHES", "OptionValue", "Preset", "Rules", "Switch"]
