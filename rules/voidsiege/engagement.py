"""Who is engaged with whom: chapters *Disengaging* and *Engagement Interaction*.

Engagement is read off the positions at any moment and never stored.
"""

from __future__ import annotations

from tactician.rules.core.action import Pairs
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import Model, State, Unit, gap
from tactician.rules.voidsiege.state import VoidState, VoidUnit

GAPS: Remembered[Inches] = Remembered()

__all__ = ["ENGAGED", "engaged_pairs", "is_engaged", "models_near", "unit_gap"]

ENGAGED: Inches = 1.0
"""VS-EN-04: opposed models within this are engaged."""


def unit_gap(state: State, a: Unit, b: Unit) -> Inches:
    """Least gap between the models of two units; infinite if one has none."""
    return GAPS.get((a, b, state.board), "", lambda: _unit_gap(state, a, b))


def _unit_gap(state: State, a: Unit, b: Unit) -> Inches:
    gaps = [gap(state, x.pose, a.radius, y.pose, b.radius) for x in a.models for y in b.models]
    return min(gaps, default=float("inf"))


def model_gap(state: State, model: Model, radius: Inches, unit: Unit) -> Inches:
    """Least gap between one model and the models of a unit."""
    return min((gap(state, model.pose, radius, y.pose, unit.radius) for y in unit.models), default=float("inf"))


def models_near(state: State, unit: Unit, other: Unit, limit: Inches) -> tuple[Model, ...]:
    """The models of a unit within a distance of another unit."""
    return tuple(model for model in unit.models if within(model_gap(state, model, unit.radius, other), limit))


def is_engaged(state: VoidState, unit: VoidUnit) -> bool:
    """Whether some enemy model is within engagement distance of the unit now (VS-DE-03)."""
    if not state.holds("VS-DE-03"):
        return False
    return any(within(unit_gap(state, unit, other), ENGAGED) for other in state.against(unit.side))


def engaged_pairs(state: VoidState) -> Pairs:
    """All pairs of opposed units within engagement distance, red's unit first, sorted."""
    return tuple(
        (red.id, blue.id)
        for red in state.of("red")
        for blue in state.of("blue")
        if within(unit_gap(state, red, blue), ENGAGED)
    )
