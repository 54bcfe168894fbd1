"""Ground that costs, made ready for a search: convex parts, borders and the exact price of a leg.

Regions are cut into convex parts, so that a straight leg meets each in one stretch; of stretches that overlap the
dearest counts. A leg that runs along a border pays nothing for it. A fee is counted for every stretch of a
leg on which the base overlaps the obstacle, save one that begins with the leg while the base was in it already.

Where a game charges by the base and not by its centre, regions are taken as grown by the radius, their round corners
drawn with a straight leg for every six degrees.

Reference: J. S. B. Mitchell and C. H. Papadimitriou, "The weighted region problem", Journal of the ACM 38 (1991).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.arcs import Arc
from tactician.rules.core.going import BORDER, Going, Region
from tactician.rules.core.legs import Bend, Leg, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import (
    Box,
    Point,
    length,
)
from tactician.rules.paths.convex import Sides, clean, convex_parts
from tactician.rules.paths.weighted_fees import Obstacle, obstacle_of

__all__ = ["Border", "Ground", "Part", "Piece", "ground_of"]

Floats = NDArray[np.float64]

CUT: Inches = 1e-9
"""How far the parts of one region reach into each other, so that no leg slips through between them."""

DEPTH: Inches = BORDER - 1e-7
"""How deep inside an outline ways along its border run."""

HALF_CORNER = pi / 60
"""Half the angle that one straight leg stands for where round corners are drawn."""


class Border(NamedTuple):
    """One edge of a region, a hair inside the outline: an end, the unit vector to the other, and the length."""

    x: float
    y: float
    ux: float
    uy: float
    size: Inches
    ring: int
    """Number of the outline."""

    def at(self, along: Inches) -> Point:
        """The place so many inches along."""
        return self.x + along * self.ux, self.y + along * self.uy


class Joint(NamedTuple):
    """A place where a border is crossed by one of another region: the border, inches along it, and the place."""

    border: int
    along: Inches
    at: Point


class Plane(NamedTuple):
    """A side of a convex part: ``nx x + ny y < d`` where its rate is paid; and the border it lies on, -1 for a cut."""

    nx: float
    ny: float
    d: float
    border: int


class Part(NamedTuple):
    """A convex part of a region: inches paid beyond the first for an inch of way, its box and its sides."""

    extra: float
    box: Box
    planes: tuple[Plane, ...]


class Stretch(NamedTuple):
    """Where a straight leg lies in a part: from, to, the part's extra, and the borders there (-1 for none)."""

    low: float
    high: float
    extra: float
    entered: int
    left_by: int


