"""What tables and rule sets are: records of fixed size.

A table is the whole state of a match in play. Many tables are an array `[B]` of the `TABLE` dtype, a copy of a table
is a copy of its record. Sets of cards are two words (`bits`), indexed by the positions of `baofen.envs.layout`. Seats
are absolute, 0 .. 3. Fields of one seat each have a last axis of 4. Who may know a field is declared beside it.

A rule set is one record of numbers and tables (`rules.md` section 8). Nothing in the core asks for the name of a
preset: it reads switches, and for each trump the tables of `layout`: where a face stands, which cards are its group,
which are higher.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from baofen.envs.cards import NUM_SEATS

EXPOSE, AUCTION, TRUMP, BURY, PLAY, OVER = range(6)
NUM_PHASES = 6
BIDDER, DECLARER, DEFENDER = range(3)
ROLES = ("bidder", "declarer", "defender")
"""The roles of an acting seat: the auction and exposing; alone against three; one of the three."""
NO_TRUMP_YET = 4
"""Value of `trump` and of `layout` until the trump suit is known."""
TRUMP_GROUP = 4
"""Group index of the trump suit; groups 0 .. 3 are the side suits s h c d."""
NUM_GROUPS = 5
NOBODY = -1
MAX_RUNS = 6
"""Most tractors one lead can hold: 24 of its at most 25 cards in runs of two pairs each."""
MAX_ACTIONS = 576
"""Room for the actions of one deal: at most 110 while dealing, 32 in the auction, 9 for trump and bury, 75 picks of
followers, 25 commits, and 325 picks of leaders: a throw that fails may have been of all the cards in the hand."""


SEAT_BITS = 3
PHASE_BITS = 7
PHASE_SHIFT = 2
"""An action's mark holds its seat in the lowest bits, the phase above them."""
COMMITTED = 1 << 5
"""Bit of an action's mark: with it the selection was committed, so that it became public (but for the bury)."""


class Phase(IntEnum):
    """The phases of a deal, in order."""

    EXPOSE = EXPOSE
    AUCTION = AUCTION
    TRUMP = TRUMP
    BURY = BURY
    PLAY = PLAY
    OVER = OVER


PLAIN, ALL_TRUMP, NO_TRUMP, SWEPT, BARE = range(5)
"""What happened in a deal of Baofen besides its points (`rules.md` section 2, Deal result): nothing, +50, -100, a sweep;
or no trump points were left in play, so that none and all of them were captured."""

LEGAL, WRONG_COUNT, CARD_NOT_IN_HAND, MIXED_LEAD, TRUMP_THROW = range(5)
EIGHT_DUTY, SUIT_DUTY, TRACTOR_DUTY, PAIR_DUTY = range(5, 9)
"""What is wrong with a whole play (`step.play_fault`); words for it are in `baofen.envs.explain`."""

FORFEIT_POINTS, FORFEIT_SILVER = range(2)
ROOMS = ("points", "silver")


class Sees(IntEnum):
    """Who may know a field of a table; what a seat may not know is blank in its view (`known.redact_tables`)."""

    ALL = 0
    NOBODY_SEES = 1
    OWN = 2  # the seat that an entry, of four, belongs to
    ACTING = 3  # the seat to act
    FOLLOWER = 4  # the seat to act, unless it leads
    BURIER = 5  # the declarer
    WHILE_ASKED = 6  # all, but while the cards are dealt the seat alone that is asked
    KNOWN_ACTIONS = 7  # of the history what a seat knows (`known.keep_known_actions`)
    KNOWN_DEALT = 8  # as many cards as a seat knows to be dealt (`known.known_dealt`)


class Field(NamedTuple):
    """A field of a table: who may know it stands beside its type, and has no default."""

    name: str
    type: type[np.generic]
    sees: Sees
    length: int = 1
    blank: int = 0
    """What stands there for those who may not know."""


