"""What a moving unit finds on the table: the bases of others, the walls of each surface, and the barriers they make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tactician.rules.core.barriers import (
    DiscBarrier,
    EdgeBarrier,
    FootingBarrier,
    OverhangBarrier,
    WallBarrier,
    box_of,
    kept,
)
from tactician.rules.core.legs import Pose, Stretch
from tactician.rules.core.measure import OPEN_MARGIN, TOL, Inches, overlaps
from tactician.rules.core.shapes import Box, Polygon, contains, length, outline_distance, polygon_distance
from tactician.rules.core.state import Model, State, Unit
from tactician.rules.core.terrain import Board

__all__ = ["Base", "Scene", "bases_of", "scene_for"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """A base that rests."""

    model: str
    unit: str
    side: str
    x: Inches
    y: Inches
    z: Inches
    surface: str
    radius: Inches


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The table as one unit finds it: everybody else's bases, where they rest."""

    board: Board
    unit: str
    side: str
    radius: Inches
    others: tuple[Base, ...]

    def walls(self, stretch: Stretch, radius: Inches, begun: Pose | None = None) -> Iterator[WallBarrier]:
        """Outlines that a base on the stretch's surface may not overlap.

        Args:
            stretch: what is walked, or a stretch of no length for a place.
            radius: of the base.
            begun: where the model stood before its move; it need not be further away than there.
        """
        x0, y0, x1, y1 = box_of(stretch)
        far = radius + TOL
        for name, polygon in self.board.ground(stretch.surface).walls:
            a, b, c, d = polygon.box
            if a - far > x1 or c + far < x0 or b - far > y1 or d + far < y0:
                continue
            keep = radius
            if begun is not None and begun.surface == stretch.surface and _is_near(polygon.box, begun, radius):
                keep = kept(radius, polygon_distance(polygon, *begun.point))
            yield WallBarrier(name=name, polygon=polygon, radius=keep)

    def edge(self, radius: Inches, begun: Pose) -> EdgeBarrier:
        """The table's edge, for a model that stood somewhere before its move."""
        width, height = self.board.width, self.board.height
        room = min(begun.x, begun.y, width - begun.x, height - begun.y)
        return EdgeBarrier(width=width, height=height, radius=room if overlaps(room - radius) else radius)

    def footing(self, stretch: Stretch, radius: Inches) -> FootingBarrier | None:
        """The floor walked on, where it is raised."""
        surface = self.board.surface(stretch.surface)
        return None if surface.polygon is None else FootingBarrier(surface=surface, radius=radius)

    def bases(
        self, stretch: Stretch, radius: Inches, others: tuple[Base, ...], begun: Pose
    ) -> Iterator[tuple[Base, DiscBarrier | OverhangBarrier]]:
        """Resting bases that the stretch could run into or over, culled to those in reach."""
        x0, y0, x1, y1 = box_of(stretch)
        floor = self.board.surface(stretch.surface).polygon
        for base in others:
            reach = radius + base.radius
            far = reach + TOL
            if base.x + far < x0 or base.x - far > x1 or base.y + far < y0 or base.y - far > y1:
                continue
            disc = DiscBarrier(name=base.model, x=base.x, y=base.y, reach=reach)
            if base.surface == stretch.surface == begun.surface:
                keep = kept(reach, length(begun.x - base.x, begun.y - base.y))
                yield base, disc if keep == reach else replace(disc, reach=keep)
            elif base.surface == stretch.surface:
                yield base, disc
            elif floor is not None and base.z < max(stretch.low, stretch.high) and not _is_under(base, floor):
                yield base, OverhangBarrier(disc=disc, floor=floor, radius=radius)

    def zones(
        self, radius: Inches, limit: Inches, spared: tuple[str, ...], begun: Pose
    ) -> Iterator[tuple[Base, DiscBarrier]]:
        """Discs round enemy models nearer than which a base may not come, or nearer than where it stood before."""
        for base in self.others:
            if base.side != self.side and base.unit not in spared:
                reach = kept(radius + base.radius + limit, length(begun.x - base.x, begun.y - base.y))
                yield base, DiscBarrier(name=base.model, x=base.x, y=base.y, reach=reach, margin=OPEN_MARGIN)


def _is_near(box: Box, pose: Pose, reach: Inches) -> bool:
    return box[0] - reach < pose.x < box[2] + reach and box[1] - reach < pose.y < box[3] + reach


def _is_under(base: Base, floor: Polygon) -> bool:
    """Whether a base lies wholly beneath a floor, so that the floor separates it from whoever walks there."""
    inside = contains(floor, base.x, base.y)
    return inside and outline_distance(floor, base.x, base.y) >= base.radius - TOL


def bases_of(state: State, unit: Unit, models: tuple[Model, ...] | None = None) -> tuple[Base, ...]:
    """The bases of a unit (or of some of its models) where they stand."""
    return tuple(base_at(state, unit, model.id, model.pose) for model in (unit.models if models is None else models))


def base_at(state: State, unit: Unit, model: str, pose: Pose) -> Base:
    """A model's base at a pose."""
    return Base(
        model=model,
        unit=unit.id,
        side=unit.side,
        x=pose.x,
        y=pose.y,
        z=state.height_of(pose),
        surface=pose.surface,
        radius=unit.radius,
    )


def scene_for(state: State, unit: Unit) -> Scene:
    """The table as a unit finds it before it moves."""
    others = tuple(base for other in state.units if other.id != unit.id for base in bases_of(state, other))
    return Scene(board=state.board, unit=unit.id, side=unit.side, radius=unit.radius, others=others)
