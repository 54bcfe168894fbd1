"""Where the centre of a base may be that must keep touching a raised surface."""

from __future__ import annotations

from itertools import combinations
from math import cos, sin

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, Polygon, contains, merge, near_segment, outline_distance
from tactician.rules.paths import inner

__all__ = ["Apron"]


class Apron:
    """A surface's area widened by the radius of a base: while its centre is in it, the base touches the surface."""

    def __init__(self, outline: Polygon, radius: Inches, slack: Inches) -> None:
        """Keep the outline, the width of the apron and what a computed value may exceed it by."""
        self.outline = outline
        self.radius = radius
        self.slack = slack
        self.reach = radius + slack
        self.rows = [inner.edge_row(*edge, self.reach) for edge in outline.edges]
        self.is_convex = _is_convex(outline)
        self.notches = () if self.is_convex else self._notches()
        """Places where the apron's own border juts in: ways bend there about a point."""

    def touches(self, x: float, y: float) -> bool:
        """Whether a base with this centre touches or overlaps the surface."""
        return contains(self.outline, x, y) or outline_distance(self.outline, x, y) <= self.reach

    def holds(self, x: float, y: float) -> bool:
        """Whether a base with this centre lies on the surface completely."""
        return contains(self.outline, x, y) and outline_distance(self.outline, x, y) >= self.radius - self.slack

    def carries(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """Whether a base keeps touching the surface on a straight leg."""
        if not (self.touches(ax, ay) and self.touches(bx, by)):
            return False
        if self.is_convex:
            return True
        return self._carried(ax, ay, bx, by) >= 1.0

    def carried(self, ax: float, ay: float, dx: float, dy: float, reach: float) -> float:
        """How far along a ray in a unit direction a base keeps touching the surface, at most `reach`."""
        return reach * self._carried(ax, ay, ax + reach * dx, ay + reach * dy) if reach > 0.0 else 0.0

    def _carried(self, ax: float, ay: float, bx: float, by: float) -> float:
        """The fraction of a straight leg before the base first leaves the surface."""
        spans = [near_segment(ax, ay, bx, by, *edge, self.reach) for edge in self.outline.edges]
        last = 0.0
        for low, high in (*merge(span for span in spans if span is not None), (1.0, 1.0)):
            if low > last:
                u = (low + last) / 2
                if not contains(self.outline, ax + (bx - ax) * u, ay + (by - ay) * u):
                    return last
            last = high
        return 1.0

    def off_circle(self, cx: float, cy: float, radius: float) -> list[tuple[float, float]]:
        """The stretches of a circle on which a base would touch the surface no more."""
        return self._stretches(cx, cy, radius, self.rows, whole=False)

    def not_whole(self, cx: float, cy: float, radius: float, margin: float) -> list[tuple[float, float]]:
        """The stretches of a circle on which a base would not lie on the surface completely."""
        rows = [(*row[:6], self.radius - margin) for row in self.rows]
        return self._stretches(cx, cy, radius, rows, whole=True)

    def _stretches(
        self, cx: float, cy: float, radius: float, rows: list[inner.EdgeRow], *, whole: bool
    ) -> list[tuple[float, float]]:
        """Cut a circle where it meets the capsules of the rows and keep the parts that fail."""
        near = inner.merge_blocked([part for row in rows for part in inner.edge_blocked(cx, cy, radius, row)])
        gaps = _gaps(near)
        failed = list(near) if whole else []
        for low, high in gaps:
            middle = (low + high) / 2
            if not contains(self.outline, cx + radius * cos(middle), cy + radius * sin(middle)):
                failed.append((low, high))
        return failed

    def _notches(self) -> tuple[Point, ...]:
        """Crossings of the offset lines and corner circles that lie on the apron's border."""
        crossings: dict[Point, None] = {}
        for one, other in combinations(self.outline.edges, 2):
            for point in _offset_crossings(one, other, self.radius):
                crossings[point] = None
        return tuple(
            (x, y)
            for x, y in crossings
            if not contains(self.outline, x, y) and outline_distance(self.outline, x, y) >= self.radius - 1e-7
        )


def _gaps(stretches: inner.Blocked) -> list[tuple[float, float]]:
    """The stretches of a circle between the given ones."""
    if not stretches:
        return [(0.0, inner.TURN)]
    turned = [*stretches[1:], (stretches[0][0] + inner.TURN, 0.0)]
    pairs = zip(stretches, turned, strict=True)
    return [(high, low) for (_, high), (low, _) in pairs if low > high]


def _is_convex(polygon: Polygon) -> bool:
    """Whether a polygon has no corner that juts in."""
    points = polygon.points
    sides = []
    for i, (x, y) in enumerate(points):
        px, py = points[i - 1]
        nx, ny = points[(i + 1) % len(points)]
        sides.append((x - px) * (ny - y) - (y - py) * (nx - x))
    return all(side >= 0.0 for side in sides) or all(side <= 0.0 for side in sides)


def _offset_crossings(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float], radius: float
) -> list[Point]:
    """Where the lines and circles at a distance from two edges cross."""
    row, second = inner.edge_row(*one, radius), inner.edge_row(*other, radius)
    found = []
    for ax, ay, ux, uy in _offset_lines(row, radius):
        for bx, by, vx, vy in _offset_lines(second, radius):
            cross = ux * vy - uy * vx
            if abs(cross) > 1e-9:
                t = ((bx - ax) * vy - (by - ay) * vx) / cross
                found.append((ax + t * ux, ay + t * uy))
    for (ax, ay, ux, uy), ends in (
        *((line, (other[:2], other[2:])) for line in _offset_lines(row, radius)),
        *((line, (one[:2], one[2:])) for line in _offset_lines(second, radius)),
    ):
        for x, y in ends:
            along, across = (x - ax) * ux + (y - ay) * uy, (y - ay) * ux - (x - ax) * uy
            if -radius < across < radius:
                half = (radius * radius - across * across) ** 0.5
                found += [(ax + (along + s * half) * ux, ay + (along + s * half) * uy) for s in (-1.0, 1.0)]
    for px, py in (one[:2], one[2:]):
        for x, y in (other[:2], other[2:]):
            part = inner.disc_blocked(px, py, radius, x, y, radius)
            if part is not None and part[1] - part[0] < inner.TURN:
                found += [(px + radius * cos(a), py + radius * sin(a)) for a in part]
    return found


def _offset_lines(row: inner.EdgeRow, radius: float) -> tuple[tuple[float, float, float, float], ...]:
    """The two lines beside an edge: a point and the direction."""
    ax, ay, ux, uy, _, _, _ = row
    return (ax - uy * radius, ay + ux * radius, ux, uy), (ax + uy * radius, ay - ux * radius, ux, uy)
