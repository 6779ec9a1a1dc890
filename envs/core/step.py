"""How an action changes a table, and which actions there are next.

`apply` takes a legal action; `update_legal` then fixes what is legal, once for all who ask (masks, agents,
explanations). `rules.md` section 1 (Auction, Lead).
"""

from baofen.envs.actions import CALL, CALL_MIN, CALL_STEP, COMMIT, EIGHT, NUM_ACTIONS, PASS
from baofen.envs.actions import TRUMP as TRUMP_ACTION
from baofen.envs.cards import BOTTOM_CARDS
from baofen.envs.core.bits import add_cards, count_cards, lowest, remove_cards
from baofen.envs.core.deal import (
    COMMIT_WORD,
    PASS_WORD,
    award_contract,
    expose,
    expose_pick,
    expose_words,
    go_on_dealing,
    name_trump,
    next_deal,
)
from baofen.envs.core.dtypes import (
    AUCTION,
    BURY,
    CARD_NOT_IN_HAND,
    COMMITTED,
    EIGHT_DUTY,
    EXPOSE,
    FORCED,
    LEGAL,
    MAX_ACTIONS,
    NOBODY,
    OVER,
    PHASE_SHIFT,
    PLAY,
    TRUMP,
    WRONG_COUNT,
)
from baofen.envs.core.following import begin_follow, follow_fault, follow_picks
from baofen.envs.core.kernel import inline_kernel, kernel
from baofen.envs.core.leading import eight_rank, lead_fault, lead_picks, playable_eights
from baofen.envs.core.settle import settle_all_pass, settle_forfeit, settle_played, share_pot
from baofen.envs.core.trick import finish_trick, play_eight, play_follow, play_lead

ALL_TRUMPS = 15 << (TRUMP_ACTION - COMMIT)
CALLS_FROM = CALL - COMMIT
EIGHTS_FROM = EIGHT - COMMIT - 1
"""Where an eight of rank index 0 would stand in `legal_words`; they begin with rank index 1, the 3."""


@inline_kernel
def _log_action(table, action):
    """Note an action in the history of the deal."""
    if table.num_actions < MAX_ACTIONS:
        table.actions[table.num_actions] = action
        table.action_marks[table.num_actions] = table.acting | table.phase << PHASE_SHIFT
        table.num_actions += 1


@kernel
def end_deal(table, rules):
    """Go on to the next deal of the match, or end it; a pot left at the end of a real match is shared."""
    if table.deal_index + 1 < table.deals_per_match:
        next_deal(table, rules)
        return
    table.phase = OVER
    table.acting = NOBODY
    if table.deals_per_match > 1 and table.pot > 0:
        share_pot(table)


@inline_kernel
def highest_call(rules):
    """Return the greatest call on the grid of `bid_min` and `bid_step`; it ends the auction."""
    return rules.bid_min + (rules.bid_max - rules.bid_min) // rules.bid_step * rules.bid_step


@inline_kernel
def _may_speak(table, rules, seat):
    return table.passed[seat] == 0 and (rules.max_calls == 0 or table.num_calls[seat] < rules.max_calls)


@kernel
def _auction_action(table, rules, action):
    """Call or pass; the auction ends with the maximum or when only the highest caller is left."""
    seat = table.acting
    if action == PASS:
        table.passed[seat] = 1
    else:
        points = CALL_MIN + CALL_STEP * (action - CALL)
        table.last_call = points
        table.last_caller = seat
        table.calls[seat] = points
        table.num_calls[seat] += 1
        if points == highest_call(rules):
            award_contract(table, rules, seat, points)
            return
    for step in range(1, 4):
        other = (seat + step) & 3
        if other != table.last_caller and _may_speak(table, rules, other):
            table.acting = other
            return
    if table.last_caller != NOBODY:
        award_contract(table, rules, table.last_caller, table.last_call)
    elif rules.all_pass == FORCED:
        award_contract(table, rules, table.first_caller, rules.bid_min)
    else:
        settle_all_pass(table, rules)
        end_deal(table, rules)


