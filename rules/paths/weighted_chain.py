"""Chains: ways over ground that costs as stops and wraps, and Newton's method for where the stops lie.

A stop lies at a place or may slide along a straight border, a wrap goes about a circle between its two tangents. While
the borders crossed and the circles stay the same, the price is a convex function of where the stops lie, least where
every crossing obeys the law of refraction.

References: J. S. B. Mitchell and C. H. Papadimitriou, "The weighted region problem", Journal of the ACM 38 (1991), for
refraction at borders; D. Bertsekas, "Projected Newton methods", SIAM Journal on Control and Optimization 20 (1982).
"""

from __future__ import annotations

from itertools import pairwise
from math import atan2, inf, pi
from typing import NamedTuple

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, clamp, length
from tactician.rules.paths import inner
from tactician.rules.paths.weighted_ground import Border

__all__ = [
    "HAIR",
    "Chain",
    "Head",
    "Item",
    "Line",
    "Stop",
    "Wrap",
    "apart",
    "between",
    "line_between",
    "lines_of",
    "newton",
    "set_on",
    "slides_of",
    "sweep_of",
]

STEPS = 40
"""How many steps at most Newton's method takes."""

HAIR: Inches = 1e-8
"""Stops nearer to each other, or to the end of a border, are in the same place."""


class Stop(NamedTuple):
    """A place where a way may bend: fixed, or free to slide along a border."""

    at: Point
    border: Border | None = None
    circle: int = -1
    """The circle on which a fixed stop lies, -1 for none."""


class Wrap(NamedTuple):
    """A turn about a circle, +1 for left and -1 for right."""

    x: float
    y: float
    radius: Inches
    turn: int
    circle: int


class Head(NamedTuple):
    """An end on a circle that is met head on."""

    x: float
    y: float
    reach: Inches


Item = Stop | Wrap | Head
Chain = list[Item]


class Line(NamedTuple):
    """A straight piece between two items: its ends, its length and its unit direction."""

    tail: Point
    head: Point
    size: Inches
    dx: float
    dy: float


def _as_circle(item: Item) -> tuple[float, float, float, int]:
    if isinstance(item, Stop):
        return *item.at, 0.0, 1
    if isinstance(item, Wrap):
        return item.x, item.y, item.radius, item.turn
    return item.x, item.y, 0.0, 1


def line_between(one: Item, other: Item, slack: Inches) -> Line | None:
    """The straight piece from one item to the next; None where there is none."""
    ax, ay, aradius, aturn = _as_circle(one)
    bx, by, bradius, bturn = _as_circle(other)
    found = inner.tangent(ax, ay, aradius, aturn, bx, by, bradius, bturn, slack)
    if found is None:
        same = ax == bx and ay == by and aradius == bradius == 0.0
        return Line((ax, ay), (bx, by), 0.0, 0.0, 0.0) if same else None
    size, dx, dy = found
    tail = (ax + aturn * aradius * dy, ay - aturn * aradius * dx)
    if isinstance(other, Head):
        size -= other.reach
        return None if size < -HAIR else Line(tail, (tail[0] + size * dx, tail[1] + size * dy), size, dx, dy)
    return Line(tail, (bx + bturn * bradius * dy, by - bturn * bradius * dx), size, dx, dy)


def _signed(turned: float) -> float:
    """An angle brought to between half a turn either way."""
    return (turned + pi) % inner.TURN - pi


def sweep_of(wrap: Wrap, before: Line, after: Line) -> float:
    """Radians turned about a circle; negative where a straight way would not touch it."""
    first = atan2(before.head[1] - wrap.y, before.head[0] - wrap.x)
    last = atan2(after.tail[1] - wrap.y, after.tail[0] - wrap.x)
    turned = wrap.turn * (last - first) % inner.TURN
    return turned if turned < 1.5 * pi else turned - inner.TURN


def lines_of(chain: Chain, slack: Inches) -> list[Line] | None:
    """The straight pieces of a chain; None where it cannot be walked."""
    found = []
    for one, other in pairwise(chain):
        line = line_between(one, other, slack)
        if line is None:
            return None
        found.append(line)
    return found


def newton(chain: Chain, rates: list[float], slack: Inches, only: tuple[int, ...] = ()) -> Chain:
    """Stops (all, or those given) slid to where the price is least while rates stay as they are."""
    slides = list(only) or slides_of(chain)
    lines = lines_of(chain, slack)
    if not slides or lines is None:
        return chain
    angles = _angles(chain, lines)
    cost = _cost(chain, lines, rates, angles)
    for _ in range(STEPS):
        steps, slope = _step(chain, lines, rates, slides)
        if slope > -1e-14:
            break
        part, found = 1.0, False
        while part > 1e-6:
            trial = _moved(chain, slides, steps, part)
            trial_lines = lines_of(trial, slack)
            if trial_lines is not None:
                trial_cost = _cost(trial, trial_lines, rates, angles)
                if trial_cost < cost + 1e-4 * part * slope or (trial_cost < cost and part < 1e-3):
                    found = True
                    break
            part /= 2
        if not found or trial_lines is None:
            break
        gain, chain, lines, cost = cost - trial_cost, trial, trial_lines, trial_cost
        if gain < 1e-13:
            break
    return chain


