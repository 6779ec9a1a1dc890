"""Views: what acting seats may know, in a batch, as agents get it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baofen.envs.actions import NUM_ACTIONS, action_name
from baofen.envs.cards import NUM_SEATS, RANKS, SUITS, format_cards
from baofen.envs.core.dtypes import NO_TRUMP_YET, NOBODY, Phase
from baofen.envs.core.known import redact_tables
from baofen.envs.core.loops import describe, hand_sizes_single, mask_tables, observe_tables
from baofen.envs.explain import GROUP_WORDS, hand_faces, legal_actions, set_faces
from baofen.envs.history import deal_actions, deal_result, history_tokens, known_tables
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.rules import Rules


@dataclass(frozen=True, eq=False)
class Views:
    """One row for each decision; all rows are of the same rules.

    observation: uint8 [n, O], what the acting seat may know (`baofen.envs.observation`).
    action_mask: uint8 [n, 99], 1 where an action is legal.
    seat, role, phase, trump: int8 [n], of the acting seat (absolute), trump 4 until it is known.
    table: int64 [n], which of the tables the row belongs to.
    state: TABLE [n], the table with all that is hidden from the seat removed; the whole table for cheating agents.
    """

    rules: Rules
    observation: NDArray[np.uint8]
    action_mask: NDArray[np.uint8]
    seat: NDArray[np.int8]
    role: NDArray[np.int8]
    phase: NDArray[np.int8]
    trump: NDArray[np.int8]
    table: NDArray[np.int64]
    state: NDArray[np.void]

    def __len__(self) -> int:
        return len(self.seat)

    def hand(self, row: int) -> str:
        """Return the acting seat's cards as card words; picked cards are still among them."""
        return format_cards(hand_faces(self.state[row : row + 1], self.rules, int(self.seat[row])))

    def history(self, row: int) -> list[dict[str, Any]]:
        """Return the actions of the deal that the acting seat knows, as the `actions` of a game record.

        What others buried is not among them, nor are passes while the cards are dealt; that holds for cheating agents too.
        """
        return deal_actions(known_tables(self.state[row : row + 1], self.seat[row : row + 1]))

    def history_tokens(self) -> NDArray[np.int16]:
        """Return the same for all rows as tokens, int16 [n, H] (`baofen.envs.history.history_tokens`)."""
        return history_tokens(self.state, self.seat)


def make_views(
    rules: Rules,
    tables: NDArray[np.void],
    indices: NDArray[np.int64] | None = None,
    *,
    cheating: bool = False,
    observe: bool = True,
) -> Views:
    """Return the views of the acting seats of some tables (all by default), none of which may be over.

    All arrays are copies: whatever is written to them does not reach the tables.

    cheating: the state is left whole, for agents declared as cheating.
    observe: if False, observations are left out: uint8 [n, 0], for agents that play from the state alone.

    Raises:
        ValueError: if the indices are not whole numbers 0 .. B - 1 in one row.
    """
    indices = np.arange(len(tables)) if indices is None else _checked(indices, len(tables))
    state = copy_rows(tables, indices)
    count = len(state)
    observation = np.empty((count, OBSERVATION_SIZE if observe else 0), np.uint8)
    action_mask = np.empty((count, NUM_ACTIONS), np.uint8)
    seat, role, phase, trump = (np.empty(count, np.int8) for _ in range(4))
    describe(state, seat, role, phase, trump)
    if observe:
        observe_tables(state, rules.record, observation)
    mask_tables(state, rules.record, action_mask)
    if not cheating:
        redact_tables(state, seat)
    return Views(rules, observation, action_mask, seat, role, phase, trump, indices, state)


