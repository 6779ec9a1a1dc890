"""The pages on training explain every curve of a run and no others, and show the progress line in its true shape."""

import contextlib
import io
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest
from places import DOCS
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from baofen.agents.policy.scorer_files import SCORER_NETWORKS
from baofen.envs.core.dtypes import ROLES
from baofen.training.config import (
    EvaluationConfig,
    LeagueConfig,
    StartsConfig,
    StoppingConfig,
    TrainConfig,
    load_config,
)
from baofen.training.run.judging import QuickEvaluation
from baofen.training.run.loop import train
from baofen.training.selfplay.baofen_game import baofen_game

PPO, SMOKE = load_config("ppo-smoke"), load_config("smoke")
FEW = EvaluationConfig(every_iterations=4, deals=4)
# So many deals of each kind that no curve is without a case.
CONFIGS = {
    "training.md": replace(
        SMOKE,
        plays=replace(SMOKE.plays, continuations_from=0.7),
        stopping=StoppingConfig(minutes=30.0, iterations=4),
        evaluation=FEW,
    ),
    "training_ppo.md": replace(
        PPO,
        sampling=replace(PPO.sampling, tables_per_runner=16, decisions_per_iteration=3072),
        learning=replace(PPO.learning, minibatch_decisions=512),
        starts=StartsConfig(practice_auction_probability=0.5),
        league=LeagueConfig(snapshot_every_iterations=1, pool_size=2, frozen_table_probability=0.8),
        stopping=StoppingConfig(minutes=30.0, iterations=4),
        evaluation=FEW,
    ),
}
CURVE = re.compile(r"`(\w+(?:/\w+)+)`")
PLACEHOLDER = re.compile(r"[A-Z]+(?![a-z])")
NUMBER = re.compile(r"[+-]?\d[\d.:]*[kM]?")


WIDE = "400"


class Terminal(io.StringIO):
    """Where every iteration shows its line, wide enough for all of it."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Told:
    """A page, and what a small run of its method has told.

    curves: their names; line: the last progress line, evaluations included.
    """

    page: str
    config: TrainConfig
    curves: set[str]
    line: str

    def patterns(self) -> list[str]:
        """The names in the first column of the page's table of curves."""
        rows = self.page.partition("## The curves")[2].partition("\n## ")[0].splitlines()
        return [name for row in rows if row.startswith("| `") for name in CURVE.findall(row.split("|")[1])]

    def names_for(self, pattern: str) -> set[str]:
        """Every curve that a pattern of the page stands for."""
        values: dict[str, Iterable[str]] = {
            "ROLE": ROLES,
            "KIND": SCORER_NETWORKS,
            "CALL": baofen_game(self.config).bids.values(),
            "BASELINE": self.config.evaluation.baselines,
        }
        words = sorted(set(PLACEHOLDER.findall(pattern)))
        return {
            PLACEHOLDER.sub(lambda found: choice[words.index(found[0])], pattern)  # noqa: B023, called at once
            for choice in itertools.product(*(values[word] for word in words))
        }


@pytest.fixture(scope="module", params=CONFIGS)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Return a page and what a small run tells."""
    folder, config = tmp_path_factory.mktemp("run"), CONFIGS[request.param]
    with contextlib.redirect_stderr(Terminal()) as err, pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", WIDE)
        train(config, folder, evaluate=QuickEvaluation(config))
    events = EventAccumulator(str(folder / "tensorboard"))
    events.Reload()
    tags = events.Tags()
    line = err.getvalue().rpartition("\r")[2].partition("\n")[0].strip()
    over = re.findall(r"^iteration \d+, (over .*)$", err.getvalue(), re.MULTILINE)
    line = " | ".join([line, *over[-len(config.evaluation.baselines) :]])  # as where there is no terminal
    curves = {name for kind in ("scalars", "histograms") for name in tags[kind]}
    return Told((DOCS / request.param).read_text(encoding="utf-8"), config, curves, line)


def test_every_curve_of_a_run_is_explained_once_and_no_other(told: Told) -> None:
    explained = [name for pattern in told.patterns() for name in sorted(told.names_for(pattern))]
    assert len(explained) == len(set(explained))
    assert set(explained) == told.curves


def test_a_page_speaks_of_no_other_curve(told: Told) -> None:
    patterns = told.patterns()
    groups = {pattern.partition("/")[0] for pattern in patterns}
    spoken = {name for name in CURVE.findall(told.page) if name.partition("/")[0] in groups}
    assert spoken <= set(patterns).union(*map(told.names_for, patterns))


def test_the_progress_line_has_the_shape_that_the_page_shows(told: Told) -> None:
    (shown,) = re.findall(r"```text\n(.*)\n```", told.page)
    assert NUMBER.sub("#", told.line) == NUMBER.sub("#", shown)
