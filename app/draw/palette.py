"""Which colours, strokes and words stand for a role, and which tones for a side.

The two sides are told apart three times over: by hue (vermilion against blue, a pair that colour-blind readers keep
apart; Okabe and Ito 2008), by the base (solid against ringed, which survives a black and white printer) and by the id.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = [
    "FRAME",
    "GRID",
    "INK",
    "PAPER",
    "PLATE",
    "QUIET",
    "TABLE",
    "Hatch",
    "Paint",
    "RoleStyle",
    "Tones",
    "is_known",
    "known_roles",
    "paint_of",
    "tones_of",
    "words_of",
]

PAPER = "#ffffff"
TABLE = "#fbfaf6"
GRID = "#dedbd2"
FRAME = "#3a3f45"
INK = "#1f2328"
QUIET = "#6a7079"
PLATE = "#ffffff"

_MAIN, _DARK, _PALE = "main", "dark", "pale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hatch:
    """Parallel lines across an area, for readers who see no hue."""

    angle: float
    """Degrees clockwise on the page, from lines that run left to right."""
    spacing: float
    """Pixels from line to line."""
    colour: str
    width: float = 1.0
    """Pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """How one mark is filled and outlined."""

    fill: str = ""
    """Colour, or empty for none."""
    fill_opacity: float = 1.0
    stroke: str = ""
    """Colour, or empty for none."""
    stroke_opacity: float = 1.0
    width: float = 1.0
    """Of the stroke, pixels."""
    dash: tuple[float, ...] = ()
    """Drawn and empty lengths in turn, pixels; empty for a solid stroke."""
    hatch: Hatch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleStyle:
    """What the legend calls a role, and its paint with tones of a side left open."""

    words: str
    paint: Paint


@dataclass(frozen=True, slots=True, kw_only=True)
class Tones:
    """The colours of one side."""

    main: str
    dark: str
    pale: str
    ringed: bool
    """Whether its bases are rings around a pale middle instead of solid discs."""


_RED = Tones(main="#c8451b", dark="#8f2c0c", pale="#fbe6dd", ringed=False)
_BLUE = Tones(main="#1170b8", dark="#0a4a7c", pale="#e6f2fb", ringed=True)
_NEUTRAL = Tones(main="#68707a", dark="#3b4148", pale="#eceef0", ringed=False)

_STONE = Hatch(angle=45.0, spacing=6.0, colour="#7a7f86")
_LEAVES = Hatch(angle=-45.0, spacing=7.0, colour="#c0d3a5")
_WATER = Hatch(angle=0.0, spacing=6.0, colour="#a9c4c3")
_EARTH = Hatch(angle=90.0, spacing=5.0, colour="#a08d6d")
_STEPS = Hatch(angle=0.0, spacing=4.0, colour="#bd9f68")

