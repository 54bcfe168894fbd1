"""Who sees whom among walls, screens, areas and other models; which pieces a line crosses; front arcs.

Seen from above a base is a disc, and the eye is over the centre of the looking one. A target is seen when a line is
open to some point of its base, at the height of its top. Lines are stopped by pieces that block or screen and by other
models, as far as they are higher than the line where it passes them; a base never hides itself, and the eye's own never
hides anything. A wall as high as the line does not stop it, a model as high as the line does. How far one sees through
an area is measured on the straight line between the two centres: when more of it lies inside than the area's veil, the
area is like a screen on every bearing, otherwise it hides nothing. Who juts out from behind a wood is seen.

What is open changes only at the bearings of corners and of tangents to bases, and where the border of a shadow meets
the target's outline or another border; between neighbours of these one look is enough: nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import asin, atan2, cos, degrees, pi, sin, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import TOL, Degrees, Inches, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.rows import kernels_asked
from tactician.rules.core.shades import Disc, Outline, Shade, parts_on_line, pieces_of, shade_of, thick
from tactician.rules.core.shapes import Interval, Point, contains, crossings, length, polygon_distance, segments_cross
from tactician.rules.core.sight import Eye
from tactician.rules.core.terrain import Board, Feature

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["covered_by", "in_arc", "sees", "views"]

SLIT = 1e-9
"""Least width of an opening, in radians of bearing and in inches of depth."""


def sees(board: Board, eye: Eye, target: Eye, blockers: Sequence[Eye] = ()) -> bool:
    """Whether any part of the target can be seen (the module's text says how)."""
    return views(board, (eye,), (target,), blockers)[0][0]


def views(
    board: Board, eyes: Sequence[Eye], targets: Sequence[Eye], blockers: Sequence[Eye] = ()
) -> tuple[tuple[bool, ...], ...]:
    """`sees` for many at once: for each eye whether it sees each target.

    Args:
        board: with what hides.
        eyes: who looks.
        targets: who may be seen.
        blockers: models that hide others; one that stands where the eye or the target stands is that model itself.
    """
    pieces, count = pieces_of(board), len(targets)
    if not (pieces or blockers) or not eyes or not targets:
        return tuple(tuple(True for _ in targets) for _ in eyes)
    kernels = kernels_asked()
    marks = _marks_of(kernels, board, eyes, targets, blockers) if kernels is not None else [UNSURE] * len(eyes) * count
    asked = [number for number, mark in enumerate(marks) if mark == UNSURE]
    if asked:
        discs = [Disc(one.x, one.y, one.radius, one.top) for one in blockers]
        things: tuple[Outline | Disc, ...] = (*discs, *pieces)
        rows = sorted({number // count for number in asked})
        near = _near(things, [eyes[i] for i in rows], targets)
        place = {i: row for row, i in enumerate(rows)}
        for number in asked:
            i, j = divmod(number, count)
            some = near.get((place[i], j))
            marks[number] = some is None or _sees([things[k] for k in some], eyes[i], targets[j])
    return tuple(tuple(map(bool, marks[i * count : (i + 1) * count])) for i in range(len(eyes)))


UNSURE = -1
"""What a kernel answers where the plain code is to be asked."""


def _marks_of(
    kernels: ModuleType, board: Board, eyes: Sequence[Eye], targets: Sequence[Eye], blockers: Sequence[Eye]
) -> list[int]:
    """For each pair 1 where the target is certainly seen, 0 where it certainly is not, else `UNSURE`."""
    answers = np.zeros(len(eyes) * len(targets), np.int64)
    kernels.view_marks(
        np.array([number for one in eyes for number in (one.x, one.y, one.top)], np.float64),
        np.array([number for one in targets for number in (one.x, one.y, one.top, one.radius)], np.float64),
        *_rows_of(board),
        np.array([number for one in blockers for number in (one.x, one.y, one.radius, one.top)], np.float64),
        answers,
    )
    found: list[int] = answers.tolist()
    return found


_ROWS: Remembered[tuple[Any, ...]] = Remembered(200)


def _rows_of(board: Board) -> tuple[Any, ...]:
    """What hides on a board as kernels read it: boxes, heights and veils, first corners, corners."""
    return _ROWS.get((board,), None, lambda: _find_rows(pieces_of(board)))


def _find_rows(pieces: Sequence[Outline]) -> tuple[Any, ...]:
    heights = [(one.bottom, one.top, -1.0 if one.veil is None else one.veil) for one in pieces]
    return (
        np.array([number for one in pieces for number in one.box], np.float64),
        np.array([number for row in heights for number in row], np.float64),
        np.array([0, *accumulate(len(one.points) for one in pieces)], np.int64),
        np.array([number for one in pieces for point in one.points for number in point], np.float64),
    )


def _near(
    things: Sequence[Outline | Disc], eyes: Sequence[Eye], targets: Sequence[Eye]
) -> dict[tuple[int, int], list[int]]:
    """For each eye and target the numbers of the things that may lie between them and are high enough."""
    boxes = np.array([(*thing.box, thing.top, isinstance(thing, Disc)) for thing in things], np.float64).T
    middle, half = (boxes[:2] + boxes[2:4]) / 2, (boxes[2:4] - boxes[:2]) / 2
    round_, square = np.where(boxes[5] > 0.0, half[0], 0.0), np.where(boxes[5] > 0.0, 0.0, half)
    here = np.array([(one.x, one.y, one.top) for one in eyes], np.float64)
    there = np.array([(one.x, one.y, one.top, one.radius) for one in targets], np.float64)
    step = there[None, :, :2] - here[:, None, :2]
    away = np.maximum(np.sqrt((step * step).sum(-1)), TOL)[:, :, None]
    ux, uy = step[:, :, :1] / away, step[:, :, 1:] / away
    mx, my = middle[0] - here[:, None, :1], middle[1] - here[:, None, 1:2]
    reach, wide = there[None, :, 3:] + TOL, np.abs(ux) * square[1] + np.abs(uy) * square[0] + round_
    along, extent = ux * mx + uy * my, np.abs(ux) * square[0] + np.abs(uy) * square[1] + round_
    lowest = np.minimum(here[:, None, 2:], there[None, :, 2:3])
    hits = (np.abs(ux * my - uy * mx) <= wide + reach) & (boxes[4] > lowest - 2 * TOL)
    hits &= (along + extent >= -reach) & (along - extent <= away + reach)
    found: dict[tuple[int, int], list[int]] = {}
    for i, j, k in zip(*(row.tolist() for row in hits.nonzero()), strict=True):
        found.setdefault((i, j), []).append(k)
    return found


def _sees(things: list[Outline | Disc], eye: Eye, target: Eye) -> bool:
    """`sees` among the things that may hide something, models first.

    What lies wholly in front of the target and hides on the whole way closes its bearings; rays are cast for the rest.
    """
    dx, dy = target.x - eye.x, target.y - eye.y
    away, radius = length(dx, dy), target.radius
    if away <= radius + TOL:
        return True
    half, ux, uy = asin(radius / away), dx / away, dy / away
    windows, rest, areas = [(-half, half)], list[Shade](), list[tuple[Inches, Shade]]()
    for thing in things:
        if isinstance(thing, Disc) and (_is_at(thing, eye) or _is_at(thing, target)):
            continue
        shade = shade_of(thing, eye, target.top)
        if shade is None:
            continue
        if isinstance(thing, Outline) and thing.veil is not None:
            areas.append((thing.veil, shade))
            continue
        windows = _narrowed(windows, _turned(shade, ux, uy), away, radius, rest)
        if not windows:
            return False
    for shade in thick(areas, dx, dy) if areas else ():
        windows = _narrowed(windows, _turned(shade, ux, uy), away, radius, rest)
        if not windows:
            return False
    return not rest or _is_open(windows, rest, away, radius)


def _narrowed(windows: list[Interval], shade: Shade, away: Inches, radius: Inches, rest: list[Shade]) -> list[Interval]:
    """The bearings that a shade leaves open; one for which that is not so simple is added to the rest."""
    closed = _closed(shade, away, radius)
    if closed is None:
        rest.append(shade)
    elif closed[0] < closed[1]:
        left, right = closed
        sides = [side for low, high in windows for side in ((low, min(high, left)), (max(low, right), high))]
        return [(low, high) for low, high in sides if high - low > SLIT]
    return windows


def _is_at(disc: Disc, one: Eye) -> bool:
    return abs(disc.x - one.x) <= TOL and abs(disc.y - one.y) <= TOL


def _turned(shade: Shade, ux: float, uy: float) -> Shade:
    """The shade in a frame whose x axis points at the target."""
    points = tuple((x * ux + y * uy, y * ux - x * uy) for x, y in shade.points)
    x, y = shade.x * ux + shade.y * uy, shade.y * ux - shade.x * uy
    return Shade(points, shade.low, shade.high, x, y, shade.radius)


def _is_open(windows: list[Interval], rest: list[Shade], away: Inches, radius: Inches) -> bool:
    """Whether on some bearing that is open some point of a disc straight ahead is in no shadow of the rest."""
    marks = _marks(rest, away, radius)
    for low, high in windows:
        cuts = sorted({low, high, *(mark for mark in marks if low < mark < high)})
        for a, b in pairwise(cuts):
            if b - a > SLIT and not _hidden(rest, away, radius, (a + b) / 2):
                return True
    return False


def _closed(shade: Shade, away: Inches, radius: Inches) -> Interval | None:
    """The bearings that a shade closes, none where it lies behind the target, or None where that is not so simple."""
    if not shade.is_full:
        return None
    if not shade.points:
        return _closed_by_disc(shade, away, radius)
    if min(x for x, _ in shade.points) >= away + radius:
        return 0.0, 0.0
    if max(x for x, _ in shade.points) > away - radius:
        return None
    angles = [atan2(y, x) for x, y in shade.points]
    low, high = min(angles), max(angles)
    return (low, high) if high - low < pi - TOL else None


def _closed_by_disc(shade: Shade, away: Inches, radius: Inches) -> Interval | None:
    """`_closed` for a base: bases that do not overlap are met in the same order on every bearing."""
    x, y, own = shade.x, shade.y, shade.radius
    far = length(x, y)
    if far <= own or length(x - away, y) < own + radius:
        return None
    towards, half, other = atan2(y, x), asin(own / far), asin(radius / away)
    low, high = max(towards - half, -other), min(towards + half, other)
    if low >= high:
        return 0.0, 0.0
    front = _chord(x, y, own, (low + high) / 2)[0]
    return (towards - half, towards + half) if front < _chord(away, 0.0, radius, (low + high) / 2)[0] else (0.0, 0.0)


def _chord(x: float, y: float, radius: Inches, bearing: float) -> Interval:
    """From where to where a ray from the eye runs through a disc; its nearest place twice where it misses it."""
    ux, uy = cos(bearing), sin(bearing)
    along, across = x * ux + y * uy, ux * y - uy * x
    half = sqrt(max(radius * radius - across * across, 0.0))
    return along - half, along + half


def _hidden(shades: list[Shade], away: Inches, radius: Inches, bearing: float) -> bool:
    """Whether shadows together cover the part of the target's disc on a bearing."""
    ux, uy = cos(bearing), sin(bearing)
    reached, end = _chord(away, 0.0, radius, bearing)
    dark = []
    for shade in shades:
        if shade.points:
            parts = parts_on_line(shade.points, ux, uy)
        else:
            near, far = _chord(shade.x, shade.y, shade.radius, bearing)
            parts = [(max(near, 0.0), far)] if far > 0.0 and far > near else []
        for near, far in parts:
            near, far = near / shade.high, far / shade.low if shade.low > 0.0 else float("inf")
            if near < far:
                dark.append((near, far))
    for near, far in sorted(dark):
        if near > reached + SLIT:
            break
        reached = max(reached, far)
    return reached >= end - SLIT


# ---- the bearings at which something can change ----------------------------------------------------------------------


def _marks(shades: list[Shade], away: Inches, radius: Inches) -> list[float]:
    """Bearings between which it does not change how the shadows of shades cover the target's disc."""
    marks: list[float] = []
    nears: list[Any] = [(away, 0.0, radius)]
    fars: list[Any] = [(away, 0.0, radius)]
    for shade in shades:
        marks += [atan2(y, x) for x, y in shade.points]
        far = length(shade.x, shade.y)
        if not shade.points and far > shade.radius:
            towards, half = atan2(shade.y, shade.x), asin(shade.radius / far)
            marks += [towards - half, towards + half]
        nears += _scaled(shade, 1 / shade.high)
        if shade.low > 0.0:
            fars += _scaled(shade, 1 / shade.low)
    for one in fars:
        for other in nears:
            marks += [atan2(y, x) for x, y in _meets(one, other)]
    for one in fars[1:]:
        marks += [atan2(y, x) for x, y in _meets(one, fars[0])]
    return marks


def _scaled(shade: Shade, scale: float) -> list[Any]:
    """The outline of a shade, enlarged about the eye."""
    if not shade.points:
        return [(shade.x * scale, shade.y * scale, shade.radius * scale)]
    points = [(x * scale, y * scale) for x, y in shade.points]
    return list(zip(points, points[1:] + points[:1], strict=True))


def _meets(one: Any, other: Any) -> list[Point]:
    """Where two curves (segments as two points, circles as centre and radius) meet."""
    if len(one) == 3 and len(other) == 3:
        return circles_meet(one, other)
    if len(one) == 3:
        one, other = other, one
    (ax, ay), (bx, by) = one
    if len(other) == 3:
        return [(ax + (bx - ax) * t, ay + (by - ay) * t) for t in crossings(ax, ay, bx, by, *other)]
    (cx, cy), (ex, ey) = other
    cross = (bx - ax) * (ey - cy) - (by - ay) * (ex - cx)
    if cross == 0.0:
        return []
    t = ((cx - ax) * (ey - cy) - (cy - ay) * (ex - cx)) / cross
    u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / cross
    return [(ax + (bx - ax) * t, ay + (by - ay) * t)] if 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0 else []


def circles_meet(one: tuple[float, float, float], other: tuple[float, float, float]) -> list[Point]:
    """Where two circles (centre and radius) meet."""
    (ax, ay, p), (bx, by, q) = one, other
    away = length(bx - ax, by - ay)
    if away == 0.0 or not abs(p - q) <= away <= p + q:
        return []
    along = (away * away + p * p - q * q) / (2 * away)
    off = sqrt(max(p * p - along * along, 0.0))
    ux, uy = (bx - ax) / away, (by - ay) / away
    x, y = ax + ux * along, ay + uy * along
    return [(x - uy * off, y + ux * off), (x + uy * off, y - ux * off)]


# ---- cover and arcs --------------------------------------------------------------------------------------------------


def covered_by(board: Board, a: Point, b: Point, trait: str, radius: Inches) -> tuple[Feature, ...]:
    """The pieces with a trait that stand between a shooter and his target.

    Args:
        board: with the pieces.
        a: the shooter's centre.
        b: the target's centre.
        trait: that a piece must have.
        radius: of the shooter's base.

    Returns:
        The pieces that the straight line between the centres crosses or in which the target's centre lies, without
        those that the shooter's base touches or stands in.
    """
    (ax, ay), (bx, by) = a, b
    left, right, low, high = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
    nx, ny = by - ay, ax - bx
    found = []
    for piece in board.with_trait(trait):
        x0, y0, x1, y1 = piece.outline.box
        if right < x0 or left > x1 or high < y0 or low > y1:
            continue
        off = (x0 + x1 - 2 * ax) * nx + (y0 + y1 - 2 * ay) * ny
        if abs(off) > (x1 - x0) * abs(nx) + (y1 - y0) * abs(ny) + TOL:
            continue  # its box lies wholly on one side of the line
        outline = piece.outline
        crossed = contains(outline, bx, by) or any(segments_cross(ax, ay, bx, by, *edge) for edge in outline.edges)
        if crossed and not within(polygon_distance(outline, ax, ay), radius):
            found.append(piece)
    return tuple(found)


def in_arc(pose: Pose, bearing: Degrees, width: Degrees, x: Inches, y: Inches) -> bool:
    """Whether a centre lies in an arc of so many degrees about a bearing, its borders included.

    Args:
        pose: where the arc has its tip (the pose's own bearing is not read).
        bearing: of the arc's middle.
        width: of the whole arc.
        x: of the centre asked about.
        y: of the centre asked about.
    """
    dx, dy = x - pose.x, y - pose.y
    away = length(dx, dy)
    if away <= TOL:
        return True
    off = abs((degrees(atan2(dx, dy)) - bearing + 180.0) % 360.0 - 180.0)
    return off <= width / 2 + degrees(TOL / away)
