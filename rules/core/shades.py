"""What can hide a model from an eye, and the part of the way to it on which it hides.

A line of sight runs from the top of the model that looks to the top of the one looked at and rises or falls evenly.
Something hides wherever the line is between its bottom and its top: that is, between two fixed fractions of the line's
way, whatever its bearing and length. Behind a convex thing lies a shadow: on every bearing it begins where the thing
begins, divided by the greater fraction, and ends where the thing ends, divided by the lesser one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from tactician.rules.core.measure import TOL, Inches, beyond
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Interval, Point, length, merge
from tactician.rules.core.sight import Eye
from tactician.rules.core.terrain import Board

__all__ = ["Disc", "Outline", "Shade", "band", "depth", "parts_on_line", "pieces_of", "shade_of", "thick"]


@dataclass(frozen=True, slots=True)
class Outline:
    """A piece of terrain that hides."""

    points: tuple[Point, ...]
    """Its corners, counter-clockwise."""
    bottom: Inches
    top: Inches
    veil: Inches | None = None
    """How far one sees through it; None where it hides at once."""

    @property
    def box(self) -> tuple[Inches, Inches, Inches, Inches]:
        """Least x, least y, greatest x, greatest y."""
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Disc:
    """A model that hides what is behind its base, wherever a line does not pass above its top."""

    x: Inches
    y: Inches
    radius: Inches
    top: Inches

    @property
    def box(self) -> tuple[Inches, Inches, Inches, Inches]:
        """Least x, least y, greatest x, greatest y."""
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius


@dataclass(frozen=True, slots=True)
class Shade:
    """A thing as one line of sight meets it: seen from the eye, with the fractions of the line at which it hides."""

    points: tuple[Point, ...]
    """Corners, counter-clockwise, relative to the eye; none for a disc."""
    low: float
    high: float
    """It hides where the line has gone more than the fraction `low` and less than `high` of its way."""
    x: Inches = 0.0
    y: Inches = 0.0
    radius: Inches = 0.0
    """The disc, relative to the eye."""

    @property
    def is_full(self) -> bool:
        """Whether it hides on the whole way, so that its shadow begins with it and never ends."""
        return self.low == 0.0 and self.high == 1.0


_PIECES: Remembered[tuple[Outline, ...]] = Remembered(200)


def pieces_of(board: Board) -> tuple[Outline, ...]:
    """Everything on a board that can hide something, in the order of its pieces."""
    return _PIECES.get((board,), None, lambda: _find_pieces(board))


def _find_pieces(board: Board) -> tuple[Outline, ...]:
    found = []
    for piece in board.features:
        floor, veil = piece.surface, piece.veil if not piece.blocks else None
        points = piece.outline.points
        if sum(ax * by - bx * ay for ax, ay, bx, by in piece.outline.edges) < 0.0:
            points = points[::-1]
        if piece.blocks or piece.screens or veil is not None:
            found.append(Outline(points, piece.bottom, piece.top, veil))
        elif floor is not None and floor.foot is None and floor.solid:
            found.append(Outline(points, 0.0, floor.high))
    return tuple(found)


def band(eye_top: Inches, target_top: Inches, bottom: Inches, top: Inches) -> Interval | None:
    """Fractions of a line of sight between which it is at heights from bottom to top; None where it never is."""
    bottom, top = bottom + TOL, top - TOL
    rise = target_top - eye_top
    if abs(rise) < 1e-9:
        return (0.0, 1.0) if bottom < eye_top < top else None
    one, other = (bottom - eye_top) / rise, (top - eye_top) / rise
    low, high = (one, other) if one < other else (other, one)
    low, high = max(low, 0.0), min(high, 1.0)
    return (low, high) if low < high else None


def shade_of(thing: Outline | Disc, eye: Eye, target_top: Inches) -> Shade | None:
    """A thing as the lines from an eye to tops of this height meet it; None where they all pass over or under it."""
    bottom, top = (thing.bottom, thing.top) if isinstance(thing, Outline) else (-inf, thing.top + 2 * TOL)
    span = band(eye.top, target_top, bottom, top)
    if span is None:
        return None
    if isinstance(thing, Outline):
        points = tuple((x - eye.x, y - eye.y) for x, y in thing.points)
        return Shade(points, *span)
    return Shade((), *span, thing.x - eye.x, thing.y - eye.y, thing.radius)


def parts_on_line(points: Sequence[Point], x: float, y: float) -> list[Interval]:
    """The parts inside an outline of the ray from the origin through a point, in fractions of the way to the point."""
    marks = []
    ax, ay = points[-1]
    before = x * ay - y * ax
    for bx, by in points:
        after = x * by - y * bx
        if (before > 0.0) != (after > 0.0):
            fraction = (ax * by - ay * bx) / (after - before)
            if fraction > 0.0:
                marks.append(fraction)
        ax, ay, before = bx, by, after
    marks.sort()
    if len(marks) % 2:
        marks.insert(0, 0.0)
    return [(marks[i], marks[i + 1]) for i in range(0, len(marks), 2)]


def depth(shades: Sequence[Shade], x: Inches, y: Inches) -> Inches:
    """Inches of the straight line from the eye to a point (relative to the eye) that run inside any of some areas."""
    parts = []
    for shade in shades:
        for low, high in parts_on_line(shade.points, x, y):
            low, high = max(low, shade.low), min(high, shade.high)
            if low < high:
                parts.append((low, high))
    return sum(high - low for low, high in merge(parts)) * length(x, y)


def thick(areas: Sequence[tuple[Inches, Shade]], x: Inches, y: Inches) -> list[Shade]:
    """The areas that hide a target whose centre is at a point relative to the eye.

    Areas with the same veil count together: when the straight line to the centre runs further inside them than the
    veil, they hide, on every bearing, what is in or behind them; otherwise they hide nothing.

    Args:
        areas: veil and shade of each.
        x: of the target's centre, relative to the eye.
        y: of the target's centre, relative to the eye.
    """
    found = []
    for veil in sorted({veil for veil, _ in areas}):
        group = [shade for other, shade in areas if other == veil]
        if beyond(depth(group, x, y), veil):
            found += group
    return found
