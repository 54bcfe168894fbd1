"""Legs of a path, and the way really travelled along them.

A path is a list of legs: straight, round an arc, a climb or a drop to another surface at one place. `walk` turns
it into stretches, each with its surface, its height along the way and its length as a tape measures it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from tactician.rules.core.arcs import Arc
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, clamp, length
from tactician.rules.core.terrain import GROUND, Board, Surface

__all__ = ["Bend", "Climb", "Drop", "Leg", "Path", "Pose", "Rates", "Straight", "Stretch", "cost", "travel", "walk"]


class Pose(NamedTuple):
    """Where a base rests: its centre, the surface it stands on, and where it faces."""

    x: Inches
    y: Inches
    surface: str = GROUND
    bearing: float = 0.0

    @property
    def point(self) -> Point:
        """The centre seen from above."""
        return self.x, self.y


@dataclass(frozen=True, slots=True)
class Straight:
    """A straight leg to a point, on the surface the model is on."""

    to: Point


@dataclass(frozen=True, slots=True)
class Bend:
    """An arc about a centre to a point, turning ``left`` or ``right``."""

    centre: Point
    to: Point
    turn: str


@dataclass(frozen=True, slots=True)
class Climb:
    """Straight up to a surface, at the place where the model is."""

    surface: str
    part: float = 1.0
    """How much of the whole height is climbed by the end of this leg; less than 1 only between keyframes."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Straight down to a surface, at the place where the model is."""

    surface: str
    part: float = 1.0
    """How much of the whole height is descended by the end of this leg; less than 1 only between keyframes."""


