"""Who is engaged with whom: chapters *Disengaging* and *Engagement Interaction*.

Engagement is read off the positions at any moment and never stored.
"""

from __future__ import annotations

from tactician.rules.core.action import Pairs
from tactician.rules.core.measure import TOL, Inches, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Box, length
from tactician.rules.core.state import Model, State, Unit, gap
from tactician.rules.voidsiege.state import VoidState, VoidUnit

GAPS: Remembered[Inches] = Remembered()
"""By the tuples of models: a unit whose status changes stands where it stood."""

PLACES: Remembered[list[tuple[Inches, Inches, Inches]]] = Remembered()

BOXES: dict[int, tuple[tuple[Model, ...], Box]] = {}
"""By the identity of the models, which are kept beside it."""

MOST_BOXES = 4_000

PAIRS: Remembered[Pairs] = Remembered()

__all__ = ["ENGAGED", "all_within", "engaged_pairs", "is_engaged", "unit_gap", "units_within"]

ENGAGED: Inches = 1.0
"""VS-EN-04: opposed models within this are engaged."""


def unit_gap(state: State, a: Unit, b: Unit) -> Inches:
    """Least gap between the models of two units; infinite if one has none."""
    key = a.radius + b.radius
    return GAPS.get((a.models, b.models, state.board), key, lambda: _unit_gap(state, a, b))


def _unit_gap(state: State, a: Unit, b: Unit) -> Inches:
    if not a.models or not b.models:
        return float("inf")
    mine, theirs = _places(state, a), _places(state, b)
    square = min((x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w) for x, y, z in mine for u, v, w in theirs)
    return float(square**0.5 - a.radius - b.radius)


def units_within(state: State, a: Unit, b: Unit, limit: Inches) -> bool:
    """Whether some models of two units are within a distance; told at once where their boxes are farther apart."""
    if not a.models or not b.models:
        return False
    p, q = _box(a), _box(b)
    far = limit + a.radius + b.radius + 2 * TOL
    if p[0] - far > q[2] or q[0] - far > p[2] or p[1] - far > q[3] or q[1] - far > p[3]:
        return False
    return within(unit_gap(state, a, b), limit)


def all_within(a: Unit, b: Unit, limit: Inches) -> bool:
    """Whether every model of one unit is within a distance of every model of the other, as their boxes tell for sure.

    Nothing is told of units with nobody left, or of which some model does not stand on the ground.
    """
    if not a.models or not b.models or any(model.pose.surface != "ground" for model in (*a.models, *b.models)):
        return False
    p, q = _box(a), _box(b)
    wide, high = max(p[2] - q[0], q[2] - p[0]), max(p[3] - q[1], q[3] - p[1])
    return length(wide, high) - a.radius - b.radius < limit - TOL


def _places(state: State, unit: Unit) -> list[tuple[Inches, Inches, Inches]]:
    """Where the models' centres are, with heights."""
    return PLACES.get(
        (unit.models, state.board), "", lambda: [(m.pose.x, m.pose.y, state.height_of(m.pose)) for m in unit.models]
    )


def _box(unit: Unit) -> Box:
    """The box of a unit's centres; asked so often that it is looked up by hand."""
    models = unit.models
    known = BOXES.get(id(models))
    if known is not None and known[0] is models:
        return known[1]
    xs, ys = [model.pose.x for model in models], [model.pose.y for model in models]
    box = min(xs), min(ys), max(xs), max(ys)
    if len(BOXES) >= MOST_BOXES:
        BOXES.clear()
    BOXES[id(models)] = (models, box)
    return box


def model_gap(state: State, model: Model, radius: Inches, unit: Unit) -> Inches:
    """Least gap between one model and the models of a unit."""
    return min((gap(state, model.pose, radius, y.pose, unit.radius) for y in unit.models), default=float("inf"))


def is_engaged(state: VoidState, unit: VoidUnit) -> bool:
    """Whether some enemy model is within engagement distance of the unit now (VS-DE-03)."""
    if not state.holds("VS-DE-03"):
        return False
    return any(units_within(state, unit, other, ENGAGED) for other in state.against(unit.side))


def engaged_pairs(state: VoidState) -> Pairs:
    """All pairs of opposed units within engagement distance, red's unit first, sorted."""
    places = (state.table, *(unit.models for unit in state.units if unit.models))
    return PAIRS.get(places, "", lambda: _engaged_pairs(state))


def _engaged_pairs(state: VoidState) -> Pairs:
    blues = [(_box(unit), unit) for unit in state.of("blue")]
    found = []
    for red in state.of("red"):
        x0, y0, x1, y1 = _box(red)
        for (a0, b0, a1, b1), blue in blues:
            far = ENGAGED + red.radius + blue.radius + 2 * TOL
            if x0 - far > a1 or a0 - far > x1 or y0 - far > b1 or b0 - far > y1:
                continue
            if within(unit_gap(state, red, blue), ENGAGED):
                found.append((red.id, blue.id))
    return tuple(found)
