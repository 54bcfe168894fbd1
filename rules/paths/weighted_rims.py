"""The circles that ways over ground that costs bend about, and places on their free arcs."""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, atan2, ceil, pi, sqrt
from typing import NamedTuple

import numpy as np
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths import inner
from tactician.rules.paths.scene import Local, circle_blocked
from tactician.rules.paths.weighted_ground import Ground

__all__ = ["Rims", "arcs_of", "crossed_by_borders", "free_arcs", "rims_of"]

WIDEST = pi / 8
"""Radians between neighbouring places of an arc at most."""


class Rims(NamedTuple):
    """The circles that ways of one question bend about."""

    circles: list[tuple[float, float, float]]
    blocked: list[inner.Blocked]
    """The stretches of each that are barred, or overlap the circle's own obstacle."""
    owners: list[int]
    """For each circle the number of its obstacle with a fee, -1 for none."""


def rims_of(ground: Ground, local: Local, start: Point, goal: Point, total: Inches) -> Rims:
    """Circles of walls and bases, and those of obstacles with a fee that ways of a length can touch."""
    rims = Rims(list(local.circles), [local.blocked(i) for i in range(len(local.circles))], [-1] * len(local.circles))
    for number, obstacle in enumerate(ground.obstacles):
        for circle, own in zip(obstacle.circles, obstacle.blocked, strict=True):
            x, y, radius = circle
            if length(x - start[0], y - start[1]) + length(x - goal[0], y - goal[1]) > total + 2 * radius:
                continue
            others = circle_blocked(circle, local.edges, local.discs, local.box, None)
            rims.circles.append(circle)
            rims.blocked.append(inner.merge_blocked([*own, *others]) if others else own)
            rims.owners.append(number)
    return rims


def free_arcs(blocked: inner.Blocked) -> list[tuple[float, float]]:
    """The stretches of a circle between blocked ones: from, to (more than from)."""
    if not blocked:
        return [(0.0, inner.TURN)]
    found = []
    for i, (_, high) in enumerate(blocked):
        onward = blocked[(i + 1) % len(blocked)][0] + (inner.TURN if i + 1 == len(blocked) else 0.0)
        if onward >= high:
            found.append((high, onward))
    return found


def arcs_of(
    rims: Rims, ground: Ground, lights: Sequence[Point], step: Inches, slack: Inches
) -> list[tuple[int, list[float], bool]]:
    """Free arcs: the circle, angles of places along each in rising order, and whether it is the whole circle.

    Args:
        rims: the circles.
        ground: borders that cross a circle have a place there.
        lights: places from which straight ways come that touch a circle.
        step: inches between places at most.
        slack: how far a circle's own walls may be nearer than its radius.
    """
    crossed = crossed_by_borders(rims.circles, ground)
    found = []
    for number, (_, _, radius) in enumerate(rims.circles):
        if radius <= 1e-9:
            found.append((number, [0.0], False))
            continue
        # a circle's own walls bar it a little past where they touch it: places lie where they do
        beyond = acos(max(1.0 - slack / radius, 0.0))
        for low, high in free_arcs(rims.blocked[number]):
            spare = 0.0 if high - low >= inner.TURN else min(beyond, (high - low) / 4)
            low, high = low + spare, high - spare
            wide = high - low
            count = ceil(wide / min(WIDEST, step / radius)) if wide * radius > 1e-3 else 0
            angles = [low + wide * i / count for i in range(count + 1)] if count else [low + wide / 2]
            if wide >= inner.TURN:
                angles.pop()
            marks = [*crossed.get(number, ()), *_seen_from(lights, rims.circles[number])]
            angles += [a for mark in marks if (a := low + (mark - low) % inner.TURN) < high]
            found.append((number, sorted(angles), wide >= inner.TURN))
    return found


def crossed_by_borders(circles: Sequence[tuple[float, float, float]], ground: Ground) -> dict[int, list[float]]:
    """For each circle the angles at which borders cross it."""
    found: dict[int, list[float]] = {}
    if not circles or not ground.borders:
        return found
    rings = np.array(circles)
    rows = np.array([each[:5] for each in ground.borders])
    dx, dy = rings[:, None, 0] - rows[:, 0], rings[:, None, 1] - rows[:, 1]
    along, off = dx * rows[:, 2] + dy * rows[:, 3], dy * rows[:, 2] - dx * rows[:, 3]
    square = rings[:, None, 2] ** 2 - off**2
    for i, j in np.argwhere(square > 0.0).tolist():
        half = sqrt(float(square[i, j]))
        size = ground.borders[j].size
        for mark in (float(along[i, j]) - half, float(along[i, j]) + half):
            if 0.0 <= mark <= size:
                x, y = ground.borders[j].at(mark)
                found.setdefault(i, []).append(atan2(y - circles[i][1], x - circles[i][0]))
    return found


def _seen_from(places: Sequence[Point], circle: tuple[float, float, float]) -> list[float]:
    """The angles at which straight ways from some places touch a circle."""
    found = []
    cx, cy, radius = circle
    for x, y in places:
        away = length(x - cx, y - cy)
        towards = atan2(y - cy, x - cx)
        if abs(away - radius) < 1e-6:
            # who stands on a circle, such as an engaged base, may begin by going round it
            found.append(towards)
        elif away > radius:
            half = acos(radius / away)
            found += [towards - half, towards + half]
    return found
