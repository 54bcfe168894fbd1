"""Ways and places as an order words them: ``to``, ``by``, ``along``, so many inches ``toward``, ``at``."""

from __future__ import annotations

from collections.abc import Callable

from tactician.order_ways import Paths, Way, centre_of, toward
from tactician.order_words import Line, OrderError, find_surface, nearest_unit, unit_readings
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Pose, Straight
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import Model, State, other_side
from tactician.rules.core.terrain import GROUND

__all__ = ["read_pose", "read_way"]

WayOf = Callable[[tuple[Model, ...]], Paths]


def read_way(line: Line, state: State, mover: str) -> WayOf:
    """The way that comes next, for whatever models walk it.

    Raises:
        OrderError: it cannot be understood.
    """
    if line.take("to"):
        return Way(legs=(Straight(line.point("to go to")),)).of
    if line.take("by"):
        shifts = [Straight(line.point("to shift by"))]
        while line.here.kind == "point":
            shifts.append(Straight(line.point("")))
        return Way(legs=tuple(shifts), relative=True).of
    if line.take("along"):
        return Way(legs=_legs(line, state)).of
    return _toward(line, state, mover)


def _toward(line: Line, state: State, mover: str) -> WayOf:
    token = line.here
    inches = line.number("of inches")
    if inches < 0:
        raise OrderError(f"a distance of {inches:g}", expected="0 or more", column=token.column)
    line.next += 1
    line.skip("the", "unit", "model")
    goals = (line.point(""),) if line.here.kind == "point" else _standing_at(line, state, mover)

    def way(models: tuple[Model, ...]) -> Paths:
        x, y = centre_of(models)
        goal = min(goals, key=lambda place: ((place[0] - x) ** 2 + (place[1] - y) ** 2, place))
        return Way(legs=(Straight(toward((x, y), goal, inches)),)).of(models)

    return way


def _standing_at(line: Line, state: State, mover: str) -> tuple[Point, ...]:
    """Where the models of a thing stand: a model's place, or those of the units that a name can mean."""
    for unit in state.units:
        for model in unit.models:
            if model.id.lower() == line.here.lower:
                line.next += 1
                return (model.pose.point,)
    token = line.here
    for found, count in unit_readings(line, state, other_side(mover)):
        line.next += count
        places = tuple(model.pose.point for unit in found for model in unit.models)
        if not places:
            raise OrderError(f"{token.text!r} is not on the table", column=token.column)
        return places
    if token.kind not in ("word", "quoted"):
        raise line.fault("a unit, a model or a point")
    raise OrderError(f"there is no unit {token.text!r}", column=token.column, hint=nearest_unit(token.text, state))


def _legs(line: Line, state: State) -> tuple[Leg, ...]:
    legs: list[Leg] = []
    while True:
        if line.here.kind == "point":
            legs.append(Straight(line.point("")))
        elif line.take("climb"):
            legs.append(Climb(find_surface(line, state), _part(line)))
        elif line.take("drop"):
            legs.append(Drop(find_surface(line, state), _part(line)))
        elif line.take("arc"):
            legs.append(_arc(line))
        elif not legs:
            raise line.fault("a point x,y, 'climb' or 'drop'")
        else:
            return tuple(legs)


def _arc(line: Line) -> Bend:
    turn = line.here.lower
    if not line.take(LEFT, RIGHT):
        raise line.fault(f"{LEFT!r} or {RIGHT!r}")
    centre = line.point("of the arc's centre")
    line.skip("to")
    return Bend(centre, line.point("to go to"), turn)


def _part(line: Line) -> float:
    return line.number("of the height") if line.take("part") else 1.0


def read_pose(line: Line, state: State) -> Pose:
    """The place at which a model is put down.

    Raises:
        OrderError: it cannot be understood.
    """
    x, y = line.point("to stand at")
    surface = find_surface(line, state) if line.take("on") else GROUND
    return Pose(x, y, surface, line.number("of degrees") if line.take("facing") else 0.0)
