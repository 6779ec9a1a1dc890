"""The ring keeps the newest decisions whole, and draws by weight."""

import numpy as np
import pytest

from baofen.agents.plays.features import NUM_FEATURES
from baofen.agents.plays.labeller import LabelledDecisions
from baofen.training.plays.ring import Minibatch, Ring

SIZE = 5


def numbered(first: int, number: int, rng: np.random.Generator) -> LabelledDecisions:
    """Decisions whose every part says which they are."""
    count = rng.integers(1, 30, number).astype(np.int16)
    who = np.arange(first, first + number)
    plays = np.repeat(who, count)
    inside = np.concatenate([np.arange(n) for n in count])
    return LabelledDecisions(
        observation=np.repeat((who % 251).astype(np.uint8)[:, None], SIZE, 1),
        kind=np.zeros(number, np.int8),
        count=count,
        worlds=np.zeros(number, np.int16),
        cards=np.repeat((plays % 251).astype(np.uint8)[:, None], 54, 1),
        features=np.repeat((plays % 251).astype(np.float32)[:, None], NUM_FEATURES, 1),
        points=plays.astype(np.float32),
        bonus=inside.astype(np.float32),
    )


def check(batch: Minibatch) -> np.ndarray:
    """Assert that each decision has all its own plays in order; return which decisions they are."""
    ends = np.cumsum(batch.count.numpy())
    first = ends - batch.count.numpy()
    who = batch.points.numpy()[first]
    assert np.array_equal(batch.points.numpy(), np.repeat(who, batch.count.numpy()))
    inside = np.concatenate([np.arange(n) for n in batch.count.numpy()])
    assert np.array_equal(batch.bonus.numpy(), inside)
    assert np.array_equal(batch.row_of_play.numpy(), np.repeat(np.arange(len(who)), batch.count.numpy()))
    assert (batch.observation.numpy() == (who % 251)[:, None]).all()
    assert (batch.cards.numpy() == np.repeat(who % 251, batch.count.numpy())[:, None]).all()
    assert (batch.features.numpy() == np.repeat(who % 251, batch.count.numpy())[:, None]).all()
    return who


def test_the_newest_decisions_stay_whole_whatever_is_overwritten() -> None:
    rng = np.random.default_rng(3)
    ring, first = Ring(200, SIZE, NUM_FEATURES), 0
    for _ in range(40):
        number = int(rng.integers(0, 70))
        ring.add(numbered(first, number, rng), np.ones(number, np.float32))
        first += number
        if not len(ring):
            continue
        kept = check(ring.newest(1000))
        assert np.array_equal(kept, np.arange(first - len(ring), first))
        assert set(check(ring.draw(300, rng))) <= set(kept)
    assert 100 < len(ring) <= 200, "plays are 15 a decision here, and there is room for 12"


def test_decisions_are_drawn_as_often_as_they_weigh() -> None:
    rng = np.random.default_rng(4)
    ring = Ring(400, SIZE, NUM_FEATURES)
    ring.add(numbered(0, 100, rng), np.ones(100, np.float32))
    ring.add(numbered(100, 100, rng), np.full(100, 4, np.float32))
    drawn = check(ring.draw(4000, rng))
    assert (drawn >= 100).mean() == pytest.approx(0.8, abs=0.04)
