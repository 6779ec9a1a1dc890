"""Where the time of training goes: a stopwatch that charges each moment once, and functions that come back."""

import time

import pytest

from baofen.training.speed.training_time import REST, TIMED, Stopwatch, measured_training_time, training_time_grid


class Works:
    def outer(self, number):
        spin(0.02)
        return self.inner(number) + 1

    def inner(self, number):
        spin(0.04)
        if number < 0:
            raise ValueError(number)
        return 2 * number


def spin(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_each_moment_is_charged_to_the_innermost_part():
    watch, works = Stopwatch(), Works()
    before = time.process_time()
    with watch.on({"outer": [(Works, "outer")], "inner": [(Works, "inner")]}):
        assert works.outer(3) == 7
        spin(0.03)
        with pytest.raises(ValueError):
            works.inner(-1)
    watch.turn()
    spent = time.process_time() - before
    assert watch.seconds["outer"] == pytest.approx(0.02, abs=0.01)
    assert watch.seconds["inner"] == pytest.approx(0.08, abs=0.01)
    assert watch.seconds[REST] == pytest.approx(0.03, abs=0.01)
    assert sum(watch.seconds.values()) == pytest.approx(spent, abs=0.01)


def test_functions_are_put_back():
    functions = [getattr(owner, name) for places in TIMED.values() for owner, name in places]
    with pytest.raises(KeyError), Stopwatch().on(TIMED):
        assert all(getattr(owner, name) not in functions for places in TIMED.values() for owner, name in places)
        raise KeyError
    assert [getattr(owner, name) for places in TIMED.values() for owner, name in places] == functions


def test_shares_make_a_whole(capsys):
    training_time_grid({"stepping": 1.0, "learning": 2.5, REST: 0.5}).show()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["learning", "2.50", "62.5", "%"] in rows
    assert ["all", "4.00", "100", "%"] in rows


@pytest.mark.slow
def test_every_part_of_training_takes_some_time():
    """A part with none would mean that the runner calls other functions now."""
    spent = measured_training_time(iterations=1, tables_per_runner=64, decisions_per_iteration=2048)
    assert list(spent) == [*TIMED, REST]
    assert min(spent.values()) > 0
    assert spent[REST] < 0.5 * sum(spent.values())
