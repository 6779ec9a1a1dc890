"""Reference pages made from the tables in the code: `make regenerate` writes them.

A test holds the committed pages equal to what this module makes.
"""

from collections.abc import Sequence

from baofen.envs.actions import CALL, COMMIT, EIGHT, NUM_ACTIONS, PASS, TRUMP, action_name
from baofen.envs.core.known import NUM_TOKENS
from baofen.envs.history import HISTORY_LENGTH
from baofen.envs.observation import OBSERVATION_SIZE, PARTS, STATE_PARTS, STATE_SIZE, Part, offsets
from baofen.envs.rules import PRESETS, SWITCHES


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return "\n".join([_row(head), _row(["---"] * len(head)), *(_row(row) for row in rows)])


def switches_page() -> str:
    """Return the page of all switches: name, values, default in each preset, meaning, source."""
    rows = [
        (
            f"`{name}`",
            switch.allowed(),
            *(str(preset.switches.get(name, "-")) for preset in PRESETS.values()),
            switch.meaning,
            switch.source,
        )
        for name, switch in SWITCHES.items()
    ]
    return (
        "# Switches\n\n"
        "House rules that can be chosen. A `-` says that a switch means nothing in a preset: it is refused there.\n"
        "*Source* is the section of the rules that the switch belongs to: 1.1 following, 1.3 throws, 2 `suzhou`,\n"
        "3 `exposure`, 4 `hongwu`.\n\n"
        + _table(["switch", "values", *PRESETS, "meaning", "source"], rows)
        + "\n\n`on` and `off` may also be given as true and false.\n"
    )


def _parts_table(parts: Sequence[Part]) -> str:
    starts = offsets(parts)
    rows = [
        (
            f"`{part.name}`",
            f"{starts[part.name]} .. {starts[part.name] + part.size - 1}",
            " x ".join(str(length) for length in part.shape),
            f"{part.scale:g}" + (f", zero at {part.zero}" if part.zero else ""),
            part.meaning,
        )
        for part in parts
    ]
    return _table(["part", "bytes", "shape", "scale", "meaning"], rows)


def observation_page() -> str:
    """Return the page of the observation, the state and the action space."""
    ranges = [
        ("0 .. 53", "pick a card", f"{action_name(0)} .. {action_name(COMMIT - 1)}"),
        (COMMIT, "commit a lead, or the exposure of a single 2", action_name(COMMIT)),
        (f"{EIGHT} .. {PASS - 1}", "lead or answer an eight", f"{action_name(EIGHT)} .. {action_name(PASS - 1)}"),
        (PASS, "pass", action_name(PASS)),
        (f"{CALL} .. {TRUMP - 1}", "call", f"{action_name(CALL)} .. {action_name(TRUMP - 1)}"),
        (f"{TRUMP} .. {NUM_ACTIONS - 1}", "name trump", f"{action_name(TRUMP)} .. {action_name(NUM_ACTIONS - 1)}"),
    ]
    return (
        "# Observation, state and actions\n\n"
        f"The observation is a uint8 vector of {OBSERVATION_SIZE} bytes: what one seat may know, with seats relative to\n"
        "it (0 the observer, 1 the next in playing order). A learner may use `(value - zero) / scale`. Faces are numbered\n"
        "suit by suit, s h c d, each 2 3 ... K A, then LJ, BJ; groups are the side suits s h c d and trump.\n\n"
        + _parts_table(PARTS)
        + f"\n\n## State\n\n`state()` is a uint8 vector of {STATE_SIZE} bytes with everything, seats absolute.\n\n"
        + _parts_table(STATE_PARTS)
        + f"\n\n## Actions\n\nOne `Discrete({NUM_ACTIONS})` for all presets.\n\n"
        + _table(["actions", "meaning", "names"], ranges)
        + "\n\n## History\n\n"
        "For sequence models, `baofen_v0.env(history_tokens=True)` adds `history_tokens` to each observation, and `Table`,\n"
        f"`VectorTables` and agents' views have a method of that name: int16 [{HISTORY_LENGTH}], the actions of the deal that the\n"
        f"seat knows, oldest first. A token is 1 + {NUM_ACTIONS} * seat + action, with seats relative to the observer, 0 .. 3; 0 stands\n"
        f"behind the last, so there are {NUM_TOKENS} tokens in all. Not in it are passes of others while cards are dealt, cards that\n"
        "others buried, and cards that another has picked and not committed; the cards of one selection are in ascending order.\n"
        "Of a throw there is what was tried: that it failed and what was led instead is in the observation (`lead_is_forced`, `trick`).\n"
    )


PAGES = {"switches.md": switches_page, "observation.md": observation_page}
