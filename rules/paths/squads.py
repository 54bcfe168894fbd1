"""A whole squad to one place: the formation shifted as it stands, led along a route, or each model by its own way.

Every way offered has been shortened by `clip`, so that it is legal under its move type. The shifted formation comes
first: in a straight shift no model can touch a mate, whoever leads. Over ground that costs, routes are the cheapest
ones; where models pay differently, the formation kept together at the pace of the slowest is offered as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.clear import certain_shifts
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Climb, Drop, Leg, Path, Pose, Straight, walk
from tactician.rules.core.measure import OPEN_MARGIN, Inches
from tactician.rules.core.movement import MoveType, end_pose, judge, judge_in_words
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit, front_first
from tactician.rules.paths.pace import evened, in_pace
from tactician.rules.paths.polylines import polyline
from tactician.rules.paths.reshape import order_of_ways, reshaped
from tactician.rules.paths.walkers import broad, cheapest, surroundings, widened

__all__ = [
    "centre_of",
    "each_way",
    "evened",
    "in_pace",
    "led_way",
    "reshaped",
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


def led_way(
    state: State, unit: Unit, kind: MoveType, goal: Point, budget: Inches, *, wide: bool = False
) -> Paths | None:
    """The formation led along the cheapest way of its middlemost model, every model making the same turns.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: the move type.
        goal: where the middle of the formation should come to stand.
        budget: inches that the leader's way may cost.
        wide: whether the leader looks for a way on which its mates find room beside it.

    Returns:
        Ways not yet shortened; None where that model has no such way to its place.
    """
    cx, cy = centre_of(unit)
    lead = min(unit.models, key=lambda m: (length(m.pose.x - cx, m.pose.y - cy), m.id))
    place = (lead.pose.x + goal[0] - cx, lead.pose.y + goal[1] - cy)
    scene = surroundings(state, unit, kind, lead.pose)
    if wide:
        spread = max(length(m.pose.x - lead.pose.x, m.pose.y - lead.pose.y) for m in unit.models)
        scene, kind = widened(scene, spread), broad(kind, spread)
    way = cheapest(kind, scene, lead.pose.point, place, budget)
    if way is None:
        return None
    points = _corners(polyline(lead.pose.point, way.legs, scene))
    moves = [(x - lead.pose.x, y - lead.pose.y) for x, y in points]
    return {m.id: tuple(Straight((m.pose.x + dx, m.pose.y + dy)) for dx, dy in moves) for m in unit.models}


def each_way(state: State, unit: Unit, kind: MoveType, goal: Point, budget: Inches) -> Paths | None:
    """Every model by its own cheapest way to its place in the shifted formation; in step all at the same pace.

    Returns:
        Ways not yet shortened, where models walk one after another in a good order for that; None where some model
        has no way to its place.
    """
    cx, cy = centre_of(unit)
    in_step = kind.motion == "in_step"
    corners: dict[str, list[Point]] = {}
    own: Paths = {}
    for model in unit.models:
        place = (model.pose.x + goal[0] - cx, model.pose.y + goal[1] - cy)
        scene = surroundings(state, unit, kind, model.pose)
        way = cheapest(kind, scene, model.pose.point, place, budget)
        if way is None:
            return None
        own[model.id] = way.legs
        if in_step:
            corners[model.id] = [model.pose.point, *_corners(polyline(model.pose.point, way.legs, scene))]
    return in_pace(corners) if in_step else _in_order(state, unit, own, front_first(unit, goal[0] - cx, goal[1] - cy))


def _in_order(state: State, unit: Unit, paths: Paths, ranked: tuple[str, ...]) -> Paths:
    """Ways in an order in which as few models as possible are in each other's way."""
    stretches = {name: walk(unit.model(name).pose, path, state.board) for name, path in paths.items() if path}
    order = order_of_ways(unit, stretches, tuple(name for name in ranked if name in stretches))
    return {name: paths[name] for name in order}


def squad_to(state: State, unit: Unit, kind: MoveType, goal: Point) -> tuple[Paths, ...]:
    """Legal ways of a unit toward a place for its middle, the one that comes nearest first; no two end alike.

    Args:
        state: the moment before the move.
        unit: the unit that moves; models in several floors are only shifted.
        kind: the move type; what is offered is legal under it.
        goal: where the middle of the formation should come to stand.

    Returns:
        Ways; models that walk one after another walk them in the order in which they stand in the answer.
    """
    cx, cy = centre_of(unit)
    straight, order = shift(unit, goal[0] - cx, goal[1] - cy), _order(unit, kind, goal[0] - cx, goal[1] - cy)
    tried: list[Paths] = [_ordered(straight, order)]
    level = len({m.pose.surface for m in unit.models}) == 1
    if level and _falls_short(state, unit, kind, tried[0], goal):
        far = 4 * kind.allowance
        led, own = led_way(state, unit, kind, goal, far), each_way(state, unit, kind, goal, far)
        tried += [_ordered(led, order)] if led else []
        tried += [own] if own else []
        if kind.going is not None:
            wide = led_way(state, unit, kind, goal, far, wide=True)
            tried += [_ordered(wide, order)] if wide else []
        if kind.motion == "sequence":
            tried += [evened(state, unit, kind, paths) for paths in tried]
    found: list[tuple[float, int, Paths]] = []
    for number, paths in enumerate(tried):
        clipped = _clipped(state, unit, kind, paths)
        if clipped and not judge(state, unit, kind, clipped, _said(kind, clipped)).violations:
            found.append((round(_missing(state, unit, clipped, goal), 6), number, clipped))
    ranked = sorted(found, key=lambda row: row[:2])
    return tuple(paths for i, (_, _, paths) in enumerate(ranked) if not _ends_like(state, unit, paths, ranked[:i]))


def _falls_short(state: State, unit: Unit, kind: MoveType, straight: Paths, goal: Point) -> bool:
    """Whether something bars the straight way before the allowance is spent, or the ground makes it dear."""
    plain = _clipped(state, unit, kind, straight)
    if judge(state, unit, kind, plain, _said(kind, plain)).farthest < kind.allowance - OPEN_MARGIN:
        return True
    return kind.going is not None and _missing(state, unit, plain, goal) > OPEN_MARGIN


def _clipped(state: State, unit: Unit, kind: MoveType, paths: Paths) -> Paths:
    """What is legal of ways that are walked in the order in which they stand."""
    return _ordered(clip(state, unit, kind, paths, _said(kind, paths)), tuple(paths))


def _said(kind: MoveType, paths: Paths) -> tuple[str, ...]:
    return tuple(paths) if kind.motion == "sequence" else ()


def _ordered(paths: Paths, order: tuple[str, ...]) -> Paths:
    """The same ways in another order; as they are where none is said."""
    return {name: paths[name] for name in order if name in paths} if order else paths


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
