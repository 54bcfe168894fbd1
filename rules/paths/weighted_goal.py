"""What ways over ground that costs may end on, and the least that a way to it can cost.

A goal is a place, a circle of places (contact with another base) or all places at which a base touches the face of a
wall: straight pieces beside its edges and circles about its corners.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, ceil, cos, inf, pi, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import (
    Point,
    Polygon,
    contains,
    length,
    near_point,
    near_segment,
    outline_distance,
    point_segment_distance,
)
from tactician.rules.paths import inner
from tactician.rules.paths.scene import Disc, Local, circle_blocked, convex_corners, grow
from tactician.rules.paths.weighted_ground import Border, Ground
from tactician.rules.paths.weighted_rims import crossed_by_borders, free_arcs

__all__ = ["Aim", "End", "Ends", "Goal", "Slope", "aim_at", "ends_of", "slope_at"]

Floats = NDArray[np.float64]

Goal = Point | Disc | Polygon
"""A place, a circle of places, or a wall to be touched."""

STEP: Inches = 0.5
"""Inches between places of a goal at most."""

WIDEST = pi / 24
"""Radians between places of a circle at most."""


class End(NamedTuple):
    """A place where a way may end, and the piece of the goal that it lies on."""

    at: Point
    piece: int


class Slope(NamedTuple):
    """The least that a way to or from a place can cost: dearer for as far as the place's own region reaches."""

    x: float
    y: float
    extra: float
    depth: Inches

    def of(self, x: Floats, y: Floats) -> Floats:
        """The bound for many places."""
        away: Floats = np.sqrt((x - self.x) ** 2 + (y - self.y) ** 2)
        return away + self.extra * np.minimum(away, self.depth)


class Aim(NamedTuple):
    """A goal: pieces that a way may end on, each a place or circle (x, y, reach) or a straight line."""

    pieces: tuple[Disc | Border, ...]

    def bound(self, ground: Ground, x: Floats, y: Floats) -> Floats:
        """The least that ways from many places to the goal can cost."""
        least: Floats = np.full(len(x), inf)
        for piece in self.pieces:
            if isinstance(piece, Border):
                along = np.clip((x - piece.x) * piece.ux + (y - piece.y) * piece.uy, 0.0, piece.size)
                away = np.sqrt((x - piece.x - along * piece.ux) ** 2 + (y - piece.y - along * piece.uy) ** 2)
            elif piece[2] == 0.0:
                away = slope_at(ground, piece[:2]).of(x, y)
            else:
                away = np.maximum(np.sqrt((x - piece[0]) ** 2 + (y - piece[1]) ** 2) - piece[2], 0.0)
            least = np.minimum(least, away)
        return least

    def middle(self) -> Point:
        """A place in the middle of the goal."""
        places = [piece.at(piece.size / 2) if isinstance(piece, Border) else piece[:2] for piece in self.pieces]
        return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def slope_at(ground: Ground, at: Point) -> Slope:
    """The bound for ways that begin or end at a place."""
    extra = ground.rate_at(*at) - 1.0
    if extra == 0.0:
        return Slope(*at, 0.0, 0.0)
    ends = ((each.x, each.y, *each.at(each.size)) for each in ground.borders)
    return Slope(*at, extra, max(min(point_segment_distance(*at, *ends_of) for ends_of in ends) - 1e-4, 0.0))


def aim_at(goal: Goal, radius: Inches) -> Aim:
    """The pieces of a goal for a base of a radius."""
    if not isinstance(goal, Polygon):
        return Aim(((goal[0], goal[1], goal[2] if len(goal) == 3 else 0.0),))
    sense = 1.0 if sum(ax * by - bx * ay for ax, ay, bx, by in goal.edges) > 0.0 else -1.0
    pieces: list[Disc | Border] = [(x, y, radius) for x, y in convex_corners(goal)]
    for ax, ay, bx, by in goal.edges:
        size = length(bx - ax, by - ay)
        if size > 0.0:
            ux, uy = (bx - ax) / size, (by - ay) / size
            pieces.append(Border(ax + sense * radius * uy, ay - sense * radius * ux, ux, uy, size, -1))
    return Aim(tuple(pieces))


