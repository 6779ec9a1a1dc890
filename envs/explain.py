"""Why an action or a play is illegal, in words: the one truth behind errors, records and prompts.

Legality itself is the core's (`core.step.update_legal`, `core.following.follow_fault`); this module only finds the
words. An action has a fault here if and only if the mask bars it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index as whole_number

import numpy as np
from numpy.typing import NDArray

from baofen.envs.actions import (
    CALL,
    COMMIT,
    EIGHT,
    NUM_ACTIONS,
    PASS,
    TRUMP,
    action_name,
    call_points,
)
from baofen.envs.cards import BOTTOM_CARDS, FACE_NAMES, NUM_FACES, RANKS, count_faces, expand_counts, format_cards
from baofen.envs.core import following, step
from baofen.envs.core.dtypes import TRUMP_GROUP, Phase
from baofen.envs.core.kernel import kernel
from baofen.envs.core.leading import is_component
from baofen.envs.rules import Rules

GROUP_NAMES = ("spades", "hearts", "clubs", "diamonds", "trump")


@dataclass(frozen=True)
class Fault:
    """A rule that is broken: a class of reasons for programs, and a sentence for people."""

    reason: str
    message: str


class IllegalAction(ValueError):
    """An action that the rules do not allow; nothing has changed. `reason` is its class (`Fault.reason`)."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


@kernel
def _is_legal(tables, rules, action):  # type: ignore[no-untyped-def]
    return step.is_legal(tables[0], rules[0], action)


@kernel
def _follow_fault(tables, rules, ones, twos):  # type: ignore[no-untyped-def]
    return following.follow_fault(tables[0], rules[0], ones, twos)


@kernel
def _picks_without_runs(tables, rules):  # type: ignore[no-untyped-def]
    tables[0].duty_num_pieces = 0
    return following.follow_picks(tables[0], rules[0])


@kernel
def _is_component(rules, layout, ones, twos):  # type: ignore[no-untyped-def]
    return is_component(ones, twos, rules[0].links[layout])


def hand_faces(tables: NDArray[np.void], rules: Rules, seat: int) -> list[int]:
    """Return the faces in a seat's hand, ascending, picked cards included."""
    table = tables[0]
    return set_faces(rules, int(table["layout"]), int(table["hand_ones"][seat]), int(table["hand_twos"][seat]))


def set_faces(rules: Rules, layout: int, ones: int, twos: int) -> list[int]:
    """Return the faces of a set of cards, ascending."""
    row = rules.record["face"][0, layout]
    faces = [int(row[p]) for p in range(NUM_FACES) if ones >> p & 1]
    faces += [int(row[p]) for p in range(NUM_FACES) if twos >> p & 1]
    return sorted(faces)


def face_set(rules: Rules, layout: int, faces: Sequence[int]) -> tuple[int, int]:
    """Return the set of cards `(ones, twos)` of faces, none of which may occur more than twice."""
    ones = twos = 0
    row = rules.record["position"][0, layout]
    for face in faces:
        bit = 1 << int(row[face])
        twos |= ones & bit
        ones |= bit
    return ones, twos


def legal_actions(tables: NDArray[np.void], rules: Rules) -> list[int]:
    """Return the legal actions of the acting seat of one table, ascending."""
    table = tables[0]
    row = rules.record["face"][0, int(table["layout"])]
    picks, words = int(table["legal_picks"]), int(table["legal_words"])
    faces = sorted(int(row[p]) for p in range(NUM_FACES) if picks >> p & 1)
    return faces + [COMMIT + bit for bit in range(NUM_ACTIONS - COMMIT) if words >> bit & 1]


def _missing_card(tables: NDArray[np.void], rules: Rules, seat: int, faces: Sequence[int]) -> Fault | None:
    """Return the fault of cards that are not in a hand, counting copies."""
    wanted = np.bincount(faces, minlength=NUM_FACES)
    held = count_faces(hand_faces(tables, rules, seat))
    for face in np.flatnonzero(wanted > held):
        what = f"{FACE_NAMES[face]} is not" if held[face] == 0 else f"only {held[face]} {FACE_NAMES[face]} is"
        hand = format_cards(expand_counts(held))
        return Fault("card_not_in_hand", f"{what} in the hand of seat {seat}, which is {hand}")
    return None


