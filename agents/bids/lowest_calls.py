"""What tables in the auction allow, for many at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baofen.envs.rules import Rules


def lowest_calls(state: NDArray[np.void] | np.void, rules: Rules) -> NDArray[np.int64]:
    """Return the lowest target that may be called at each table, [n]; one beyond the highest where none may be."""
    last: Any = state["last_call"].astype(np.int64)
    return np.where(last > 0, last + rules.number("bid_step"), rules.number("bid_min"))


def may_call(state: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Return where a call is allowed at all, [n]."""
    return lowest_calls(state, rules) <= rules.number("bid_max")
