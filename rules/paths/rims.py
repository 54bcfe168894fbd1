"""The lines along which a base can be when it climbs to a raised surface or drops from it."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from math import atan2, ceil, cos, pi, sin
from typing import NamedTuple

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, Polygon, clamp, length
from tactician.rules.core.terrain import Surface

__all__ = ["Rim", "rims_of"]

STEP: Inches = 0.5
"""Inches between the places of a rim that are tried first."""


class _Piece(NamedTuple):
    """A straight piece of a rim (radius 0) or an arc of it, turned about a corner from one angle to another."""

    start: Point
    end: Point
    centre: Point
    radius: Inches
    first: float
    last: float

    @property
    def inches(self) -> Inches:
        if self.radius > 0.0:
            return self.radius * abs(self.last - self.first)
        return length(self.end[0] - self.start[0], self.end[1] - self.start[1])

    def at(self, u: float) -> Point:
        if self.radius > 0.0:
            angle = self.first + u * (self.last - self.first)
            return self.centre[0] + self.radius * cos(angle), self.centre[1] + self.radius * sin(angle)
        (ax, ay), (bx, by) = self.start, self.end
        return ax + u * (bx - ax), ay + u * (by - ay)

    def foot(self, point: Point) -> float:
        """The fraction of a straight piece nearest to a point, of an arc the one that lies towards it."""
        if self.radius > 0.0:
            angle = atan2(point[1] - self.centre[1], point[0] - self.centre[0])
            turned = (angle - self.first) % (2 * pi)
            width = self.last - self.first
            return clamp(turned / width if width > 0.0 else (turned - 2 * pi) / width, 0.0, 1.0)
        (ax, ay), (bx, by) = self.start, self.end
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        return 0.0 if square == 0.0 else clamp(((point[0] - ax) * dx + (point[1] - ay) * dy) / square, 0.0, 1.0)

    def crossing(self, a: Point, b: Point) -> float | None:
        """The fraction at which a straight piece meets the line a - b."""
        if self.radius > 0.0:
            return None
        (px, py), (qx, qy) = self.start, self.end
        dx, dy, ex, ey = qx - px, qy - py, b[0] - a[0], b[1] - a[1]
        cross = dx * ey - dy * ex
        if abs(cross) < 1e-12:
            return None
        u = ((a[0] - px) * ey - (a[1] - py) * ex) / cross
        return u if 0.0 <= u <= 1.0 else None


class Rim:
    """A closed line at a distance from an outline, measured along in inches."""

    step = STEP

    def __init__(self, outline: Polygon, distance: Inches) -> None:
        """Set the line out: `distance` is positive outside the outline, negative inside."""
        self._pieces = [piece for piece in _pieces(outline, distance) if piece.inches > 1e-9]
        self._starts: list[float] = []
        total = 0.0
        for piece in self._pieces:
            self._starts.append(total)
            total += piece.inches
        self.inches = total

    def at(self, along: Inches) -> Point:
        """The point so many inches along, round and round."""
        along %= self.inches
        i = max(0, bisect_right(self._starts, along) - 1)
        piece = self._pieces[i]
        return piece.at(clamp((along - self._starts[i]) / piece.inches, 0.0, 1.0))

    def places(self, start: Point, goal: Point) -> list[Inches]:
        """Where to try first on the way from start to goal: piece ends, feet, crossings, and every half inch."""
        found: dict[Inches, None] = {}
        for first, piece in zip(self._starts, self._pieces, strict=True):
            count = max(1, ceil(piece.inches / STEP))
            marks = [i / count for i in range(count)] + [piece.foot(start), piece.foot(goal)]
            crossing = piece.crossing(start, goal)
            if crossing is not None:
                marks.append(crossing)
            for u in marks:
                found[first + u * piece.inches] = None
        return sorted(found)


@lru_cache(maxsize=512)
def rims_of(surface: Surface, radius: Inches) -> tuple[Rim, ...]:
    """The rims of a raised surface for a base of a radius."""
    if surface.polygon is None:
        return ()
    distances = (radius,) if surface.solid else (radius, 0.0, -radius)
    return tuple(Rim(surface.polygon, distance) for distance in distances)


def _pieces(outline: Polygon, distance: Inches) -> list[_Piece]:
    """Edges moved outward, and arcs round the corners between them that jut out.

    Pieces may cross near the other corners; places on the wrong side there are refused by whoever asks whether a base
    may stand on them.
    """
    sense = 1.0 if sum(ax * by - bx * ay for ax, ay, bx, by in outline.edges) > 0.0 else -1.0
    pieces = []
    edges = outline.edges
    for i, (ax, ay, bx, by) in enumerate(edges):
        size = length(bx - ax, by - ay)
        if size == 0.0:
            continue
        nx, ny = sense * (by - ay) / size, -sense * (bx - ax) / size
        moved = ((ax + distance * nx, ay + distance * ny), (bx + distance * nx, by + distance * ny))
        pieces.append(_Piece(*moved, (0.0, 0.0), 0.0, 0.0, 0.0))
        _, _, cx, cy = edges[(i + 1) % len(edges)]
        turn = sense * ((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
        onward = length(cx - bx, cy - by)
        if distance > 0.0 and turn > 0.0 and onward > 0.0:
            first = atan2(ny, nx)
            last = atan2(-sense * (cx - bx), sense * (cy - by))
            width = (sense * (last - first)) % (2 * pi)
            ends = (moved[1], (bx + distance * cos(last), by + distance * sin(last)))
            pieces.append(_Piece(*ends, (bx, by), distance, first, first + sense * width))
    return pieces
