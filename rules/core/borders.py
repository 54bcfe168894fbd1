"""Curves at which something about a model on its way can change, and where a way crosses them.

A straight stretch and an arc are both written as fractions of polynomials: x(w) = X(w) / D(w), y(w) = Y(w) / D(w). For
a straight one w is the fraction walked and D = 1; for an arc w is the tangent of half the angle from its middle and
D = 1 + w^2. Lines and circles then become quadratics, solved in closed form; the few other curves become polynomials
whose roots only separate places to look between, so that every crossing is found and then made exact by halving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import atan, cos, radians, sin, sqrt, tan

import numpy as np
from tactician.rules.core.arcs import LEFT
from tactician.rules.core.legs import Stretch
from tactician.rules.core.measure import Degrees, Inches
from tactician.rules.core.shades import Shade, depth
from tactician.rules.core.shapes import Interval, Point, crossings, length

__all__ = ["Border", "Depth", "Halfway", "Ray", "Ring", "Side"]

Poly = tuple[float, ...]
"""Coefficients, the constant first."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A stretch as fractions of polynomials."""

    x: Poly
    y: Poly
    under: Poly
    sweep: float
    """Angle of an arc; 0 for a straight stretch."""

    def fraction(self, w: float) -> float:
        """The fraction of the stretch at a parameter."""
        return w if self.sweep == 0.0 else 0.5 + 2 * atan(w) / self.sweep

    def parameter(self, u: float) -> float:
        """The parameter at a fraction of the stretch."""
        return u if self.sweep == 0.0 else tan((u - 0.5) * self.sweep / 2)


def _way(stretch: Stretch, origin: Point) -> _Way:
    """A stretch seen from a point."""
    arc = stretch.arc
    if arc is None or arc.sweep == 0.0:
        (ax, ay), (bx, by) = stretch.start, stretch.end
        return _Way((ax - origin[0], bx - ax), (ay - origin[1], by - ay), (1.0,), 0.0)
    turn = 1.0 if arc.turn == LEFT else -1.0
    middle = arc.from_angle + turn * arc.sweep / 2
    ux, uy = arc.radius * cos(middle), arc.radius * sin(middle)
    x, y = arc.centre[0] - origin[0], arc.centre[1] - origin[1]
    return _Way((x + ux, -2 * turn * uy, x - ux), (y + uy, 2 * turn * ux, y - uy), (1.0, 0.0, 1.0), arc.sweep)


def _line_fractions(stretch: Stretch, at: Point, ux: float, uy: float, offset: Inches) -> list[tuple[float, Inches]]:
    """Where a way is so far to the left of a line: fractions, and how far along the line."""
    if stretch.arc is None:
        (ax, ay), (bx, by) = stretch.start, stretch.end
        begin = ux * (ay - at[1]) - uy * (ax - at[0]) - offset
        step = ux * (by - ay) - uy * (bx - ax)
        if step == 0.0:
            return []
        u = -begin / step
        return [(u, ux * (ax + (bx - ax) * u - at[0]) + uy * (ay + (by - ay) * u - at[1]))]
    way, found = _way(stretch, at), list[tuple[float, Inches]]()
    for w in _quadratic(_sum(_times((ux,), way.y), _times((-uy,), way.x), _times((-offset,), way.under))):
        x, y = _value(way.x, w) / _value(way.under, w), _value(way.y, w) / _value(way.under, w)
        found.append((way.fraction(w), x * ux + y * uy))
    return found


@dataclass(frozen=True, slots=True)
class Ring:
    """The circle about a centre: range bands, and places at which a base touches a point."""

    centre: Point
    radius: Inches

    def crossings(self, stretch: Stretch) -> tuple[float, ...]:
        """Fractions of a stretch at which its way meets the border."""
        if stretch.arc is None:
            return crossings(*stretch.start, *stretch.end, *self.centre, self.radius)
        way = _way(stretch, self.centre)
        square = _sum(_times(way.x, way.x), _times(way.y, way.y))
        if way.sweep != 0.0:
            square = _halved(square)
        roots = _quadratic(_sum(square, _times((-self.radius * self.radius,), way.under)))
        return _walked(way.fraction(w) for w in roots)


