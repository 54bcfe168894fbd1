"""Places told by a tape measure: from two table edges, two corners of terrain, or two bases that stand.

Every distance is taken to the near rim of the base that is put down, seen from above, and rounded to what a tape
shows. Two distances that are not from edges fit two places, one on either side of the line between the two things; a
word says which. What is worded here `tactician.agent.tape.reading` reads back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, Polygon, length
from tactician.rules.core.terrain import Board

__all__ = ["CLOSE", "Disc", "Fix", "FromBase", "FromCorner", "FromEdge", "Reference", "corners", "fixes", "meeting"]

STEP: Inches = 0.05
"""What distances are rounded to."""

CLOSE: Inches = 0.08
"""How far from the place a fix of two things may lead at most."""

SHARP = 0.7
"""Least sine of the angle between the directions of two things: about 45 degrees."""

FAR_CORNER: Inches = 10.0
FAR_BASE: Inches = 6.0
"""Farther than this nobody measures from a corner or a base."""

NEAREST = 8
"""So many things of a kind are thought of."""

PLAIN: Inches = 0.25
"""By how much a corner must stand out for its name to be plain to see."""

BENT = 0.5
"""Least sine of an outline's turn that is a corner for the eye: 30 degrees."""

TOUCH: Inches = -0.02
"""A base that overlaps a thing by more than this cannot be measured from it."""

HALF = sqrt(0.5)

COMPASS: tuple[tuple[str, float, float], ...] = (
    ("upper left", -HALF, HALF),
    ("upper right", HALF, HALF),
    ("lower left", -HALF, -HALF),
    ("lower right", HALF, -HALF),
    ("top", 0.0, 1.0),
    ("right", 1.0, 0.0),
    ("bottom", 0.0, -1.0),
    ("left", -1.0, 0.0),
)
"""Names of corners and the direction in which each lies farthest out."""


class Disc(NamedTuple):
    """A base that stands, seen from above."""

    x: Inches
    y: Inches
    radius: Inches


@dataclass(frozen=True, slots=True, kw_only=True)
class FromEdge:
    """A distance from an edge of the table."""

    edge: str
    """``left``, ``right``, ``bottom`` or ``top``."""
    inches: Inches

    def __str__(self) -> str:
        """As printed."""
        return f"{told(self.inches)} from the {self.edge} edge"


@dataclass(frozen=True, slots=True, kw_only=True)
class FromCorner:
    """A distance from a corner of a piece of terrain."""

    corner: str
    """A name out of `corners`."""
    piece: str
    inches: Inches

    def __str__(self) -> str:
        """As printed."""
        return f"{told(self.inches)} from the {self.corner} corner of {quoted(self.piece)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FromBase:
    """A distance from the rim of a base that stands."""

    model: str
    inches: Inches

    def __str__(self) -> str:
        """As printed."""
        return f"{told(self.inches)} from {quoted(self.model)}"


Reference = FromEdge | FromCorner | FromBase


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A place told by two distances."""

    first: Reference
    second: Reference
    side: str = ""
    """Which of the two places that fit: ``upper``, ``lower``, ``left`` or ``right``; empty where only one does."""

    def __str__(self) -> str:
        """As printed."""
        which = f": the {self.side} of the two places" if self.side else ""
        return f"{self.first} and {self.second}{which}"


def told(inches: Inches) -> str:
    """A distance as printed, as short as it can be.

    >>> told(14.0), told(9.55)
    ('14.0"', '9.55"')
    """
    text = f"{abs(inches):.2f}"
    return f'{text[:-1] if text.endswith("0") else text}"'


def quoted(name: str) -> str:
    """A name that is one word as it is, any other between quotes."""
    plain = name != "the" and bool(name) and all(letter.isalnum() or letter in "_'.+-" for letter in name)
    return name if plain else f'"{name}"'


def rounded(inches: Inches) -> Inches:
    """A distance as far as a tape tells it."""
    return max(round(round(inches / STEP) * STEP, 2), 0.0)


@lru_cache(maxsize=1000)
def corners(outline: Polygon) -> Mapping[str, Point]:
    """The corners of an outline that a person can point at, by what he would call them.

    A corner has a name where the outline turns sharply and no other corner lies nearly as far out that way; each has
    the name for which it stands out most.
    """
    best: dict[Point, tuple[float, str]] = {}
    for name, dx, dy in COMPASS:
        ranked = sorted(((x * dx + y * dy, (x, y)) for x, y in outline.points), reverse=True)
        lead, corner = ranked[0][0] - ranked[1][0], ranked[0][1]
        if lead >= PLAIN and lead > best.get(corner, (0.0, ""))[0] + 1e-9:
            best[corner] = lead, name
    return {name: corner for corner, (_, name) in best.items() if _is_bent(outline, corner)}


def _is_bent(outline: Polygon, corner: Point) -> bool:
    points = outline.points
    at = points.index(corner)
    (ax, ay), (bx, by), (cx, cy) = points[at - 1], corner, points[(at + 1) % len(points)]
    one, other = (bx - ax, by - ay), (cx - bx, cy - by)
    cross, dot = one[0] * other[1] - one[1] * other[0], one[0] * other[0] + one[1] * other[1]
    return dot < 0.0 or abs(cross) >= BENT * length(*one) * length(*other)


def meeting(a: Point, from_a: Inches, b: Point, from_b: Inches) -> tuple[Point, Point] | None:
    """The two places that lie so far from two points; None where there is none, or the points are one.

    Circles that miss each other by what rounding can do are taken to touch.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    away = length(dx, dy)
    if away < PLAIN or away > from_a + from_b + STEP or away < abs(from_a - from_b) - STEP:
        return None
    along = (away * away + from_a * from_a - from_b * from_b) / (2.0 * away)
    across = sqrt(max(from_a * from_a - along * along, 0.0))
    dx, dy = dx / away, dy / away
    x, y = a[0] + along * dx, a[1] + along * dy
    return (x - across * dy, y + across * dx), (x + across * dy, y - across * dx)


