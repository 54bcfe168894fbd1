"""How wide a text is, where it breaks, and which of its characters a picture can hold.

Both painters centre their text in boxes measured here. The boxes are a little wider than the font of the pixels needs,
so that the sans-serif font of whoever opens the SVG fits too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from PIL import ImageFont

__all__ = ["CAP_HEIGHT", "LINE_HEIGHT", "cleaned", "drawable", "font", "printable", "text_width", "wrapped"]

LINE_HEIGHT = 1.25
"""Distance of two lines of text, in sizes of the font."""

CAP_HEIGHT = 0.72
"""Height of a capital letter or digit, in sizes of the font."""

_MEASURED_AT = 100
_ALLOWANCE = 1.14
_WIDE = 1.05
_SPELT_OUT = {
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{LEFTWARDS ARROW}": "<-",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{MIDDLE DOT}": ".",
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{DOUBLE PRIME}": '"',
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{PRIME}": "'",
    "\N{LATIN SMALL LETTER SHARP S}": "ss",
    "\N{LATIN SMALL LETTER AE}": "ae",
    "\N{LATIN SMALL LETTER O WITH STROKE}": "o",
    "\N{LATIN SMALL LETTER L WITH STROKE}": "l",
}
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """The text with every character that XML 1.0 (section 2.2) forbids replaced by U+FFFD."""
    return _FORBIDDEN.sub("\ufffd", text)


def cleaned(text: str) -> str:
    """The text on one line: printable characters, runs of white space as single spaces."""
    return " ".join(printable(text).split())


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font that comes with Pillow, at a size in pixels.

    Raises:
        RuntimeError: Pillow was built without FreeType and has bitmap letters of one size only.
    """
    found = ImageFont.load_default(size)
    if not isinstance(found, ImageFont.FreeTypeFont):
        raise RuntimeError("pictures need a Pillow with FreeType; the wheels on PyPI have it")
    return found


@lru_cache(maxsize=4096)
def _glyph(character: str) -> str:
    """The character, or the nearest thing to it that the font of the pixels has."""
    missing = bytes(font(_MEASURED_AT).getmask("\ufffd"))
    for spelling in (character, _SPELT_OUT.get(character, ""), unicodedata.normalize("NFKD", character)):
        shown = "".join(part for part in spelling if not unicodedata.combining(part))
        if shown and all(bytes(font(_MEASURED_AT).getmask(part)) != missing for part in shown):
            return shown
    return "" if unicodedata.combining(character) else "?"


def drawable(text: str) -> str:
    """The text in characters that the font of the pixels has: no accents, arrows spelt out, ``?`` for the rest."""
    return "".join(_glyph(character) for character in text)


@lru_cache(maxsize=4096)
def _advance(character: str) -> float:
    """Width of one character in sizes of the font, wide enough for the usual sans-serif fonts."""
    if unicodedata.combining(character):
        return 0.0
    drawn = font(_MEASURED_AT).getlength(_glyph(character)) / _MEASURED_AT * _ALLOWANCE
    return max(drawn, _WIDE) if unicodedata.east_asian_width(character) in "WF" else drawn


def text_width(text: str, size: float) -> float:
    """Width of a line of text, in the unit of the size; kerning is not counted, which errs on the wide side."""
    return size * sum(_advance(character) for character in text)


def _broken(word: str, size: float, width: float) -> list[str]:
    """A word cut into pieces that fit; every piece holds at least one character."""
    pieces = [""]
    for character in word:
        if pieces[-1] and text_width(pieces[-1] + character, size) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def wrapped(text: str, size: float, width: float) -> tuple[str, ...]:
    """The text in lines no wider than the width, broken at spaces, and inside a word where it alone is too wide."""
    lines: list[str] = []
    for word in cleaned(text).split(" "):
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.extend(_broken(word, size, width))
    return tuple(lines)