@dataclass(frozen=True, slots=True)
class Ray:
    """The half-line from a point at a bearing, so far to the left of it: sides of arcs, and bases that touch it."""

    origin: Point
    bearing: Degrees
    offset: Inches = 0.0

    def crossings(self, stretch: Stretch) -> tuple[float, ...]:
        """Fractions of a stretch at which its way meets the border."""
        ux, uy = sin(radians(self.bearing)), cos(radians(self.bearing))
        found = _line_fractions(stretch, self.origin, ux, uy, self.offset)
        return _walked(u for u, along in found if along >= -SLACK)


@dataclass(frozen=True, slots=True)
class Side:
    """The segment from a to b, so far to the left of it: edges of pieces and of shadows, and bases that touch it."""

    a: Point
    b: Point
    offset: Inches = 0.0

    def crossings(self, stretch: Stretch) -> tuple[float, ...]:
        """Fractions of a stretch at which its way meets the border."""
        size = length(self.b[0] - self.a[0], self.b[1] - self.a[1])
        if size == 0.0:
            return ()
        ux, uy = (self.b[0] - self.a[0]) / size, (self.b[1] - self.a[1]) / size
        found = _line_fractions(stretch, self.a, ux, uy, self.offset)
        return _walked(u for u, along in found if -SLACK <= along <= size + SLACK)


@dataclass(frozen=True, slots=True)
class Halfway:
    """The places from which two bases are equally far: a line, or a branch of a hyperbola where radii differ."""

    p: Point
    q: Point
    p_radius: Inches = 0.0
    q_radius: Inches = 0.0

    def crossings(self, stretch: Stretch) -> tuple[float, ...]:
        """Fractions of a stretch at which its way meets the border.

        With c seen from q and d the difference of the radii: (|c - p|^2 - |c|^2 - d^2)^2 = 4 d^2 |c|^2, in which
        |c - p|^2 - |c|^2 is linear in c.
        """
        way, more = _way(stretch, self.q), self.p_radius - self.q_radius
        px, py = self.p[0] - self.q[0], self.p[1] - self.q[1]
        linear = _sum(_times((-2 * px,), way.x), _times((-2 * py,), way.y))
        linear = _sum(linear, _times((px * px + py * py - more * more,), way.under))
        if more == 0.0:
            return _walked(way.fraction(w) for w in _quadratic(linear))
        far = _times((4 * more * more,), _sum(_times(way.x, way.x), _times(way.y, way.y)))
        cuts = _roots(_sum(_times(linear, linear), _times((-1.0,), far)), way, (0.0, 1.0))
        return _walked(_changes(lambda u: self._lead(*stretch.at(u)), [0.0, *cuts, 1.0]))

    def _lead(self, x: float, y: float) -> float:
        far = length(x - self.q[0], y - self.q[1]) - self.q_radius
        return length(x - self.p[0], y - self.p[1]) - self.p_radius - far


