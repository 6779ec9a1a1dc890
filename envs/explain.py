"""Why an action or a play is illegal, in words: the one truth behind errors, records and prompts.

Legality itself is the core's (`core.step.update_legal`, `core.step.play_fault`); this module only finds the words. An action has a fault here if and only if the mask bars it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import index as whole_number
from types import MappingProxyType
from typing import Any

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
from baofen.envs.cards import (
    BOTTOM_CARDS,
    FACE_NAMES,
    NUM_FACES,
    RANKS,
    SUITS,
    count_faces,
    expand_counts,
    format_cards,
)
from baofen.envs.core import dtypes as core
from baofen.envs.core.dtypes import Phase
from baofen.envs.core.loops import (
    is_legal_single,
    lead_fault_single,
    picks_without_runs_single,
    play_fault_single,
)
from baofen.envs.rules import Rules

GROUP_NAMES = ("spades", "hearts", "clubs", "diamonds", "trump")
GROUP_WORDS = (*SUITS, "trump")
"""How a group is called in facts: the letter of its suit, or `trump`."""


@dataclass(frozen=True)
class Fault:
    """A rule that is broken: a class of reasons for programs, a sentence for people, and the facts in it.

    facts: what the sentence says, by name, as plain numbers and words, for other languages: `seat`; cards in the words
    of `record.md`; groups as the letters s h c d or `trump`; actions in the words of `action_name`.
    """

    reason: str
    message: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_error(self, where: str = "") -> IllegalAction:
        """Return the error to be raised for it; `where` stands before the sentence."""
        return IllegalAction(where + self.message, self.reason, self.facts)


class IllegalAction(ValueError):
    """An action that the rules do not allow; nothing has changed.

    `reason` is its class and `facts` what is the case (`Fault`).
    """

    def __init__(self, message: str, reason: str, facts: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__(message)
        self.reason = reason
        self.facts = dict(facts)


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
    wanted = np.bincount(np.asarray(faces, np.int64), minlength=NUM_FACES)
    held = count_faces(hand_faces(tables, rules, seat))
    for face in np.flatnonzero(wanted > held):
        what = f"{FACE_NAMES[face]} is not" if held[face] == 0 else f"only {held[face]} {FACE_NAMES[face]} is"
        hand = format_cards(expand_counts(held))
        return Fault(
            "card_not_in_hand",
            f"{what} in the hand of seat {seat}, which is {hand}",
            {"seat": seat, "card": FACE_NAMES[face], "held": int(held[face]), "hand": hand},
        )
    return None


def play_fault(tables: NDArray[np.void], rules: Rules, faces: Sequence[int]) -> Fault | None:
    """Return why the acting seat may not play these cards at once (a lead or a follow), or None if it may.

    No card may be picked yet. A failed throw is legal.
    """
    table = tables[0]
    seat = int(table["acting"])
    missing = _missing_card(tables, rules, seat, faces)
    if missing is not None:
        return missing
    layout = int(table["layout"])
    code = play_fault_single(tables, rules.record, *face_set(rules, layout, faces))
    return None if code == core.LEGAL else _fault_of_play(tables, rules, code, faces)


def _fault_of_play(tables: NDArray[np.void], rules: Rules, code: int, faces: Sequence[int]) -> Fault:
    """Return the words for what is wrong with a whole play of cards in the hand."""
    table = tables[0]
    seat = int(table["acting"])
    cards = format_cards(faces)
    if not faces:
        return Fault("wrong_count", f"seat {seat} must play at least one card", {"seat": seat, "least": 1, "given": 0})
    if code == core.MIXED_LEAD:
        groups = sorted({_group_of(tables, rules, face) for face in faces})
        names = ", ".join(GROUP_NAMES[group] for group in groups)
        return Fault(
            "mixed_lead",
            f"a lead is of one group, not of {names}: {cards}",
            {"seat": seat, "groups": [GROUP_WORDS[group] for group in groups], "cards": cards},
        )
    if code == core.TRUMP_THROW:
        sentence = f"a trump lead is a single, a pair or a tractor, not {cards}"
        return Fault("trump_throw", sentence, {"seat": seat, "cards": cards})
    if code == core.EIGHT_DUTY:
        eights = [action for action in legal_actions(tables, rules) if EIGHT <= action < PASS]
        ranks = [RANKS[action - EIGHT + 1] for action in eights]
        sentence = f"seat {seat} holds an eight and must answer with it: the {' or '.join(ranks)}"
        return Fault("eight_duty", sentence, {"seat": seat, "ranks": ranks})
    return _duty_fault(tables, code, faces)


def _group_of(tables: NDArray[np.void], rules: Rules, face: int) -> int:
    """Return the group that a face belongs to, by the trump of a table."""
    layout = int(tables[0]["layout"])
    return int(rules.record["group"][0, layout, rules.record["position"][0, layout, face]])


def eight_of(faces: Sequence[int]) -> int | None:
    """Return the action for cards that are an eight (all eight of a rank 3 .. A), else None."""
    ranks = {face % 13 for face in faces}
    if len(faces) == 8 and len(ranks) == 1 and max(faces) < 52 and len(set(faces)) == 4 and ranks != {0}:
        return EIGHT + ranks.pop() - 1
    return None


def _duty_fault(tables: NDArray[np.void], code: int, faces: Sequence[int]) -> Fault:
    """Return the words for a duty that a follow breaks, with what is owed (`rules.md` 1.1)."""
    table = tables[0]
    seat, held, led = int(table["acting"]), int(table["duty_cards"]), int(table["lead_cards"])
    group, word = GROUP_NAMES[int(table["lead_group"])], GROUP_WORDS[int(table["lead_group"])]
    cards = format_cards(faces)
    facts: dict[str, Any] = {"seat": seat, "group": word, "cards": cards}
    if code == core.WRONG_COUNT:
        facts |= {"least": led, "given": len(faces)}
        return Fault("wrong_count", f"seat {seat} must play {led} cards, not {len(faces)}: {cards}", facts)
    if code == core.SUIT_DUTY:
        owed = min(held, led)
        sentence = f"seat {seat} holds {held} cards of {group} and must play {owed} of them, not {cards}"
        return Fault("suit_duty", sentence, facts | {"held": held, "owed": owed})
    if code == core.PAIR_DUTY:
        owed = int(table["duty_pairs"])
        return Fault("pair_duty", f"seat {seat} must play {owed} pairs of {group}, not {cards}", facts | {"owed": owed})
    assert code == core.TRACTOR_DUTY
    lengths = [int(length) for length in table["duty_pieces"][: table["duty_num_pieces"]]]
    pieces = ", ".join(map(str, lengths))
    sentence = f"seat {seat} must play tractors of {group} of {pieces} pairs, not {cards}"
    return Fault("tractor_duty", sentence, facts | {"owed": lengths})


def bury_fault(tables: NDArray[np.void], rules: Rules, faces: Sequence[int]) -> Fault | None:
    """Return why the declarer may not bury these cards, or None if he may."""
    seat = int(tables[0]["acting"])
    if len(faces) != BOTTOM_CARDS:
        sentence = f"seat {seat} must bury {BOTTOM_CARDS} cards, not {len(faces)}"
        return Fault("wrong_count", sentence, {"seat": seat, "least": BOTTOM_CARDS, "given": len(faces)})
    return _missing_card(tables, rules, seat, faces)


def explain(tables: NDArray[np.void], rules: Rules, action: int) -> Fault | None:
    """Return why an action is illegal in the one table of `tables` [1], or None if it is legal.

    Raises:
        TypeError: if the action is no whole number.
    """
    action = whole_number(action)
    if not 0 <= action < NUM_ACTIONS:
        sentence = f"action {action} does not exist: actions are 0 .. {NUM_ACTIONS - 1}"
        return Fault("bad_action", sentence, {"action": action, "last": NUM_ACTIONS - 1})
    table = tables[0]
    phase = Phase(int(table["phase"]))
    if phase == Phase.OVER:
        return Fault("after_end", f"{action_name(action)}: the game is over", {"action": action_name(action)})
    if is_legal_single(tables, rules.record, action):
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
    legal = [action_name(a) for a in legal_actions(tables, rules)]
    return Fault(
        "wrong_phase",
        f"{action_name(action)}: seat {seat} is to {_DECISIONS[phase]}; legal: {', '.join(legal)}",
        {"seat": seat, "action": action_name(action), "phase": phase.name, "legal": legal},
    )


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
    facts: dict[str, Any] = {"seat": seat, "call": points}
    if (points - low) % step_size and points > low:
        sentence = f"seat {seat} calls {points}: calls are {low} and {step_size} more, again and again"
        return Fault("bad_call", sentence, facts | {"lowest": low, "step": step_size})
    if points <= last or points < low:
        least = last + step_size if last else low
        sentence = f"seat {seat} calls {points}: the lowest call now is {least}"
        return Fault("low_call", sentence, facts | {"least": least})
    most = max(call_points(legal) for legal in legal_actions(tables, rules) if CALL <= legal < TRUMP)
    return Fault("high_call", f"seat {seat} calls {points}: the highest call now is {most}", facts | {"most": most})


def _pick_fault(tables: NDArray[np.void], rules: Rules, face: int, phase: Phase) -> Fault:
    """Return why a card cannot be picked."""
    table = tables[0]
    seat, layout = int(table["acting"]), int(table["layout"])
    picked = set_faces(rules, layout, int(table["selection_ones"]), int(table["selection_twos"]))
    missing = _missing_card(tables, rules, seat, [*picked, face])
    if missing is not None:
        return missing
    name = FACE_NAMES[face]
    facts: dict[str, Any] = {"seat": seat, "card": name, "picked": format_cards(picked)}
    if phase == Phase.EXPOSE:
        legal = [action_name(a) for a in legal_actions(tables, rules)]
        sentence = f"seat {seat} may not show {name}; legal: {', '.join(legal)}"
        return Fault("bad_expose", sentence, facts | {"legal": legal})
    group = _group_of(tables, rules, face)
    if table["num_plays"] == 0:
        lead_group = _group_of(tables, rules, picked[0])
        if group != lead_group:
            return Fault(
                "mixed_lead",
                f"{name} is of {GROUP_NAMES[group]}, but the lead begins with {FACE_NAMES[picked[0]]}",
                facts | {"groups": [GROUP_WORDS[lead_group], GROUP_WORDS[group]]},
            )
        sentence = f"{name} with {format_cards(picked)} cannot become a single, a pair or a tractor"
        return Fault("trump_throw", sentence, facts)
    eights = [action for action in legal_actions(tables, rules) if EIGHT <= action < PASS]
    if eights:
        ranks = [RANKS[action - EIGHT + 1] for action in eights]
        return Fault("eight_duty", f"seat {seat} holds an eight and must answer with it", facts | {"ranks": ranks})
    if group != table["lead_group"]:
        return _duty_fault(tables, core.SUIT_DUTY, [*picked, face])
    bit = 1 << int(rules.record["position"][0, layout, face])
    pairs_only = picks_without_runs_single(tables.copy(), rules.record)
    return _duty_fault(tables, core.TRACTOR_DUTY if pairs_only & bit else core.PAIR_DUTY, [*picked, face])


def _commit_fault(tables: NDArray[np.void], rules: Rules) -> Fault:
    table = tables[0]
    seat = int(table["acting"])
    if table["num_plays"] > 0:
        least = int(table["lead_cards"])
        sentence = f"seat {seat} must play {least} cards; the last one commits the play"
        return Fault("wrong_count", sentence, {"seat": seat, "least": least})
    if lead_fault_single(tables, rules.record) == core.WRONG_COUNT:
        sentence = f"seat {seat} must pick at least one card before committing a lead"
        return Fault("wrong_count", sentence, {"seat": seat, "least": 1, "given": 0})
    return Fault("trump_throw", "a trump lead is a single, a pair or a tractor", {"seat": seat})


def _eight_fault(tables: NDArray[np.void], rules: Rules, action: int) -> Fault:
    table = tables[0]
    seat = int(table["acting"])
    name = action_name(action)
    facts = {"seat": seat, "action": name}
    if rules.record["eights"][0] == 0:
        return Fault("mixed_lead", f"{name}: there are no eights in these rules", facts)
    if table["selection_ones"]:
        return Fault("mixed_lead", f"{name}: an eight is led alone, and cards are picked already", facts)
    if table["num_plays"] > 0 and table["lead_eight"] == 0:
        return Fault("wrong_count", f"{name}: an eight answers only an eight", facts)
    return Fault("card_not_in_hand", f"seat {seat} does not hold all of {name}", facts)
