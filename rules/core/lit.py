"""The part of the table that an eye sees, and the borders at which a moving target comes into sight or goes out of it.

For targets of one height each thing that hides casts a shadow; where no shadow lies the table is lit. A target is seen
as long as some of its base is lit, so that this changes only where the base, all of it in the dark, touches the lit
part: along a piece of its border, or at an end of such a piece. The pieces are found by cutting all outlines of shadows
at one another and keeping those with light on one side and darkness on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from math import acos, atan2, cos, pi, sin, sqrt
from typing import Any

import numpy as np
from tactician.rules.core.borders import FAR, Border, Depth, Ring, Side
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shades import Disc, Outline, Shade, pieces_of, shade_of
from tactician.rules.core.shapes import Box, Point, crossings, length
from tactician.rules.core.sight import Eye
from tactician.rules.core.terrain import Board
from tactician.rules.core.views import circles_meet

__all__ = ["sight_borders"]

HAIR: Inches = 1e-7
"""How far beside a border its two sides are looked at."""

Segment = tuple[Inches, Inches, Inches, Inches]
Circle = tuple[Inches, Inches, Inches]
"""Centre and radius."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a border of a shadow: its two ends, and a place beside its middle on either side."""

    ends: tuple[Point, Point]
    left: Point
    right: Point
    circle: Circle | None = None


def sight_borders(
    board: Board, eye: Eye, target_radius: Inches, target_top: Inches, blockers: Sequence[Eye], box: Box
) -> tuple[Border, ...]:
    """Every border at which `views.sees` can change while a target's centre moves in a box.

    Args:
        board: with what hides.
        eye: who looks.
        target_radius: of the target's base.
        target_top: height of the target's highest part; where it changes, ask for each height.
        blockers: models that hide others, without the eye's own and the target's.
        box: in which the target's centre stays.
    """
    wide = (box[0] - target_radius, box[1] - target_radius, box[2] + target_radius, box[3] + target_radius)
    shades, areas = _shades(board, eye, target_top, blockers, wide)
    here = (eye.x, eye.y)
    found: list[Border] = [Ring(here, target_radius + TOL)]
    veils = sorted({veil for veil, _ in areas})
    groups = [[shade for other, shade in areas if other == veil] for veil in veils]
    found += [Depth(here, tuple(group), veil + TOL) for veil, group in zip(veils, groups, strict=True)]
    local = (wide[0] - eye.x, wide[1] - eye.y, wide[2] - eye.x, wide[3] - eye.y)
    for some in chain.from_iterable(combinations(groups, count) for count in range(len(groups) + 1)):
        dark = [*shades, *chain.from_iterable(some)]
        found += _borders(dark, here, target_radius, local) if dark else []
    return tuple(dict.fromkeys(found))


def _shades(
    board: Board, eye: Eye, target_top: Inches, blockers: Sequence[Eye], box: Box
) -> tuple[list[Shade], list[tuple[Inches, Shade]]]:
    """What can hide something in a box at once, and the areas that can, with their veils."""
    shades, areas = list[Shade](), list[tuple[Inches, Shade]]()
    discs = tuple(Disc(one.x, one.y, one.radius, one.top) for one in blockers)
    things: tuple[Outline | Disc, ...] = (*pieces_of(board), *discs)
    for thing in things:
        shade = shade_of(thing, eye, target_top) if _between(thing.box, eye, box) else None
        if shade is None or (isinstance(thing, Disc) and abs(shade.x) <= TOL and abs(shade.y) <= TOL):
            continue
        if isinstance(thing, Outline) and thing.veil is not None:
            areas.append((thing.veil, shade))
        else:
            shades.append(shade)
    return shades, areas


def _between(thing: Box, eye: Eye, box: Box) -> bool:
    """Whether a thing's box may meet a line from the eye into a box: no line along an axis or the way parts them."""
    x0, y0, x1, y1 = min(eye.x, box[0]), min(eye.y, box[1]), max(eye.x, box[2]), max(eye.y, box[3])
    if thing[2] < x0 or thing[0] > x1 or thing[3] < y0 or thing[1] > y1:
        return False
    nx, ny = eye.y - (box[1] + box[3]) / 2, (box[0] + box[2]) / 2 - eye.x
    sides = [[(x - eye.x) * nx + (y - eye.y) * ny for x in b[::2] for y in b[1::2]] for b in (thing, box)]
    return min(sides[0]) <= max(*sides[1], 0.0) and max(sides[0]) >= min(*sides[1], 0.0)