TABLE_FIELDS = (
    # The match.
    Field("rng", np.uint64, Sees.NOBODY_SEES),  # the stream of deals and of drawn seats and suits
    Field("totals", np.int32, Sees.ALL, 4),  # running totals, points (levels in Bao Hong Wu)
    Field("pot", np.int32, Sees.ALL),
    Field("pot_age", np.int8, Sees.ALL),  # deals the pot has lived before this one; 0 without a pot
    Field("deal_index", np.int32, Sees.ALL),  # from 0
    Field("deals_per_match", np.int32, Sees.ALL),
    Field("first_caller", np.int8, Sees.ALL),
    # The deal as it began, and all that was done since: enough to write its record.
    Field(
        "deck", np.uint8, Sees.NOBODY_SEES, 108
    ),  # faces in dealing order: 100 in seat order from the first caller, 8 bottom
    Field("start_totals", np.int32, Sees.ALL, 4),
    Field("start_pot", np.int32, Sees.ALL),
    Field("start_pot_age", np.int8, Sees.ALL),
    Field("num_actions", np.int16, Sees.KNOWN_ACTIONS),
    Field("actions", np.uint8, Sees.KNOWN_ACTIONS, MAX_ACTIONS),
    Field("action_marks", np.uint8, Sees.KNOWN_ACTIONS, MAX_ACTIONS),  # seat | phase << 2 | COMMITTED (`mark_action`)
    # Whose turn it is, and what is legal.
    Field("phase", np.int8, Sees.ALL),
    Field("acting", np.int8, Sees.WHILE_ASKED, blank=NOBODY),  # NOBODY when over
    Field("legal_picks", np.int64, Sees.ACTING),  # positions that may be picked
    Field("legal_words", np.int64, Sees.ACTING),  # bit a - COMMIT: action a of 54 .. 98 is legal
    # Cards.
    Field("layout", np.int8, Sees.ALL),  # which order of cards the words below use: the trump, or NO_TRUMP_YET
    Field("hand_ones", np.int64, Sees.OWN, 4),  # cards of an uncommitted selection still count
    Field("hand_twos", np.int64, Sees.OWN, 4),
    Field("selection_ones", np.int64, Sees.ACTING),
    Field("selection_twos", np.int64, Sees.ACTING),
    Field("buried_ones", np.int64, Sees.BURIER),
    Field("buried_twos", np.int64, Sees.BURIER),
    Field("played_ones", np.int64, Sees.ALL, 4),  # cards played by each seat, the current trick included
    Field("played_twos", np.int64, Sees.ALL, 4),
    Field("trick_ones", np.int64, Sees.ALL, 4),  # cards of the current trick by seat
    Field("trick_twos", np.int64, Sees.ALL, 4),
    Field(
        "shown_ones", np.int64, Sees.ALL, 4
    ),  # cards that all have seen and not played since: exposed, of failed throws
    Field("shown_twos", np.int64, Sees.ALL, 4),
    Field(
        "held_ones", np.int64, Sees.ALL, 4
    ),  # those of them surely in the hand: the declarer may have buried what he exposed
    Field("held_twos", np.int64, Sees.ALL, 4),
    # What following has shown: bit g of a byte speaks of group g.
    Field("shown_void", np.uint8, Sees.ALL, 4),
    Field("shown_pairless", np.uint8, Sees.ALL, 4),
    Field("shown_runless", np.uint8, Sees.ALL, 4),
    # Dealing with exposure.
    Field("dealt", np.int16, Sees.KNOWN_DEALT),  # cards dealt so far, 0 .. 100
    Field("drawn_suit", np.int8, Sees.NOBODY_SEES),  # trump if nobody exposes
    Field("exposed_suit", np.int8, Sees.ALL),  # the suit in force, or NO_TRUMP_YET
    Field("exposed_by", np.int8, Sees.ALL),
    Field("exposure_final", np.int8, Sees.ALL),  # protected or overturned
    Field("num_exposed", np.int8, Sees.ALL),  # exposures made: the first, and one that protects or overturns it
    Field("exposed_after", np.int16, Sees.ALL, 2),  # cards dealt by then, for each
    Field("others_left", np.int8, Sees.NOBODY_SEES),  # seats still to be asked at once after an exposure
    Field(
        "closing_left", np.int8, Sees.NOBODY_SEES, blank=-1
    ),  # seats still to be asked in the closing round; -1 before it
    # The auction.
    Field("last_call", np.int16, Sees.ALL),  # 0 before the first call
    Field("last_caller", np.int8, Sees.ALL),
    Field("calls", np.int16, Sees.ALL, 4),  # each seat's last call, 0 if none
    Field("num_calls", np.int8, Sees.ALL, 4),
    Field("passed", np.int8, Sees.ALL, 4),
    # Contract.
    Field("declarer", np.int8, Sees.ALL),
    Field("target", np.int16, Sees.ALL),
    Field("trump", np.int8, Sees.ALL),
    # The current trick.
    Field("leader", np.int8, Sees.ALL),
    Field("num_plays", np.int8, Sees.ALL),  # plays made in the trick
    Field("lead_group", np.int8, Sees.ALL),
    Field("lead_cards", np.int8, Sees.ALL),
    Field("lead_pairs", np.int8, Sees.ALL),  # pairs in all, inside tractors or not
    Field("lead_num_runs", np.int8, Sees.ALL),
    Field("lead_runs", np.int8, Sees.ALL, MAX_RUNS),  # lengths of the tractors in pairs, longest first
    Field("lead_is_throw", np.int8, Sees.ALL),
    Field("lead_is_forced", np.int8, Sees.ALL),  # what is left of a failed throw
    Field("lead_eight", np.int8, Sees.ALL),  # rank index 1 .. 12 of an eight, 0 otherwise
    Field("best_seat", np.int8, Sees.ALL),
    Field("best_rank", np.int16, Sees.ALL),
    Field("best_is_trump", np.int8, Sees.ALL),
    # Duties of the acting follower, fixed when his turn begins.
    Field("duty_cards", np.int8, Sees.FOLLOWER),  # cards of the led group in his hand
    Field("duty_pairs", np.int8, Sees.FOLLOWER),
    Field("duty_num_pieces", np.int8, Sees.FOLLOWER),
    Field("duty_pieces", np.int8, Sees.FOLLOWER, MAX_RUNS),
    # Points and settlement.
    Field("captured", np.int16, Sees.ALL),  # by the declarer, in tricks
    Field("captured_trump", np.int16, Sees.ALL),  # of these, on trump cards
    Field("conceded", np.int16, Sees.ALL),  # by the defenders, in tricks
    Field("conceded_trump", np.int16, Sees.ALL),
    Field("red_five_bonus", np.int16, Sees.ALL),
    Field("fine_levels", np.int16, Sees.ALL, 4),
    Field("num_tricks", np.int8, Sees.ALL),
    Field("last_winner", np.int8, Sees.ALL),
    Field("last_winner_trump", np.int8, Sees.ALL),  # the winning play of the last trick was of trump
    # The result of the deal just ended (also kept while the next deal of a match is played).
    Field(
        "result", np.int8, Sees.ALL
    ),  # how many deals have ended, saturating: 0 means that the fields below say nothing
    Field("result_played", np.int8, Sees.ALL),  # played to the last card: neither passed out nor forfeited
    Field("result_declarer", np.int8, Sees.ALL),
    Field("result_target", np.int16, Sees.ALL),
    Field("result_trump", np.int8, Sees.ALL),
    Field("result_captured", np.int16, Sees.ALL),
    Field("result_trump_points", np.int16, Sees.ALL),
    Field("result_score", np.int32, Sees.ALL),
    Field("result_event", np.int8, Sees.ALL),  # PLAIN, ALL_TRUMP, NO_TRUMP, SWEPT or BARE
    Field("result_rewards", np.int32, Sees.ALL, 4),
    Field("result_pot", np.int32, Sees.ALL),
    Field("result_pot_age", np.int8, Sees.ALL),
    Field("result_next_first_caller", np.int8, Sees.ALL),  # NOBODY: drawn
    Field("result_forfeit", np.int8, Sees.ALL),  # seat that left, or NOBODY
    Field("result_room", np.int8, Sees.ALL),  # FORFEIT_POINTS or FORFEIT_SILVER
)
"""What a table is, and who may know it."""


