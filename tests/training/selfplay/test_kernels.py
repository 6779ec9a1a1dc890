"""The runner's compiled loops against the plainest way to say the same."""

import numpy as np

from baofen.training.selfplay import kernels
from baofen.training.selfplay.matches import Matches, RoleRows


def test_advantages_equal_brute_force() -> None:
    """Each seat's chain runs over all its decisions, whatever the role; a seat may have none."""
    rng = np.random.default_rng(0)
    num_tables, most, discount, gae_lambda = 9, 40, 0.97, np.array([1.0, 0.9, 0.6])
    length = rng.integers(1, most, num_tables)
    seat = rng.integers(0, 4, (num_tables, most)).astype(np.int8)
    seat[0] = 2  # one seat decides everything
    role = rng.integers(0, 3, (num_tables, most)).astype(np.int8)
    reward, value = (rng.normal(size=(num_tables, most)).astype(np.float32) for _ in range(2))
    advantage, target = np.zeros((2, num_tables, most), np.float32)
    kernels.advantages(
        np.arange(num_tables), length, seat, role, reward, value, discount, gae_lambda, advantage, target
    )
    for i in range(num_tables):
        for s in range(4):
            own = [k for k in range(length[i]) if seat[i, k] == s]
            values = [float(value[i, k]) for k in own] + [0.0]
            for j, k in enumerate(own):
                expected, weight = 0.0, 1.0
                for m in range(j, len(own)):
                    surprise = float(reward[i, own[m]]) + discount * values[m + 1] - values[m]
                    expected += weight * surprise
                    weight *= discount * gae_lambda[role[i, own[m]]]
                assert abs(advantage[i, k] - expected) < 1e-5
                assert abs(target[i, k] - expected - values[j]) < 1e-5


def test_choose_draws_by_probability_and_only_what_is_legal() -> None:
    rng = np.random.default_rng(1)
    logits = np.tile(np.array([0.0, 5.0, 1.0, -1.0], np.float32), (20_000, 1))
    mask = np.tile(np.array([1, 0, 1, 1], np.uint8), (20_000, 1))
    place = np.arange(20_000)
    action = np.zeros(20_000, np.int64)
    log_probability, entropy = np.zeros((2, 20_000), np.float32)
    kernels.choose(logits, mask, rng.random(20_000), False, place, action, log_probability, entropy)
    probability = np.exp([0.0, -np.inf, 1.0, -1.0]) / np.exp([0.0, 1.0, -1.0]).sum()
    assert np.allclose(np.bincount(action, minlength=4) / 20_000, probability, atol=0.015)
    assert np.allclose(np.exp(log_probability), probability[action], atol=1e-6)
    legal = probability[probability > 0]
    assert np.allclose(entropy, -(legal * np.log(legal)).sum(), atol=1e-6)
    kernels.choose(logits, mask, rng.random(20_000), True, place, action, log_probability, entropy)
    assert set(action) == {2}


def test_the_last_legal_action_is_drawn_when_rounding_leaves_a_rest() -> None:
    logits = np.zeros((1, 3), np.float32)
    mask = np.array([[1, 1, 0]], np.uint8)
    action, place = np.zeros(1, np.int64), np.zeros(1, np.int64)
    out = np.zeros((2, 1), np.float32)
    kernels.choose(logits, mask, np.array([np.nextafter(1.0, 0.0)]), False, place, action, out[0], out[1])
    assert action[0] == 1


def test_rows_of_a_slot_lie_together_and_suits_are_renamed() -> None:
    slot = np.array([1, 0, 1, 4, 1])
    place, start = np.zeros(5, np.int64), np.zeros(6, np.int64)
    kernels.group_rows(slot, 5, 2, place, start)
    assert start.tolist() == [0, 2, 6, 6, 6, 8]
    assert place.tolist() == [2, 0, 3, 6, 4]
    raw = np.arange(15, dtype=np.uint8).reshape(5, 3)
    order = np.tile(np.arange(3), (5, 1))
    order[2] = [2, 0, 1]
    trump = np.array([2, 4, 0, 2, 1], np.int8)
    grouped = np.zeros((8, 3), np.uint8)
    kernels.rename_rows(raw, order, trump, (order != np.arange(3)).any(1), place, grouped)
    for i in range(5):
        assert grouped[place[i]].tolist() == raw[i, order[trump[i]]].tolist()
    action, back = np.array([0, 1, 2, 0, 1]), np.zeros(5, np.int64)
    kernels.raw_actions(action, order, trump, back)
    assert back.tolist() == [2, 1, 2, 2, 1]


def _decide(matches: Matches, seats: list[int], roles: list[int], learns: list[bool], mark: int) -> None:
    num = len(seats)
    matches.remember(
        seat=np.array(seats, np.int8),
        role=np.array(roles, np.int8),
        learns=np.array(learns),
        place=np.arange(num)[::-1].copy(),
        observation=np.full((num, 2), mark, np.uint8),
        mask=np.ones((num, 3), np.uint8),
        action=np.full(num, mark, np.int64),
        log_probability=np.zeros(num, np.float32),
        value=np.zeros(num, np.float32),
    )


def test_points_go_to_the_latest_decision_and_rows_to_their_role() -> None:
    """Two tables, more decisions than the first room; points before a first decision are nobody's doing."""
    matches = Matches(2, 2, 3, capacity=2)
    rows = [RoleRows(2, 3) for _ in range(3)]
    points = np.zeros((2, 4), np.int32)
    _decide(matches, [0, 1], [0, 0], [True, True], 1)
    points[0] = [5, 7, 0, 0]  # seat 1 of table 0 has not decided yet
    matches.credit(points, 0.5)
    _decide(matches, [1, 1], [2, 1], [True, False], 2)
    _decide(matches, [1, 2], [2, 2], [True, True], 3)
    points[:] = [[-4, 8, 0, 0], [0, 6, 2, 0]]
    matches.credit(points, 0.5)
    assert matches.finish(np.array([True, False]), 1.0, np.ones(3), rows) == 3
    bidder, declarer, defender = (r.filled() for r in rows)
    assert bidder["target"].tolist() == [0.5] and bidder["action"].tolist() == [1]
    assert len(declarer["target"]) == 0
    assert defender["target"].tolist() == [4.0, 4.0] and defender["observation"].tolist() == [[2, 2], [3, 3]]
    assert matches.length.tolist() == [0, 3]
    assert matches.finish(np.array([False, True]), 1.0, np.ones(3), rows) == 2
    # The frozen declarer's decision is not a row, but its seat's points still count for the call before it.
    assert rows[0].filled()["target"].tolist() == [0.5, 3.0]
    assert rows[2].filled()["target"].tolist() == [4.0, 4.0, 1.0]


def test_matches_that_began_with_warm_up_moves_are_left_out() -> None:
    matches = Matches(1, 2, 3)
    matches.skip[:] = True
    rows = [RoleRows(2, 3) for _ in range(3)]
    for expected in (0, 1):
        _decide(matches, [0], [0], [True], 1)
        assert matches.finish(np.array([True]), 1.0, np.ones(3), rows) == expected