def _borders(shades: list[Shade], here: Point, radius: Inches, box: Box) -> list[Border]:
    """Where a base touches the lit part from the dark; shades and box are relative to the eye, the answer is not."""
    pieces = _pieces(shades, box)
    if not pieces:
        return []
    dark = _dark(shades, np.array([p for piece in pieces for p in (piece.left, piece.right)]))
    found, (ex, ey) = list[Border](), here
    for piece, left, right in zip(pieces, dark[::2].tolist(), dark[1::2].tolist(), strict=True):
        if left == right:
            continue
        (ax, ay), (bx, by) = piece.ends
        a, b = (ax + ex, ay + ey), (bx + ex, by + ey)
        if piece.circle is None:
            found.append(Side(a, b, radius if left else -radius))
        else:
            x, y, own = piece.circle
            reach = own - radius if left else own + radius
            found += [Ring((x + ex, y + ey), reach)] if reach > 0.0 else []
        found += [Ring(end, radius) for end in (a, b)]
    return found


def _dark(shades: list[Shade], points: Any) -> Any:
    """Whether each point (rows of x and y, relative to the eye) lies in a shadow."""
    x, y = points[:, 0], points[:, 1]
    dark = np.zeros(len(points), bool)
    for shade in shades:
        if not shade.points:
            square = x * x + y * y
            t = np.clip((shade.x * x + shade.y * y) / square, shade.low, shade.high)
            dark |= (t * x - shade.x) ** 2 + (t * y - shade.y) ** 2 < shade.radius * shade.radius
            continue
        corners = np.array(shade.points)
        after = np.roll(corners, -1, axis=0)
        one = x[:, None] * corners[:, 1] - y[:, None] * corners[:, 0]
        other = x[:, None] * after[:, 1] - y[:, None] * after[:, 0]
        crossed = (one > 0.0) != (other > 0.0)
        above = corners[:, 0] * after[:, 1] - corners[:, 1] * after[:, 0]
        t = np.divide(above, other - one, out=np.full(one.shape, -1.0), where=crossed)
        beyond = t > shade.low
        dark |= (beyond & (t < shade.high)).any(axis=1) | (beyond.sum(axis=1) % 2 == 1)
    return dark


# ---- outlines of shadows, cut at one another -------------------------------------------------------------------------


def _pieces(shades: list[Shade], box: Box) -> list[_Piece]:
    """The outlines of shadows as far as they run through a box, cut where they meet."""
    segments, circles = list[Segment](), list[Circle]()
    for shade in shades:
        if shade.points:
            segments += _polygon_outline(shade)
        else:
            lines, rounds = _disc_outline(shade)
            segments += lines
            circles += rounds
    clipped = [part for part in (_clipped(segment, box) for segment in segments) if part is not None]
    lines = list(dict.fromkeys(clipped))
    rounds = [one for one in dict.fromkeys(circles) if _meets_box(one, box)]
    x0, y0, x1, y1 = box
    sides = [(x0, y0, x1, y0), (x1, y0, x1, y1), (x1, y1, x0, y1), (x0, y1, x0, y0)]
    found = _cut_segments(lines, rounds)
    for one in rounds:
        arcs = _cut_circle(one, [*lines, *sides], rounds)
        found += [arc for arc in arcs if x0 <= arc.left[0] <= x1 and y0 <= arc.left[1] <= y1]
    return found


def _ray(x: Inches, y: Inches, shade: Shade) -> Segment:
    """The side of a shadow behind a corner."""
    ends = 1 / shade.high, 1 / shade.low if shade.low > 0.0 else FAR / max(length(x, y), HAIR)
    return x * ends[0], y * ends[0], x * ends[1], y * ends[1]


def _polygon_outline(shade: Shade) -> list[Segment]:
    """Near edges, far edges, and sides behind the corners at which the outline turns back as seen from the eye."""
    found, points, count = list[Segment](), shade.points, len(shade.points)
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1], strict=True)]
    for i in range(count):
        (ax, ay), (bx, by) = points[i], points[(i + 1) % count]
        if turns[i] < 0.0:
            found.append((ax / shade.high, ay / shade.high, bx / shade.high, by / shade.high))
        elif turns[i] > 0.0 and shade.low > 0.0:
            found.append((ax / shade.low, ay / shade.low, bx / shade.low, by / shade.low))
        if turns[i] * turns[i - 1] <= 0.0:
            found.append(_ray(ax, ay, shade))
    return found


