"""What a moving unit finds on the table: the bases of others, the walls of each surface, and the barriers they make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tactician.rules.core.barriers import (
    DiscBarrier,
    EdgeBarrier,
    FootingBarrier,
    OverhangBarrier,
    WallBarrier,
    apart,
    box_of,
    kept,
)
from tactician.rules.core.legs import Pose, Stretch
from tactician.rules.core.measure import OPEN_MARGIN, TOL, Inches, overlaps
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Box, Polygon, contains, length, outline_distance, polygon_distance
from tactician.rules.core.state import Model, State, Unit
from tactician.rules.core.terrain import GROUND, Board, Feature

__all__ = ["Base", "Scene", "bases_of", "pieces_with", "rests_of", "scene_for"]


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
    part: Box | None = None
    """The part of the table that matters, a base's reach added; None for all of it."""
    _walls: dict[str, tuple[tuple[str, Polygon], ...]] = field(default_factory=dict, repr=False, compare=False)
    """Outlines in that part of the table, by surface, once asked for."""

    def near(self, box: Box, gap: Inches) -> Scene:
        """The scene without what stays more than a gap apart from a base anywhere in a box."""
        x0, y0, x1, y1 = box
        far = self.radius + gap + 2 * TOL
        found = tuple(
            base
            for base in self.others
            if x0 - far - base.radius <= base.x <= x1 + far + base.radius
            and y0 - far - base.radius <= base.y <= y1 + far + base.radius
        )
        return Scene(board=self.board, unit=self.unit, side=self.side, radius=self.radius, others=found, part=box)

    def _outlines(self, surface: str) -> tuple[tuple[str, Polygon], ...]:
        """What a base on a surface may not overlap, in the part of the table that matters."""
        if self.part is None:
            return self.board.ground(surface).walls
        if surface not in self._walls:
            walls, far = self.board.ground(surface).walls, self.radius + TOL
            self._walls[surface] = tuple(wall for wall in walls if not apart(wall[1].box, self.part, far))
        return self._walls[surface]

    def walls(self, stretch: Stretch, radius: Inches, begun: Pose | None = None) -> Iterator[WallBarrier]:
        """Outlines that a base on the stretch's surface may not overlap.

        Args:
            stretch: what is walked, or a stretch of no length for a place.
            radius: of the base.
            begun: where the model stood before its move; it need not be further away than there.
        """
        x0, y0, x1, y1 = box_of(stretch)
        far = radius + TOL
        for name, polygon in self._outlines(stretch.surface):
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
                gap = reach - radius - base.radius
                yield base, DiscBarrier(name=base.model, x=base.x, y=base.y, reach=reach, margin=OPEN_MARGIN, gap=gap)


def _is_near(box: Box, pose: Pose, reach: Inches) -> bool:
    return box[0] - reach < pose.x < box[2] + reach and box[1] - reach < pose.y < box[3] + reach


def _is_under(base: Base, floor: Polygon) -> bool:
    """Whether a base lies wholly beneath a floor, so that the floor separates it from whoever walks there."""
    inside = contains(floor, base.x, base.y)
    return inside and outline_distance(floor, base.x, base.y) >= base.radius - TOL


_PIECES: Remembered[tuple[Feature, ...]] = Remembered(200)


def pieces_with(board: Board, trait: str) -> tuple[Feature, ...]:
    """The pieces of a board with a trait, remembered by the board."""
    return _PIECES.get((board,), trait, lambda: board.with_trait(trait))


_RESTS: Remembered[tuple[Base, ...]] = Remembered(5_000)
_SCENES: Remembered[Scene] = Remembered(1_000)


def rests_of(board: Board, unit: Unit) -> tuple[Base, ...]:
    """The bases of a unit where they stand, remembered by its models: status may change, places stay."""
    about = unit.id, unit.side, unit.radius
    return _RESTS.get((board, unit.models), about, lambda: tuple(_base(board, unit, m.id, m.pose) for m in unit.models))


def bases_of(state: State, unit: Unit, models: tuple[Model, ...] | None = None) -> tuple[Base, ...]:
    """The bases of a unit (or of some of its models) where they stand."""
    return tuple(base_at(state, unit, model.id, model.pose) for model in (unit.models if models is None else models))


def base_at(state: State, unit: Unit, model: str, pose: Pose) -> Base:
    """A model's base at a pose."""
    return _base(state.board, unit, model, pose)


def _base(board: Board, unit: Unit, model: str, pose: Pose) -> Base:
    return Base(
        model=model,
        unit=unit.id,
        side=unit.side,
        x=pose.x,
        y=pose.y,
        z=0.0 if pose.surface == GROUND else board.surface(pose.surface).height_at(pose.x, pose.y),
        surface=pose.surface,
        radius=unit.radius,
    )


def scene_for(state: State, unit: Unit) -> Scene:
    """The table as a unit finds it before it moves; the same object for as long as nobody moves."""
    about = unit.id, unit.side, unit.radius
    return _SCENES.get((state.board, state.units), about, lambda: _scene(state.board, state.units, unit))


def _scene(board: Board, units: tuple[Unit, ...], unit: Unit) -> Scene:
    others = tuple(base for other in units if other.id != unit.id for base in rests_of(board, other))
    return Scene(board=board, unit=unit.id, side=unit.side, radius=unit.radius, others=others)
