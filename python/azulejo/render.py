"""States as texts and pictures."""

from __future__ import annotations

import numpy as np

from ._azulejo import State

_CELL = (9, 18)
"""The width and height of a letter in pixels."""
_PAPER, _INK = (24, 26, 32), (200, 204, 212)
_COLORS = {
    "B": (66, 135, 245),
    "Y": (245, 196, 66),
    "R": (230, 70, 70),
    "K": (120, 124, 140),
    "W": (245, 245, 245),
    "G": (70, 180, 100),
    "P": (165, 95, 215),
    "O": (245, 140, 50),
}
"""The tiles' colors by their letters, as far as the games name them so."""


def draw(state: State, mode: str | None) -> str | np.ndarray | None:
    """The state in a render mode: ``"ansi"`` a text, ``"rgb_array"`` a picture of it, ``None`` nothing."""
    if mode is None:
        return None
    if mode == "ansi":
        return str(state)
    if mode == "rgb_array":
        return picture(str(state))
    raise ValueError(f"render_mode: found {mode!r}, expected 'ansi' or 'rgb_array'")


def picture(text: str) -> np.ndarray:
    """A text, letter by letter in a grid, as an array of (height, width, 3) of uint8; capital letters of tiles have
    their color. Needs Pillow."""
    from PIL import Image, ImageDraw, ImageFont

    lines = text.splitlines()
    width, height = _CELL
    # All states of all games fit, so that the pictures of a game have one size.
    columns, rows = max([104, *map(len, lines)]), max([32, len(lines)])
    image = Image.new("RGB", (columns * width, rows * height), _PAPER)
    canvas, font = ImageDraw.Draw(image), ImageFont.load_default(14)
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            if letter != " ":
                canvas.text((column * width, row * height), letter, _COLORS.get(letter, _INK), font)
    return np.asarray(image).copy()