def side_of(place: Point, other: Point) -> str:
    """What tells a place from another one."""
    dx, dy = place[0] - other[0], place[1] - other[1]
    if abs(dy) >= abs(dx):
        return "upper" if dy > 0.0 else "lower"
    return "right" if dx > 0.0 else "left"


# ---- choosing --------------------------------------------------------------------------------------------------------


class _Thing(NamedTuple):
    """Something to measure from, for one place."""

    inches: Inches
    """To the rim, rounded."""
    centre: Point
    reach: Inches
    """Rounded distance of the place from the centre."""
    told: Reference


def fixes(place: Point, radius: Inches, board: Board, bases: Mapping[str, Disc]) -> tuple[Fix, ...]:
    """Ways to tell a place: from two edges always, then from two corners and from two bases where that fixes it well.

    A corner and a base are taken together where neither two corners nor two bases do.

    Args:
        place: the centre of a base that is put down.
        radius: of that base.
        board: the table.
        bases: those that stand and may be measured from.
    """
    at_corners = _nearest(_corner_things(place, radius, board), FAR_CORNER)
    at_bases = _nearest(_base_things(place, radius, bases), FAR_BASE)
    found = [fix for fix in (_best(place, at_corners), _best(place, at_bases)) if fix is not None]
    if not found:
        mixed = _best(place, [*at_corners, *at_bases])
        found = [] if mixed is None else [mixed]
    return (_from_edges(place, radius, board), *found)


def _from_edges(place: Point, radius: Inches, board: Board) -> Fix:
    (x, y), (wide, high) = place, (board.width, board.height)
    across = _nearer(FromEdge(edge="left", inches=x - radius), FromEdge(edge="right", inches=wide - x - radius))
    up = _nearer(FromEdge(edge="bottom", inches=y - radius), FromEdge(edge="top", inches=high - y - radius))
    return Fix(first=across, second=up)


def _nearer(one: FromEdge, other: FromEdge) -> FromEdge:
    """The nearer edge, unless the base hangs over it."""
    best = one if TOUCH <= one.inches <= other.inches or other.inches < TOUCH else other
    return FromEdge(edge=best.edge, inches=rounded(best.inches))


def _corner_things(place: Point, radius: Inches, board: Board) -> Iterable[_Thing]:
    for piece in board.features:
        for name, (x, y) in corners(piece.outline).items():
            inches = length(place[0] - x, place[1] - y) - radius
            if inches >= TOUCH and '"' not in piece.id:
                told = FromCorner(corner=name, piece=piece.id, inches=rounded(inches))
                yield _Thing(told.inches, (x, y), told.inches + radius, told)


def _base_things(place: Point, radius: Inches, bases: Mapping[str, Disc]) -> Iterable[_Thing]:
    for name, base in sorted(bases.items()):
        inches = length(place[0] - base.x, place[1] - base.y) - radius - base.radius
        if inches >= TOUCH and '"' not in name:
            told = FromBase(model=name, inches=rounded(inches))
            yield _Thing(told.inches, (base.x, base.y), told.inches + radius + base.radius, told)


def _nearest(things: Iterable[_Thing], far: Inches) -> list[_Thing]:
    ranked = sorted((thing for thing in things if thing.inches <= far), key=lambda thing: (thing.inches, thing.centre))
    return ranked[:NEAREST]


def _best(place: Point, things: list[_Thing]) -> Fix | None:
    """The nearest two things from which the place is found well."""
    pairs = sorted(combinations(things, 2), key=lambda pair: pair[0].inches + pair[1].inches)
    for one, other in pairs:
        if _sine(place, one.centre, other.centre) < SHARP:
            continue
        found = meeting(one.centre, one.reach, other.centre, other.reach)
        if found is None:
            continue
        here, there = sorted(found, key=lambda point: length(point[0] - place[0], point[1] - place[1]))
        if length(here[0] - place[0], here[1] - place[1]) <= CLOSE:
            return Fix(first=one.told, second=other.told, side=side_of(here, there))
    return None


def _sine(place: Point, a: Point, b: Point) -> float:
    """Sine of the angle under which two points are seen from a place."""
    ax, ay, bx, by = a[0] - place[0], a[1] - place[1], b[0] - place[0], b[1] - place[1]
    size = length(ax, ay) * length(bx, by)
    return abs(ax * by - ay * bx) / size if size > 0.0 else 0.0
