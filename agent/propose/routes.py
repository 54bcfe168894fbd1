"""Detours: the exact shortest way of a unit's middle round what stands between it and a place."""

from __future__ import annotations

from tactician.agent.propose.aims import middle
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.core.scene import scene_for
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = ["route"]

_ROUTES: Remembered[tuple[Point, ...]] = Remembered(2_000)

LONGER, FURTHER = 1.25, 4.0
"""A detour is looked for up to this share of the straight way, and these inches more."""


def route(state: State, unit: Unit, kind: MoveType, goal: Point) -> tuple[Point, ...]:
    """Corners of the shortest way for the unit's middle toward a place; empty where none is found.

    The middle is given as much room as the formation needs if there is such a way, else the room of one base.
    """
    key = goal, tuple(one.trait for one in kind.closed)
    return _ROUTES.get((state.table, state.units, unit), key, lambda: _route(state, unit, kind, goal))


def _route(state: State, unit: Unit, kind: MoveType, goal: Point) -> tuple[Point, ...]:
    here = middle(unit)
    wide = unit.radius + max(length(m.pose.x - here[0], m.pose.y - here[1]) for m in unit.models)
    surfaces = {model.pose.surface for model in unit.models}
    if len(surfaces) != 1:
        return ()
    for room in sorted({min(wide, unit.radius + 1.5), unit.radius}, reverse=True):
        points = _way(state, unit, kind, goal, room)
        if points:
            return points
    return ()


def _way(state: State, unit: Unit, kind: MoveType, goal: Point, room: Inches) -> tuple[Point, ...]:
    from tactician.rules.paths.polylines import polyline
    from tactician.rules.paths.scene import Scene
    from tactician.rules.paths.search import shortest

    here = middle(unit)
    surface = unit.models[0].pose.surface
    discs = tuple(
        (base.x, base.y, base.radius + room)
        for base in scene_for(state, unit).others
        if base.surface == surface and length(base.x - goal[0], base.y - goal[1]) > base.radius + room
    )
    closed = tuple(piece.outline for one in kind.closed for piece in state.board.with_trait(one.trait))
    scene = Scene(board=state.board, surface=surface, radius=room, discs=discs, closed=closed)
    budget = LONGER * length(goal[0] - here[0], goal[1] - here[1]) + FURTHER
    way = shortest(scene, here, goal, budget, resting=False)
    if way is None:
        return ()
    return tuple(leg.to for leg in polyline(here, way.legs) if hasattr(leg, "to"))
