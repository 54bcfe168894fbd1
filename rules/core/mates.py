"""Models of one unit that move at the same time: how near they come."""

from __future__ import annotations

from tactician.rules.core.barriers import HAIR, kept, not_inside
from tactician.rules.core.beats import speed
from tactician.rules.core.legs import Pose, Stretch
from tactician.rules.core.measure import CLOSED_MARGIN, TOL, Inches, overlaps
from tactician.rules.core.shapes import Interval, clamp, length, near_point
from tactician.rules.core.terrain import Board

__all__ = ["closest_approach", "distance_to_keep", "first_touch"]


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


def distance_to_keep(a: Pose, b: Pose, radius: Inches) -> Inches:
    """How near two centres may come during a move that begins with the models at these poses."""
    return kept(2 * radius, length(a.x - b.x, a.y - b.y)) if a.surface == b.surface else 2 * radius


def first_touch(a: Stretch, b: Stretch, radius: Inches, board: Board, reach: Inches) -> float | None:
    """The first moment at which two models come too near, or None.

    Args:
        a: stretch of the one model in a beat.
        b: stretch of the other.
        radius: of both bases.
        board: the table, for floors that separate them.
        reach: distance of the centres that they keep, aiming past it by a margin; models that begin the beat
            at their limit, or past it by no more than the tolerance, may not come nearer than that.
    """
    fx, fy, dx, dy = _relative(a, b)
    aim = reach + CLOSED_MARGIN
    part = near_point(fx, fy, fx + dx, fy + dy, 0.0, 0.0, aim)
    if part is None:
        return None
    have = length(fx, fy)
    for low, high in _together(a, b, radius, board):
        begun = part
        if low <= 0.0 and have - HAIR < aim and not overlaps(have - reach):
            nearer = near_point(fx, fy, fx + dx, fy + dy, 0.0, 0.0, have - HAIR)
            if nearer is None:
                continue
            begun = nearer
        if max(begun[0], low) < min(begun[1], high):
            return max(begun[0], low)
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
