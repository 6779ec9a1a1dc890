"""The 36 titles of Bao Hong Wu: each needs a number of points won in all (`rules.md` section 4).

They have no effect on play. A level is a point, so what an agent has won at one seat over many deals gives its title.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baofen.training.arena.matches import Results

TITLES: tuple[tuple[int, str], ...] = (
    (15, "村民"),
    (60, "小组长"),
    (120, "村办主任"),
    (200, "村长"),
    (350, "村委书记"),
    (550, "街道干事"),
    (800, "街道人大"),
    (1200, "街道副主任"),
    (1800, "街道主任"),
    (2600, "街道书记"),
    (3600, "副局"),
    (4800, "正局"),
    (6200, "区政协"),
    (7800, "区人大"),
    (9600, "副区长"),
    (11600, "区长"),
    (14000, "区委书记"),
    (16800, "副处"),
    (19800, "正处"),
    (23300, "市政协"),
    (26800, "市人大"),
    (31300, "副市长"),
    (36800, "市长"),
    (44800, "市委书记"),
    (53800, "副厅"),
    (63800, "正厅"),
    (74800, "省政协"),
    (86800, "省人大"),
    (99800, "副省长"),
    (113800, "省长"),
    (128800, "省委书记"),
    (146800, "全国政协"),
    (167800, "全国人大"),
    (191800, "国务院副总理"),
    (219800, "国务院总理"),
    (219801, "国家元首"),
)
NO_TITLE = "-"


@dataclass(frozen=True)
class Standing:
    """What an agent has won at one seat against others, in how many games, and the title for it."""

    agent: str
    games: int
    points: int
    title: str


def title_for(points: int) -> str:
    """Return the highest title that some points are enough for.

    >>> [title_for(points) for points in (14, 15, 59, 60)]
    ['-', '村民', '村民', '小组长']
    """
    place = bisect_right([needed for needed, _ in TITLES], points)
    return TITLES[place - 1][1] if place else NO_TITLE


def standings(results: Results, labels: Sequence[str]) -> list[Standing]:
    """Return what each agent has won at a seat of its own among others, most first."""
    points: dict[int, int] = {}
    games: dict[int, int] = {}
    for lineup, outcomes in results.outcomes.items():
        if lineup.seat is not None and lineup.alone != lineup.others:
            won = int(np.sum(outcomes["rewards"][:, lineup.seat], dtype=np.int64))
            points[lineup.alone] = points.get(lineup.alone, 0) + won
            games[lineup.alone] = games.get(lineup.alone, 0) + len(outcomes)
    order = sorted(points, key=lambda who: -points[who])
    return [Standing(labels[who], games[who], points[who], title_for(points[who])) for who in order]