@dataclass(frozen=True, slots=True)
class Depth:
    """The places to which a straight line from an eye runs just so far inside some areas."""

    eye: Point
    areas: tuple[Shade, ...]
    limit: Inches
    _lines: tuple[Side, ...] = field(init=False, repr=False, compare=False)
    """Where it changes which edges the line crosses."""

    def __post_init__(self) -> None:
        """Find the lines once."""
        object.__setattr__(self, "_lines", tuple(self._order_lines()))

    def crossings(self, stretch: Stretch) -> tuple[float, ...]:
        """Fractions of a stretch at which its way meets the border."""
        cuts = sorted({0.0, 1.0, *(u for line in self._lines for u in line.crossings(stretch))})
        way, found = _way(stretch, self.eye), list[float]()
        for low, high in pairwise(cuts):
            if high - low > 2 * SLACK:
                roots = _roots(self._polynomial(stretch.at((low + high) / 2), way), way, (low, high))
                found += _changes(lambda u: self._excess(*stretch.at(u)), [low, *roots, high])
        for cut in cuts[1:-1]:  # the depth leaps where the line sweeps along an edge
            before, after = (self._excess(*stretch.at(cut + step)) for step in (-SLACK, SLACK))
            found += [cut] if (before > 0.0) != (after > 0.0) else []
        return _walked(found)

    def _excess(self, x: float, y: float) -> float:
        return depth(self.areas, x - self.eye[0], y - self.eye[1]) - self.limit

    def _order_lines(self) -> Iterable[Side]:
        (ex, ey), corners = self.eye, [point for shade in self.areas for point in shade.points]
        for one, other in combinations(self.areas, 2):
            corners += [spot for a in _edges(one) for b in _edges(other) for spot in _cross(*a, *b)]
        for x, y in corners:
            far = FAR / max(length(x, y), SLACK)
            yield Side(self.eye, (ex + x * far, ey + y * far))
        for shade in self.areas:
            for part in {1.0, shade.low, shade.high} - {0.0}:
                for (ax, ay), (bx, by) in _edges(shade):
                    yield Side((ex + ax / part, ey + ay / part), (ex + bx / part, ey + by / part))

    def _polynomial(self, at: Point, way: _Way) -> Poly:
        """What vanishes where the depth is the limit, as long as the line crosses the same edges as at a place.

        An edge from a to b is met after the fraction a x (b - a) / (c x (b - a)) of the way to c, so that the depth is
        |c| times a sum of constants and such fractions; multiplied out and squared it is a polynomial.
        """
        constant, terms = 0.0, list[tuple[float, Poly]]()
        for sign, fraction, edge in self._ends(at):
            if edge is None:
                constant += sign * fraction
                continue
            (ax, ay), (bx, by) = edge
            below = _sum(_times((by - ay,), way.x), _times((ax - bx,), way.y))
            terms.append((sign * (ax * (by - ay) - ay * (bx - ax)), below))
        above: Poly = (constant,)
        under: Poly = (1.0,)
        for number, below in terms:
            above = _sum(_times(above, below), _times((number,), _times(way.under, under)))
            under = _times(under, below)
        square = _sum(_times(way.x, way.x), _times(way.y, way.y))
        right = _times(_times(way.under, under), _times(way.under, under))
        return _sum(_times(square, _times(above, above)), _times((-self.limit * self.limit,), right))

    def _ends(self, at: Point) -> Iterable[tuple[float, float, tuple[Point, Point] | None]]:
        """Where the line to a place enters (-1) and leaves (+1) the areas: at fixed fractions of it or at an edge."""
        x, y = at[0] - self.eye[0], at[1] - self.eye[1]
        found = list[tuple[float, int, tuple[Point, Point] | None]]()
        for shade in self.areas:
            low, high = shade.low, shade.high
            marks = sorted((t, i) for i, edge in enumerate(_edges(shade)) for t in _met(x, y, *edge))
            inside = sum(t > low for t, _ in marks) % 2 == 1
            edges = [(t, _edges(shade)[i]) for t, i in marks if low < t < high]
            stops: list[tuple[float, tuple[Point, Point] | None]] = [(low, None)] if inside else []
            stops += edges
            stops += [(high, None)] if len(stops) % 2 else []
            found += [(t, -1 if i % 2 == 0 else 1, edge) for i, (t, edge) in enumerate(stops)]
        within = 0
        for t, way, edge in sorted(found, key=lambda end: (end[0], end[1])):
            if (within, way) in ((0, -1), (1, 1)):
                yield float(way), t, edge
            within -= way


Border = Ring | Ray | Side | Halfway | Depth

SLACK = 1e-9
"""Inches by which a crossing may seem to lie beyond a border's end through rounding."""

