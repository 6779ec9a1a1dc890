"""`docs/training.md` explains every curve of a run and no others, and shows the progress line in its true shape."""

import contextlib
import io
import itertools
import re
from dataclasses import replace

import pytest
from places import DOCS
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from baofen.envs.core.dtypes import ROLES
from baofen.training.config import EvaluationConfig, LeagueConfig, StartsConfig, StoppingConfig, load_config
from baofen.training.run.judging import QuickEvaluation
from baofen.training.run.loop import train
from baofen.training.selfplay.baofen_game import baofen_game

PAGE = (DOCS / "training.md").read_text(encoding="utf-8")
SMOKE = load_config("ppo-smoke")
# So many deals of each kind that no curve is without a case.
CONFIG = replace(
    SMOKE,
    sampling=replace(SMOKE.sampling, tables_per_runner=16, decisions_per_iteration=3072),
    learning=replace(SMOKE.learning, minibatch_decisions=512),
    starts=StartsConfig(practice_auction_probability=0.5),
    league=LeagueConfig(snapshot_every_iterations=1, pool_size=2, frozen_table_probability=0.8),
    stopping=StoppingConfig(minutes=30.0, iterations=4),
    evaluation=EvaluationConfig(every_iterations=4, deals=4),
)
CURVE = re.compile(r"`(\w+(?:/\w+)+)`")
PLACEHOLDER = re.compile(r"[A-Z]+(?![a-z])")
NUMBER = re.compile(r"[+-]?\d[\d.:]*[kM]?")


WIDE = "400"


class Terminal(io.StringIO):
    """Where every iteration shows its line, wide enough for all of it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], str]:
    """Return the names of all curves of a small run, and its last progress line."""
    folder = tmp_path_factory.mktemp("run")
    with contextlib.redirect_stderr(Terminal()) as err, pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", WIDE)
        train(CONFIG, folder, evaluate=QuickEvaluation(CONFIG))
    events = EventAccumulator(str(folder / "tensorboard"))
    events.Reload()
    tags = events.Tags()
    line = err.getvalue().rpartition("\r")[2].partition("\n")[0].strip()
    over = re.findall(r"^iteration \d+, (over .*)$", err.getvalue(), re.MULTILINE)
    line = " | ".join([line, *over[-len(CONFIG.evaluation.baselines) :]])  # as where there is no terminal
    return {name for kind in ("scalars", "histograms") for name in tags[kind]}, line


def curves_of_the_page() -> list[str]:
    """The names in the first column of the page's table of curves."""
    rows = PAGE.partition("## The curves")[2].partition("\n## ")[0].splitlines()
    return [name for row in rows if row.startswith("| `") for name in CURVE.findall(row.split("|")[1])]


def names_for(pattern: str) -> set[str]:
    """Every curve that a pattern of the page stands for."""
    values = {"ROLE": ROLES, "CALL": baofen_game(CONFIG).bids.values(), "BASELINE": CONFIG.evaluation.baselines}
    words = sorted(set(PLACEHOLDER.findall(pattern)))
    return {
        PLACEHOLDER.sub(lambda found: choice[words.index(found[0])], pattern)  # noqa: B023, called at once
        for choice in itertools.product(*(values[word] for word in words))
    }


def test_every_curve_of_a_run_is_explained_once_and_no_other(run: tuple[set[str], str]) -> None:
    told = [name for pattern in curves_of_the_page() for name in sorted(names_for(pattern))]
    assert len(told) == len(set(told))
    assert set(told) == run[0]


def test_the_page_speaks_of_no_other_curve() -> None:
    patterns = curves_of_the_page()
    groups = {pattern.partition("/")[0] for pattern in patterns}
    spoken = {name for name in CURVE.findall(PAGE) if name.partition("/")[0] in groups}
    assert spoken <= set(patterns).union(*map(names_for, patterns))


def test_the_progress_line_has_the_shape_that_the_page_shows(run: tuple[set[str], str]) -> None:
    (shown,) = re.findall(r"```text\n(.*)\n```", PAGE)
    assert NUMBER.sub("#", run[1].strip()) == NUMBER.sub("#", shown)
