"""Play a game record through the twin, refusing every fault (record.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from naive.cards import FACES, SEATS, Illegal
from naive.game import Game
from naive.options import is_whole, resolve

FORMAT = "baofen-record/1"
VERBS = ("call", "expose", "trump", "bury", "play", "forfeit")
ALWAYS_LAID_DOWN = ("declarer", "rewards", "pot", "next_first_caller")


class IllegalRecord(Exception):
    """A fault of a record: the action at fault (None: header, result or end) and its class."""

    def __init__(self, index: int | None, reason: str, detail: str = "") -> None:
        super().__init__(f"action {index}: {reason} {detail}")
        self.index = index
        self.reason = reason


def replay(record: Any) -> Game:
    """The game of a record after its last action; the result is checked if there is one."""
    try:
        game = _start(record)
    except Illegal as fault:
        raise IllegalRecord(None, fault.reason, str(fault)) from fault
    actions = record["actions"]
    trump_written = record["rules"] != "exposure"
    for index, action in enumerate(actions):
        try:
            _check_form(action)
            if game.phase == "over":
                raise Illegal("after_end")
            if not trump_written:
                trump_written = _act_while_dealing(game, action)
            else:
                _act(game, action)
        except Illegal as fault:
            raise IllegalRecord(index, fault.reason, str(fault)) from fault
    if record.get("result") is not None:
        _check_result(game, record["result"], actions)
    return game


# ---- header ------------------------------------------------------------------------------------


def _start(record: Any) -> Game:
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise Illegal("bad_format")
    rules, options = record.get("rules"), record.get("options", {})
    switches = resolve(rules, options)
    with_exposure = rules == "exposure"
    needed = [
        "first_caller",
        "pot",
        "totals",
        "actions",
        *(["dealt"] if with_exposure else ["hands", "bottom"]),
    ]
    for key in needed:
        _require(key in record, "bad_header", f"no {key}")
    first_caller, totals = record["first_caller"], record["totals"]
    pot = record["pot"]
    pot_age = record.get("pot_age", 1 if pot else 0)
    _require(is_whole(first_caller) and first_caller in SEATS, "bad_header", "first_caller")
    _require(isinstance(totals, list) and len(totals) == 4 and all(map(is_whole, totals)), "bad_header", "totals")
    _require(isinstance(record["actions"], list), "bad_header", "actions")
    _require(is_whole(pot) and 0 <= pot < 400 and is_whole(pot_age), "bad_header", "pot")
    _require(1 <= pot_age <= 4 if pot else pot_age == 0, "bad_header", "pot_age")
    _require(not pot or switches["all_pass"] == "pot", "bad_header", "a pot needs all_pass = pot")
    cards: dict[str, Any]
    if with_exposure:
        cards = {"dealt": read_cards(record["dealt"])}
        _require(len(cards["dealt"]) == 108, "bad_cards", "dealt")
        everything = cards["dealt"]
    else:
        _require(isinstance(record["hands"], list) and len(record["hands"]) == 4, "bad_cards", "hands")
        cards = {"hands": list(map(read_cards, record["hands"])), "bottom": read_cards(record["bottom"])}
        _require(all(len(hand) == 25 for hand in cards["hands"]), "bad_cards", "hands")
        _require(len(cards["bottom"]) == 8, "bad_cards", "bottom")
        everything = sum(cards["hands"], cards["bottom"])
    _require(all(Counter(everything)[face] == 2 for face in FACES), "bad_cards", "not two packs")
    return Game(
        rules=str(rules),
        options=options,
        first_caller=first_caller,
        pot=pot,
        pot_age=pot_age,
        totals=totals,
        **cards,
    )


def _require(holds: bool, reason: str, detail: str = "") -> None:
    if not holds:
        raise Illegal(reason, detail)


def read_cards(text: Any) -> list[str]:
    """The cards of a string, parted by spaces."""
    _require(isinstance(text, str), "bad_card", repr(text))
    cards: list[str] = text.split()
    for card in cards:
        _require(card in FACES, "bad_card", card)
    return cards


# ---- actions -----------------------------------------------------------------------------------


def _check_form(action: Any) -> None:
    """Exactly one verb, its seat, and `after` with an exposure."""
    _require(isinstance(action, Mapping), "bad_action", "not an object")
    verbs = [key for key in action if key in VERBS]
    _require(len(verbs) == 1 and "seat" in action, "bad_action", "one verb and a seat")
    allowed = {"seat", verbs[0]} | ({"after"} if verbs[0] == "expose" else set())
    _require(set(action) <= allowed, "bad_action", "unknown key")


def _check_seat(seat: Any) -> int:
    _require(is_whole(seat) and seat in SEATS, "wrong_seat", repr(seat))
    return int(seat)


def _act(game: Game, action: Mapping[str, Any]) -> None:
    seat = _check_seat(action["seat"])
    if "forfeit" in action:
        _forfeit(game, seat, action["forfeit"])
        return
    if seat != game.acting:
        calls_again = seat in game.passed and game.phase == "auction" and action.get("call", "pass") != "pass"
        raise Illegal("call_after_pass" if calls_again else "wrong_seat", f"{game.acting} is to act")
    verbs: dict[str, tuple[str, Callable[[Any], None]]] = {
        "call": ("auction", lambda value: game.pass_() if value == "pass" else game.call(value)),
        "trump": ("trump", game.name_trump),
        "bury": ("bury", lambda text: game.bury(read_cards(text))),
        "play": ("play", lambda text: game.play(read_cards(text))),
    }
    for verb, (phase, perform) in verbs.items():
        if verb in action:
            _require(game.phase == phase, "wrong_phase", f"{verb} in phase {game.phase}")
            perform(action[verb])
            return
    raise Illegal("wrong_phase", "the dealing is over")


def _forfeit(game: Game, seat: int, room: Any) -> None:
    _require(isinstance(room, str) and room in ("points", "silver"), "bad_action", repr(room))
    game.forfeit(seat, room)


def _act_while_dealing(game: Game, action: Mapping[str, Any]) -> bool:
    """An action before the trump in force has been written; gives True when it is this one."""
    if "forfeit" in action:
        _forfeit(game, _check_seat(action["seat"]), action["forfeit"])
    elif "expose" in action:
        _expose(game, _check_seat(action["seat"]), read_cards(action["expose"]), action.get("after"))
    elif "trump" in action:
        _require(action["seat"] is None, "wrong_seat", "nobody names the trump")
        _write_trump(game, action["trump"])
        return True
    else:
        raise Illegal("wrong_phase", "the trump in force is not written yet")
    return False


def _write_trump(game: Game, suit: Any) -> None:
    while game.phase == "expose":
        game.pass_()
    if game.phase == "trump":
        game.name_trump(suit)
    else:
        _require(suit == game.trump, "bad_trump", f"{suit!r}, but {game.trump} is shown")


def _expose(game: Game, seat: int, cards: list[str], after: Any) -> None:
    """All who are asked before pass: passes while dealing are not written."""
    dealing = game.exposing
    assert dealing is not None
    _require(is_whole(after) and 1 <= after <= 100, "bad_after", repr(after))
    while game.phase == "expose" and dealing.num_dealt < after:
        game.pass_()
    on_time = game.phase == "expose" and dealing.num_dealt == after
    while game.phase == "expose" and dealing.num_dealt == after:
        if game.acting == seat and dealing.why_illegal(seat, cards) is None:
            game.expose(cards)
            return
        game.pass_()
    received = [card for i, card in enumerate(dealing.dealt[:after]) if (game.first_caller + i) % 4 == seat]
    reason = "bad_expose"
    if set(cards) <= {"2s", "2h", "2c", "2d"} and any(cards.count(card) > received.count(card) for card in cards):
        reason = "card_not_in_hand" if len(set(cards)) == 1 else "bad_expose"
    elif not on_time:
        reason = "bad_after"
    raise Illegal(reason, " ".join(cards))


# ---- result ------------------------------------------------------------------------------------


def _check_result(game: Game, written: Any, actions: list[Any]) -> None:
    if game.result is None:
        raise IllegalRecord(None, "unfinished")
    true = game.result
    if not isinstance(written, Mapping) or set(written) != set(true):
        raise IllegalRecord(None, "wrong_result", "keys")
    played_out = true["captured"] is not None
    for key in true if played_out else ALWAYS_LAID_DOWN:
        if key == "next_first_caller" and game.rules == "hongwu":
            fits = written[key] is None or (is_whole(written[key]) and written[key] in SEATS)
        else:
            fits = _same(written[key], true[key])
        if not fits:
            raise IllegalRecord(None, "wrong_result", f"{key} is {true[key]}, not {written[key]}")


def _same(written: Any, true: Any) -> bool:
    """Equal, and whole numbers where numbers are due."""
    if isinstance(true, list):
        return (
            isinstance(written, list)
            and len(written) == len(true)
            and all(_same(left, right) for left, right in zip(written, true, strict=True))
        )
    return type(written) is type(true) and bool(written == true)
