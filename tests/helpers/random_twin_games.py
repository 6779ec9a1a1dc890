"""Random deals and random play, for tests that walk through many states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from naive.cards import FACES, SUITS, two_packs
from naive.game import Game


def random_game(rng: Random, rules: str, options: Mapping[str, Any] | None = None, few_faces: bool = False) -> Game:
    """A deal in its first state; with ``few_faces`` the twins lie together, so that runs abound."""
    cards = two_packs()
    rng.shuffle(cards)
    if few_faces:
        # Whole blocks of neighbours go to one hand more often than chance would have it.
        cards.sort(key=lambda card: (FACES.index(card) // 4 * 7 + rng.randrange(12)) % 54)
    hands = [cards[seat * 25 : seat * 25 + 25] for seat in range(4)]
    return Game(
        rules=rules,
        options=options,
        first_caller=rng.randrange(4),
        hands=hands,
        bottom=cards[100:],
        random_trump=rng.choice(SUITS),
    )


def choose(rng: Random, game: Game) -> str:
    """A legal action; commits, eights and calls come up more often than single picks do."""
    words = sorted(game.legal_actions())
    rare = [word for word in words if word == "commit" or word.startswith(("eight:", "call:"))]
    return rng.choice(rare) if rare and rng.random() < 0.3 else rng.choice(words)


def play_out(rng: Random, game: Game) -> Iterator[Game]:
    """Play at random to the end, giving the game in every state on the way."""
    while game.phase != "over":
        yield game
        game.act(choose(rng, game))
