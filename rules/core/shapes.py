"""Points, segments and polygons: distances in closed form.

Everything here is plain arithmetic on doubles (``+ - * / sqrt``), so that the same question has the same answer on
every machine. Distances to a polygon are measured to its *outline*; whether a point lies inside is a question of
its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, sqrt

from tactician.rules.core.measure import Inches

__all__ = [
    "Box",
    "Interval",
    "Point",
    "Polygon",
    "clamp",
    "contains",
    "crossings",
    "length",
    "may_be_near",
    "merge",
    "near_point",
    "near_segment",
    "outline_distance",
    "point_segment_distance",
    "polygon_distance",
    "segment_segment_distance",
    "segments_cross",
]

Point = tuple[Inches, Inches]
Interval = tuple[float, float]
"""Fractions from - to of a stretch that is walked between 0 and 1."""

Box = tuple[Inches, Inches, Inches, Inches]
"""Least x, least y, greatest x, greatest y."""

Segment = tuple[Inches, Inches, Inches, Inches]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A simple polygon, its corners in order (either way round), without a repeated last corner."""

    points: tuple[Point, ...]
    box: Box = field(init=False, repr=False, compare=False)
    edges: tuple[Segment, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Derive the bounding box and the edges once."""
        xs = [x for x, _ in self.points]
        ys = [y for _, y in self.points]
        object.__setattr__(self, "box", (min(xs), min(ys), max(xs), max(ys)))
        turned = self.points[1:] + self.points[:1]
        edges = tuple((ax, ay, bx, by) for (ax, ay), (bx, by) in zip(self.points, turned, strict=True))
        object.__setattr__(self, "edges", edges)

    @property
    def area(self) -> float:
        """Square inches, always positive."""
        return abs(sum(ax * by - bx * ay for ax, ay, bx, by in self.edges)) / 2

    @property
    def centre(self) -> Point:
        """The middle of the bounding box."""
        x0, y0, x1, y1 = self.box
        return (x0 + x1) / 2, (y0 + y1) / 2

    def crosses_itself(self) -> bool:
        """Whether two edges that are not neighbours meet, or the outline has no area."""
        edges = self.edges
        count = len(edges)
        for i in range(count):
            for j in range(i + 1, count):
                neighbours = j == i + 1 or (i == 0 and j == count - 1)
                if not neighbours and segment_segment_distance(*edges[i], *edges[j]) == 0.0:
                    return True
        return count < 3 or self.area == 0.0


def clamp(value: float, low: float, high: float) -> float:
    """The value, moved to the nearer end where it lies outside low - high."""
    return low if value < low else high if value > high else value


def length(dx: float, dy: float, dz: float = 0.0) -> float:
    """Length of a vector."""
    return sqrt(dx * dx + dy * dy + dz * dz)


def point_segment_distance(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> Inches:
    """Distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0 if square == 0.0 else ((px - ax) * dx + (py - ay) * dy) / square
    t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    ex, ey = px - ax - t * dx, py - ay - t * dy
    return sqrt(ex * ex + ey * ey)


def _side(ax: float, ay: float, bx: float, by: float, px: float, py: float) -> float:
    """Twice the signed area of the triangle a, b, p: positive where p lies to the left of a - b."""
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


def segments_cross(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> bool:
    """Whether two segments cross at a point inside both."""
    return _side(ax, ay, bx, by, cx, cy) * _side(ax, ay, bx, by, dx, dy) < 0 and (
        _side(cx, cy, dx, dy, ax, ay) * _side(cx, cy, dx, dy, bx, by) < 0
    )


def segment_segment_distance(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> Inches:
    """Distance between two segments; 0 where they touch or cross."""
    if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
        return 0.0
    return min(
        point_segment_distance(ax, ay, cx, cy, dx, dy),
        point_segment_distance(bx, by, cx, cy, dx, dy),
        point_segment_distance(cx, cy, ax, ay, bx, by),
        point_segment_distance(dx, dy, ax, ay, bx, by),
    )


def contains(polygon: Polygon, x: float, y: float) -> bool:
    """Whether a point lies inside the outline (even-odd; on the outline either answer may come)."""
    x0, y0, x1, y1 = polygon.box
    if not (x0 <= x <= x1 and y0 <= y <= y1):
        return False
    inside = False
    for ax, ay, bx, by in polygon.edges:
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def outline_distance(polygon: Polygon, x: float, y: float) -> Inches:
    """Distance of a point from the outline, whichever side it is on."""
    least = inf
    for ax, ay, bx, by in polygon.edges:
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        t = 0.0 if square == 0.0 else ((x - ax) * dx + (y - ay) * dy) / square
        t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
        ex, ey = x - ax - t * dx, y - ay - t * dy
        away = ex * ex + ey * ey
        if away < least:
            least = away
    return sqrt(least)


def may_be_near(polygon: Polygon, x: float, y: float, reach: Inches) -> bool:
    """Whether a point can be within a distance of a polygon at all: a quick look at its bounding box."""
    x0, y0, x1, y1 = polygon.box
    return x0 - reach <= x <= x1 + reach and y0 - reach <= y <= y1 + reach


def polygon_distance(polygon: Polygon, x: float, y: float) -> Inches:
    """Distance of a point from the polygon's area: 0 inside."""
    return 0.0 if contains(polygon, x, y) else outline_distance(polygon, x, y)


def crossings(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, radius: Inches) -> tuple[float, ...]:
    """Fractions of the walk a - b at which it meets a circle about c: none, one or two."""
    dx, dy, fx, fy = bx - ax, by - ay, ax - cx, ay - cy
    square = dx * dx + dy * dy
    half = fx * dx + fy * dy
    root = half * half - square * (fx * fx + fy * fy - radius * radius)
    if square == 0.0 or root < 0.0:
        return ()
    return tuple(t for t in ((-half - sqrt(root)) / square, (-half + sqrt(root)) / square) if 0.0 <= t <= 1.0)


def near_point(ax: float, ay: float, bx: float, by: float, px: float, py: float, radius: Inches) -> Interval | None:
    """The part of the walk a - b that is nearer than `radius` to a point, as fractions; None if no part is."""
    dx, dy = bx - ax, by - ay
    fx, fy = ax - px, ay - py
    square = dx * dx + dy * dy
    free = fx * fx + fy * fy - radius * radius
    if square == 0.0:
        return (0.0, 1.0) if free < 0.0 and radius > 0.0 else None
    half = fx * dx + fy * dy
    root = half * half - square * free
    if root <= 0.0 or radius <= 0.0:
        return None
    root = sqrt(root)
    low, high = (-half - root) / square, (-half + root) / square
    if high <= 0.0 or low >= 1.0:
        return None
    return max(low, 0.0), min(high, 1.0)


def _inside_slab(start: float, step: float, low: float, high: float) -> Interval | None:
    """Fractions t for which start + t * step lies strictly between low and high."""
    if step == 0.0:
        return (0.0, 1.0) if low < start < high else None
    t0, t1 = (low - start) / step, (high - start) / step
    if t0 > t1:
        t0, t1 = t1, t0
    t0, t1 = max(t0, 0.0), min(t1, 1.0)
    return (t0, t1) if t0 < t1 else None


def near_segment(
    ax: float,
    ay: float,
    bx: float,
    by: float,
    cx: float,
    cy: float,
    dx: float,
    dy: float,
    radius: Inches,
) -> Interval | None:
    """The part of the walk a - b nearer than `radius` to the segment c - d: one interval, as a capsule is convex."""
    parts = [near_point(ax, ay, bx, by, cx, cy, radius), near_point(ax, ay, bx, by, dx, dy, radius)]
    ex, ey = dx - cx, dy - cy
    size = length(ex, ey)
    if size > 0.0 and radius > 0.0:
        ex, ey = ex / size, ey / size
        along = _inside_slab((ax - cx) * ex + (ay - cy) * ey, (bx - ax) * ex + (by - ay) * ey, 0.0, size)
        across = _inside_slab((ay - cy) * ex - (ax - cx) * ey, (by - ay) * ex - (bx - ax) * ey, -radius, radius)
        if along is not None and across is not None:
            low, high = max(along[0], across[0]), min(along[1], across[1])
            parts.append((low, high) if low < high else None)
    found = [part for part in parts if part is not None]
    return (min(low for low, _ in found), max(high for _, high in found)) if found else None


def merge(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """The union of intervals, as disjoint intervals in order."""
    merged: list[Interval] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)
