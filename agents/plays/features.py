"""What is said of a play beside its cards: numbers reckoned from what the acting seat may know.

None depends on the names of the side suits, so that a network may see these in any order.
"""

from baofen.agents.heuristic_v1.choose import choose_action
from baofen.agents.heuristic_v1.choose_follow import current_best, current_lead, gain_of, points_on_table
from baofen.agents.heuristic_v1.choose_lead import lead_value
from baofen.agents.heuristic_v1.knowledge import Cards, unseen_cards
from baofen.agents.plays.listing import CARDS, make_play
from baofen.envs.actions import CALL, EIGHT, NUM_CALLS, PASS
from baofen.envs.core.bits import count_cards, highest, lowest, popcount
from baofen.envs.core.dtypes import BURY, NUM_GROUPS, PLAY, TRUMP_GROUP
from baofen.envs.core.kernel import kernel
from baofen.envs.core.shape import longest_run, pack_runs
from baofen.envs.core.trick import points_of

FEATURES = (
    ("own", "1 if it is the choice of heuristic-v1"),
    ("cards", "cards of the play, / 4"),
    ("pairs", "pairs in it, / 2"),
    ("run", "pairs of its longest tractor, / 2"),
    ("points", "points on its cards, / 10"),
    ("trump", "1 if its highest card is a trump; of a bury, the trumps in it"),
    ("takes", "1 if it leads, or is the best of the trick so far"),
    ("higher", "unseen cards of its group above its highest card, / 4, at most 2"),
    ("master", "1 if there is none"),
    ("pairs_higher", "unseen pairs above its highest pair, / 3, at most 2"),
    ("master_pair", "1 if it has a pair and there is none above"),
    ("group_left", "cards of its group left in the hand after it, / 6"),
    ("void", "1 if none is left; of a bury, side suits of which none is left"),
    ("group_outside", "unseen cards of its group, / 12"),
    ("broken", "pairs of the hand that it breaks"),
    ("enemies_after", "seats of the other side that play after it, / 3"),
    ("allies_after", "seats of the own side that play after it, / 2"),
    ("voids_shown", "other seats known to be void in its group, / 3"),
    ("declarer_void", "1 for a defender if the declarer is known to be"),
    ("leads", "1 if it is a lead"),
    ("lead_value", "of a lead: what heuristic-v1 expects of it, points / 20"),
    ("throw", "1 if it is a throw"),
    ("chance", "of a follow: the chance that its side wins the trick, as heuristic-v1 reckons"),
    ("gain", "of a follow: what winning is worth, by heuristic-v1, points / 20"),
    ("points_won", "of a follow: chance times the points that would lie there, / 20"),
    ("declarer_best", "1 if the declarer has the best play so far"),
    ("points_there", "points in the trick before it, / 20"),
    ("ruffs", "1 if it trumps a side suit"),
    ("discards", "1 if it is of a side suit that was not led"),
    ("wins", "1 if it surely wins the trick"),
    ("eight", "rank of an eight, / 12"),
    ("hand", "cards in the hand before it, / 25"),
    ("singletons", "of a bury: side suits of which one card is left, / 3"),
    ("longest", "of a bury: cards left of the longest side suit, / 10"),
    ("trumps_left", "of a bury: trumps left, / 20"),
    ("call", "of a call: its place among the calls from 0 to 1; of the pass 0"),
    ("passes", "1 if it is the pass"),
)
"""Name and meaning of every feature."""
NUM_FEATURES = len(FEATURES)
(OWN, NUM_CARDS, PAIRS, RUN, POINTS, TRUMP, TAKES, HIGHER, MASTER, PAIRS_HIGHER) = range(10)
(MASTER_PAIR, GROUP_LEFT, VOID, GROUP_OUTSIDE, BROKEN, ENEMIES_AFTER, ALLIES_AFTER, VOIDS_SHOWN) = range(10, 18)
(DECLARER_VOID, LEADS, LEAD_VALUE, THROW, CHANCE, GAIN, POINTS_WON, DECLARER_BEST, POINTS_THERE) = range(18, 27)
(RUFFS, DISCARDS, WINS, EIGHT_RANK, HAND, SINGLETONS, LONGEST, TRUMPS_LEFT, CALL_PLACE, PASSES) = range(
    27, NUM_FEATURES
)


@kernel
def _write_cards(rules, layout, places, ones, twos, cards):
    """Write the copies of each face of a play, uint8 [54]; `places`, int64 [54], say where a face goes."""
    cards[:] = 0
    while ones != 0:
        position = lowest(ones)
        ones &= ones - 1
        cards[places[rules.face[layout, position]]] = 1 + ((twos >> position) & 1)


@kernel
def _write_bury(table, rules, ones, twos, out):
    """Write the features of a bury."""
    seat, layout = int(table.acting), int(table.layout)
    hand_ones, hand_twos = table.hand_ones[seat], table.hand_twos[seat]
    voids = singletons = longest = 0
    for group in range(NUM_GROUPS):
        bits = rules.group_bits[layout, group]
        if bits == 0:
            continue
        left = count_cards(hand_ones & bits, hand_twos & bits) - count_cards(ones & bits, twos & bits)
        if group == TRUMP_GROUP:
            out[TRUMP] = count_cards(ones & bits, twos & bits)
            out[TRUMPS_LEFT] = left / 20.0
        else:
            voids += left == 0
            singletons += left == 1
            longest = max(longest, left)
    out[VOID] = voids
    out[SINGLETONS] = singletons / 3.0
    out[LONGEST] = longest / 10.0
    masters = 0
    rest = ones
    while rest != 0:
        masters += rules.higher[layout, lowest(rest)] == 0
        rest &= rest - 1
    out[MASTER] = masters


