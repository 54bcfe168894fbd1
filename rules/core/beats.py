"""Movement in step: the paths of a unit's models as beats of common time.

A beat is an interval in which every model moves evenly: one stretch each, all begun and ended at the same moment.
Leg k of all models is walked together; where one of them passes the foot or head of a ramp, the leg is cut for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tactician.rules.core.arcs import Arc
from tactician.rules.core.legs import Climb, Drop, Leg, Path, Pose, Straight, Stretch, walk
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import length
from tactician.rules.core.state import Unit
from tactician.rules.core.terrain import Board

__all__ = ["Beat", "beats", "cut", "padded", "rest_of", "standing"]

Beat = tuple[Stretch, ...]
"""One stretch for each model of the unit, in the unit's order."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a leg between two fractions of its length seen from above."""

    low: float
    high: float
    stretch: Stretch


def padded(path: Path, legs: int, pose: Pose) -> Path:
    """A path with waits appended until it has so many legs (a wait repeats the last place)."""
    if len(path) >= legs:
        return path
    place = pose.point
    for leg in path:
        place = getattr(leg, "to", place)
    return (*path, *(Straight(place) for _ in range(legs - len(path))))


def beats(
    unit: Unit, paths: dict[str, Path], board: Board, walked: Sequence[tuple[Stretch, ...]] | None = None
) -> tuple[Beat, ...]:
    """The beats of a unit's movement; models without a path stand still.

    Args:
        unit: the unit that moves.
        paths: legs of each model that moves.
        board: the table.
        walked: the stretches of each model's path, in the unit's order, if they are known already.

    Raises:
        KeyError: a climb or drop names a surface that does not exist.
    """
    legs = max((len(path) for path in paths.values()), default=0)
    ways = [paths.get(model.id, ()) for model in unit.models]
    walks = [
        walked[i] if walked is not None and len(way) == legs else walk(model.pose, padded(way, legs, model.pose), board)
        for i, (model, way) in enumerate(zip(unit.models, ways, strict=True))
    ]
    found: list[Beat] = []
    for number in range(legs):
        legs_now = [[stretch for stretch in walked if stretch.leg == number] for walked in walks]
        if all(len(row) == 1 for row in legs_now):
            found.append(tuple(row[0] for row in legs_now))
            continue
        rows = [_pieces(row) for row in legs_now]
        marks = sorted({mark for row in rows for piece in row for mark in (piece.low, piece.high)})
        for low, high in pairwise(marks):
            found.append(tuple(_part(row, low, high) for row in rows))
    return tuple(found)


def standing(pose: Pose, height: Inches, leg: int = 0) -> Stretch:
    """The stretch of a model that waits."""
    return Stretch(
        leg=leg,
        kind="straight",
        surface=pose.surface,
        left=pose.surface,
        start=pose.point,
        end=pose.point,
        low=height,
        high=height,
    )


def _pieces(stretches: list[Stretch]) -> list[_Piece]:
    whole = sum(stretch.across for stretch in stretches)
    pieces: list[_Piece] = []
    low = 0.0
    for number, stretch in enumerate(stretches):
        last = number == len(stretches) - 1
        high = 1.0 if last or whole == 0.0 else min(low + stretch.across / whole, 1.0)
        if high > low:
            pieces.append(_Piece(low, high, stretch))
        low = high
    return pieces


def _part(row: list[_Piece], low: float, high: float) -> Stretch:
    for piece in row:
        if piece.low <= low and high <= piece.high:
            span = piece.high - piece.low
            return cut(piece.stretch, (low - piece.low) / span, (high - piece.low) / span)
    raise ValueError("a beat must lie inside one piece of every model's leg")


def cut(stretch: Stretch, low: float, high: float) -> Stretch:
    """The part of a stretch between two fractions."""
    if low <= 0.0 and high >= 1.0:
        return stretch
    start = stretch.start if low <= 0.0 else stretch.at(low)
    end = stretch.end if high >= 1.0 else stretch.at(high)
    return Stretch(
        leg=stretch.leg,
        kind=stretch.kind,
        surface=stretch.surface,
        left=stretch.left,
        start=start,
        end=end,
        low=stretch.low if low <= 0.0 else stretch.height_at(low),
        high=stretch.high if high >= 1.0 else stretch.height_at(high),
        arc=None if stretch.arc is None else Arc(start, end, stretch.arc.centre, stretch.arc.turn),
    )


def rest_of(stretch: Stretch) -> Leg:
    """The leg that walks a stretch."""
    if stretch.kind == "climb":
        return Climb(stretch.surface)
    return Drop(stretch.surface) if stretch.kind == "drop" else Straight(stretch.end)


def speed(stretch: Stretch) -> tuple[float, float, float]:
    """Displacement over the whole beat."""
    return stretch.end[0] - stretch.start[0], stretch.end[1] - stretch.start[1], stretch.high - stretch.low


def distance(a: Stretch, b: Stretch, u: float) -> Inches:
    """Distance of two models' centres at a moment of a beat, heights included."""
    (ax, ay), (bx, by) = a.at(u), b.at(u)
    return length(ax - bx, ay - by, a.height_at(u) - b.height_at(u))
