"""A drawing as pixels, from the same marks as the SVG.

Shapes are painted three times too large and averaged down, which smooths their edges; letters are set last, each line
through a mask of its own, because they are sharper so.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from PIL import Image, ImageChops, ImageColor, ImageDraw
from tactician.draw.marks import Disc, Mark, Panel, Patch, Stroke, Words
from tactician.draw.page import Page, compose
from tactician.draw.palette import PAPER, Hatch, Paint
from tactician.draw.polyline import Point
from tactician.draw.text import drawable, font
from tactician.rules.core.drawing import Drawing

__all__ = ["png"]

_FINER = 3
"""Pixels painted for one pixel kept, in each direction."""
_EDGE_PIXELS = 1
_CHORD = 1.5
"""Longest side of the polygons that stand for circles, in fine pixels."""


def png(drawing: Drawing, *, pixels_per_inch: float = 16) -> bytes:
    """A drawing as the bytes of a PNG file; the same drawing gives the same bytes.

    Args:
        drawing: What to paint.
        pixels_per_inch: Scale; letters keep their size in pixels.

    Raises:
        ValueError: The scale or a side of the table is not a positive number.
    """
    page = compose(drawing, pixels_per_inch=pixels_per_inch)
    fine = Image.new("RGB", (page.width * _FINER, page.height * _FINER), PAPER)
    canvas = _Canvas(fine, page)
    table = _table_box(drawing, page)
    untouched = fine.copy()
    canvas.paint(page.table)
    untouched.paste(fine.crop(table), table[:2])
    fine.paste(untouched)
    canvas.paint(page.surround)
    image = fine.reduce(_FINER)
    _write(image, page)
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()


def _table_box(drawing: Drawing, page: Page) -> tuple[int, int, int, int]:
    """The table in fine pixels with a little edge, the part that shows of what is painted on it."""
    scale = page.pixels_per_inch * _FINER
    left, top = page.left * scale, page.above * scale
    edge = _EDGE_PIXELS * _FINER
    return (
        round(left) - edge,
        round(top) - edge,
        round(left + drawing.width * scale) + edge,
        round(top + drawing.height * scale) + edge,
    )


class _Canvas:
    """Paints marks other than words on the fine image."""

    def __init__(self, image: Image.Image, page: Page) -> None:
        self._image = image
        self._page = page
        self._scale = page.pixels_per_inch * _FINER
        self._pen = ImageDraw.Draw(image, "RGBA")

    def paint(self, marks: Sequence[Mark]) -> None:
        """Paint marks in order."""
        for mark in marks:
            if isinstance(mark, Panel):
                self._panel(mark)
            elif isinstance(mark, Disc):
                ring = self._circle(mark)
                self._fill((ring,), mark.paint)
                self._stroke((*ring, ring[0]), mark.paint)
            elif isinstance(mark, Patch):
                rings = tuple(self._pixels(ring) for ring in mark.rings)
                self._fill(rings, mark.paint)
                for ring in rings:
                    self._stroke((*ring, ring[0], ring[1]), mark.paint)
            elif isinstance(mark, Stroke):
                self._stroke(self._pixels(mark.points), mark.paint)

    def _pixels(self, points: Sequence[Point]) -> tuple[Point, ...]:
        left, above = self._page.left, self._page.above
        return tuple(((x + left) * self._scale, (y + above) * self._scale) for x, y in points)

    def _circle(self, disc: Disc) -> tuple[Point, ...]:
        ((x, y),) = self._pixels((disc.centre,))
        radius = disc.radius * self._scale
        count = max(16, min(720, math.ceil(2 * math.pi * radius / _CHORD)))
        turns = (2 * math.pi * index / count for index in range(count))
        return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)

    def _panel(self, panel: Panel) -> None:
        corners = ((panel.left, panel.top), (panel.left + panel.width, panel.top + panel.height))
        (left, top), (right, bottom) = self._pixels(corners)
        paint = panel.paint
        self._pen.rounded_rectangle(
            (left, top, right, bottom),
            radius=panel.corner * _FINER,
            fill=_colour(paint.fill, paint.fill_opacity),
            outline=_colour(paint.stroke, paint.stroke_opacity),
            width=max(1, round(paint.width * _FINER)),
        )

    def _fill(self, rings: Sequence[Sequence[Point]], paint: Paint) -> None:
        """Fill by the even-odd rule, through a mask that covers just the shape."""
        if not paint.fill:
            return
        if len(rings) == 1 and paint.hatch is None:
            self._pen.polygon(list(rings[0]), fill=_colour(paint.fill, paint.fill_opacity))
            return
        box = self._box(rings)
        if box is None:
            return
        mask = Image.new("1", (box[2] - box[0], box[3] - box[1]), 0)
        for ring in rings:
            part = Image.new("1", mask.size, 0)
            ImageDraw.Draw(part).polygon([(x - box[0], y - box[1]) for x, y in ring], fill=1)
            mask = ImageChops.logical_xor(mask, part)
        alpha = round(255 * paint.fill_opacity)
        cover = mask.convert("L").point([0] * 255 + [alpha])
        self._image.paste(ImageColor.getrgb(paint.fill), box, cover)
        if paint.hatch is not None:
            lines = ImageChops.logical_and(_hatched(paint.hatch, box), mask)
            self._image.paste(ImageColor.getrgb(paint.hatch.colour), box, lines)

    def _box(self, rings: Sequence[Sequence[Point]]) -> tuple[int, int, int, int] | None:
        """The part of the image that a shape touches, or nothing."""
        xs = [x for ring in rings for x, _ in ring]
        ys = [y for ring in rings for _, y in ring]
        left, top = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
        right, bottom = min(self._image.width, math.ceil(max(xs)) + 1), min(self._image.height, math.ceil(max(ys)) + 1)
        return (left, top, right, bottom) if left < right and top < bottom else None

    def _stroke(self, points: Sequence[Point], paint: Paint) -> None:
        colour = _colour(paint.stroke, paint.stroke_opacity)
        if colour is None:
            return
        width = max(1, round(paint.width * _FINER))
        dashes = _dashes(points, [part * _FINER for part in paint.dash]) if paint.dash else (points,)
        for dash in dashes:
            self._pen.line(list(dash), fill=colour, width=width, joint="curve" if width > 2 else None)


def _colour(colour: str, opacity: float) -> tuple[int, int, int, int] | None:
    if not colour:
        return None
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue, round(255 * opacity)


def _hatched(hatch: Hatch, box: tuple[int, int, int, int]) -> Image.Image:
    """A mask of parallel lines, in step with the page so that neighbouring shapes match."""
    width, height = box[2] - box[0], box[3] - box[1]
    mask = Image.new("1", (width, height), 0)
    pen = ImageDraw.Draw(mask)
    angle = math.radians(hatch.angle)
    along, across = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    corners = [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    offsets = [x * across[0] + y * across[1] for x, y in corners]
    step, reach = hatch.spacing * _FINER, width + height
    middle = ((box[0] + box[2]) / 2 * along[0]) + ((box[1] + box[3]) / 2 * along[1])
    for index in range(math.floor(min(offsets) / step), math.ceil(max(offsets) / step) + 1):
        x = index * step * across[0] + middle * along[0] - box[0]
        y = index * step * across[1] + middle * along[1] - box[1]
        ends = [(x - reach * along[0], y - reach * along[1]), (x + reach * along[0], y + reach * along[1])]
        pen.line(ends, fill=1, width=max(1, round(hatch.width * _FINER)))
    return mask


def _dashes(points: Sequence[Point], pattern: Sequence[float]) -> Iterator[list[Point]]:
    """The drawn parts of a dashed polyline."""
    index, left = 0, pattern[0]
    dash = [points[0]]
    for a, b in pairwise(points):
        length = math.dist(a, b)
        walked = 0.0
        while length - walked > left:
            walked += left
            at = (a[0] + (b[0] - a[0]) * walked / length, a[1] + (b[1] - a[1]) * walked / length)
            if index % 2 == 0:
                yield [*dash, at]
            dash = [at]
            index += 1
            left = pattern[index % len(pattern)]
        left -= length - walked
        dash.append(b)
    if index % 2 == 0 and len(dash) > 1:
        yield dash


def _write(image: Image.Image, page: Page) -> None:
    """Set all words on the finished image."""
    for words in (*page.table, *page.surround):
        if isinstance(words, Words):
            x = (words.at[0] + page.left) * page.pixels_per_inch
            y = (words.at[1] + page.above) * page.pixels_per_inch
            if words.halo:
                _letter(image, (x, y), words, words.halo, rim=_FINER)
            _letter(image, (x, y), words, words.colour, rim=0)


def _letter(image: Image.Image, at: Point, words: Words, colour: str, *, rim: int) -> None:
    """Set one line of text through a mask painted too large, which keeps the font's own spacing at small sizes."""
    large, text = font(words.size * _FINER), drawable(words.text)
    wide = math.ceil(large.getlength(text))
    left = at[0] - (wide / _FINER / 2 if words.middle else 0.0)
    column, row = math.floor(left) - 2, math.floor(at[1] - 1.2 * words.size)
    size = (math.ceil(wide / _FINER) + 6, math.ceil(1.8 * words.size) + 2)
    mask = Image.new("L", (size[0] * _FINER, size[1] * _FINER), 0)
    start = ((left - column) * _FINER, (at[1] - row) * _FINER)
    ImageDraw.Draw(mask).text(start, text, fill=255, font=large, anchor="ls", stroke_width=rim)
    image.paste(ImageColor.getrgb(colour), (column, row), mask.reduce(_FINER))
