"""Pictures of a table for learners and those who watch them: pixels, or characters for the terminal.

Both are painted from what the rules say is on the table; pictures to scale with a legend are the business of the
command line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.drawing import Area, Circle, Drawing, Line
from tactician.rules.core.forms import nearest
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State

if TYPE_CHECKING:
    from PIL import ImageDraw

__all__ = ["MODES", "Pixels", "Rendered", "check_mode", "pixels", "rendered", "text"]

MODES = ("human", "rgb_array", "ansi")

Pixels = NDArray[np.uint8]
"""Rows from above, columns from the left, red, green and blue."""

Rendered = Pixels | str | None

LONG_EDGE = 640
"""Pixels of the table's longer side."""

PAPER, INK = "#fbfaf6", "#3a3f45"

SIDE_TONES = dict(zip(SIDES, ("#c8451b", "#1170b8"), strict=True))

FILLS = {
    "impassable": "#8b9097",
    "wall": "#33373c",
    "obstacle": "#6d737b",
    "gate": "#cdd0d4",
    "ditch": "#b9a88c",
    "slow ground": "#cfdedd",
    "hill": "#ead9b8",
    "cover": "#d5e3c0",
    "surface": "#ead9b8",
    "ramp": "#f2e7cf",
    "objective": "#f2c230",
}
"""Colours of what is filled; anything else on the table is outlined."""

CHARACTERS = {
    "impassable": "#",
    "wall": "#",
    "obstacle": "%",
    "gate": ":",
    "ditch": "_",
    "slow ground": "~",
    "hill": "^",
    "cover": '"',
    "surface": "=",
    "ramp": "/",
    "objective": "*",
}
"""What stands for an area or a spot in the terminal."""


def check_mode(mode: str | None) -> str | None:
    """A render mode, if it is one.

    Raises:
        ValueError: it is none.
    """
    if mode is not None and mode not in MODES:
        raise ValueError(f"there is no render mode {mode!r}{nearest(mode, MODES)}")
    return mode


def rendered(mode: str | None, ruleset: Ruleset, state: State) -> Rendered:
    """A moment in a render mode; None where there is none, and for ``human``, which writes to the terminal."""
    if mode is None:
        return None
    drawing = ruleset.describe(state)
    if mode == "rgb_array":
        return pixels(drawing)
    page = text(drawing)
    if mode == "ansi":
        return page
    sys.stdout.write(f"{page}\n")
    sys.stdout.flush()
    return None


# ---- pixels ----------------------------------------------------------------------------------------------------------


def pixels(drawing: Drawing) -> Pixels:
    """A drawing as pixels; the same drawing gives the same pixels."""
    from PIL import Image, ImageDraw

    scale = LONG_EDGE / max(drawing.width, drawing.height)
    size = round(drawing.width * scale), round(drawing.height * scale)
    image = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(image)
    for shape in drawing.shapes:
        if isinstance(shape, Area):
            _paint_area(pen, shape, drawing.height, scale)
        elif isinstance(shape, Circle):
            _paint_circle(pen, shape, drawing.height, scale)
        elif isinstance(shape, Line):
            points = [(x * scale, (drawing.height - y) * scale) for x, y in shape.points]
            pen.line(points, fill=SIDE_TONES.get(shape.side, INK))
    return np.array(image, dtype=np.uint8)


def _paint_area(pen: ImageDraw.ImageDraw, area: Area, height: float, scale: float) -> None:
    fill = FILLS.get(area.role)
    for number, ring in enumerate(area.rings):
        points = [(x * scale, (height - y) * scale) for x, y in ring]
        inside = fill if number == 0 else PAPER
        pen.polygon(points, fill=inside if fill else None, outline=SIDE_TONES.get(area.side, INK))


def _paint_circle(pen: ImageDraw.ImageDraw, circle: Circle, height: float, scale: float) -> None:
    x, y, radius = circle.centre[0] * scale, (height - circle.centre[1]) * scale, circle.radius * scale
    tone = SIDE_TONES.get(circle.side, INK)
    fill = tone if circle.role == "base" else FILLS.get(circle.role)
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=INK if fill else tone)


# ---- characters ------------------------------------------------------------------------------------------------------


def text(drawing: Drawing) -> str:
    """A drawing as lines of text: a character an inch across and two inches down, north above.

    Bases are the first letter of their side, in capitals; the title stands above, the caption below.
    """
    columns, rows = max(1, round(drawing.width)), max(1, round(drawing.height / 2))
    grid = [["."] * columns for _ in range(rows)]
    for shape in drawing.shapes:
        mark = CHARACTERS.get(getattr(shape, "role", ""))
        if isinstance(shape, Area) and mark is not None:
            for row, column in _cells(shape, drawing, rows, columns):
                grid[row][column] = mark
        elif isinstance(shape, Circle) and (shape.role == "base" or mark is not None):
            row = min(max(int((drawing.height - shape.centre[1]) / drawing.height * rows), 0), rows - 1)
            column = min(max(int(shape.centre[0] / drawing.width * columns), 0), columns - 1)
            grid[row][column] = mark or shape.side[:1].upper() or "o"
    return "\n".join([drawing.title, *("".join(row) for row in grid), *drawing.caption])


def _cells(area: Area, drawing: Drawing, rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """Cells whose middle lies in an area, by the even-odd rule over all its rings."""
    for row in range(rows):
        y = drawing.height * (1 - (row + 0.5) / rows)
        for column in range(columns):
            x = drawing.width * (column + 0.5) / columns
            if sum(_crossings(ring, x, y) for ring in area.rings) % 2:
                yield row, column


def _crossings(ring: tuple[tuple[float, float], ...], x: float, y: float) -> int:
    """How often a ray to the right of a point meets a ring."""
    count = 0
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            count += 1
    return count
