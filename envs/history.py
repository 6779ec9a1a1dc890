"""The history of a deal: in the words of `record.md`, with its result, and as tokens for sequence models."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import COMMIT, EIGHT, NUM_EIGHTS, PASS, TRUMP, call_points
from baofen.envs.cards import NUM_CARDS, NUM_SEATS, NUM_SUITS, SUITS, format_cards
from baofen.envs.core.deal import DEALT_CARDS
from baofen.envs.core.dtypes import (
    COMMITTED,
    MAX_ACTIONS,
    NO_TRUMP_YET,
    NOBODY,
    PHASE_BITS,
    PHASE_SHIFT,
    ROOMS,
    SEAT_BITS,
    Phase,
)
from baofen.envs.core.known import keep_known, write_histories
from baofen.envs.rules import Rules

RECORD_FORMAT = "baofen-record/1"
HISTORY_LENGTH = MAX_ACTIONS
"""Tokens of a history, more than any deal needs."""


def known_tables(tables: NDArray[np.void], seats: NDArray[np.int8]) -> NDArray[np.void]:
    """Return copies of tables [n] whose histories hold only what one seat of each knows."""
    known = tables.copy()
    keep_known(known, seats)
    return known


def history_tokens(tables: NDArray[np.void], seats: NDArray[np.int8]) -> NDArray[np.int16]:
    """Return what one seat of each table [B] knows of the actions of its deal, int16 [B, H], oldest first.

    A token is 1 + 99 * (how many seats after this one the actor sits) + action; 0 stands behind the last. Left out are
    passes of others while the cards are dealt, cards that others buried, and cards picked and not committed; the cards
    of one selection are in ascending order.

    Raises:
        ValueError: if there is not one seat 0 .. 3 for each table.
    """
    if seats.shape != tables.shape or ((seats < 0) | (seats >= NUM_SEATS)).any():
        raise ValueError(f"seats must be one of 0 .. 3 for each of {len(tables)} tables, not {seats}")
    tokens = np.empty((len(tables), HISTORY_LENGTH), np.int16)
    write_histories(known_tables(tables, seats), seats, tokens)
    return tokens


def eight_faces(action: int) -> list[int]:
    """Return the eight faces that an eight action plays, ascending."""
    rank = action - EIGHT + 1
    return [suit * 13 + rank for suit in range(NUM_SUITS) for _ in range(2)]


def deal_actions(tables: NDArray[np.void]) -> list[dict[str, Any]]:
    """Return the actions of the current deal of one table [1] as records have them.

    Passes while dealing are nobody's business and left out; so are cards picked and not committed.
    """
    table = tables[0]
    written: list[dict[str, Any]] = []
    picked: list[int] = []
    exposures = 0
    trump_known_at_deal = False
    for index in range(int(table["num_actions"])):
        action, mark = int(table["actions"][index]), int(table["action_marks"][index])
        seat, phase = mark & SEAT_BITS, Phase(mark >> PHASE_SHIFT & PHASE_BITS)
        if phase != Phase.EXPOSE and not trump_known_at_deal:
            trump_known_at_deal = True
            written += _trump_in_force(table)
        if action < COMMIT:
            picked.append(action)
        if phase == Phase.AUCTION:
            written.append({"seat": seat, "call": "pass" if action == PASS else call_points(action)})
        elif phase == Phase.TRUMP:
            written.append({"seat": seat, "trump": SUITS[action - TRUMP]})
        elif EIGHT <= action < EIGHT + NUM_EIGHTS:
            written.append({"seat": seat, "play": format_cards(eight_faces(action))})
        elif mark & COMMITTED and picked:
            entry = {"seat": seat, _VERBS[phase]: format_cards(picked)}
            if phase == Phase.EXPOSE:
                entry["after"] = int(table["exposed_after"][exposures])
                exposures += 1
            written.append(entry)
            picked = []
    if not trump_known_at_deal:
        written += _trump_in_force(table)
    if table["result_forfeit"] != NOBODY:
        written.append({"seat": int(table["result_forfeit"]), "forfeit": ROOMS[int(table["result_room"])]})
    return written


_VERBS = {Phase.EXPOSE: "expose", Phase.BURY: "bury", Phase.PLAY: "play"}


def _trump_in_force(table: np.void) -> list[dict[str, Any]]:
    """Return the entry for the trump that dealing has settled, if it has."""
    if table["exposed_suit"] == NO_TRUMP_YET or table["trump"] == NO_TRUMP_YET:
        return []
    return [{"seat": None, "trump": SUITS[int(table["trump"])]}]


def deal_result(tables: NDArray[np.void], rules: Rules) -> dict[str, Any] | None:
    """Return the `result` of the deal that ended last in one table [1], None before the first has ended.

    What is not laid down for a deal that was passed out or forfeited is None.
    """
    table = tables[0]
    if not table["result"]:
        return None
    declarer = int(table["result_declarer"])
    following = int(table["result_next_first_caller"])
    played = declarer != NOBODY and table["result_played"]
    result: dict[str, Any] = {
        "declarer": None if declarer == NOBODY else declarer,
        "target": int(table["result_target"]) if played else None,
        "trump": SUITS[int(table["result_trump"])] if played else None,
        "captured": int(table["result_captured"]) if played else None,
    }
    if not rules.has_levels:
        result["trump_points"] = int(table["result_trump_points"]) if played else None
    result["score"] = int(table["result_score"]) if played else None
    result["rewards"] = [int(reward) for reward in table["result_rewards"]]
    result["pot"] = int(table["result_pot"])
    result["next_first_caller"] = None if following == NOBODY else following
    return result


def deal_record(tables: NDArray[np.void], rules: Rules) -> dict[str, Any]:
    """Return the record of the current deal of one table [1], with its result when the table is over."""
    table = tables[0]
    deck = [int(face) for face in table["deck"]]
    record: dict[str, Any] = {"format": RECORD_FORMAT, "rules": rules.preset, "options": dict(rules.options)}
    record["first_caller"] = first = int(table["first_caller"])
    record["pot"] = int(table["start_pot"])
    record["pot_age"] = int(table["start_pot_age"])
    record["totals"] = [int(total) for total in table["start_totals"]]
    if rules.record["exposure"][0]:
        record["dealt"] = " ".join(format_cards([face]) for face in deck)
    else:
        record["hands"] = [
            format_cards(deck[(seat - first) % NUM_SEATS : DEALT_CARDS : NUM_SEATS]) for seat in range(4)
        ]
        record["bottom"] = format_cards(deck[DEALT_CARDS:NUM_CARDS])
    record["actions"] = deal_actions(tables)
    if table["phase"] == Phase.OVER:
        record["result"] = deal_result(tables, rules)
    return record
