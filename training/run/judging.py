"""Evaluations of training: a quick one now and then, and the table at the end of a run.

Both are matches of the arena on deals that training never sees: the quick ones on its `dev` deals, the table on its
`final` deals.
"""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from baofen.agents.registry import make_agent
from baofen.envs.rules import Rules
from baofen.training.arena import Contracts, Split
from baofen.training.arena.bench import Plan, compare, write_report
from baofen.training.arena.compare import MAIN_METRIC, Question, Row, lineups_for, rows_for
from baofen.training.arena.contestants import Contestant, contestants
from baofen.training.arena.matches import Lineup, Results, Setup, play_lineups
from baofen.training.arena.printed import READING, legend, print_pairs, short_names
from baofen.training.config import TrainConfig
from baofen.training.errors import UserError
from baofen.training.run.trained_rules import tell_other_rules
from baofen.training.terminal import stdout_console

POLICY = "trained"
EVALUATION = "evaluation"


class QuickEvaluation:
    """Judges policy folders against the baselines; what baselines do among themselves is played once."""

    def __init__(self, config: TrainConfig) -> None:
        """Prepare for the rules, deals and baselines of a configuration.

        Raises:
            UserError: if there is no agent of a baseline's name.
        """
        self._config = config
        self._baselines = _baselines(config)
        rules = Rules(config.game.rules, dict(config.game.options))
        tell_other_rules((policy for one in self._baselines for policy in one.trained_on), rules)
        self._kept: dict[Contracts, dict[Lineup, NDArray[np.void]]] = {}

    def __call__(self, policy: Path) -> list[dict[str, Any]]:
        """Return rows as in `results.json`: the policy over each baseline, against that baseline."""
        cast = [Contestant(POLICY, partial(make_agent, str(policy))), *self._baselines]
        labels = [one.label for one in cast]
        questions = [Question(0, other, other) for other in range(1, len(cast))]
        rows: list[Row] = []
        for contracts, metric in MAIN_METRIC.items():
            setup = _setup(self._config, contracts, "dev", self._config.evaluation.deals)
            kept = self._kept.setdefault(contracts, {})
            lineups = lineups_for(questions, contracts)
            played = play_lineups(setup, cast, [lineup for lineup in lineups if lineup not in kept])
            if played.interrupted:
                raise KeyboardInterrupt
            outcomes = kept | played.outcomes
            kept.update({lineup: games for lineup, games in outcomes.items() if 0 not in (lineup.alone, lineup.others)})
            rows += rows_for(questions, Results(setup.deals, outcomes, []), setup, labels, [metric])
        return [row.as_result() for row in rows]


def final_table(policy: Path, config: TrainConfig, out: Path | None = None, *, deals: int | None = None) -> list[Row]:
    """Compare a policy with the baselines in every role, print the table on stdout and return its rows.

    policy: a checkpoint, or another folder with an exported policy.
    out: folder that gets `fixed/results.json` and `auction/results.json`, with tables and plots beside them.
    deals: `config.evaluation.final_deals` by default.

    With fixed contracts, captured points as the declarer and as the defenders; with the auction, the score of one
    seat. The other seats are of each of the baselines.
    """
    baselines = _baselines(config)
    cast = [Contestant(POLICY, partial(make_agent, str(policy))), *baselines]
    others = range(1, len(cast))
    plan = Plan(cast, [Question(0, versus, opponents) for versus in others for opponents in others])
    rows: list[Row] = []
    for contracts, metric in MAIN_METRIC.items():
        setup = _setup(config, contracts, "final", deals or config.evaluation.final_deals)
        report = compare(setup, plan)
        if report.results.interrupted:
            raise KeyboardInterrupt
        if out is not None:
            write_report(report, out / contracts)
        rows += [row for row in report.rows if row.metric == metric]
    if rows:
        console = stdout_console()
        names = short_names(one.label for one in cast)
        console.print(Text(f"{POLICY}: {policy}; {rows[0].deals} deals of final {config.seed}", "bold"))
        print_pairs(console, rows, names)
        console.print()
        for line in [*legend(names), READING]:
            console.print(Text(line))
    return rows


def _baselines(config: TrainConfig) -> list[Contestant]:
    try:
        return contestants(list(dict.fromkeys(config.evaluation.baselines)))
    except ValueError as error:
        raise UserError(f"evaluation.baselines: {error}") from None


def _setup(config: TrainConfig, contracts: Contracts, split: Split, deals: int) -> Setup:
    game = config.game
    return Setup(game.rules, dict(game.options), contracts, config.seed, split, deals)


def where_things_are(run_dir: Path, checkpoint: Path) -> str:
    """Return what to say at the end of a run."""
    return f"curves:     tensorboard --logdir {run_dir}\ncheckpoint: {checkpoint}\nevaluation: {run_dir / EVALUATION}"
