"""What can stand in the way of a base on a stretch of its path.

Every barrier answers two questions with the same geometry: how deep a stretch cuts into it (for the referee), and at
which fraction a base would first come too near (for going as far as legal). Whoever makes a barrier for a model that
begins its whole move nearer than the limit lowers the limit to that distance, so that it may move away or along,
never closer.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, pi

from tactician.rules.core.arcs import Arc
from tactician.rules.core.legs import Stretch
from tactician.rules.core.measure import TOL, Inches, overlaps
from tactician.rules.core.shapes import (
    Box,
    Interval,
    Polygon,
    contains,
    length,
    may_be_near,
    merge,
    near_point,
    near_segment,
    outline_distance,
    point_segment_distance,
    polygon_distance,
    segment_segment_distance,
)
from tactician.rules.core.terrain import Surface

__all__ = [
    "Barrier",
    "DiscBarrier",
    "EdgeBarrier",
    "FootingBarrier",
    "OverhangBarrier",
    "WallBarrier",
    "apart",
    "begins_in",
    "box_of",
    "kept",
]

HAIR = 1e-9
"""Inches by which a base at its starting distance may seem nearer through rounding."""

CLEAR: Inches = TOL
"""The gap told where a barrier is out of reach and nobody needs the true one."""


def clearance(limit: Inches, have: Inches) -> Inches:
    """What a generated way keeps: the limit itself, or the distance it starts at where that is less.

    A way may hug a wall; the tolerance covers the snapping of resting places.
    """
    return min(limit, have) - HAIR


def kept(limit: Inches, before: Inches) -> Inches:
    """The distance that a moving model keeps: the limit, or what it was before the move where that is less.

    Whoever stands in the very middle of the other is not let off.
    """
    return before if before > 0.0 and overlaps(before - limit) else limit


def box_of(stretch: Stretch) -> Box:
    """The bounding box of a stretch (an arc's whole circle)."""
    if stretch.arc is not None:
        (cx, cy), r = stretch.arc.centre, stretch.arc.radius
        return cx - r, cy - r, cx + r, cy + r
    (ax, ay), (bx, by) = stretch.start, stretch.end
    x0, x1 = (ax, bx) if ax < bx else (bx, ax)
    y0, y1 = (ay, by) if ay < by else (by, ay)
    return x0, y0, x1, y1


def apart(a: Box, b: Box, reach: Inches) -> bool:
    """Whether two boxes are more than a distance apart along one of the axes."""
    return a[2] + reach < b[0] or b[2] + reach < a[0] or a[3] + reach < b[1] or b[3] + reach < a[1]


def wall_intervals(stretch: Stretch, polygon: Polygon, radius: Inches) -> tuple[Interval, ...]:
    """The parts of a stretch whose centre is nearer than `radius` to a polygon's outline or inside it."""
    if apart(box_of(stretch), polygon.box, radius):
        return ()
    parts: list[Interval] = []
    for edge in polygon.edges:
        if stretch.arc is not None:
            parts += stretch.arc.near_segment(*edge, radius)
        else:
            part = near_segment(*stretch.start, *stretch.end, *edge, radius)
            parts += [part] if part is not None else []
    outline = merge(parts)
    return merge([*outline, *_inner_parts(stretch, polygon, outline)])


def _inner_parts(stretch: Stretch, polygon: Polygon, outline: tuple[Interval, ...]) -> list[Interval]:
    """The parts between outline intervals that run wholly inside."""
    cuts = [0.0, *(u for part in outline for u in part), 1.0]
    pairs = [(cuts[i], cuts[i + 1]) for i in range(0, len(cuts), 2)]
    return [(low, high) for low, high in pairs if low < high and contains(polygon, *stretch.at((low + high) / 2))]


def disc_intervals(stretch: Stretch, x: Inches, y: Inches, radius: Inches) -> tuple[Interval, ...]:
    """The parts of a stretch whose centre is nearer than `radius` to a point, seen from above."""
    if stretch.arc is not None:
        return stretch.arc.near_point(x, y, radius)
    part = near_point(*stretch.start, *stretch.end, x, y, radius)
    return (part,) if part is not None else ()


def disc_distance(stretch: Stretch, x: Inches, y: Inches) -> Inches:
    """Least distance of a stretch's centre line from a point."""
    if stretch.arc is not None:
        return stretch.arc.point_distance(x, y)
    return point_segment_distance(x, y, *stretch.start, *stretch.end)


def wall_distance(stretch: Stretch, polygon: Polygon) -> Inches:
    """Least distance of a stretch's centre line from a polygon's area."""
    if contains(polygon, *stretch.start) or contains(polygon, *stretch.end):
        return 0.0
    if stretch.arc is not None:
        return min(stretch.arc.segment_distance(*edge) for edge in polygon.edges)
    return min(segment_segment_distance(*stretch.start, *stretch.end, *edge) for edge in polygon.edges)


def begins_in(outline: Polygon, x: Inches, y: Inches, radius: Inches) -> bool:
    """Whether a base at a place overlaps an outline."""
    return may_be_near(outline, x, y, radius) and overlaps(polygon_distance(outline, x, y) - radius)


@dataclass(frozen=True, slots=True, kw_only=True)
class WallBarrier:
    """A polygon that a base may touch but not overlap."""

    name: str
    polygon: Polygon
    radius: Inches

    def depth(self, stretch: Stretch) -> Inches:
        """Gap left at the tightest place; negative where the base cuts in."""
        if apart(box_of(stretch), self.polygon.box, self.radius):
            return CLEAR
        return wall_distance(stretch, self.polygon) - self.radius

    def first(self, stretch: Stretch) -> float | None:
        """Fraction at which the base comes too near, or None."""
        if apart(box_of(stretch), self.polygon.box, self.radius + TOL):
            return None
        have = polygon_distance(self.polygon, *stretch.start)
        if overlaps(have - self.radius):
            return 0.0
        parts = wall_intervals(stretch, self.polygon, clearance(self.radius, have))
        return parts[0][0] if parts else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscBarrier:
    """A point that a base's centre must keep a distance from, seen from above."""

    name: str
    x: Inches
    y: Inches
    reach: Inches
    """Least distance of the centres."""
    margin: Inches = 0.0
    """How much further generated ways stay away."""
    gap: Inches = 0.0
    """Inches between the bases where the centres keep just that distance."""

    def depth(self, stretch: Stretch) -> Inches:
        """Gap left at the tightest place; negative where the base cuts in."""
        return disc_distance(stretch, self.x, self.y) - self.reach

    def first(self, stretch: Stretch) -> float | None:
        """Fraction at which the base comes too near, or None."""
        have = length(stretch.start[0] - self.x, stretch.start[1] - self.y)
        if overlaps(have - self.reach):
            return 0.0
        parts = disc_intervals(stretch, self.x, self.y, clearance(self.reach + self.margin, have))
        return parts[0][0] if parts else None


@dataclass(frozen=True, slots=True, kw_only=True)
class OverhangBarrier:
    """A base standing lower down: it bars the way only where the mover's own floor does not lie between them."""

    disc: DiscBarrier
    floor: Polygon
    radius: Inches
    """The mover's radius: wholly on its floor, it passes above."""

    @property
    def name(self) -> str:
        """Model standing below."""
        return self.disc.name

    def depth(self, stretch: Stretch) -> Inches:
        """Gap seen from above where the mover hangs over its floor's border."""
        parts = self._both(stretch, self.disc.reach - TOL)
        if not parts:
            return CLEAR
        return (
            min(
                length(x - self.disc.x, y - self.disc.y)
                for low, high in parts
                for x, y in self._probes(stretch, low, high)
            )
            - self.disc.reach
        )

    def first(self, stretch: Stretch) -> float | None:
        """Fraction at which the base would hang over the other one, or None."""
        need = self.disc.reach + self.disc.margin - HAIR
        if self._hangs(*stretch.start):
            have = length(stretch.start[0] - self.disc.x, stretch.start[1] - self.disc.y)
            if overlaps(have - self.disc.reach):
                return 0.0
            need = min(need, have - HAIR)
        parts = self._both(stretch, need)
        return parts[0][0] if parts else None

    def _hangs(self, x: Inches, y: Inches) -> bool:
        """Whether the mover is not wholly on its floor at a place."""
        return not contains(self.floor, x, y) or outline_distance(self.floor, x, y) < self.radius - TOL

    def _both(self, stretch: Stretch, reach: Inches) -> tuple[Interval, ...]:
        near = disc_intervals(stretch, self.disc.x, self.disc.y, reach)
        if not near:
            return ()
        hanging = not_inside(stretch, self.floor, self.radius - TOL)
        found = [(max(a, c), min(b, d)) for a, b in near for c, d in hanging]
        return tuple(sorted((low, high) for low, high in found if low <= high))

    def _probes(self, stretch: Stretch, low: float, high: float) -> list[tuple[float, float]]:
        """The ends of a part of the way and its place nearest to the other base."""
        if stretch.arc is not None:
            foot = stretch.arc.fraction(atan2(self.disc.y - stretch.arc.centre[1], self.disc.x - stretch.arc.centre[0]))
            return [stretch.at(u) for u in (low, high, min(max(foot, low), high), (low + high) / 2)]
        (ax, ay), (bx, by) = stretch.start, stretch.end
        square = (bx - ax) ** 2 + (by - ay) ** 2
        foot = ((self.disc.x - ax) * (bx - ax) + (self.disc.y - ay) * (by - ay)) / square if square else 0.0
        return [stretch.at(u) for u in (low, high, min(max(foot, low), high))]


def not_inside(stretch: Stretch, polygon: Polygon, radius: Inches) -> tuple[Interval, ...]:
    """The parts of a stretch on which a disc of this radius is not wholly inside a polygon."""
    parts: list[Interval] = []
    for edge in polygon.edges:
        if stretch.arc is not None:
            parts += stretch.arc.near_segment(*edge, radius)
        else:
            part = near_segment(*stretch.start, *stretch.end, *edge, radius)
            parts += [part] if part is not None else []
    outline = merge(parts)
    cuts = [0.0, *(u for part in outline for u in part), 1.0]
    pairs = [(cuts[i], cuts[i + 1]) for i in range(0, len(cuts), 2)]
    outer = [(a, b) for a, b in pairs if a < b and not contains(polygon, *stretch.at((a + b) / 2))]
    if stretch.start == stretch.end and not outline and not contains(polygon, *stretch.start):
        outer = [(0.0, 1.0)]
    return merge([*outline, *outer])


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeBarrier:
    """The table's edge: no part of a base leaves the table."""

    width: Inches
    height: Inches
    radius: Inches
    name: str = "table edge"

    def _room(self, x: Inches, y: Inches) -> Inches:
        r = self.radius
        a, b, c, d = x - r, y - r, self.width - r - x, self.height - r - y
        least, other = a if a < b else b, c if c < d else d
        return least if least < other else other

    def depth(self, stretch: Stretch) -> Inches:
        """Room left to the edge at the tightest place; negative where the base leaves the table."""
        probes = [stretch.start, stretch.end]
        if stretch.arc is not None:  # an arc comes nearest to a side at its ends or where it runs along that side
            turned = [stretch.arc.fraction(quarter * pi / 2) for quarter in range(4)]
            probes += [stretch.at(u) for u in turned if u <= 1.0]
        return min(self._room(x, y) for x, y in probes)

    def first(self, stretch: Stretch) -> float | None:
        """Fraction at which the base would leave the table, or None."""
        start, end = self._room(*stretch.start), self._room(*stretch.end)
        if overlaps(start):
            return 0.0
        need = clearance(0.0, start)
        if stretch.arc is not None:
            return self._first_on_arc(stretch, stretch.arc, need)
        if end >= need:
            return None
        low, high, r = 0.0, 1.0, self.radius
        (ax, ay), (bx, by) = stretch.start, stretch.end
        dx, dy, right, top = bx - ax, by - ay, self.width - r, self.height - r
        for _ in range(60):
            middle = (low + high) / 2
            x, y = ax + dx * middle, ay + dy * middle
            if x - r >= need and y - r >= need and right - x >= need and top - y >= need:
                low = middle
            else:
                high = middle
        return low

    def _first_on_arc(self, stretch: Stretch, arc: Arc, need: Inches) -> float | None:
        """The first of the arc's crossings with the lines the base may touch after which it lies outside them."""
        x0, y0, x1, y1 = box_of(stretch)
        near, right, top = self.radius + need, self.width - self.radius - need, self.height - self.radius - need
        sides = [(x, y0, x, y1) for x in (near, right)] + [(x0, y, x1, y) for y in (near, top)]
        cuts = {0.0, 1.0, *(u for side in sides for u in arc.circle_crossings(*side) if u < 1.0)}
        for low, high in pairwise(sorted(cuts)):
            if self._room(*arc.at((low + high) / 2)) < need:
                return low
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class FootingBarrier:
    """A raised surface: on the way a base must at least touch the floor it walks on."""

    surface: Surface
    radius: Inches

    @property
    def name(self) -> str:
        """The surface."""
        return self.surface.id

    def depth(self, stretch: Stretch) -> Inches:
        """How much of the base still touches, at the worst place; negative where it walks on air."""
        polygon = self.surface.polygon
        gaps = self._gaps(stretch)
        if polygon is None or not gaps:
            return CLEAR
        probes = [stretch.at(low + (high - low) * i / 8) for low, high in gaps for i in range(9)]
        return self.radius - max(polygon_distance(polygon, x, y) for x, y in probes)

    def first(self, stretch: Stretch) -> float | None:
        """Fraction at which the base loses touch with its floor, or None."""
        gaps = self._gaps(stretch)
        return gaps[0][0] if gaps else None

    def _gaps(self, stretch: Stretch) -> list[Interval]:
        """The parts of a stretch on which the base does not touch its floor."""
        if self.surface.polygon is None:
            return []
        reached, gaps = 0.0, list[Interval]()
        for low, high in (*wall_intervals(stretch, self.surface.polygon, self.radius + TOL), (1.0, 1.0)):
            if low > reached + HAIR:
                gaps.append((reached, low))
            reached = max(reached, high)
        return gaps


Barrier = WallBarrier | DiscBarrier | OverhangBarrier | EdgeBarrier | FootingBarrier


def outline_touch(surface: Surface, x: Inches, y: Inches, radius: Inches) -> Inches:
    """Distance of a base from the border of a raised surface: at most 0 where it touches or overlaps it."""
    return float("inf") if surface.polygon is None else outline_distance(surface.polygon, x, y) - radius
