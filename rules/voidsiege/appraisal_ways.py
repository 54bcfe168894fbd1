"""Plain ways that a sensible player takes inside an exchange: straight home with a charge, straight between to help."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.action import Action
from tactician.rules.core.choice import Choice
from tactician.rules.core.legs import Straight, walk
from tactician.rules.core.measure import OPEN_MARGIN, Inches, beyond
from tactician.rules.core.movement import end_pose
from tactician.rules.core.shapes import length
from tactician.rules.voidsiege.engagement import unit_gap
from tactician.rules.voidsiege.movement import ENEMY_DISTANCE
from tactician.rules.voidsiege.state import Exchange, Movement, VoidState, VoidUnit

__all__ = ["charge_home", "stand_between"]


def charge_home(state: VoidState, choices: tuple[Choice, ...]) -> Action | None:
    """The way of a charger: straight at the unit charged, as far as it is legal; None where nobody charges."""
    frame = state.agenda[-1]
    if not isinstance(frame, Movement) or frame.role != "command":
        return None
    exchange = state.agenda[-2]
    name = dict(exchange.targets).get("charge") if isinstance(exchange, Exchange) else None
    if name is None or not state.unit(name).models:
        return None
    return _toward(state, choices[0], choices[0].bare(), state.unit(name), 0.0)


def stand_between(state: VoidState, choice: Choice) -> Action | None:
    """An Intervene straight toward the charger; None where that does not make the unit the target (VS-IV-03)."""
    exchange = state.agenda[-1]
    assert isinstance(exchange, Exchange)
    unit, charger = state.unit(choice.unit), state.unit(exchange.unit)
    friend = state.unit(dict(exchange.targets)["charge"])
    action = _toward(state, choice, choice.bare(), charger, ENEMY_DISTANCE + 10 * OPEN_MARGIN)
    starts = {model.id: model.pose for model in unit.models}
    ends = {name: end_pose(starts[name], walk(starts[name], path, state.board)) for name, path in action.paths}
    nearer = beyond(unit_gap(state, friend, charger), unit_gap(state, unit.moved(ends), charger))
    return action if nearer else None


def _toward(state: VoidState, choice: Choice, bare: Action, target: VoidUnit, left: Inches) -> Action:
    """The formation shifted straight at a unit until so many inches are left, as far as it is legal."""
    unit = state.unit(choice.unit)
    rows = [
        (length(b.pose.x - a.pose.x, b.pose.y - a.pose.y), a.id, b.id, b.pose.x - a.pose.x, b.pose.y - a.pose.y)
        for a in unit.models
        for b in target.models
    ]
    away, _, _, dx, dy = min(rows)
    inches = away - unit.radius - target.radius - left
    if inches <= 0.0:
        return bare
    part = inches / away
    paths = tuple((m.id, (Straight((m.pose.x + part * dx, m.pose.y + part * dy)),)) for m in unit.models)
    return choice.clip(state, replace(bare, paths=paths))
