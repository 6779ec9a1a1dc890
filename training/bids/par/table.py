"""Par tables: how every (seat, trump) of a deal comes out under the reference player, the family's double-dummy table.

A file (npz) holds `facts` (JSON), `outcomes` uint8 [deals, 4 seats, 4 trumps, play-outs] (`agents.bids.outcomes`) and
`named` int8 [deals, 4], the trump that each seat would name. The deals themselves follow from the seed.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.agents.bids.contracts import play_all_contracts
from baofen.agents.bids.outcomes import Prices
from baofen.agents.bids.reference import reference_name, reference_variants
from baofen.envs.core.dtypes import TABLE
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.writing import replacing
from baofen.training.bids.auction_deals import number_deals

FORMAT = "baofen-par/1"
CHUNK_DEALS = 250
SHIPPED = Path(__file__).with_name("par-suzhou-v1.npz")
"""10,000 deals of the preset `suzhou`."""


class ParFileError(ValueError):
    """A par file that cannot be used, with the file and the reason."""


@dataclass(frozen=True, eq=False)
class ParTable:
    """The outcomes of some deals; see the top of this module.

    reference: who played; split, seed: of which deals; decks: a fingerprint of them.
    """

    rules: Rules
    reference: str
    split: str
    seed: int
    decks: str
    outcomes: NDArray[np.uint8]
    named: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.outcomes)

    @cached_property
    def prices(self) -> Prices:
        """What the outcomes are worth."""
        return Prices(self.rules)

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return expected captured points and their standard errors, float [deals, 4 seats, 4 trumps]."""
        return self._mean(self.prices.points)

    def event(self, event: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the chance of a bonus event (`outcomes.Event`) and its standard error, float [deals, 4, 4]."""
        return self._mean((self.prices.event == event).astype(np.float64))

    def scores(self, target: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the expected score of a call and its standard error, float [deals, 4, 4]."""
        return self._mean(self.prices.scores(target))

    def as_named(self) -> NDArray[np.uint8]:
        """Return the outcomes with the trump that each seat would name, uint8 [deals, 4, play-outs]."""
        deals = np.arange(len(self))[:, None]
        return self.outcomes[deals, np.arange(4)[None], self.named]

    def deals(self) -> NDArray[np.void]:
        """Return the deals, TABLE [deals], at their beginning.

        Raises:
            ParFileError: if this version deals other cards from the seed.
        """
        tables = number_deals(self.rules, self.seed, self.split, 0, len(self))
        if fingerprint(tables) != self.decks:
            raise ParFileError("the deals of the par table are not those that this version deals")
        return tables

    def _mean(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        each = values[self.outcomes]
        count = each.shape[-1]
        return each.mean(-1), each.std(-1) / np.sqrt(max(count - 1, 1))


def fingerprint(tables: NDArray[np.void]) -> str:
    """Return a short hash of the decks and first callers of deals."""
    digest = hashlib.sha256(np.ascontiguousarray(tables["deck"]).tobytes())
    digest.update(np.ascontiguousarray(tables["first_caller"]).tobytes())
    return digest.hexdigest()[:16]


def make_par(
    rules: Rules,
    num_deals: int,
    seed: int = 0,
    *,
    split: str = "par",
    playouts: int = 8,
    progress: Callable[[int], None] = lambda deals: None,
) -> ParTable:
    """Play the par table of deals number 0 .. of a seed; `progress` is told how many more are done."""
    tables = number_deals(rules, seed, split, 0, num_deals)
    variants = reference_variants(playouts)
    scratch: Any = np.zeros(2, TABLE)
    outcomes = np.zeros((num_deals, 4, 4, playouts), np.uint8)
    named = np.zeros((num_deals, 4), np.int8)
    for first in range(0, num_deals, CHUNK_DEALS):
        part = slice(first, first + CHUNK_DEALS)
        play_all_contracts(tables[part], rules.record, variants, scratch, outcomes[part], named[part])
        progress(len(outcomes[part]))
    return ParTable(rules, reference_name(), split, seed, fingerprint(tables), outcomes, named)


def save_par(table: ParTable, path: Path) -> None:
    """Write a par table, whole or not at all."""
    facts = {
        "format": FORMAT,
        "rules": table.rules.preset,
        "options": dict(table.rules.options),
        "reference": table.reference,
        "split": table.split,
        "seed": table.seed,
        "decks": table.decks,
    }
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, facts=np.array(json.dumps(facts)), outcomes=table.outcomes, named=table.named)


def load_par(path: Path = SHIPPED) -> ParTable:
    """Read a par table, by default the shipped one.

    Raises:
        ParFileError: if the file holds none.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            facts: Mapping[str, Any] = json.loads(str(file["facts"]))
            outcomes, named = file["outcomes"], file["named"]
    except (OSError, ValueError, KeyError) as error:
        raise ParFileError(f"{path} holds no par table: {error}") from None
    if facts.get("format") != FORMAT:
        raise ParFileError(f"{path}: not a par table of format {FORMAT}")
    options: dict[str, OptionValue] = facts["options"]
    rules = Rules(facts["rules"], options)
    return ParTable(rules, facts["reference"], facts["split"], facts["seed"], facts["decks"], outcomes, named)
