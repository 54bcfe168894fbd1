"""Who sees whom, from which height, in front of whom and how far off (clauses SH-02 to SH-04, BL-04).

Readings of our own: a target lies in the front quarter when the centre of its base does; a flame reaches eight inches
from the edge of the base that it is fired from; every model but the two hides what is behind it, also those of the
target's own unit, and those of the shooter's unless the option ``own_squad_hides`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from tactician.rules.core.glimpses import Lift
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import contains
from tactician.rules.core.sight import Eye
from tactician.rules.core.state import Model
from tactician.rules.core.terrain import Board
from tactician.rules.core.views import in_arc, views
from tactician.rules.wh40k2e.contact import box_about, model_gap
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = [
    "FLAME",
    "Row",
    "blockers_for",
    "eye_of",
    "eyes_of",
    "faces",
    "lifts_of",
    "reach_of",
    "rise_at",
    "rows",
    "sees",
]

FRONT = 90.0
"""Degrees of the front arc (2E-SH-02)."""

FLAME: Inches = 8.0
"""Length of a flame template."""

THROW: Inches = 12.0
"""The furthest that anybody throws a grenade (2E-BL-04)."""

Row = tuple[Inches, str]
"""A model that is seen: the gap to it and its id."""

Sights = tuple[tuple[Row, ...], ...]

_LINES: Remembered[tuple[tuple[bool, ...], ...]] = Remembered(4_000)
_ROWS: Remembered[Sights] = Remembered(4_000)
_LIFTS: Remembered[tuple[Lift, ...]] = Remembered(200)
_EYES: Remembered[tuple[Eye, ...]] = Remembered(2_000)


def rise_at(state: SquadState, pose: Pose) -> Inches:
    """How much higher than the table a model stands with its base's centre at a place: on a hill, its height."""
    best = 0.0
    for lift in lifts_of(state.board):
        if lift.rise > best and contains(lift.outline, pose.x, pose.y):
            best = lift.rise
    return best


def lifts_of(board: Board) -> tuple[Lift, ...]:
    """The pieces that raise whoever's centre is on them."""
    return _LIFTS.get((board,), None, lambda: tuple(_find_lifts(board)))


def _find_lifts(board: Board) -> Iterator[Lift]:
    for piece in board.with_trait("rise"):
        rise = piece.trait("rise")
        if isinstance(rise, int | float):
            yield Lift(outline=piece.outline, rise=float(rise))


def eye_of(state: SquadState, unit: Squad, model: Model) -> Eye:
    """A model, for lines of sight."""
    pose = model.pose
    stature = state.profile(unit).stature
    return Eye(x=pose.x, y=pose.y, foot=rise_at(state, pose), stature=stature, radius=unit.radius)


def eyes_of(state: SquadState, unit: Squad) -> tuple[Eye, ...]:
    """All models of a unit, for lines of sight; remembered by where they stand."""
    key = unit.id, unit.profile
    return _EYES.get(
        (state.table, unit.models), key, lambda: tuple(eye_of(state, unit, model) for model in unit.models)
    )


def blockers_for(state: SquadState, unit: Squad) -> tuple[Eye, ...]:
    """The models that stand in the way of a unit's sight."""
    return tuple(eye for other in _in_the_way(state, unit) for eye in eyes_of(state, other))


def _in_the_way(state: SquadState, unit: Squad) -> tuple[Squad, ...]:
    hides = bool(state.table.option("own_squad_hides"))
    return tuple(other for other in state.units if other.models and (hides or other.id != unit.id))


def _between(state: SquadState, unit: Squad, foe: Squad) -> tuple[Squad, ...]:
    """The units that can stand between two units at all, seen from above."""
    a, b, c, d = box_about(unit)
    e, f, g, h = box_about(foe)
    x0, y0, x1, y1 = min(a, e), min(b, f), max(c, g), max(d, h)
    found = []
    for other in _in_the_way(state, unit):
        left, low, right, high = box_about(other)
        if left <= x1 and right >= x0 and low <= y1 and high >= y0:
            found.append(other)
    return tuple(found)


def _lines(state: SquadState, unit: Squad, foe: Squad, others: tuple[Squad, ...]) -> tuple[tuple[bool, ...], ...]:
    """For each model of a unit whether it sees each model of another (2E-SH-03)."""
    if not state.holds("2E-SH-03"):
        return tuple(tuple(True for _ in foe.models) for _ in unit.models)
    blockers = [eye for other in others for eye in eyes_of(state, other)]
    return views(state.board, eyes_of(state, unit), eyes_of(state, foe), blockers)


def lines(state: SquadState, unit: Squad, foe: Squad) -> tuple[tuple[bool, ...], ...]:
    """For each model of a unit whether it sees each model of another; remembered by where everybody near stands."""
    if not unit.models or not foe.models:
        return tuple(() for _ in unit.models)
    others = _between(state, unit, foe)
    places, names = _remembered_by(state, unit, foe, others)
    return _LINES.get(places, names, lambda: _lines(state, unit, foe, others))


def _remembered_by(
    state: SquadState, unit: Squad, foe: Squad, others: tuple[Squad, ...]
) -> tuple[tuple[object, ...], tuple[str, ...]]:
    """What sight between two units depends on: objects by identity, and names beside them."""
    both = (unit, foe, *others)
    return (state.table, *(one.models for one in both)), tuple(f"{one.id} {one.profile}" for one in both)


def sees(state: SquadState, unit: Squad, model: Model, foe: Squad, other: Model) -> bool:
    """Whether a model sees another one.

    Raises:
        ValueError: one of the two does not stand with its unit.
    """
    return lines(state, unit, foe)[unit.models.index(model)][foe.models.index(other)]


def rows(state: SquadState, unit: Squad, foe: Squad) -> Sights:
    """For each model of a unit the models of another that it sees, the nearest first."""
    if not unit.models or not foe.models:
        return tuple(() for _ in unit.models)
    places, names = _remembered_by(state, unit, foe, _between(state, unit, foe))
    return _ROWS.get(places, names, lambda: _rows(state, unit, foe))


def _rows(state: SquadState, unit: Squad, foe: Squad) -> Sights:
    found = []
    for model, row in zip(unit.models, lines(state, unit, foe), strict=True):
        seen = [other for other, is_seen in zip(foe.models, row, strict=True) if is_seen]
        gaps = [(model_gap(model.pose, unit.radius, other.pose, foe.radius), other.id) for other in seen]
        found.append(tuple(sorted(gaps)))
    return tuple(found)


def faces(state: SquadState, model: Model, pose: Pose) -> bool:
    """Whether a place lies in the front quarter of a model as it stands turned (2E-SH-02)."""
    return in_arc(model.pose, model.pose.bearing, FRONT, pose.x, pose.y) or not state.holds("2E-SH-02")


def reach_of(state: SquadState, unit: Squad, weapon: Weapon) -> Inches:
    """How far a weapon carries in the hands of a unit's models: gap between the bases (2E-SH-04, 2E-BL-04)."""
    if weapon.is_grenade:
        thrown = min(2.0 + 2.0 * state.profile(unit).strength, THROW)
        return thrown if state.holds("2E-BL-04") else inf
    if not state.holds("2E-SH-04"):
        return inf
    return FLAME if weapon.is_template else weapon.long


def in_range(state: SquadState, unit: Squad, weapon: Weapon, gap: Inches) -> bool:
    """Whether a gap is within a weapon's reach."""
    return within(gap, reach_of(state, unit, weapon))
