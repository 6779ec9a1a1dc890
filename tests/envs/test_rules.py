"""Rule systems: words and numbers of switches, what cannot be changed, and how they travel."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from naive.options import CHOICES, ON_OFF

from baofen.envs import PRESETS, Rules, Table, VectorTables, baofen_v0
from baofen.envs.core import dtypes as data
from baofen.envs.rules import SWITCHES

NAMES = {
    "follow_shape": (data.STRICT, data.SUIT_ONLY),
    "tractor_follow": (data.LONGEST, data.EXACT, data.PAIRS_ONLY),
    "joker_tractor": (data.DEMOTED, data.HIGH, data.NONE),
    "eights": (0, 1),
    "throw_forced": (data.LOWEST_RANK, data.SINGLE_FIRST),
    "throw_penalty_count": (data.BEATEN, data.ALL),
    "throw_penalty_to": (data.TO_NOBODY, data.TO_OPPONENTS),
    "throw_equal": (data.STANDS, data.FAILS),
    "all_pass": (data.POT, data.DIRECT, data.FORCED),
    "settlement": (data.LITERAL, data.ZERO_SUM),
    "trump_bonus_counts_buried": (0, 1),
    "red5_mode": (data.ADDITIVE, data.REPLACE),
}


def test_words_become_the_numbers_that_the_core_has_names_for() -> None:
    assert set(NAMES) == set(CHOICES) == {name for name, switch in SWITCHES.items() if switch.values}
    for name, choices in CHOICES.items():
        words = ("off", "on") if choices == ON_OFF else choices
        assert [SWITCHES[name].parse(word) for word in words] == list(NAMES[name])
        assert set(SWITCHES[name].values) == set(words)


@pytest.mark.parametrize("make", [Table, VectorTables, baofen_v0.env])
def test_options_beside_rules_of_their_own_are_refused(make: Any) -> None:
    first = (2,) if make is VectorTables else ()
    with pytest.raises(ValueError, match="options of their own"):
        make(*first, Rules("suzhou"), {"eights": "off"})
    make(*first, Rules("suzhou", {"eights": "off"}), {})


def test_numbers_of_numpy_will_do_and_stay_plain() -> None:
    rules = Rules("suzhou", {"bid_min": np.int64(80)})  # type: ignore[dict-item]
    assert rules == Rules("suzhou", {"bid_min": 80})
    assert type(rules.options["bid_min"]) is int


@pytest.mark.parametrize("options", [None, [("eights", "off")], "eights"])
def test_options_are_a_mapping(options: Any) -> None:
    with pytest.raises(TypeError, match="options must be a mapping"):
        Rules("suzhou", options)


def test_rules_do_not_change() -> None:
    rules = Rules("suzhou", {"eights": "off"})
    with pytest.raises(TypeError):
        rules.options["eights"] = "on"  # type: ignore[index]


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_travel(preset: str) -> None:
    rules = Rules(preset, {"follow_shape": "suit_only"})
    rules.record  # noqa: B018, made once, and not sent along
    for twin in (pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert twin == rules
        assert hash(twin) == hash(rules)
        assert twin.record.tobytes() == rules.record.tobytes()


def test_units_and_shares() -> None:
    assert [Rules(preset).score_unit for preset in PRESETS] == ["points", "points", "levels"]
    assert [Rules(preset).declarer_factor for preset in PRESETS] == [1, 1, 3]
    assert Rules("exposure", {"settlement": "zero_sum"}).declarer_factor == 3
