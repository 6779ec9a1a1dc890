"""The runner's inner loops, compiled. Arrays in, arrays out; nothing here knows the game or the networks.

B tables; a *slot* is one network among those in play (role, and whose weights); rows of a slot lie side by side in
the *grouped* arrays of G >= B rows, each slot's stretch padded to a multiple, so that matrix shapes repeat.
A table's running match is kept in `match_...` arrays [B, T, ...], T decisions at most.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.envs.core.kernel import kernel

Array = NDArray[Any]


@kernel
def group_rows(slot: Array, num_slots: int, multiple: int, place: Array, start: Array) -> None:
    """Give every table a row in its slot's stretch.

    slot: int64 [B]. Written: place int64 [B], the grouped row; start int64 [num_slots + 1], where stretches begin.
    """
    count = np.zeros(num_slots, np.int64)
    for i in range(slot.shape[0]):
        count[slot[i]] += 1
    start[0] = 0
    for s in range(num_slots):
        start[s + 1] = start[s] + (count[s] + multiple - 1) // multiple * multiple
        count[s] = start[s]
    for i in range(slot.shape[0]):
        place[i] = count[slot[i]]
        count[slot[i]] += 1


@kernel
def rename_rows(raw: Array, order: Array, trump: Array, changes: Array, place: Array, grouped: Array) -> None:
    """Write raw uint8 [B, N], suits renamed, into grouped uint8 [G, N].

    order: int64 [5, N]; trump: int8 [B]; changes: bool [5], whether a trump renames anything.
    """
    for i in range(raw.shape[0]):
        row = place[i]
        if changes[trump[i]]:
            source = order[trump[i]]
            for j in range(raw.shape[1]):
                grouped[row, j] = raw[i, source[j]]
        else:
            grouped[row, :] = raw[i, :]


@kernel
def choose(
    logits: Array,
    mask: Array,
    uniform: Array,
    greedy: bool,
    place: Array,
    action: Array,
    log_probability: Array,
    entropy: Array,
) -> None:
    """Draw one legal action for each table by the softmax of its logits, or take the likeliest.

    logits: float32 [G, A]; mask: uint8 [G, A]; uniform: float64 [B] in [0, 1).
    Written, [B] each: action int64, its log probability float32, the entropy of the draw float32, in nats.
    """
    for i in range(place.shape[0]):
        row = place[i]
        top = -1
        for a in range(mask.shape[1]):
            if mask[row, a] and (top < 0 or logits[row, a] > logits[row, top]):
                top = a
        total = 0.0
        weighted = 0.0
        for a in range(mask.shape[1]):
            if mask[row, a]:
                above = np.float64(logits[row, a]) - np.float64(logits[row, top])
                total += np.exp(above)
                weighted += np.exp(above) * above
        picked = top
        if not greedy:
            rest = uniform[i] * total
            for a in range(mask.shape[1]):
                if mask[row, a]:
                    picked = a
                    rest -= np.exp(np.float64(logits[row, a]) - np.float64(logits[row, top]))
                    if rest < 0.0:
                        break
        action[i] = picked
        log_probability[i] = np.float64(logits[row, picked]) - np.float64(logits[row, top]) - np.log(total)
        entropy[i] = np.log(total) - weighted / total


@kernel
def raw_actions(action: Array, order: Array, trump: Array, raw: Array) -> None:
    """Write the table's own action, int64 [B], for each canonical one; order: int64 [5, A]."""
    for i in range(action.shape[0]):
        raw[i] = order[trump[i], action[i]]


