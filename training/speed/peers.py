"""Other packages with card games, measured in the same run as our layers: `baofen speed --peers`.

Each is measured in a process of its own, so that what it imports and sets disturbs nobody.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from baofen.training.speed.grid import Grid, short


@dataclass(frozen=True)
class Peer:
    """A way to play a game of another package.

    package: the distribution whose version is told.
    layer: our layer of the same kind.
    plays_tricks: whether games are as long as a deal of ours, or nearly, so that deals can be compared.
    """

    package: str
    game: str
    through: str
    layer: str
    plays_tricks: bool = False


PEERS: dict[str, Peer] = {
    "openspiel_loop": Peer("open-spiel", "bridge", "evaluate_bots, in C++", "core", True),
    "openspiel_python": Peer("open-spiel", "bridge", "Python, no observation", "core", True),
    "openspiel_observed": Peer("open-spiel", "bridge", "Python, Observation.set_from", "core_observed", True),
    "rlcard_bridge_engine": Peer("rlcard", "bridge", "game, no observation", "core", True),
    "rlcard_bridge": Peer("rlcard", "bridge", "Env.step", "aec_raw", True),
    "rlcard_doudizhu_engine": Peer("rlcard", "doudizhu", "game, no observation", "core", True),
    "rlcard_doudizhu": Peer("rlcard", "doudizhu", "Env.step", "aec_raw", True),
    "pgx_leduc": Peer("pgx", "leduc_holdem", "batch of 1024", "core_observed"),
    "pgx_mahjong": Peer("pgx", "sparrow_mahjong", "batch of 1024", "core_observed"),
    "pettingzoo_raw": Peer("pettingzoo", "texas_holdem", "raw_env", "aec_raw"),
    "pettingzoo": Peer("pettingzoo", "texas_holdem", "env with its wrappers", "aec"),
}
LAYERS_COMPARED = list(dict.fromkeys(["deals", *(peer.layer for peer in PEERS.values())]))
TIME_LIMIT_S = 600


def measured_peers(figures: Mapping[str, float | None], seconds: float) -> dict[str, dict[str, Any]]:
    """Return what is known of each peer, by name.

    figures: our layers as measured in this run; for those missing there are no ratios.

    A peer has `decisions` and `deals` per CPU-second, our `layer` of the same kind and the `ratio` of ours to it, and
    for games of tricks or as long `deals_ratio`; one that could not be measured has `absent`, the reason.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, peer in PEERS.items():
        print(f"measuring {peer.package}: {peer.game}, {peer.through}", file=sys.stderr, flush=True)
        known = _rates(name, seconds)
        if "absent" not in known:
            known |= _ratios(known, peer, figures)
        found[name] = {"package": peer.package, "version": _version(peer.package), **known}
    return found


def _rates(name: str, seconds: float) -> dict[str, Any]:
    """Return the rates of a peer, or why there are none."""
    words = [sys.executable, "-m", "baofen.training.speed.peer_games", name, str(seconds)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=TIME_LIMIT_S)
    except subprocess.TimeoutExpired:
        return {"absent": f"took more than {TIME_LIMIT_S} s"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"absent": f"failed: {last}"}
    rates: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if "absent" in rates:
        return {"absent": f"{rates['absent']} is not installed"}
    return {kind: round(rate, 1) for kind, rate in rates.items()}


def _ratios(rates: Mapping[str, float], peer: Peer, figures: Mapping[str, float | None]) -> dict[str, Any]:
    ratios: dict[str, Any] = {"layer": peer.layer}
    if (ours := figures.get(peer.layer)) is not None:
        ratios["ratio"] = round(ours / rates["decisions"], 2)
    if peer.plays_tricks and (ours := figures.get("deals")) is not None:
        ratios["deals_ratio"] = round(ours / rates["deals"], 2)
    return ratios


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


COLUMNS = {
    "peer and game": False,
    "through": False,
    "decisions": True,
    "our layer": False,
    "ours / theirs": True,
    "games": True,
    "deals / games": True,
}


def peers_grid(found: Mapping[str, Mapping[str, Any]]) -> Grid:
    """Return the table of peers."""
    grid = Grid(COLUMNS)
    for name, known in found.items():
        peer = PEERS[name]
        texts = {
            "peer and game": " ".join(filter(None, (known["package"], known["version"], peer.game))),
            "through": ": ".join(filter(None, (peer.through, known.get("absent")))),
            "decisions": short(known["decisions"]) if "decisions" in known else "",
            "our layer": peer.layer,
            "ours / theirs": short(known["ratio"]) if "ratio" in known else "",
            "games": short(known["deals"]) if "deals" in known else "",
            "deals / games": short(known["deals_ratio"]) if "deals_ratio" in known else "",
        }
        grid.rows.append([texts[column] for column in COLUMNS])
    return grid
