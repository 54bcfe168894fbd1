"""The inner loops of the tape measure: plain arithmetic over rows of floats.

Nothing here knows a board or a base: walls are rows of numbers, circles are centres and radii, answers are numbers.
Only ``+ - * / sqrt sin cos atan2`` are used, so that a compiled twin of these loops gives the same doubles.

An *edge row* is ``(ax, ay, ux, uy, size, angle, limit)``: one end, the unit vector to the other end, the length, the
direction of that vector in radians, and the least distance that a centre must keep. A *disc row* is ``(x, y, limit)``.
Angles are radians counter-clockwise from +x; ``turn`` is +1 for left (counter-clockwise) and -1 for right. *Blocked*
stretches of a circle are pairs ``(low, high)`` with ``0 <= low < 2 pi`` and ``low < high <= low + 2 pi``, disjoint and
in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, pi, sin, sqrt

__all__ = [
    "NOISE",
    "TURN",
    "Blocked",
    "DiscRow",
    "EdgeRow",
    "Tangent",
    "box_blocked",
    "disc_blocked",
    "edge_blocked",
    "edge_row",
    "first_hit",
    "free_run",
    "merge_blocked",
    "point_edge_distance",
    "segment_free",
    "segment_near_edge",
    "sweep",
    "tangent",
]

TURN = 2.0 * pi
NOISE = 1e-9
"""Radians, or inches, below which two computed values count as the same."""

EdgeRow = tuple[float, float, float, float, float, float, float]
DiscRow = tuple[float, float, float]
Blocked = tuple[tuple[float, float], ...]
Tangent = tuple[float, float, float]
"""Length of the straight part and its unit direction."""


def edge_row(ax: float, ay: float, bx: float, by: float, limit: float) -> EdgeRow:
    """The row of one wall edge."""
    dx, dy = bx - ax, by - ay
    size = sqrt(dx * dx + dy * dy)
    ux, uy = (dx / size, dy / size) if size > 0.0 else (1.0, 0.0)
    return ax, ay, ux, uy, size, atan2(uy, ux), limit


def point_edge_distance(x: float, y: float, edge: EdgeRow) -> float:
    """Distance of a point from an edge."""
    ax, ay, ux, uy, size, _, _ = edge
    dx, dy = x - ax, y - ay
    along = dx * ux + dy * uy
    across = dy * ux - dx * uy
    if along < 0.0:
        return sqrt(along * along + across * across)
    if along > size:
        along -= size
        return sqrt(along * along + across * across)
    return across if across >= 0.0 else -across


def _point_near(px: float, py: float, size: float, limit: float) -> bool:
    """Whether a point in the frame of an edge (along, across) is nearer to it than the limit."""
    if px < 0.0:
        return px * px + py * py < limit * limit
    if px > size:
        return (px - size) * (px - size) + py * py < limit * limit
    return -limit < py < limit


def _origin_near(ax: float, ay: float, bx: float, by: float, limit: float) -> bool:
    """Whether the segment a - b comes nearer to the origin than the limit."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0 if square == 0.0 else -(ax * dx + ay * dy) / square
    t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    x, y = ax + t * dx, ay + t * dy
    return x * x + y * y < limit * limit


def segment_near_edge(ax: float, ay: float, bx: float, by: float, edge: EdgeRow) -> bool:
    """Whether the segment a - b comes nearer to an edge than its limit."""
    ex, ey, ux, uy, size, _, limit = edge
    x0, y0, x1, y1 = ax - ex, ay - ey, bx - ex, by - ey
    v0, v1 = y0 * ux - x0 * uy, y1 * ux - x1 * uy
    if (v0 >= limit and v1 >= limit) or (v0 <= -limit and v1 <= -limit):
        return False
    u0, u1 = x0 * ux + y0 * uy, x1 * ux + y1 * uy
    if (u0 <= -limit and u1 <= -limit) or (u0 - size >= limit and u1 - size >= limit):
        return False
    if v0 * v1 < 0.0:
        u = u0 + (u1 - u0) * v0 / (v0 - v1)
        if 0.0 <= u <= size:
            return True
    return (
        _point_near(u0, v0, size, limit)
        or _point_near(u1, v1, size, limit)
        or _origin_near(u0, v0, u1, v1, limit)
        or _origin_near(u0 - size, v0, u1 - size, v1, limit)
    )