class Piece(NamedTuple):
    """A stretch of a straight leg at one rate, and the border at its start (-1 for none)."""

    low: float
    high: float
    rate: float
    border: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What every leg over some ground costs, for bases of one radius."""

    parts: tuple[Part, ...]
    borders: tuple[Border, ...]
    obstacles: tuple[Obstacle, ...]
    rates: tuple[float, ...]
    """The rate of the region that each border belongs to."""
    joints: tuple[Joint, ...]
    """Where borders of different regions cross, once for each of the two."""
    is_mixed: bool
    """Whether parts of different regions overlap."""
    normals: Floats = field(repr=False)
    """(planes, 3): nx, ny, d of every side of every part."""
    firsts: NDArray[np.intp] = field(repr=False)
    """The first plane of each part."""
    extras: Floats = field(repr=False)
    """Inches paid for each part beyond the first for an inch of way."""

    def rate_at(self, x: float, y: float) -> float:
        """Inches paid for an inch of way at a place."""
        most = 0.0
        for extra, (x0, y0, x1, y1), planes in self.parts:
            if extra > most and x0 < x < x1 and y0 < y < y1 and all(nx * x + ny * y < d for nx, ny, d, _ in planes):
                most = extra
        return 1.0 + most

    def pieces(self, a: Point, b: Point) -> tuple[Piece, ...]:
        """A straight leg cut where its rate changes."""
        (ax, ay), (bx, by) = a, b
        found: list[Stretch] = []
        left, right, low, high = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
        for part in self.parts:
            x0, y0, x1, y1 = part.box
            if left > x1 or right < x0 or low > y1 or high < y0:
                continue
            stretch = _inside(part, ax, ay, bx, by)
            if stretch is not None:
                found.append(stretch)
        return _pieces(found)

    def straight(self, a: Point, b: Point) -> Inches:
        """What a straight leg costs, fees left out."""
        mean = 1.0 + sum((high - low) * (rate - 1.0) for low, high, rate, _ in self.pieces(a, b))
        return length(b[0] - a[0], b[1] - a[1]) * mean

    def bend(self, arc: Arc) -> Inches:
        """What an arc costs, fees left out."""
        (cx, cy), radius = arc.centre, arc.radius
        marks = {0.0, 1.0}
        for _, (x0, y0, x1, y1), planes in self.parts:
            if cx + radius < x0 or cx - radius > x1 or cy + radius < y0 or cy - radius > y1:
                continue
            for nx, ny, d, _ in planes:
                away = (d - nx * cx - ny * cy) / radius if radius > 0.0 else 2.0
                if -1.0 < away < 1.0:
                    towards, half = atan2(ny, nx), atan2(sqrt(1.0 - away * away), away)
                    marks.update(u for u in (arc.fraction(towards + half), arc.fraction(towards - half)) if u < 1.0)
        spans = pairwise(sorted(marks))
        return arc.inches * sum((high - low) * self.rate_at(*arc.at((low + high) / 2)) for low, high in spans)

    def leg(self, start: Point, leg: Leg) -> Inches:
        """What one leg costs, with the fees that begin on it.

        Raises:
            TypeError: the leg climbs or drops.
        """
        if isinstance(leg, Straight):
            spent = self.straight(start, leg.to)
        elif isinstance(leg, Bend):
            spent = self.bend(Arc(start, leg.to, leg.centre, leg.turn))
        else:
            raise TypeError(f"{leg} does not stay on the ground")
        for obstacle in self.obstacles:
            entries = obstacle.entries(start, leg)
            if entries:
                spent += entries * obstacle.inches
        return spent

    def way(self, start: Point, legs: Iterable[Leg]) -> Inches:
        """What a way costs."""
        total, here = 0.0, start
        for leg in legs:
            total += self.leg(here, leg)
            if isinstance(leg, Straight | Bend):
                here = leg.to
        return total

    def is_halfway(self, x: float, y: float) -> bool:
        """Whether a base with this centre overlaps an obstacle with a fee."""
        return any(obstacle.holds(x, y) for obstacle in self.obstacles)


def _inside(part: Part, ax: float, ay: float, bx: float, by: float) -> Stretch | None:
    """Where a straight leg lies inside a convex part (J. Cyrus and M. Beck, 1978)."""
    t0, t1, entered, left_by = 0.0, 1.0, -1, -1
    for nx, ny, d, border in part.planes:
        u, v = nx * ax + ny * ay - d, nx * bx + ny * by - d
        if u < 0.0:
            if v > 0.0:
                t = u / (u - v)
                if t < t1:
                    t1, left_by = t, border
        elif v < 0.0:
            t = u / (u - v)
            if t > t0:
                t0, entered = t, border
        else:
            return None
    return Stretch(t0, t1, part.extra, entered, left_by) if t0 < t1 else None


def _pieces(stretches: list[Stretch]) -> tuple[Piece, ...]:
    """Stretches of parts as pieces from 0 to 1; where they overlap the dearest counts."""
    if not stretches:
        return (Piece(0.0, 1.0, 1.0, -1),)
    marks: dict[float, int] = {0.0: -1}
    for low, high, _, entered, left_by in stretches:
        for mark, border in ((low, entered), (high, left_by)):
            if mark < 1.0 and (border >= 0 or mark not in marks):
                marks[mark] = border
    found: list[Piece] = []
    for low, high in pairwise([*sorted(marks), 1.0]):
        middle = (low + high) / 2
        rate = 1.0 + max((extra for t0, t1, extra, _, _ in stretches if t0 < middle < t1), default=0.0)
        if found and found[-1].rate == rate:
            found[-1] = found[-1]._replace(high=high)
        else:
            found.append(Piece(low, high, rate, marks[low]))
    return tuple(found)


@lru_cache(maxsize=64)
def ground_of(going: Going, radius: Inches) -> Ground:
    """The ground of a going for bases of a radius, remembered by both."""
    parts: list[Part] = []
    owners: list[int] = []
    borders: list[Border] = []
    for ring, region in enumerate(going.regions):
        if region.rate <= 1.0:
            continue
        points = clean(_grown(region, radius) if going.by_base else region.outline.points)
        if len(points) < 3:
            continue
        for corners, sides in convex_parts(points, len(borders)):
            parts.append(_part(region.rate - 1.0, corners, sides))
            owners.append(ring)
        borders += _borders(points, ring)
    is_mixed = _is_mixed(parts, owners)
    planes = [plane[:3] for part in parts for plane in part.planes]
    begins = np.cumsum([0, *(len(part.planes) for part in parts)])[:-1]
    return Ground(
        parts=tuple(parts),
        borders=tuple(borders),
        rates=tuple(going.regions[border.ring].rate for border in borders),
        joints=tuple(_joints(borders)) if is_mixed else (),
        obstacles=tuple(obstacle_of(fee, radius) for fee in going.fees),
        is_mixed=is_mixed,
        normals=np.array(planes, dtype=np.float64).reshape(-1, 3),
        firsts=begins.astype(np.intp),
        extras=np.array([part.extra for part in parts], dtype=np.float64),
    )


def _borders(points: tuple[Point, ...], ring: int) -> list[Border]:
    """The lines of an outline as deep inside as one may go without paying."""
    units = []
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
        size = length(bx - ax, by - ay)
        units.append(((bx - ax) / size, (by - ay) / size))
    corners = []
    for (x, y), (px, py), (ux, uy) in zip(points, [units[-1], *units[:-1]], units, strict=True):
        # both sides are moved in by the same depth: their crossing lies on the line between them
        share = DEPTH / max(1.0 + px * ux + py * uy, 1e-6)
        corners.append((x - share * (py + uy), y + share * (px + ux)))
    found = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        size = length(bx - ax, by - ay)
        found.append(Border(ax, ay, (bx - ax) / size, (by - ay) / size, size, ring))
    return found


def _joints(borders: list[Border]) -> Iterator[Joint]:
    """Where borders of different regions cross."""
    for i, (ax, ay, ux, uy, size, ring) in enumerate(borders):
        for j, (bx, by, vx, vy, other, another) in enumerate(borders):
            cross = ux * vy - uy * vx
            if ring != another and abs(cross) > 1e-9 and i != j:
                s = ((bx - ax) * vy - (by - ay) * vx) / cross
                t = ((bx - ax) * uy - (by - ay) * ux) / cross
                if 0.0 <= s <= size and 0.0 <= t <= other:
                    yield Joint(i, s, borders[i].at(s))


def _grown(region: Region, radius: Inches) -> tuple[Point, ...]:
    """The outline of the centres whose bases overlap a region, its round corners drawn just outside their arcs."""
    import shapely

    area = shapely.Polygon(region.outline.points).buffer(radius / cos(HALF_CORNER), quad_segs=15)
    return tuple((x, y) for x, y in area.exterior.coords[:-1])


# ---- sides and corners of parts --------------------------------------------------------------------------------------


def _part(extra: float, corners: list[Point], sides: Sides) -> Part:
    planes = []
    for i, (ax, ay) in enumerate(corners):
        bx, by = corners[(i + 1) % len(corners)]
        size = length(bx - ax, by - ay)
        nx, ny = (by - ay) / size, -(bx - ax) / size
        planes.append(Plane(nx, ny, nx * ax + ny * ay + (CUT if sides[i] < 0 else -BORDER), sides[i]))
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Part(extra, (min(xs), min(ys), max(xs), max(ys)), tuple(planes))


def _is_mixed(parts: list[Part], owners: list[int]) -> bool:
    """Whether parts of different regions overlap: no side of either has all of the other beyond it."""
    for i, one in enumerate(parts):
        for j in range(i):
            if owners[i] != owners[j] and not _are_apart(one, parts[j]) and not _are_apart(parts[j], one):
                return True
    return False


def _are_apart(one: Part, other: Part) -> bool:
    x0, y0, x1, y1 = other.box
    a0, b0, a1, b1 = one.box
    if a0 >= x1 or a1 <= x0 or b0 >= y1 or b1 <= y0:
        return True
    corners = _corners_of(other)
    return any(all(nx * x + ny * y > d - 1e-9 for x, y in corners) for nx, ny, d, _ in one.planes)


def _corners_of(part: Part) -> list[Point]:
    """Where neighbouring sides meet."""
    found = []
    for i, (nx, ny, d, _) in enumerate(part.planes):
        mx, my, e, _ = part.planes[i - 1]
        cross = mx * ny - my * nx
        if abs(cross) > 1e-12:
            found.append(((e * ny - d * my) / cross, (mx * d - nx * e) / cross))
    return found
