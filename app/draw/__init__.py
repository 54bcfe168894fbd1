"""Pictures of a table to scale, as SVG or PNG, from the shapes a ruleset describes.

Example:
    >>> from tactician.draw import read_bases, svg
    >>> from tactician.rules.core.drawing import Circle, Drawing
    >>> base = Circle(role="base", centre=(3.0, 4.0), radius=0.5, side="red", name="R1")
    >>> read_bases(svg(Drawing(width=12.0, height=8.0, title="One model", shapes=(base,))))
    {'R1': (3.0, 4.0, 0.5)}
"""

from __future__ import annotations

from pathlib import Path

from tactician.draw.labels import placed_boxes
from tactician.draw.page import legend_words, page_size
from tactician.draw.png import png
from tactician.draw.svg import read_bases, svg
from tactician.rules.core.drawing import Drawing

__all__ = ["legend_words", "page_size", "placed_boxes", "png", "read_bases", "save", "scale_for", "svg"]

_LONG_EDGE_PIXELS = 960
_LEAST_SCALE = 12
_GREATEST_SCALE = 40


def scale_for(drawing: Drawing) -> int:
    """Pixels per inch at which the longer edge of a table fills a window, between 12 and 40."""
    fitting = int(_LONG_EDGE_PIXELS / max(drawing.width, drawing.height))
    return max(_LEAST_SCALE, min(_GREATEST_SCALE, fitting))


def save(drawing: Drawing, path: str | Path, *, pixels_per_inch: float | None = None) -> None:
    """Write a picture, as SVG or PNG by the suffix of the path.

    Args:
        drawing: What to paint.
        path: Where to; an existing file is replaced.
        pixels_per_inch: Scale; by default what `scale_for` thinks fit.

    Raises:
        ValueError: The suffix is neither ``.svg`` nor ``.png``; nothing is written.
        OSError: The file cannot be written.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in (".svg", ".png"):
        raise ValueError(f"{target}: a picture ends in .svg or .png, not in {suffix or 'nothing'!r}")
    scale = scale_for(drawing) if pixels_per_inch is None else pixels_per_inch
    if suffix == ".svg":
        target.write_bytes(svg(drawing, pixels_per_inch=scale).encode())
    else:
        target.write_bytes(png(drawing, pixels_per_inch=scale))
