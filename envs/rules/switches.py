"""House rules that can be chosen: an entry of `SWITCHES` each. Which presets have one, and its default, is theirs.

An entry is named like the field of the core's rule set that it fills (`baofen.envs.core.dtypes.RULES`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from baofen.envs.cards import is_whole
from baofen.envs.core import dtypes as core

OptionValue = str | int | bool

OFF_ON: Mapping[str, int] = MappingProxyType({"off": 0, "on": 1})
"""The words of a switch that is off or on; it takes false and true as well."""


@dataclass(frozen=True, kw_only=True)
class Switch:
    """One house rule: either a choice among words or a number from a range.

    words: each word and the number that the core knows it by; numbers are given by `low`, `high`, `step`.
    source: the section of the rules that it belongs to.
    at_least, at_most: switches of numbers that bound this one; a value below is refused, one above counts as the bound.
    """

    meaning: str
    source: str
    words: Mapping[str, int] | None = None
    low: int = 0
    high: int = 0
    step: int = 1
    at_least: str = ""
    at_most: str = ""

    def allowed(self) -> str:
        """Return what may be given, in words."""
        if self.words:
            return " | ".join(self.words)
        multiples = f", multiples of {self.step}" if self.step > 1 else ""
        return f"a whole number {self.low} .. {self.high}{multiples}"

    def parse(self, value: object) -> int:
        """Return the number that the core sees for a value.

        Raises:
            ValueError: if the value is not allowed.
        """
        if self.words:
            if isinstance(value, bool) and self.words == OFF_ON:
                return int(value)
            if isinstance(value, str) and value in self.words:
                return self.words[value]
        elif is_whole(value) and self._holds(int(value)):
            return int(value)
        raise ValueError(f"must be {self.allowed()}, not {value!r}")

    def normal(self, value: object) -> OptionValue:
        """Return the one way in which a value is kept: its word, or a plain number.

        Raises:
            ValueError: if the value is not allowed.
        """
        number = self.parse(value)
        return number if self.words is None else next(word for word in self.words if self.words[word] == number)

    def _holds(self, number: int) -> bool:
        return self.low <= number <= self.high and number % self.step == 0


SWITCHES: dict[str, Switch] = {
    "follow_shape": Switch(
        meaning="strict: tractors and pairs must be followed; suit_only: only the number of cards of the group",
        source="1.1",
        words={"strict": core.STRICT, "suit_only": core.SUIT_ONLY},
    ),
    "tractor_follow": Switch(
        meaning="longest: the longest runs at hand are owed; exact: only a run as long as the one led; pairs: no tractor duty",
        source="1.1",
        words={"longest": core.LONGEST, "exact": core.EXACT, "pairs": core.PAIRS_ONLY},
    ),
    "joker_tractor": Switch(
        meaning="demoted: LJLJ BJBJ follows as the lowest run; high: it is the highest; none: it is no run",
        source="2",
        words={"demoted": core.DEMOTED, "high": core.HIGH, "none": core.NONE},
    ),
    "eights": Switch(meaning="all eight cards of a rank may be led as one unit", source="2", words=OFF_ON),
    "throw_forced": Switch(
        meaning="what a failed throw leads: the beatable component with the lowest card, or the one of fewest cards",
        source="1.3",
        words={"lowest_rank": core.LOWEST_RANK, "single_first": core.SINGLE_FIRST},
    ),
    "throw_penalty_count": Switch(
        meaning="a failed throw costs 3 points for each card in beaten components, or for all cards thrown",
        source="1.3",
        words={"beaten": core.BEATEN, "all": core.ALL},
    ),
    "throw_penalty_to": Switch(
        meaning="who gets the fine of a failed throw: nobody, or the opponents (a third each, or all of it the declarer)",
        source="1.3",
        words={"nobody": core.TO_NOBODY, "opponents": core.TO_OPPONENTS},
    ),
    "throw_equal": Switch(
        meaning="a throw whose lowest card is equalled outside stands or fails",
        source="4",
        words={"stands": core.STANDS, "fails": core.FAILS},
    ),
    "throw_fine_levels": Switch(meaning="levels for each beaten card of a failed throw", source="4", high=100),
    "throw_fine_cap": Switch(meaning="most levels of fines a defender pays in a deal", source="4", high=1000),
    "bid_min": Switch(meaning="the lowest call", source="2, 3, 4", low=70, high=200, step=5),
    "bid_step": Switch(
        meaning="calls are bid_min and so many points more, again and again", source="2, 3, 4", low=5, high=130, step=5
    ),
    "opening_max": Switch(
        meaning="the highest first call of a deal",
        source="2, 3, 4",
        low=70,
        high=200,
        step=5,
        at_least="bid_min",
        at_most="bid_max",
    ),
    "bid_max": Switch(
        meaning="the highest call; it ends the auction", source="2, 3, 4", low=70, high=200, step=5, at_least="bid_min"
    ),
    "all_pass": Switch(
        meaning="if nobody calls: points go into a pot, the first caller pays the others, or he must declare",
        source="2, 3",
        words={"pot": core.POT, "direct": core.DIRECT, "forced": core.FORCED},
    ),
    "direct_points": Switch(
        meaning="what the first caller pays with all_pass = direct; each other player gains as much",
        source="2",
        high=1000,
    ),
    "settlement": Switch(
        meaning="the declarer gets the score, or three times the score so that the sum is zero",
        source="2",
        words={"literal": core.LITERAL, "zero_sum": core.ZERO_SUM},
    ),
    "trump_bonus_counts_buried": Switch(
        meaning="the +50 needs only the trump points that are in play", source="2", words=OFF_ON
    ),
    "red5_bonus": Switch(meaning="points for a caught red five", source="4", high=1000),
    "red5_mode": Switch(
        meaning="the bonus is on top of the 5 points of the card, or replaces them",
        source="4",
        words={"additive": core.ADDITIVE, "replace": core.REPLACE},
    ),
}
