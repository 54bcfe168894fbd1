"""The table as planes of numbers: what covers each cell, and who stands in it.

The grid always has the same shape. Its long side lies along the table's (a table that is higher than wide is turned a
quarter, clockwise), cells are squares, and the table is in its middle; what lies beyond the table is blocked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.appraisal import Goal
from tactician.rules.core.drawing import Area, Drawing
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point

__all__ = ["CELLS", "CROWD", "LONG", "PLANES", "SHORT", "Grid", "crowd", "filled"]

SHORT, LONG = 22, 30
"""Rows and columns: row 0 lies along the own edge of the table, column 0 on the left."""

CELLS = SHORT * LONG

PLANES = ("cover", "blocking", "difficult", "objectives", "own models", "enemy models")

KINDS: dict[str, tuple[str, ...]] = {
    "cover": ("cover",),
    "impassable": ("blocking",),
    "wall": ("blocking",),
    "obstacle": ("cover", "difficult"),
    "gate": ("difficult",),
    "ditch": ("difficult",),
    "hill": ("difficult",),
    "slow ground": ("difficult",),
    "surface": ("difficult",),
    "ramp": ("difficult",),
    "difficult": ("difficult",),
}
"""The planes of every role of an area that lies on the table for good."""

CROWD = 4
"""Models in a cell that are shown as 1."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Grid:
    """The grid over a table of a size."""

    width: Inches
    height: Inches

    @property
    def cell(self) -> Inches:
        """Side of a cell."""
        return max(max(self.width, self.height) / LONG, min(self.width, self.height) / SHORT)

    def cells(self, points: Iterable[Point], turned: bool) -> list[int]:
        """The numbers of the cells in which points lie, row by row.

        Args:
            points: in inches.
            turned: whether the table is seen from its upper edge.
        """
        cell, half_width, half_height = self.cell, self.width / 2, self.height / 2
        is_high, sign = self.height > self.width, -1.0 if turned else 1.0
        found = []
        for a, b in points:
            x, y = sign * (a - half_width), sign * (b - half_height)
            if is_high:
                x, y = y, -x
            column, row = floor(x / cell + LONG / 2), floor(y / cell + SHORT / 2)
            column = 0 if column < 0 else column if column < LONG else LONG - 1
            row = 0 if row < 0 else row if row < SHORT else SHORT - 1
            found.append(row * LONG + column)
        return found

    def corners(self) -> NDArray[np.float64]:
        """The four corners of every cell in inches on the table as it lies, shape (cells, 4, 2)."""
        row, column = np.divmod(np.arange(CELLS), LONG)
        shape = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
        x = (column[:, None] + shape[None, :, 0] - LONG / 2) * self.cell
        y = (row[:, None] + shape[None, :, 1] - SHORT / 2) * self.cell
        if self.height > self.width:
            x, y = -y, x
        return np.stack((x + self.width / 2, y + self.height / 2), axis=2)


def filled(grid: Grid, drawing: Drawing, goals: tuple[Goal, ...]) -> Floats:
    """Shares of every cell that are cover, blocking and difficult, and where objectives are, from the lower edge.

    Returns:
        Shape (4, SHORT, LONG); seen from the upper edge it has to be turned by half a turn.
    """
    import shapely

    cells = shapely.polygons(grid.corners())
    table = shapely.box(0.0, 0.0, grid.width, grid.height)
    areas: dict[str, list[tuple[Point, ...]]] = {name: [] for name in PLANES[:3]}
    for shape in drawing.shapes:
        if isinstance(shape, Area) and shape.role in KINDS and shape.rings:
            for plane in KINDS[shape.role]:
                areas[plane].append(shape.rings[0])
    found = np.zeros((4, CELLS), dtype=np.float64)
    for number, rings in enumerate(areas.values()):
        whole = shapely.union_all([shapely.make_valid(shapely.Polygon(ring)) for ring in rings])
        found[number] = shapely.area(shapely.intersection(whole, cells)) / grid.cell**2
    found[1] += 1.0 - shapely.area(shapely.intersection(table, cells)) / grid.cell**2
    if goals:
        found[3][grid.cells([(goal.x, goal.y) for goal in goals], False)] = 1.0
    return found.round(4).clip(0.0, 1.0).astype(np.float32).reshape(4, SHORT, LONG)


def crowd(plane: memoryview[float], start: int, cells: Iterable[int]) -> None:
    """Show models in a plane that begins somewhere in a row of numbers.

    Args:
        plane: the row, cell after cell from `start` on.
        start: where the plane begins.
        cells: the cells in which models stand, each as often as models stand there.
    """
    for cell in cells:
        at = start + cell
        if plane[at] < 1.0:
            plane[at] += 1.0 / CROWD
