"""Obstacles that cost a fee, as the centre of a base meets them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactician.rules.core.arcs import Arc
from tactician.rules.core.going import Fee
from tactician.rules.core.legs import Bend, Straight
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import (
    Box,
    Interval,
    Point,
    Polygon,
    contains,
    length,
    merge,
    near_segment,
    outline_distance,
)
from tactician.rules.paths import inner
from tactician.rules.paths.convex import clean
from tactician.rules.paths.scene import LEAST, circle_blocked, convex_corners

__all__ = ["Obstacle", "obstacle_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """A fee as the base's centre meets it."""

    outline: Polygon
    inches: Inches
    reach: Inches
    """Centres nearer to the outline than this overlap it."""
    box: Box
    edges: tuple[inner.EdgeRow, ...]
    circles: tuple[tuple[float, float, float], ...]
    """The corners that a way round the obstacle bends about."""
    blocked: tuple[inner.Blocked, ...]
    """The stretches of each circle on which the base overlaps the obstacle."""
    is_convex: bool
    notches: tuple[Point, ...]
    """Where a way that stays inside bends about a corner that points inward."""

    def holds(self, x: float, y: float) -> bool:
        """Whether a base with this centre overlaps the obstacle."""
        x0, y0, x1, y1 = self.box
        if not (x0 < x < x1 and y0 < y < y1):
            return False
        return contains(self.outline, x, y) or outline_distance(self.outline, x, y) < self.reach

    def entries(self, start: Point, leg: Straight | Bend) -> int:
        """How often the base comes to overlap the obstacle on a leg; once less where it did so at the start."""
        if isinstance(leg, Straight):
            return self.crossings(start, leg.to)
        (cx, cy), (x0, y0, x1, y1) = leg.centre, self.box
        around = length(start[0] - cx, start[1] - cy)
        if cx + around < x0 or cx - around > x1 or cy + around < y0 or cy - around > y1:
            return 0
        arc = Arc(start, leg.to, leg.centre, leg.turn)
        parts = merge(part for edge in self.outline.edges for part in arc.near_segment(*edge, self.reach))
        return self._runs(start, [arc.at(u) for u in _gaps(parts)])

    def crossings(self, a: Point, b: Point) -> int:
        """What `entries` says of a straight leg."""
        (ax, ay), (bx, by), (x0, y0, x1, y1) = a, b, self.box
        if (ax <= x0 and bx <= x0) or (ax >= x1 and bx >= x1) or (ay <= y0 and by <= y0) or (ay >= y1 and by >= y1):
            return 0
        found = [near_segment(ax, ay, bx, by, *edge, self.reach) for edge in self.outline.edges]
        parts = merge(part for part in found if part is not None)
        return self._runs(a, [(ax + u * (bx - ax), ay + u * (by - ay)) for u in _gaps(parts)])

    def _runs(self, start: Point, between: list[Point]) -> int:
        """Stretches of overlap, given places between those near the outline, less one that the start lies in."""
        inside = [contains(self.outline, *place) for place in between]
        # every gap that is not inside ends a stretch; the first and last may have no length
        runs = sum(1 for before in inside[:-1] if not before) + inside[0]
        return runs - (1 if runs and self.holds(*start) else 0)


def _gaps(parts: Sequence[Interval]) -> list[float]:
    """The middles of what lies before, between and after disjoint intervals of 0 to 1."""
    marks = [0.0, *(end for part in parts for end in part), 1.0]
    return [(low + high) / 2 for low, high in zip(marks[::2], marks[1::2], strict=True)]


def obstacle_of(fee: Fee, radius: Inches) -> Obstacle:
    """An obstacle for bases of a radius."""
    radius = max(radius, LEAST)
    reach = radius - min(TOL, radius / 2)
    x0, y0, x1, y1 = fee.outline.box
    edges = tuple(inner.edge_row(*edge, reach) for edge in fee.outline.edges)
    # a hair further off than where overlap begins, so that no place is in doubt
    clear = [(*edge[:6], (reach + radius) / 2) for edge in edges]
    circles = tuple((x, y, radius) for x, y in convex_corners(fee.outline))
    everywhere = (x0 - 3 * radius, y0 - 3 * radius, x1 + 3 * radius, y1 + 3 * radius)
    return Obstacle(
        outline=fee.outline,
        inches=fee.inches,
        reach=reach,
        box=(x0 - reach, y0 - reach, x1 + reach, y1 + reach),
        edges=edges,
        circles=circles,
        blocked=tuple(circle_blocked(circle, clear, (), everywhere, None) for circle in circles),
        is_convex=len(circles) == len(clean(fee.outline.points)),
        notches=_notches(clean(fee.outline.points), reach - TOL),
    )


def _notches(points: tuple[Point, ...], reach: Inches) -> tuple[Point, ...]:
    """For each corner that points inward the place at a distance outside both of its sides."""
    found = []
    for i, (x, y) in enumerate(points):
        (px, py), (qx, qy) = points[i - 1], points[(i + 1) % len(points)]
        one, other = length(x - px, y - py), length(qx - x, qy - y)
        ux, uy, vx, vy = (x - px) / one, (y - py) / one, (qx - x) / other, (qy - y) / other
        if ux * vy - uy * vx < 0.0:
            share = reach / max(1.0 + ux * vx + uy * vy, 1e-3)
            found.append((x + share * (uy + vy), y - share * (ux + vx)))
    return tuple(found)
