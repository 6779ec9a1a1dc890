"""Games of the arena: the same deals for all, nothing that moves a result, and agents that fail."""

import warnings
from functools import partial

import numpy as np
import pytest
from arena.helpers import Failing, Meddling, contestant, small_setup

from baofen.agents import make_agent
from baofen.envs.core.dtypes import RESULT, Phase
from baofen.envs.rules import PRESETS, Rules
from baofen.training.arena import matches
from baofen.training.arena.contestants import Contestant, OtherDraws, contestants
from baofen.training.arena.deals import SPLITS, contract_rules, deal_tables
from baofen.training.arena.matches import Chunk, Hall, Lineup, play_lineups
from baofen.training.arena.store import as_results

ALONE, OTHERS = 0, 1
DECLARER_LINEUP = Lineup(ALONE, OTHERS)


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(matches, "CHUNK_DEALS", 8)


def decks(split="dev", seed=0, first=0, count=6, preset="suzhou"):
    return deal_tables(Rules(preset), seed, split, first, count)["deck"]


def test_a_deal_depends_on_seed_split_and_number_alone():
    assert (decks(first=2, count=3) == decks()[2:5]).all()
    assert (decks(preset="hongwu") == decks()).all()
    others = [decks(seed=1), *(decks(split=split) for split in SPLITS if split != "dev")]
    different = {deck.tobytes() for deck in np.concatenate([decks(), *others])}
    assert len(different) == 6 * 4


