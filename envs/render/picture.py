"""A table as a picture, all hands open: for the render mode `rgb_array`. Needs Pillow (`baofen[render]`)."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from baofen.envs.cards import BOTTOM_CARDS, FACE_NAMES, LITTLE_JOKER, NUM_RANKS, NUM_SEATS, parse_cards
from baofen.envs.explain import set_faces
from baofen.envs.render.display import cards_on_table, contract_text, last_trick, trumps_of
from baofen.envs.render.text import in_reading_order, result_text
from baofen.envs.table import Table

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

WIDTH, HEIGHT = 800, 560
MARGIN = 12
LINE = 20
CARD_WIDTH, CARD_HEIGHT = 22, 40
ROW = LINE + CARD_HEIGHT + 14
HANDS_TOP = 3 * LINE
TRICK_TOP = HANDS_TOP + NUM_SEATS * ROW + 10
FELT, WHITE, BLACK, RED, YELLOW, EDGE = "#1f5f43", "#ffffff", "#1a1a1a", "#c22727", "#ffd95a", "#8a8a8a"
RED_SUITS = (1, 3)


def has_pillow() -> bool:
    """Return whether Pillow is installed; it is not imported."""
    return importlib.util.find_spec("PIL") is not None


def need_pillow() -> None:
    """Refuse to go on without Pillow.

    Raises:
        DependencyNotInstalled: with what to install.
    """
    if not has_pillow():
        raise DependencyNotInstalled(
            "render_mode 'rgb_array' needs Pillow; install it with: pip install 'baofen[render]'"
        )


def table_picture(table: Table) -> NDArray[np.uint8]:
    """Return a picture of the table, uint8 [560, 800, 3].

    Raises:
        DependencyNotInstalled: without Pillow, with what to install.
    """
    need_pillow()
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (WIDTH, HEIGHT), FELT)
    pen = Pen(ImageDraw.Draw(image), ImageFont.load_default(14), ImageFont.load_default(13))
    _draw_heading(pen, table)
    last = last_trick(table) if table.is_over else {}
    for seat in range(NUM_SEATS):
        _draw_seat(pen, table, seat, HANDS_TOP + seat * ROW, last)
    if table.is_over:
        _draw_end(pen, table)
    else:
        _draw_trick(pen, table)
    return np.array(image, np.uint8)


class Pen:
    """What drawing needs: the canvas and two fonts."""

    def __init__(self, canvas: ImageDraw, font: Any, rank_font: Any) -> None:
        self.canvas = canvas
        self.font = font
        self.rank_font = rank_font

    def write(self, x: float, y: float, words: str, colour: str = WHITE) -> None:
        """Write a line, its upper left corner at x, y."""
        self.canvas.text((x, y), words, fill=colour, font=self.font)

    def card(self, x: float, y: float, face: int) -> None:
        """Draw a card, its upper left corner at x, y."""
        self.canvas.rectangle((x, y, x + CARD_WIDTH - 2, y + CARD_HEIGHT), fill=WHITE, outline=EDGE)
        middle = x + CARD_WIDTH / 2 - 1
        if face >= LITTLE_JOKER:
            colour = BLACK if face == LITTLE_JOKER else RED
            for line, letter in enumerate(FACE_NAMES[face]):
                self.canvas.text((middle, y + 11 + 17 * line), letter, fill=colour, font=self.rank_font, anchor="mm")
            return
        suit = face // NUM_RANKS
        colour = RED if suit in RED_SUITS else BLACK
        rank = FACE_NAMES[face][0].replace("T", "10")
        self.canvas.text((middle, y + 11), rank, fill=colour, font=self.rank_font, anchor="mm")
        self.suit(middle, y + 28, suit, colour)

    def cards(self, x: float, y: float, faces: list[int], spacing: float = CARD_WIDTH) -> None:
        """Draw cards beside each other, the upper left corner of the first at x, y."""
        for place, face in enumerate(faces):
            self.card(x + place * spacing, y, face)

    def suit(self, x: float, y: float, suit: int, colour: str) -> None:
        """Draw the symbol of a suit around x, y."""

        def disc(dx: float, dy: float, radius: float) -> None:
            box = (x + dx - radius, y + dy - radius, x + dx + radius, y + dy + radius)
            self.canvas.ellipse(box, fill=colour)

        def shape(*points: tuple[float, float]) -> None:
            self.canvas.polygon([(x + dx, y + dy) for dx, dy in points], fill=colour)

        if suit == 3:
            shape((0, -8), (6, 0), (0, 8), (-6, 0))
        elif suit == 1:
            disc(-3, -3, 3.5)
            disc(3, -3, 3.5)
            shape((-6.5, -1), (6.5, -1), (0, 7))
        else:
            shape((0, 0), (3, 8), (-3, 8))
            if suit == 0:
                disc(-3, 1, 3.5)
                disc(3, 1, 3.5)
                shape((-6.5, 0), (0, -8), (6.5, 0))
            else:
                disc(0, -4, 3.5)
                disc(-4, 2, 3.5)
                disc(4, 2, 3.5)


def _draw_heading(pen: Pen, table: Table) -> None:
    state = table.tables[0]
    heading = f"{table.rules.preset}   deal {state['deal_index'] + 1} of {state['deals_per_match']}"
    pen.write(MARGIN, 8, f"{heading}   {table.phase.name.lower()}")
    points = f"captured {state['captured']}   conceded {state['conceded']}   pot {state['pot']}"
    pen.write(MARGIN, 8 + LINE, f"{contract_text(table)}   {points}")
    if table.trump is not None:
        pen.write(WIDTH - 100, 8, "trump")
        pen.canvas.rectangle((WIDTH - 50, 4, WIDTH - 28, 28), fill=WHITE)
        suit = int(state["trump"])
        pen.suit(WIDTH - 39, 16, suit, RED if suit in RED_SUITS else BLACK)


def _draw_seat(pen: Pen, table: Table, seat: int, top: int, last: dict[int, list[int]]) -> None:
    """Draw a seat's hand, or what it played in the last trick."""
    acts = seat == table.acting_seat
    role = "" if table.declarer is None else ("declarer" if seat == table.declarer else "defender")
    words = f"seat {seat}   {role}   total {table.totals[seat]:+}{'   to act' if acts else ''}{'   last trick' if last else ''}"
    pen.write(MARGIN, top, words, YELLOW if acts else WHITE)
    cards = last.get(seat, []) if table.is_over else parse_cards(table.hand(seat))
    pen.cards(MARGIN, top + LINE, in_reading_order(cards, trumps_of(table)))


