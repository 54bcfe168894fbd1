"""Models of one unit that move at the same time: how near they come."""

from __future__ import annotations

from tactician.rules.core.barriers import not_inside
from tactician.rules.core.beats import speed
from tactician.rules.core.legs import Stretch
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import Interval, clamp, length, near_point
from tactician.rules.core.terrain import Board

__all__ = ["closest_approach", "first_touch"]


def closest_approach(a: Stretch, b: Stretch, radius: Inches, board: Board) -> tuple[Inches, float] | None:
    """Least distance of two centres seen from above during a beat, and when; None if a floor always separates them."""
    spans = _together(a, b, radius, board)
    best: tuple[Inches, float] | None = None
    fx, fy, dx, dy = _relative(a, b)
    square = dx * dx + dy * dy
    nearest = -(fx * dx + fy * dy) / square if square > 0.0 else 0.0
    for low, high in spans:
        u = clamp(nearest, low, high)
        away = length(fx + dx * u, fy + dy * u)
        if best is None or away < best[0]:
            best = (away, u)
    return best


def first_touch(a: Stretch, b: Stretch, radius: Inches, board: Board, reach: Inches, since: float) -> float | None:
    """The first moment from `since` on at which two centres are nearer than `reach` and approaching, or None."""
    fx, fy, dx, dy = _relative(a, b)
    if dx == 0.0 and dy == 0.0:
        return None
    part = near_point(fx, fy, fx + dx, fy + dy, 0.0, 0.0, reach)
    if part is None:
        return None
    nearest = -(fx * dx + fy * dy) / (dx * dx + dy * dy)
    for low, high in _together(a, b, radius, board):
        first, last = max(part[0], low, since), min(part[1], high, nearest)
        if first < last:
            return first
    return None


def _relative(a: Stretch, b: Stretch) -> tuple[float, float, float, float]:
    (ax, ay, _), (bx, by, _) = speed(a), speed(b)
    return a.start[0] - b.start[0], a.start[1] - b.start[1], ax - bx, ay - by


def _together(a: Stretch, b: Stretch, radius: Inches, board: Board) -> tuple[Interval, ...]:
    """When two models can touch: always on one surface; else while the upper one hangs over its floor's border."""
    if a.surface == b.surface:
        return ((0.0, 1.0),)
    upper = a if a.low + a.high >= b.low + b.high else b
    floor = board.surface(upper.surface).polygon
    return ((0.0, 1.0),) if floor is None else not_inside(upper, floor, radius - TOL)