def test_the_arena_deals_what_self_play_does_not_see():
    from baofen.envs.vector import VectorTables

    assert not {deck.tobytes() for deck in decks(count=50)} & {
        deck.tobytes() for deck in VectorTables(50, seed=0).tables["deck"]
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_fixed_contracts_begin_with_burying(preset):
    setup = small_setup(rules=preset, contracts="fixed", reference=contestant("heuristic"))
    tables = Hall(setup, contestants(["random"]))._begin(Chunk(0, 24))
    assert (tables["phase"] == Phase.BURY).all()
    assert (tables["declarer"] == tables["acting"]).all()
    assert set(tables["trump"]) <= {0, 1, 2, 3}


def test_who_passes_out_declares_at_the_minimum_if_contracts_are_fixed():
    rules = contract_rules(Rules("suzhou", {"bid_min": 90}))
    assert dict(rules.options) == {"bid_min": 90, "all_pass": "forced"}
    assert contract_rules(Rules("hongwu")) == Rules("hongwu")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("contracts", ["auction", "fixed"])
def test_every_deal_comes_to_its_end(preset, contracts):
    setup = small_setup(rules=preset, contracts=contracts)
    lineup = Lineup(0, 1, None if contracts == "fixed" else 2)
    played = Hall(setup, contestants(["random", "heuristic"])).play(lineup, Chunk(0, 24))
    assert played.faults == []
    outcomes = played.outcomes[played.outcomes["declarer"] >= 0]
    assert len(outcomes) > 12
    assert (outcomes["rewards"].sum(1) == (0 if preset == "hongwu" else outcomes["rewards"].sum(1))).all()
    assert (outcomes["made"] == (outcomes["score"] >= 0)).all()
    if contracts == "fixed":
        assert (played.outcomes["declarer"] >= 0).all()


@pytest.mark.parametrize("names", [("random", "random:cards"), ("search:2+confirm", "bidder:value/search:1")])
def test_the_same_seed_gives_the_same_games_with_any_workers(small_chunks, names):
    setup = small_setup()
    cast = contestants(list(names))
    lineups = [Lineup(0, 1, seat) for seat in (0, 3)]
    once, parallel = (play_lineups(setup, cast, lineups, workers=workers) for workers in (1, 2))
    assert once.deals == parallel.deals == 24
    for lineup in lineups:
        assert (once.outcomes[lineup] == parallel.outcomes[lineup]).all()


def test_other_lineups_and_more_deals_move_nothing(small_chunks):
    cast = contestants(["random", "random:cards"])
    few = play_lineups(small_setup(deals=16), cast, [Lineup(0, 1, 2)]).outcomes[Lineup(0, 1, 2)]
    more = play_lineups(small_setup(deals=20), cast, [Lineup(1, 0, 0), Lineup(0, 1, 2)]).outcomes[Lineup(0, 1, 2)]
    assert (few == more[:16]).all()


def test_a_copy_of_an_agent_draws_otherwise():
    cast = contestants(["random", "random"])
    assert [one.label for one in cast] == ["random", "random#2"]
    assert isinstance(cast[1].make(), OtherDraws)
    outcomes = [Hall(small_setup(), cast).play(Lineup(who, who, 0), Chunk(0, 24)).outcomes for who in (0, 1)]
    assert (outcomes[0] != outcomes[1]).any()


def test_what_an_agent_does_to_its_views_reaches_no_game():
    cast = [contestant("random"), Contestant("meddling", partial(_meddling))]
    outcomes = [Hall(small_setup(), cast).play(Lineup(who, who, 0), Chunk(0, 24)).outcomes for who in (0, 1)]
    assert (outcomes[0] == outcomes[1]).all()


def _meddling():
    return Meddling(make_agent("random"))


class Looking:
    """Notes what it is shown."""

    name = "looking"

    def __init__(self, cheats=False, needs_observation=True):
        self.cheats, self.needs_observation = cheats, needs_observation
        self.agent = make_agent("random")
        self.hands, self.columns = [], set()

    def reset(self, num_tables, seed):
        self.agent.reset(num_tables, seed)

    def act(self, views):
        self.hands.append((views.state["hand_ones"] != 0).sum(1))
        self.columns.add(views.observation.shape[1])
        return self.agent.act(views)


@pytest.mark.parametrize(("cheats", "most"), [(False, 1), (True, 4)])
@pytest.mark.parametrize("needs_observation", [False, True])
def test_only_declared_cheats_see_other_hands(cheats, most, needs_observation):
    agent = Looking(cheats, needs_observation)
    Hall(small_setup(), [Contestant("looking", lambda: agent)]).play(Lineup(0, 0, 0), Chunk(0, 8))
    assert max(hands.max() for hands in agent.hands) == most
    assert (agent.columns == {0}) != needs_observation


@pytest.mark.parametrize("how", ["raise", "shape", "floats", "illegal", "range"])
def test_an_agent_that_fails_loses_those_deals_alone(how):
    bad = (1, 2, 7)
    cast = [contestant("random", Failing, how=how, tables=bad), contestant("random")]
    setup = small_setup(contracts="fixed")
    played = Hall(setup, cast).play(DECLARER_LINEUP, Chunk(0, 24))
    told = [(fault.table, fault.agent, fault.phase) for fault in played.faults]
    assert told == [(table, "Failing random", "BURY") for table in bad]
    outcomes = played.outcomes
    assert np.flatnonzero(outcomes["forfeit"] >= 0).tolist() == list(bad)
    assert (outcomes["forfeit"][list(bad)] == outcomes["declarer"][list(bad)]).all()
    good = Hall(setup, contestants(["random"])).play(Lineup(0, 0), Chunk(0, 24)).outcomes
    rest = np.setdiff1d(np.arange(24), bad)
    assert (outcomes[rest] == good[rest]).all()


def test_an_agent_that_leaves_decisions_of_a_batch_out_is_told_so():
    cast = [contestant("random", Failing, how="too few"), contestant("random")]
    faults = Hall(small_setup(contracts="fixed"), cast).play(DECLARER_LINEUP, Chunk(0, 5)).faults
    assert [fault.message for fault in faults] == ["WrongNumberError: act returned int64 [1] for 5 decisions"] * 5


class Grumbling(Failing):
    """Warns, in `act` or already in `reset`."""

    asked = 0

    def reset(self, num_tables, seed):
        if self.how == "reset":
            warnings.warn("old", DeprecationWarning, stacklevel=1)
        self.agent.reset(num_tables, seed)

    def act(self, views):
        self.asked += 1
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        return self.agent.act(views)


@pytest.mark.parametrize("how", ["reset", "act"])
def test_a_warning_that_is_an_error_is_no_fault_of_the_agent(how):
    agent = Grumbling(make_agent("random"), how)
    hall = Hall(small_setup(), [Contestant("warning", lambda: agent)])
    with pytest.raises(DeprecationWarning, match="old"):  # as pytest's own filter has it
        hall.play(Lineup(0, 0, 0), Chunk(0, 8))
    assert agent.asked == (how == "act")  # and not again for each half
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert hall.play(Lineup(0, 0, 0), Chunk(0, 8)).faults == []


def test_faults_are_told_with_the_number_of_the_deal(small_chunks):
    cast = [contestant("random", Failing, how="illegal", tables=(2,)), contestant("random")]
    results = play_lineups(small_setup(contracts="fixed"), cast, [DECLARER_LINEUP])
    assert [fault.table for _, fault in results.faults] == [2, 10, 18]


def test_faults_are_told_with_the_reason():
    messages = {}
    for how in ("raise", "illegal", "reset"):
        cast = [contestant("random", Failing, how=how), contestant("random")]
        faults = Hall(small_setup(contracts="fixed"), cast).play(DECLARER_LINEUP, Chunk(0, 2)).faults
        assert len(faults) == 2
        messages[how] = faults[0].message
    assert messages["raise"] == "KeyError: 'lost'"
    assert messages["reset"] == "OSError: no file"
    assert "is not in the hand of seat" in messages["illegal"]


def test_ctrl_c_keeps_the_deals_that_every_lineup_has_finished(small_chunks):
    def stop(games):
        finished.append(games)
        if len(finished) == 5:
            raise KeyboardInterrupt

    finished: list[int] = []
    lineups = [Lineup(0, 0, 0), Lineup(1, 1, 0)]
    results = play_lineups(small_setup(), contestants(["random", "heuristic"]), lineups, progress=stop)
    assert results.interrupted
    assert results.deals == 16
    assert [len(outcomes) for outcomes in results.outcomes.values()] == [16, 16]


def test_a_reference_that_fails_stops_the_bench():
    setup = small_setup(contracts="fixed", reference=contestant("random", Failing))
    with pytest.raises(RuntimeError, match="reference"):
        Hall(setup, contestants(["random"])).play(DECLARER_LINEUP, Chunk(0, 2))


def test_what_an_older_version_kept_is_read_by_name() -> None:
    older = np.zeros(2, np.dtype([("declarer", np.int8), ("score", np.int32), ("rewards", np.int32, 4)]))
    older["score"], older["rewards"] = [7, -3], np.arange(8).reshape(2, 4)
    results = as_results(older)
    assert results.dtype == RESULT
    assert results["score"].tolist() == [7, -3]
    assert results["rewards"].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
