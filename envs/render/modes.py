"""Rendering a table, the same for all environments."""

from typing import Any

from gymnasium import logger

from baofen.envs.render.display import table_text
from baofen.envs.render.picture import table_picture
from baofen.envs.table import Table

RENDER_MODES = ("ansi", "rgb_array")


def check_render_mode(render_mode: str | None) -> None:
    """Refuse a render mode that does not exist.

    Raises:
        ValueError: with those that do.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}")


def render_table(table: Table, render_mode: str | None) -> Any:
    """Return the whole table, all hands open: as text (`ansi`) or as a picture, uint8 [H, W, 3] (`rgb_array`)."""
    if render_mode is None:
        logger.warn("render() does nothing: the environment was made without a render_mode")
        return None
    return table_text(table) if render_mode == "ansi" else table_picture(table)
