"""Lines of sight from one model to another, by any visible part.

Seen from above a base is a disc; the eye is over the centre of the looking base. A wall hides what lies behind it as
high as the line from the eye to the top of the model looked at. Whether a line is stopped changes only at the bearings
of walls' corners, and where it meets a wall's edge just at the height of the wall's top or bottom; so it is enough to
look between neighbouring ones of these bearings: nothing is sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import asin, atan2, cos, pi, sin, sqrt

from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import Point, Polygon, contains, crossings, length
from tactician.rules.core.terrain import Board

__all__ = ["Eye", "can_see"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Eye:
    """A model, for sight: its base and how high it reaches."""

    x: Inches
    y: Inches
    foot: Inches
    """Height of the surface it stands on."""
    stature: Inches
    radius: Inches

    @property
    def top(self) -> Inches:
        """Height of its highest part."""
        return self.foot + self.stature


@dataclass(frozen=True, slots=True)
class _Screen:
    """Something that hides what is behind and below its top."""

    polygon: Polygon
    bottom: Inches
    top: Inches


def can_see(board: Board, eye: Eye, target: Eye) -> bool:
    """Whether any part of the target can be seen."""
    screens = _screens(board, eye, target)
    if not screens:
        return True
    away = length(target.x - eye.x, target.y - eye.y)
    if away <= target.radius + TOL:
        return True
    towards = atan2(target.y - eye.y, target.x - eye.x)
    half = asin(min(target.radius / away, 1.0))
    marks = {-half, half}
    for screen in screens:
        for x, y in (*screen.polygon.points, *_level_places(screen, eye, target)):
            turned = (atan2(y - eye.y, x - eye.x) - towards + pi) % (2 * pi) - pi
            if -half < turned < half:
                marks.add(turned)
    for low, high in pairwise(sorted(marks)):
        if high - low > 1e-9 and not _hidden(screens, eye, target, away, towards + (low + high) / 2, towards):
            return True
    return False


def _screens(board: Board, eye: Eye, target: Eye) -> list[_Screen]:
    """Walls and floors between the two, seen from above, that are high enough to hide something."""
    x0, x1 = min(eye.x, target.x - target.radius), max(eye.x, target.x + target.radius)
    y0, y1 = min(eye.y, target.y - target.radius), max(eye.y, target.y + target.radius)
    lowest = min(eye.top, target.top)
    found = []
    for piece in board.features:
        bottom, top = piece.bottom, piece.top
        if not piece.blocks:
            surface = piece.surface
            if surface is None or surface.foot is not None or not surface.solid:
                continue
            bottom, top = 0.0, surface.high
        a, b, c, d = piece.outline.box
        if top > lowest and not (c < x0 or a > x1 or d < y0 or b > y1):
            found.append(_Screen(piece.outline, bottom, top))
    return found


def _level_places(screen: _Screen, eye: Eye, target: Eye) -> list[Point]:
    """Where lines from the eye to the front of the target's base cross a wall's edge level with its top or bottom.

    The line to any bearing is at such a height after the same fraction of its way, so that these places lie on the
    front's circle shrunk towards the eye by that fraction; a fraction of 1 is the front itself.
    """
    rise = target.top - eye.top
    fractions = [1.0, *((height - eye.top) / rise for height in (screen.bottom + TOL, screen.top - TOL) if rise != 0.0)]
    found = []
    for u in fractions:
        if not 0.0 < u <= 1.0:
            continue
        centre = eye.x + (target.x - eye.x) * u, eye.y + (target.y - eye.y) * u
        for ax, ay, bx, by in screen.polygon.edges:
            for t in crossings(ax, ay, bx, by, *centre, target.radius * u):
                found.append((ax + (bx - ax) * t, ay + (by - ay) * t))
    return found


def _hidden(screens: list[_Screen], eye: Eye, target: Eye, away: Inches, angle: float, towards: float) -> bool:
    """Whether the ray at a bearing is stopped before it reaches the target's base."""
    off = angle - towards
    inside = target.radius * target.radius - (away * sin(off)) ** 2
    far = away * cos(off) - sqrt(max(inside, 0.0))
    end = (eye.x + far * cos(angle), eye.y + far * sin(angle))
    for screen in screens:
        for low, high in _inside_parts((eye.x, eye.y), end, screen.polygon):
            heights = [eye.top + (target.top - eye.top) * u for u in (low, high)]
            if min(heights) < screen.top - TOL and max(heights) > screen.bottom + TOL:
                return True
    return False


def _inside_parts(a: Point, b: Point, polygon: Polygon) -> list[tuple[float, float]]:
    """Fractions of a ray that run through a polygon (its outline alone does not hide)."""
    marks = {0.0, 1.0}
    dx, dy = b[0] - a[0], b[1] - a[1]
    for cx, cy, ex, ey in polygon.edges:
        fx, fy = ex - cx, ey - cy
        cross = dx * fy - dy * fx
        if cross != 0.0:
            u = ((cx - a[0]) * fy - (cy - a[1]) * fx) / cross
            v = ((cx - a[0]) * dy - (cy - a[1]) * dx) / cross
            if 0.0 < u < 1.0 and 0.0 <= v <= 1.0:
                marks.add(u)
    spans = pairwise(sorted(marks))
    return [
        (low, high)
        for low, high in spans
        if high - low > 1e-9 and contains(polygon, a[0] + dx * (low + high) / 2, a[1] + dy * (low + high) / 2)
    ]