def play_fault(tables: NDArray[np.void], rules: Rules, faces: Sequence[int]) -> Fault | None:
    """Return why the acting seat may not play these cards at once (a lead or a follow), or None if it may.

    No card may be picked yet. A failed throw is legal.
    """
    table = tables[0]
    seat = int(table["acting"])
    if not faces:
        return Fault("wrong_count", f"seat {seat} must play at least one card")
    missing = _missing_card(tables, rules, seat, faces)
    if missing is not None:
        return missing
    eights = [a for a in legal_actions(tables, rules) if EIGHT <= a < PASS]
    if eight_of(faces) in eights:
        return None
    if table["num_plays"] > 0:
        return _follow_play_fault(tables, rules, faces, eights)
    layout = int(table["layout"])
    groups = {int(rules.record["group"][0, layout, rules.record["position"][0, layout, face]]) for face in faces}
    if len(groups) > 1:
        names = ", ".join(GROUP_NAMES[group] for group in sorted(groups))
        return Fault("mixed_lead", f"a lead is of one group, not of {names}: {format_cards(faces)}")
    one_component = _is_component(rules.record, layout, *face_set(rules, layout, faces))
    if rules.record["throws_by_outside_card"][0] and groups == {TRUMP_GROUP} and not one_component:
        return Fault("trump_throw", f"a trump lead is a single, a pair or a tractor, not {format_cards(faces)}")
    return None


def eight_of(faces: Sequence[int]) -> int | None:
    """Return the action for cards that are an eight (all eight of a rank 3 .. A), else None."""
    ranks = {face % 13 for face in faces}
    if len(faces) == 8 and len(ranks) == 1 and max(faces) < 52 and len(set(faces)) == 4 and ranks != {0}:
        return EIGHT + ranks.pop() - 1
    return None


def _follow_play_fault(tables: NDArray[np.void], rules: Rules, faces: Sequence[int], eights: list[int]) -> Fault | None:
    table = tables[0]
    seat, layout = int(table["acting"]), int(table["layout"])
    if eights and len(faces) == table["lead_cards"]:
        ranks = " or ".join(RANKS[action - EIGHT + 1] for action in eights)
        return Fault("eight_duty", f"seat {seat} holds an eight and must answer with it: the {ranks}")
    code = _follow_fault(tables, rules.record, *face_set(rules, layout, faces))
    return None if code == following.FOLLOWS else _duty_fault(tables, rules, code, faces)


def _duty_fault(tables: NDArray[np.void], rules: Rules, code: int, faces: Sequence[int]) -> Fault:
    """Return the words for a duty that a follow breaks, with what is owed (`rules.md` 1.1)."""
    table = tables[0]
    seat = int(table["acting"])
    group = GROUP_NAMES[int(table["lead_group"])]
    cards = format_cards(faces)
    if code == following.WRONG_COUNT:
        return Fault("wrong_count", f"seat {seat} must play {table['lead_cards']} cards, not {len(faces)}: {cards}")
    held = int(table["duty_cards"])
    if code == following.SUIT_DUTY:
        owed = min(held, int(table["lead_cards"]))
        return Fault(
            "suit_duty", f"seat {seat} holds {held} cards of {group} and must play {owed} of them, not {cards}"
        )
    if code == following.PAIR_DUTY:
        return Fault("pair_duty", f"seat {seat} must play {table['duty_pairs']} pairs of {group}, not {cards}")
    pieces = ", ".join(str(length) for length in table["duty_pieces"][: table["duty_num_pieces"]])
    return Fault("tractor_duty", f"seat {seat} must play tractors of {group} of {pieces} pairs, not {cards}")


def bury_fault(tables: NDArray[np.void], rules: Rules, faces: Sequence[int]) -> Fault | None:
    """Return why the declarer may not bury these cards, or None if he may."""
    seat = int(tables[0]["acting"])
    if len(faces) != BOTTOM_CARDS:
        return Fault("wrong_count", f"seat {seat} must bury {BOTTOM_CARDS} cards, not {len(faces)}")
    return _missing_card(tables, rules, seat, faces)


def explain(tables: NDArray[np.void], rules: Rules, action: int) -> Fault | None:
    """Return why an action is illegal in the one table of `tables` [1], or None if it is legal.

    Raises:
        TypeError: if the action is no whole number.
    """
    action = whole_number(action)
    if not 0 <= action < NUM_ACTIONS:
        return Fault("bad_action", f"action {action} does not exist: actions are 0 .. {NUM_ACTIONS - 1}")
    table = tables[0]
    phase = Phase(int(table["phase"]))
    if phase == Phase.OVER:
        return Fault("after_end", f"{action_name(action)}: the game is over")
    if _is_legal(tables, rules.record, action):
        return None
    seat = int(table["acting"])
    if phase == Phase.AUCTION and action >= CALL and action < TRUMP:
        return _call_fault(tables, rules, call_points(action))
    if action < NUM_FACES and phase in (Phase.BURY, Phase.PLAY, Phase.EXPOSE):
        return _pick_fault(tables, rules, action, phase)
    if phase == Phase.PLAY and action == COMMIT:
        return _commit_fault(tables, rules)
    if phase == Phase.PLAY and EIGHT <= action < PASS:
        return _eight_fault(tables, rules, action)
    legal = ", ".join(action_name(a) for a in legal_actions(tables, rules))
    return Fault("wrong_phase", f"{action_name(action)}: seat {seat} is to {_DECISIONS[phase]}; legal: {legal}")