@kernel
def remember(
    length: Array,
    seat: Array,
    role: Array,
    learns: Array,
    place: Array,
    observation: Array,
    mask: Array,
    action: Array,
    log_probability: Array,
    value: Array,
    match_observation: Array,
    match_mask: Array,
    match_seat: Array,
    match_role: Array,
    match_learns: Array,
    match_action: Array,
    match_log_probability: Array,
    match_value: Array,
    match_reward: Array,
    last: Array,
) -> None:
    """Append one decision to every table's running match.

    length: int64 [B], decisions so far, is increased; learns: bool [B], rows to learn from (of others only what
    the seat's return chain needs is kept); last: int64 [B, 4], index of each seat's latest decision.
    """
    for i in range(length.shape[0]):
        k = length[i]
        row = place[i]
        if learns[i]:
            match_observation[i, k, :] = observation[row, :]
            match_mask[i, k, :] = mask[row, :]
            match_action[i, k] = action[i]
            match_log_probability[i, k] = log_probability[i]
        match_seat[i, k] = seat[i]
        match_role[i, k] = role[i]
        match_learns[i, k] = learns[i]
        match_value[i, k] = value[row]
        match_reward[i, k] = 0.0
        last[i, seat[i]] = k
        length[i] = k + 1


@kernel
def credit(points: Array, scale: float, last: Array, match_reward: Array) -> None:
    """Add what each seat won to its latest decision; what comes before a seat's first decision is nobody's doing.

    points: int32 [B, 4]; scale: returns per point; last: int64 [B, 4], -1 before a seat's first decision.
    """
    for i in range(points.shape[0]):
        for seat in range(4):
            if points[i, seat] != 0 and last[i, seat] >= 0:
                match_reward[i, last[i, seat]] += points[i, seat] * scale


@kernel
def advantages(
    finished: Array,
    length: Array,
    match_seat: Array,
    match_role: Array,
    match_reward: Array,
    match_value: Array,
    discount: float,
    gae_lambda: Array,
    match_advantage: Array,
    match_target: Array,
) -> None:
    """Write generalised advantage estimates and value targets of whole matches: one chain for each seat.

    A chain runs over all decisions of a seat, whichever network made them, and ends with the match, so that the
    auction's value is judged by what the same seat expects when play begins. finished: int64 [F], table indices.
    gae_lambda: float64 [roles], of the role that made a decision.
    """
    for f in range(finished.shape[0]):
        i = finished[f]
        next_value = np.zeros(4)
        next_advantage = np.zeros(4)
        for k in range(length[i] - 1, -1, -1):
            seat = match_seat[i, k]
            value = np.float64(match_value[i, k])
            surprise = match_reward[i, k] + discount * next_value[seat] - value
            advantage = surprise + discount * gae_lambda[match_role[i, k]] * next_advantage[seat]
            match_advantage[i, k] = advantage
            match_target[i, k] = advantage + value
            next_value[seat] = value
            next_advantage[seat] = advantage


@kernel
def count_rows(finished: Array, length: Array, match_role: Array, match_learns: Array, count: Array) -> None:
    """Add to count int64 [roles] the rows to learn from in the finished matches."""
    for f in range(finished.shape[0]):
        i = finished[f]
        for k in range(length[i]):
            if match_learns[i, k]:
                count[match_role[i, k]] += 1


@kernel
def emit_rows(
    finished: Array,
    length: Array,
    wanted_role: int,
    match_role: Array,
    match_learns: Array,
    match_observation: Array,
    match_mask: Array,
    match_action: Array,
    match_log_probability: Array,
    match_advantage: Array,
    match_target: Array,
    at: int,
    observation: Array,
    mask: Array,
    action: Array,
    log_probability: Array,
    advantage: Array,
    target: Array,
) -> int:
    """Copy one role's rows to learn from out of finished matches, from row `at` on; return the row after the last."""
    for f in range(finished.shape[0]):
        i = finished[f]
        for k in range(length[i]):
            if match_learns[i, k] and match_role[i, k] == wanted_role:
                observation[at, :] = match_observation[i, k, :]
                mask[at, :] = match_mask[i, k, :]
                action[at] = match_action[i, k]
                log_probability[at] = match_log_probability[i, k]
                advantage[at] = match_advantage[i, k]
                target[at] = match_target[i, k]
                at += 1
    return at