@dataclass(frozen=True, slots=True)
class Ends:
    """Where ways of one question may end."""

    ground: Ground
    local: Local
    goal: Goal

    def allow(self, x: float, y: float) -> bool:
        """Whether a base may come to rest at a place of the goal."""
        if not self.local.may_stand(x, y, whole=True) or self.ground.is_halfway(x, y):
            return False
        if not isinstance(self.goal, Polygon):
            return True
        radius = self.local.shared.radius - inner.NOISE
        return not contains(self.goal, x, y) and outline_distance(self.goal, x, y) >= radius

    def on(self, piece: Disc | Border, start: Point) -> list[Point]:
        """Places to try on a piece: at the ends of its free parts, nearest to the start, and every so often."""
        if isinstance(piece, Border):
            spans, size = self._free_parts(piece), piece.size
            crossed = _crossings(piece, self.ground)
            foot = (start[0] - piece.x) * piece.ux + (start[1] - piece.y) * piece.uy
            marks = [mark for low, high in spans for mark in _spread(low * size, high * size, STEP, foot)]
            return [piece.at(mark) for mark in (*marks, *crossed)]
        x, y, reach = piece
        if reach == 0.0:
            return [(x, y)]
        towards = atan2(start[1] - y, start[0] - x)
        step = min(WIDEST, STEP / reach)
        arcs = free_arcs(self._barred(piece))
        angles = [angle for low, high in arcs for angle in _spread(low, high, step, low + (towards - low) % inner.TURN)]
        angles += crossed_by_borders([piece], self.ground).get(0, [])
        return [(x + reach * cos(angle), y + reach * sin(angle)) for angle in angles]

    def _edges(self) -> list[inner.EdgeRow]:
        """Edges of walls and of obstacles with a fee, with limits a hair above those that are checked."""
        slack = self.local.shared.slack
        rows = [(*edge[:6], edge[6] + slack / 2) for edge in self.local.edges]
        return rows + [(*edge[:6], edge[6] + slack / 2) for each in self.ground.obstacles for edge in each.edges]

    def _discs(self, x: float, y: float) -> list[inner.DiscRow]:
        more = self.local.shared.slack / 2
        return [(dx, dy, limit + more) for dx, dy, limit in self.local.discs if length(dx - x, dy - y) > 1e-4]

    def _barred(self, ring: Disc) -> inner.Blocked:
        """The stretches of a circle on which nobody may rest."""
        box = grow(self.local.box, -self.local.shared.slack / 2)
        return circle_blocked(ring, self._edges(), self._discs(*ring[:2]), box, None)

    def _free_parts(self, line: Border) -> list[tuple[float, float]]:
        """The parts of a straight piece, as fractions, that nothing bars."""
        (ax, ay), (bx, by) = line.at(0.0), line.at(line.size)
        found = [near_point(ax, ay, bx, by, *disc) for disc in self._discs(inf, inf)]
        for ex, ey, ux, uy, size, _, limit in self._edges():
            found.append(near_segment(ax, ay, bx, by, ex, ey, ex + ux * size, ey + uy * size, limit))
        marks, here = [], 0.0
        for low, high in sorted(part for part in found if part is not None):
            if low > here:
                marks.append((here, low))
            here = max(here, high)
        return [*marks, (here, 1.0)] if here < 1.0 else marks


def ends_of(ground: Ground, local: Local, goal: Goal, aim: Aim, start: Point) -> tuple[End, ...]:
    """Places of a goal at which a base may come to rest, those nearest to the start first."""
    asked = Ends(ground, local, goal)
    found = [End(at, i) for i, piece in enumerate(aim.pieces) for at in asked.on(piece, start) if asked.allow(*at)]
    return tuple(sorted(found, key=lambda end: length(end.at[0] - start[0], end.at[1] - start[1])))


def _crossings(line: Border, ground: Ground) -> list[Inches]:
    """Where borders of regions cross a straight piece of a goal, in inches along it."""
    found = []
    for x, y, ux, uy, size, _ in ground.borders:
        cross = line.ux * uy - line.uy * ux
        if abs(cross) > 1e-9:
            along = ((x - line.x) * uy - (y - line.y) * ux) / cross
            other = ((x - line.x) * line.uy - (y - line.y) * line.ux) / cross
            if 0.0 < along < line.size and 0.0 <= other <= size:
                found.append(along)
    return found


def _spread(low: float, high: float, step: float, nearest: float) -> list[float]:
    """Numbers from one to another, no further apart than a step, and one that lies nearest to something."""
    count = max(1, ceil((high - low) / step))
    found = [low + (high - low) * i / count for i in range(count + 1)]
    return [*found, nearest] if low < nearest < high else found
