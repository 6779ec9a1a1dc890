"""A table as text, all hands open: for terminals, logs and the render mode `ansi`."""

from collections.abc import Iterator

from baofen.envs.cards import NUM_FACES, NUM_SEATS, parse_cards
from baofen.envs.core.dtypes import NO_TRUMP_YET, TRUMP_GROUP, Phase
from baofen.envs.explain import set_faces
from baofen.envs.render.text import cards_text, hand_text, result_text, suit_symbol
from baofen.envs.table import Table


def table_text(table: Table) -> str:
    """Return what a spectator sees who looks into all hands."""
    return "\n".join(_lines(table))


def contract_text(table: Table) -> str:
    """Return who plays for what, or how far the deal has got to that, without the trump."""
    state = table.tables[0]
    if table.declarer is not None:
        return f"seat {table.declarer} declares {state['target']}"
    if state["last_call"]:
        return f"seat {state['last_caller']} has called {state['last_call']}"
    return "no call yet"


def cards_on_table(table: Table, seat: int) -> list[int]:
    """Return the faces that a seat has played in the current trick."""
    state = table.tables[0]
    return set_faces(table.rules, int(state["layout"]), int(state["trick_ones"][seat]), int(state["trick_twos"][seat]))


def last_trick(table: Table) -> dict[int, list[int]]:
    """Return what each seat played in the last trick of a finished deal; nothing if it was not played to its end.

    The table itself has taken the cards away by then.
    """
    plays = [action for action in table.record()["actions"] if "play" in action]
    if not table.is_over or not plays or len(plays) % NUM_SEATS:
        return {}
    return {action["seat"]: parse_cards(action["play"]) for action in plays[-NUM_SEATS:]}


def trumps_of(table: Table) -> list[int]:
    """Return all faces that are trump, the highest first; none before trump is known."""
    layout = int(table.tables["layout"][0])
    if layout == NO_TRUMP_YET:
        return []
    position, group = (table.rules.record[name][0, layout] for name in ("position", "group"))
    trumps = [face for face in range(NUM_FACES) if group[position[face]] == TRUMP_GROUP]
    return sorted(trumps, key=lambda face: -int(position[face]))


def _lines(table: Table) -> Iterator[str]:
    state = table.tables[0]
    trump = "" if table.trump is None else f", trump {suit_symbol(table.trump)}"
    yield (
        f"{table.rules.preset}, deal {state['deal_index'] + 1} of {state['deals_per_match']}, "
        f"{table.phase.name.lower()}; {contract_text(table)}{trump}"
    )
    trumps = trumps_of(table)
    yield f"captured {state['captured']}, conceded {state['conceded']}, pot {state['pot']}"
    for seat in range(NUM_SEATS):
        mark = ">" if seat == table.acting_seat else " "
        role = "declarer" if seat == table.declarer else _auction_word(table, seat)
        yield f"{mark} seat {seat} {role:9} total {table.totals[seat]:+5}  {hand_text(parse_cards(table.hand(seat)), trumps)}"
    for step in range(int(state["num_plays"])):
        seat = (int(state["leader"]) + step) % NUM_SEATS
        winner = " (best)" if seat == state["best_seat"] else ""
        yield f"  on the table, seat {seat}: {cards_text(cards_on_table(table, seat), trumps)}{winner}"
    picked = set_faces(table.rules, int(state["layout"]), int(state["selection_ones"]), int(state["selection_twos"]))
    if picked:
        yield f"  picked by seat {table.acting_seat}: {cards_text(picked, trumps)}"
    if table.is_over and table.result is not None:
        yield result_text(table.result)


def _auction_word(table: Table, seat: int) -> str:
    """Return a seat's last word in the auction."""
    state = table.tables[0]
    if table.phase > Phase.AUCTION:
        return "defender" if table.declarer is not None else ""
    if state["passed"][seat]:
        return "pass"
    return str(state["calls"][seat]) if state["calls"][seat] else ""
