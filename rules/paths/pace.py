"""Ways of several models brought to the same pace, or to the same length."""

from __future__ import annotations

from itertools import pairwise
from math import inf

from tactician.rules.core.clip import paid_part, truncated
from tactician.rules.core.legs import Path, Straight, Stretch, walk
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = ["evened", "in_pace"]

Paths = dict[str, Path]


def in_pace(ways: dict[str, list[Point]], inches: Inches = inf) -> Paths:
    """Polylines walked by all models at the same pace, as legs in step; cut off after so many inches."""
    marks = {round(mark, 9) for points in ways.values() for mark in _miles(points) if mark < inches}
    longest = max(_miles(points)[-1] for points in ways.values())
    steps = sorted({*marks, min(longest, inches)})
    return {name: tuple(Straight(_at(points, mark)) for mark in steps[1:]) for name, points in ways.items()}


def evened(state: State, unit: Unit, kind: MoveType, paths: Paths) -> Paths:
    """Ways cut to what their models can pay for, and all of them to the length of the shortest of those.

    Where some models pay more for the ground than others, the formation keeps together so.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: what must be paid.
        paths: whole ways.
    """
    paid = {name: paid_part(state, unit, kind, name, path) for name, path in paths.items() if path}
    stretches = {name: walk(unit.model(name).pose, path, state.board) for name, path in paid.items()}
    least = min((_walked(rows) for name, rows in stretches.items()), default=0.0)
    cut = {name: _cut(state, paid[name], rows, least) for name, rows in stretches.items()}
    return {name: paid_part(state, unit, kind, name, path) for name, path in cut.items() if path}


def _walked(stretches: tuple[Stretch, ...]) -> Inches:
    return sum(stretch.across for stretch in stretches)


def _cut(state: State, path: Path, stretches: tuple[Stretch, ...], inches: Inches) -> Path:
    """The part of a way that is so many inches long."""
    for number, stretch in enumerate(stretches):
        if stretch.across > inches:
            return truncated(path, stretches, number + inches / stretch.across, state.board)
        inches -= stretch.across
    return path


def _miles(points: list[Point]) -> list[float]:
    """For each point of a polyline, the inches that lie behind it."""
    marks = [0.0]
    for a, b in pairwise(points):
        marks.append(marks[-1] + length(b[0] - a[0], b[1] - a[1]))
    return marks


def _at(points: list[Point], inches: float) -> Point:
    """The point of a polyline after so many inches; its end after more."""
    for (a, b), (low, high) in zip(pairwise(points), pairwise(_miles(points)), strict=True):
        if inches < high:
            t = (inches - low) / (high - low)
            return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
    return points[-1]
