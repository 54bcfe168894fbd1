"""Marks: what both painters can paint, and how shapes and placed texts turn into them.

Marks live on the page: inches with y downward from the upper edge of the table, as SVG counts. Widths, dashes and sizes
of letters are in pixels, so that they stay readable at any scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tactician.draw.labels import Placed
from tactician.draw.palette import PLATE, Paint, paint_of, tones_of
from tactician.draw.polyline import Point, length_of, point_along, shortened
from tactician.draw.text import CAP_HEIGHT, LINE_HEIGHT
from tactician.rules.core.drawing import Area, Circle, Line, Shape
from tactician.rules.core.measure import Degrees, Inches

__all__ = ["Disc", "Mark", "Panel", "Patch", "Sheet", "Stroke", "Words", "is_stop", "marks_of_shape", "marks_of_text"]

_TICK_WIDEST: Degrees = 24.0
_ARROW_LENGTH_PIXELS = 9.0
_ARROW_HALF_WIDTH = 0.42
_ARROWED = ("path", "climb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A circle."""

    centre: Point
    radius: Inches
    paint: Paint
    kind: str = ""
    """Classes in the SVG."""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A filled polygon; a point inside an even number of rings is outside."""

    rings: tuple[tuple[Point, ...], ...]
    paint: Paint
    kind: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """A polyline."""

    points: tuple[Point, ...]
    paint: Paint
    kind: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """An upright rectangle with rounded corners."""

    left: Inches
    top: Inches
    width: Inches
    height: Inches
    paint: Paint
    corner: float = 0.0
    """Radius of the corners, pixels."""
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One line of text."""

    at: Point
    """Middle or left end of its base line."""
    text: str
    size: int
    colour: str
    middle: bool = True
    """Whether `at` is the middle."""
    halo: str = ""
    """Colour of a thin rim that sets it off, or empty."""
    kind: str = ""


