"""Par tables: made, written whole, read back, and true to the play-outs they stand for."""

import json

import numpy as np
import pytest

from baofen.agents.bids.outcomes import Event
from baofen.envs.rules import Rules
from baofen.training import cli
from baofen.training.bids.par.table import SHIPPED, ParFileError, load_par, make_par, save_par


def run(*words):
    with pytest.raises(SystemExit) as left:
        cli.main(["par", *words])
    return left.value.code


@pytest.mark.parametrize("preset", ["suzhou", "exposure", "hongwu"])
def test_a_table_comes_back_as_it_was(preset, tmp_path):
    rules = Rules(preset, {"follow_shape": "suit_only"})
    made = make_par(rules, 6, seed=4, playouts=3)
    save_par(made, tmp_path / "par.npz")
    read = load_par(tmp_path / "par.npz")
    assert (read.rules, read.reference, read.seed, read.decks) == (rules, made.reference, 4, made.decks)
    np.testing.assert_array_equal(read.outcomes, made.outcomes)
    np.testing.assert_array_equal(read.named, made.named)
    assert (read.deals()["deck"] == made.deals()["deck"]).all()
    assert [path.name for path in tmp_path.iterdir()] == ["par.npz"]


def test_more_deals_begin_with_the_same():
    few, many = (make_par(Rules(), count, playouts=2) for count in (3, 5))
    np.testing.assert_array_equal(few.outcomes, many.outcomes[:3])


def test_means_and_errors():
    table = make_par(Rules(), 4, playouts=8)
    points, errors = table.points()
    each = table.prices.points[table.outcomes]
    np.testing.assert_allclose(points, each.mean(-1))
    np.testing.assert_allclose(errors, each.std(-1, ddof=1) / np.sqrt(8))
    chances = sum(table.event(event)[0] for event in Event)
    np.testing.assert_allclose(chances, 1)
    scores, _ = table.scores(85)
    plain = (table.event(Event.PLAIN)[0] == 1) & (each.min(-1) > 0)
    np.testing.assert_allclose(scores[plain], points[plain] - 85)
    assert table.as_named().shape == (4, 4, 8)


def test_the_shipped_table_is_of_these_deals_and_this_reference():
    table = load_par()
    assert len(table) == 10_000
    assert SHIPPED.stat().st_size < 1_000_000
    some = make_par(table.rules, 10, table.seed, split=table.split, playouts=table.outcomes.shape[-1])
    np.testing.assert_array_equal(some.outcomes, table.outcomes[:10])
    assert some.reference == table.reference
    assert len(table.deals()) == 10_000


def test_the_command(tmp_path, capsys):
    out = tmp_path / "new" / "par.npz"
    assert run("--deals", "5", "--playouts", "2", "--out", str(out), "--rules", "hongwu") == 0
    assert len(load_par(out)) == 5
    assert "5 deals, 4 seats, 4 trumps, 2 play-outs each" in capsys.readouterr().out


def test_a_directory_is_refused_before_the_work(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("baofen.training.bids.par.command.make_par", None)
    assert run("--deals", "5", "--out", str(tmp_path)) == 2
    assert capsys.readouterr().err.endswith("it is a directory\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--deals", "0"], "--deals must be at least 1"),
        (["--deals", "5", "--rules", "bridge"], "unknown rules"),
        (["--deals", "5", "--options", "eights"], "an option is NAME=VALUE"),
    ],
)
def test_mistakes(words, message, tmp_path, capsys):
    assert run(*words, "--out", str(tmp_path / "par.npz")) == 2
    assert message in capsys.readouterr().err


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "no.npz"
    with pytest.raises(ParFileError, match="holds no par table"):
        load_par(path)
    np.savez(path, facts=np.array(json.dumps({"format": "else"})), outcomes=np.zeros(1), named=np.zeros(1))
    with pytest.raises(ParFileError, match="not a par table of format"):
        load_par(path)
