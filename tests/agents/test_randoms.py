"""What the random agents draw."""

from collections import Counter

import numpy as np
from situations import SUZHOU, cards_of, situation

from baofen.agents.choose_random import random_action, random_component, random_component_action
from baofen.envs.cards import FACE_NAMES

HAND = "3h 3h 4h 4h 5h 7c"
COMPONENTS = {"3h", "4h", "5h", "7c", "3h 3h", "4h 4h", "3h 3h 4h 4h"}
NUM_DRAWS = 3500


def test_leads_are_uniform_over_components() -> None:
    tables = situation([HAND, "3d", "4d", "5d"])
    drawn: Counter[str] = Counter()
    for seed in range(NUM_DRAWS):
        play, eight = random_component(tables[0], SUZHOU.record[0], np.uint64(seed))
        assert eight == 0
        drawn[cards_of(SUZHOU, 0, play.ones, play.twos)] += 1
    assert set(drawn) == COMPONENTS
    expected = NUM_DRAWS / len(COMPONENTS)
    assert sum((count - expected) ** 2 / expected for count in drawn.values()) < 22.5  # chi squared, 6, 99.9 %


def test_a_lead_goes_on_as_it_began() -> None:
    tables = situation([HAND, "3d", "4d", "5d"])
    table, rules = tables[0], SUZHOU.record[0]
    play, _ = random_component(table, rules, np.uint64(3))
    face = random_component_action(table, rules, np.uint64(3))
    table["selection_ones"] = 1 << int(rules["position"][0, face])
    again, _ = random_component(table, rules, np.uint64(3))
    assert again == play


def test_follows_are_uniform_over_cards() -> None:
    tables = situation(["Ah", "3h 4h 5h 6d", "4d", "5d"], trick=["Ah"])
    drawn = Counter(FACE_NAMES[random_action(tables[0], SUZHOU.record[0], np.uint64(seed))] for seed in range(3000))
    assert set(drawn) == {"3h", "4h", "5h"}
    assert min(drawn.values()) > 900


def test_seats_draw_apart() -> None:
    tables = situation(["3h 4h 5h 6h 7h 8h 9h"] * 4)
    choices = []
    for seat in range(4):
        tables["acting"] = tables["leader"] = seat
        choices.append(tuple(random_action(tables[0], SUZHOU.record[0], np.uint64(seed)) for seed in range(20)))
    assert len(set(choices)) == 4
