"""A whole squad to one place: the formation shifted as it stands, led along a route, or each model by its own way.

Every way offered has been shortened by `clip`, so that it is legal under its move type. The shifted formation comes
first: in a straight shift no model can touch a mate, whoever leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.clear import certain_shifts
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Climb, Drop, Leg, Path, Pose, Straight, walk
from tactician.rules.core.measure import OPEN_MARGIN, Inches, overlaps
from tactician.rules.core.movement import MoveType, end_pose, judge, judge_in_words
from tactician.rules.core.scene import scene_for
from tactician.rules.core.shapes import Point, length, polygon_distance
from tactician.rules.core.state import State, Unit, front_first
from tactician.rules.core.terrain import GROUND
from tactician.rules.paths.polylines import polyline
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

__all__ = [
    "centre_of",
    "each_way",
    "in_pace",
    "led_way",
    "shift",
    "shift_mask",
    "squad_to",
    "surroundings",
]

Paths = dict[str, Path]


def centre_of(unit: Unit) -> Point:
    """The middle of a unit's models."""
    count = len(unit.models)
    return sum(m.pose.x for m in unit.models) / count, sum(m.pose.y for m in unit.models) / count


def surroundings(state: State, unit: Unit, kind: MoveType, start: Pose) -> Scene:
    """What stands in the way of one model of a unit under a move type, its own mates left out."""
    radius = unit.radius
    others = [base for base in scene_for(state, unit).others if base.surface == start.surface]
    discs = [(base.x, base.y, base.radius + radius) for base in others] if kind.models is not None else []
    for keep in kind.keep_away:
        if keep.whole_way:
            foes = [base for base in others if base.side != unit.side and base.unit not in keep.spared]
            reach = radius + keep.limit + (0.0 if keep.touching else OPEN_MARGIN)
            discs += [(base.x, base.y, base.radius + reach) for base in foes]
    pieces = [piece.outline for closed in kind.closed for piece in state.board.with_trait(closed.trait)]
    if kind.going is not None and start.surface == GROUND:
        pieces += [outline for _, outline in kind.going.barred]
    outside = [piece for piece in pieces if not overlaps(polygon_distance(piece, start.x, start.y) - radius)]
    return Scene(board=state.board, surface=start.surface, radius=radius, discs=tuple(discs), closed=tuple(outside))


def shift(unit: Unit, dx: Inches, dy: Inches) -> Paths:
    """The formation moved as it stands, in one straight leg."""
    return {m.id: (Straight((m.pose.x + dx, m.pose.y + dy)),) for m in unit.models}


def _order(unit: Unit, kind: MoveType, dx: Inches, dy: Inches) -> tuple[str, ...]:
    return front_first(unit, dx, dy) if kind.motion == "sequence" else ()


def shift_mask(
    state: State, unit: Unit, kind: MoveType, offsets: Sequence[Point] | NDArray[np.float64]
) -> tuple[bool, ...]:
    """For each offset, whether the formation can be shifted by it in full: exact, by the referee's own measure.

    Models that walk one after another do so in the order of `front_first`.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: what must hold.
        offsets: inches to the right and up of each shift, as pairs or as an array of shape (n, 2).
    """
    answers = certain_shifts(state, unit, kind, offsets)
    if None not in answers:
        return tuple(map(bool, answers))
    return tuple(
        not judge_in_words(
            state, unit, kind, shift(unit, float(dx), float(dy)), _order(unit, kind, float(dx), float(dy))
        ).violations
        if answer is None
        else answer
        for answer, (dx, dy) in zip(answers, offsets, strict=True)
    )


def led_way(state: State, unit: Unit, kind: MoveType, goal: Point, budget: Inches) -> Paths | None:
    """The formation led along the shortest way of its middlemost model, every model making the same turns.

    Returns:
        Ways not yet shortened; None where that model has no way to its place.
    """
    cx, cy = centre_of(unit)
    lead = min(unit.models, key=lambda m: (length(m.pose.x - cx, m.pose.y - cy), m.id))
    place = (lead.pose.x + goal[0] - cx, lead.pose.y + goal[1] - cy)
    scene = surroundings(state, unit, kind, lead.pose)
    way = shortest(scene, lead.pose.point, place, budget)
    if way is None:
        return None
    points = _corners(polyline(lead.pose.point, way.legs, scene))
    moves = [(x - lead.pose.x, y - lead.pose.y) for x, y in points]
    return {m.id: tuple(Straight((m.pose.x + dx, m.pose.y + dy)) for dx, dy in moves) for m in unit.models}


