"""Arcs as chains of straight legs, for bases that move in step and therefore turn no corners in an arc."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, cos, inf, pi, sin

from tactician.rules.core.arcs import LEFT, Arc
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Straight
from tactician.rules.core.shapes import Point
from tactician.rules.paths.scene import Local, Scene, local_of

__all__ = ["polyline"]

WIDEST = pi / 18
"""Radians that one corner of a chain may turn at most."""

FINEST = pi / 720
"""Radians below which a corner is not divided further: the chain then leaves its circle by less than the tolerance."""


def polyline(start: Point, legs: Sequence[Leg], scene: Scene | None = None) -> Path:
    """The same way with every arc replaced by straight legs that touch its circle from outside.

    Args:
        start: where the way begins.
        legs: its legs, on the surface of the scene.
        scene: what stands in the way; where it is given, an arc is divided further (from 10 degrees a corner down to a
            quarter of a degree) until its chain, which bulges out by a little, keeps clear of everything else too.

    Returns:
        Straight legs, climbs and drops; a little longer than the legs given.
    """
    local = None if scene is None else local_of(scene, start, start, inf)
    chain: list[Leg] = []
    here = start
    for leg in legs:
        match leg:
            case Bend(centre=centre, to=to, turn=turn):
                points = _chain(Arc(here, to, centre, turn), local)
                chain += [Straight(point) for point in points]
                here = to
            case Straight(to=to):
                chain.append(leg)
                here = to
            case Climb() | Drop():
                chain.append(leg)
    return tuple(chain)


def _chain(arc: Arc, local: Local | None) -> tuple[Point, ...]:
    """The corners of a chain about an arc, as few as keep it free, and the arc's end."""
    pieces = max(1, ceil(arc.sweep / WIDEST - 1e-9))
    while True:
        points = _corners(arc, pieces)
        if local is None or arc.sweep / pieces <= FINEST:
            return points
        if all(local.free(*one, *other) for one, other in pairwise((arc.start, *points))):
            return points
        pieces *= 2


def _corners(arc: Arc, pieces: int) -> tuple[Point, ...]:
    """Where the tangents at evenly spaced places of an arc cross, and the arc's end."""
    step = arc.sweep / pieces
    sign = 1.0 if arc.turn == LEFT else -1.0
    radius = arc.radius / cos(step / 2)
    angles = (arc.from_angle + sign * (i + 0.5) * step for i in range(pieces))
    (x, y) = arc.centre
    return (*((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles), arc.end)
