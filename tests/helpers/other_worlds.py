"""Other deals that a seat cannot tell from the real one: hidden cards change places, all that was public stays.

Hands of the other seats, the bottom, the bury and the cards not dealt yet are exchanged at random. The record of the
real game is then played with the new cards; where something public comes out differently, or is not legal any
more, the world is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from baofen.envs import Table
from baofen.envs.actions import PASS
from baofen.envs.cards import FACE_NAMES, NUM_CARDS, format_cards
from baofen.envs.core.deal import DEALT_CARDS
from baofen.envs.core.dtypes import SEAT_BITS, Phase
from baofen.envs.explain import hand_faces, set_faces
from baofen.envs.records import RecordError, Replay

Piles = dict[str, list[int]]
PUBLIC = ("phase", "acting", "played_ones", "played_twos", "totals", "fine_levels")
"""Fields of a table that all see, for sure; fines are told when a throw fails, though Bao Hong Wu settles them later."""


def other_worlds(rng: Random, table: Table, seat: int) -> Iterator[Table]:
    """Some tables that a seat cannot tell from this one, with few cards exchanged and with many."""
    real = list(trace(Replay(table.record())))
    for exchanges in (1, rng.randrange(2, 8), rng.randrange(8, 60)):
        world = _exchange(rng, table, seat, exchanges, real)
        if world is not None and hidden_piles(world, seat) != hidden_piles(table, seat):
            yield world


def _exchange(rng: Random, table: Table, seat: int, exchanges: int, real: list[tuple[object, ...]]) -> Table | None:
    """A table with cards exchanged that a seat cannot see; None if that changes something public."""
    piles = hidden_piles(table, seat)
    for _ in range(exchanges):
        one, other = rng.sample(sorted(piles), 2)
        if piles[one] and piles[other]:
            i, j = rng.randrange(len(piles[one])), rng.randrange(len(piles[other]))
            piles[one][i], piles[other][j] = piles[other][j], piles[one][i]
    record = table.record()
    record.pop("result", None)
    set_deck(record, new_deck(rng, table, seat, piles))
    for action in record["actions"]:
        if "bury" in action and "buried" in piles:
            action["bury"] = format_cards(piles["buried"])
    try:
        replay = Replay(record, seed=rng.randrange(2**32))
        if list(trace(replay)) != real:
            return None
    except RecordError:
        return None
    return replay.table if _catch_up(table, replay.table, seat) else None


def hidden_piles(table: Table, seat: int) -> Piles:
    """What a seat cannot see, by where it lies."""
    row = table.tables[0]
    piles = {str(other): hand_faces(table.tables, table.rules, other) for other in range(4) if other != seat}
    if row["phase"] == Phase.EXPOSE:
        piles["to come"] = [int(face) for face in row["deck"][int(row["dealt"]) :]]
    elif table.declarer is None:
        piles["to come"] = [int(face) for face in row["deck"][DEALT_CARDS:]]
    elif table.declarer != seat and row["buried_ones"]:
        piles["buried"] = set_faces(table.rules, int(row["layout"]), int(row["buried_ones"]), int(row["buried_twos"]))
    return piles


def played_faces(table: Table, seat: int) -> list[int]:
    """The cards that a seat has played."""
    row = table.tables[0]
    return set_faces(table.rules, int(row["layout"]), int(row["played_ones"][seat]), int(row["played_twos"][seat]))


def new_deck(rng: Random, table: Table, seat: int, piles: Piles) -> list[int]:
    """A dealing order that gives these piles; what a seat has been dealt stays where it was, if it still has it."""
    row = table.tables[0]
    deck = [int(face) for face in row["deck"]]
    dealt = int(row["dealt"])
    first = table.first_caller
    bottom = deck[DEALT_CARDS:]
    for other in range(4):
        if other == seat:
            continue
        slots = list(range((other - first) % 4, dealt, 4))
        pool = piles[str(other)] + played_faces(table, other)
        if other == table.declarer:
            pool += piles.get("buried", [])
            # Which of his 33 cards came from the bottom nobody else can know; shown 2s were dealt.
            rest = Counter(pool) - Counter(_shown_twos(table, other))
            spare = list(rest.elements())
            bottom = rng.sample(spare, len(pool) - len(slots))
            pool = list((Counter(pool) - Counter(bottom)).elements())
        for slot, face in zip(slots, _keep_places(rng, [deck[slot] for slot in slots], pool), strict=True):
            deck[slot] = face
    if "to come" in piles:
        rng.shuffle(piles["to come"])
        deck[NUM_CARDS - len(piles["to come"]) :] = piles["to come"]
    else:
        deck[DEALT_CARDS:] = bottom
    return deck


def _shown_twos(table: Table, seat: int) -> list[int]:
    """The 2s that a seat has exposed."""
    row = table.tables[0]
    return [] if row["exposed_by"] != seat else [int(row["exposed_suit"]) * 13] * (2 if row["exposure_final"] else 1)


def _keep_places(rng: Random, old: Sequence[int], new: Sequence[int]) -> list[int]:
    """The new cards in an order in which cards that were there already, the 2s above all, keep their places."""
    coming = list((Counter(new) - Counter(old)).elements())
    rng.shuffle(coming)
    left = Counter(new)
    places: list[int] = []
    for face in old:
        if left[face] > 0 and Counter(old)[face] >= 1 and places.count(face) < Counter(new)[face]:
            left[face] -= 1
            places.append(face)
        else:
            places.append(coming.pop())
    loose = [slot for slot, face in enumerate(places) if face % 13]
    if rng.random() < 0.5:
        for slot, face in zip(loose, rng.sample([places[slot] for slot in loose], len(loose)), strict=True):
            places[slot] = face
    return places


def set_deck(record: dict[str, Any], deck: Sequence[int]) -> None:
    """Write other cards into a record."""
    first = record["first_caller"]
    if "dealt" in record:
        record["dealt"] = " ".join(FACE_NAMES[face] for face in deck)
    else:
        record["hands"] = [format_cards(deck[(seat - first) % 4 : DEALT_CARDS : 4]) for seat in range(4)]
        record["bottom"] = format_cards(deck[DEALT_CARDS:])


def trace(replay: Replay) -> Iterator[tuple[object, ...]]:
    """What all see of a game, action by action; who is asked while dealing is seen by nobody else."""
    for action in replay.steps():
        table, row = replay.table, replay.table.tables[0]
        if "bury" in action:
            yield ("bury",)
        elif table.phase == Phase.EXPOSE or "expose" in action:
            yield tuple(sorted(action.items()))
        else:
            yield (*sorted(action.items(), key=str), *(row[name].tobytes() for name in PUBLIC))


def _own_moment(table: Table, seat: int) -> tuple[int, int]:
    """How far dealing has got for a seat that is not asked: cards it holds, and how often it has been asked."""
    row = table.tables[0]
    marks = row["action_marks"][: int(row["num_actions"])]
    return len(hand_faces(table.tables, table.rules, seat)), int((marks & SEAT_BITS == seat).sum())


def _catch_up(real: Table, table: Table, seat: int) -> bool:
    """Take a replayed table to where the real one is: what is not on record is passes while dealing, and picks."""
    row, real_row = table.tables[0], real.tables[0]
    if real.phase == Phase.EXPOSE and real.acting_seat != seat:
        wanted = _own_moment(real, seat)
        while table.acting_seat == seat or _own_moment(table, seat) != wanted:
            if table.phase != Phase.EXPOSE or _own_moment(table, seat) > wanted:
                return False
            table.apply(PASS)
    elif real.phase == Phase.EXPOSE:
        moment = [int(real_row[name]) for name in ("acting", "dealt", "others_left", "closing_left")]
        while [int(row[name]) for name in ("acting", "dealt", "others_left", "closing_left")] != moment:
            if table.phase != Phase.EXPOSE or row["dealt"] > real_row["dealt"]:
                return False
            table.apply(PASS)
    elif table.phase == Phase.EXPOSE or table.acting_seat != real.acting_seat:
        return False
    if real.acting_seat == seat:
        for face in set_faces(
            real.rules, int(real_row["layout"]), int(real_row["selection_ones"]), int(real_row["selection_twos"])
        ):
            if table.why_illegal(face) is not None:
                return False
            table.apply(face)
    return True
