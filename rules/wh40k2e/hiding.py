"""Hiding: who may go into hiding, who spots whom, what ends it (chapter HI).

Readings of our own: an enemy has a clear view when it sees a hidden model, the straight line between the two centres
meets nothing that conceals, and the model stands in nothing that does; a unit that has spotted another keeps it in
mind for as long as the other stays hidden.
"""

from __future__ import annotations

from itertools import pairwise

from tactician.rules.core.clauses import Violation
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Path, Stretch, walk
from tactician.rules.core.measure import TOL, Inches, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Interval, Polygon, contains, may_be_near, merge, near_segment, polygon_distance
from tactician.rules.core.state import Model
from tactician.rules.core.terrain import Feature
from tactician.rules.wh40k2e.contact import is_engaged, line_crosses, model_gap
from tactician.rules.wh40k2e.sighting import sees
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = [
    "can_aim",
    "can_strike",
    "conceals_at",
    "hide_faults",
    "reveal",
    "stays_concealed",
    "with_spotted",
]


_CONCEALING: Remembered[tuple[Feature, ...]] = Remembered(200)


def concealing(state: SquadState) -> tuple[Feature, ...]:
    """The pieces that one can hide in or behind."""
    board = state.board
    return _CONCEALING.get(
        (board,), None, lambda: tuple(piece for piece in board.with_trait("conceals") if piece.trait("conceals"))
    )


def conceals_at(state: SquadState, unit: Squad, model: Model) -> bool:
    """Whether a model is in something that conceals, or touches it (2E-HI-02)."""
    x, y = model.pose.point
    reach = unit.radius + 2 * TOL
    near = (piece.outline for piece in concealing(state) if may_be_near(piece.outline, x, y, reach))
    return any(within(polygon_distance(outline, x, y), unit.radius) for outline in near)


def hide_faults(state: SquadState, unit: Squad) -> tuple[Violation, ...]:
    """Why a unit may not go into hiding now; empty if it may."""
    faults = []
    if unit.went == "ran":
        faults.append(Violation(clause="2E-RU-03", subject=unit.id, text="who ran does not hide"))
    elif unit.went not in ("", "walked") or unit.charge or unit.failed:
        text = "only who stood still or walked goes into hiding"
        faults.append(Violation(clause="2E-HI-01", subject=unit.id, text=text))
    elif unit.went == "walked" and not state.holds("2E-NM-04"):
        faults.append(Violation(clause="2E-HI-01", subject=unit.id, text="who walked does not hide"))
    if unit.overwatch:
        faults.append(Violation(clause="2E-OW-05", subject=unit.id, text="who is on overwatch does nothing else"))
    if is_engaged(state, unit):
        faults.append(Violation(clause="2E-SH-06", subject=unit.id, text="who fights hand to hand does not hide"))
    if unit.broken:
        text = "a broken unit obeys no order; in cover it hides by itself when its turn comes"
        faults.append(Violation(clause="2E-LD-04", subject=unit.id, text=text))
    profile = state.profile(unit)
    if profile.has("never_hides"):
        faults.append(Violation(clause="2E-HI-03", subject=unit.id, text=f"{profile.name} never hide"))
    for model in unit.models:
        if not conceals_at(state, unit, model):
            text = "in or behind nothing that conceals"
            faults.append(Violation(clause="2E-HI-02", subject=model.id, text=text, at=model.pose.point))
    return tuple(faults)


# ---- being spotted ---------------------------------------------------------------------------------------------------


def with_spotted(state: SquadState) -> SquadState:
    """The state with every hidden unit known to whoever spots it from where everybody stands now."""
    for unit in state.units:
        if not unit.hidden or not unit.models:
            continue
        found = [foe.id for foe in state.against(unit.side) if foe.id in unit.spotters or _spots(state, foe, unit)]
        spotters = tuple(sorted({*unit.spotters, *found}))
        if spotters != unit.spotters:
            new = ", ".join(name for name in spotters if name not in unit.spotters)
            told = f"{unit.name} ({unit.id}) is spotted by {new}"
            state = but(state.with_unit(but(unit, spotters=spotters)), log=(*state.log, told))
    return state


def _spots(state: SquadState, foe: Squad, unit: Squad) -> bool:
    return _is_close(state, foe, unit) or _has_clear_view(state, foe, unit)


