"""Worlds agree with all that a seat knows, the true deal is one of them, and all are equally likely."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from baofen.agents.heuristic import HeuristicAgent
from baofen.agents.randoms import RandomAgent
from baofen.agents.search.worlds import NUM_HOLDERS, PILE, WORLDS, begin_walk, next_world
from baofen.envs import Rules, VectorTables
from baofen.envs.core.dtypes import AUCTION, NO_TRUMP_YET, OVER, PLAY
from baofen.envs.core.kernel import kernel


@kernel
def begin(tables, rules, observer, seed, walks):
    return begin_walk(tables[0], rules[0], observer, np.uint64(seed), walks[0])


@kernel
def move_on(tables, rules, walks, worlds):
    worlds[0] = tables[0]
    next_world(tables[0], rules[0], walks[0], worlds[0])


def cards_of(ones, twos):
    """Positions of a set of cards, once for each copy."""
    return [p for p in range(54) for _ in range((int(ones) >> p & 1) + (int(twos) >> p & 1))]


def decisions(rules, agent, num_tables, seed, every):
    """Yield (true table [1], what the acting seat may see of it [1]) at some decisions of whole games."""
    batch = VectorTables(num_tables, rules, seed=seed, auto_reset=False)
    agent.reset(num_tables, seed)
    step = 0
    while (live := np.flatnonzero(batch.phase != OVER)).size:
        views = batch.views(live)
        if step % every == 0:
            for row, table in enumerate(live):
                if batch.phase[table] >= AUCTION:
                    yield batch.tables[table : table + 1].copy(), views.state[row : row + 1].copy()
        actions = np.zeros(num_tables, np.int64)
        actions[live] = agent.act(views)
        batch.step(actions)
        step += 1


def truth(table, observer):
    """Who holds which hidden cards: a list of (holder, position), the pile included where the observer lacks it."""
    held = []
    for seat in range(4):
        if seat != observer:
            held += [(seat, p) for p in cards_of(table["hand_ones"][seat], table["hand_twos"][seat])]
    if table["declarer"] != observer:
        if table["phase"] == PLAY:
            held += [(PILE, p) for p in cards_of(table["buried_ones"], table["buried_twos"])]
        else:
            assert table["layout"] == NO_TRUMP_YET or table["phase"] == AUCTION
    return held


CASES = [("suzhou", HeuristicAgent), ("suzhou", RandomAgent), ("exposure", HeuristicAgent), ("hongwu", RandomAgent)]


@pytest.mark.parametrize(("preset", "agent"), CASES)
def test_worlds_keep_what_is_known_and_the_truth_is_possible(preset, agent):
    rules = Rules(preset)
    walk, world = np.zeros(1, WORLDS), None
    checked = 0
    for true, seen in decisions(rules, agent(), 12, seed=3, every=7):
        observer = int(true["acting"][0])
        assert begin(seen, rules.record, observer, checked, walk)
        w = walk[0]
        links = int(rules.record["links"][0, int(true["layout"][0])])
        hidden = int(w["num_hidden"])
        allowed = {(int(w["position"][c]), h) for c in range(hidden) for h in range(5) if w["allowed"][c] >> h & 1}
        for holder, position in truth(true[0], observer):
            fixed = holder < 4 and int(seen["shown_ones"][0, holder]) >> position & 1
            assert fixed or (position, holder) in allowed
        for seat in range(4):  # the true hands break nothing that has been shown
            twos = int(true["hand_twos"][0, seat])
            if seat != observer:
                assert twos & int(w["pairless"][seat]) == 0
                runs = twos & int(w["runless"][seat])
                assert runs & ((runs & links) << 1) == 0
        world = np.zeros_like(true)
        move_on(seen, rules.record, walk, world)
        for seat in range(4):
            ones, twos = int(world["hand_ones"][0, seat]), int(world["hand_twos"][0, seat])
            own = (int(true["hand_ones"][0, seat]), int(true["hand_twos"][0, seat]))
            assert len(cards_of(ones, twos)) == len(cards_of(*own))
            if seat == observer:
                assert (ones, twos) == own
                continue
            layout = int(true["layout"][0])
            for group in range(5):
                bits = int(rules.record["group_bits"][0, layout, group])
                if layout != NO_TRUMP_YET and seen["shown_void"][0, seat] >> group & 1:
                    assert ones & bits == 0
                if layout != NO_TRUMP_YET and seen["shown_pairless"][0, seat] >> group & 1:
                    assert twos & bits == 0
            assert int(seen["held_ones"][0, seat]) & ~ones == 0
            assert int(seen["held_twos"][0, seat]) & ~twos == 0
        everything = Counter(cards_of(seen["hand_ones"][0, observer], seen["hand_twos"][0, observer]))
        for holder in range(NUM_HOLDERS):
            everything += Counter(cards_of(w["ones"][holder], w["twos"][holder]))
        for seat in range(4):
            everything += Counter(cards_of(seen["played_ones"][0, seat], seen["played_twos"][0, seat]))
        if true["declarer"][0] == observer:
            everything += Counter(cards_of(seen["buried_ones"][0], seen["buried_twos"][0]))
        assert set(everything.values()) == {2}
        assert len(everything) == 54
        checked += 1
    assert checked > 60


def enumerate_worlds(walk, links):
    """Count every world by its hands: each card (copies told apart) to each allowed holder with room."""
    count = int(walk["num_hidden"])
    positions, allowed = walk["position"][:count], walk["allowed"][:count]
    holders = tuple(sorted(int(h) for h in walk["holder"][:count]))
    fixed = [(int(walk["ones"][h]), int(walk["twos"][h])) for h in range(NUM_HOLDERS)]
    for card in range(count):  # what does not move
        holder, bit = int(walk["holder"][card]), 1 << int(positions[card])
        ones, twos = fixed[holder]
        fixed[holder] = (ones, twos & ~bit) if twos & bit else (ones & ~bit, twos)
    worlds: Counter[tuple[tuple[int, int], ...]] = Counter()
    for deal in set(permutations(holders)):
        if not all(int(allowed[c]) >> deal[c] & 1 for c in range(count)):
            continue
        sets = list(fixed)
        for card, holder in enumerate(deal):
            ones, twos = sets[holder]
            bit = 1 << int(positions[card])
            sets[holder] = (ones | bit, twos | (ones & bit))
        ok = all(
            twos & int(walk["pairless"][h]) == 0 and (r := twos & int(walk["runless"][h])) & ((r & links) << 1) == 0
            for h, (_, twos) in enumerate(sets)
        )
        if ok:
            worlds[tuple(sets)] += 1
    return worlds


def test_all_worlds_are_equally_likely():
    rules = Rules("suzhou")
    walk = np.zeros(1, WORLDS)
    tested = 0
    for true, seen in decisions(rules, HeuristicAgent(), 40, seed=11, every=1):
        observer = int(true["acting"][0])
        if true["phase"][0] != PLAY or true["declarer"][0] != observer:
            continue
        assert begin(seen, rules.record, observer, 1, walk)
        hidden = int(walk["num_hidden"][0])
        if not 5 <= hidden <= 8 or not np.any(seen["shown_pairless"][0] & ~seen["shown_void"][0]):
            continue
        links = int(rules.record["links"][0, int(true["layout"][0])])
        expected = enumerate_worlds(walk[0], links)
        if not 4 <= len(expected) <= 200:
            continue
        draws = 300 * len(expected)
        world = np.zeros_like(true)
        found: Counter[tuple[tuple[int, int], ...]] = Counter()
        for _ in range(draws):
            move_on(seen, rules.record, walk, world)
            found[tuple((int(walk["ones"][0, h]), int(walk["twos"][0, h])) for h in range(NUM_HOLDERS))] += 1
        assert set(found) <= set(expected)
        weight = sum(expected.values())
        statistic = sum((found[key] - draws * n / weight) ** 2 / (draws * n / weight) for key, n in expected.items())
        freedom = len(expected) - 1
        assert statistic < freedom + 5 * np.sqrt(2 * freedom), (statistic, freedom)
        tested += 1
        if tested == 8:
            break
    assert tested >= 3
