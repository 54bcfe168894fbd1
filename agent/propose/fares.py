"""What a formation that keeps its shape can pay for: as far as the model that pays most."""

from __future__ import annotations

from tactician.rules.core.going import Bill, boxes_of
from tactician.rules.core.legs import Path, Straight, walk
from tactician.rules.core.measure import CLOSED_MARGIN, TOL, Inches
from tactician.rules.core.movement import MoveType, bill
from tactician.rules.core.shapes import Box, Point, length
from tactician.rules.core.state import Model, Unit
from tactician.rules.core.terrain import Board

__all__ = ["affordable", "left_for", "shifted"]

Shifts = tuple[Point, ...]

HAIR = 1e-9


def left_for(unit: Unit, kind: MoveType, who: tuple[str, ...] | None = None) -> Inches:
    """Inches that every model of a unit may still pay, or every one of those that walk."""
    return min((kind.left_for(m.id) for m in unit.models if who is None or m.id in who), default=0.0)


def shifted(model: Model, shifts: Shifts) -> Path:
    """The way of a model in a formation that is shifted leg by leg."""
    return tuple(Straight((model.pose.x + x, model.pose.y + y)) for x, y in shifts)


def affordable(board: Board, unit: Unit, kind: MoveType, shifts: Shifts, who: tuple[str, ...] | None = None) -> Shifts:
    """As much of the shifts of a formation as all of its models can pay for and may rest at the end of.

    Args:
        board: the table.
        unit: the unit where it stands.
        kind: what must be paid.
        shifts: how far the formation has been shifted after each leg.
        who: the models that walk; None where all do.
    """
    going = kind.going
    boxes = () if going is None else boxes_of(going)
    # a hair less than all of it, so that rounding does no harm
    least = max(left_for(unit, kind, who) - CLOSED_MARGIN, 0.0)
    bills = [
        bill(kind, walk(model.pose, shifted(model, shifts), board), unit.radius)
        for model in unit.models
        if (who is None or model.id in who) and _meets(model, shifts, boxes, unit.radius)
    ]
    place = min([_plain_place(shifts, least), *(one.reach(least) for one in bills)])
    return _cut(shifts, _rest(bills, place))


def _plain_place(shifts: Shifts, inches: Inches) -> float:
    """Where so many inches end on the level: number of the leg plus fraction."""
    x, y = 0.0, 0.0
    for number, (to_x, to_y) in enumerate(shifts):
        size = length(to_x - x, to_y - y)
        if size > inches:
            return number + inches / size
        inches, x, y = inches - size, to_x, to_y
    return float(len(shifts))


def _rest(bills: list[Bill], place: float) -> float:
    """The last place up to here at which no model is inside an obstacle."""
    while True:
        earlier = min((one.rest(place) for one in bills), default=place)
        if earlier >= place:
            return place
        place = earlier


def _cut(shifts: Shifts, place: float) -> Shifts:
    """The legs up to a place; none where it is the start."""
    number = int(place)
    if number >= len(shifts):
        return shifts
    part = place - number
    if part <= HAIR:
        return shifts[:number]
    (x, y), (to_x, to_y) = shifts[number - 1] if number else (0.0, 0.0), shifts[number]
    return (*shifts[:number], (x + part * (to_x - x), y + part * (to_y - y)))


def _meets(model: Model, shifts: Shifts, boxes: tuple[Box, ...], radius: Inches) -> bool:
    """Whether a base can come near one of these boxes."""
    x, y = model.pose.point
    xs, ys = [x, *(x + dx for dx, _ in shifts)], [y, *(y + dy for _, dy in shifts)]
    x0, y0, x1, y1, far = min(xs), min(ys), max(xs), max(ys), radius + TOL
    return any(a - far <= x1 and c + far >= x0 and b - far <= y1 and d + far >= y0 for a, b, c, d in boxes)