Leg = Straight | Bend | Climb | Drop
Path = tuple[Leg, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What an inch costs upward and downward along the vertical."""

    up: float
    down: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """One leg as it is walked, or a part of one over which the height changes evenly."""

    leg: int
    """Number of the leg in the path, from 0."""
    kind: str
    """``straight``, ``arc``, ``climb`` or ``drop``."""
    surface: str
    """The surface walked on; for a climb or drop the one arrived at."""
    left: str
    """The surface before a climb or drop; otherwise the same as `surface`."""
    start: Point
    end: Point
    low: Inches
    """Height at the start."""
    high: Inches
    """Height at the end (below `low` on the way down)."""
    arc: Arc | None = None

    @property
    def is_vertical(self) -> bool:
        """Whether it is a climb or a drop."""
        return self.kind in ("climb", "drop")

    @property
    def across(self) -> Inches:
        """Length seen from above."""
        if self.arc is not None:
            return self.arc.inches
        return length(self.end[0] - self.start[0], self.end[1] - self.start[1])

    def cost(self, rates: Rates) -> Inches:
        """Inches paid: the way really travelled upward, the part seen from above plus the descent's price downward."""
        rise = self.high - self.low
        if rise >= 0.0:
            return length(self.across, rise * rates.up)
        return self.across if rates.down == 0.0 else length(self.across, rise * rates.down)

    def at(self, u: float) -> Point:
        """The place after a fraction u of the stretch."""
        if self.arc is not None:
            return self.arc.at(u)
        (ax, ay), (bx, by) = self.start, self.end
        return ax + (bx - ax) * u, ay + (by - ay) * u

    def height_at(self, u: float) -> Inches:
        """The height after a fraction u of the stretch."""
        return self.low + (self.high - self.low) * u


def walk(pose: Pose, path: Path, board: Board) -> tuple[Stretch, ...]:
    """The stretches of a path from a pose.

    Raises:
        KeyError: a climb or drop names a surface that does not exist.
    """
    stretches: list[Stretch] = []
    here, surface = pose.point, board.surface(pose.surface)
    foot, done = surface, 1.0
    for number, leg in enumerate(path):
        match leg:
            case Straight(to=to) if done < 1.0 and to == here:
                stretches.append(_pause(number, foot, surface, here, done))
            case Straight(to=to):
                stretches += _straight(number, surface, here, to)
                here, done = to, 1.0
            case Bend(centre=centre, to=to, turn=turn):
                stretches.append(_bend(number, surface, Arc(here, to, centre, turn)))
                here, done = to, 1.0
            case Climb(surface=name, part=part) | Drop(surface=name, part=part):
                target = board.surface(name)
                goes_on = done < 1.0 and target.id == surface.id
                foot, done = (foot, done) if goes_on else (surface, 0.0)
                stretches.append(_vertical(number, leg, foot, target, here, (done, part)))
                surface, done = target, part
    return tuple(stretches)


def travel(pose: Pose, path: Path, board: Board, rates: Rates) -> tuple[Inches, Pose]:
    """Inches paid for a path and where it ends: what `walk` and `cost` say, without stretches where all is level.

    Raises:
        KeyError: a climb or drop names a surface that does not exist.
    """
    surface = board.surface(pose.surface)
    if surface.foot is None and all(type(leg) is Straight for leg in path):
        here, paid = pose.point, 0.0
        for leg in path:
            assert isinstance(leg, Straight)
            paid += length(length(leg.to[0] - here[0], leg.to[1] - here[1]), 0.0)
            here = leg.to
        return paid, Pose(here[0], here[1], pose.surface, pose.bearing)
    stretches = walk(pose, path, board)
    if not stretches:
        return 0.0, pose
    last = stretches[-1]
    return cost(stretches, rates), Pose(last.end[0], last.end[1], last.surface, pose.bearing)


def cost(stretches: tuple[Stretch, ...], rates: Rates) -> Inches:
    """Inches paid for a whole path."""
    return sum(stretch.cost(rates) for stretch in stretches)


def _vertical(
    number: int, leg: Leg, before: Surface, after: Surface, here: Point, span: tuple[float, float]
) -> Stretch:
    """A climb or drop between two fractions of the whole height."""
    foot, rise = before.height_at(*here), after.height_at(*here) - before.height_at(*here)
    return Stretch(
        leg=number,
        kind="climb" if isinstance(leg, Climb) else "drop",
        surface=after.id,
        left=before.id,
        start=here,
        end=here,
        low=foot + rise * span[0],
        high=foot + rise * span[1],
    )


def _pause(number: int, before: Surface, after: Surface, here: Point, done: float) -> Stretch:
    """A wait between two parts of a climb or drop, at the height that it has come to."""
    foot = before.height_at(*here)
    height = foot + (after.height_at(*here) - foot) * done
    return Stretch(
        leg=number,
        kind="straight",
        surface=after.id,
        left=after.id,
        start=here,
        end=here,
        low=height,
        high=height,
    )


def _bend(number: int, surface: Surface, arc: Arc) -> Stretch:
    """An arc; on a ramp its height is taken as rising evenly between its ends."""
    return Stretch(
        leg=number,
        kind="arc",
        surface=surface.id,
        left=surface.id,
        start=arc.start,
        end=arc.end,
        low=surface.height_at(*arc.start),
        high=surface.height_at(*arc.end),
        arc=arc,
    )


def _straight(number: int, surface: Surface, here: Point, to: Point) -> list[Stretch]:
    """A straight leg, cut where a ramp begins or ends to rise."""
    if surface.foot is None:
        return [_level(number, surface, here, to)]
    cuts = [0.0, 1.0]
    a, b = surface.along(*here), surface.along(*to)
    if a != b:
        cuts += [clamp((mark - a) / (b - a), 0.0, 1.0) for mark in (0.0, 1.0)]
    marks = sorted(set(cuts))
    points = [here if u == 0.0 else to if u == 1.0 else _between(here, to, u) for u in marks]
    return [_level(number, surface, start, end) for start, end in pairwise(points)]


def _level(number: int, surface: Surface, start: Point, end: Point) -> Stretch:
    """A straight leg of even slope."""
    return Stretch(
        leg=number,
        kind="straight",
        surface=surface.id,
        left=surface.id,
        start=start,
        end=end,
        low=surface.height_at(*start),
        high=surface.height_at(*end),
    )


def _between(a: Point, b: Point, u: float) -> Point:
    return a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u
