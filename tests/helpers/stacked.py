"""Stacked deals, random switches and players that make rare things happen, for walks through many games.

A deal is `Deal`: hands, bottom and a dealing order that gives them. Blocks of neighbouring faces, whole suits or
whole ranks go to one hand, so that pairs, runs, throws, ruffs and eights are common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from naive.cards import FACES, RANKS, SUITS, points, two_packs
from naive.game import Game
from naive.options import CHOICES, PRESETS
from naive.order import TRUMP, Order, pairs_in

SEATS = range(4)
Words = set[str]


@dataclass(frozen=True)
class Deal:
    """One deal: `dealt` are 100 cards in dealing order from the first caller on, then the bottom.

    `first_lead`: cards of one hand that players are asked to lead first, with `random_trump` as trump.
    """

    first_caller: int
    dealt: tuple[str, ...]
    random_trump: str
    first_lead: tuple[str, ...] = ()


def random_switches(rng: Random, rules: str) -> dict[str, Any]:
    """Some switches of a preset at random; a third of the time none."""
    if rng.random() < 1 / 3:
        return {}
    switches: dict[str, Any] = {}
    for name in PRESETS[rules]:
        if name in CHOICES and rng.random() < 0.4:
            switches[name] = rng.choice(CHOICES[name])
    if rules == "exposure" and rng.random() < 0.2:
        switches["all_pass"] = "pot"
    if rng.random() < 0.3:
        low, opening, high = sorted(rng.randrange(70, 201, 5) for _ in range(3))
        switches |= {"bid_min": low, "opening_max": opening, "bid_max": high, "bid_step": rng.choice((5, 10, 15, 40))}
    numbers = {"throw_fine_levels": 5, "throw_fine_cap": 20, "red5_bonus": 60, "direct_points": 90}
    for name, most in numbers.items():
        if name in PRESETS[rules] and rng.random() < 0.3:
            switches[name] = rng.randrange(most)
    return switches


# ---- deals -------------------------------------------------------------------------------------


def stacked_deal(rng: Random, style: str | None = None) -> Deal:
    """A deal in one of the styles, each of which has the cards lie together in its own way."""
    style = style or rng.choice(list(STYLES))
    if style == "feud":
        return _feud(rng)
    cards = STYLES[style](rng)
    if style == "tyrant" and rng.random() < 0.7:
        trump = rng.choice([suit for suit in SUITS if suit != cards[0][1]])
        return _deal_of(rng, _hands(cards), cards[100:], trump, cards[:24])
    hands, bottom = _hands(cards), cards[100:]
    piles = [*hands, bottom]
    for _ in range(rng.choice((0, 0, 2, 6, 15))):  # a little disorder
        one, other = rng.sample(piles, 2)
        i, j = rng.randrange(len(one)), rng.randrange(len(other))
        one[i], other[j] = other[j], one[i]
    return _deal_of(rng, hands, bottom, rng.choice(SUITS))


def _hands(cards: list[str]) -> list[list[str]]:
    return [cards[seat * 25 : seat * 25 + 25] for seat in SEATS]


def _deal_of(rng: Random, hands: list[list[str]], bottom: list[str], trump: str, lead: Sequence[str] = ()) -> Deal:
    """The deal in which the hands lie in a random order and go to random seats."""
    hands = rng.sample(hands, 4)
    for hand in hands:
        rng.shuffle(hand)
    first_caller = rng.randrange(4)
    dealt = [hands[(first_caller + i) % 4][i // 4] for i in range(100)]
    return Deal(first_caller, (*dealt, *bottom), trump, tuple(lead))


def _even(rng: Random) -> list[str]:
    """Any cards anywhere."""
    cards = two_packs()
    rng.shuffle(cards)
    return cards


def _runs(rng: Random) -> list[str]:
    """Blocks of 1 to 6 neighbouring pairs."""
    blocks = []
    start = 0
    while start < 54:
        end = min(54, start + rng.choice((1, 1, 2, 2, 3, 4, 6)))
        blocks.append([face for face in FACES[start:end] for _ in range(2)])
        start = end
    rng.shuffle(blocks)
    return [card for block in blocks for card in block]


def _suits(rng: Random) -> list[str]:
    """Suit after suit, with a little noise: short suits and long ones."""
    noise = rng.choice((1, 8, 20))
    cards = sorted(two_packs(), key=lambda card: FACES.index(card) + rng.randrange(noise))
    start = rng.randrange(108)
    return cards[start:] + cards[:start]


def _ranks(rng: Random) -> list[str]:
    """Three eights in each hand."""
    ranks = list(RANKS[1:])
    rng.shuffle(ranks)
    eights = [[rank + suit for suit in SUITS for _ in range(2)] for rank in ranks]
    rest = ["2" + suit for suit in SUITS for _ in range(2)] + ["LJ", "LJ", "BJ", "BJ"]
    rng.shuffle(rest)
    cards: list[str] = []
    for seat in SEATS:
        cards += [card for eight in eights[seat * 3 : seat * 3 + 3] for card in eight]
        cards.append(rest.pop())
    return cards + rest


def _tyrant(rng: Random) -> list[str]:
    """One hand has a whole side suit and the big jokers, or nearly so."""
    suit = rng.choice(SUITS)
    own = [rank + suit for rank in RANKS[1:] for _ in range(2)]
    rest = [card for card in two_packs() if card not in own]
    rng.shuffle(rest)
    bottom = rng.choice((["BJ"] * 2 + ["LJ"] * 2, ["BJ"], []))
    for card in bottom:
        rest.remove(card)
    without_points = rng.random() < 0.5
    spare = sorted(rest, key=lambda card: (points([card]) > 0) == without_points)
    bottom = bottom + [spare.pop() for _ in range(8 - len(bottom))]
    first = [*own, spare.pop()]
    rng.shuffle(spare)
    return first + spare + bottom


STYLES: dict[str, Callable[[Random], list[str]]] = {
    "even": _even,
    "runs": _runs,
    "suits": _suits,
    "ranks": _ranks,
    "tyrant": _tyrant,
    "feud": lambda rng: list(_feud(rng).dealt),
}


def _feud(rng: Random) -> Deal:
    """One hand leads runs of a side suit, the next has the other pairs of it; two are void and ruff in runs."""
    suit, trump = rng.sample(SUITS, 2)
    faces = [rank + suit for rank in RANKS[1:]]
    length = rng.choice((2, 3, 4, 4, 5))
    start = rng.choice((rng.randrange(len(faces) - length + 1), len(faces) - length))
    run = faces[start : start + length]
    others = [face for face in faces if face not in run]
    if rng.random() < 0.4:  # a second run, or a pair, lower down
        run += others[: rng.randrange(1, 4)]
        others = [face for face in faces if face not in run]
    gap = rng.choice((3, 3, 4, 12))
    follower = [face for index, face in enumerate(others) if index % gap < gap - 1]
    blocks = [[rank + trump for rank in ranks for _ in range(2)] for ranks in ("34", "567", "89T", "JQKA")]
    blocks.append(["LJ", "LJ", "BJ", "BJ"])
    rng.shuffle(blocks)
    ruffs = [card for block in blocks for card in block]
    lead, answer = ([face for face in held for _ in range(2)] for held in (run, follower))
    held = [lead, answer, ruffs[:14], ruffs[14:]]
    rest = sorted((Counter(two_packs()) - Counter(card for hand in held for card in hand)).elements())
    rng.shuffle(rest)
    rest.sort(key=lambda card: card[1] == suit)  # what is left of the suit goes to the bottom
    hands = [hand + [rest.pop(0) for _ in range(25 - len(hand))] for hand in held]
    return _deal_of(rng, hands, rest, trump, lead)


# ---- players -----------------------------------------------------------------------------------


class Player:
    """Chooses legal words at random, with leanings: components, throws, ruffs in shape, high or low cards.

    One player speaks for all seats; the leanings are drawn anew for each game.
    """

    def __init__(self, rng: Random, game: Game, deal: Deal) -> None:
        self.rng = rng
        self.deal = deal
        lengths = [_length(hand, _longest_suit(hand)) for hand in game.hands]
        self.eager = rng.choice((None, None, rng.randrange(4), lengths.index(max(lengths))))
        if deal.first_lead:
            own = [(deal.first_caller + turn) % 4 for turn in SEATS if deal.first_lead[0] in deal.dealt[turn:100:4]]
            self.eager = own[0]
        self.plan: list[str] = []
        self.planned_for: tuple[int, int] | None = None
        self.calls = rng.choice((0.05, 0.4, 0.7, 0.97))
        self.jumps = rng.random() < 0.5
        self.shows = rng.choice((0.05, 0.3, 0.8))
        self.throws = rng.choice((0.1, 0.5, 0.9))
        self.buries_points = rng.choice((None, None, True, False))
        self.tilt = {"declarer": rng.choice((-1, 0, 0, 1)), "defender": rng.choice((-1, 0, 0, 1))}

    def choose(self, game: Game) -> str:
        """A legal word."""
        words = game.legal_actions()
        if game.phase == "expose":
            return self._show(words)
        if game.phase == "auction":
            return self._call(game, words)
        if game.phase == "bury":
            return self._bury(game, words)
        if game.phase == "trump":
            if self.deal.first_lead:
                return f"trump:{self.deal.random_trump}"
            longest = _longest_suit(game.hand)
            return self.rng.choice(sorted(words - {f"trump:{longest}"} if self.rng.random() < 0.7 else words))
        eights = [word for word in words if word.startswith("eight:")]
        if eights and (game.trick or self.rng.random() < 0.6):
            return self.rng.choice(sorted(eights))
        return self._play(game, words)

    def _show(self, words: Words) -> str:
        others = sorted(words - {"pass"})
        if "pass" in words and self.rng.random() > self.shows:
            return "pass"
        return self.rng.choice(others)

    def _call(self, game: Game, words: Words) -> str:
        calls = sorted((word for word in words if word != "pass"), key=lambda word: int(word[5:]))
        likely = self.calls if self.eager is None else 0.97 if game.acting == self.eager else 0.1
        if not calls or self.rng.random() > likely:
            return "pass"
        return self.rng.choice(calls) if self.jumps and self.rng.random() < 0.2 else calls[0]

    def _bury(self, game: Game, words: Words) -> str:
        """Any cards, or with or without points from all suits but the longest, jokers last."""
        words = words - set(self.deal.first_lead) or words
        if self.buries_points is None:
            return self.rng.choice(sorted(words))
        longest = _longest_suit(game.hand)
        cards = sorted(words)
        self.rng.shuffle(cards)
        return min(
            cards, key=lambda card: (card[1] == longest, (points([card]) > 0) != self.buries_points, card[1] == "J")
        )

    def _play(self, game: Game, words: Words) -> str:
        moment = (len(game.tricks), len(game.trick))
        if self.planned_for != moment:
            self.planned_for = moment
            self.plan = self._plan(game)
        while self.plan:
            card = self.plan.pop(0)
            if card in words:
                return card
        if "commit" in words and (game.selection and self.rng.random() < 0.8):
            return "commit"
        assert game.order is not None
        side = "declarer" if game.acting == game.declarer else "defender"
        tilt = self.tilt[side]
        cards = sorted(words)
        if tilt and self.rng.random() < 0.8:
            # Trumps count as higher than side cards.
            cards.sort(key=lambda word: _height(game, word) * tilt)
            return cards[-1]
        return self.rng.choice(cards)

    def _plan(self, game: Game) -> list[str]:
        assert game.order is not None
        rng = self.rng
        if rng.random() < 0.15:
            return []
        if game.trick:
            return self._plan_follow(game)
        if not game.tricks and game.why_illegal_play(self.deal.first_lead) is None:
            return [*self.deal.first_lead, "commit"]
        group = game.order.group(rng.choice(game.hand))
        runs = game.order.runs(pairs_in(game.hand))
        if runs and rng.random() < 0.3:
            group = game.order.group(max(runs, key=len)[0])
        own = game.order.of_group(game.hand, group)
        if rng.random() < self.throws:
            if rng.random() < 0.3:
                plan = own
            elif rng.random() < 0.6:
                # The highest cards of the group, so that throws often stand.
                own.sort(key=game.order.strength, reverse=True)
                plan = own[: rng.randrange(1, len(own) + 1)]
            else:
                plan = [card for card in own if own.count(card) == 2 or rng.random() < 0.2] or own[:1]
        else:
            plan = component_of(rng, game.order, own)
        plan = [*plan, "commit"] if self._may_commit(game, plan) else plan
        return plan

    def _may_commit(self, game: Game, plan: list[str]) -> bool:
        return game.why_illegal_play(plan) is None

    def _plan_follow(self, game: Game) -> list[str]:
        """Pairs and runs first: of the group led, or trumps in the shape of the lead."""
        assert game.order is not None and game.lead is not None
        own = game.order.of_group(game.hand, game.lead.group)
        if own and self.rng.random() < 0.5:
            return []
        group = game.lead.group if own else TRUMP
        cards = game.order.of_group(game.hand, group)
        runs = game.order.runs(pairs_in(cards))
        self.rng.shuffle(runs)
        plan: list[str] = []
        for length in [*game.lead.tractors, *[1] * game.lead.num_lone_pairs]:
            runs.sort(key=lambda run: len(run) != length)
            fitting = [run for run in runs if len(run) >= length]
            if fitting:
                run = fitting[0]
                start = self.rng.randrange(len(run) - length + 1)
                plan += [face for face in run[start : start + length] for _ in range(2)]
                runs.remove(run)
                runs += [part for part in (run[:start], run[start + length :]) if part]
        rest = Counter(cards) - Counter(plan)
        return plan + self.rng.sample(sorted(rest.elements()), rest.total())


def component_of(rng: Random, order: Order, cards: list[str]) -> list[str]:
    """A single, a pair or a run out of cards of one group."""
    doubles = pairs_in(cards)
    if not doubles or rng.random() < 0.2:
        return [rng.choice(cards)]
    runs = order.runs(doubles)
    run = max(runs, key=len) if rng.random() < 0.5 else rng.choice(runs)
    start = rng.randrange(len(run))
    end = rng.randrange(start + 1, len(run) + 1)
    if rng.random() < 0.5:
        start, end = 0, len(run)
    return [face for face in run[start:end] for _ in range(2)]


def _longest_suit(hand: list[str]) -> str:
    return max(SUITS, key=lambda suit: _length(hand, suit))


def _length(hand: list[str], suit: str) -> int:
    return sum(card[1] == suit for card in hand)


def _height(game: Game, word: str) -> int:
    assert game.order is not None
    if len(word) != 2:
        return 50
    return game.order.strength(word) + (50 if game.order.group(word) == TRUMP else 0)


def random_pot(rng: Random, switches: Mapping[str, Any], rules: str) -> tuple[int, int]:
    """A pot and its age, mostly none."""
    if switches.get("all_pass", PRESETS[rules].get("all_pass")) != "pot" or rng.random() < 0.4:
        return 0, 0
    return rng.choice((100, 100, 200, 200, 30, 333)), rng.randrange(1, 5)
