"""Rendering a table, the same for all environments."""

from typing import Any

from gymnasium import logger

from baofen.envs.render.display import table_text
from baofen.envs.render.picture import has_pillow, need_pillow, table_picture
from baofen.envs.table import Table

ANSI, HUMAN, RGB_ARRAY = "ansi", "human", "rgb_array"
RENDER_MODES = (ANSI, HUMAN, RGB_ARRAY)


def render_modes_here() -> list[str]:
    """Return the render modes that can be had: all, without Pillow all but the picture."""
    return [mode for mode in RENDER_MODES if mode != RGB_ARRAY or has_pillow()]


def check_render_mode(render_mode: str | None) -> None:
    """Refuse a render mode that does not exist, or that cannot be had here.

    Raises:
        ValueError: with those that do.
        DependencyNotInstalled: for `rgb_array` without Pillow, with what to install.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
    if render_mode == RGB_ARRAY:
        need_pillow()


def render_table(table: Table, render_mode: str | None) -> Any:
    """Show the whole table, all hands open.

    Returns it as text (`ansi`) or as a picture, uint8 [H, W, 3] (`rgb_array`); `human` prints the text on stdout, an empty
    line after it, and returns None.
    """
    if render_mode is None:
        logger.warn("render() does nothing: the environment was made without a render_mode")
        return None
    if render_mode == RGB_ARRAY:
        return table_picture(table)
    text = table_text(table)
    if render_mode == ANSI:
        return text
    print(text, end="\n\n", flush=True)
    return None
