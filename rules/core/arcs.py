"""Circular arcs: the way a base takes round a corner, measured in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, pi, sin, sqrt

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Interval, Point, crossings, length, point_segment_distance

__all__ = ["LEFT", "RIGHT", "Arc"]

LEFT = "left"
RIGHT = "right"
TURN = 2 * pi


@dataclass(frozen=True, slots=True)
class Arc:
    """The arc from `start` to `end` about `centre`, turning left (counter-clockwise) or right."""

    start: Point
    end: Point
    centre: Point
    turn: str
    radius: Inches = field(init=False, repr=False, compare=False)
    from_angle: float = field(init=False, repr=False, compare=False)
    sweep: float = field(init=False, repr=False, compare=False)
    """Radians turned, never negative."""

    def __post_init__(self) -> None:
        """Derive radius and angles once."""
        cx, cy = self.centre
        first = atan2(self.start[1] - cy, self.start[0] - cx)
        last = atan2(self.end[1] - cy, self.end[0] - cx)
        sweep = (last - first if self.turn == LEFT else first - last) % TURN
        if sweep > TURN - 1e-9:
            sweep = 0.0
        object.__setattr__(self, "radius", length(self.start[0] - cx, self.start[1] - cy))
        object.__setattr__(self, "from_angle", first)
        object.__setattr__(self, "sweep", sweep)

    @property
    def inches(self) -> Inches:
        """Length of the way."""
        return self.radius * self.sweep

    def at(self, u: float) -> Point:
        """The point after a fraction u of the way."""
        angle = self.from_angle + (u if self.turn == LEFT else -u) * self.sweep
        return self.centre[0] + self.radius * cos(angle), self.centre[1] + self.radius * sin(angle)

    def fraction(self, angle: float) -> float:
        """The fraction of the way at which the arc passes an angle; more than 1 where it does not."""
        turned = (angle - self.from_angle if self.turn == LEFT else self.from_angle - angle) % TURN
        if turned > TURN - 1e-12:
            turned = 0.0
        return turned / self.sweep if self.sweep > 0.0 else (0.0 if turned == 0.0 else 2.0)

    def point_distance(self, x: float, y: float) -> Inches:
        """Least distance of a point from the arc."""
        cx, cy = self.centre
        if self.fraction(atan2(y - cy, x - cx)) <= 1.0:
            return abs(length(x - cx, y - cy) - self.radius)
        return min(length(x - px, y - py) for px, py in (self.at(0.0), self.at(1.0)))

    def segment_distance(self, ax: float, ay: float, bx: float, by: float) -> Inches:
        """Least distance of a segment from the arc: its ends, the arc's ends, the foot of the normal, crossings."""
        if any(True for u in self.circle_crossings(ax, ay, bx, by) if u <= 1.0):
            return 0.0
        best = min(self.point_distance(ax, ay), self.point_distance(bx, by))
        for px, py in (self.at(0.0), self.at(1.0)):
            best = min(best, point_segment_distance(px, py, ax, ay, bx, by))
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        if square > 0.0:
            t = ((self.centre[0] - ax) * dx + (self.centre[1] - ay) * dy) / square
            if 0.0 < t < 1.0:
                best = min(best, self.point_distance(ax + t * dx, ay + t * dy))
        return best

    def circle_crossings(self, ax: float, ay: float, bx: float, by: float) -> tuple[float, ...]:
        """Fractions of the arc (above 1 where past its end) at which its full circle meets a segment."""
        dx, dy = bx - ax, by - ay
        fx, fy = ax - self.centre[0], ay - self.centre[1]
        ts = crossings(ax, ay, bx, by, *self.centre, self.radius)
        return tuple(self.fraction(atan2(fy + t * dy, fx + t * dx)) for t in ts)

    def near_point(self, x: float, y: float, radius: Inches) -> tuple[Interval, ...]:
        """The parts of the arc nearer than `radius` to a point."""
        cx, cy = self.centre
        away = length(x - cx, y - cy)
        marks: list[float] = []
        if away > 0.0 and self.radius > 0.0 and abs(away - self.radius) < radius < away + self.radius:
            half = _angle_between(self.radius, away, radius)
            towards = atan2(y - cy, x - cx)
            marks = [self.fraction(towards - half), self.fraction(towards + half)]
        return self._parts(marks, lambda px, py: length(px - x, py - y) < radius)

    def near_segment(self, ax: float, ay: float, bx: float, by: float, radius: Inches) -> tuple[Interval, ...]:
        """The parts of the arc nearer than `radius` to a segment."""
        size = length(bx - ax, by - ay)
        marks: list[float] = []
        if size > 0.0:
            nx, ny = -(by - ay) / size * radius, (bx - ax) / size * radius
            marks += self.circle_crossings(ax + nx, ay + ny, bx + nx, by + ny)
            marks += self.circle_crossings(ax - nx, ay - ny, bx - nx, by - ny)
        for x, y in ((ax, ay), (bx, by)):
            for low, high in self.near_point(x, y, radius):
                marks += [low, high]
        return self._parts(marks, lambda px, py: point_segment_distance(px, py, ax, ay, bx, by) < radius)

    def _parts(self, marks: list[float], inside: Callable[[float, float], bool]) -> tuple[Interval, ...]:
        """The stretches between marks whose middle is inside."""
        cuts = sorted({0.0, 1.0, *(mark for mark in marks if 0.0 < mark < 1.0)})
        spans = pairwise(cuts)
        return tuple((low, high) for low, high in spans if inside(*self.at((low + high) / 2)))


def _angle_between(one: float, other: float, opposite: float) -> float:
    """Angle between two sides of a triangle, by the law of cosines."""
    cosine = (one * one + other * other - opposite * opposite) / (2 * one * other)
    cosine = -1.0 if cosine < -1.0 else 1.0 if cosine > 1.0 else cosine
    return atan2(sqrt(1.0 - cosine * cosine), cosine)