def _is_close(state: SquadState, foe: Squad, unit: Squad) -> bool:
    """Whether an enemy stands within its own Initiative in inches, twice that with acute senses (2E-HI-07)."""
    if not state.holds("2E-HI-07"):
        return False
    profile = state.profile(foe)
    reach = float(profile.initiative * (2 if profile.has("acute_senses") else 1))
    gaps = (model_gap(a.pose, foe.radius, b.pose, unit.radius) for a in foe.models for b in unit.models)
    return any(within(gap, reach) for gap in gaps)


def _has_clear_view(state: SquadState, foe: Squad, unit: Squad) -> bool:
    """Whether an enemy sees a hidden model with nothing that conceals between them (2E-HI-08)."""
    if not state.holds("2E-HI-08"):
        return False
    pieces = concealing(state)
    for model in unit.models:
        near = [piece for piece in pieces if not contains(piece.outline, *model.pose.point)]
        if len(near) < len(pieces):
            continue
        for other in foe.models:
            if any(line_crosses(piece, other.pose, model.pose) for piece in near):
                continue
            if sees(state, foe, other, unit, model):
                return True
    return False


def can_aim(state: SquadState, shooter: Squad, target: Squad) -> bool:
    """Whether a unit knows where another is: hidden units are known to those that spotted them (2E-HI-04, 2E-HI-09)."""
    if not target.hidden or not state.holds("2E-HI-04"):
        return True
    if not target.spotters:
        return False
    return shooter.id in target.spotters or not state.holds("2E-HI-09")


def can_strike(state: SquadState, shooter: Squad, target: Squad) -> bool:
    """Whether a unit may lay a blast or a template on another: it knows it, or somebody does (2E-HI-09)."""
    return can_aim(state, shooter, target) or bool(target.spotters)


# ---- the end of hiding -----------------------------------------------------------------------------------------------


def reveal(state: SquadState, unit_id: str, why: str) -> SquadState:
    """The state with a unit no longer hidden; the very same state if it was not."""
    unit = state.unit(unit_id)
    if not unit.hidden:
        return state
    told = f"{unit.name} ({unit.id}) is hidden no longer: {why}"
    return but(state.with_unit(but(unit, hidden=False, spotters=())), log=(*state.log, told))


def stays_concealed(state: SquadState, unit: Squad, model: Model, path: Path) -> bool:
    """Whether at every place of a way the base is in something that conceals, or touches it (2E-HI-05)."""
    outlines = [piece.outline for piece in concealing(state)]
    if not path:
        return True
    reach = unit.radius + TOL
    for stretch in walk(model.pose, path, state.board):
        parts = merge(part for outline in outlines for part in _near_parts(stretch, outline, reach))
        if stretch.start == stretch.end:
            continue
        if not parts or parts[0][0] > HAIR or parts[0][1] < 1.0 - HAIR:
            return False
    return True


HAIR = 1e-9
"""Fractions of a stretch that are rounding."""


def _near_parts(stretch: Stretch, outline: Polygon, reach: Inches) -> list[Interval]:
    """The parts of a stretch inside an outline, or no further from it than a reach."""
    (ax, ay), (bx, by) = stretch.start, stretch.end
    parts: list[Interval] = []
    marks = {0.0, 1.0}
    for edge in outline.edges:
        if stretch.arc is not None:
            parts += stretch.arc.near_segment(*edge, reach)
            marks |= {mark for mark in stretch.arc.circle_crossings(*edge) if 0.0 < mark < 1.0}
        else:
            near = near_segment(ax, ay, bx, by, *edge, reach)
            parts += [near] if near is not None else []
            marks |= _meets(ax, ay, bx, by, edge)
    cuts = sorted(marks)
    for low, high in pairwise(cuts):
        if contains(outline, *stretch.at((low + high) / 2)):
            parts.append((low, high))
    return parts


def _meets(ax: float, ay: float, bx: float, by: float, edge: tuple[float, float, float, float]) -> set[float]:
    """Fractions of a straight line at which it meets a segment."""
    cx, cy, ex, ey = edge
    dx, dy, fx, fy = bx - ax, by - ay, ex - cx, ey - cy
    cross = dx * fy - dy * fx
    if cross == 0.0:
        return set()
    u = ((cx - ax) * fy - (cy - ay) * fx) / cross
    v = ((cx - ax) * dy - (cy - ay) * dx) / cross
    return {u} if 0.0 < u < 1.0 and 0.0 <= v <= 1.0 else set()