def each_way(state: State, unit: Unit, kind: MoveType, goal: Point, budget: Inches) -> Paths | None:
    """Every model by its own shortest way to its place in the shifted formation, all at the same pace.

    Returns:
        Ways not yet shortened; None where some model has no way to its place.
    """
    cx, cy = centre_of(unit)
    ways: dict[str, list[Point]] = {}
    for model in unit.models:
        place = (model.pose.x + goal[0] - cx, model.pose.y + goal[1] - cy)
        scene = surroundings(state, unit, kind, model.pose)
        way = shortest(scene, model.pose.point, place, budget)
        if way is None:
            return None
        ways[model.id] = [model.pose.point, *_corners(polyline(model.pose.point, way.legs, scene))]
    return in_pace(ways)


def in_pace(ways: dict[str, list[Point]], inches: Inches = inf) -> Paths:
    """Polylines walked by all models at the same pace, as legs in step; cut off after so many inches."""
    marks = {round(mark, 9) for points in ways.values() for mark in _miles(points) if mark < inches}
    longest = max(_miles(points)[-1] for points in ways.values())
    steps = sorted({*marks, min(longest, inches)})
    return {name: tuple(Straight(_at(points, mark)) for mark in steps[1:]) for name, points in ways.items()}


def squad_to(state: State, unit: Unit, kind: MoveType, goal: Point) -> tuple[Paths, ...]:
    """Legal ways of a unit toward a place for its middle, the one that comes nearest first; no two end alike.

    Args:
        state: the moment before the move.
        unit: the unit that moves; models in several floors are only shifted.
        kind: the move type; what is offered is legal under it.
        goal: where the middle of the formation should come to stand.

    Returns:
        Ways; models that walk one after another walk them in the order of `front_first`.
    """
    cx, cy = centre_of(unit)
    straight, order = shift(unit, goal[0] - cx, goal[1] - cy), _order(unit, kind, goal[0] - cx, goal[1] - cy)
    tried: list[Paths] = [straight]
    level = len({m.pose.surface for m in unit.models}) == 1
    plain = clip(state, unit, kind, straight, order)
    if level and judge(state, unit, kind, plain, _of(order, plain)).farthest < kind.allowance - OPEN_MARGIN:
        far = 4 * kind.allowance
        tried += [way for way in (led_way(state, unit, kind, goal, far), each_way(state, unit, kind, goal, far)) if way]
    found: list[tuple[float, int, Paths]] = []
    for number, paths in enumerate(tried):
        clipped = clip(state, unit, kind, paths, order)
        if clipped and not judge(state, unit, kind, clipped, _of(order, clipped)).violations:
            found.append((round(_missing(state, unit, clipped, goal), 6), number, clipped))
    ranked = sorted(found, key=lambda row: row[:2])
    return tuple(paths for i, (_, _, paths) in enumerate(ranked) if not _ends_like(state, unit, paths, ranked[:i]))


def _of(order: tuple[str, ...], paths: Paths) -> tuple[str, ...]:
    """The order of those that have a path."""
    return tuple(name for name in order if name in paths)


def _ends_like(state: State, unit: Unit, paths: Paths, earlier: list[tuple[float, int, Paths]]) -> bool:
    ends = _ends(state, unit, paths)
    return any(
        max(length(a.x - b.x, a.y - b.y) for a, b in zip(ends, _ends(state, unit, other), strict=True)) < 1e-3
        for _, _, other in earlier
    )


def _ends(state: State, unit: Unit, paths: Paths) -> list[Pose]:
    return [end_pose(m.pose, walk(m.pose, paths.get(m.id, ()), state.board)) for m in unit.models]


def _missing(state: State, unit: Unit, paths: Paths, goal: Point) -> float:
    """How far the unit's middle still is from its place."""
    ends = _ends(state, unit, paths)
    count = len(ends)
    return length(sum(p.x for p in ends) / count - goal[0], sum(p.y for p in ends) / count - goal[1])


def _corners(legs: Sequence[Leg]) -> list[Point]:
    """The ends of straight legs."""
    return [leg.to for leg in legs if not isinstance(leg, Climb | Drop)]


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
