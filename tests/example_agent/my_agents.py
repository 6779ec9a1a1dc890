"""An agent of a third party: all there is to it, `docs/agents.md` tells what for."""

import numpy as np


class Lowest:
    """Takes the legal action with the lowest number."""

    name = "lowest"
    cheats = False  # True: `views.state` shows all hands, and every table says so

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew: that many tables, all draws decided by the seed."""

    def act(self, views):
        """One legal action for each row of `views` (baofen.envs.views), an int64 array."""
        return views.action_mask.argmax(1).astype(np.int64)
