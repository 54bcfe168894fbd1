"""The page around and behind the table: grid, numbers on the edges, title, scale bar, legend and caption."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tactician.draw.labels import place
from tactician.draw.marks import Disc, Mark, Panel, Sheet, Stroke, Words, is_stop, marks_of_shape, marks_of_text
from tactician.draw.palette import (
    FRAME,
    GRID,
    INK,
    QUIET,
    TABLE,
    Paint,
    known_roles,
    tones_of,
    words_of,
)
from tactician.draw.text import LINE_HEIGHT, cleaned, text_width, wrapped
from tactician.rules.core.drawing import Area, Circle, Drawing, Label, Line, Shape
from tactician.rules.core.measure import Inches

__all__ = ["Page", "compose", "legend_words", "page_size"]

GRID_STEP: Inches = 6.0
_LEFT, _RIGHT, _ABOVE, _AXIS = 30, 16, 12, 20
"""Pixels beside the table, above the title and under the table for its numbers."""
_LEAST_WIDTH = 340
_TITLE, _CAPTION, _LEGEND, _NUMBER = 17, 12, 11, 10
_ROW = 20
_SWATCH = 20
_GAP = 16
_SIDE_WORDS = {"red": "red model", "blue": "blue model"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A drawing ready to be painted; marks in inches of the page, y downward from the upper edge of the table."""

    width: int
    """Pixels."""
    height: int
    """Pixels."""
    left: Inches
    """From the edge of the page to the table."""
    above: Inches
    """From the upper edge of the page to the table."""
    pixels_per_inch: float
    table: tuple[Mark, ...]
    """Cut off at the edge of the table."""
    surround: tuple[Mark, ...]
    """Painted after the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One line of the legend."""

    words: str
    samples: tuple[Circle | Area | Line, ...]
    """A shape of the role for every side that has one."""


def legend_words(drawing: Drawing) -> list[str]:
    """What the legend of a drawing lists, in order: only roles that occur."""
    return [entry.words for entry in _entries(drawing)]


def page_size(drawing: Drawing, *, pixels_per_inch: float = 16) -> tuple[int, int]:
    """Width and height of the picture in pixels."""
    page = compose(drawing, pixels_per_inch=pixels_per_inch)
    return page.width, page.height


def compose(drawing: Drawing, *, pixels_per_inch: float = 16) -> Page:
    """Lay out a drawing.

    Raises:
        ValueError: The scale or a side of the table is not a positive number.
    """
    for name, value in (("pixels_per_inch", pixels_per_inch), ("width", drawing.width), ("height", drawing.height)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"a picture needs a positive {name}, not {value}")
    stops = tuple(shape for shape in drawing.shapes if isinstance(shape, Circle) and is_stop(shape))
    sheet = Sheet(height=drawing.height, pixels_per_inch=pixels_per_inch, stops=stops)
    placement = place(drawing, pixels_per_inch=pixels_per_inch)
    table: list[Mark] = [*_ground(drawing)]
    for shape in drawing.shapes:
        table.extend(marks_of_shape(shape, sheet))
    for placed in placement.placed:
        if placed.leader is not None:
            ends = (sheet.down(placed.leader[0]), sheet.down(placed.leader[1]))
            paint = Paint(stroke=tones_of(placed.side).dark, stroke_opacity=0.8, width=0.8)
            table.append(Stroke(points=ends, paint=paint, kind="leader"))
            dot = Paint(fill=tones_of(placed.side).dark, fill_opacity=0.8)
            table.append(Disc(centre=ends[1], radius=sheet.inches(1.6), paint=dot, kind="leader"))
    for placed in placement.placed:
        table.extend(marks_of_text(placed, sheet))
    return _framed(drawing, sheet, tuple(table), placement.left_out)