Mark = Disc | Patch | Stroke | Panel | Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What turns the table into the page."""

    height: Inches
    """Of the table."""
    pixels_per_inch: float
    stops: tuple[Circle, ...] = ()
    """Discs at whose rim an arrow ends if it leads to their centre."""

    def down(self, point: Point) -> Point:
        """A point of the table as a point of the page."""
        return point[0], self.height - point[1]

    def inches(self, pixels: float) -> Inches:
        """A length in pixels as inches."""
        return pixels / self.pixels_per_inch


def marks_of_shape(shape: Shape, sheet: Sheet) -> Iterator[Mark]:
    """The marks of a shape, lowest first; labels have none here, they are placed first."""
    if isinstance(shape, Circle):
        return _circle(shape, sheet)
    if isinstance(shape, Area):
        return _area(shape, sheet)
    if isinstance(shape, Line):
        return _line(shape, sheet)
    return iter(())


def _kind(shape: Circle | Area | Line) -> str:
    side = f"side-{_slug(shape.side)}" if shape.side else "side-none"
    return f"{_slug(shape.role)} {side}"


def _slug(word: str) -> str:
    """A word as a class name: white space would make two of it."""
    return "-".join(word.split()) or "other"


def _circle(shape: Circle, sheet: Sheet) -> Iterator[Mark]:
    centre, paint = sheet.down(shape.centre), paint_of(shape.role, shape.side)
    yield Disc(centre=centre, radius=shape.radius, paint=paint, kind=_kind(shape), name=shape.name)
    tones = tones_of(shape.side)
    if shape.role == "base" and tones.ringed:
        ring = max(min(sheet.inches(2.6), shape.radius * 0.22), shape.radius * 0.16)
        yield Disc(centre=centre, radius=shape.radius - ring, paint=Paint(fill=tones.pale), kind="ring")
    if shape.bearing is not None:
        fill = tones.dark if shape.role == "base" else paint.stroke or tones.dark
        yield _tick(centre, shape.radius, shape.bearing, Paint(fill=fill), sheet)


def _tick(centre: Point, radius: Inches, bearing: Degrees, paint: Paint, sheet: Sheet) -> Patch:
    """A small arrow head on the rim that shows where a model faces."""
    length = max(min(radius * 0.4, sheet.inches(9.0)), sheet.inches(3.5))
    corners = []
    for turn, reach in ((0.0, radius + length), (_TICK_WIDEST, radius * 0.98), (-_TICK_WIDEST, radius * 0.98)):
        angle = math.radians(bearing + turn)
        corners.append((centre[0] + reach * math.sin(angle), centre[1] - reach * math.cos(angle)))
    return Patch(rings=(tuple(corners),), paint=paint, kind="facing")


def _area(shape: Area, sheet: Sheet) -> Iterator[Mark]:
    rings = tuple(tuple(sheet.down(point) for point in ring) for ring in shape.rings if len(ring) > 2)
    paint = paint_of(shape.role, shape.side)
    tones = tones_of(shape.side)
    if shape.role == "base" and tones.ringed:
        paint = replace(paint, fill=tones.pale, stroke=tones.main, width=3.0)
    if rings:
        yield Patch(rings=rings, paint=paint, kind=_kind(shape), name=shape.name)


def _line(shape: Line, sheet: Sheet) -> Iterator[Mark]:
    points = _to_the_rims(shape.points, sheet) if shape.role in _ARROWED else shape.points
    length = length_of(points)
    if length <= 0:
        return
    paint = paint_of(shape.role, shape.side)
    kind = _kind(shape)
    if shape.role != "path":
        yield Stroke(points=tuple(map(sheet.down, points)), paint=paint, kind=kind, name=shape.name)
        return
    head = min(sheet.inches(_ARROW_LENGTH_PIXELS), length * 0.6)
    shaft = shortened(points, 0.0, head * 0.8)
    yield Stroke(points=tuple(map(sheet.down, shaft)), paint=paint, kind=kind, name=shape.name)
    corners = _arrow_head(point_along(points, length - head), points[-1])
    yield Patch(rings=(tuple(map(sheet.down, corners)),), paint=Paint(fill=paint.stroke), kind="arrow")


def _to_the_rims(points: tuple[Point, ...], sheet: Sheet) -> tuple[Point, ...]:
    """An arrow from rim to rim instead of from centre to centre, where enough of it is left."""
    start, end = (_radius_at(point, sheet.stops) for point in (points[0], points[-1])) if points else (0.0, 0.0)
    spare = length_of(points) - start - end
    return shortened(points, start, end) if start + end > 0 and spare > sheet.inches(4.0) else points


def _radius_at(point: Point, stops: Sequence[Circle]) -> Inches:
    return max((stop.radius for stop in stops if math.dist(stop.centre, point) < 1e-3), default=0.0)


def _arrow_head(root: Point, tip: Point) -> tuple[Point, ...]:
    dx, dy = (tip[0] - root[0]) * _ARROW_HALF_WIDTH, (tip[1] - root[1]) * _ARROW_HALF_WIDTH
    return tip, (root[0] - dy, root[1] + dx), (root[0] + dy, root[1] - dx)


def marks_of_text(placed: Placed, sheet: Sheet) -> Iterator[Mark]:
    """Plate and words of a placed text; its leader is painted before all plates by the caller."""
    tones = tones_of(placed.side)
    box = placed.box
    if placed.plate:
        left, top = sheet.down((box.left, box.top))
        edge = Paint(fill=PLATE, fill_opacity=0.88, stroke=tones.main, stroke_opacity=0.55, width=0.8)
        yield Panel(
            left=left,
            top=top,
            width=box.right - box.left,
            height=box.top - box.bottom,
            paint=edge,
            corner=3.0,
            kind="plate",
        )
    colour = PLATE if placed.on_solid else tones.dark
    halo = "" if placed.plate or placed.on_solid else tones.pale
    x, y = sheet.down(box.centre)
    first = y - sheet.inches((len(placed.lines) - 1) * placed.size * LINE_HEIGHT / 2)
    for index, line in enumerate(placed.lines):
        base_line = first + sheet.inches(placed.size * (index * LINE_HEIGHT + CAP_HEIGHT / 2))
        yield Words(at=(x, base_line), text=line, size=placed.size, colour=colour, halo=halo, kind="label")


def is_stop(shape: Shape) -> bool:
    """Whether arrows end at the rim of a shape."""
    return isinstance(shape, Circle) and shape.role in ("base", "ghost")
