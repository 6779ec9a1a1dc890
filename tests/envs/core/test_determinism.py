"""A seed fixes everything, and nothing else does."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from side_by_side import same_tables

from baofen.envs import PRESETS, MatchStarts, Table, VectorTables, baofen_v0

STARTS = MatchStarts(pot_percent=50, totals_spread=300)


def chosen(
    mask: np.ndarray[tuple[int, int], np.dtype[np.uint8]], turn: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """A legal action for each table, by its mask and the turn alone."""
    picks = [np.flatnonzero(row) for row in mask]
    return np.array([legal[(turn * 7 + 3) % len(legal)] if len(legal) else 0 for legal in picks], np.int64)


@pytest.mark.parametrize("rules", PRESETS)
def test_twins_agree_while_global_generators_are_stirred(rules: str) -> None:
    one, other = (VectorTables(8, rules, seed=42, deals_per_match=2, starts=STARTS) for _ in range(2))
    for turn in range(500):
        random.seed(turn)
        np.random.seed(turn)  # noqa: NPY002
        first = one.step(chosen(one.mask(), turn))
        random.seed(-turn)
        np.random.seed(1)  # noqa: NPY002
        np.random.random(3)  # noqa: NPY002
        second = other.step(chosen(other.mask(), turn))
        assert np.array_equal(first[0], second[0])
        assert np.array_equal(first[1], second[1])
        assert np.array_equal(one.observe(), other.observe())
    assert same_tables(one.tables, other.tables)


@pytest.mark.parametrize("seed", [0, 5, 2**63 - 1])
def test_seeds_may_be_numbers_of_numpy(seed: int) -> None:
    given: Any
    for given in (np.int64(seed), np.uint64(seed), seed + 2**64):
        assert same_tables(Table(seed=given).tables, Table(seed=seed).tables)
        assert same_tables(VectorTables(2, seed=given).tables, VectorTables(2, seed=seed).tables)
        env = baofen_v0.raw_env()
        env.reset(seed=given)
        assert same_tables(env.table.tables, Table(seed=seed).tables)
    with pytest.raises(TypeError):
        Table(seed=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", PRESETS)
def test_deals_of_a_table_do_not_depend_on_the_number_of_tables(rules: str) -> None:
    many = VectorTables(9, rules, seed=7, starts=STARTS)
    few = VectorTables(3, rules, seed=7, starts=STARTS)
    for turn in range(600):
        many.step(chosen(many.mask(), turn))
        few.step(chosen(few.mask(), turn))
    assert same_tables(many.tables[:3], few.tables)
    decks = {row["deck"].tobytes() for row in many.tables}
    assert len(decks) == 9


@pytest.mark.parametrize("rules", PRESETS)
def test_a_table_is_the_first_of_a_batch(rules: str) -> None:
    table = Table(rules, seed=123, deals_per_match=2, starts=STARTS)
    batch = VectorTables(1, rules, seed=123, deals_per_match=2, starts=STARTS, auto_reset=False)
    turn = 0
    while not table.is_over:
        assert same_tables(table.tables, batch.tables)
        assert np.array_equal(table.mask(), batch.mask()[0])
        assert np.array_equal(table.observe(table.acting_seat), batch.observe()[0])
        action = int(chosen(batch.mask(), turn)[0])
        table.apply(action)
        rewards, _ = batch.step(np.array([action]))
        assert np.array_equal(table.rewards, rewards[0])
        turn += 1
    assert batch.done[0]
    assert not batch.mask().any()


@pytest.mark.parametrize("rules", PRESETS)
def test_a_copy_goes_on_by_itself(rules: str) -> None:
    table = Table(rules, seed=9)
    for turn in range(40):
        table.apply(int(chosen(table.mask()[None], turn)[0]))
    before = table.tables.copy()
    twin = table.copy()
    for turn in range(40):
        twin.apply(int(chosen(twin.mask()[None], turn)[0]))
    assert same_tables(table.tables, before)
    for turn in range(40):
        table.apply(int(chosen(table.mask()[None], turn)[0]))
    assert same_tables(table.tables, twin.tables)


def test_seeds_give_different_deals() -> None:
    decks = {Table("suzhou", seed=seed).tables["deck"].tobytes() for seed in range(50)}
    assert len(decks) == 50
    first_callers = {Table("suzhou", seed=seed).first_caller for seed in range(50)}
    assert first_callers == {0, 1, 2, 3}


def test_what_is_over_and_not_reset_stays_over():
    """However long others go on: no rewards, an empty mask, and done every time."""
    tables = VectorTables(8, seed=5, auto_reset=False)
    rng = np.random.default_rng(5)
    seen = np.zeros(8, np.bool_)
    while not tables.done.all():
        actions = (rng.random((8, 99)) * tables.mask()).argmax(1)
        rewards, done = tables.step(actions)
        assert (done >= seen).all()
        assert not rewards[seen].any()
        assert not tables.mask()[done].any()
        seen = done.copy()
