"""Ways of a whole formation or of one model, from the words that name them.

A formation moves as it stands: every model takes the same legs, each from where it is. The *centre* of a formation is
the mean of its models' centres; it is the centre that goes to the point an order names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactician.rules.core.action import Action
from tactician.rules.core.choice import walk_faults
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Straight, walk
from tactician.rules.core.measure import TOL, Inches, within
from tactician.rules.core.movement import MoveType, end_pose
from tactician.rules.core.scene import bases_of
from tactician.rules.core.shapes import Point, length, polygon_distance
from tactician.rules.core.state import Model, State, Unit

__all__ = ["Paths", "Way", "centre_of", "contact_paths", "formation", "toward"]

Paths = tuple[tuple[str, Path], ...]

STRAIGHT_TRIES = 40
"""Pairs of models that are tried for a straight charge, nearest first."""

ROUND_TRIES = 6
"""Pairs of models between which a way round obstacles is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Legs as an order names them, for whoever walks them."""

    legs: tuple[Leg, ...]
    relative: bool = False
    """Whether points are shifts from the start rather than places for the centre."""

    def of(self, models: tuple[Model, ...]) -> Paths:
        """The same legs for every model, each from where it stands."""
        return formation(models, self)


def centre_of(models: tuple[Model, ...]) -> Point:
    """The mean of the models' centres."""
    return sum(m.pose.x for m in models) / len(models), sum(m.pose.y for m in models) / len(models)


def formation(models: tuple[Model, ...], way: Way) -> Paths:
    """The way of each model when the centre, or the shift, goes through the points of a way."""
    if not models:
        return ()
    cx, cy = (0.0, 0.0) if way.relative else centre_of(models)
    if len(models) == 1 and not way.relative:
        return ((models[0].id, way.legs),)
    return tuple((model.id, tuple(_shifted(leg, model.pose, (cx, cy)) for leg in way.legs)) for model in models)


def _shifted(leg: Leg, pose: Pose, centre: Point) -> Leg:
    def at(point: Point) -> Point:
        return pose.x + (point[0] - centre[0]), pose.y + (point[1] - centre[1])

    match leg:
        case Straight(to=to):
            return Straight(at(to))
        case Bend(centre=middle, to=to, turn=turn):
            return Bend(at(middle), at(to), turn)
        case Climb() | Drop():
            return leg


def toward(start: Point, goal: Point, inches: Inches) -> Point:
    """The place so many inches from a start toward a goal, never past the goal."""
    away = length(goal[0] - start[0], goal[1] - start[1])
    part = 1.0 if away <= inches else inches / away
    return start[0] + (goal[0] - start[0]) * part, start[1] + (goal[1] - start[1]) * part


# ---- into contact ----------------------------------------------------------------------------------------------------


def contact_paths(state: State, unit: Unit, target: Unit, kind: MoveType | None, verb: str) -> Paths:
    """Ways that bring a formation into base contact with a target.

    The straight ones first, shortest first; then the shortest way round obstacles for one model, walked by all. Where
    none is legal: the shortest straight one, for the rules to say why.

    Args:
        state: the moment.
        unit: who moves.
        target: who is to be touched.
        kind: what must hold for the move; None where the rules offer none.
        verb: the verb of the order.
    """
    pairs = _pairs(state, unit, target)
    if not pairs:
        return ()
    fallback = Way(legs=(Straight(_straight(*pairs[0], unit, target)),), relative=True).of(unit.models)
    if kind is None:
        return fallback

    def is_good(paths: Paths) -> bool:
        action = Action(verb=verb, unit=unit.id, paths=paths)
        return _touches(state, unit, target, paths) and not walk_faults(state, action, kind)

    for paths in (*_straight_ways(pairs, unit, target, kind), *_round_ways(state, pairs, unit, target, kind)):
        if is_good(paths):
            return paths
    return fallback


Pair = tuple[Model, Model]


def _pairs(state: State, unit: Unit, target: Unit) -> list[Pair]:
    """Own and enemy models, nearest first."""
    found = [(_away(a, b), a.id, b.id, a, b) for a in unit.models for b in target.models]
    return [(a, b) for *_, a, b in sorted(found, key=lambda entry: entry[:3])]


def _away(a: Model, b: Model) -> Inches:
    return length(a.pose.x - b.pose.x, a.pose.y - b.pose.y)


def _straight(a: Model, b: Model, unit: Unit, target: Unit) -> Point:
    """The shift that brings one model straight into contact with another."""
    away = _away(a, b)
    part = 0.0 if away == 0.0 else max(away - unit.radius - target.radius, 0.0) / away
    return (b.pose.x - a.pose.x) * part, (b.pose.y - a.pose.y) * part


def _straight_ways(pairs: list[Pair], unit: Unit, target: Unit, kind: MoveType) -> Iterator[Paths]:
    for a, b in pairs[:STRAIGHT_TRIES]:
        shift = _straight(a, b, unit, target)
        if a.pose.surface == b.pose.surface and within(length(*shift), kind.allowance):
            yield Way(legs=(Straight(shift),), relative=True).of(unit.models)


def _round_ways(state: State, pairs: list[Pair], unit: Unit, target: Unit, kind: MoveType) -> Iterator[Paths]:
    """The shortest way into contact of one model at a time, walked by the whole formation."""
    from tactician.rules.paths.contact import contact
    from tactician.rules.paths.polylines import polyline
    from tactician.rules.paths.scene import Scene

    discs = tuple(
        (base.x, base.y, base.radius + unit.radius)
        for other in state.units
        if other.id != unit.id
        for base in bases_of(state, other)
    )
    for a, b in pairs[:ROUND_TRIES]:
        if a.pose.surface != b.pose.surface:
            continue
        closed = tuple(
            piece.outline
            for rule in kind.closed
            for piece in state.board.with_trait(rule.trait)
            if polygon_distance(piece.outline, *a.pose.point) >= unit.radius
        )
        scene = Scene(board=state.board, surface=a.pose.surface, radius=unit.radius, discs=discs, closed=closed)
        goal = (b.pose.x, b.pose.y, unit.radius + target.radius)
        way = contact(scene, a.pose.point, goal, kind.allowance)
        if way is not None:
            yield _walked(polyline(a.pose.point, way.legs, scene), a, unit)


def _walked(legs: Path, leader: Model, unit: Unit) -> Paths:
    """A leader's way, walked by the whole formation."""
    x, y = leader.pose.point
    return tuple(
        (m.id, tuple(_shifted(leg, m.pose, (x, y)) if m.id != leader.id else leg for leg in legs)) for m in unit.models
    )


def _touches(state: State, unit: Unit, target: Unit, paths: Paths) -> bool:
    """Whether some model ends in contact with the target."""
    ways = dict(paths)
    ends = [end_pose(m.pose, walk(m.pose, ways.get(m.id, ()), state.board)) for m in unit.models]
    reach = unit.radius + target.radius + 2 * TOL
    return any(_rise(state, end, b) <= TOL and _near(end, b) <= reach for end in ends for b in target.models)


def _rise(state: State, end: Pose, model: Model) -> Inches:
    return abs(state.height_of(end) - state.height_of(model.pose))


def _near(end: Pose, model: Model) -> Inches:
    return length(end.x - model.pose.x, end.y - model.pose.y)
