"""Finding the deal: outcomes of every deal, the deals where agents differ most, and two games side by side."""

import csv
import json

import pytest
from rich.cells import cell_len

from baofen.training import cli

DEALS = 24


def run(*words):
    with pytest.raises(SystemExit) as left:
        cli.main(list(words))
    return left.value.code


@pytest.fixture(scope="module", params=["auction", "fixed"])
def played(request, tmp_path_factory):
    """A bench of two agents with all records, and one with the largest differences only."""
    folders = [tmp_path_factory.mktemp(request.param) / name for name in ("all", "some")]
    words = ("bench", "random", "random:cards", "--deals-set", "suzhou-dev-v1", "--deals", str(DEALS))
    for folder, wanted in zip(folders, (("--records",), ("--largest", "3")), strict=True):
        assert run(*words, "--contracts", request.param, "--out", str(folder), *wanted) == 0
    return request.param, *folders


def records_in(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_records_say_of_which_game_they_are(played):
    contracts, folder, _ = played
    for record in records_in(folder / "records.jsonl"):
        about = record["bench"]
        assert (about["deals_set"], about["split"], about["contracts"]) == ("suzhou-dev-v1", "dev", contracts)
        assert about["role"] == ("seat" if contracts == "auction" else "declarer")
        seat = record["result"]["declarer"] if about["seat"] is None else about["seat"]
        assert record["players"][seat] == about["alone"]
        assert {record["players"][other] for other in range(4) if other != seat} == {about["others"]}
    decks: dict[int, object] = {}
    for record in records_in(folder / "records.jsonl"):
        assert decks.setdefault(record["bench"]["deal"], record["hands"]) == record["hands"]
    assert set(decks) == set(range(DEALS))


def test_outcomes_of_every_deal_give_the_results_again(played):
    _, folder, _ = played
    with (folder / "deals.csv").open() as file:
        lines = list(csv.DictReader(file))
    for row in json.loads((folder / "results.json").read_text())["rows"]:
        if row["metric"] != "score":
            continue
        same = [
            float(line["reward"])
            for line in lines
            if (line["agent"], line["opponents"], line["role"]) == (row["agent"], row["opponents"], row["role"])
        ]
        assert sum(same) / len(same) == pytest.approx(row["mean"], abs=1e-3)


def test_the_largest_differences_are_found(played):
    contracts, full, some = played
    assert not (some / "records.jsonl").exists()
    assert not (some / ".records.jsonl").exists()
    found = records_in(some / "largest.jsonl")
    assert len(found) == 6
    key = "rewards" if contracts == "auction" else "captured"
    games = {tuple(one["bench"][name] for name in ("deal", "alone", "others", "seat")): one for one in
             records_in(full / "records.jsonl")}  # fmt: skip
    apart = []
    for deal in range(DEALS):
        differences = [0.0]
        for others in ("random", "random:cards"):
            if contracts == "auction":
                for seat in range(4):
                    own, other = (
                        games[deal, who, others, 0 if who == others else seat]["result"][key][seat]
                        for who in ("random", "random:cards")
                    )
                    differences.append(abs(own - other))
            else:
                for pair in (
                    [("random", others), ("random:cards", others)],
                    [(others, "random"), (others, "random:cards")],
                ):
                    own, other = (games[deal, *one, None]["result"][key] for one in pair)
                    differences.append(abs(own - other))
        apart.append(max(differences))
    assert [abs(one["apart"]["difference"]) for one in found[::2]] == sorted(apart, reverse=True)[:3]
    assert [one["bench"]["deal"] for one in found[::2]] == [one["bench"]["deal"] for one in found[1::2]]


def test_two_games_side_by_side(played, capsys):
    _, full, some = played
    deal = records_in(some / "largest.jsonl")[0]["bench"]["deal"]
    for folder in (full, some):
        assert run("replay", str(folder), "--deal", str(deal), "--agents", "random,random:cards") == 0
        out = capsys.readouterr().out
        before, after = out.split("the first difference")
        assert f"deal {deal} of suzhou-dev-v1" in before
        assert "A: random\nB: random:cards\n" in before
        assert before.count("  hand 0") >= 1
        first = after.splitlines()[3]
        assert first[:38].strip() != first[40:].strip()
        assert after.count("rewards") == 2
        assert max(cell_len(line.rstrip()) for line in after.splitlines()) <= 80


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--deal", "0"], "give both --deal N and --agents A,B"),
        (["--agents", "random,random:cards"], "give both --deal N and --agents A,B"),
        (["--deal", "0", "--agents", "random"], "give both --deal N and --agents A,B"),
        (["--deal", "99", "--agents", "random,random:cards"], "holds no deal 99, but 0, 1, 2"),
        (["--deal", "0", "--agents", "random,nobody"], "no game of nobody on deal 0"),
    ],
)
def test_mistakes(words, message, played, capsys):
    assert run("replay", str(played[1]), *words) == 2
    assert message in capsys.readouterr().err


def test_a_folder_without_records_says_what_to_do(tmp_path, capsys):
    assert run("replay", str(tmp_path), "--deal", "0", "--agents", "a,b") == 2
    assert "run it with --records, or with --largest N" in capsys.readouterr().err
    assert run("bench", "random", "--largest", "3") == 2
    assert "records need a folder: give --out DIR" in capsys.readouterr().err
