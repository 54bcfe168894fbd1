"""A spot: where a unit might go to, and the ways of its models there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tactician.agent.propose.aims import middle
from tactician.agent.propose.fares import shifted
from tactician.rules.core.action import Action
from tactician.rules.core.legs import Bend, Path, Pose, Straight
from tactician.rules.core.measure import snap
from tactician.rules.core.movement import MoveType
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import Unit, front_first

__all__ = ["Spot", "Who", "by_ways", "moved_to", "order_of", "paths_to", "stay", "walking"]

Who = tuple[str, ...] | None
"""The models of a unit that walk; None where all of them do."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A formation shifted as it stands, or each model walked by a way of its own."""

    name: str
    shifts: tuple[Point, ...]
    """How far the formation has been shifted after each leg; none where it stays."""
    ways: tuple[tuple[str, Path], ...] = ()
    """Where set: each model's own way, the shifts telling only how far the middle comes. Models that walk one after
    another walk in this order."""

    @property
    def shift(self) -> Point:
        """How far it is shifted in the end."""
        return self.shifts[-1] if self.shifts else (0.0, 0.0)


stay = Spot("stay", ())
"""Nobody moves."""


def by_ways(name: str, unit: Unit, paths: dict[str, Path]) -> Spot:
    """A spot to which models come by ways of their own, on the floor that each stands on."""
    here, ends = middle(unit), middle(unit.moved(_ends(unit, tuple(paths.items()))))
    return Spot(name, ((ends[0] - here[0], ends[1] - here[1]),), tuple(paths.items()))


def _ends(unit: Unit, ways: tuple[tuple[str, Path], ...]) -> dict[str, Pose]:
    """Where ways over one floor end."""
    found = {}
    for name, path in ways:
        start, leg = unit.model(name).pose, path[-1]
        if isinstance(leg, Straight | Bend):
            found[name] = Pose(snap(leg.to[0]), snap(leg.to[1]), start.surface, start.bearing)
    return found


def paths_to(unit: Unit, spot: Spot, who: Who = None) -> tuple[tuple[str, Path], ...]:
    """The way of each model that walks."""
    if spot.ways:
        return tuple((name, path) for name, path in spot.ways if who is None or name in who)
    return tuple(
        (model.id, shifted(model, spot.shifts))
        for model in unit.models
        if spot.shifts and (who is None or model.id in who)
    )


def order_of(unit: Unit, spot: Spot, kind: MoveType, who: Who = None) -> tuple[str, ...]:
    """Front models first, where models walk one after another; as they come where each has a way of its own."""
    if kind.motion != "sequence" or not (spot.shifts or spot.ways):
        return ()
    walking = tuple(name for name, _ in paths_to(unit, spot, who))
    return walking if spot.ways else tuple(name for name in front_first(unit, *spot.shift) if name in walking)


def walking(action: Action, unit: Unit, spot: Spot, kind: MoveType, who: Who = None) -> Action:
    """The action with the ways to a spot."""
    return replace(action, paths=paths_to(unit, spot, who), order=order_of(unit, spot, kind, who))


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