def segment_free(
    ax: float, ay: float, bx: float, by: float, edges: Sequence[EdgeRow], discs: Sequence[DiscRow]
) -> bool:
    """Whether the segment a - b keeps every limit of the given edges and discs."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    for x, y, limit in discs:
        fx, fy = x - ax, y - ay
        t = 0.0 if square == 0.0 else (fx * dx + fy * dy) / square
        t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
        fx -= t * dx
        fy -= t * dy
        if fx * fx + fy * fy < limit * limit:
            return False
    for edge in edges:
        ex, ey, ux, uy, _, _, limit = edge
        v0 = (ay - ey) * ux - (ax - ex) * uy
        v1 = (by - ey) * ux - (bx - ex) * uy
        if (v0 >= limit and v1 >= limit) or (v0 <= -limit and v1 <= -limit):
            continue
        if segment_near_edge(ax, ay, bx, by, edge):
            return False
    return True


def first_hit(
    ax: float, ay: float, dx: float, dy: float, reach: float, edges: Sequence[EdgeRow], discs: Sequence[DiscRow]
) -> float:
    """How far a ray from a free point in a unit direction stays free, at most `reach`."""
    for x, y, limit in discs:
        reach = _ray_disc(x - ax, y - ay, dx, dy, limit, reach)
    for ex, ey, ux, uy, size, _, limit in edges:
        x, y = ax - ex, ay - ey
        reach = _ray_disc(-x, -y, dx, dy, limit, reach)
        reach = _ray_disc(ux * size - x, uy * size - y, dx, dy, limit, reach)
        v, w = y * ux - x * uy, dy * ux - dx * uy
        side = limit if v > 0.0 else -limit
        if w * side < 0.0:
            t = (side - v) / w
            along = (x + t * dx) * ux + (y + t * dy) * uy
            if -NOISE < t < reach and 0.0 <= along <= size:
                reach = t if t > 0.0 else 0.0
    return reach


def _ray_disc(x: float, y: float, dx: float, dy: float, limit: float, reach: float) -> float:
    """The lesser of `reach` and the way along a ray from the origin until it enters a disc."""
    half = x * dx + y * dy
    root = half * half - (x * x + y * y - limit * limit)
    if half <= 0.0 or root <= 0.0:
        return reach
    t = half - sqrt(root)
    t = t if t > 0.0 else 0.0
    return t if t < reach else reach


def tangent(
    ax: float, ay: float, aradius: float, aturn: int, bx: float, by: float, bradius: float, bturn: int, slack: float
) -> Tangent | None:
    """The straight way from one circle, left while turning one way, to another, joined turning either way.

    It leaves at ``(ax + aturn * aradius * dy, ay - aturn * aradius * dx)`` and arrives in the same manner. Circles of
    radius 0 are points. Circles that overlap by no more than `slack` (a point in a circle, two circles turned about
    contrariwise) are joined by the short step between them on the line of centres.
    """
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if square == 0.0:
        return None
    k = bturn * bradius - aturn * aradius
    rest = square - k * k
    if rest > 0.0:
        size = sqrt(rest)
        return size, (size * dx + k * dy) / square, (size * dy - k * dx) / square
    away = sqrt(square)
    over = (k if k > 0.0 else -k) - away
    facing = aturn != bturn or aradius == 0.0 or bradius == 0.0
    if over > (slack if facing else 1e-12):
        return None
    sign = 1.0 if k > 0.0 else -1.0
    return over, sign * dy / away, -sign * dx / away


def sweep(start: float, end: float, turn: int) -> float:
    """Radians from one angle to another in the given sense, from 0 to just under a full turn."""
    turned = ((end - start) if turn > 0 else (start - end)) % TURN
    return 0.0 if turned > TURN - NOISE else turned


def free_run(blocked: Blocked, angle: float, turn: int) -> float:
    """Radians free ahead on a circle from an angle; -1 where the angle itself is blocked."""
    best = TURN
    for low, high in blocked:
        past = (angle - low) % TURN
        width = high - low
        if width >= TURN or NOISE < past < width - NOISE:
            return -1.0
        if past < width - NOISE:
            if turn > 0:
                return 0.0
            gap = TURN - width + past
        elif past < width:
            if turn < 0:
                return 0.0
            gap = TURN - past
        else:
            gap = TURN - past if turn > 0 else past - width
        if gap < best:
            best = gap
    return best


def disc_blocked(cx: float, cy: float, radius: float, x: float, y: float, limit: float) -> tuple[float, float] | None:
    """The stretch of a circle that is nearer to a point than the limit."""
    dx, dy = x - cx, y - cy
    away = sqrt(dx * dx + dy * dy)
    if limit <= away - radius or limit <= radius - away:
        return None
    if limit >= away + radius:
        return 0.0, TURN
    if away == 0.0:
        return None
    cosine = (radius * radius + away * away - limit * limit) / (2.0 * radius * away)
    cosine = -1.0 if cosine < -1.0 else 1.0 if cosine > 1.0 else cosine
    half = atan2(sqrt(1.0 - cosine * cosine), cosine)
    towards = atan2(dy, dx)
    return towards - half, towards + half


def box_blocked(
    cx: float, cy: float, radius: float, x0: float, y0: float, x1: float, y1: float
) -> list[tuple[float, float]]:
    """The stretches of a circle that lie outside a box."""
    found = []
    for out, towards in ((cx - x0, pi), (x1 - cx, 0.0), (cy - y0, 1.5 * pi), (y1 - cy, 0.5 * pi)):
        if out >= radius:
            continue
        if out <= -radius:
            return [(0.0, TURN)]
        cosine = out / radius
        half = atan2(sqrt(1.0 - cosine * cosine), cosine)
        found.append((towards - half, towards + half))
    return found


def edge_blocked(cx: float, cy: float, radius: float, edge: EdgeRow) -> list[tuple[float, float]]:
    """The stretches of a circle nearer to an edge than its limit, cut exactly where it meets the edge's capsule."""
    ax, ay, ux, uy, size, angle, limit = edge
    x, y = cx - ax, cy - ay
    u, v = x * ux + y * uy, y * ux - x * uy
    reach = radius + limit
    if v >= reach or v <= -reach or u <= -reach or u >= size + reach:
        return []
    marks = []
    for end in (0.0, size):
        part = disc_blocked(u, v, radius, end, 0.0, limit)
        if part is not None and part[1] - part[0] < TURN:
            marks += [part[0] % TURN, part[1] % TURN]
    for side in (limit, -limit):
        sine = (side - v) / radius
        if -1.0 < sine < 1.0:
            cosine = sqrt(1.0 - sine * sine)
            for c in (cosine, -cosine):
                if 0.0 <= u + radius * c <= size:
                    marks.append(atan2(sine, c) % TURN)
    if not marks:
        return [(0.0, TURN)] if _point_near(u + radius, v, size, limit) else []
    marks.sort()
    marks.append(marks[0] + TURN)
    found = []
    for i in range(len(marks) - 1):
        low, high = marks[i], marks[i + 1]
        middle = (low + high) / 2.0
        if high > low and _point_near(u + radius * cos(middle), v + radius * sin(middle), size, limit):
            found.append((low + angle, high + angle))
    return found


def merge_blocked(parts: Sequence[tuple[float, float]]) -> Blocked:
    """Join stretches of a circle, given in any order and any turn, to the form described at the head of this module."""
    spread = []
    for low, high in parts:
        width = high - low
        if width >= TURN - 1e-12:
            return ((0.0, TURN),)
        low %= TURN
        if low >= TURN:
            low = 0.0
        if low + width > TURN:
            spread += [(low, TURN), (0.0, low + width - TURN)]
        else:
            spread.append((low, low + width))
    spread.sort()
    merged: list[tuple[float, float]] = []
    for low, high in spread:
        if merged and low <= merged[-1][1] + 1e-12:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    if merged and merged[0][0] <= 1e-12 and merged[-1][1] >= TURN - 1e-12:
        if len(merged) == 1:
            return ((0.0, TURN),)
        last = merged.pop()
        merged[0] = (last[0], merged[0][1] + TURN)
        merged.append(merged.pop(0))
    return tuple(merged)
