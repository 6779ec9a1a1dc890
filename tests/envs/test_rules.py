"""Rule systems: words and numbers of switches, what cannot be changed, and how they travel."""

from __future__ import annotations

import ast
import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from importing import sources
from naive.auction import Auction
from naive.options import CHOICES, ON_OFF, resolve
from numpy.typing import NDArray
from places import ROOT
from random_play import play_on

from baofen.envs import PRESETS, Rules, Table, VectorTables, baofen_v0
from baofen.envs.actions import CALL, PASS, call_points
from baofen.envs.core import dtypes as core
from baofen.envs.core.dtypes import Phase
from baofen.envs.records import replay_record
from baofen.envs.rules import SWITCHES, Switch
from baofen.training.arena.guests import Late
from baofen.training.arena.play import ask

NAMES = {
    "follow_shape": (core.STRICT, core.SUIT_ONLY),
    "tractor_follow": (core.LONGEST, core.EXACT, core.PAIRS_ONLY),
    "joker_tractor": (core.DEMOTED, core.HIGH, core.NONE),
    "eights": (0, 1),
    "throw_forced": (core.LOWEST_RANK, core.SINGLE_FIRST),
    "throw_penalty_count": (core.BEATEN, core.ALL),
    "throw_penalty_to": (core.TO_NOBODY, core.TO_OPPONENTS),
    "throw_equal": (core.STANDS, core.FAILS),
    "all_pass": (core.POT, core.DIRECT, core.FORCED),
    "settlement": (core.LITERAL, core.ZERO_SUM),
    "trump_bonus_counts_buried": (0, 1),
    "red5_mode": (core.ADDITIVE, core.REPLACE),
}


def test_words_become_the_numbers_that_the_core_has_names_for() -> None:
    assert set(NAMES) == set(CHOICES) == {name for name, switch in SWITCHES.items() if switch.words}
    for name, choices in CHOICES.items():
        words = ("off", "on") if choices == ON_OFF else choices
        assert [SWITCHES[name].parse(word) for word in words] == list(NAMES[name])
        assert set(SWITCHES[name].words or ()) == set(words)


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


def test_an_opening_above_the_highest_call_counts_as_it() -> None:
    for preset in PRESETS:
        rules = Rules(preset, {"bid_max": 90})
        assert rules.options == {"bid_max": 90}
        assert (rules.value("opening_max"), rules.number("opening_max")) == (90, 90)
        table = Table(rules, seed=1)
        while table.phase == Phase.EXPOSE:
            table.pass_()
        calls = [call_points(action) for action in table.legal_actions() if action >= CALL]
        assert calls == Auction(preset, resolve(preset, {"bid_max": 90}), 0).allowed()
        assert max(calls) == 90


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bid_max": 80}, "bid_max must be at least bid_min, 85, not 80"),
        ({"bid_min": 100}, "opening_max must be at least bid_min, 100, not 95"),
    ],
)
def test_bounds_below_the_lowest_call_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules("suzhou", options)


def test_equal_rules_share_what_the_core_sees() -> None:
    for preset in PRESETS:
        first = Table(preset, {"bid_max": 100}, seed=1)
        for twin in (Table(preset, {"bid_max": 100}), VectorTables(1, Rules(preset, {"bid_max": np.int16(100)}))):  # type: ignore[dict-item]
            assert twin.rules.record is first.rules.record
        assert Rules(preset).record is not first.rules.record


def test_a_house_rule_is_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch for what has been fixed so far, its words in another order than their numbers."""
    rule = Switch(meaning="calls a seat may make", source="mine", words={"one": 1, "any": 0})
    mine = dataclasses.replace(PRESETS["suzhou"], switches={**PRESETS["suzhou"].switches, "max_calls": "any"})
    monkeypatch.setitem(SWITCHES, "max_calls", rule)
    monkeypatch.setitem(PRESETS, "mine", mine)
    asked = {}
    for word in ("any", "one"):
        table = Table("mine", {"max_calls": word}, seed=1)
        for points in (85, 90, 95, 100):
            table.call(points)
        asked[word] = table.phase
    assert asked == {"any": Phase.AUCTION, "one": Phase.TRUMP}
    with pytest.raises(ValueError, match="'max_calls' means nothing in rules 'suzhou'"):
        Rules("suzhou", {"max_calls": "one"})


def test_a_preset_is_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule system of one's own: Suzhou's cards settled in levels, with titles and late calls that pass."""
    hongwu = PRESETS["hongwu"]
    mine = dataclasses.replace(hongwu, trump_order=PRESETS["suzhou"].trump_order, late_call_passes=True)
    monkeypatch.setitem(PRESETS, "mine", mine)
    rules = Rules("mine", {"bid_max": 150})
    assert (rules.score_unit, rules.declarer_factor, rules.has_pot) == ("levels", 3, False)
    table = Table(rules, seed=3)
    play_on(table, np.random.default_rng(1))
    record = table.record()
    assert record["rules"] == "mine"
    assert replay_record(record).record() == record
    assert not rules.record["red_five"].any()
    late = ask(Sleeper(), rules, VectorTables(2, rules, seed=1).tables, np.arange(2))
    assert late.actions.tolist() == [PASS, PASS]
    assert not ask(Sleeper(), Rules("hongwu"), VectorTables(2, "hongwu", seed=1).tables, np.arange(2)).legal.any()


class Sleeper:
    """An agent whose answers all come too late."""

    name, cheats = "sleeper", False

    def reset(self, num_tables: int, seed: int) -> None: ...

    def act(self, views: object) -> NDArray[np.int64]:
        raise Late("too late")


def test_every_switch_fills_a_field_of_the_core() -> None:
    fields = core.RULES.names
    assert fields is not None
    assert set(SWITCHES) <= set(fields)
    for preset in PRESETS.values():
        assert set(preset.switches) <= set(SWITCHES)
        assert set(preset.fixed) <= set(fields)
        assert not set(preset.fixed) & set(preset.switches)


def test_nothing_asks_for_the_name_of_a_preset() -> None:
    """What differs between rule systems is data of theirs: no name stands in a comparison."""
    asked = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources("envs", "agents", "training")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare)
        for side in ast.walk(node)
        if isinstance(side, ast.Constant) and side.value in tuple(PRESETS)
    ]
    assert asked == []
