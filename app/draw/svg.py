"""A drawing as SVG in inches, written so that a program can read the poses back.

The user space of the root is the table in inches, y downward, without any transform: a base is a
``<circle class="base side-red" data-id="R1" cx=x cy=height-y r=radius>``, and `read_bases` gives its pose.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from tactician.draw.marks import Disc, Mark, Panel, Patch, Stroke, Words
from tactician.draw.page import Page, compose
from tactician.draw.palette import PAPER, Hatch, Paint
from tactician.draw.polyline import Point
from tactician.draw.text import cleaned, printable
from tactician.rules.core.drawing import Drawing
from tactician.rules.core.measure import Inches

__all__ = ["read_bases", "svg"]

_NAMESPACE = "http://www.w3.org/2000/svg"
_EDGE_PIXELS = 1.0
_FONT = "sans-serif"


def svg(drawing: Drawing, *, pixels_per_inch: float = 16) -> str:
    """A drawing as the text of an SVG file; the same drawing gives the same text.

    Args:
        drawing: What to paint.
        pixels_per_inch: Size at which the picture opens; letters keep their size in pixels.

    Raises:
        ValueError: The scale or a side of the table is not a positive number.
    """
    page = compose(drawing, pixels_per_inch=pixels_per_inch)
    return "\n".join(_document(drawing, page)) + "\n"


def read_bases(svg_text: str) -> dict[str, tuple[Inches, Inches, Inches]]:
    """The named bases of a picture made by `svg`: id -> (x, y, radius) in inches, y upward.

    Raises:
        ValueError: The text is no picture of ours, or two bases have one id.
    """
    try:
        root = ElementTree.fromstring(svg_text)
    except ElementTree.ParseError as error:
        raise ValueError(f"not an SVG: {error}") from error
    height = root.get("data-height")
    if height is None:
        raise ValueError("the SVG has no data-height, so its y cannot be turned upward")
    bases: dict[str, tuple[Inches, Inches, Inches]] = {}
    for circle in root.iter(f"{{{_NAMESPACE}}}circle"):
        name = circle.get("data-id")
        if name is None or "base" not in circle.get("class", "").split():
            continue
        if name in bases:
            raise ValueError(f"two bases have the id {name!r}")
        x, down, radius = (float(circle.get(key, "nan")) for key in ("cx", "cy", "r"))
        bases[name] = (x, float(height) - down, radius)
    return bases


def _number(value: float) -> str:
    text = f"{value:.4f}"
    return "0.0000" if text == "-0.0000" else text


def _document(drawing: Drawing, page: Page) -> Iterator[str]:
    wide, high = page.width / page.pixels_per_inch, page.height / page.pixels_per_inch
    view = " ".join(map(_number, (-page.left, -page.above, wide, high)))
    yield (
        f'<svg xmlns="{_NAMESPACE}" viewBox="{view}" width="{page.width}" height="{page.height}" '
        f'data-width="{float(drawing.width)!r}" data-height="{float(drawing.height)!r}" role="img" '
        f'font-family="{_FONT}">'
    )
    yield f"<title>{escape(cleaned(drawing.title))}</title>"
    yield from _patterns(page)
    yield f'<rect x="{_number(-page.left)}" y="{_number(-page.above)}" width="{_number(wide)}" ' + (
        f'height="{_number(high)}" fill="{PAPER}"/>'
    )
    edge = _EDGE_PIXELS / page.pixels_per_inch
    cut = tuple(map(_number, (-edge, -edge, drawing.width + 2 * edge, drawing.height + 2 * edge)))
    yield f'<svg x="{cut[0]}" y="{cut[1]}" width="{cut[2]}" height="{cut[3]}" viewBox="{" ".join(cut)}">'
    for mark in page.table:
        yield _element(mark, page)
    yield "</svg>"
    for mark in page.surround:
        yield _element(mark, page)
    yield "</svg>"


def _hatch_id(hatch: Hatch, page: Page) -> str:
    return f"hatch-{hatch.colour[1:]}-{hatch.angle:g}-{hatch.spacing:g}-{page.pixels_per_inch:g}".replace(".", "_")


def _patterns(page: Page) -> Iterator[str]:
    """The hatches in use; patterns with one id are equal, so that pictures can share a web page."""
    used: dict[str, Hatch] = {}
    for mark in (*page.table, *page.surround):
        if isinstance(mark, Patch | Disc) and mark.paint.hatch is not None:
            used[_hatch_id(mark.paint.hatch, page)] = mark.paint.hatch
    for name, hatch in used.items():
        step, width = _number(hatch.spacing / page.pixels_per_inch), _number(hatch.width / page.pixels_per_inch)
        yield (
            f'<defs><pattern id="{name}" patternUnits="userSpaceOnUse" width="{step}" height="{step}" '
            f'patternTransform="rotate({hatch.angle:g})"><rect width="{step}" height="{width}" '
            f'fill="{hatch.colour}"/></pattern></defs>'
        )


def _element(mark: Mark, page: Page) -> str:
    """One mark as one element, or two where it is hatched."""
    if isinstance(mark, Words):
        return _text(mark, page)
    tag, geometry = _outline(mark, page)
    kind = f" class={quoteattr(printable(mark.kind))}" if mark.kind else ""
    name = "" if isinstance(mark, Panel) else printable(mark.name)
    data = f" data-id={quoteattr(name)}" if name else ""
    end = f"><title>{escape(name)}</title></{tag}>" if name else "/>"
    element = f"<{tag}{kind}{data} {geometry} {_style(mark.paint, page)}{end}"
    if mark.paint.hatch is None:
        return element
    lines = Paint(fill=f"url(#{_hatch_id(mark.paint.hatch, page)})")
    return f'{element}\n<{tag} class="hatch" {geometry} {_style(lines, page)}/>'


def _outline(mark: Disc | Patch | Stroke | Panel, page: Page) -> tuple[str, str]:
    """Name of the element of a mark, and its geometry."""
    if isinstance(mark, Disc):
        x, y = mark.centre
        return "circle", f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(mark.radius)}"'
    if isinstance(mark, Patch):
        data = " ".join(f"M{_points(ring)}Z" for ring in mark.rings)
        return "path", f'd="{data}" fill-rule="evenodd"'
    if isinstance(mark, Stroke):
        return "polyline", f'points="{_points(mark.points)}"'
    corner = f' rx="{_number(mark.corner / page.pixels_per_inch)}"' if mark.corner else ""
    place = f'x="{_number(mark.left)}" y="{_number(mark.top)}"'
    return "rect", f'{place} width="{_number(mark.width)}" height="{_number(mark.height)}"{corner}'


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _style(paint: Paint, page: Page) -> str:
    parts = [f'fill="{paint.fill or "none"}"']
    if paint.fill and paint.fill_opacity < 1:
        parts.append(f'fill-opacity="{paint.fill_opacity:g}"')
    if paint.stroke:
        parts.append(f'stroke="{paint.stroke}" stroke-width="{_number(paint.width / page.pixels_per_inch)}"')
        parts.append('stroke-linejoin="round"')
        if paint.stroke_opacity < 1:
            parts.append(f'stroke-opacity="{paint.stroke_opacity:g}"')
        if paint.dash:
            dash = " ".join(_number(part / page.pixels_per_inch) for part in paint.dash)
            parts.append(f'stroke-dasharray="{dash}"')
    return " ".join(parts)


def _text(words: Words, page: Page) -> str:
    """A line of text, under it its halo as a text of its own, since not every reader knows ``paint-order``."""
    x, y = words.at
    anchor = ' text-anchor="middle"' if words.middle else ""
    size = _number(words.size / page.pixels_per_inch)
    common = f'x="{_number(x)}" y="{_number(y)}" font-size="{size}"{anchor}'
    text = escape(printable(words.text))
    element = f'<text class="{words.kind}" {common} fill="{words.colour}">{text}</text>'
    if not words.halo:
        return element
    rim = _style(Paint(fill=words.halo, stroke=words.halo, width=2.0), page)
    return f'<text class="halo" aria-hidden="true" {common} {rim}>{text}</text>\n{element}'