_STYLES: dict[str, RoleStyle] = {
    "base": RoleStyle(words="model", paint=Paint(fill=_MAIN, stroke=_DARK, width=1.0)),
    "ghost": RoleStyle(
        words="where a move started",
        paint=Paint(fill=_PALE, fill_opacity=0.55, stroke=_DARK, stroke_opacity=0.8, width=1.1, dash=(3.0, 2.5)),
    ),
    "where_a_move_ends": RoleStyle(
        words="where a move ends",
        paint=Paint(fill=_PALE, fill_opacity=0.25, stroke=_DARK, width=1.4),
    ),
    "path": RoleStyle(words="path of a move", paint=Paint(stroke=_DARK, width=1.7)),
    "climb": RoleStyle(words="climb", paint=Paint(stroke="#7a3e9d", width=2.6, dash=(2.0, 2.0))),
    "reach": RoleStyle(
        words="can be reached",
        paint=Paint(fill=_MAIN, fill_opacity=0.13, stroke=_MAIN, stroke_opacity=0.75, width=1.1),
    ),
    "threat": RoleStyle(
        words="threatened",
        paint=Paint(
            fill=_MAIN, fill_opacity=0.05, stroke=_MAIN, stroke_opacity=0.7, width=1.2, dash=(8.0, 3.0, 2.0, 3.0)
        ),
    ),
    "threat by one": RoleStyle(words="one unit can attack", paint=Paint(fill=_MAIN, fill_opacity=0.1)),
    "threat by two": RoleStyle(words="two units", paint=Paint(fill=_MAIN, fill_opacity=0.2)),
    "threat by some": RoleStyle(words="three or four", paint=Paint(fill=_MAIN, fill_opacity=0.32)),
    "threat by many": RoleStyle(words="five or more", paint=Paint(fill=_MAIN, fill_opacity=0.46)),
    "strike": RoleStyle(
        words="blows can be struck", paint=Paint(stroke=_DARK, stroke_opacity=0.9, width=1.8, dash=(7.0, 4.0))
    ),
    "engagement": RoleStyle(
        words="engagement range",
        paint=Paint(fill=_MAIN, fill_opacity=0.05, stroke=_MAIN, stroke_opacity=0.55, width=0.9),
    ),
    "overwatch": RoleStyle(words="front of who is on overwatch", paint=Paint(stroke=_DARK, width=1.6)),
    "hand-to-hand": RoleStyle(words="hand-to-hand", paint=Paint(stroke="#7a3e9d", width=2.2)),
    "coherency": RoleStyle(words="coherency", paint=Paint(stroke=_MAIN, stroke_opacity=0.75, width=1.2)),
    "sight": RoleStyle(words="line of sight", paint=Paint(stroke="#8a6d00", width=1.2, dash=(6.0, 4.0))),
    "objective": RoleStyle(
        words="objective", paint=Paint(fill="#f2c230", fill_opacity=0.6, stroke="#7d5f00", width=1.3)
    ),
    "zone": RoleStyle(
        words="deployment zone",
        paint=Paint(fill=_MAIN, fill_opacity=0.06, stroke=_MAIN, stroke_opacity=0.6, width=1.0, dash=(7.0, 4.0)),
    ),
    "impassable": RoleStyle(
        words="impassable",
        paint=Paint(fill="#8b9097", stroke="#4a4f55", width=1.2, hatch=_STONE),
    ),
    "wall": RoleStyle(words="wall", paint=Paint(fill="#33373c", stroke="#1f2226", width=1.0)),
    "obstacle": RoleStyle(words="wall that can be crossed", paint=Paint(fill="#6d737b", stroke="#3b4148", width=1.0)),
    "gate": RoleStyle(words="gate", paint=Paint(fill="#eceef0", stroke="#3b4148", width=1.1, dash=(4.0, 2.5))),
    "ditch": RoleStyle(
        words="ditch", paint=Paint(fill="#cbbb9f", stroke="#7d6a48", width=1.1, dash=(5.0, 2.0), hatch=_EARTH)
    ),
    "slow ground": RoleStyle(
        words="slow ground", paint=Paint(fill="#dceae9", stroke="#6f9493", width=1.1, hatch=_WATER)
    ),
    "cover": RoleStyle(
        words="cover",
        paint=Paint(fill="#d5e3c0", stroke="#7c9457", width=1.1, hatch=_LEAVES),
    ),
    "hill": RoleStyle(words="hill", paint=Paint(fill="#efe3cb", stroke="#9a7b45", width=1.2, dash=(9.0, 3.0))),
    "surface": RoleStyle(words="raised floor", paint=Paint(fill="#ead9b8", stroke="#9a7b45", width=1.4)),
    "ramp": RoleStyle(
        words="ramp or stairs",
        paint=Paint(fill="#f2e7cf", stroke="#9a7b45", width=1.1, hatch=_STEPS),
    ),
}
"""In the order of the legend."""

_UNKNOWN = Paint(fill="#9aa0a8", fill_opacity=0.18, stroke="#68707a", width=1.1)


def tones_of(side: str) -> Tones:
    """The colours of a side; a side other than ``red`` and ``blue`` is grey."""
    return {"red": _RED, "blue": _BLUE}.get(side, _NEUTRAL)


def is_known(role: str) -> bool:
    """Whether a role has a style of its own."""
    return role in _STYLES


def known_roles() -> tuple[str, ...]:
    """All roles with a style of their own, in the order of the legend."""
    return tuple(_STYLES)


def words_of(role: str) -> str:
    """What a player calls a role; an unknown role is spelt as it is, with spaces."""
    if role in _STYLES:
        return _STYLES[role].words
    return role.replace("_", " ").strip() or "other"


def paint_of(role: str, side: str) -> Paint:
    """The paint of a role in the tones of a side; neutral grey where the role is unknown."""
    paint = _STYLES[role].paint if role in _STYLES else _UNKNOWN
    tones = tones_of(side)
    named = {_MAIN: tones.main, _DARK: tones.dark, _PALE: tones.pale}
    return replace(paint, fill=named.get(paint.fill, paint.fill), stroke=named.get(paint.stroke, paint.stroke))
