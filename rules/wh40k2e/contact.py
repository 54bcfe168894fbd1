"""Who touches whom, and how far apart: bases edge to edge, contact across an obstacle (2E-CH-16, 2E-CH-17)."""

from __future__ import annotations

from math import sqrt

from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import TOL, Inches, at_least, beyond, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Box, contains, length, polygon_distance
from tactician.rules.core.state import Model, Unit
from tactician.rules.core.terrain import Feature
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = [
    "ACROSS",
    "box_about",
    "engaged_models",
    "foes_of",
    "is_engaged",
    "line_crosses",
    "model_gap",
    "surely_beyond",
    "touching",
    "unit_gap",
]

ACROSS: Inches = 1.0
"""Fights across an obstacle are nearer than this: so far off everybody may stand without a charge (2E-CH-12)."""

CLEAR: Inches = ACROSS + 2 * TOL
"""Units whose rectangles are further apart than this do not touch for certain."""

Touching = dict[str, tuple[str, ...]]

_TOUCHING: Remembered[Touching] = Remembered(2_000)
_STANDING: Remembered[Touching] = Remembered(2_000)
_BOXES: Remembered[Box] = Remembered(4_000)
_GAPS: Remembered[Inches] = Remembered(20_000)


def model_gap(a: Pose, radius_a: Inches, b: Pose, radius_b: Inches) -> Inches:
    """Distance between two bases, edge to edge, on the level."""
    return length(a.x - b.x, a.y - b.y) - radius_a - radius_b


def unit_gap(a: Unit, b: Unit) -> Inches:
    """Distance between the nearest models of two units; infinite where one has none on the table."""
    return _GAPS.get((a.models, b.models), (a.radius, b.radius), lambda: _unit_gap(a, b))


def _unit_gap(a: Unit, b: Unit) -> Inches:
    least = float("inf")
    places = [(model.pose.x, model.pose.y) for model in b.models]
    for model in a.models:
        x, y = model.pose.x, model.pose.y
        for ox, oy in places:
            square = (x - ox) * (x - ox) + (y - oy) * (y - oy)
            if square < least:
                least = square
    return sqrt(least) - (a.radius + b.radius)


def box_about(unit: Unit) -> Box:
    """The rectangle about the bases of a unit that has models."""
    return _BOXES.get((unit.models,), unit.radius, lambda: _box_about(unit))


def _box_about(unit: Unit) -> Box:
    xs = [model.pose.x for model in unit.models]
    ys = [model.pose.y for model in unit.models]
    return min(xs) - unit.radius, min(ys) - unit.radius, max(xs) + unit.radius, max(ys) + unit.radius


def surely_beyond(a: Unit, b: Unit, limit: Inches) -> bool:
    """Whether two units with models are certainly further apart than a limit: a quick look at their rectangles."""
    a0, b0, a1, b1 = box_about(a)
    c0, d0, c1, d1 = box_about(b)
    reach = limit + 2 * TOL
    return c0 - a1 > reach or a0 - c1 > reach or d0 - b1 > reach or b0 - d1 > reach


def touching(state: SquadState) -> Touching:
    """For each model in hand-to-hand the enemy models it fights, sorted (2E-CH-16, 2E-CH-17).

    As long as nobody moves or falls it is the very same object.
    """
    return _TOUCHING.get((state.table, state.units), "", lambda: _as_they_stand(state))


def _as_they_stand(state: SquadState) -> Touching:
    return _STANDING.get((state.table, *(unit.models for unit in state.units)), "", lambda: _touching(state))


def _touching(state: SquadState) -> Touching:
    found: dict[str, list[str]] = {}
    blues = [(blue, box_about(blue)) for blue in state.of("blue")]
    for red in state.of("red"):
        x0, y0, x1, y1 = box_about(red)
        for blue, (left, low, right, high) in blues:
            if left - x1 > CLEAR or x0 - right > CLEAR or low - y1 > CLEAR or y0 - high > CLEAR:
                continue
            if beyond(unit_gap(red, blue), ACROSS):
                continue
            for a in red.models:
                for b in blue.models:
                    if _in_contact(state, a, red, b, blue):
                        found.setdefault(a.id, []).append(b.id)
                        found.setdefault(b.id, []).append(a.id)
    return {name: tuple(sorted(foes)) for name, foes in sorted(found.items())}


def _in_contact(state: SquadState, a: Model, of_a: Squad, b: Model, of_b: Squad) -> bool:
    reach = of_a.radius + of_b.radius
    dx, dy = abs(a.pose.x - b.pose.x), abs(a.pose.y - b.pose.y)
    if dx > reach + ACROSS or dy > reach + ACROSS:
        return False
    apart = length(dx, dy) - reach
    if apart <= TOL:
        return state.holds("2E-CH-16")
    if not state.holds("2E-CH-17") or at_least(apart, ACROSS):
        return False
    return any(is_between(piece, a.pose, of_a.radius, b.pose, of_b.radius) for piece in barricades(state))


def barricades(state: SquadState) -> tuple[Feature, ...]:
    """Pieces across which models can fight: whatever is crossed at a fee or free of charge, such as walls."""
    return state.board.with_trait("obstacle")


def is_between(piece: Feature, a: Pose, radius_a: Inches, b: Pose, radius_b: Inches) -> bool:
    """Whether two bases touch a piece from either side and the line between their centres crosses it."""
    near = within(polygon_distance(piece.outline, a.x, a.y) - radius_a, 0.0)
    far = within(polygon_distance(piece.outline, b.x, b.y) - radius_b, 0.0)
    return near and far and line_crosses(piece, a, b)


def line_crosses(piece: Feature, a: Pose, b: Pose) -> bool:
    """Whether the straight line between two centres meets a piece."""
    if contains(piece.outline, a.x, a.y) or contains(piece.outline, b.x, b.y):
        return True
    dx, dy = b.x - a.x, b.y - a.y
    for cx, cy, ex, ey in piece.outline.edges:
        fx, fy = ex - cx, ey - cy
        cross = dx * fy - dy * fx
        if cross == 0.0:
            continue
        u = ((cx - a.x) * fy - (cy - a.y) * fx) / cross
        v = ((cx - a.x) * dy - (cy - a.y) * dx) / cross
        if 0.0 <= u <= 1.0 and 0.0 <= v <= 1.0:
            return True
    return False


def foes_of(state: SquadState, model: str) -> tuple[str, ...]:
    """The enemy models that a model fights."""
    return touching(state).get(model, ())


def engaged_models(state: SquadState, unit: Squad) -> tuple[str, ...]:
    """The models of a unit that are in hand-to-hand."""
    pairs = touching(state)
    return tuple(model.id for model in unit.models if model.id in pairs) if pairs else ()


def is_engaged(state: SquadState, unit: Squad) -> bool:
    """Whether any model of a unit is in hand-to-hand."""
    pairs = touching(state)
    return bool(pairs) and any(model.id in pairs for model in unit.models)
