"""Lines of sight from one model to another, by any visible part.

Seen from above a base is a disc; the eye is over the centre of the looking base. A wall hides what lies behind it as
high as the line from the eye to the top of the model looked at. Whether a line is stopped changes only at the bearings
of walls' corners, and where it meets a wall's edge just at the height of the wall's top or bottom; so it is enough to
look between neighbouring ones of these bearings: nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, pi, sin, sqrt

import numpy as np
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.rows import Outlines, Row, kernels_asked, rows_of
from tactician.rules.core.shapes import Point, Polygon, contains, crossings, length
from tactician.rules.core.terrain import Board

__all__ = ["Eye", "can_see", "sees_some", "sight_lines"]

ASIDE: Inches = 1e-6
"""How far beside the way to a target a wall must lie to hide nothing for sure."""


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


@dataclass(frozen=True, slots=True)
class _Screens:
    """Everything on a board that can hide something."""

    each: tuple[_Screen, ...]
    outlines: Outlines
    heights: Row
    """Bottom and top of each."""


_SCREENS: Remembered[_Screens] = Remembered(200)


def _screens_of(board: Board) -> _Screens:
    return _SCREENS.get((board,), None, lambda: _find_screens(board))


def _find_screens(board: Board) -> _Screens:
    found = []
    for piece in board.features:
        floor = piece.surface
        if piece.blocks:
            found.append(_Screen(piece.outline, piece.bottom, piece.top))
        elif floor is not None and floor.foot is None and floor.solid:
            found.append(_Screen(piece.outline, 0.0, floor.high))
    outlines = rows_of([screen.polygon for screen in found], [0] * len(found))
    heights = [height for screen in found for height in (screen.bottom, screen.top)]
    return _Screens(tuple(found), outlines, Row(heights))


def can_see(board: Board, eye: Eye, target: Eye) -> bool:
    """Whether any part of the target can be seen."""
    return sight_lines(board, (eye,), (target,))[0][0]


def sight_lines(board: Board, eyes: Sequence[Eye], targets: Sequence[Eye]) -> tuple[tuple[bool, ...], ...]:
    """`can_see` for many at once: for each eye whether it sees each target."""
    kernels = kernels_asked()
    if kernels is None:
        return tuple(tuple(_sees(board, eye, target) for target in targets) for eye in eyes)
    screens, count = _screens_of(board), len(targets)
    sides = screens.outlines.sides
    answers = np.zeros(len(eyes) * count, np.int64)
    kernels.sight_lines(
        np.array([number for eye in eyes for number in (eye.x, eye.y, eye.top)], np.float64),
        np.array([number for one in targets for number in (one.x, one.y, one.top, one.radius)], np.float64),
        screens.outlines.boxes.for_twin(True),
        screens.outlines.firsts.for_twin(True),
        screens.outlines.edges.for_twin(True),
        screens.heights.for_twin(True),
        answers,
        np.empty(2 + 7 * sides),
        np.empty(2 + sides),
        np.empty(screens.outlines.count, np.int64),
    )
    seen = answers.tolist()
    return tuple(tuple(map(bool, seen[i * count : (i + 1) * count])) for i in range(len(eyes)))


def sees_some(
    board: Board, eyes: Sequence[Eye], targets: Sequence[Eye], near: Sequence[Sequence[int]]
) -> tuple[bool, ...]:
    """For each eye whether it sees any of the targets that are near it.

    Args:
        board: with what hides.
        eyes: who looks.
        targets: who may be seen.
        near: for each eye the numbers of the targets that it asks about.
    """
    if kernels_asked() is None:
        return tuple(any(_sees(board, eye, targets[i]) for i in asked) for eye, asked in zip(eyes, near, strict=True))
    if not any(near):
        return tuple(False for _ in eyes)
    seen = sight_lines(board, eyes, targets)
    return tuple(any(row[i] for i in asked) for row, asked in zip(seen, near, strict=True))


def _sees(board: Board, eye: Eye, target: Eye) -> bool:
    """`can_see` in plain Python."""
    screens = _screens(board, eye, target)
    if not screens:
        return True
    away = length(target.x - eye.x, target.y - eye.y)
    if away <= target.radius + TOL:
        return True
    screens = _between(screens, eye, target, away)
    if not screens:
        return True
    towards = atan2(target.y - eye.y, target.x - eye.x)
    sine = min(target.radius / away, 1.0)
    half = atan2(sine, sqrt(1.0 - sine * sine))
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
    for screen in _screens_of(board).each:
        a, b, c, d = screen.polygon.box
        if screen.top > lowest and not (c < x0 or a > x1 or d < y0 or b > y1):
            found.append(screen)
    return found


def _between(screens: list[_Screen], eye: Eye, target: Eye, away: Inches) -> list[_Screen]:
    """The screens that do not lie wholly on one side of the way to the target."""
    nx, ny, most = (eye.y - target.y) / away, (target.x - eye.x) / away, target.radius + ASIDE
    found = []
    for screen in screens:
        sides = [(x - eye.x) * nx + (y - eye.y) * ny for x, y in screen.polygon.points]
        if min(sides) <= most and max(sides) >= -most:
            found.append(screen)
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
    inside = target.radius * target.radius - (away * sin(off)) * (away * sin(off))
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
