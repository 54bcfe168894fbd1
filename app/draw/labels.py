"""Where the texts of a picture stand: near what they speak of, never on each other, and off the models if possible.

Greedy point labelling (Christensen, Marks and Shieber 1995, section 3.1): the heaviest text first, each in the cheapest
free place of twelve directions at growing distances. Both painters use the same placement.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tactician.draw.obstacles import Ground
from tactician.draw.palette import tones_of
from tactician.draw.polyline import Box, Point, length_of, point_along
from tactician.draw.text import CAP_HEIGHT, LINE_HEIGHT, cleaned, text_width, wrapped
from tactician.rules.core.drawing import Area, Circle, Drawing, Label, Line
from tactician.rules.core.measure import Inches

__all__ = ["Placed", "Placement", "place", "placed_boxes"]

ID_SIZES = (12, 11, 10, 9, 8)
LABEL_SIZE = 11
NOTE_SIZE = 10
NAMED_ROLES = ("base", "objective")
"""Roles whose name is written into the picture."""

_GAPS = (0.2, 0.5, 0.9, 1.5, 2.3, 3.4, 5.0, 7.0, 10.0)
"""Distances tried between an anchor and its text, in sizes of the text."""
_LEADER_FROM: Inches = 1.2
"""From this gap on (in sizes of the text) a line leads from the text to what it belongs to."""
_DIRECTIONS = (0, 180, 90, 270, 45, 135, 315, 225, 22, 158, 338, 202)
"""Degrees counterclockwise from the right, the most readable first."""
_ABOVE = (90, 270, 65, 115, 295, 245)
"""Directions in which a text keeps off a flat piece."""
_HIDING = 1.7
"""A piece is flat for a text if it is less than so many times as high, and as wide, as the text."""
_NOTE_PLACES = (0.5, 0.42, 0.58, 0.34, 0.66)
_PADDING = (3.0, 2.0)
"""Pixels of plate around a text, sideways and upright."""
_ON_A_BASE = 1000.0
_MAX_SHARE = 0.4
"""Largest share of the table's width that one line of a label takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One text with the place found for it; inches on the table, y upward."""

    box: Box
    lines: tuple[str, ...]
    size: int
    """Of the font, pixels."""
    side: str
    plate: bool
    """Whether it stands on a plate of its own rather than inside a base or an objective."""
    on_solid: bool = False
    """Whether it stands on a base filled with the dark tone of its side."""
    leader: tuple[Point, Point] | None = None
    """From the text to what it speaks of, where it stands far away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """All texts that found a place."""

    placed: tuple[Placed, ...]
    left_out: int
    """How many found none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """A text that wants a place near its anchor, at least `clear` away from it."""

    lines: tuple[str, ...]
    size: int
    anchor: Point
    clear: Inches
    side: str
    weight: float
    along: tuple[Point, ...] = ()
    """The polyline it would rather sit on."""
    turns: tuple[int, ...] = _DIRECTIONS
    """Directions from the anchor in which it is tried."""


def place(drawing: Drawing, *, pixels_per_inch: float = 16) -> Placement:
    """Find places for ids, labels and notes at a scale.

    Args:
        drawing: What to letter.
        pixels_per_inch: Scale; texts keep their size in pixels, so more of them fit at a larger scale.

    Returns:
        The texts in the order in which they were placed; no two boxes overlap and none leaves the table.
    """
    ground = Ground(drawing, pixels_per_inch)
    inside, beside = _ids(drawing, ground)
    placed = list(inside)
    left_out = 0
    wishes = [*_label_wishes(drawing, ground), *beside, *_note_wishes(drawing)]
    for wish in sorted(wishes, key=lambda each: -each.weight):
        found = _best(wish, ground)
        if found is None:
            left_out += 1
            continue
        ground.occupy(found.box, found.leader)
        placed.append(found)
    return Placement(placed=tuple(placed), left_out=left_out)


def placed_boxes(drawing: Drawing, *, pixels_per_inch: float = 16) -> list[Box]:
    """The boxes of all texts on the table, in inches with y upward, for a check that none overlap."""
    return [placed.box for placed in place(drawing, pixels_per_inch=pixels_per_inch).placed]


def _ids(drawing: Drawing, ground: Ground) -> tuple[list[Placed], list[_Wish]]:
    """Names that fit into their base, placed at once, and wishes for those that do not."""
    inside: list[Placed] = []
    beside: list[_Wish] = []
    for shape in drawing.shapes:
        if not isinstance(shape, Circle | Area) or shape.role not in NAMED_ROLES or not cleaned(shape.name):
            continue
        if isinstance(shape, Area) and not (shape.rings and shape.rings[0]):
            continue
        centre, clear = _middle(shape)
        fitting = _inside(shape, centre, ground)
        if fitting is not None:
            ground.occupy(fitting.box, None)
            inside.append(fitting)
        else:
            lines = (cleaned(shape.name),)
            wish = _Wish(lines=lines, size=NOTE_SIZE, anchor=centre, clear=clear, side=shape.side, weight=0.5)
            beside.append(wish)
    return inside, beside


def _middle(shape: Circle | Area) -> tuple[Point, Inches]:
    """Where a shape has its middle and how far a text must stay from there to clear it."""
    if isinstance(shape, Circle):
        return shape.centre, shape.radius
    ring = shape.rings[0]
    box = Box(min(x for x, _ in ring), min(y for _, y in ring), max(x for x, _ in ring), max(y for _, y in ring))
    return box.centre, min(box.right - box.left, box.top - box.bottom) / 2