@inline_kernel
def _call_words(table, rules):
    """Return the legal calls and the pass as bits of `legal_words`."""
    words = PASS_WORD
    low = rules.bid_min
    high = rules.opening_max
    if table.last_call > 0:
        low = table.last_call + rules.bid_step
        high = rules.bid_max
    for points in range(low, high + 1, rules.bid_step):
        words |= 1 << (CALLS_FROM + (points - CALL_MIN) // CALL_STEP)
    return words


@inline_kernel
def _select(table, rules, face):
    """Add a card to the selection."""
    bits = 1 << rules.position[table.layout, face]
    ones, twos = add_cards(table.selection_ones, table.selection_twos, bits, 0)
    table.selection_ones = ones
    table.selection_twos = twos


@kernel
def _bury(table):
    """Bury the selection; the declarer then leads."""
    seat = table.acting
    table.buried_ones = table.selection_ones
    table.buried_twos = table.selection_twos
    table.hand_ones[seat], table.hand_twos[seat] = remove_cards(
        table.hand_ones[seat], table.hand_twos[seat], table.selection_ones, table.selection_twos
    )
    table.selection_ones = 0
    table.selection_twos = 0
    table.held_ones[seat] = 0
    table.held_twos[seat] = 0
    table.phase = PLAY
    table.leader = seat


@kernel
def after_play(table, rules):
    """Pass the turn on: to the next follower, the winner of the trick, or the next deal."""
    if table.num_plays < 4:
        table.acting = (table.acting + 1) & 3
        begin_follow(table, rules)
        return
    finish_trick(table, rules)
    table.acting = table.leader
    if table.hand_ones[table.leader] == 0:
        settle_played(table, rules)
        end_deal(table, rules)


@kernel
def play_cards(table, rules, ones, twos):
    """Play a whole legal set of cards at once (positions of the layout in force)."""
    if table.num_plays == 0:
        play_lead(table, rules, ones, twos)
    else:
        play_follow(table, rules, ones, twos)
    after_play(table, rules)


@inline_kernel
def _play_action(table, rules, action):
    """Pick a card, commit a lead, or play an eight."""
    if action < COMMIT:
        _select(table, rules, action)
        if table.num_plays == 0 or count_cards(table.selection_ones, table.selection_twos) < table.lead_cards:
            return
        play_cards(table, rules, table.selection_ones, table.selection_twos)
    elif action == COMMIT:
        play_cards(table, rules, table.selection_ones, table.selection_twos)
    else:
        play_eight(table, rules, action - EIGHT + 1)
        after_play(table, rules)


@kernel
def apply(table, rules, action):
    """Apply a legal action of the acting seat, and fix what is legal next."""
    _log_action(table, action)
    phase = table.phase
    if phase == PLAY:
        _play_action(table, rules, action)
    elif phase == BURY:
        _select(table, rules, action)
        if count_cards(table.selection_ones, table.selection_twos) == BOTTOM_CARDS:
            _bury(table)
    elif phase == AUCTION:
        _auction_action(table, rules, action)
    elif phase == TRUMP:
        name_trump(table, rules, action - TRUMP_ACTION)
        table.phase = BURY
    elif action == PASS:
        go_on_dealing(table, rules)
    elif action == COMMIT:
        expose(table, rules)
    else:
        expose_pick(table, rules, action)
    if table.selection_ones == 0 and table.num_actions > 0:  # 0: the next deal of the match has begun
        table.action_marks[table.num_actions - 1] |= COMMITTED
    update_legal(table, rules)


@kernel
def update_legal(table, rules):
    """Fix the legal actions of the acting seat: positions to pick and the other actions."""
    picks = 0
    words = 0
    phase = table.phase
    seat = table.acting
    if phase == PLAY:
        if table.selection_ones == 0:
            words = playable_eights(table, rules, seat) << EIGHTS_FROM
        if table.num_plays == 0:
            picks = lead_picks(table, rules, seat)
            if lead_fault(table, rules, table.selection_ones, table.selection_twos) == LEGAL:
                words = COMMIT_WORD
        elif words == 0:
            picks = follow_picks(table, rules)
    elif phase == BURY:
        picks, _ = remove_cards(
            table.hand_ones[seat], table.hand_twos[seat], table.selection_ones, table.selection_twos
        )
    elif phase == AUCTION:
        words = _call_words(table, rules)
    elif phase == TRUMP:
        words = ALL_TRUMPS
    elif phase == EXPOSE:
        picks, words = expose_words(table)
    table.legal_picks = picks
    table.legal_words = words


@kernel
def play_fault(table, rules, ones, twos):
    """Return what is wrong with a whole play of the acting seat, which has picked no card: `LEGAL` if nothing.

    The play is a set of cards: a lead, a follow, or all eight cards of an eight. A throw that will fail is legal.
    """
    seat = table.acting
    if ones == 0:
        return WRONG_COUNT
    if ones & ~table.hand_ones[seat] != 0 or twos & ~table.hand_twos[seat] != 0:
        return CARD_NOT_IN_HAND
    eights = playable_eights(table, rules, seat)
    if eights != 0:
        if ones == twos and (eights >> eight_rank(table, rules, ones)) & 1 == 1:
            return LEGAL
        if table.num_plays > 0 and count_cards(ones, twos) == table.lead_cards:
            return EIGHT_DUTY
    if table.num_plays == 0:
        return lead_fault(table, rules, ones, twos)
    return follow_fault(table, rules, ones, twos)


@kernel
def is_legal(table, rules, action):
    """Return whether the acting seat may take an action 0 .. 98."""
    if action < COMMIT:
        return (table.legal_picks >> rules.position[table.layout, action]) & 1 == 1
    return (table.legal_words >> (action - COMMIT)) & 1 == 1


@kernel
def may_take(table, rules, action):
    """Return whether the acting seat may take an action, which may be any number; nobody may when the game is over."""
    return 0 <= action < NUM_ACTIONS and is_legal(table, rules, action)


@kernel
def write_mask(table, rules, mask):
    """Write the action mask of the acting seat into `mask`, uint8 [99]; all zeros when the game is over."""
    for action in range(mask.shape[0]):
        mask[action] = 0
    picks = table.legal_picks
    layout = table.layout
    while picks != 0:
        mask[rules.face[layout, lowest(picks)]] = 1
        picks &= picks - 1
    words = table.legal_words
    while words != 0:
        mask[COMMIT + lowest(words)] = 1
        words &= words - 1


@kernel
def forfeit(table, rules, seat, room):
    """End the deal because a seat leaves (`rules.md` section 5)."""
    table.selection_ones = 0
    table.selection_twos = 0
    settle_forfeit(table, rules, seat, room)
    end_deal(table, rules)
    update_legal(table, rules)
