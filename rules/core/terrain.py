"""The table: its pieces of terrain and the surfaces that models can stand on.

A piece has an outline and traits; what a trait means (cover, rate, sight) is the ruleset's business, except for
the three that the ground itself needs: whether it *blocks* movement, from which height to which, and whether it
carries a surface. A surface is a floor at one height or a ramp; where it is *solid* its footprint is closed to
everybody lower down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import Box, Point, Polygon, clamp, contains, outline_distance

__all__ = ["GROUND", "Board", "Feature", "Ground", "Surface", "TraitValue"]

GROUND = "ground"
"""Name of the surface that is the table itself."""

TraitValue = float | bool | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """A place to stand: the table itself, a raised floor, or a ramp between `foot` and `head`."""

    id: str
    polygon: Polygon | None = None
    """Its outline; None for the ground, which is the whole table."""
    low: Inches = 0.0
    high: Inches = 0.0
    """Heights at the foot and at the head; equal on a floor."""
    foot: Point | None = None
    head: Point | None = None
    """Points at which a ramp begins and ends to rise; level beyond them."""
    solid: bool = True
    """Whether nobody lower down can be under it."""

    def height_at(self, x: Inches, y: Inches) -> Inches:
        """Height of the surface at a place (its level ends are carried on beyond the outline)."""
        if self.foot is None or self.head is None:
            return self.high
        return self.low + (self.high - self.low) * clamp(self.along(x, y), 0.0, 1.0)

    def along(self, x: Inches, y: Inches) -> float:
        """How far up a ramp a place is: 0 at the foot, 1 at the head, not clamped."""
        if self.foot is None or self.head is None:
            return 0.0
        dx, dy = self.head[0] - self.foot[0], self.head[1] - self.foot[1]
        return ((x - self.foot[0]) * dx + (y - self.foot[1]) * dy) / (dx * dx + dy * dy)

    def reach(self, x: Inches, y: Inches) -> Inches:
        """Signed distance of a point from the outline: positive inside; infinite on the ground."""
        if self.polygon is None:
            return float("inf")
        away = outline_distance(self.polygon, x, y)
        return away if contains(self.polygon, x, y) else -away


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A piece of terrain."""

    id: str
    outline: Polygon
    kind: str = ""
    """What a player would call it: scrub, wall, ruin, hill ..."""
    blocks: bool = False
    """Whether nothing may pass through it, at heights from `bottom` to `top`."""
    bottom: Inches = 0.0
    top: Inches = float("inf")
    surface: Surface | None = None
    """The floor or ramp on it, named like the piece."""
    traits: tuple[tuple[str, TraitValue], ...] = ()
    """The ruleset's part, sorted by name."""
    screens: bool = False
    """Whether it hides what is behind it, up to `top`, though one may walk there (asked by `core.views`)."""
    veil: Inches | None = None
    """How far one can see through it, up to `top`, in inches of the line between two centres; None for any distance.
    A piece with a veil is an area, whatever `screens` says (asked by `core.views`)."""

    def trait(self, name: str) -> TraitValue | None:
        """The value of a trait, or None."""
        for key, value in self.traits:
            if key == name:
                return value
        return None


@dataclass(frozen=True)
class Ground:
    """What stands in the way of a base on one surface."""

    surface: Surface
    walls: tuple[tuple[str, Polygon], ...]
    """Id and outline of everything that a base on this surface may not overlap."""


@dataclass(frozen=True, kw_only=True)
class Board:
    """A table and what stands on it; shared by every state of a game."""

    width: Inches
    height: Inches
    features: tuple[Feature, ...] = ()
    name: str = ""
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        """Hash computed once, as boards are large and shared."""
        if self._hash is None:
            object.__setattr__(self, "_hash", hash((self.width, self.height, self.features, self.name)))
        return self._hash or 0

    def __getstate__(self) -> dict[str, object]:
        """Pickle the facts alone: hashes of text differ between processes."""
        return {"width": self.width, "height": self.height, "features": self.features, "name": self.name}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take the facts back."""
        self.__dict__.update(state, _hash=None)

    @cached_property
    def surfaces(self) -> tuple[Surface, ...]:
        """All surfaces, the ground first."""
        raised = tuple(feature.surface for feature in self.features if feature.surface is not None)
        return (Surface(id=GROUND), *raised)

    @cached_property
    def _by_id(self) -> dict[str, Surface]:
        return {surface.id: surface for surface in self.surfaces}

    @cached_property
    def _grounds(self) -> dict[str, Ground]:
        return {surface.id: Ground(surface, self._walls(surface)) for surface in self.surfaces}

    @cached_property
    def box(self) -> Box:
        """The table's rectangle."""
        return 0.0, 0.0, self.width, self.height

    def surface(self, name: str) -> Surface:
        """A surface by its id.

        Raises:
            KeyError: there is no such surface.
        """
        return self._by_id[name]

    def has_surface(self, name: str) -> bool:
        """Whether a surface of this id exists."""
        return name in self._by_id

    def ground(self, name: str) -> Ground:
        """What stands in the way on a surface."""
        return self._grounds[name]

    def feature(self, name: str) -> Feature:
        """A piece by its id.

        Raises:
            KeyError: there is no such piece.
        """
        for feature in self.features:
            if feature.id == name:
                return feature
        raise KeyError(name)

    def with_trait(self, name: str) -> tuple[Feature, ...]:
        """Every piece that has a trait."""
        known = self._by_trait
        if name not in known:
            known[name] = tuple(feature for feature in self.features if feature.trait(name) is not None)
        return known[name]

    @cached_property
    def _by_trait(self) -> dict[str, tuple[Feature, ...]]:
        """Pieces by trait, as far as asked for."""
        return {}

    def _walls(self, surface: Surface) -> tuple[tuple[str, Polygon], ...]:
        """Blocking pieces and solid floors that rise above a surface."""
        walls = []
        for piece in self.features:
            if piece.blocks and piece.top > surface.low + TOL and piece.bottom <= surface.high + TOL:
                walls.append((piece.id, piece.outline))
            other = piece.surface
            if other is None or other.id == surface.id or other.polygon is None or not other.solid:
                continue
            if other.high > surface.low + TOL:
                walls.append((piece.id, other.polygon))
        return tuple(walls)
