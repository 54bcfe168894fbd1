"""What a picture of a table is made of, before anyone decides how to paint it.

A ruleset describes a state as shapes in inches with a role each ("cover", "base", "reach"); the painters in the layers
above choose colours, pixels and label places. The order of the shapes is the order of painting.
"""

from __future__ import annotations

from dataclasses import dataclass

from tactician.rules.core.measure import Degrees, Inches

__all__ = ["Area", "Circle", "Drawing", "Label", "Line", "Shape"]

Point = tuple[Inches, Inches]


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A disc such as a base, an objective or a halo around a model."""

    role: str
    """What it is: ``base``, ``objective``, ``engagement``, ``ghost`` ..."""
    centre: Point
    radius: Inches
    side: str = ""
    """Whose it is, or empty."""
    name: str = ""
    """Id of the thing drawn, such as a model id; written into the picture's data."""
    bearing: Degrees | None = None
    """Where it faces, if facing matters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A filled polygon such as terrain, a zone or a reachable area; holes are further rings."""

    role: str
    """What it is: ``impassable``, ``cover``, ``surface``, ``ramp``, ``zone``, ``reach`` ..."""
    rings: tuple[tuple[Point, ...], ...]
    side: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A polyline such as a path, a coherency link or a line of sight."""

    role: str
    """What it is: ``path``, ``coherency``, ``sight``, ``climb`` ..."""
    points: tuple[Point, ...]
    side: str = ""
    name: str = ""
    note: str = ""
    """Text that belongs to the line, such as ``5.50"``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A text that wants to stand near a point; the painter may shift it so that no two overlap."""

    text: str
    near: Point
    side: str = ""
    weight: int = 0
    """Larger is placed first; the lightest are left out where nothing fits."""


Shape = Circle | Area | Line | Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A table seen from above, to scale."""

    width: Inches
    height: Inches
    title: str
    shapes: tuple[Shape, ...]
    caption: tuple[str, ...] = ()
    """Lines of text under the picture, such as the score."""
