"""A model's way in straight pieces that can be said aloud: so many inches in a direction."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import acos, atan2, ceil, degrees

from tactician.agent.tape.fixes import quoted, rounded, told
from tactician.rules.core.legs import Path, Pose, Stretch, walk
from tactician.rules.core.measure import Degrees, Inches
from tactician.rules.core.shapes import Point, length, point_segment_distance
from tactician.rules.core.terrain import GROUND, Board

__all__ = ["Piece", "pieces_of"]

BULGE: Inches = 0.05
"""How far a spoken piece may stray from the arc it stands for."""

BEND: Inches = 0.02
"""Points nearer than this to the straight line past them are not spoken of."""

HOUR: Degrees = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One thing to do on the way."""

    kind: str
    """``straight``, ``climb`` or ``drop``."""
    inches: Inches
    bearing: Degrees = 0.0
    """Clockwise from the top edge; of a straight piece."""
    surface: str = ""
    """Where a climb or drop leads."""

    @property
    def hour(self) -> int:
        """The bearing on a clock whose 12 is at the top edge."""
        return round(self.bearing / HOUR) % 12 or 12

    def __str__(self) -> str:
        """As printed."""
        if self.kind == "straight":
            return f"{told(rounded(self.inches))} at {self.hour} o'clock ({round(self.bearing) % 360}°)"
        where = "the ground" if self.surface == GROUND else quoted(self.surface)
        return f"{self.kind} {told(rounded(self.inches))} {'onto' if self.kind == 'climb' else 'to'} {where}"


def pieces_of(start: Pose, path: Path, board: Board) -> tuple[Piece, ...]:
    """A way as it is spoken: waits and points that only keep time are left out, arcs go in short straight pieces.

    Args:
        start: where the model stands.
        path: its legs.
        board: the table.
    """
    found: list[Piece] = []
    run: list[Point] = [start.point]
    for stretch in walk(start, path, board):
        if stretch.is_vertical:
            found += _straight_pieces(run)
            run = [stretch.end]
            _add_rise(found, stretch)
        else:
            run += _points(stretch)
    return (*found, *_straight_pieces(run))


def _add_rise(found: list[Piece], stretch: Stretch) -> None:
    """A climb or drop; the parts of one are spoken of once."""
    inches = abs(stretch.high - stretch.low)
    if found and (found[-1].kind, found[-1].surface) == (stretch.kind, stretch.surface):
        inches += found.pop().inches
    found.append(Piece(kind=stretch.kind, inches=inches, surface=stretch.surface))


def _points(stretch: Stretch) -> list[Point]:
    arc = stretch.arc
    if arc is None or arc.radius <= BULGE:
        return [stretch.end]
    count = max(ceil(arc.sweep / (2.0 * acos(1.0 - BULGE / arc.radius))), 1)
    return [stretch.at(number / count) for number in range(1, count + 1)]


def _straight_pieces(points: list[Point]) -> list[Piece]:
    found = []
    for (ax, ay), (bx, by) in pairwise(_without_needless(points)):
        inches = length(bx - ax, by - ay)
        if inches > BEND:
            found.append(Piece(kind="straight", inches=inches, bearing=degrees(atan2(bx - ax, by - ay)) % 360.0))
    return found


def _without_needless(points: list[Point]) -> list[Point]:
    """The points that tell the shape of a way (Douglas and Peucker, 1973)."""
    if len(points) < 3:
        return points
    (ax, ay), (bx, by) = points[0], points[-1]
    aways = [point_segment_distance(x, y, ax, ay, bx, by) for x, y in points]
    far = max(range(len(points)), key=lambda number: (aways[number], -number))
    if aways[far] <= BEND:
        return [points[0], points[-1]]
    return [*_without_needless(points[: far + 1])[:-1], *_without_needless(points[far:])]
