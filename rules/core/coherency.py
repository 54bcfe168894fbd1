"""Unit coherency: how many pieces a unit is in, at rest and at every moment of a beat.

Two models are linked while the distance of their bases, heights included, is at most the coherency distance; a
unit is coherent when its links make it one piece. Over a beat each pair is linked during one interval at most, so
that it is enough to look between the ends of those intervals: nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from types import ModuleType

import numpy as np
from tactician.rules.core.beats import Beat, distance, speed
from tactician.rules.core.legs import Stretch
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.rows import kernels_asked
from tactician.rules.core.shapes import Interval, length

__all__ = ["disorder", "first_break", "moves_as_one", "pieces", "widest_gap", "widest_gap_in"]

Place = tuple[Inches, Inches, Inches]

LASTING_HAIR: Inches = 1e-9
"""By how much a link must be shorter than allowed at both ends of a beat to be sure to last through rounding."""


def pieces(places: Sequence[Place], reach: Inches) -> list[list[int]]:
    """The connected pieces of points linked where they are at most `reach` apart, each sorted, in order."""
    left = list(range(len(places)))
    found: list[list[int]] = []
    while left:
        piece = [left.pop(0)]
        for one in piece:  # grows while it is read
            ax, ay, az = places[one]
            far: list[int] = []
            for i in left:
                bx, by, bz = places[i]
                dx, dy, dz = ax - bx, ay - by, az - bz
                (piece if sqrt(dx * dx + dy * dy + dz * dz) <= reach else far).append(i)
            left = far
        found.append(sorted(piece))
    return found


def disorder(places: Sequence[Place], reach: Inches, chain: bool = True) -> int:
    """How far a unit is from coherency: 1 where it is coherent.

    With `chain` this is the number of pieces; without, models that have no mate in reach count one each.
    """
    if chain or len(places) < 2:
        return len(pieces(places, reach))
    alone = [i for i, a in enumerate(places) if all(i == j or _far(a, b) > reach for j, b in enumerate(places))]
    return 1 + len(alone)


def widest_gap(places: Sequence[Place], radius: Inches) -> Inches:
    """The widest gap that must be bridged to make one piece (of all trees of links, the longest link of the least)."""
    if len(places) < 2:
        return 0.0
    best = {i: _far(places[0], places[i]) for i in range(1, len(places))}
    widest = 0.0
    while best:
        nearest = min(best, key=lambda i: (best[i], i))
        widest = max(widest, best.pop(nearest))
        for i in best:
            best[i] = min(best[i], _far(places[nearest], places[i]))
    return widest - 2 * radius


def _far(a: Place, b: Place) -> Inches:
    return length(a[0] - b[0], a[1] - b[1], a[2] - b[2])


def moves_as_one(beat: Beat) -> bool:
    """Whether all models make the same displacement, so that no distance changes."""
    first = speed(beat[0])
    return all(_far(speed(stretch), first) <= 1e-12 for stretch in beat)


def disorder_at(beat: Beat, u: float, reach: Inches, chain: bool = True) -> int:
    """`disorder` at a moment of a beat."""
    return disorder([_place(stretch, u) for stretch in beat], reach, chain)


def widest_gap_in(beat: Beat, radius: Inches, limit: Inches) -> tuple[Inches, float]:
    """The widest gap at any moment looked at of a beat, and the moment."""
    moments = [0.0, 1.0]
    if not moves_as_one(beat):
        cuts = _moments(beat, 2 * radius + limit)
        moments += [*cuts, *((a + b) / 2 for a, b in pairwise(cuts))]
    gaps = [(widest_gap([_place(stretch, u) for stretch in beat], radius), u) for u in sorted(set(moments))]
    return max(gaps, key=lambda pair: pair[0])


def first_break(beat: Beat, reach: Inches, allowed: int, chain: bool = True) -> float | None:
    """The moment from which the unit is in more disorder than allowed, or None.

    Args:
        beat: one stretch for each model.
        reach: greatest distance of the centres of two linked models.
        allowed: disorder allowed.
        chain: whether the whole unit must be one piece.
    """
    if moves_as_one(beat):
        return 0.0 if disorder_at(beat, 0.0, reach, chain) > allowed else None
    if lasting_disorder(beat, reach, chain) <= allowed:
        return None
    kernels = kernels_asked()
    if kernels is not None and all(stretch.arc is None for stretch in beat):
        return _first_break(kernels, beat, reach, allowed, chain)
    for low, high in pairwise(_moments(beat, reach)):
        if high - low > 1e-12 and disorder_at(beat, (low + high) / 2, reach, chain) > allowed:
            return low
    return None


def _first_break(kernels: ModuleType, beat: Beat, reach: Inches, allowed: int, chain: bool) -> float | None:
    """`first_break` by a compiled kernel."""
    count = len(beat)
    rows = [number for stretch in beat for number in (*stretch.start, stretch.low, *stretch.end, stretch.high)]
    marks = np.zeros(2 * count, np.int64)
    room = np.array(rows + [0.0] * (3 * count))
    moment = float(kernels.break_moment(room, reach, allowed, chain, np.empty(2 + count * (count - 1)), marks))
    return None if moment < 0.0 else moment


def lasting_disorder(beat: Beat, reach: Inches, chain: bool = True) -> int:
    """The most disorder that there can be at any moment of a beat: that of the links which certainly last all through.

    A link that holds at both ends of a beat holds between them, as the distance of two even movements is convex.
    """
    if any(stretch.arc is not None for stretch in beat):
        return len(beat) + 1
    starts = [(*stretch.start, stretch.low) for stretch in beat]
    ends = [(*stretch.end, stretch.high) for stretch in beat]
    sure = reach - LASTING_HAIR
    left, alone, parts = list(range(len(beat))), 0, 0
    while left:
        piece, parts = [left.pop(0)], parts + 1
        for one in piece:  # grows while it is read
            far: list[int] = []
            for i in left:
                lasts = _far(starts[one], starts[i]) <= sure and _far(ends[one], ends[i]) <= sure
                (piece if lasts else far).append(i)
            left = far
        alone += len(piece) == 1
    return parts if chain or len(beat) < 2 else 1 + alone


def _moments(beat: Beat, reach: Inches) -> list[float]:
    """The moments at which a link begins or ends, with 0 and 1."""
    found = {0.0, 1.0}
    rows = [(*stretch.start, stretch.low, *speed(stretch)) for stretch in beat]
    for i, (ax, ay, az, au, av, aw) in enumerate(rows):
        for bx, by, bz, bu, bv, bw in rows[i + 1 :]:
            part = _linked(ax - bx, ay - by, az - bz, au - bu, av - bv, aw - bw, reach)
            found.update(part if part is not None else ())
    return sorted(found)


def linked(a: Stretch, b: Stretch, reach: Inches) -> Interval | None:
    """The interval of a beat in which two centres are at most `reach` apart."""
    (ax, ay, az), (bx, by, bz) = speed(a), speed(b)
    fx, fy, fz = a.start[0] - b.start[0], a.start[1] - b.start[1], a.low - b.low
    return _linked(fx, fy, fz, ax - bx, ay - by, az - bz, reach)


def _linked(fx: float, fy: float, fz: float, dx: float, dy: float, dz: float, reach: Inches) -> Interval | None:
    """When the vector f + u * d is at most so long."""
    square = dx * dx + dy * dy + dz * dz
    free = fx * fx + fy * fy + fz * fz - reach * reach
    if square <= 1e-24:
        return (0.0, 1.0) if free <= 0.0 else None
    half = fx * dx + fy * dy + fz * dz
    root = half * half - square * free
    if root < 0.0:
        return None
    low, high = (-half - sqrt(root)) / square, (-half + sqrt(root)) / square
    if high < 0.0 or low > 1.0:
        return None
    return max(low, 0.0), min(high, 1.0)


def is_stretching(a: Stretch, b: Stretch, u: float) -> bool:
    """Whether a model's own movement pulls away from another at a moment of a beat."""
    (ax, ay), (bx, by) = a.at(u), b.at(u)
    vx, vy, vz = speed(a)
    return vx * (ax - bx) + vy * (ay - by) + vz * (a.height_at(u) - b.height_at(u)) > 0.0


def at_limit(a: Stretch, b: Stretch, u: float, reach: Inches) -> bool:
    """Whether a link is just at its limit at a moment of a beat."""
    return abs(distance(a, b, u) - reach) <= TOL / 4


def _place(stretch: Stretch, u: float) -> Place:
    x, y = stretch.at(u)
    return x, y, stretch.height_at(u)
