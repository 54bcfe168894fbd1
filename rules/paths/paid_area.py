"""Where bases can come to rest within a budget over ground that costs, as an outline for drawing.

Whether a place is within reach is asked exactly, of `weighted.easiest_each`, at the cells of a grid. Where the answer
changes between neighbouring cells, the border on the line between them is found by halving, each half an exact
answer again: it is right to `STEP` / 2 ** `HALVINGS` inches there, and a tongue of ground narrower than `STEP` may
be missed. What needs no such search is exact everywhere: what can be reached without touching anything that costs
is in, what is too far even if nothing cost anything is out, and so is what is inside an obstacle.

Reference for the outline through cells: W. E. Lorensen and H. E. Cline, "Marching cubes", SIGGRAPH (1987), here in the
plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np
from tactician.rules.core.going import Going
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point
from tactician.rules.paths.arrival import Arrivals, arrivals, reachable_area
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.weighted import easiest_each

if TYPE_CHECKING:
    from shapely import Geometry

__all__ = ["HALVINGS", "STEP", "Source", "paid_area"]

STEP: Inches = 0.5
"""Inches between cells."""

HALVINGS = 4
"""How often the line between two cells is halved to find the border."""

Cell = tuple[int, int]
"""Column and row of the place (column * `STEP`, row * `STEP`)."""

CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The corners of a square of cells, in order."""

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Ways to the neighbours of a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A base that moves: what stands in its way, and where it starts."""

    scene: Scene
    start: Point


def paid_area(sources: Sequence[Source], going: Going, budget: Inches) -> Geometry:
    """Where any of several bases on the table itself can come to rest within a budget.

    Args:
        sources: the bases, all of one radius; what is barred for them stands in their scenes.
        going: what the ground costs.
        budget: inches that each may pay, finite.

    Returns:
        A shapely area; see above for how exact it is.
    """
    import shapely

    ground = replace(going, barred=())
    reaches = [_Reach(one, ground, budget, arrivals(one.scene, one.start, budget)) for one in sources]
    far = shapely.union_all([_outline(one.plain) for one in reaches])
    free = shapely.union_all([_outline(arrivals(_fenced(one, going), one.start, budget)) for one in sources])
    sampled = shapely.intersection(_Cells(reaches, budget).area(), far)
    area = shapely.union(free, sampled)
    radius = sources[0].scene.radius if sources else 0.0
    inside = [shapely.Polygon(fee.outline.points).buffer(radius) for fee in going.fees]
    return shapely.difference(area, shapely.union_all(inside)) if inside else area


def _outline(reach: Arrivals) -> Geometry:
    import shapely

    filled = [shapely.make_valid(shapely.Polygon(ring)) for ring in reachable_area(reach)]
    # a ring within another one is a hole, which the symmetric difference cuts out
    return reduce(shapely.symmetric_difference, filled, shapely.Polygon())


def _fenced(source: Source, going: Going) -> Scene:
    """The scene with everything that costs as a wall."""
    pieces = (*(region.outline for region in going.regions), *(fee.outline for fee in going.fees))
    return replace(source.scene, closed=(*source.scene.closed, *pieces))


@dataclass(frozen=True, slots=True)
class _Reach:
    """What one base reaches."""

    source: Source
    going: Going
    budget: Inches
    plain: Arrivals
    """What it would reach if the ground cost nothing."""

    def reaches(self, points: Sequence[Point]) -> list[bool]:
        """For each place whether there is a way to it that can be paid for, and it may be rested on."""
        found = np.isfinite(self.plain.costs_to(points)) if len(points) else np.zeros(0, dtype=np.bool_)
        near = [number for number, is_near in enumerate(found.tolist()) if is_near]
        source = self.source
        ways = easiest_each(source.scene, self.going, source.start, [points[i] for i in near], self.budget)
        able = {number for number, way in zip(near, ways, strict=True) if way is not None}
        return [number in able for number in range(len(points))]


@dataclass(slots=True)
class _Cells:
    """The grid: answers for cells, and the outline through them."""

    reaches: list[_Reach]
    budget: Inches
    inside: set[Cell] = field(default_factory=set)
    """Cells within reach."""
    borders: dict[tuple[Cell, Cell], Point] = field(default_factory=dict)
    """For neighbours, one within reach and one not, the last place within reach between them."""

    def area(self) -> Geometry:
        """The union of what each square of cells holds."""
        import shapely

        if not self.reaches:
            return shapely.Polygon()
        xs, ys = zip(*(one.source.start for one in self.reaches), strict=True)
        wide = self.budget + STEP
        columns = range(floor((min(xs) - wide) / STEP), ceil((max(xs) + wide) / STEP))
        rows = range(floor((min(ys) - wide) / STEP), ceil((max(ys) + wide) / STEP))
        cells = [(i, j) for i in columns for j in rows]
        self.inside = {cell for cell, is_in in zip(cells, self.answers(_places(cells)), strict=True) if is_in}
        self.halve()
        squares = (self.square(*cell) for cell in cells)
        return shapely.union_all([shapely.make_valid(shapely.Polygon(points)) for points in squares if len(points) > 2])

    def answers(self, points: Sequence[Point]) -> list[bool]:
        """For each place whether some base reaches it; a base is asked only about those that none before it does."""
        found = [False] * len(points)
        for one in self.reaches:
            open_ = [i for i, is_reached in enumerate(found) if not is_reached]
            for i, is_reached in zip(open_, one.reaches([points[i] for i in open_]), strict=True):
                found[i] = is_reached
        return found

    def halve(self) -> None:
        """Find the borders between neighbouring cells, all of them at once."""
        pairs = [
            (cell, (cell[0] + di, cell[1] + dj))
            for cell in sorted(self.inside)
            for di, dj in SIDES
            if (cell[0] + di, cell[1] + dj) not in self.inside
        ]
        low, high = _places([cell for cell, _ in pairs]), _places([cell for _, cell in pairs])
        for _ in range(HALVINGS):
            middles = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in zip(low, high, strict=True)]
            for i, is_in in enumerate(self.answers(middles)):
                (low if is_in else high)[i] = middles[i]
        self.borders = dict(zip(pairs, low, strict=True))

    def square(self, i: int, j: int) -> list[Point]:
        """The part of a square of cells within reach, as corners in order."""
        found: list[Point] = []
        cells = [(i + di, j + dj) for di, dj in CORNERS]
        for cell, after in zip(cells, (*cells[1:], cells[0]), strict=True):
            found += _places([cell]) if cell in self.inside else []
            border = self.borders.get((cell, after)) or self.borders.get((after, cell))
            found += [border] if border is not None else []
        return found


def _places(cells: Sequence[Cell]) -> list[Point]:
    return [(i * STEP, j * STEP) for i, j in cells]