def _inside(shape: Circle | Area, centre: Point, ground: Ground) -> Placed | None:
    """The name at the largest size at which it fits into the shape, or nothing."""
    name = cleaned(shape.name)
    for size in ID_SIZES:
        box = Box.around(centre, ground.inches(text_width(name, size)), ground.inches(size * CAP_HEIGHT))
        corners = [(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)]
        if isinstance(shape, Circle):
            fits = all(math.dist(centre, corner) <= shape.radius for corner in corners)
        else:
            fits = ground.lies_within(box, shape.rings[0])
        if fits and ground.is_free(box):
            solid = shape.role == "base" and not tones_of(shape.side).ringed
            return Placed(box=box, lines=(name,), size=size, side=shape.side, plate=False, on_solid=solid)
    return None


def _label_wishes(drawing: Drawing, ground: Ground) -> Iterator[_Wish]:
    """One wish for each label, except those that only repeat the name of the base they stand at."""
    widest = drawing.width * _MAX_SHARE * ground.pixels_per_inch
    for shape in drawing.shapes:
        if not isinstance(shape, Label) or not cleaned(shape.text):
            continue
        disc = ground.disc_at(shape.near)
        if disc is not None and disc.role in NAMED_ROLES and disc.name == shape.text:
            continue
        anchor, clear = (shape.near, 0.0) if disc is None else (disc.centre, disc.radius)
        lines = wrapped(shape.text, LABEL_SIZE, widest)
        flat = _flat_at(drawing, shape.near, ground, lines) if disc is None else None
        yield _Wish(
            lines=lines,
            size=LABEL_SIZE,
            anchor=anchor,
            clear=clear if flat is None else flat,
            side=shape.side,
            weight=shape.weight,
            turns=_DIRECTIONS if flat is None else _ABOVE,
        )


def _flat_at(drawing: Drawing, at: Point, ground: Ground, lines: tuple[str, ...]) -> Inches | None:
    """Half the height of a piece round a place of which a text on it would leave little to be seen; None if none is."""
    height = ground.inches(_HIDING * LABEL_SIZE * LINE_HEIGHT * len(lines))
    width = ground.inches(_HIDING * max(text_width(line, LABEL_SIZE) for line in lines))
    for shape in drawing.shapes:
        if not isinstance(shape, Area) or shape.role == "zone" or not (shape.rings and shape.rings[0]):
            continue
        across, up = [x for x, _ in shape.rings[0]], [y for _, y in shape.rings[0]]
        holds = min(across) <= at[0] <= max(across) and min(up) <= at[1] <= max(up)
        if holds and max(up) - min(up) < height and max(across) - min(across) < width:
            return (max(up) - min(up)) / 2
    return None


def _note_wishes(drawing: Drawing) -> Iterator[_Wish]:
    for shape in drawing.shapes:
        if isinstance(shape, Line) and shape.points and cleaned(shape.note):
            middle = point_along(shape.points, length_of(shape.points) / 2)
            yield _Wish(
                lines=(cleaned(shape.note),),
                size=NOTE_SIZE,
                anchor=middle,
                clear=0.0,
                side=shape.side,
                weight=0.0,
                along=shape.points,
            )


def _best(wish: _Wish, ground: Ground) -> Placed | None:
    """The cheapest free place for a text; distance, covered lines and covered models cost."""
    width = ground.inches(max(text_width(line, wish.size) for line in wish.lines) + 2 * _PADDING[0])
    height = ground.inches(len(wish.lines) * wish.size * LINE_HEIGHT - wish.size * 0.25 + 2 * _PADDING[1])
    best: tuple[float, Box, tuple[Point, Point] | None] | None = None
    for start, box, gap in _candidates(wish, width, height, ground.inches(wish.size)):
        if best is not None and start >= best[0]:
            break
        if not ground.is_free(box):
            continue
        leader = _leader(wish, box) if gap >= _LEADER_FROM else None
        cost = start + ground.cost(box, leader, own=wish.along) + (_ON_A_BASE if ground.covers_base(box) else 0.0)
        if best is None or cost < best[0]:
            best = cost, box, leader
    if best is None:
        return None
    return Placed(box=best[1], lines=wish.lines, size=wish.size, side=wish.side, plate=True, leader=best[2])


def _candidates(wish: _Wish, width: Inches, height: Inches, em: Inches) -> Iterator[tuple[float, Box, float]]:
    """Places to try as (cost of the distance, box, gap in sizes of the text), the cheapest first."""
    if wish.clear == 0 and not wish.along:
        yield 0.0, Box.around(wish.anchor, width, height), 0.0
    total = length_of(wish.along)
    if total > 1.8 * max(width, height):
        for share in _NOTE_PLACES:
            yield 0.0, Box.around(point_along(wish.along, total * share), width, height), 0.0
    for ring, gap in enumerate(_GAPS):
        for turn in wish.turns:
            angle = math.radians(turn)
            across, up = math.cos(angle), math.sin(angle)
            reach = wish.clear + gap * em
            x = wish.anchor[0] + across * reach + width / 2 * max(-1.0, min(1.0, 1.5 * across))
            y = wish.anchor[1] + up * reach + height / 2 * max(-1.0, min(1.0, 1.5 * up))
            yield 0.7 * ring, Box.around((x, y), width, height), gap
    yield 0.7 * len(_GAPS), Box.around(wish.anchor, width, height), 0.0


def _leader(wish: _Wish, box: Box) -> tuple[Point, Point] | None:
    """A line from the nearest point of the box to the rim of what it speaks of."""
    start = box.nearest(wish.anchor)
    apart = math.dist(start, wish.anchor)
    if apart <= wish.clear:
        return None
    share = wish.clear / apart
    x, y = wish.anchor
    return start, (x + (start[0] - x) * share, y + (start[1] - y) * share)