def dtype_of(fields: Sequence[Field]) -> np.dtype[np.void]:
    """Return the dtype of tables with some fields.

    Raises:
        TypeError: if a field does not say who may know it.
    """
    for field in fields:
        if not isinstance(field.sees, Sees):
            raise TypeError(f"the field {field.name!r} of a table must say who may know it (Sees), not {field.sees!r}")
        if field.sees == Sees.OWN and field.length != NUM_SEATS:
            raise TypeError(f"the field {field.name!r} of a table is each seat's own, and has {field.length} entries")
    return np.dtype(
        [(field.name, field.type, field.length) if field.length > 1 else (field.name, field.type) for field in fields],
        align=True,
    )


TABLE = dtype_of(TABLE_FIELDS)
"""dtype of one table."""

RESULT = np.dtype(
    [
        ("declarer", np.int8),  # NOBODY: passed out
        ("target", np.int16),
        ("trump", np.int8),
        ("captured", np.int16),  # points; in Bao Hong Wu with red fives and bottom
        ("trump_points", np.int16),
        ("score", np.int32),  # points (in Bao Hong Wu: levels from one defender)
        ("made", np.int8),  # 1: played to the end, and the declarer reached the target
        ("forfeit", np.int8),  # the seat that left, or NOBODY
        ("first_caller", np.int8),
        ("rewards", np.int32, 4),  # changes of the totals over the deal, points (levels in Bao Hong Wu)
        ("pot", np.int32),  # after the deal
    ],
    align=True,
)
"""dtype of the result of one deal."""

