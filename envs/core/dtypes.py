"""What tables and rule sets are: records of fixed size.

A table is the whole state of a match in play. Many tables are an array `[B]` of the `TABLE` dtype, a copy of a table
is a copy of its record. Sets of cards are two words (`bits`), indexed by the positions of `baofen.envs.layout`. Seats
are absolute, 0 .. 3. Fields of one seat each have a last axis of 4. "Private" fields may be read only for the seat
they belong to.

A rule set is one record of numbers and tables (`rules.md` section 8). Nothing in the core asks for the name of a
preset: it reads switches, and for each trump the tables of `layout`: where a face stands, which cards are its group,
which are higher.
"""

from enum import IntEnum

import numpy as np

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


FORFEIT_POINTS, FORFEIT_SILVER = range(2)
ROOMS = ("points", "silver")

TABLE = np.dtype(
    [
        # The match.
        ("rng", np.uint64),  # private to nobody: the stream of deals and of drawn seats and suits
        ("totals", np.int32, 4),  # running totals, points (levels in Bao Hong Wu)
        ("pot", np.int32),
        ("pot_age", np.int8),  # deals the pot has lived before this one; 0 without a pot
        ("deal_index", np.int32),  # from 0
        ("deals_per_match", np.int32),
        ("first_caller", np.int8),
        # The deal as it began, and all that was done since: enough to write its record.
        ("deck", np.uint8, 108),  # faces in dealing order: 100 in seat order from the first caller, 8 bottom
        ("start_totals", np.int32, 4),
        ("start_pot", np.int32),
        ("start_pot_age", np.int8),
        ("num_actions", np.int16),
        ("actions", np.uint8, MAX_ACTIONS),
        ("action_marks", np.uint8, MAX_ACTIONS),  # seat | phase << 2 | COMMITTED (`mark_action`)
        # Whose turn it is, and what is legal.
        ("phase", np.int8),
        ("acting", np.int8),  # NOBODY when over
        ("legal_picks", np.int64),  # positions that may be picked
        ("legal_words", np.int64),  # bit a - COMMIT: action a of 54 .. 98 is legal
        # Cards.
        ("layout", np.int8),  # which order of cards the words below use: the trump, or NO_TRUMP_YET
        ("hand_ones", np.int64, 4),  # private to each seat; cards of an uncommitted selection still count
        ("hand_twos", np.int64, 4),
        ("selection_ones", np.int64),  # private to the acting seat
        ("selection_twos", np.int64),
        ("buried_ones", np.int64),  # private to the declarer
        ("buried_twos", np.int64),
        ("played_ones", np.int64, 4),  # cards played by each seat, the current trick included
        ("played_twos", np.int64, 4),
        ("trick_ones", np.int64, 4),  # cards of the current trick by seat
        ("trick_twos", np.int64, 4),
        ("shown_ones", np.int64, 4),  # cards that all have seen and not played since: exposed, of failed throws
        ("shown_twos", np.int64, 4),
        ("held_ones", np.int64, 4),  # those of them surely in the hand: the declarer may have buried what he exposed
        ("held_twos", np.int64, 4),
        # What following has shown: bit g of a byte speaks of group g.
        ("shown_void", np.uint8, 4),
        ("shown_pairless", np.uint8, 4),
        ("shown_runless", np.uint8, 4),
        # Dealing with exposure.
        ("dealt", np.int16),  # cards dealt so far, 0 .. 100
        ("drawn_suit", np.int8),  # private to nobody: trump if nobody exposes
        ("exposed_suit", np.int8),  # the suit in force, or NO_TRUMP_YET
        ("exposed_by", np.int8),
        ("exposure_final", np.int8),  # protected or overturned
        ("num_exposed", np.int8),  # exposures made: the first, and one that protects or overturns it
        ("exposed_after", np.int16, 2),  # cards dealt by then, for each
        ("others_left", np.int8),  # seats still to be asked at once after an exposure
        ("closing_left", np.int8),  # seats still to be asked in the closing round; -1 before it
        # The auction.
        ("last_call", np.int16),  # 0 before the first call
        ("last_caller", np.int8),
        ("calls", np.int16, 4),  # each seat's last call, 0 if none
        ("num_calls", np.int8, 4),
        ("passed", np.int8, 4),
        # Contract.
        ("declarer", np.int8),
        ("target", np.int16),
        ("trump", np.int8),
        # The current trick.
        ("leader", np.int8),
        ("num_plays", np.int8),  # plays made in the trick
        ("lead_group", np.int8),
        ("lead_cards", np.int8),
        ("lead_pairs", np.int8),  # pairs in all, inside tractors or not
        ("lead_num_runs", np.int8),
        ("lead_runs", np.int8, MAX_RUNS),  # lengths of the tractors in pairs, longest first
        ("lead_is_throw", np.int8),
        ("lead_is_forced", np.int8),  # what is left of a failed throw
        ("lead_eight", np.int8),  # rank index 1 .. 12 of an eight, 0 otherwise
        ("best_seat", np.int8),
        ("best_rank", np.int16),
        ("best_is_trump", np.int8),
        # Duties of the acting follower, fixed when his turn begins.
        ("duty_cards", np.int8),  # cards of the led group in his hand
        ("duty_pairs", np.int8),
        ("duty_num_pieces", np.int8),
        ("duty_pieces", np.int8, MAX_RUNS),
        # Points and settlement.
        ("captured", np.int16),  # by the declarer, in tricks
        ("captured_trump", np.int16),  # of these, on trump cards
        ("conceded", np.int16),  # by the defenders, in tricks
        ("conceded_trump", np.int16),
        ("red_five_bonus", np.int16),
        ("fine_levels", np.int16, 4),
        ("num_tricks", np.int8),
        ("last_winner", np.int8),
        ("last_winner_trump", np.int8),  # the winning play of the last trick was of trump
        # The result of the deal just ended (also kept while the next deal of a match is played).
        ("result", np.int8),  # how many deals have ended, saturating: 0 means that the fields below say nothing
        ("result_played", np.int8),  # played to the last card: neither passed out nor forfeited
        ("result_declarer", np.int8),
        ("result_target", np.int16),
        ("result_trump", np.int8),
        ("result_captured", np.int16),
        ("result_trump_points", np.int16),
        ("result_score", np.int32),
        ("result_rewards", np.int32, 4),
        ("result_pot", np.int32),
        ("result_pot_age", np.int8),
        ("result_next_first_caller", np.int8),  # NOBODY: drawn
        ("result_forfeit", np.int8),  # seat that left, or NOBODY
        ("result_room", np.int8),  # FORFEIT_POINTS or FORFEIT_SILVER
    ],
    align=True,
)
"""dtype of one table."""

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
