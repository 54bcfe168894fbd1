"""Places read back from the words that tell them, as a person with a tape measure would find them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tactician.agent.tape.fixes import COMPASS, Disc, Fix, FromBase, FromCorner, FromEdge, Reference, corners, meeting
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point
from tactician.rules.core.terrain import Board

__all__ = ["place_of", "read_fix", "rebuilt"]

NUMBER = r'(\d+(?:\.\d+)?)"'
NAME = r"""("[^"]*"|[\w'.+-]+)"""
CORNER = "|".join(name for name, _, _ in COMPASS)

EDGE = re.compile(rf"{NUMBER} from the (left|right|bottom|top) edge")
AT_CORNER = re.compile(rf"{NUMBER} from the ({CORNER}) corner of {NAME}")
AT_BASE = re.compile(rf"{NUMBER} from {NAME}")
SIDE = re.compile(r"(.*): the (upper|lower|left|right) of the two places")
START = re.compile(r"^or |, to |: ")
"""What a place comes after in a printed line."""

SIGNS = {"upper": (0.0, 1.0), "lower": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
"""The direction in which a place lies that is told from another one by a word."""


def rebuilt(words: str | Fix, board: Board, bases: Mapping[str, Disc], radius: Inches) -> Point:
    """Where a base is put down by two printed distances.

    Args:
        words: what was printed, or what it was printed from.
        board: the table.
        bases: those that stand, by model.
        radius: of the base that is put down.

    Raises:
        ValueError: the words tell no place, or the two distances do not meet.
        KeyError: there is no such piece, corner or base.
    """
    return place_of(read_fix(words) if isinstance(words, str) else words, board, bases, radius)


def read_fix(words: str) -> Fix:
    """The distances that a text tells: a place alone, or a printed line that ends with one.

    Raises:
        ValueError: it tells none.
    """
    text = words.strip()
    for start in (0, *(found.end() for found in START.finditer(text))):
        fix = _fix(text[start:])
        if fix is not None:
            return fix
    raise ValueError(f"{words!r} tells no place, expected two distances joined by 'and'")


def _fix(text: str) -> Fix | None:
    side = ""
    named = SIDE.fullmatch(text)
    if named is not None:
        text, side = named.groups()
    for cut in re.finditer(" and ", text):
        first, second = _reference(text[: cut.start()]), _reference(text[cut.end() :])
        if first is not None and second is not None:
            return Fix(first=first, second=second, side=side)
    return None


def _reference(text: str) -> Reference | None:
    if found := EDGE.fullmatch(text):
        return FromEdge(edge=found[2], inches=float(found[1]))
    if found := AT_CORNER.fullmatch(text):
        return FromCorner(corner=found[2], piece=found[3].strip('"'), inches=float(found[1]))
    if found := AT_BASE.fullmatch(text):
        return FromBase(model=found[2].strip('"'), inches=float(found[1]))
    return None


def place_of(fix: Fix, board: Board, bases: Mapping[str, Disc], radius: Inches) -> Point:
    """The place that two distances tell; see `rebuilt`."""
    one, other = fix.first, fix.second
    if isinstance(one, FromEdge) or isinstance(other, FromEdge):
        return _from_edges(one, other, board, radius)
    found = meeting(*_circle(one, board, bases, radius), *_circle(other, board, bases, radius))
    if found is None:
        raise ValueError(f"{one} and {other} do not meet")
    dx, dy = SIGNS[fix.side]
    return max(found, key=lambda point: point[0] * dx + point[1] * dy)


def _from_edges(one: Reference, other: Reference, board: Board, radius: Inches) -> Point:
    at: dict[str, Inches] = {}
    for reference in (one, other):
        if isinstance(reference, FromEdge):
            away = reference.inches + radius
            axis, whole = ("x", board.width) if reference.edge in ("left", "right") else ("y", board.height)
            at[axis] = away if reference.edge in ("left", "bottom") else whole - away
    if len(at) < 2:
        raise ValueError(f"{one} and {other} tell no place, expected one edge across and one along")
    return at["x"], at["y"]


def _circle(reference: Reference, board: Board, bases: Mapping[str, Disc], radius: Inches) -> tuple[Point, Inches]:
    """Round which point, and how far from it, the centre lies."""
    match reference:
        case FromCorner(corner=corner, piece=piece, inches=inches):
            return corners(board.feature(piece).outline)[corner], inches + radius
        case FromBase(model=model, inches=inches):
            base = bases[model]
            return (base.x, base.y), inches + radius + base.radius
    raise ValueError(f"{reference} is no circle")
