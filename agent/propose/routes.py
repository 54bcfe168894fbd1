"""Detours: the exact shortest way of a unit's middle round what stands between it and a place."""

from __future__ import annotations

from math import ceil, cos, pi, sin

from tactician.agent.propose.aims import middle
from tactician.rules.core.arcs import LEFT, Arc
from tactician.rules.core.legs import Bend, Path, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.core.scene import scene_for
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = ["file_ways", "route"]

_FILES: Remembered[dict[str, list[Point]]] = Remembered(2_000)

_ROUTES: Remembered[tuple[Point, ...]] = Remembered(2_000)

DRAWN_IN = 0.75
"""How much of its width a formation keeps that is drawn in."""

LONGER, FURTHER = 1.25, 4.0
"""A detour is looked for up to this share of the straight way, and these inches more."""


WIDEST = pi / 4
"""Radians that one corner of a detour may turn; whoever walks is stopped by what lies outside the arc, if need be."""


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


def file_ways(state: State, unit: Unit, kind: MoveType, goal: Point) -> dict[str, list[Point]]:
    """Each model's own way toward a place, the formation drawn in: for gaps that it cannot pass as it stands.

    Returns:
        Start and corners for each model; empty where some model has no way at all.
    """
    key = goal, tuple(one.trait for one in kind.closed)
    return _FILES.get((state.table, state.units, unit), key, lambda: _file_ways(state, unit, kind, goal))


def _file_ways(state: State, unit: Unit, kind: MoveType, goal: Point) -> dict[str, list[Point]]:
    from tactician.rules.paths.search import shortest
    from tactician.rules.paths.squads import surroundings

    here, found = middle(unit), dict[str, list[Point]]()
    for model in unit.models:
        start = model.pose.point
        slot = (goal[0] + DRAWN_IN * (start[0] - here[0]), goal[1] + DRAWN_IN * (start[1] - here[1]))
        scene = surroundings(state, unit, kind, model.pose)
        for place in (slot, goal):
            budget = LONGER * length(place[0] - start[0], place[1] - start[1]) + FURTHER
            way = shortest(scene, start, place, budget)
            if way is not None:
                found[model.id] = [start, *_corners(start, way.legs)]
                break
        else:
            return {}
    return found


def _way(state: State, unit: Unit, kind: MoveType, goal: Point, room: Inches) -> tuple[Point, ...]:
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
    return tuple(_corners(here, way.legs))


def _corners(start: Point, legs: Path) -> list[Point]:
    """A way as a few straight legs that a person could walk: arcs are gone round outside, in wide turns."""
    found: list[Point] = []
    here = start
    for leg in legs:
        if isinstance(leg, Bend):
            found += _turns(Arc(here, leg.to, leg.centre, leg.turn))
        if isinstance(leg, Straight | Bend):
            here = leg.to
            found.append(here)
    return found


def _turns(arc: Arc) -> list[Point]:
    """Where tangents at evenly spaced places of an arc cross."""
    pieces = max(1, ceil(arc.sweep / WIDEST - 1e-9))
    step = arc.sweep / pieces * (1.0 if arc.turn == LEFT else -1.0)
    radius = arc.radius / cos(step / 2)
    angles = (arc.from_angle + (i + 0.5) * step for i in range(pieces))
    return [(arc.centre[0] + radius * cos(angle), arc.centre[1] + radius * sin(angle)) for angle in angles]