@kernel
def _write_group(table, rules, unseen, ones, twos, out):
    """Write what a play of cards does to its group: in the hand, outside, and against what may be higher."""
    seat, layout = int(table.acting), int(table.layout)
    top = highest(ones)
    group = int(rules.group[layout, top])
    bits = rules.group_bits[layout, group]
    hand_ones, hand_twos = table.hand_ones[seat], table.hand_twos[seat]
    higher = rules.higher[layout, top]
    num_higher = popcount(unseen.ones & higher) + popcount(unseen.twos & higher)
    out[TRUMP] = group == TRUMP_GROUP
    out[HIGHER] = min(num_higher, 8) / 4.0
    out[MASTER] = num_higher == 0
    if twos != 0:
        pairs_higher = popcount(unseen.twos & rules.higher[layout, highest(twos)])
        out[PAIRS_HIGHER] = min(pairs_higher, 6) / 3.0
        out[MASTER_PAIR] = pairs_higher == 0
        out[RUN] = longest_run(pack_runs(twos, rules.links[layout])) / 2.0
    left = count_cards(hand_ones & bits, hand_twos & bits) - count_cards(ones & bits, twos & bits)
    out[GROUP_LEFT] = left / 6.0
    out[VOID] = left == 0
    out[GROUP_OUTSIDE] = count_cards(unseen.ones & bits, unseen.twos & bits) / 12.0
    out[BROKEN] = popcount(hand_twos & ones & ~twos)
    voids = 0
    for step in range(1, 4):
        voids += (table.shown_void[(seat + step) & 3] >> group) & 1
    out[VOIDS_SHOWN] = voids / 3.0
    out[DECLARER_VOID] = seat != table.declarer and (table.shown_void[int(table.declarer)] >> group) & 1


@kernel
def _write_trick(table, rules, weights, unseen, ones, twos, eight, after, out):
    """Write what a play means in its trick; `after`: the table once it is made."""
    seat, layout = int(table.acting), int(table.layout)
    alone = seat == table.declarer
    own = weights.declarer if alone else weights.defender
    later = 3 - int(table.num_plays)
    enemies = 0
    for step in range(1, later + 1):
        enemies += alone or (seat + step) & 3 == table.declarer
    out[ENEMIES_AFTER] = enemies / 3.0
    out[ALLIES_AFTER] = (later - enemies) / 2.0
    if table.num_plays == 0:
        out[TAKES] = 1.0
        out[LEADS] = 1.0
        if eight == 0:
            out[LEAD_VALUE] = lead_value(table, rules, own, seat, unseen, Cards(ones, twos)) / 20.0
            num_cards = count_cards(ones, twos)
            out[THROW] = num_cards > 1 and num_cards != 2 * popcount(twos)
        return
    takes = after.best_seat == seat if after.num_plays > 0 else after.last_winner == seat
    there = points_on_table(table, rules)
    out[TAKES] = takes
    out[WINS] = takes and later == 0
    out[DECLARER_BEST] = table.best_seat == table.declarer
    out[POINTS_THERE] = there / 20.0
    if eight != 0:
        return
    group = int(rules.group[layout, highest(ones)])
    out[RUFFS] = group == TRUMP_GROUP and table.lead_group != TRUMP_GROUP
    out[DISCARDS] = group != TRUMP_GROUP and group != table.lead_group
    if table.lead_eight == 0:
        lead, best = current_lead(table), current_best(table, rules)
        chance, gain = gain_of(table, rules, own, seat, unseen, lead, best, highest(ones) if takes else -1)
        out[CHANCE] = chance
        out[GAIN] = gain / 20.0
        out[POINTS_WON] = chance * (there + points_of(rules, layout, ones, twos)) / 20.0


@kernel
def write_plays(table, rules, weights, plays, places, scratch, cards, features):
    """Write the cards and the features of every entry of a list.

    places: int64 [54], where each face goes in `cards`.
    scratch: TABLE [1]; cards: uint8 [>= count, 54]; features: float32 [>= count, NUM_FEATURES].
    """
    seat, layout = int(table.acting), int(table.layout)
    by_cards = plays.count > 0 and (plays.action[0] == CARDS or table.phase == PLAY)
    own = -1 if by_cards else choose_action(table, rules, weights)
    unseen = unseen_cards(table, rules, seat)
    for index in range(plays.count):
        ones, twos, action = plays.ones[index], plays.twos[index], int(plays.action[index])
        out = features[index]
        out[:] = 0.0
        out[HAND] = count_cards(table.hand_ones[seat], table.hand_twos[seat]) / 25.0
        if not by_cards or (action != CARDS and action < EIGHT):
            cards[index, :] = 0
            out[OWN] = action == own
            out[PASSES] = action == PASS
            if action >= CALL and action < CALL + NUM_CALLS:
                out[CALL_PLACE] = (action - CALL + 1) / NUM_CALLS
            continue
        eight = 0 if action == CARDS else action - EIGHT + 1
        if eight != 0:
            ones = rules.eight_bits[layout, eight]
            twos = ones
        _write_cards(rules, layout, places, ones, twos, cards[index])
        out[OWN] = index == 0
        out[NUM_CARDS] = count_cards(ones, twos) / 4.0
        out[PAIRS] = popcount(twos) / 2.0
        out[POINTS] = points_of(rules, layout, ones, twos) / 10.0
        if table.phase == BURY:
            _write_bury(table, rules, ones, twos, out)
            continue
        scratch[0] = table
        scratch[0].deals_per_match = 0
        make_play(scratch[0], rules, plays, index)
        out[EIGHT_RANK] = eight / 12.0
        if eight == 0:
            _write_group(table, rules, unseen, ones, twos, out)
        _write_trick(table, rules, weights, unseen, ones, twos, eight, scratch[0], out)