def slides_of(chain: Chain) -> list[int]:
    """The places in a chain of the stops that may slide."""
    return [i for i, item in enumerate(chain) if isinstance(item, Stop) and item.border is not None and i > 0]


def apart(a: Point, b: Point) -> Inches:
    """Distance of two places."""
    return length(a[0] - b[0], a[1] - b[1])


def set_on(border: Border, at: Point) -> Stop:
    """A stop on a border nearest to a place."""
    along = (at[0] - border.x) * border.ux + (at[1] - border.y) * border.uy
    return Stop(border.at(clamp(along, 0.0, border.size)), border)


def between(start: Chain, end: Chain, part: float) -> Chain:
    """Stops moved only part of the way."""
    found: Chain = []
    for one, other in zip(start, end, strict=True):
        if isinstance(one, Stop) and isinstance(other, Stop):
            (ax, ay), (bx, by) = one.at, other.at
            found.append(one._replace(at=(ax + part * (bx - ax), ay + part * (by - ay))))
        else:
            found.append(one)
    return found


def _angles(chain: Chain, lines: list[Line]) -> list[tuple[float, float]]:
    """For each item the angles at which it is joined and left (0 for stops)."""
    found = []
    for i, item in enumerate(chain):
        if isinstance(item, Wrap):
            one, other = lines[i - 1].head, lines[i].tail
            found.append((atan2(one[1] - item.y, one[0] - item.x), atan2(other[1] - item.y, other[0] - item.x)))
        else:
            found.append((0.0, 0.0))
    return found


def _cost(chain: Chain, lines: list[Line], rates: list[float], angles: list[tuple[float, float]]) -> Inches:
    """The price of a chain at fixed rates, up to a constant."""
    total = sum(rate * line.size for rate, line in zip(rates, lines, strict=True))
    now = _angles(chain, lines)
    for i, item in enumerate(chain):
        if isinstance(item, Wrap):
            joined, left = _signed(now[i][0] - angles[i][0]), _signed(now[i][1] - angles[i][1])
            total += item.radius * item.turn * (rates[i] * left - rates[i - 1] * joined)
    return total


def _step(chain: Chain, lines: list[Line], rates: list[float], slides: list[int]) -> tuple[list[float], float]:
    """Newton's step for each sliding stop, those held at the end of their border left out, and the slope along it."""
    slopes, curves, links = [], [], []
    for n, i in enumerate(slides):
        border = _border(chain[i])
        slope = curve = link = 0.0
        for k, sign in ((i - 1, 1.0), (i, -1.0)):
            if k >= len(lines) or lines[k].size < 1e-12:
                continue
            line, rate = lines[k], rates[k]
            item = chain[k + 1]
            size = line.size + (item.reach if isinstance(item, Head) else 0.0)
            across = line.dx * border.uy - line.dy * border.ux
            slope += sign * rate * (line.dx * border.ux + line.dy * border.uy)
            curve += rate / size * across * across
            if sign < 0.0 and n + 1 < len(slides) and slides[n + 1] == i + 1:
                other = _border(chain[i + 1])
                link = -rate / size * across * (line.dx * other.uy - line.dy * other.ux)
        along = (chain[i].at[0] - border.x) * border.ux + (chain[i].at[1] - border.y) * border.uy  # type: ignore[union-attr]
        is_held = (along <= HAIR and slope > 0.0) or (along >= border.size - HAIR and slope < 0.0)
        slopes.append(0.0 if is_held else slope)
        curves.append(inf if is_held else max(curve, 1e-9))
        links.append(link)
    steps = _solved(slopes, curves, links)
    for n, i in enumerate(slides):
        border = _border(chain[i])
        along = (chain[i].at[0] - border.x) * border.ux + (chain[i].at[1] - border.y) * border.uy  # type: ignore[union-attr]
        steps[n] = clamp(along + steps[n], 0.0, border.size) - along
    return steps, sum(slope * step for slope, step in zip(slopes, steps, strict=True))


def _border(item: Item) -> Border:
    assert isinstance(item, Stop)
    assert item.border is not None
    return item.border


def _solved(slopes: list[float], curves: list[float], links: list[float]) -> list[float]:
    """Minus the inverse of a tridiagonal matrix times the slopes; infinite curves stand for stops that are held."""
    count = len(slopes)
    upper, right = [0.0] * count, [0.0] * count
    for i in range(count):
        if curves[i] == inf:
            continue
        link = links[i - 1] if i > 0 and curves[i - 1] != inf else 0.0
        pivot = curves[i] - (link * upper[i - 1] if i > 0 else 0.0)
        pivot = pivot if pivot > 1e-9 * curves[i] else curves[i]
        upper[i] = links[i] / pivot
        right[i] = (-slopes[i] - (link * right[i - 1] if i > 0 else 0.0)) / pivot
    for i in range(count - 2, -1, -1):
        if curves[i] != inf and curves[i + 1] != inf:
            right[i] -= upper[i] * right[i + 1]
    return right


def _moved(chain: Chain, slides: list[int], steps: list[float], part: float) -> Chain:
    found = list(chain)
    for i, step in zip(slides, steps, strict=True):
        border = _border(chain[i])
        at = chain[i].at  # type: ignore[union-attr]
        along = (at[0] - border.x) * border.ux + (at[1] - border.y) * border.uy
        found[i] = Stop(border.at(clamp(along + part * step, 0.0, border.size)), border)
    return found
