"""What a bench prints: it fits its columns, the rating comes first, and few deals give no verdict."""

import re

import numpy as np
import pytest
from rich.cells import cell_len

from baofen.training import cli
from baofen.training.arena.compare import COMPARED_ROLES, LEAST_DEALS, METRICS, RoleSplit, Row, every_pair
from baofen.training.arena.contestants import without_alias
from baofen.training.arena.matches import Results, Setup
from baofen.training.arena.printed import TOO_FEW, short_names
from baofen.training.arena.report import Report, print_report
from baofen.training.arena.standings import Rating, Standing
from baofen.training.arena.statistics import coverage

LONG = "runs/a-long-name-of-a-run/checkpoints/000100"
WIDTHS = ("80", "100", "120")


def run(*words):
    with pytest.raises(SystemExit) as left:
        cli.main(["bench", *words])
    return left.value.code


def lines_within(out, columns):
    lines = out.splitlines()
    assert "…" not in out
    assert max(cell_len(line.rstrip()) for line in lines) <= int(columns), out
    return [line.rstrip() for line in lines]


def made_up(agents, contracts="fixed", deals=1000):
    """A report with figures as wide as they get."""
    rng = np.random.default_rng(0)
    rows = []
    for question in every_pair(len(agents)):
        for role in COMPARED_ROLES[contracts]:
            for metric in METRICS[contracts]:
                size = 1 if metric == "made" else 1000
                mean, difference, half = -size * rng.random() * 0.999, -size * rng.random(), size * rng.random() / 2
                names = [agents[who] for who in (question.agent, question.versus, question.opponents)]
                rows.append(
                    Row(
                        names[0],
                        names[1],
                        names[2],
                        role,
                        metric,
                        mean,
                        difference,
                        difference - half,
                        difference + half,
                        deals,
                        half,
                    )
                )
    splits = [RoleSplit(a, b, deals, 0.999, 1.0, 199.9, -1234.5, -1234.5, 1.0) for a in agents for b in agents]
    ratings = [
        Rating(one, -1234.0 * place, -1300.0 * place, -1100.0 * place, deals) for place, one in enumerate(agents)
    ]
    standings = [Standing(one, 16000, -123456, "国务院副总理") for one in agents]
    report = Report(Setup(contracts=contracts), Results(deals, {}, []), rows, splits)
    if len(agents) > 2:
        report.ratings = ratings
    report.standings = standings
    return report


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("contracts", ["auction", "fixed"])
def test_a_bench_of_two_agents_fits_a_screen(columns, contracts, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", columns)
    assert run("random", "its=random:cards", "--deals", "50", "--contracts", contracts) == 0
    out, err = capsys.readouterr()
    lines = lines_within(out, columns)
    assert len(lines) + len(err.splitlines()) <= 45
    assert sum(
        "+-" in line and bool(re.search(r"^(seat|decl|def).*(better|worse|open, sees|the same)", line))
        for line in lines
    ) == (12 if contracts == "fixed" else 2)
    assert "its: random:cards" in lines


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("number", [2, 4, 7])
@pytest.mark.parametrize("contracts", ["auction", "fixed"])
@pytest.mark.parametrize("all_rows", [False, True])
def test_the_widest_figures_and_names_fit(columns, number, contracts, all_rows, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", columns)
    agents = [f"{LONG}{place}" if place % 2 else f"twelve-long{place}" for place in range(number)]
    print_report(made_up(agents, contracts), all_rows=all_rows)
    lines = lines_within(capsys.readouterr().out, columns)
    assert [line for line in lines if line.endswith(LONG + "1")] == [f"A: {LONG}1"]
    if number == 2:
        assert len(lines) <= 45


def test_a_file_gets_80_columns_whatever_the_terminal_of_stderr_has(monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False)
    print_report(made_up(["a", "b"], "auction"))
    lines_within(capsys.readouterr().out, 80)


def test_several_agents_are_told_by_a_rating_and_a_matrix(capsys):
    report = made_up(["a", "b", "c", "d"])
    print_report(report)
    out = capsys.readouterr().out
    assert out.index("rating") < out.index("declarer, captured") < out.index("defenders, captured")
    assert "score" not in out.split("captured")[1]
    lines = out.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("declarer, captured"))
    cells = re.split(r"\s{2,}", next(line for line in lines[start:] if line.startswith("b ")).strip())
    row = next(
        one for one in report.rows
        if (one.agent, one.versus, one.opponents, one.role, one.metric) == ("b", "a", "a", "declarer", "captured")
    )  # fmt: skip
    assert cells[1].startswith(f"{row.difference:+.1f} +- ")
    assert cells[2] == "-"
    print_report(report, "made")
    assert "declarer, made" in capsys.readouterr().out
    print_report(report, all_rows=True)
    out = capsys.readouterr().out
    assert sum("+-" in line and line.startswith(("declarer", "defenders")) for line in out.splitlines()) == 72


@pytest.mark.parametrize("number", [2, 4])
def test_few_deals_give_no_interval_and_no_verdict(number, capsys):
    report = made_up(list("abcd")[:number], deals=LEAST_DEALS - 1)
    print_report(report)
    out = capsys.readouterr().out
    told = out.split("A over B")[0]
    assert "+-" not in told
    assert not re.search("better|worse|open", told)
    assert f"{TOO_FEW}: intervals of fewer than {LEAST_DEALS} deals" in out
    assert all(isinstance(row["ci_low"], float) for row in report.as_results()["rows"])
    assert len(report.as_results()["rows"]) == len(report.rows)


def test_intervals_of_few_deals_are_too_narrow_and_of_more_are_not():
    """Differences as games have them: mostly small, now and then hundreds."""
    rng = np.random.default_rng(1)
    differences = np.where(rng.random(4000) < 0.1, 300.0, 0.0) + rng.normal(0, 40, 4000)
    shares = [coverage(differences, number, samples=1500) for number in (5, LEAST_DEALS, 400)]
    assert shares[0] < 0.86
    assert 0.88 < shares[1] < 0.97
    assert abs(shares[2] - 0.95) < 0.02


def test_a_metric_that_is_not_played_for_is_refused(capsys):
    assert run("random", "heuristic", "--metric", "made") == 2
    assert "--metric must be one of score with auction contracts, not 'made'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a=random", "a=heuristic"], "two agents would be called 'a'"),
        (["a=random", "b=random"], "random is called both 'a' and 'b'"),
        (["a="], "'a=' names no agent: write NAME=PATH"),
        (["a-very-long-name=random"], "'a-very-long-name' is too long a name for tables: at most 12 letters"),
        (["a=nobody"], "unknown agent 'nobody'"),
    ],
)
def test_mistakes_in_aliases(words, message, capsys):
    assert run(*words) == 2
    assert message in capsys.readouterr().err


def test_a_folder_with_an_equals_sign_is_no_alias(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rate=0.1").mkdir()
    aliases: dict[str, str] = {}
    assert without_alias("rate=0.1", aliases) == "rate=0.1"
    assert aliases == {}
    assert short_names(["rate=0.1", LONG], {}) == {"rate=0.1": "rate=0.1", LONG: "A"}


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_list_of_agents_breaks_between_words_only(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit):
        cli.main(["agents"])
    lines = lines_within(capsys.readouterr().out, columns)
    from baofen.agents.registry import list_agents

    assert " ".join(" ".join(lines).split()) == " ".join(
        f"{name} {' '.join(meaning.split())}" for name, meaning in list_agents().items()
    )
