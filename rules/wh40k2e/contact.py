"""Who touches whom, and how far apart: bases edge to edge, contact across an obstacle (2E-CH-16, 2E-CH-17)."""

from __future__ import annotations

from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import TOL, Inches, at_least, beyond, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import contains, length, polygon_distance
from tactician.rules.core.state import Model, Unit
from tactician.rules.core.terrain import Feature
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = ["ACROSS", "engaged_models", "foes_of", "is_engaged", "line_crosses", "model_gap", "touching", "unit_gap"]

ACROSS: Inches = 1.0
"""Fights across an obstacle are nearer than this: so far off everybody may stand without a charge (2E-CH-12)."""

Touching = dict[str, tuple[str, ...]]

_TOUCHING: Remembered[Touching] = Remembered(2_000)
_GAPS: Remembered[Inches] = Remembered(20_000)


def model_gap(a: Pose, radius_a: Inches, b: Pose, radius_b: Inches) -> Inches:
    """Distance between two bases, edge to edge, on the level."""
    return length(a.x - b.x, a.y - b.y) - radius_a - radius_b


def unit_gap(a: Unit, b: Unit) -> Inches:
    """Distance between the nearest models of two units; infinite where one has none on the table."""
    return _GAPS.get((a.models, b.models), (a.radius, b.radius), lambda: _unit_gap(a, b))


def _unit_gap(a: Unit, b: Unit) -> Inches:
    best, reach = float("inf"), a.radius + b.radius
    places = [model.pose.point for model in b.models]
    for model in a.models:
        x, y = model.pose.x, model.pose.y
        for ox, oy in places:
            if abs(x - ox) < best and abs(y - oy) < best:
                best = min(best, length(x - ox, y - oy))
    return best - reach


def touching(state: SquadState) -> Touching:
    """For each model in hand-to-hand the enemy models it fights, sorted (2E-CH-16, 2E-CH-17)."""
    return _TOUCHING.get((state.table, state.units), "", lambda: _touching(state))


def _touching(state: SquadState) -> Touching:
    found: dict[str, list[str]] = {}
    for red in state.of("red"):
        for blue in state.of("blue"):
            if not red.models or not blue.models or beyond(unit_gap(red, blue), ACROSS):
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
    return tuple(model.id for model in unit.models if model.id in pairs)


def is_engaged(state: SquadState, unit: Squad) -> bool:
    """Whether any model of a unit is in hand-to-hand."""
    pairs = touching(state)
    return any(model.id in pairs for model in unit.models)