_DECISIONS = {
    Phase.EXPOSE: "expose or pass",
    Phase.AUCTION: "call or pass",
    Phase.TRUMP: "name trump",
    Phase.BURY: "bury",
    Phase.PLAY: "play",
}


def _call_fault(tables: NDArray[np.void], rules: Rules, points: int) -> Fault:
    """Return why a call is barred: off the steps, too low, or too high."""
    table, data = tables[0], rules.record[0]
    seat, last = int(table["acting"]), int(table["last_call"])
    low, step_size = int(data["bid_min"]), int(data["bid_step"])
    if (points - low) % step_size and points > low:
        return Fault("bad_call", f"seat {seat} calls {points}: calls are {low} and {step_size} more, again and again")
    if points <= last or points < low:
        least = last + step_size if last else low
        return Fault("low_call", f"seat {seat} calls {points}: the lowest call now is {least}")
    most = max(call_points(legal) for legal in legal_actions(tables, rules) if CALL <= legal < TRUMP)
    return Fault("high_call", f"seat {seat} calls {points}: the highest call now is {most}")


def _pick_fault(tables: NDArray[np.void], rules: Rules, face: int, phase: Phase) -> Fault:
    """Return why a card cannot be picked."""
    table = tables[0]
    seat, layout = int(table["acting"]), int(table["layout"])
    picked = set_faces(rules, layout, int(table["selection_ones"]), int(table["selection_twos"]))
    missing = _missing_card(tables, rules, seat, [*picked, face])
    if missing is not None:
        return missing
    name = FACE_NAMES[face]
    if phase == Phase.EXPOSE:
        legal = ", ".join(action_name(a) for a in legal_actions(tables, rules))
        return Fault("bad_expose", f"seat {seat} may not show {name}; legal: {legal}")
    group = int(rules.record["group"][0, layout, rules.record["position"][0, layout, face]])
    if table["num_plays"] == 0:
        lead_group = int(rules.record["group"][0, layout, rules.record["position"][0, layout, picked[0]]])
        if group != lead_group:
            return Fault(
                "mixed_lead", f"{name} is of {GROUP_NAMES[group]}, but the lead begins with {FACE_NAMES[picked[0]]}"
            )
        return Fault("trump_throw", f"{name} with {format_cards(picked)} cannot become a single, a pair or a tractor")
    if _holds_eight_duty(tables, rules):
        return Fault("eight_duty", f"seat {seat} holds an eight and must answer with it")
    if group != table["lead_group"]:
        return _duty_fault(tables, rules, following.SUIT_DUTY, [*picked, face])
    bit = 1 << int(rules.record["position"][0, layout, face])
    pairs_only = _picks_without_runs(tables.copy(), rules.record)
    code = following.TRACTOR_DUTY if pairs_only & bit else following.PAIR_DUTY
    return _duty_fault(tables, rules, code, [*picked, face])


def _holds_eight_duty(tables: NDArray[np.void], rules: Rules) -> bool:
    return any(EIGHT <= action < PASS for action in legal_actions(tables, rules))


def _commit_fault(tables: NDArray[np.void], rules: Rules) -> Fault:
    table = tables[0]
    seat = int(table["acting"])
    if table["num_plays"] > 0:
        return Fault("wrong_count", f"seat {seat} must play {table['lead_cards']} cards; the last one commits the play")
    if not table["selection_ones"]:
        return Fault("wrong_count", f"seat {seat} must pick at least one card before committing a lead")
    return Fault("trump_throw", "a trump lead is a single, a pair or a tractor")


def _eight_fault(tables: NDArray[np.void], rules: Rules, action: int) -> Fault:
    table = tables[0]
    seat = int(table["acting"])
    if rules.record["eights"][0] == 0:
        return Fault("mixed_lead", f"{action_name(action)}: there are no eights in these rules")
    if table["selection_ones"]:
        return Fault("mixed_lead", f"{action_name(action)}: an eight is led alone, and cards are picked already")
    if table["num_plays"] > 0 and table["lead_eight"] == 0:
        return Fault("wrong_count", f"{action_name(action)}: an eight answers only an eight")
    return Fault("card_not_in_hand", f"seat {seat} does not hold all of {action_name(action)}")