def _framed(drawing: Drawing, sheet: Sheet, table: tuple[Mark, ...], left_out: int) -> Page:
    """The page around a painted table."""
    width = max(math.ceil(drawing.width * sheet.pixels_per_inch) + _LEFT + _RIGHT, _LEAST_WIDTH)
    room = width - _LEFT - _RIGHT
    title = wrapped(drawing.title, _TITLE, room) if cleaned(drawing.title) else ()
    above = _ABOVE + math.ceil(len(title) * _TITLE * LINE_HEIGHT) + 4
    surround: list[Mark] = []
    for index, line in enumerate(title):
        at = (0.0, sheet.inches(_ABOVE + _TITLE * (0.85 + index * LINE_HEIGHT) - above))
        surround.append(Words(at=at, text=line, size=_TITLE, colour=INK, middle=False, kind="title"))
    surround.extend(_axes(drawing, sheet))
    foot = drawing.height * sheet.pixels_per_inch + _AXIS
    bar, bar_width = _scale_bar(drawing, sheet, foot)
    surround.extend(bar)
    legend, foot = _legend(drawing, sheet, foot, bar_width + _GAP, room)
    surround.extend(legend)
    caption, foot = _caption(drawing, sheet, foot, room, left_out)
    surround.extend(caption)
    return Page(
        width=width,
        height=above + math.ceil(foot) + 8,
        left=sheet.inches(_LEFT),
        above=sheet.inches(above),
        pixels_per_inch=sheet.pixels_per_inch,
        table=table,
        surround=tuple(surround),
    )


def _stops(length: Inches) -> list[Inches]:
    return [GRID_STEP * index for index in range(int(length / GRID_STEP + 1e-9) + 1)]


def _ground(drawing: Drawing) -> Iterator[Mark]:
    """The bare table with its grid."""
    yield Panel(left=0.0, top=0.0, width=drawing.width, height=drawing.height, paint=Paint(fill=TABLE), kind="table")
    line = Paint(stroke=GRID, width=1.0)
    for x in _stops(drawing.width):
        yield Stroke(points=((x, 0.0), (x, drawing.height)), paint=line, kind="grid")
    for y in _stops(drawing.height):
        yield Stroke(points=((0.0, drawing.height - y), (drawing.width, drawing.height - y)), paint=line, kind="grid")


def _axes(drawing: Drawing, sheet: Sheet) -> Iterator[Mark]:
    """The frame, and every six inches a number on the left and under it."""
    frame = Paint(stroke=FRAME, width=1.6)
    yield Panel(left=0.0, top=0.0, width=drawing.width, height=drawing.height, paint=frame, kind="frame")
    under = drawing.height + sheet.inches(_NUMBER + 4)
    for x in _stops(drawing.width):
        yield Words(at=(x, under), text=f"{x:g}", size=_NUMBER, colour=QUIET, kind="number")
    for y in _stops(drawing.height):
        text = f"{y:g}"
        at = (-sheet.inches(5 + text_width(text, _NUMBER) / 2), drawing.height - y + sheet.inches(_NUMBER * 0.36))
        yield Words(at=at, text=text, size=_NUMBER, colour=QUIET, kind="number")


def _scale_bar(drawing: Drawing, sheet: Sheet, foot: float) -> tuple[list[Mark], float]:
    """A bar of six inches (one on tables smaller than that) and its width with its words in pixels."""
    length = GRID_STEP if drawing.width >= GRID_STEP else 1.0
    pieces = 6 if length > 1 else 2
    top = sheet.inches(foot + _ROW / 2 - 3)
    marks: list[Mark] = []
    for index in range(pieces):
        paint = Paint(fill=FRAME if index % 2 == 0 else TABLE, stroke=FRAME, width=0.8)
        left = length * index / pieces
        height = sheet.inches(6)
        marks.append(Panel(left=left, top=top, width=length / pieces, height=height, paint=paint, kind="scale"))
    text = f'{length:g}"'
    at = (length + sheet.inches(5), sheet.inches(foot + _ROW / 2 + _LEGEND * 0.36))
    marks.append(Words(at=at, text=text, size=_LEGEND, colour=INK, middle=False, kind="scale"))
    return marks, length * sheet.pixels_per_inch + 5 + text_width(text, _LEGEND)


