"""Shunt and cover: chapters *Shunt* and *Cover Interaction*, and what adds to Resolve."""

from __future__ import annotations

from tactician.rules.core.clauses import Entry, Ledger
from tactician.rules.core.measure import Inches, at_least, overlaps
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import may_be_near, polygon_distance
from tactician.rules.core.state import Model
from tactician.rules.voidsiege.missions import objective_cover
from tactician.rules.voidsiege.state import Exchange, VoidState, VoidUnit

__all__ = ["SHUNT", "cover_kept", "cover_of", "has_shunted", "inches_moved", "resolve_against"]

SHUNT: Inches = 2.0
"""VS-SH-01: a unit that moves less than this has shunted."""

_COVERS: Remembered[list[float]] = Remembered()


def inches_moved(state: VoidState, exchange: Exchange | None, unit: str) -> Inches:
    """How far the unit moved in the exchange: the way of its farthest model (VS-SH-03)."""
    if exchange is None:
        return 0.0
    for name, most, least in exchange.moved:
        if name == unit:
            return most if state.holds("VS-SH-03") else least
    return 0.0


def has_shunted(state: VoidState, exchange: Exchange | None, unit: str) -> bool:
    """Whether the unit took part in a movement of this exchange and moved less than the shunt distance (VS-SH-01)."""
    if exchange is None or not state.holds("VS-SH-01"):
        return False
    took_part = any(name == unit for name, _, _ in exchange.moved)
    return took_part and not at_least(inches_moved(state, exchange, unit), SHUNT)


def model_cover(state: VoidState, unit: VoidUnit, model: Model) -> float:
    """The best cover area that a model's base reaches into; touching is not entering."""
    best = 0.0
    for piece in state.board.with_trait("cover"):
        value = piece.trait("cover")
        if not may_be_near(piece.outline, model.pose.x, model.pose.y, unit.radius):
            continue
        if model.pose.surface == "ground" and isinstance(value, float) and value > best:
            away = polygon_distance(piece.outline, model.pose.x, model.pose.y) - unit.radius
            best = value if overlaps(away) else best
    return best


def _covers(state: VoidState, unit: VoidUnit) -> list[float]:
    """The cover of each model, least first; told at once where the whole unit is far from any."""
    xs, ys = [m.pose.x for m in unit.models], [m.pose.y for m in unit.models]
    x0, y0, x1, y1 = min(xs) - unit.radius, min(ys) - unit.radius, max(xs) + unit.radius, max(ys) + unit.radius
    boxes = (piece.outline.box for piece in state.board.with_trait("cover"))
    if all(a1 < x0 or a0 > x1 or b1 < y0 or b0 > y1 for a0, b0, a1, b1 in boxes):
        return [0.0] * len(unit.models)
    return sorted(model_cover(state, unit, model) for model in unit.models)


def cover_of(state: VoidState, unit: VoidUnit) -> float:
    """The unit's cover bonus where it stands: what the share of its models asked for has (VS-CO-01)."""
    if not state.holds("VS-CO-01") or not unit.models:
        return 0.0
    values = _COVERS.get((unit.models, state.board), unit.radius, lambda: _covers(state, unit))
    share = state.table.option("cover_share")
    place = {"all": 0, "any": len(values) - 1}.get(str(share), (len(values) - 1) // 2)
    return max(values[place], objective_cover(state, unit))


def cover_kept(state: VoidState, exchange: Exchange, unit: VoidUnit) -> bool:
    """Whether the unit's cover still counts in this exchange: lost by moving, kept by a shunt (VS-SH-02)."""
    inches = inches_moved(state, exchange, unit.id)
    if not state.table.option("moving_loses_cover"):
        return True
    if not any(name == unit.id for name, _, _ in exchange.moved):
        return True
    if not state.holds("VS-SH-02") or not state.holds("VS-SH-01"):
        return inches == 0.0
    return not at_least(inches, SHUNT)


def resolve_against(state: VoidState, exchange: Exchange, target: VoidUnit, melee: bool) -> Ledger:
    """The Resolve that incoming damage meets, with everything that adds to it.

    Clauses: VS-DF-01, VS-DF-02 (Defend), VS-DI-01 (Ditch), VS-DM-04 (cover).
    """
    entries = []
    cover = cover_of(state, target)
    defends = target.id in exchange.defending and state.holds("VS-DF-01")
    counts = not melee or bool(state.table.option("melee_cover"))
    if cover and counts and cover_kept(state, exchange, target) and _cover_applies(state, exchange, target, defends):
        entries.append(Entry(value=cover, reason="cover", clause="VS-DM-04"))
    if defends:
        entries.append(Entry(value=1, reason="Defend", clause="VS-DF-01"))
    if target.ditching and state.holds("VS-DI-01"):
        entries.append(Entry(value=1, reason="Ditch", clause="VS-DI-01"))
    base = state.profile(target).resolve
    return Ledger(name="Resolve", base=base, base_reason="OPDAT", entries=tuple(entries))


def _cover_applies(state: VoidState, exchange: Exchange, target: VoidUnit, defends: bool) -> bool:
    """Whether cover that counts is added: to a stationary defender (VS-DF-02), or to anybody (VS-DM-04)."""
    stationary = bool(state.table.option("shunt_defends")) or inches_moved(state, exchange, target.id) == 0.0
    if defends and stationary and state.holds("VS-DF-02"):
        return True
    return state.holds("VS-DM-04") and bool(state.table.option("cover_without_defend"))
