"""`baofen par`: makes a par table with progress on stderr and a summary on stdout."""

from pathlib import Path

import numpy as np

from baofen.agents.bids.outcomes import Event
from baofen.envs.rules import Rules
from baofen.training.bids.par.table import ParTable, make_par, save_par
from baofen.training.errors import UserError
from baofen.training.terminal import progress


def par_main(rules: Rules, *, deals: int, playouts: int, seed: int, out: Path) -> int:
    """Make and write a par table, and say what is in it.

    Raises:
        UserError: if the file cannot be written.
    """
    if out.is_dir():  # told now, not after the work
        raise UserError(f"cannot write {out}: it is a directory")
    with progress("deals", deals) as advance:
        table = make_par(rules, deals, seed, playouts=playouts, progress=advance)
    try:
        save_par(table, out)
    except OSError as error:
        raise UserError(f"cannot write {out}: {error.strerror}") from None
    print(summary(table))
    print(f"written to {out}, {out.stat().st_size / 1e6:.2f} MB")
    return 0


def summary(table: ParTable) -> str:
    """Return what a table says about its deals, in three lines."""
    points, errors = table.points()
    chosen = np.take_along_axis(points, table.named[:, :, None].astype(np.int64), 2)[:, :, 0]
    by_event = {event: table.event(event)[0] for event in Event if event}
    events = ", ".join(
        f"{event.name.lower().replace('_', ' ')} {chance.mean():.1%}" for event, chance in by_event.items()
    )
    return (
        f"{len(table)} deals, 4 seats, 4 trumps, {table.outcomes.shape[-1]} play-outs each by {table.reference}\n"
        f"points on average {points.mean():.1f}, with the trump that the seat would name {chosen.mean():.1f}, "
        f"with the best seat and trump {points.reshape(len(table), -1).max(1).mean():.1f}; "
        f"standard error of an entry {errors.mean():.1f}\n"
        f"events: {events}"
    )