STRICT, SUIT_ONLY = range(2)
LONGEST, EXACT, PAIRS_ONLY = range(3)
DEMOTED, HIGH, NONE = range(3)
LOWEST_RANK, SINGLE_FIRST = range(2)
BEATEN, ALL = range(2)
TO_NOBODY, TO_OPPONENTS = range(2)
STANDS, FAILS = range(2)
POT, DIRECT, FORCED = range(3)
LITERAL, ZERO_SUM = range(2)
ADDITIVE, REPLACE = range(2)
BY_RESULT, LAST_DECLARER, DRAWN = range(3)

NUM_LAYOUTS = 5
NUM_MOVES = 13
"""Most stretches of cards that a layout moves together from where they stand to their faces."""

RULES = np.dtype(
    [
        # Switches of rules.md section 8, in its order.
        ("follow_shape", np.int32),
        ("tractor_follow", np.int32),
        ("joker_tractor", np.int32),
        ("eights", np.int32),
        ("throw_forced", np.int32),
        ("throw_penalty_count", np.int32),
        ("throw_penalty_to", np.int32),
        ("throw_equal", np.int32),
        ("throw_fine_levels", np.int32),
        ("throw_fine_cap", np.int32),
        ("bid_min", np.int32),
        ("bid_step", np.int32),
        ("opening_max", np.int32),
        ("bid_max", np.int32),
        ("all_pass", np.int32),
        ("direct_points", np.int32),
        ("settlement", np.int32),
        ("trump_bonus_counts_buried", np.int32),
        ("red5_bonus", np.int32),
        ("red5_mode", np.int32),
        # What else differs between the presets, fixed for each.
        ("exposure", np.int32),  # dealing is card by card, 2s are exposed, trump is known in the auction
        ("max_calls", np.int32),  # calls a seat may make; 0: any number
        ("next_first_caller", np.int32),  # BY_RESULT, LAST_DECLARER or DRAWN
        ("throws_by_outside_card", np.int32),  # judged by the highest card outside; trump leads are one component
        ("level_settlement", np.int32),  # settled in levels after the deal, fines too; bottom and red fives count
        # Layouts: [trump s h c d or none, position].
        ("face", np.int8, (NUM_LAYOUTS, 54)),  # the face at a position
        ("position", np.int8, (NUM_LAYOUTS, 54)),  # the position of a face
        # Words of positions become words of faces: the bits of each stretch are kept, and turned left.
        ("move_bits", np.int64, (NUM_LAYOUTS, NUM_MOVES)),
        ("move_turns", np.int64, (NUM_LAYOUTS, NUM_MOVES)),  # 0 .. 63
        ("group", np.int8, (NUM_LAYOUTS, 54)),  # the group of a position
        ("rank", np.int8, (NUM_LAYOUTS, 54)),  # strength inside the group; equal only among 2s off trump
        ("higher", np.int64, (NUM_LAYOUTS, 54)),  # positions of the same group with a higher rank
        ("group_bits", np.int64, (NUM_LAYOUTS, 5)),  # positions of a group
        ("links", np.int64, NUM_LAYOUTS),  # bit p: p and p + 1 are neighbours in a run
        ("fives", np.int64, NUM_LAYOUTS),  # positions of cards worth 5
        ("tens", np.int64, NUM_LAYOUTS),  # positions of cards worth 10
        ("eight_bits", np.int64, (NUM_LAYOUTS, 13)),  # positions of a rank, by rank index (0 is the 2)
        ("joker_bits", np.int64),  # positions of both jokers, the same in every layout with a joker run
        ("red_five", np.int64, NUM_LAYOUTS),  # position bit of the red five, 0 where it has no bonus
    ],
    align=True,
)
"""dtype of one rule set."""
