"""What a rule set is to the core: one record of numbers and tables (`rules.md` section 8).

Nothing in the core asks for the name of a preset. It reads switches, and for each trump the tables of
`layout`: where a face stands, which cards are its group, which are higher.
"""

import numpy as np

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