FAR: Inches = 1e4
"""Beyond the end of every table."""


def _walked(fractions: Iterable[float]) -> tuple[float, ...]:
    return tuple(sorted({u for u in fractions if 0.0 <= u <= 1.0}))


def _edges(shade: Shade) -> list[tuple[Point, Point]]:
    return list(zip(shade.points, shade.points[1:] + shade.points[:1], strict=True))


def _met(x: float, y: float, a: Point, b: Point) -> list[float]:
    """The fraction of the way to a point at which the ray through it meets an edge."""
    before, after = x * a[1] - y * a[0], x * b[1] - y * b[0]
    if (before > 0.0) == (after > 0.0):
        return []
    fraction = (a[0] * b[1] - a[1] * b[0]) / (after - before)
    return [fraction] if fraction > 0.0 else []


def _cross(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    """Where two segments meet."""
    ex, ey, fx, fy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    cross = ex * fy - ey * fx
    if cross == 0.0:
        return []
    t = ((c[0] - a[0]) * fy - (c[1] - a[1]) * fx) / cross
    u = ((c[0] - a[0]) * ey - (c[1] - a[1]) * ex) / cross
    return [(a[0] + ex * t, a[1] + ey * t)] if 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0 else []


# ---- polynomials -----------------------------------------------------------------------------------------------------


def _times(a: Poly, b: Poly) -> Poly:
    found = [0.0] * (len(a) + len(b) - 1)
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            found[i + j] += p * q
    return tuple(found)


def _sum(*terms: Poly) -> Poly:
    found = [0.0] * max(map(len, terms))
    for term in terms:
        for i, p in enumerate(term):
            found[i] += p
    return tuple(found)


def _halved(quartic: Poly) -> Poly:
    """A quartic divided by 1 + w^2, which divides it."""
    a, b, _, d, e = quartic
    return a, (b + d) / 2, e


def _value(poly: Poly, w: float) -> float:
    found = 0.0
    for p in reversed(poly):
        found = found * w + p
    return found


def _quadratic(poly: Poly) -> list[float]:
    """The roots of a polynomial of degree 2 at most, without loss of digits."""
    c, b, a = (*poly, 0.0, 0.0)[:3]
    if a == 0.0:
        return [-c / b] if b != 0.0 else []
    root = b * b - 4 * a * c
    if root < 0.0:
        return []
    q = -(b + (sqrt(root) if b >= 0.0 else -sqrt(root))) / 2
    return [q / a] if q == 0.0 else [q / a, c / q]


def _roots(poly: Poly, way: _Way, span: Interval) -> list[float]:
    """Fractions inside a span near which a polynomial of the way vanishes, in order."""
    scale = max(map(abs, poly))
    if scale == 0.0 or len(poly) < 2:
        return []
    trimmed = np.trim_zeros(np.where(np.abs(poly) > 1e-14 * scale, poly, 0.0), "b")
    roots = np.polynomial.polynomial.polyroots(trimmed) if len(trimmed) > 1 else np.empty(0)
    near = [float(w.real) for w in roots if abs(w.imag) < 1e-3 * (1 + abs(w.real))]
    return sorted(u for u in (way.fraction(w) for w in near) if span[0] < u < span[1])


def _changes(value: Callable[[float], float], cuts: Sequence[float]) -> list[float]:
    """Where a function changes its sign between the middles of parts and at the ends, made exact by halving."""
    probes = [cuts[0], *((a + b) / 2 for a, b in pairwise(cuts)), cuts[-1]]
    probes[0], probes[-1] = probes[0] + SLACK * 1e-3, probes[-1] - SLACK * 1e-3
    found = []
    for low, high in pairwise(probes):
        below = value(low)
        if (below > 0.0) == (value(high) > 0.0):
            continue
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if (value(middle) > 0.0) == (below > 0.0) else (low, middle)
        found.append((low + high) / 2)
    return found