def _disc_outline(shade: Shade) -> tuple[list[Segment], list[Circle]]:
    """The two sides behind a base, and its outline as it begins and ends the shadow."""
    x, y, r = shade.x, shade.y, shade.radius
    square, lines = x * x + y * y, list[Segment]()
    if square > r * r:
        part, across = (square - r * r) / square, r * sqrt(square - r * r) / square
        lines = [_ray(x * part - y * side, y * part + x * side, shade) for side in (across, -across)]
    scales = [1 / shade.high] + ([1 / shade.low] if shade.low > 0.0 else [])
    return lines, [(x * scale, y * scale, r * scale) for scale in scales]


def _clipped(segment: Segment, box: Box) -> Segment | None:
    """The part of a segment inside a box (Liang and Barsky 1984)."""
    ax, ay, bx, by = segment
    low, high = 0.0, 1.0
    for at, step, least, most in ((ax, bx - ax, box[0], box[2]), (ay, by - ay, box[1], box[3])):
        if step == 0.0:
            if not least <= at <= most:
                return None
            continue
        one, other = (least - at) / step, (most - at) / step
        low, high = max(low, min(one, other)), min(high, max(one, other))
    if high <= low:
        return None
    return ax + (bx - ax) * low, ay + (by - ay) * low, ax + (bx - ax) * high, ay + (by - ay) * high


def _meets_box(circle: Circle, box: Box) -> bool:
    x, y, r = circle
    dx, dy = max(box[0] - x, x - box[2], 0.0), max(box[1] - y, y - box[3], 0.0)
    return dx * dx + dy * dy <= r * r


def _cut_segments(lines: list[Segment], rounds: list[Circle]) -> list[_Piece]:
    if not lines:
        return []
    a = np.array(lines)
    start, step = a[:, :2], a[:, 2:] - a[:, :2]
    cross = step[:, None, 0] * step[None, :, 1] - step[:, None, 1] * step[None, :, 0]
    gap = start[None, :, :] - start[:, None, :]
    fine = np.abs(cross) > 1e-15
    safe = np.where(fine, cross, 1.0)
    t = (gap[:, :, 0] * step[None, :, 1] - gap[:, :, 1] * step[None, :, 0]) / safe
    u = (gap[:, :, 0] * step[:, None, 1] - gap[:, :, 1] * step[:, None, 0]) / safe
    met = fine & (t > 0.0) & (t < 1.0) & (u >= -HAIR) & (u <= 1.0 + HAIR)
    found = []
    for i, (ax, ay, bx, by) in enumerate(lines):
        size = length(bx - ax, by - ay)
        if size < HAIR:
            continue
        cuts = {0.0, 1.0, *t[i][met[i]].tolist()}
        cuts.update(v for one in rounds for v in crossings(ax, ay, bx, by, *one))
        nx, ny = -(by - ay) / size * HAIR, (bx - ax) / size * HAIR
        for low, high in pairwise(sorted(cuts)):
            if (high - low) * size < HAIR:
                continue
            (px, py), (qx, qy) = ((ax + (bx - ax) * v, ay + (by - ay) * v) for v in (low, high))
            mx, my = (px + qx) / 2, (py + qy) / 2
            found.append(_Piece(((px, py), (qx, qy)), (mx + nx, my + ny), (mx - nx, my - ny)))
    return found


def _cut_circle(circle: Circle, lines: list[Segment], rounds: list[Circle]) -> list[_Piece]:
    """A circle cut where it meets other outlines; the left of a piece is the inside."""
    x, y, r = circle
    spots = [
        (ax + (bx - ax) * t, ay + (by - ay) * t) for ax, ay, bx, by in lines for t in crossings(ax, ay, bx, by, *circle)
    ]
    spots += [spot for other in rounds if other != circle for spot in circles_meet(circle, other)]
    towards, half = atan2(-y, -x), acos(min(r / length(x, y), 1.0))  # where lines from the eye touch it
    turned = (towards + pi + side * half for side in (-1, 1))
    angles = sorted({atan2(py - y, px - x) for px, py in spots} | {(angle % (2 * pi)) - pi for angle in turned})
    found = []
    for low, high in pairwise([*angles, angles[0] + 2 * pi]):
        if (high - low) * r < HAIR:
            continue
        ends = [(x + r * cos(angle), y + r * sin(angle)) for angle in (low, high)]
        ux, uy = cos((low + high) / 2), sin((low + high) / 2)
        inner, outer = (x + (r - HAIR) * ux, y + (r - HAIR) * uy), (x + (r + HAIR) * ux, y + (r + HAIR) * uy)
        found.append(_Piece((ends[0], ends[1]), inner, outer, circle))
    return found