def _checked(indices: ArrayLike, num_tables: int) -> NDArray[np.int64]:
    """Return a copy of the numbers of tables, if they are that."""
    given = np.array(indices)
    if given.size == 0 and given.ndim == 1:
        return given.astype(np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise ValueError(f"indices must be whole numbers in one row, not {given.dtype} {list(given.shape)}")
    if not 0 <= given.min() <= given.max() < num_tables:
        raise ValueError(f"indices must be 0 .. {num_tables - 1}, not {given.min()} .. {given.max()}")
    return given.astype(np.int64)


def copy_rows(tables: NDArray[np.void], rows: NDArray[np.int64] | NDArray[np.bool_]) -> NDArray[np.void]:
    """Return copies of some of the tables, by index or mask, [n]; as bytes, for numpy would copy field by field.

    >>> from baofen.envs import VectorTables
    >>> copy_rows(VectorTables(3).tables, np.array([2, 0])).shape
    (2,)
    """
    octets = np.ascontiguousarray(tables).view(np.uint8).reshape(len(tables), -1)[rows]
    return octets.view(tables.dtype).reshape(len(octets))


def seen(tables: NDArray[np.void], rules: Rules, seat: int) -> dict[str, Any]:
    """Return what a seat may know of one table [1] at any time, also when another is to act, as plain data.

    It is made from the redacted table that agents get. Seats are absolute; lists of four are by seat; sets of cards are
    card words in ascending order; what is nobody or not known is None. While cards are dealt and another seat is asked to expose,
    `acting` is None and `dealt` what the seat knows to be dealt. The keys:

        rules, options: preset and house rules; deal (from 0), deals_per_match, first_caller, totals, pot, pot_age.
        seat, phase (a name of `Phase`), acting, legal: the seat asked, whose turn it is, and the names of its legal actions
            (`action_name`) if it is this seat's.
        hand, selection, buried: this seat's cards; buried is None if it is not the declarer's.
        dealt, hand_cards: cards dealt, and how many each seat holds.
        played, trick, shown: cards of each seat: played in the deal, in this trick, shown and not played since.
        void, pairless, runless: of each seat, the groups (s h c d, trump) of which it has shown to have no more of that.
        exposed: None, or the suit exposed, by whom, and whether that is final.
        calls: each seat's last call or None; passed: of each seat; call, caller: the highest call, and whose.
        declarer, target, trump; leader, winner: of this trick so far; lead: None, or what was led.
        captured, captured_trump, conceded, conceded_trump, red_five_bonus, fine_levels, tricks.
        actions: the actions of the deal that the seat knows, in the words of `record.md`; result: of the deal that ended last.
    """
    known = tables.copy()
    redact_tables(known, np.array([seat], np.int8))
    table, layout = known[0], int(known["layout"][0])

    def cards(ones: np.int64, twos: np.int64) -> str:
        return format_cards(set_faces(rules, layout, int(ones), int(twos)))

    def by_seat(name: str) -> list[str]:
        return [cards(*pair) for pair in zip(table[f"{name}_ones"], table[f"{name}_twos"], strict=True)]

    def groups(name: str) -> list[list[str]]:
        return [
            [word for group, word in enumerate(GROUP_WORDS) if flags >> group & 1] for flags in table[name].tolist()
        ]

    def someone(name: str) -> int | None:
        return None if table[name] == NOBODY else int(table[name])

    def suit(name: str) -> str | None:
        return None if table[name] == NO_TRUMP_YET else SUITS[int(table[name])]

    lies_out = bool(table["num_plays"])
    return {
        "rules": rules.preset,
        "options": dict(rules.options),
        "deal": int(table["deal_index"]),
        "deals_per_match": int(table["deals_per_match"]),
        "first_caller": int(table["first_caller"]),
        "totals": table["totals"].tolist(),
        "pot": int(table["pot"]),
        "pot_age": int(table["pot_age"]),
        "seat": int(seat),
        "phase": Phase(int(table["phase"])).name,
        "acting": someone("acting"),
        "legal": [action_name(action) for action in legal_actions(known, rules)],
        "hand": format_cards(hand_faces(known, rules, seat)),
        "selection": cards(table["selection_ones"], table["selection_twos"]),
        "buried": cards(table["buried_ones"], table["buried_twos"]) if table["declarer"] == seat else None,
        "dealt": int(table["dealt"]),
        "hand_cards": hand_cards(tables, seat),
        "played": by_seat("played"),
        "trick": by_seat("trick"),
        "shown": by_seat("shown"),
        "void": groups("shown_void"),
        "pairless": groups("shown_pairless"),
        "runless": groups("shown_runless"),
        "exposed": None
        if table["exposed_by"] == NOBODY
        else {"suit": suit("exposed_suit"), "by": someone("exposed_by"), "final": bool(table["exposure_final"])},
        "calls": [points or None for points in table["calls"].tolist()],
        "passed": [bool(passed) for passed in table["passed"]],
        "call": int(table["last_call"]) or None,
        "caller": someone("last_caller"),
        "declarer": someone("declarer"),
        "target": int(table["target"]) or None,
        "trump": suit("trump"),
        "leader": someone("leader"),
        "winner": someone("best_seat") if lies_out else None,
        "lead": _lead(table) if lies_out else None,
        **{name: int(table[name]) for name in _POINTS},
        "fine_levels": table["fine_levels"].tolist(),
        "tricks": int(table["num_tricks"]),
        "actions": deal_actions(known),
        "result": deal_result(known, rules),
    }


_POINTS = ("captured", "captured_trump", "conceded", "conceded_trump", "red_five_bonus")


def _lead(table: np.void) -> dict[str, Any]:
    """Return what was led in the trick that lies out."""
    return {
        "group": GROUP_WORDS[int(table["lead_group"])],
        "cards": int(table["lead_cards"]),
        "pairs": int(table["lead_pairs"]),
        "runs": table["lead_runs"][: int(table["lead_num_runs"])].tolist(),
        "is_throw": bool(table["lead_is_throw"]),
        "is_forced": bool(table["lead_is_forced"]),
        "eight": RANKS[int(table["lead_eight"])] if table["lead_eight"] else None,
    }


def hand_cards(tables: NDArray[np.void], seat: int) -> list[int]:
    """Return how many cards each seat of one table [1] holds, as a seat knows it."""
    sizes = np.empty(NUM_SEATS, np.int64)
    hand_sizes_single(tables, seat, sizes)
    return [int(size) for size in sizes]
