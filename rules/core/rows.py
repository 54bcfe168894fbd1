"""Boards, units and scenes as flat rows of numbers, the form in which kernels read them.

Rows are worked out once for each board and unit and remembered by their identity. A row is a list for the plain
twin of a kernel and an array for the compiled one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from tactician.rules.core.measure import Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.scene import Scene, rests_of
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.state import Unit
from tactician.rules.core.terrain import GROUND, Board

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Outlines", "Row", "bases_row", "kernels_asked", "kernels_for", "outlines_of", "rows_of", "starts_of"]

CONVEX_HAIR = 1e-9
"""Least turn at a corner of an outline that counts as convex."""


@dataclass(slots=True)
class Row:
    """A row of numbers: the list, and the array made of it when first needed."""

    numbers: list[Any]
    kind: type = float
    _array: Any = field(default=None, repr=False)

    def for_twin(self, compiled: bool) -> Any:
        """The row as a kernel reads it."""
        if not compiled:
            return self.numbers
        if self._array is None:
            self._array = np.array(self.numbers, dtype=np.float64 if self.kind is float else np.int64)
        return self._array


def kernels_for() -> tuple[ModuleType, bool]:
    """The twin of the kernels to ask, the plain one where no other answers, and whether it reads arrays."""
    twins = _twins()
    plain: ModuleType = twins.interpreted()
    found: ModuleType = twins.compiled() or plain
    return found, found is not plain


def kernels_asked() -> ModuleType | None:
    """The kernels that answer in place of the plain code, or None where the plain code answers."""
    found: ModuleType | None = _twins().compiled()
    return found


@cache
def _twins() -> ModuleType:
    """The module that knows the twins, imported when first needed."""
    return import_module("tactician.rules.paths.twins")


@dataclass(frozen=True, slots=True)
class Outlines:
    """Polygons as rows."""

    boxes: Row
    firsts: Row
    edges: Row
    kinds: Row
    """0 for a wall, 1 for a closed piece that is convex, 2 for another closed piece."""

    @property
    def count(self) -> int:
        """Number of outlines."""
        return len(self.kinds.numbers)

    @property
    def sides(self) -> int:
        """Number of edges of all outlines."""
        return len(self.edges.numbers) // 4


_OUTLINES: Remembered[Outlines] = Remembered(200)
_STARTS: Remembered[Row | None] = Remembered(5_000)
_RESTS: Remembered[Row] = Remembered(5_000)
_SCENES: Remembered[Row] = Remembered(1_000)


def outlines_of(board: Board, closed: tuple[str, ...] = ()) -> Outlines:
    """The walls of the ground, then the pieces with traits that close them."""
    return _OUTLINES.get((board,), closed, lambda: _outlines(board, closed))


def _outlines(board: Board, closed: tuple[str, ...]) -> Outlines:
    walls = [polygon for _, polygon in board.ground(GROUND).walls]
    pieces = [piece.outline for trait in closed for piece in board.with_trait(trait)]
    return rows_of((*walls, *pieces), [0] * len(walls) + [1 if is_convex(outline) else 2 for outline in pieces])


def rows_of(polygons: Iterable[Polygon], kinds: list[int]) -> Outlines:
    """Polygons as rows."""
    boxes: list[float] = []
    edges: list[float] = []
    firsts = [0]
    for polygon in polygons:
        boxes += polygon.box
        for edge in polygon.edges:
            edges += edge
        firsts.append(len(edges) // 4)
    return Outlines(Row(boxes), Row(firsts, int), Row(edges), Row(kinds, int))


def is_convex(polygon: Polygon) -> bool:
    """Whether all corners of an outline turn the same way."""
    turns = []
    for (ax, ay, bx, by), (_, _, cx, cy) in zip(polygon.edges, (*polygon.edges[1:], polygon.edges[0]), strict=True):
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(turns) > CONVEX_HAIR or max(turns) < -CONVEX_HAIR


def starts_of(unit: Unit) -> Row | None:
    """Where the models of a unit stand, x and y of each; None unless all stand on the ground."""
    return _STARTS.get((unit.models,), None, lambda: _starts(unit))


def _starts(unit: Unit) -> Row | None:
    numbers: list[Inches] = []
    for model in unit.models:
        if model.pose.surface != GROUND:
            return None
        numbers += model.pose.point
    return Row(numbers) if numbers else None


def bases_row(board: Board, units: tuple[Unit, ...], scene: Scene) -> Row:
    """The bases of a scene: six numbers each."""
    return _SCENES.get((scene,), None, lambda: _bases(board, units, scene))


def _bases(board: Board, units: tuple[Unit, ...], scene: Scene) -> Row:
    rows = [_rest(board, unit, unit.side != scene.side) for unit in units if unit.id != scene.unit and unit.models]
    joined = Row([number for row in rows for number in row.numbers])
    if rows:
        joined._array = np.concatenate([row.for_twin(True) for row in rows])
    return joined


def _rest(board: Board, unit: Unit, hostile: bool) -> Row:
    about = unit.id, unit.side, unit.radius, hostile
    return _RESTS.get((board, unit.models), about, lambda: Row(_rest_numbers(board, unit, hostile)))


def _rest_numbers(board: Board, unit: Unit, hostile: bool) -> list[float]:
    numbers: list[float] = []
    for base in rests_of(board, unit):
        numbers += (base.x, base.y, base.z, base.radius, base.surface == GROUND, hostile)
    return numbers
