"""Spots: places to which a unit's formation can be shifted, and the ways there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tactician.agent.by_eye import EXACT, Measure
from tactician.agent.propose.aims import Aim, aims, middle
from tactician.agent.propose.routes import file_ways, route
from tactician.agent.propose.slides import Slider
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import Appraiser
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Path, Pose, Straight
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.movement import MoveType
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit, front_first

__all__ = ["Spot", "along", "binding", "moved_to", "order_of", "paths_to", "spots", "stay", "walking"]

LEAST: Inches = 0.25
"""Shifts shorter than this, or nearer than this to an earlier one, are dropped."""

BLOCKED = 0.7
"""A straight way that is shorter than this part of what was wanted is worth a detour."""

DETOURS = 2
"""Detours looked for under one move type."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A formation shifted as it stands, or each model walked by a way of its own."""

    name: str
    shifts: tuple[Point, ...]
    """How far the formation has been shifted after each leg; none where it stays."""
    ways: tuple[tuple[str, Path], ...] = ()
    """Where set: each model's own way, the shifts telling only how far the middle comes."""

    @property
    def shift(self) -> Point:
        """How far it is shifted in the end."""
        return self.shifts[-1] if self.shifts else (0.0, 0.0)


stay = Spot("stay", ())
"""Nobody moves."""


def binding(kind: MoveType) -> MoveType:
    """A move type without its names: what decides where it can lead."""
    return replace(kind, name="", budget=kind.walls)


def spots(
    appraiser: Appraiser,
    state: State,
    unit: Unit,
    kind: MoveType,
    charged: str | None = None,
    measure: Measure = EXACT,
) -> list[Spot]:
    """Places worth a look under a move type, the more meaningful first, none twice."""
    if not unit.models or kind.allowance <= LEAST:
        return []
    slider = Slider(state, unit, kind)
    wishes = aims(appraiser, state, unit, kind.allowance, charged, measure)
    inches = slider.lengths([aim.way for aim in wishes], [aim.inches for aim in wishes])
    found = [_straight(aim, got) for aim, got in zip(wishes, inches, strict=True)]
    blocked = [
        aim for aim, got in zip(wishes, inches, strict=True) if aim.goal is not None and got < BLOCKED * aim.inches
    ]
    for aim in blocked[:DETOURS]:
        detour = along(state, unit, kind, slider, aim)
        found += detour
        reached = max((length(*spot.shift) for spot in detour), default=0.0)
        if reached < BLOCKED * aim.inches and aim is blocked[0]:
            found += drawn_in(state, unit, kind, aim)
    return _distinct(found)


def _straight(aim: Aim, inches: Inches) -> Spot:
    return Spot(aim.name, ((aim.way[0] * inches, aim.way[1] * inches),))


def _distinct(found: Iterable[Spot]) -> list[Spot]:
    kept: list[Spot] = []
    for spot in found:
        x, y = spot.shift
        if length(x, y) >= LEAST and all(length(x - a, y - b) >= LEAST for a, b in (one.shift for one in kept)):
            kept.append(spot)
    return kept


def along(state: State, unit: Unit, kind: MoveType, slider: Slider, aim: Aim) -> list[Spot]:
    """The formation following a detour of its middle, as far as the allowance and the room for it go."""
    if aim.goal is None:
        return []
    here = middle(unit)
    points = route(state, unit, kind, aim.goal)
    left, shift = kind.allowance - LEAST / 100, (0.0, 0.0)
    shifts: list[Point] = []
    for x, y in points:
        dx, dy = x - here[0] - shift[0], y - here[1] - shift[1]
        away = length(dx, dy)
        if away <= 1e-6:
            continue
        way = (dx / away, dy / away)
        (got,) = slider.lengths([way], [min(away, left)], shift)
        shift = (shift[0] + way[0] * got, shift[1] + way[1] * got)
        shifts.append(shift)
        left -= got
        if got < away - 1e-6 or left <= LEAST:
            break
    return [Spot(f"{aim.name} by a detour", tuple(shifts))] if shifts else []


def drawn_in(state: State, unit: Unit, kind: MoveType, aim: Aim) -> list[Spot]:
    """Each model by its own way toward the aim, in step, as far as is legal."""
    from tactician.rules.paths.squads import in_pace

    if aim.goal is None or kind.motion != "in_step" or len(unit.models) < 2:
        return []
    ways = file_ways(state, unit, kind, aim.goal)
    if not ways:
        return []
    paths = clip(state, unit, kind, in_pace(ways, kind.allowance - LEAST / 100))
    if not paths:
        return []
    here, ends = middle(unit), middle(unit.moved(_ends(unit, tuple(paths.items()))))
    return [Spot(f"{aim.name} drawn in", ((ends[0] - here[0], ends[1] - here[1]),), tuple(paths.items()))]


def _ends(unit: Unit, ways: tuple[tuple[str, Path], ...]) -> dict[str, Pose]:
    """Where straight ways end."""
    found = {}
    for name, path in ways:
        start, leg = unit.model(name).pose, path[-1]
        if isinstance(leg, Straight):
            found[name] = Pose(snap(leg.to[0]), snap(leg.to[1]), start.surface, start.bearing)
    return found


def paths_to(unit: Unit, spot: Spot) -> tuple[tuple[str, Path], ...]:
    """The way of each model."""
    if spot.ways:
        return spot.ways
    return tuple(
        (model.id, tuple(Straight((model.pose.x + x, model.pose.y + y)) for x, y in spot.shifts))
        for model in unit.models
        if spot.shifts
    )


def order_of(unit: Unit, spot: Spot, kind: MoveType) -> tuple[str, ...]:
    """Front models first, where models walk one after another."""
    if kind.motion != "sequence" or not (spot.shifts or spot.ways):
        return ()
    walking = {name for name, _ in paths_to(unit, spot)}
    return tuple(name for name in front_first(unit, *spot.shift) if name in walking)


def walking(action: Action, unit: Unit, spot: Spot, kind: MoveType) -> Action:
    """The action with the ways to a spot."""
    return replace(action, paths=paths_to(unit, spot), order=order_of(unit, spot, kind))


def moved_to(unit: Unit, spot: Spot) -> Unit:
    """The unit standing at a spot."""
    if spot.ways:
        return unit.moved(_ends(unit, spot.ways))
    x, y = spot.shift
    return unit.moved(
        {
            model.id: Pose(snap(model.pose.x + x), snap(model.pose.y + y), model.pose.surface, model.pose.bearing)
            for model in unit.models
        }
    )
