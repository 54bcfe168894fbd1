"""Ways on which a mover is certainly not seen: a quick look before its way is cut at every border.

Seen from an eye a base that goes straight ahead stays inside a capsule. Where things that hide on the whole line of
sight, all of them nearer than any of the capsule, together cover every bearing of it, the base is hidden at each of
its places. A part of a way of which this is not so is halved a few times. Where nothing is certain, the way is worked
out border by border (`glimpses`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import asin, atan2, pi
from typing import Any

import numpy as np
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shades import pieces_of
from tactician.rules.core.shapes import Point, length, point_segment_distance
from tactician.rules.core.sight import Eye
from tactician.rules.core.terrain import Board

__all__ = ["Part", "is_hidden_all_along"]

SURE = 1e-9
"""Inches by which something must be so to be certain."""

SHRUNK = 1e-10
"""Radians by which what hides is taken to be narrower than it is, to either side."""

HALVINGS = 3
"""How often a part of a way is halved."""

WIDEST = 3.0
"""Radians: whatever is wider as seen from the eye is left out of account."""

Part = tuple[Point, Point]
"""A straight part of a way, from - to."""

Shade = tuple[float, float, Inches]
"""Bearing of its middle (radians, counter-clockwise from x), radians to either side, inches within which all of it
lies."""

_DISCS: Remembered[Any] = Remembered(500)


def is_hidden_all_along(
    board: Board, eye: Eye, radius: Inches, top: Inches, blockers: Sequence[Eye], parts: Sequence[Part]
) -> bool:
    """Whether a mover is certainly not seen anywhere on some straight parts of its way; False where it may be seen.

    Args:
        board: with what hides.
        eye: who looks.
        radius: of the mover's base.
        top: height of the mover's highest part.
        blockers: models that hide others, without the mover.
        parts: of its way.
    """
    shades = [*_models(eye, top, blockers), *_walls(board, eye, top)]
    return bool(shades) and all(_is_covered(shades, eye, radius, part, HALVINGS) for part in parts)


def _models(eye: Eye, top: Inches, blockers: Sequence[Eye]) -> list[Shade]:
    """The models that hide on the whole way to tops of a height."""
    if not blockers:
        return []
    standing = tuple(blockers)
    discs = _DISCS.get((standing,), None, lambda: _discs(standing))
    x, y, own = discs[:, 0] - eye.x, discs[:, 1] - eye.y, discs[:, 2]
    far = np.sqrt(x * x + y * y)
    full = (discs[:, 3] + TOL - SURE >= max(eye.top, top)) & (far > own + SURE)
    x, y, own, far = x[full], y[full], own[full], far[full]
    rows = np.arctan2(y, x), np.arcsin(own / far) - SHRUNK, far + own
    return list(zip(*(row.tolist() for row in rows), strict=True))


def _discs(blockers: Sequence[Eye]) -> Any:
    return np.array([(one.x, one.y, one.radius, one.top) for one in blockers], np.float64)


def _walls(board: Board, eye: Eye, top: Inches) -> list[Shade]:
    """The pieces that hide on the whole way to tops of a height, at once."""
    low, high = min(eye.top, top), max(eye.top, top)
    found = []
    for piece in pieces_of(board):
        if piece.veil is not None or piece.bottom + TOL + SURE > low or piece.top - TOL - SURE < high:
            continue
        seen = [(x - eye.x, y - eye.y) for x, y in piece.points]
        turns = [0.0]
        for (ax, ay), (bx, by) in pairwise(seen):
            turns.append(turns[-1] + atan2(ax * by - ay * bx, ax * bx + ay * by))
        least, most = min(turns), max(turns)
        if most - least < WIDEST:
            towards = atan2(seen[0][1], seen[0][0]) + (least + most) / 2
            found.append((towards, (most - least) / 2 - SHRUNK, max(length(x, y) for x, y in seen)))
    return found


def _is_covered(shades: list[Shade], eye: Eye, radius: Inches, part: Part, halvings: int) -> bool:
    """Whether what lies nearer than a part of a way covers all bearings of a base on it."""
    (ax, ay), (bx, by) = (part[0][0] - eye.x, part[0][1] - eye.y), (part[1][0] - eye.x, part[1][1] - eye.y)
    nearest = point_segment_distance(0.0, 0.0, ax, ay, bx, by) - radius - SURE
    if nearest <= 0.0:
        return False
    x, y = (ax + bx) / 2, (ay + by) / 2
    towards = atan2(y, x)
    ends = [(atan2(x * ey - y * ex, x * ex + y * ey), asin(radius / length(ex, ey))) for ex, ey in ((ax, ay), (bx, by))]
    reached, last = min(turn - half for turn, half in ends), max(turn + half for turn, half in ends)
    near = [((m - towards + pi) % (2 * pi) - pi, half) for m, half, reach in shades if reach < nearest]
    for begin, end in sorted((m - half, m + half) for m, half in near):
        if begin > reached:
            break
        reached = max(reached, end)
    if reached >= last:
        return True
    if not halvings or length(bx - ax, by - ay) < radius / 4:
        return False
    middle = ((part[0][0] + part[1][0]) / 2, (part[0][1] + part[1][1]) / 2)
    return all(_is_covered(shades, eye, radius, half, halvings - 1) for half in ((part[0], middle), (middle, part[1])))
