"""What stands in the way of a text: the edge of the table, other texts, bases, and lines it had better not cover."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from tactician.draw.polyline import Box, Point, is_inside, pieces_of, segment_meets_box
from tactician.rules.core.drawing import Area, Circle, Drawing, Line
from tactician.rules.core.measure import Inches

__all__ = ["Ground"]

_CELL: Inches = 2.0
_LINE_COST = 0.35
_MOST_LINES = 5
_SOFT_COST = 0.8
_CROSSED_TEXT_COST = 1.5

Thing = TypeVar("Thing")
Piece = tuple[Point, Point, tuple[Point, ...]]
"""A straight piece and the polyline it comes from."""


class _Buckets(Generic[Thing]):
    """Things by the cells of a coarse grid which their boxes touch; a look-up may meet a thing more than once."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[Thing]] = {}

    def add(self, box: Box, thing: Thing) -> None:
        for cell in _cells_of(box):
            self._cells.setdefault(cell, []).append(thing)

    def near(self, box: Box) -> Iterator[Thing]:
        for cell in _cells_of(box):
            yield from self._cells.get(cell, ())


def _cells_of(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(math.floor(box.left / _CELL), math.floor(box.right / _CELL) + 1):
        for row in range(math.floor(box.bottom / _CELL), math.floor(box.top / _CELL) + 1):
            yield column, row


def _box_of_piece(a: Point, b: Point) -> Box:
    return Box(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))


class Ground:
    """The table as the placing of texts sees it; `occupy` is told every text that has found its place."""

    def __init__(self, drawing: Drawing, pixels_per_inch: float) -> None:
        """Sort the shapes of a drawing into what must not, should not and had better not be covered."""
        self.pixels_per_inch = pixels_per_inch
        self._table = Box(0.0, 0.0, drawing.width, drawing.height)
        self._texts: _Buckets[Box] = _Buckets()
        self._bases: _Buckets[Circle] = _Buckets()
        self._soft: _Buckets[Circle] = _Buckets()
        self._blocks: list[Sequence[Point]] = []
        self._lines: _Buckets[Piece] = _Buckets()
        for shape in drawing.shapes:
            if isinstance(shape, Circle) and shape.role in ("base", "objective", "ghost"):
                box = Box.around(shape.centre, 2 * shape.radius, 2 * shape.radius)
                (self._bases if shape.role == "base" else self._soft).add(box, shape)
            elif isinstance(shape, Area) and shape.role == "base" and shape.rings and shape.rings[0]:
                self._blocks.append(shape.rings[0])
            elif isinstance(shape, Line) and shape.points:
                self._add_line(shape.points)

    def _add_line(self, points: tuple[Point, ...]) -> None:
        for a, b in pieces_of(points, _CELL):
            self._lines.add(_box_of_piece(a, b), (a, b, points))

    def inches(self, pixels: float) -> Inches:
        """A length on the page as a length on the table."""
        return pixels / self.pixels_per_inch

    def occupy(self, box: Box, leader: tuple[Point, Point] | None) -> None:
        """Remember a text and the line that leads from it."""
        self._texts.add(box, box)
        if leader is not None:
            self._add_line(leader)

    def is_free(self, box: Box) -> bool:
        """Whether a box lies on the table and overlaps no text."""
        return self._table.contains(box) and not any(box.intersects(other) for other in self._texts.near(box))

    def disc_at(self, point: Point) -> Circle | None:
        """The base, or else the objective or ghost, on which a point lies, if any."""
        spot = Box.around(point, 0.0, 0.0)
        discs = (*self._bases.near(spot), *self._soft.near(spot))
        return next((each for each in discs if math.dist(each.centre, point) <= each.radius), None)

    def covers_base(self, box: Box) -> bool:
        """Whether a box hides a part of a model."""
        if any(box.distance(base.centre) < base.radius for base in self._bases.near(box)):
            return True
        return any(
            is_inside(box.centre, ring) or any(segment_meets_box(a, b, box) for a, b in _edges(ring))
            for ring in self._blocks
        )

    def lies_within(self, box: Box, ring: Sequence[Point]) -> bool:
        """Whether a box lies inside a polygon altogether."""
        return is_inside(box.centre, ring) and not any(segment_meets_box(a, b, box) for a, b in _edges(ring))

    def cost(self, box: Box, leader: tuple[Point, Point] | None, *, own: tuple[Point, ...]) -> float:
        """How much is lost by a text in this box: lines and marks covered, texts crossed by its leader."""
        lines = sum(1 for a, b, line in self._lines.near(box) if line is not own and segment_meets_box(a, b, box))
        soft = sum(1 for each in self._soft.near(box) if box.distance(each.centre) < each.radius)
        return _LINE_COST * min(lines, _MOST_LINES) + _SOFT_COST * min(soft, 2) + self._crossed(leader)

    def _crossed(self, leader: tuple[Point, Point] | None) -> float:
        if leader is None:
            return 0.0
        for a, b in pieces_of(leader, _CELL):
            reach = _box_of_piece(a, b)
            if any(segment_meets_box(a, b, box) for box in self._texts.near(reach)):
                return _CROSSED_TEXT_COST
        return 0.0


def _edges(ring: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)
