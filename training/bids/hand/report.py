"""`baofen bids AGENT --hand ...`: the advice for a hand, in the terminal or as JSON."""

import json
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text

from baofen.agents import Agent
from baofen.envs.cards import format_cards
from baofen.envs.render.text import cards_text, hand_text, suit_symbol
from baofen.envs.rules import Rules
from baofen.training.bids.hand.advice import Advice, CallValue, advise, beside_agent
from baofen.training.bids.hand.given import auction_view, parse_hand
from baofen.training.terminal import plain_table, progress, show_table, stdout_console

BAR_WIDTH = 40
ROWS_BEYOND = 2
VERDICTS = {1: "more", 0: "open", -1: "less"}
BAR_POINTS = 10


def advice_json(advice: Advice) -> dict[str, Any]:
    """Return the object that `--json` prints: `values`, `trump` and `bury` are the contract, the rest is more."""
    return {
        "values": [
            {
                "call": "pass" if one.call is None else one.call,
                "expected_score": round(one.expected_score, 3),
                "made": None if one.made is None else round(one.made, 4),
                "error": round(one.error, 3),
            }
            for one in advice.values
        ],
        "trump": advice.trump,
        "bury": format_cards(advice.bury),
        "agent_call": "pass" if advice.agent_call is None else advice.agent_call,
        "points": {str(int(points)): round(float(chance), 4) for points, chance in _pairs(advice)},
        "events": {name: round(chance, 4) for name, chance in advice.events.items()},
        "worlds": advice.worlds,
        "why": advice.sentence,
    }


def _pairs(advice: Advice) -> list[tuple[float, float]]:
    return [(float(p), float(c)) for p, c in zip(advice.points, advice.chances, strict=True)]


def hand_main(
    agent: Agent,
    rules: Rules,
    hand: str,
    *,
    auction: str,
    seat: int | None,
    pot: int,
    trump: str,
    worlds: int,
    seed: int,
    as_json: bool,
) -> int:
    """Print the advice for a hand on stdout.

    Raises:
        UserError: for a hand or an auction that cannot be.
    """
    faces = parse_hand(hand)
    views = auction_view(rules, faces, auction, seat=seat, pot=pot, trump=trump)
    with progress(f"playing {worlds} worlds"):
        advice = advise(views, agent, num_worlds=worlds, seed=seed)
    if as_json:
        print(json.dumps(advice_json(advice)))
    else:
        print_advice(advice, agent.name, faces, stdout_console(), rules.score_unit)
    return 0


def print_advice(advice: Advice, agent_name: str, faces: list[int], console: Console, unit: str) -> None:
    """Print the tables of an advice; `unit` is that of the scores."""
    console.print(Text(hand_text(faces)))
    console.print(Text(advice.sentence, "bold"))
    console.print(Text(beside_agent(advice, agent_name)))
    shown, left_out = rows_that_matter(advice)
    table = plain_table(("call", f"expected score, {unit}", "over passing", "", "made"), "rrrlr")
    for one in shown:
        made = "-" if one.made is None else f"{one.made:.1%}"
        if one.call is None:
            cells = ("pass", "-", "")
        else:
            cells = (str(one.call), f"{one.over_pass:+.1f} +- {one.over_pass_error:.1f}", VERDICTS[one.against_pass])
        table.add_row(cells[0], f"{one.expected_score:+.1f} +- {one.error:.1f}", *cells[1:], made)
    show_table(console, "", table)
    console.print(Text(_caption(advice)))
    if left_out:
        console.print(Text(f"left out: {left_out[0].call} .. {left_out[-1].call}, worth less and less"))
    suits = ", ".join(
        f"{suit_symbol(suit)} {points:.0f} ± {error:.1f}"
        for suit, (points, error) in sorted(advice.trumps.items(), key=lambda item: -item[1][0])
    )
    console.print(Text(f"points by trump suit: {suits}"))
    console.print(Text(f"trump {suit_symbol(advice.trump)}; bury first: {cards_text(advice.bury)}"))
    events = [f"{name.replace('_', ' ')} {chance:.1%}" for name, chance in advice.events.items() if name != "plain"]
    if any(chance for name, chance in advice.events.items() if name != "plain"):
        console.print(Text("bonus: " + ", ".join(events)))
    console.print(Text("points as declarer:"))
    console.print(Text("\n".join(points_chart(advice))))


def rows_that_matter(advice: Advice) -> tuple[list[CallValue], list[CallValue]]:
    """Return the calls up to a little above what may be worth as much as passing, the agent's among them, and the rest.

    The pass ends the first list.
    """
    *calls, passing = advice.values
    matter = [place for place, one in enumerate(calls) if one.against_pass >= 0 or one.call == advice.agent_call]
    count = max(matter, default=-1) + 1 + ROWS_BEYOND
    if count >= len(calls) - 1:  # one row more is as short as to say that it is left out
        count = len(calls)
    return [*calls[:count], passing], calls[count:]


def points_chart(advice: Advice) -> list[str]:
    """Return the distribution of points as lines of a bar chart, ten points a line."""
    places = np.floor(advice.points / BAR_POINTS).astype(int)
    lowest, highest = int(places.min()), int(places.max())
    chances = np.bincount(places - lowest, weights=advice.chances, minlength=highest - lowest + 1)
    longest = chances.max()
    return [
        f"{(lowest + index) * BAR_POINTS:5d} {'█' * round(BAR_WIDTH * chance / longest)} {chance:.1%}"
        for index, chance in enumerate(chances)
    ]


def _caption(advice: Advice) -> str:
    return (
        f"expected score: of a call if it buys the contract, of the pass if the contract goes as it looks now. "
        f"{advice.worlds} worlds (worth {advice.effective_worlds:.0f} equally likely ones); +-: one standard error; open: "
        f"less than two from passing."
    )