def _draw_trick(pen: Pen, table: Table) -> None:
    """Draw the plays of the current trick, two beside each other."""
    state = table.tables[0]
    for play in range(int(state["num_plays"])):
        seat = (int(state["leader"]) + play) % NUM_SEATS
        left = MARGIN + (play % 2) * (WIDTH // 2)
        top = TRICK_TOP + (play // 2) * (ROW - 4)
        best = "   best" if seat == state["best_seat"] else ""
        pen.write(left, top, f"seat {seat} played{best}")
        faces = in_reading_order(cards_on_table(table, seat), trumps_of(table))
        spacing = min(CARD_WIDTH, (WIDTH // 2 - 2 * MARGIN) // max(len(faces), 1))
        pen.cards(left, top + LINE, faces, spacing)


def _draw_end(pen: Pen, table: Table) -> None:
    """Draw the bottom as it was dealt, what was buried, and how the deal was settled."""
    state, trumps = table.tables[0], trumps_of(table)
    bottom = [int(face) for face in state["deck"][-BOTTOM_CARDS:]]
    buried = set_faces(table.rules, int(state["layout"]), int(state["buried_ones"]), int(state["buried_twos"]))
    for left, words, faces in ((MARGIN, "bottom", bottom), (WIDTH // 2, "buried", buried)):
        if faces:
            pen.write(left, TRICK_TOP, words)
            pen.cards(left, TRICK_TOP + LINE, in_reading_order(faces, trumps))
    if table.result is not None:
        for line, words in enumerate(result_text(table.result, letters=True).split("; ")):
            pen.write(MARGIN, TRICK_TOP + ROW + line * LINE, words)
