"""Small questions about polylines and boxes that placing and painting share; points are (x, y) in inches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tactician.rules.core.measure import Inches

__all__ = ["Box", "Point", "is_inside", "length_of", "pieces_of", "point_along", "segment_meets_box", "shortened"]

Point = tuple[Inches, Inches]


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle on the table, y upward."""

    left: Inches
    bottom: Inches
    right: Inches
    top: Inches

    @classmethod
    def around(cls, centre: Point, width: Inches, height: Inches) -> Box:
        """The box of this size about its centre."""
        x, y = centre
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def centre(self) -> Point:
        """Its middle."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    def intersects(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )

    def contains(self, other: Box) -> bool:
        """Whether the other lies inside, edges included."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.bottom <= other.bottom
            and other.top <= self.top
        )

    def nearest(self, point: Point) -> Point:
        """The point of the box nearest to a point."""
        return min(max(point[0], self.left), self.right), min(max(point[1], self.bottom), self.top)

    def distance(self, point: Point) -> Inches:
        """From a point to the box, 0 inside."""
        return math.dist(point, self.nearest(point))


def length_of(points: Sequence[Point]) -> Inches:
    """Length of a polyline."""
    return sum(math.dist(a, b) for a, b in pairwise(points))


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def point_along(points: Sequence[Point], distance: Inches) -> Point:
    """The point this far along a polyline with at least one point; its ends where the distance lies outside."""
    left = max(distance, 0.0)
    for a, b in pairwise(points):
        step = math.dist(a, b)
        if step > 0 and left <= step:
            return _between(a, b, left / step)
        left -= step
    return points[-1]


def shortened(points: Sequence[Point], start: Inches, end: Inches) -> tuple[Point, ...]:
    """The part of a polyline from `start` along it to `end` before its finish; needs ``start + end < length``."""
    last = length_of(points) - end
    inner: list[Point] = []
    walked = 0.0
    for a, b in pairwise(points):
        walked += math.dist(a, b)
        if start < walked < last:
            inner.append(b)
    return (point_along(points, start), *inner, point_along(points, last))


def pieces_of(points: Sequence[Point], longest: Inches) -> list[tuple[Point, Point]]:
    """A polyline cut into straight pieces no longer than `longest`."""
    pieces: list[tuple[Point, Point]] = []
    for a, b in pairwise(points):
        count = max(1, math.ceil(math.dist(a, b) / longest))
        stops = [_between(a, b, index / count) for index in range(count + 1)]
        pieces.extend(pairwise(stops))
    return pieces


def segment_meets_box(a: Point, b: Point, box: Box) -> bool:
    """Whether a segment touches a box, by clipping its parameter range (Liang and Barsky 1984)."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    first, last = 0.0, 1.0
    for step, room in (
        (-dx, a[0] - box.left),
        (dx, box.right - a[0]),
        (-dy, a[1] - box.bottom),
        (dy, box.top - a[1]),
    ):
        if step == 0:
            if room < 0:
                return False
        elif step < 0:
            first = max(first, room / step)
        else:
            last = min(last, room / step)
    return first <= last


def is_inside(point: Point, ring: Sequence[Point]) -> bool:
    """Whether a point lies inside a polygon, by the parity of crossings to its right."""
    x, y = point
    inside = False
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (a[1] > y) != (b[1] > y) and x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]):
            inside = not inside
    return inside