def _entries(drawing: Drawing) -> list[_Entry]:
    """The legend: known roles in their fixed order, then unknown ones as they come."""
    found: dict[str, dict[str, Circle | Area | Line]] = {}
    for shape in drawing.shapes:
        if not isinstance(shape, Label):
            found.setdefault(shape.role, {}).setdefault(shape.side, shape)
    order = [role for role in known_roles() if role in found]
    order += [role for role in found if role not in order]
    entries = []
    for role in order:
        sides = found[role]
        if role == "base":
            for side in sorted(sides, key=lambda each: (each not in _SIDE_WORDS, each == "blue", each)):
                words = _SIDE_WORDS.get(side, cleaned(f"{side} model"))
                entries.append(_Entry(words=words, samples=(sides[side],)))
        else:
            entries.append(_Entry(words=cleaned(words_of(role)), samples=tuple(sides.values())))
    return entries


def _legend(drawing: Drawing, sheet: Sheet, foot: float, indent: float, room: float) -> tuple[list[Mark], float]:
    """The entries in rows to the right of the scale bar, and where the next thing may stand."""
    marks: list[Mark] = []
    x = indent
    for entry in _entries(drawing):
        words = wrapped(entry.words, _LEGEND, room - 3 * _SWATCH)[0]
        wide = len(entry.samples) * _SWATCH + 5 + text_width(words, _LEGEND)
        if x > 0 and x + wide > room:
            x, foot = 0.0, foot + _ROW
        middle = foot + _ROW / 2
        for index, sample in enumerate(entry.samples):
            marks.extend(_swatch(sample, sheet, x + (index + 0.5) * _SWATCH, middle))
        at = (sheet.inches(x + len(entry.samples) * _SWATCH + 5), sheet.inches(middle + _LEGEND * 0.36))
        marks.append(Words(at=at, text=words, size=_LEGEND, colour=INK, middle=False, kind="legend"))
        x += wide + _GAP
    return marks, foot + _ROW


def _swatch(shape: Circle | Area | Line, sheet: Sheet, x: float, y: float) -> Iterator[Mark]:
    """A small copy of a shape about a point of the page given in pixels."""
    cx, cy = sheet.inches(x), sheet.height - sheet.inches(y)
    across, up = sheet.inches(8), sheet.inches(5.5)
    sample: Shape
    if isinstance(shape, Circle):
        sample = replace(shape, centre=(cx, cy), radius=sheet.inches(6.5), name="", bearing=None)
    elif isinstance(shape, Area):
        ring = ((cx - across, cy - up), (cx + across, cy - up), (cx + across, cy + up), (cx - across, cy + up))
        sample = replace(shape, rings=(ring,), name="")
    else:
        sample = replace(shape, points=((cx - across, cy), (cx + across, cy)), name="", note="")
    for mark in marks_of_shape(sample, replace(sheet, stops=())):
        yield mark if isinstance(mark, Words) else replace(mark, kind="sample")


def _caption(drawing: Drawing, sheet: Sheet, foot: float, room: float, left_out: int) -> tuple[list[Mark], float]:
    """The lines under the picture, and how many texts found no room on it."""
    lines = [line for each in drawing.caption if cleaned(each) for line in wrapped(each, _CAPTION, room)]
    if left_out:
        lines.append(f"{left_out} {'text' if left_out == 1 else 'texts'} left out for want of room")
    marks: list[Mark] = []
    for index, line in enumerate(lines):
        base_line = foot + 4 + _CAPTION * (0.9 + index * 1.4)
        at = (0.0, sheet.inches(base_line))
        marks.append(Words(at=at, text=line, size=_CAPTION, colour=INK, middle=False, kind="caption"))
    return marks, foot + (4 + _CAPTION * 1.4 * len(lines) if lines else 0)
