"""Labelled decisions: deals played by the heuristic and by networks, with labels by play-outs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.heuristic_v1.weights import heuristic_weights
from baofen.agents.plays import labels
from baofen.agents.plays.features import NUM_FEATURES
from baofen.agents.plays.labels import PARTS, Room, Rows, Scorers, Shares, make_room, make_scorers
from baofen.agents.plays.listing import MAX_PLAYS
from baofen.agents.policy.scorer_parameters import no_scorer
from baofen.agents.policy.suit_orders import face_places, observation_orders
from baofen.envs.cards import NUM_FACES
from baofen.envs.core.dtypes import TABLE
from baofen.envs.core.loops import deal_by_number
from baofen.envs.core.rng import seed_word
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.rules import Rules
from baofen.envs.vector import MatchStarts

DEALS_AT_ONCE = 512
MEAN_PLAYS = 12
"""Entries that there is room for, for each decision; a list has about eight."""


@dataclass(frozen=True, kw_only=True)
class Labelling:
    """How deals are played and which of their decisions are labelled; shares are 0 .. 1.

    true: plays labelled in the true deal.
    worlds: plays labelled by the mean over `num_worlds` worlds that the seat may be in; leads `lead_factor` times as often.
    bury: buries labelled, half of them in worlds.
    exploration: plays drawn from the list; buries four times as often.
    network: sides of a deal that the networks play.
    own_leads: in play-outs the networks lead for the acting side while its hands are long (a second improvement step).
    only_leads: no follow is labelled; only_declarer: no defender's play.
    top: most plays labelled of a decision, those the network likes best; 0: all.
    """

    true: float = 0.25
    worlds: float = 0.0
    num_worlds: int = 8
    lead_factor: int = 3
    bury: float = 0.35
    exploration: float = 0.1
    network: float = 0.0
    own_leads: bool = False
    only_leads: bool = False
    only_declarer: bool = False
    top: int = 0

    def __post_init__(self) -> None:
        for name in ("true", "worlds", "bury", "exploration", "network"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {getattr(self, name)!r}")
        if self.num_worlds < 0 or (self.worlds > 0 and self.num_worlds == 0):
            raise ValueError(f"num_worlds must be at least 1 where worlds are asked for, not {self.num_worlds!r}")
        if self.lead_factor < 1 or self.top < 0 or self.top == 1:
            raise ValueError("lead_factor must be at least 1, top 0 or at least 2")

    def shares(self) -> Shares:
        """Return the same for kernels."""
        parts = {
            name: int(PARTS * getattr(self, name)) for name in ("true", "worlds", "bury", "exploration", "network")
        }
        return Shares(
            **parts,
            lead_factor=int(self.lead_factor),
            num_worlds=int(self.num_worlds),
            own_leads=int(self.own_leads),
            only_leads=int(self.only_leads),
            only_declarer=int(self.only_declarer),
            top=int(self.top),
        )


@dataclass(frozen=True, eq=False)
class LabelledDecisions:
    """Decisions with all their plays; n decisions, m plays in all.

    observation: uint8 [n, observation size], suits in the order of `suit_orders`, of the acting seat.
    kind: int8 [n], 0 a play of the declarer, 1 of a defender, 2 a bury.
    count: int16 [n], plays of the decision; worlds: int16 [n], worlds the labels are means over, 0: the true deal.
    cards: uint8 [m, 54], copies of each face in a play, suits in the order of `suit_orders`; features: float32 [m, F].
    points, bonus: float32 [m], what followed, in points, from the view of the acting side.
    """

    observation: NDArray[np.uint8]
    kind: NDArray[np.int8]
    count: NDArray[np.int16]
    worlds: NDArray[np.int16]
    cards: NDArray[np.uint8]
    features: NDArray[np.float32]
    points: NDArray[np.float32]
    bonus: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.kind)

    def of_kind(self, kind: int) -> "LabelledDecisions":
        """Return the decisions of one kind."""
        chosen = self.kind == kind
        plays = np.repeat(chosen, self.count)
        by_decision: list[Any] = [self.observation, self.kind, self.count, self.worlds]
        by_play: list[Any] = [self.cards, self.features, self.points, self.bonus]
        return LabelledDecisions(*(one[chosen] for one in by_decision), *(one[plays] for one in by_play))


@dataclass
class LabellerCounts:
    """What has been done so far: deals, play-outs, and decisions that a network was asked in play-outs."""

    deals: int = 0
    playouts: int = 0
    asked: int = 0


class Labeller:
    """Plays deals by number and labels their decisions; what it makes depends on the seed and the number of the deal."""

    def __init__(self, rules: Rules, seed: int, *, first_deal: int = 0, starts: MatchStarts | None = None) -> None:
        """Make a labeller that begins with the deal `first_deal` of the seed; `starts`: totals and pots of the deals."""
        self.rules = rules
        self.next_deal = first_deal
        self.counts = LabellerCounts()
        self._seed = seed_word(seed)
        self._starts = (starts or MatchStarts()).record()
        self._weights: Any = heuristic_weights()
        self._room: Room = make_room(observation_orders(rules), face_places(rules))
        none = no_scorer(NUM_FEATURES)
        self._nobody = make_scorers(none, none, none, 0.0)

    def collect(self, num_decisions: int, labelling: Labelling, scorers: Scorers | None = None) -> LabelledDecisions:
        """Return at least about `num_decisions` labelled decisions, of whole deals.

        Raises:
            ValueError: if networks are asked for and none are given.
        """
        if scorers is None and (labelling.network > 0 or labelling.own_leads or labelling.top > 0):
            raise ValueError("network, own_leads and top need networks")
        room = num_decisions + 256
        rows = Rows(
            np.empty((room, OBSERVATION_SIZE), np.uint8),
            np.empty(room, np.int8),
            np.empty(room, np.int16),
            np.empty(room, np.int16),
            *_by_play(room * MEAN_PLAYS + 128 * MAX_PLAYS),
        )
        shares = labelling.shares()
        self._room.counts[:] = 0
        done = plays = 0
        while done < num_decisions and plays + 128 * MAX_PLAYS <= len(rows.points):
            tables: Any = np.zeros(DEALS_AT_ONCE, TABLE)
            deal_by_number(tables, self.rules.record, self._starts, self._seed, self.next_deal)
            rest: Any = Rows(*_cut(rows, slice(done, None), slice(plays, None)))
            deals, new, new_plays = labels.collect(
                tables, self.next_deal, self._seed, self.rules.record, self._weights, shares,
                self._nobody if scorers is None else scorers, self._room, rest,
            )  # fmt: skip
            self.next_deal += int(deals)
            done += int(new)
            plays += int(new_plays)
            if deals < len(tables):
                break
        self.counts.deals += int(self._room.counts[0])
        self.counts.playouts += int(self._room.counts[1])
        self.counts.asked += int(self._room.counts[2])
        return LabelledDecisions(*_cut(rows, slice(done), slice(plays)))


def _cut(rows: Rows, decisions: slice, plays: slice) -> list[Any]:
    """Return some of the decisions, and of their plays."""
    return [one[decisions] for one in rows[:4]] + [one[plays] for one in rows[4:]]


def _by_play(size: int) -> list[Any]:
    return [
        np.empty((size, NUM_FACES), np.uint8),
        np.empty((size, NUM_FEATURES), np.float32),
        np.empty(size, np.float32),
        np.empty(size, np.float32),
    ]
