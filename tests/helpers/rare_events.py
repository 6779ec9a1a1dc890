"""Counts rare events of the naive twin's games, so that tests can assert that their walks met each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from naive.cards import points
from naive.following import Duties
from naive.game import Game
from naive.order import TRUMP, pairs_in
from naive.winning import eight_rank, winner

JOKER_RUN = ["BJ", "BJ", "LJ", "LJ"]

PLAY_EVENTS = {
    "throw with a run stands",
    "throw with a run fails",
    "throw with a run ruffed",
    "throw without a run ruffed",
    "over-ruff with a run",
    "over-ruff without a run",
    "own run cut",
    "shorter run owed",
    "two pieces owed",
    "fewer cards than led",
    "forfeit",
}
BAOFEN_EVENTS = {
    "throw of several beaten components",
    "trump throw stands",
    "joker run led",
    "joker run drawn out",
    "joker run ruffs",
    "eight led",
    "eight answered",
    "eight beaten",
    "+500",
    "+250",
    "-500",
    "all trump points",
    "no trump points",
    "passed out",
    "pot made",
    "pot won",
    "pot doubled",
    "pot shared at 400",
    "pot shared in its fifth deal",
    "fine to opponents",
}
EXPOSURE_EVENTS = {
    "overturn",
    "protection",
    "pair exposed at once",
    "shown in the closing round",
    "asked after an exposure",
    "nobody exposes",
    "seven calls",
}
HONGWU_EVENTS = {
    "red five caught",
    "red five lost",
    "red five buried",
    "bottom to the declarer",
    "bottom lost to a side suit",
    "bottom lost to trump",
    "fine above the cap",
    "fine of the declarer",
    "run over a removed rank",
}
EXPECTED_SOON = {
    "suzhou": PLAY_EVENTS | BAOFEN_EVENTS,
    "exposure": PLAY_EVENTS | EXPOSURE_EVENTS,
    "hongwu": PLAY_EVENTS | HONGWU_EVENTS,
}
"""What a walk through two hundred games of a preset must meet."""
EXPECTED = {
    "suzhou": PLAY_EVENTS | BAOFEN_EVENTS,
    "exposure": PLAY_EVENTS | BAOFEN_EVENTS | EXPOSURE_EVENTS,
    "hongwu": PLAY_EVENTS | HONGWU_EVENTS,
}
"""What a walk through thousands of games of a preset must meet."""


class Witness:
    """Sees every action of one game after another; `counts` says how often each event has happened."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._hands: dict[int, list[str]] = {}
        self._num_tricks = 0
        self._num_attempts = 0
        self._num_shown = 0
        self._red_five_points = 0
        self._pot = (0, 0)

    def begin(self, game: Game) -> None:
        """A new game."""
        self._num_tricks = self._num_attempts = self._num_shown = self._red_five_points = 0
        self._pot = (game.pot, game.pot_age)
        self.before(game)

    def before(self, game: Game) -> None:
        """Note what an action may change."""
        if game.phase == "play" and not game.selection:
            assert game.acting is not None
            self._hands[game.acting] = list(game.hand)

    def after(self, game: Game) -> None:
        """Count what an action brought about."""
        if len(game.attempts) > self._num_attempts:
            self._num_attempts += 1
            self._see_failed_throw(game)
        if len(game.tricks) > self._num_tricks:
            self._num_tricks += 1
            self._see_trick(game)
        if game.red_five_points != self._red_five_points:
            self.counts["red five caught" if game.red_five_points > self._red_five_points else "red five lost"] += 1
            self._red_five_points = game.red_five_points
        if game.exposing is not None and len(game.exposing.shown) > self._num_shown:
            self._num_shown += 1
            self._see_exposure(game)
        if game.phase == "over":
            self._see_end(game)
        self.before(game)

    def _count(self, happened: bool, event: str) -> None:
        if happened:
            self.counts[event] += 1

    # ---- dealing ---------------------------------------------------------------------------------

    def _see_exposure(self, game: Game) -> None:
        assert game.exposing is not None
        shown = game.exposing.shown
        self._count(game.exposing.closing, "shown in the closing round")
        if len(shown) == 1:
            self._count(len(shown[0][1]) == 2, "pair exposed at once")
            self._count(game.phase == "expose" and game.acting != shown[0][0], "asked after an exposure")
        else:
            self.counts["protection" if shown[0][0] == shown[1][0] else "overturn"] += 1

    # ---- play ------------------------------------------------------------------------------------

    def _see_failed_throw(self, game: Game) -> None:
        order, lead = game.order, game.lead
        assert order is not None and lead is not None
        seat, cards = game.attempts[-1]
        runs = order.runs(pairs_in(cards))
        self._count(any(len(run) > 1 for run in runs), "throw with a run fails")
        if game.rules == "hongwu":
            return
        charged = game.switches["throw_penalty_count"] == "beaten" and -game.rewards[seat] > 3 * lead.size
        self._count(charged, "throw of several beaten components")
        self._count(game.switches["throw_penalty_to"] == "opponents", "fine to opponents")

    def _see_trick(self, game: Game) -> None:
        lead, trick = game.lead, game.tricks[-1]
        order = game.order
        assert lead is not None and order is not None
        is_throw = lead.num_components > 1
        self._count(is_throw and bool(lead.tractors), "throw with a run stands")
        self._count(is_throw and lead.group == TRUMP, "trump throw stands")
        self._count(sorted(lead.cards) == JOKER_RUN and not is_throw, "joker run led")
        self._count(lead.eight is not None, "eight led")
        if game.rules == "hongwu" and lead.tractors:
            ranks = {card[0] for card in lead.cards if card[1] == lead.cards[0][1]}
            self._count(("4" in ranks and "6" in ranks and "5" not in ranks), "run over a removed rank")
        ruffs = 0
        for number, (seat, cards) in enumerate(trick[1:], start=2):
            wins = winner(order, lead, trick[:number]) == seat
            self._see_follow(game, seat, cards)
            if lead.eight is not None:
                self._count(eight_rank(cards) is not None, "eight answered")
                self._count(wins, "eight beaten")
            elif wins and lead.group != TRUMP and order.common_group(cards) == TRUMP:
                ruffs += 1
                self._see_ruff(game, cards, ruffs)

    def _see_ruff(self, game: Game, cards: Sequence[str], number: int) -> None:
        lead = game.lead
        assert lead is not None
        kind = "with a run" if lead.tractors else "without a run"
        if number > 1:
            self.counts[f"over-ruff {kind}"] += 1
        self._count(lead.num_components > 1, f"throw {kind} ruffed")
        self._count(lead.tractors[:1] == (2,) and set(JOKER_RUN) <= set(cards) and len(cards) == 4, "joker run ruffs")

    def _see_follow(self, game: Game, seat: int, cards: Sequence[str]) -> None:
        order, lead = game.order, game.lead
        assert order is not None and lead is not None
        if lead.eight is not None and eight_rank(cards) is not None:
            return
        duties = Duties(order, game.switches, lead, self._hands[seat])
        self._count(0 < len(duties.own) < lead.size, "fewer cards than led")
        pieces = [part for part in duties.owed_covering if part]
        if not pieces:
            return
        runs = [run for run in order.runs(pairs_in(duties.own)) if len(run) > 1]
        given = set(pairs_in(cards))
        self._count(any(0 < len(given & set(run)) < len(run) for run in runs), "own run cut")
        self._count(
            any(part and max(part) < led for part, led in zip(duties.owed_covering, lead.tractors, strict=True)),
            "shorter run owed",
        )
        self._count(any(len(part) > 1 for part in pieces), "two pieces owed")
        self._count(runs == [["LJ", "BJ"]], "joker run drawn out")

    # ---- the end -----------------------------------------------------------------------------------

    def _see_end(self, game: Game) -> None:
        assert game.result is not None
        score = game.result["score"]
        exposing = game.exposing
        self._count(exposing is not None and exposing.num_dealt == 100 and exposing.suit is None, "nobody exposes")
        callers = Counter(seat for seat, _ in game.calls)
        self._count(max(callers.values(), default=0) == 7, "seven calls")
        if score is None:
            passed_out = len(game.passed) == 4 and game.declarer is None
            self.counts["passed out" if passed_out else "forfeit"] += 1
            self._count(passed_out and game.pot > 0 and self._pot[0] == 0, "pot made")
            self._count(passed_out and self._pot[1] == 4, "pot shared in its fifth deal")
        elif game.rules == "hongwu":
            self._see_hongwu(game)
        else:
            self._see_score(game, score)

    def _see_score(self, game: Game, score: int) -> None:
        pot, pot_age = self._pot
        in_play = 200 - points(game.buried)
        if game.captured == in_play and game.captured:
            self.counts["+500" if in_play == 200 else "+250"] += 1
        elif game.captured == 0:
            self.counts["-500"] += 1
        else:
            self._count(game.trump_captured == 50, "all trump points")
            self._count(game.trump_captured == 0, "no trump points")
        if pot and score >= 0:
            self.counts["pot won"] += 1
        elif pot:
            shared = "pot shared in its fifth deal" if pot_age == 4 else "pot doubled"
            self.counts["pot shared at 400" if 2 * pot >= 400 else shared] += 1

    def _see_hongwu(self, game: Game) -> None:
        assert game.order is not None and game.declarer is not None
        self._count("5h" in game.buried, "red five buried")
        cap = game.switches["throw_fine_cap"]
        others = [fine for seat, fine in enumerate(game.fines) if seat != game.declarer]
        self._count(max(others) > cap, "fine above the cap")
        self._count(game.fines[game.declarer] > 0, "fine of the declarer")
        winning = dict(game.tricks[-1])[game.last_winner or 0]
        if game.last_winner == game.declarer:
            self.counts["bottom to the declarer"] += 1
        elif game.order.common_group(winning) == TRUMP:
            self.counts["bottom lost to trump"] += 1
        else:
            self.counts["bottom lost to a side suit"] += 1
