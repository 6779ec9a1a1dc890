"""Prints a game for people: trick by trick, with suit symbols."""

from collections.abc import Iterator, Mapping
from typing import Any

from baofen.envs.cards import parse_cards
from baofen.envs.core.dtypes import Phase
from baofen.envs.records.replay import Replay
from baofen.envs.render.display import cards_on_table, trumps_of
from baofen.envs.render.printable import printable
from baofen.envs.render.text import cards_text, hand_text, result_text, suit_symbol
from baofen.envs.table import Table

MAX_NAME_CHARACTERS = 60


def show_record(record: Any) -> Iterator[str]:
    """Yield the lines that show the game of a record, as far as it is legal.

    Raises:
        RecordError: for the first fault, after the lines up to it.
    """
    replay = Replay(record)
    table = replay.table
    yield from _heading(record, table)
    trick = 0
    points = 0
    for action in replay.steps():
        if "play" not in action:
            yield f"  {_words(action, trumps_of(table))}"
            if action.get("trump") and not table.is_over:
                yield from _hands(table)
            continue
        number_of_plays = int(table.tables["num_plays"][0])
        if number_of_plays == 1:
            trick += 1
            yield f"trick {trick}"
        attempt = parse_cards(action["play"])
        yield f"  seat {action['seat']}  {_play_words(table, action['seat'], attempt, leads=number_of_plays == 1)}"
        if number_of_plays == 0:
            captured, conceded = int(table.tables["captured"][0]), int(table.tables["conceded"][0])
            won = captured + conceded - points
            points = captured + conceded
            yield f"  -> seat {table.tables['last_winner'][0]} takes {won} points; declarer {captured}, others {conceded}"
    yield _ending(table)


def _heading(record: Mapping[str, Any], table: Table) -> Iterator[str]:
    options = ", ".join(f"{name} = {value}" for name, value in table.rules.options.items())
    yield f"rules {table.rules.preset}" + (f" with {options}" if options else "")
    players = record.get("players")
    if isinstance(players, list) and len(players) == 4:
        yield "players " + ", ".join(
            f"{seat} {printable(player, MAX_NAME_CHARACTERS)}" for seat, player in enumerate(players)
        )
    yield f"first caller seat {table.first_caller}, totals {' '.join(map(str, table.totals))}, pot {record['pot']}"
    if table.phase == Phase.AUCTION:
        yield from _hands(table)


def _hands(table: Table) -> Iterator[str]:
    for seat in range(4):
        yield f"  hand {seat}  {hand_text(parse_cards(table.hand(seat)), trumps_of(table))}"


def _words(action: Mapping[str, Any], trumps: list[int]) -> str:
    """Return what was done, but for plays."""
    if action["seat"] is None:
        return f"trump is {suit_symbol(action['trump'])}"
    who = f"seat {action['seat']} "
    if "call" in action:
        return who + ("passes" if action["call"] == "pass" else f"calls {action['call']}")
    if "trump" in action:
        return who + f"names trump {suit_symbol(action['trump'])}"
    if "bury" in action:
        return who + f"buries {cards_text(parse_cards(action['bury']), trumps)}"
    if "expose" in action:
        return who + f"shows {cards_text(parse_cards(action['expose']))} after {action['after']} cards"
    return who + f"leaves the table ({action['forfeit']} room)"


def _play_words(table: Table, seat: int, attempt: list[int], *, leads: bool) -> str:
    state = table.tables[0]
    if not leads or not state["lead_is_forced"]:
        return cards_text(attempt, trumps_of(table))
    trumps = trumps_of(table)
    return f"{cards_text(attempt, trumps)}  fails: leads {cards_text(cards_on_table(table, seat), trumps)}"


def _ending(table: Table) -> str:
    return result_text(table.result) if table.result is not None else f"in play: seat {table.acting_seat} is to act"
