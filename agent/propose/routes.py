"""Detours: the cheapest way of a unit's middle round, or through, what stands between it and a place."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, cos, pi, sin
from typing import TYPE_CHECKING

from tactician.agent.propose.aims import middle
from tactician.rules.core.arcs import LEFT, Arc
from tactician.rules.core.legs import Bend, Path, Pose, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.core.scene import Base, scene_for
from tactician.rules.core.shapes import Point, contains, length
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import GROUND

if TYPE_CHECKING:
    from tactician.rules.paths.scene import Scene

__all__ = ["file_ways", "lead_corners", "route"]

_FILES: Remembered[dict[str, list[Point]]] = Remembered(2_000)

_LEADS: Remembered[tuple[Point, ...]] = Remembered(2_000)

_ROUTES: Remembered[tuple[Point, ...]] = Remembered(2_000)

DRAWN_IN = 0.75
"""How much of its width a formation keeps that is drawn in."""

LONGER, FURTHER = 1.25, 4.0
"""A detour is looked for up to this share of the straight way, and these inches more."""

DEARER = 1.5
"""The same share where the ground costs: a straight way may pay more than its length there."""

AHEAD = 1.25
"""Bases further away than so many times the allowance are left out where the ground costs: they may have moved on."""

ROOMS: Inches = 0.25
"""Step of the rooms that formations are given where the ground costs, so that few sorts of ground are worked out."""

WIDEST = pi / 4
"""Radians that one corner of a detour may turn; whoever walks is stopped by what lies outside the arc, if need be."""


def route(state: State, unit: Unit, kind: MoveType, goal: Point) -> tuple[Point, ...]:
    """Corners of the cheapest way for the unit's middle toward a place; empty where none is found.

    The middle is given as much room as the formation needs if there is such a way, else the room of one base.
    """
    key = goal, _sort(kind)
    return _ROUTES.get((state.table, state.units, unit, kind.going), key, lambda: _route(state, unit, kind, goal))


def _sort(kind: MoveType) -> object:
    """What of a move type, besides the ground, decides where a route leads."""
    apart = tuple((keep.limit, keep.spared) for keep in kind.keep_away if keep.whole_way)
    far = 0.0 if kind.going is None else kind.allowance
    return tuple(one.trait for one in kind.closed), apart, kind.models is None, far


def _route(state: State, unit: Unit, kind: MoveType, goal: Point) -> tuple[Point, ...]:
    here = middle(unit)
    wide = unit.radius + max(length(m.pose.x - here[0], m.pose.y - here[1]) for m in unit.models)
    surfaces = {model.pose.surface for model in unit.models}
    if len(surfaces) != 1:
        return ()
    room = min(wide, unit.radius + 1.5)
    if kind.going is not None:
        room = min(ROOMS * ceil(room / ROOMS), unit.radius + 1.5)
    for width in sorted({room, unit.radius}, reverse=True):
        points = _way(state, unit, kind, goal, width)
        if points:
            return points
    return ()


def file_ways(state: State, unit: Unit, kind: MoveType, goal: Point) -> dict[str, list[Point]]:
    """Each model's own way toward a place, the formation drawn in: for gaps that it cannot pass as it stands.

    Returns:
        Start and corners for each model; empty where some model has no way at all.
    """
    key = goal, _sort(kind)
    return _FILES.get((state.table, state.units, unit, kind.going), key, lambda: _file_ways(state, unit, kind, goal))


def _file_ways(state: State, unit: Unit, kind: MoveType, goal: Point) -> dict[str, list[Point]]:
    from tactician.rules.paths.search import shortest
    from tactician.rules.paths.walkers import surroundings

    here, found = middle(unit), dict[str, list[Point]]()
    first: tuple[Point, ...] = ()
    if kind.going is not None:
        lead = min(unit.models, key=lambda m: (round(length(m.pose.x - goal[0], m.pose.y - goal[1]), 6), m.id))
        first = _lead(state, unit, kind, lead.pose, goal)
        if not first:
            return {}
    for model in unit.models:
        start = model.pose.point
        slot = (goal[0] + DRAWN_IN * (start[0] - here[0]), goal[1] + DRAWN_IN * (start[1] - here[1]))
        scene = _ahead(kind, surroundings(state, unit, kind, model.pose), start)
        for place in (slot, goal) if len(first) < 2 else first[:1]:
            budget = LONGER * length(place[0] - start[0], place[1] - start[1]) + FURTHER
            way = shortest(scene, start, place, budget, resting=not first)
            if way is not None:
                found[model.id] = [start, *_corners(start, way.legs), *first[1:]]
                break
        else:
            return {}
    return found


def lead_corners(state: State, unit: Unit, kind: MoveType, start: Pose, goal: Point) -> tuple[Point, ...]:
    """Corners of the cheapest way of one model from where it stands, its mates left out of account."""
    key = goal, start, _sort(kind)
    return _LEADS.get((state.table, state.units, unit, kind.going), key, lambda: _lead(state, unit, kind, start, goal))


def _lead(state: State, unit: Unit, kind: MoveType, start: Pose, goal: Point) -> tuple[Point, ...]:
    """Corners of the cheapest way of one model, which the others then follow; empty where there is none."""
    from tactician.rules.paths.walkers import cheapest, surroundings

    scene = _ahead(kind, surroundings(state, unit, kind, start), start.point)
    discs = tuple(disc for disc in scene.discs if length(disc[0] - goal[0], disc[1] - goal[1]) > disc[2])
    way = cheapest(kind, replace(scene, discs=discs), start.point, goal, _budget(kind, start.point, goal))
    return () if way is None else tuple(_corners(start.point, way.legs))


def _way(state: State, unit: Unit, kind: MoveType, goal: Point, room: Inches) -> tuple[Point, ...]:
    from tactician.rules.paths.scene import Scene
    from tactician.rules.paths.walkers import broad, cheapest

    here = middle(unit)
    kind = broad(kind, room - unit.radius) if room > unit.radius else kind
    surface = unit.models[0].pose.surface
    rows = ((base, base.radius + room + _apart(base, unit, kind)) for base in scene_for(state, unit).others)
    discs = tuple(
        (base.x, base.y, reach)
        for base, reach in rows
        if base.surface == surface and length(base.x - goal[0], base.y - goal[1]) > reach
    )
    closed = tuple(piece.outline for one in kind.closed for piece in state.board.with_trait(one.trait))
    if kind.going is not None and surface == GROUND:
        closed += tuple(outline for _, outline in kind.going.barred if not contains(outline, *here))
    scene = Scene(board=state.board, surface=surface, radius=room, discs=discs, closed=closed)
    way = cheapest(kind, _ahead(kind, scene, here), here, goal, _budget(kind, here, goal), resting=False)
    if way is None:
        return ()
    return tuple(_corners(here, way.legs))


def _ahead(kind: MoveType, scene: Scene, start: Point) -> Scene:
    """The scene without bases that the unit does not come near in this move, where their number makes it slow."""
    if kind.going is None:
        return scene
    far = AHEAD * kind.allowance
    near = tuple(disc for disc in scene.discs if length(disc[0] - start[0], disc[1] - start[1]) - disc[2] <= far)
    return replace(scene, discs=near)


def _apart(base: Base, unit: Unit, kind: MoveType) -> Inches:
    """How far from a base the unit stays on its whole way."""
    if base.side == unit.side:
        return 0.0
    return max((keep.limit for keep in kind.keep_away if keep.whole_way and base.unit not in keep.spared), default=0.0)


def _budget(kind: MoveType, start: Point, goal: Point) -> Inches:
    """Inches that a detour may cost."""
    share = LONGER if kind.going is None else DEARER
    return share * length(goal[0] - start[0], goal[1] - start[1]) + FURTHER


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
