"""The compiled loops of the tape measure and of the referee: one file, loaded once plain and once compiled.

The source is loaded twice. Under its own name the decorator `kernel` does nothing and every function is plain Python;
under `COMPILED` (see `twins`) the same functions are compiled by numba. Kernels that call each other must stand in
this file, because the compiler's cache does not look at other files. They use only ``+ - * / % sqrt sin cos atan2`` on
floats and take and return numbers and arrays, so that both twins, and the code they stand in for, give the same
doubles.

Every kernel that is called from outside has an entry in `SAMPLES`: small arguments of exactly the types that callers
hand over. To warm is to call each kernel once with them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, inf, pi, sin, sqrt
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

__all__ = ["COMPILED", "SAMPLES", "Sample", "kernel", "sample"]

COMPILED = "tactician.rules.paths.compiled_kernels"
"""Name of the compiled twin of this module."""

F = TypeVar("F", bound=Callable[..., Any])

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def kernel(function: F) -> F:
    """Compile a function where this module is the compiled twin; leave it as it is otherwise."""
    if __name__ != COMPILED:
        return function
    import numba

    return cast("F", numba.njit(cache=True)(function))


class Sample(NamedTuple):
    """Arguments with which a kernel is called to compile it."""

    kernel: str
    arguments: tuple[Any, ...]


SAMPLES: list[Sample] = []
"""One entry for every kernel that is called from outside this module, in the order of the file."""


def sample(name: str, *arguments: Any) -> None:
    """Add the sample arguments of a kernel: C-contiguous writable float64, int64 and bool arrays, floats and ints."""
    SAMPLES.append(Sample(name, arguments))


# ---- the tape measure: rows and circles, as in `inner` ----

TURN = 2.0 * pi
NOISE = 1e-9
TOL = 1e-4
START = -1

Rows = tuple[Floats, Floats, Floats, Ints, Floats, Floats, Ints, Floats, Floats]
"""A layout: edges (n, 7), their middles (n, 3), circles (m, 3), where the stretches of each begin (m + 1) and the
stretches (k, 2), edges of outlines (c, 4), where those of each outline begin (w + 1), boxes of the outlines (w, 4), and
facts (7): the box of centres, radius, slack, and the radius of the base before it was raised to the least."""

Near = tuple[bool, Floats, Floats, Floats, Ints, Floats]
"""What one question can touch: whether the start is free, edges, discs, circles, the number in the layout of each
circle whose stretches by the walls are known (else -1), and the box of centres."""

Found = tuple[int, float, float, float, float, float, Floats, Ints]
"""How a search ended: the arrival before the finish (-1 for none), its cost, where the circle was left (x, y) and where
the way ends (x, y); then the arrivals as floats (cost, angle, run, left x, left y, x, y) and as whole numbers (circle,
turn, arrival before, an earlier arrival on the same side of the same circle)."""

Work = tuple[Floats, Floats, Floats, Ints, Ints]
"""Scratch stretches, more of them, marks on a circle; where each circle's stretches begin, and how many they are."""

Out = tuple[Floats, Floats, Ints]
"""Stretches of all circles; exits as floats (angle and place x, y of leaving, size, angle and run of arriving, its
place x, y) and as whole numbers (key, circle, sense of turning)."""

Sides = tuple[Ints, Ints, Ints]
"""For each side of a circle where its exits begin (-1: not yet known) and end, and its latest arrival (-1: none)."""

Heap = tuple[Floats, Ints, Floats, Ints]
"""Steps: cost; the arrival before and the exit taken (-1 - g for the goal g). Heap: bounds; numbers of steps."""


@kernel
def point_near(px: float, py: float, size: float, limit: float) -> bool:
    """Whether a point in the frame of an edge (along, across) is nearer to it than the limit."""
    if px < 0.0:
        return px * px + py * py < limit * limit
    if px > size:
        return (px - size) * (px - size) + py * py < limit * limit
    return -limit < py and py < limit


@kernel
def origin_near(ax: float, ay: float, bx: float, by: float, limit: float) -> bool:
    """Whether the segment a - b comes nearer to the origin than the limit."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0 if square == 0.0 else -(ax * dx + ay * dy) / square
    t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    x, y = ax + t * dx, ay + t * dy
    return x * x + y * y < limit * limit


@kernel
def edge_distance(x: float, y: float, edges: Floats, i: int) -> float:
    """Distance of a point from an edge."""
    dx, dy = x - edges[i, 0], y - edges[i, 1]
    along = dx * edges[i, 2] + dy * edges[i, 3]
    across: float = dy * edges[i, 2] - dx * edges[i, 3]
    if along < 0.0:
        return sqrt(along * along + across * across)
    if along > edges[i, 4]:
        along -= edges[i, 4]
        return sqrt(along * along + across * across)
    return across if across >= 0.0 else -across


@kernel
def near_edge(ax: float, ay: float, bx: float, by: float, edges: Floats, i: int) -> bool:
    """Whether the segment a - b comes nearer to an edge than its limit."""
    ex, ey, ux, uy = edges[i, 0], edges[i, 1], edges[i, 2], edges[i, 3]
    size, limit = edges[i, 4], edges[i, 6]
    x0, y0, x1, y1 = ax - ex, ay - ey, bx - ex, by - ey
    v0, v1 = y0 * ux - x0 * uy, y1 * ux - x1 * uy
    if (v0 >= limit and v1 >= limit) or (v0 <= -limit and v1 <= -limit):
        return False
    u0, u1 = x0 * ux + y0 * uy, x1 * ux + y1 * uy
    if (u0 <= -limit and u1 <= -limit) or (u0 - size >= limit and u1 - size >= limit):
        return False
    if v0 * v1 < 0.0:
        u = u0 + (u1 - u0) * v0 / (v0 - v1)
        if u >= 0.0 and u <= size:
            return True
    return (
        point_near(u0, v0, size, limit)
        or point_near(u1, v1, size, limit)
        or origin_near(u0, v0, u1, v1, limit)
        or origin_near(u0 - size, v0, u1 - size, v1, limit)
    )


@kernel
def leg_free(ax: float, ay: float, bx: float, by: float, edges: Floats, discs: Floats, box: Floats) -> bool:
    """Whether a straight leg a - b keeps every limit."""
    if not (box[0] <= ax and ax <= box[2] and box[1] <= ay and ay <= box[3]):
        return False
    if not (box[0] <= bx and bx <= box[2] and box[1] <= by and by <= box[3]):
        return False
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    x0, x1, y0, y1 = min(ax, bx) - 1e-6, max(ax, bx) + 1e-6, min(ay, by) - 1e-6, max(ay, by) + 1e-6
    for i in range(discs.shape[0]):
        x, y, limit = discs[i, 0], discs[i, 1], discs[i, 2]
        if x + limit < x0 or x - limit > x1 or y + limit < y0 or y - limit > y1:
            continue
        fx, fy = x - ax, y - ay
        t = 0.0 if square == 0.0 else (fx * dx + fy * dy) / square
        t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
        fx -= t * dx
        fy -= t * dy
        if fx * fx + fy * fy < limit * limit:
            return False
    for i in range(edges.shape[0]):
        ex, ey, ux, uy, limit = edges[i, 0], edges[i, 1], edges[i, 2], edges[i, 3], edges[i, 6]
        v0 = (ay - ey) * ux - (ax - ex) * uy
        v1 = (by - ey) * ux - (bx - ex) * uy
        if (v0 >= limit and v1 >= limit) or (v0 <= -limit and v1 <= -limit):
            continue
        if near_edge(ax, ay, bx, by, edges, i):
            return False
    return True


@kernel
def tangent(
    ax: float, ay: float, aradius: float, aturn: int, bx: float, by: float, bradius: float, bturn: int, slack: float
) -> tuple[bool, float, float, float]:
    """The straight way between two circles: whether there is one, its length and its direction."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if square == 0.0:
        return False, 0.0, 0.0, 0.0
    k = bturn * bradius - aturn * aradius
    rest = square - k * k
    if rest > 0.0:
        size = sqrt(rest)
        return True, size, (size * dx + k * dy) / square, (size * dy - k * dx) / square
    away = sqrt(square)
    over = (k if k > 0.0 else -k) - away
    facing = aturn != bturn or aradius == 0.0 or bradius == 0.0
    if over > (slack if facing else 1e-12):
        return False, 0.0, 0.0, 0.0
    sign = 1.0 if k > 0.0 else -1.0
    return True, over, sign * dy / away, -sign * dx / away


@kernel
def sweep(start: float, end: float, turn: int) -> float:
    """Radians from one angle to another in the given sense, from 0 to just under a full turn."""
    turned = ((end - start) if turn > 0 else (start - end)) % TURN
    return 0.0 if turned > TURN - NOISE else turned


@kernel
def free_run(spans: Floats, first: int, count: int, angle: float, turn: int) -> float:
    """Radians free ahead on a circle from an angle; -1 where the angle itself is blocked."""
    best = TURN
    for i in range(first, first + count):
        low, high = spans[i, 0], spans[i, 1]
        past = (angle - low) % TURN
        width = high - low
        if width >= TURN or (past > NOISE and past < width - NOISE):
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


@kernel
def disc_blocked(cx: float, cy: float, radius: float, x: float, y: float, limit: float) -> tuple[bool, float, float]:
    """The stretch of a circle that is nearer to a point than the limit: whether there is one, low and high."""
    dx, dy = x - cx, y - cy
    away = sqrt(dx * dx + dy * dy)
    if limit <= away - radius or limit <= radius - away:
        return False, 0.0, 0.0
    if limit >= away + radius:
        return True, 0.0, TURN
    if away == 0.0:
        return False, 0.0, 0.0
    cosine = (radius * radius + away * away - limit * limit) / (2.0 * radius * away)
    cosine = -1.0 if cosine < -1.0 else 1.0 if cosine > 1.0 else cosine
    half = atan2(sqrt(1.0 - cosine * cosine), cosine)
    towards = atan2(dy, dx)
    return True, towards - half, towards + half


@kernel
def box_blocked(cx: float, cy: float, radius: float, box: Floats, more: float, parts: Floats, count: int) -> int:
    """Add the stretches of a circle outside a box, `more` smaller on every side; how many there are then."""
    for side in range(4):
        if side == 0:
            out, towards = cx - (box[0] + more), pi
        elif side == 1:
            out, towards = (box[2] - more) - cx, 0.0
        elif side == 2:
            out, towards = cy - (box[1] + more), 1.5 * pi
        else:
            out, towards = (box[3] - more) - cy, 0.5 * pi
        if out >= radius:
            continue
        if out <= -radius:
            parts[0, 0], parts[0, 1] = 0.0, TURN
            return 1
        cosine = out / radius
        half = atan2(sqrt(1.0 - cosine * cosine), cosine)
        parts[count, 0], parts[count, 1] = towards - half, towards + half
        count += 1
    return count


@kernel
def edge_blocked(
    cx: float, cy: float, radius: float, edges: Floats, i: int, more: float, parts: Floats, count: int, marks: Floats
) -> int:
    """Add the stretches of a circle nearer to an edge than its limit and `more`; how many there are then."""
    ux, uy, size, limit = edges[i, 2], edges[i, 3], edges[i, 4], edges[i, 6] + more
    x, y = cx - edges[i, 0], cy - edges[i, 1]
    u, v = x * ux + y * uy, y * ux - x * uy
    reach = radius + limit
    if v >= reach or v <= -reach or u <= -reach or u >= size + reach:
        return count
    used = 0
    for end in (0.0, size):
        there, low, high = disc_blocked(u, v, radius, end, 0.0, limit)
        if there and high - low < TURN:
            marks[used], marks[used + 1] = low % TURN, high % TURN
            used += 2
    for side in (limit, -limit):
        sine = (side - v) / radius
        if sine > -1.0 and sine < 1.0:
            cosine = sqrt(1.0 - sine * sine)
            for c in (cosine, -cosine):
                if u + radius * c >= 0.0 and u + radius * c <= size:
                    marks[used] = atan2(sine, c) % TURN
                    used += 1
    if used == 0:
        if point_near(u + radius, v, size, limit):
            parts[count, 0], parts[count, 1] = 0.0, TURN
            count += 1
        return count
    sort_numbers(marks, used)
    marks[used] = marks[0] + TURN
    for m in range(used):
        low, high = marks[m], marks[m + 1]
        middle = (low + high) / 2.0
        if high > low and point_near(u + radius * cos(middle), v + radius * sin(middle), size, limit):
            parts[count, 0], parts[count, 1] = low + edges[i, 5], high + edges[i, 5]
            count += 1
    return count


@kernel
def sort_numbers(numbers: Floats, count: int) -> None:
    """Sort the first few numbers of a row in place."""
    for i in range(1, count):
        one = numbers[i]
        j = i - 1
        while j >= 0 and numbers[j] > one:
            numbers[j + 1] = numbers[j]
            j -= 1
        numbers[j + 1] = one


@kernel
def sort_pairs(pairs: Floats, count: int) -> None:
    """Sort the first few pairs in place, by their first number and then by their second."""
    for i in range(1, count):
        low, high = pairs[i, 0], pairs[i, 1]
        j = i - 1
        while j >= 0 and (pairs[j, 0] > low or (pairs[j, 0] == low and pairs[j, 1] > high)):
            pairs[j + 1, 0], pairs[j + 1, 1] = pairs[j, 0], pairs[j, 1]
            j -= 1
        pairs[j + 1, 0], pairs[j + 1, 1] = low, high


@kernel
def merge(parts: Floats, count: int, spread: Floats) -> int:
    """Join stretches in place to the form described at the head of `inner`; how many are left."""
    used = 0
    for i in range(count):
        low, width = parts[i, 0], parts[i, 1] - parts[i, 0]
        if width >= TURN - 1e-12:
            parts[0, 0], parts[0, 1] = 0.0, TURN
            return 1
        low %= TURN
        if low >= TURN:
            low = 0.0
        if low + width > TURN:
            spread[used, 0], spread[used, 1] = low, TURN
            spread[used + 1, 0], spread[used + 1, 1] = 0.0, low + width - TURN
            used += 2
        else:
            spread[used, 0], spread[used, 1] = low, low + width
            used += 1
    sort_pairs(spread, used)
    kept = 0
    for i in range(used):
        if kept > 0 and spread[i, 0] <= parts[kept - 1, 1] + 1e-12:
            if spread[i, 1] > parts[kept - 1, 1]:
                parts[kept - 1, 1] = spread[i, 1]
        else:
            parts[kept, 0], parts[kept, 1] = spread[i, 0], spread[i, 1]
            kept += 1
    if kept > 0 and parts[0, 0] <= 1e-12 and parts[kept - 1, 1] >= TURN - 1e-12:
        if kept == 1:
            parts[0, 0], parts[0, 1] = 0.0, TURN
            return 1
        low, high = parts[kept - 1, 0], parts[0, 1] + TURN
        for i in range(kept - 2):
            parts[i, 0], parts[i, 1] = parts[i + 1, 0], parts[i + 1, 1]
        parts[kept - 2, 0], parts[kept - 2, 1] = low, high
        return kept - 1
    return kept


@kernel
def circle_blocked(
    circle: Floats, edges: Floats, discs: Floats, box: Floats, more: float, parts: Floats, spread: Floats, marks: Floats
) -> int:
    """Work out the stretches of a circle on which a centre would break a limit grown by `more`; how many there are."""
    cx, cy, radius = circle[0], circle[1], circle[2]
    if radius == 0.0:
        return 0
    count = box_blocked(cx, cy, radius, box, more, parts, 0)
    for i in range(edges.shape[0]):
        count = edge_blocked(cx, cy, radius, edges, i, more, parts, count, marks)
    for i in range(discs.shape[0]):
        there, low, high = disc_blocked(cx, cy, radius, discs[i, 0], discs[i, 1], discs[i, 2] + more)
        if there:
            parts[count, 0], parts[count, 1] = low, high
            count += 1
    return merge(parts, count, spread)


# ---- what one question can touch, as `scene.local_of` finds it ----


@kernel
def gap(dx: float, dy: float) -> float:
    """Length of a vector."""
    return sqrt(dx * dx + dy * dy)


@kernel
def in_walls(rows: Rows, x: float, y: float) -> bool:
    """Whether a point lies in the area of an outline."""
    corners, begins, boxes = rows[5], rows[6], rows[7]
    for w in range(boxes.shape[0]):
        if not (boxes[w, 0] <= x and x <= boxes[w, 2] and boxes[w, 1] <= y and y <= boxes[w, 3]):
            continue
        inside = False
        for i in range(begins[w], begins[w + 1]):
            ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[i, 2], corners[i, 3]
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
        if inside:
            return True
    return False


@kernel
def may_stand(rows: Rows, edges: Floats, discs: Floats, box: Floats, x: float, y: float) -> bool:
    """Whether a centre may be at a place: clear of everything, on the table and in no wall."""
    if not (box[0] <= x and x <= box[2] and box[1] <= y and y <= box[3]):
        return False
    for i in range(discs.shape[0]):
        dx, dy, limit = x - discs[i, 0], y - discs[i, 1], discs[i, 2]
        if -limit < dx and dx < limit and -limit < dy and dy < limit and gap(dx, dy) < limit:
            return False
    for i in range(edges.shape[0]):
        across, limit = (y - edges[i, 1]) * edges[i, 2] - (x - edges[i, 0]) * edges[i, 3], edges[i, 6]
        if -limit < across and across < limit and edge_distance(x, y, edges, i) < limit:
            return False
    return not in_walls(rows, x, y)


@kernel
def near_rows(table: Floats, sx: float, sy: float, gx: float, gy: float, total: float, found: Ints) -> int:
    """Put down the numbers of rows (x, y, extent) that reach into the ellipse about two points; how many there are."""
    count = 0
    for i in range(table.shape[0]):
        x, y = table[i, 0], table[i, 1]
        reach = sqrt((x - sx) * (x - sx) + (y - sy) * (y - sy))
        reach += sqrt((x - gx) * (x - gx) + (y - gy) * (y - gy))
        reach -= 2 * table[i, 2]
        if total == inf or reach <= total + 1e-6:
            found[count] = i
            count += 1
    return count


@kernel
def near_edges(rows: Rows, sx: float, sy: float, gx: float, gy: float, total: float) -> tuple[bool, bool, Floats]:
    """Edges in reach, those lowered in which the start rests: whether it is free, whether one was lowered, and they."""
    table, facts = rows[0], rows[8]
    numbers = np.empty(table.shape[0], np.int64)
    count = near_rows(rows[1], sx, sy, gx, gy, total + 2 * facts[4], numbers)
    edges = np.empty((count, 7))
    sunk = False
    for k in range(count):
        i = numbers[k]
        for j in range(7):
            edges[k, j] = table[i, j]
        limit = table[i, 6]
        across = (sy - table[i, 1]) * table[i, 2] - (sx - table[i, 0]) * table[i, 3]
        if -limit < across and across < limit:
            away = edge_distance(sx, sy, table, i)
            if away < limit:
                if away < facts[6] - TOL - NOISE or away <= 0.0:
                    return False, False, edges
                edges[k, 6] = away - min(NOISE, away / 2)
                sunk = True
    return True, sunk, edges


@kernel
def box_for(rows: Rows, sx: float, sy: float, box: Floats) -> int:
    """Work out the box of centres for a start: 0 as it is, 1 widened to hold the start, -1 where that may not be."""
    facts = rows[8]
    slack = facts[5]
    box[0], box[1], box[2], box[3] = facts[0] - slack, facts[1] - slack, facts[2] + slack, facts[3] + slack
    if box[0] <= sx and sx <= box[2] and box[1] <= sy and sy <= box[3]:
        return 0
    if not (facts[0] - TOL <= sx and sx <= facts[2] + TOL and facts[1] - TOL <= sy and sy <= facts[3] + TOL):
        return -1
    box[0], box[1], box[2], box[3] = min(box[0], sx), min(box[1], sy), max(box[2], sx), max(box[3], sy)
    return 1


@kernel
def lowered(x: float, y: float, radius: float, px: float, py: float) -> float:
    """The radius of a circle, lowered to the distance of a point within it."""
    dx, dy = px - x, py - y
    if -radius < dx and dx < radius and -radius < dy and dy < radius:
        away = gap(dx, dy)
        if away < radius - NOISE:
            return away
    return radius


@kernel
def near_discs(
    discs: Floats, sx: float, sy: float, gx: float, gy: float, total: float, goal_in: bool, slack: float
) -> Floats:
    """Discs in reach: centre, the radius to go round at, and the limit to keep; each once."""
    found = np.empty((discs.shape[0], 4))
    count = 0
    for i in range(discs.shape[0]):
        x, y, reach = discs[i, 0], discs[i, 1], discs[i, 2]
        near = gap(x - sx, y - sy)
        if near + gap(x - gx, y - gy) > total + 2 * reach + 1e-6 or reach <= 0.0:
            continue
        limit = reach - min(slack, reach / 2)
        if near < reach:
            if near < NOISE:
                continue
            limit = min(limit, near - min(slack, near / 2))
        around = lowered(x, y, reach, sx, sy)
        if goal_in:
            around = lowered(x, y, around, gx, gy)
        around = max(around, limit)
        known = False
        for k in range(count):
            if found[k, 0] == x and found[k, 1] == y and found[k, 2] == around and found[k, 3] == limit:
                known = True
        if not known:
            found[count, 0], found[count, 1], found[count, 2], found[count, 3] = x, y, around, limit
            count += 1
    return found[:count].copy()


@kernel
def gather(rows: Rows, discs: Floats, sx: float, sy: float, gx: float, gy: float, total: float, goal_in: bool) -> Near:
    """What ways from start to goal of at most `total` inches can touch."""
    box = np.empty(4)
    none, nobody = np.empty((0, 3)), np.empty(0, np.int64)
    free, sunk, edges = near_edges(rows, sx, sy, gx, gy, total)
    if not free or in_walls(rows, sx, sy):
        return False, edges, none, none, nobody, box
    widened = box_for(rows, sx, sy, box)
    if widened < 0:
        return False, edges, none, none, nobody, box
    corners = rows[2]
    numbers = np.empty(corners.shape[0], np.int64)
    count = near_rows(corners, sx, sy, gx, gy, total, numbers)
    about = near_discs(discs, sx, sy, gx, gy, total, goal_in, rows[8][5])
    circles = np.empty((count + about.shape[0], 3))
    known = np.full(count + about.shape[0], -1)
    changed = sunk or widened > 0
    for k in range(count):
        i = numbers[k]
        x, y, radius = corners[i, 0], corners[i, 1], corners[i, 2]
        around = lowered(x, y, radius, sx, sy)
        if goal_in:
            around = lowered(x, y, around, gx, gy)
        changed = changed or around < radius
        circles[k, 0], circles[k, 1], circles[k, 2] = x, y, around
        known[k] = i
    if changed:
        known[:] = -1
    limits = np.empty((about.shape[0], 3))
    for k in range(about.shape[0]):
        circles[count + k, 0], circles[count + k, 1], circles[count + k, 2] = about[k, 0], about[k, 1], about[k, 2]
        limits[k, 0], limits[k, 1], limits[k, 2] = about[k, 0], about[k, 1], about[k, 3]
    return True, edges, limits, circles, known, box


# ---- the tangent search, as `search.Search` runs it ----

STEPS, HEAPED, NODES, EXITS, SPANS = 0, 1, 2, 3, 4
"""Places of the counts of a search: steps offered, in the heap, arrivals, exits and blocked stretches."""


@kernel
def grown(table: Any, used: int, more: int) -> Any:
    """A table with room for so many rows more: itself, or a longer copy."""
    if used + more <= table.shape[0]:
        return table
    longer = np.empty((2 * table.shape[0] + more, table.shape[1]), table.dtype)
    longer[:used] = table[:used]
    return longer


@kernel
def known_stretches(rows: Rows, near: Near, i: int, work: Work, spans: Floats, counts: Ints) -> Floats:
    """Work out the blocked stretches of a circle unless that was done; the table of stretches, perhaps a longer one."""
    parts, spread, marks, begins, many = work
    if many[i] >= 0:
        return spans
    _, edges, discs, circles, known, box = near
    if known[i] < 0:
        count = circle_blocked(circles[i], edges, discs, box, 0.0, parts, spread, marks)
    else:
        first = rows[3][known[i]]
        walls = rows[3][known[i] + 1] - first
        for k in range(walls):
            parts[k, 0], parts[k, 1] = rows[4][first + k, 0], rows[4][first + k, 1]
        count = walls
        for k in range(discs.shape[0]):
            there, low, high = disc_blocked(
                circles[i, 0], circles[i, 1], circles[i, 2], discs[k, 0], discs[k, 1], discs[k, 2]
            )
            if there:
                parts[count, 0], parts[count, 1] = low, high
                count += 1
        if count > walls:
            count = merge(parts, count, spread)
    used = counts[SPANS]
    spans = grown(spans, used, count)
    spans[used : used + count] = parts[:count]
    begins[i], many[i] = used, count
    counts[SPANS] = used + count
    return spans


@kernel
def find_exits(rows: Rows, near: Near, source: int, turn: int, ask: Floats, work: Work, out: Out, counts: Ints) -> Out:
    """Tangents from one side of a circle (or from the start) that a way within the limit can use."""
    spans, floats, ints = out
    circles, slack = near[3], rows[8][5]
    begins, many = work[3], work[4]
    ax, ay, aradius = ask[0], ask[1], 0.0
    if source != START:
        ax, ay, aradius = circles[source, 0], circles[source, 1], circles[source, 2]
        spans = known_stretches(rows, near, source, work, spans, counts)
    base = 2 * (source + 1) + (1 if turn > 0 else 0)
    used = counts[EXITS]
    floats = grown(floats, used, 2 * circles.shape[0])
    ints = grown(ints, used, 2 * circles.shape[0])
    for j in range(circles.shape[0]):
        if j == source:
            continue
        bx, by, bradius = circles[j, 0], circles[j, 1], circles[j, 2]
        for onward in (1, -1):
            there, size, dx, dy = tangent(ax, ay, aradius, turn, bx, by, bradius, onward, slack)
            if not there or size > ask[2]:
                continue
            lx, ly = ax + turn * aradius * dy, ay - turn * aradius * dx
            x, y = bx + onward * bradius * dy, by - onward * bradius * dx
            if gap(lx - ask[0], ly - ask[1]) + size + rest_to(x, y, ask) > ask[2] + NOISE:
                continue
            leave = atan2(-turn * dx, turn * dy)
            if source != START and free_run(spans, begins[source], many[source], leave, turn) < 0.0:
                continue
            angle, run = atan2(-onward * dx, onward * dy), TURN
            if bradius > 0.0:
                if many[j] < 0:
                    spans = known_stretches(rows, near, j, work, spans, counts)
                run = free_run(spans, begins[j], many[j], angle, onward)
            if run < 0.0:
                continue
            floats[used, 0], floats[used, 1], floats[used, 2], floats[used, 3] = leave, lx, ly, size
            floats[used, 4], floats[used, 5], floats[used, 6], floats[used, 7] = angle, run, x, y
            ints[used, 0], ints[used, 1], ints[used, 2] = 2 * (base * circles.shape[0] + j) + (onward > 0), j, onward
            used += 1
    counts[EXITS] = used
    return spans, floats, ints


@kernel
def rest_to(x: float, y: float, ask: Floats) -> float:
    """The least that is left to go from a place to the aim; 0 without one."""
    if ask[6] == 0.0:
        return 0.0
    away = gap(x - ask[3], y - ask[4]) - ask[5]
    return away if away > 0.0 else 0.0


@kernel
def leave_for(
    circles: Floats, slack: float, floats: Floats, ints: Ints, number: int, goal: Floats
) -> tuple[bool, float, float, float, float, float]:
    """The tangent from an arrival's arc to a goal: whether there is one, cost, and where it leaves and ends (x, y)."""
    x, y, reach = goal[0], goal[1], goal[2]
    circle, turn = ints[number, 0], ints[number, 1]
    if circle == START:
        lx, ly = floats[number, 5], floats[number, 6]
        dx, dy = x - lx, y - ly
        away = sqrt(dx * dx + dy * dy)
        if away < reach or away == 0.0:
            return False, 0.0, 0.0, 0.0, 0.0, 0.0
        rest = (away - reach) / away
        return True, away - reach, lx, ly, lx + rest * dx, ly + rest * dy
    cx, cy, radius = circles[circle, 0], circles[circle, 1], circles[circle, 2]
    there, size, dx, dy = tangent(cx, cy, radius, turn, x, y, 0.0, 1, slack)
    if not there or size < reach - NOISE:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    leave = atan2(-turn * dx, turn * dy)
    turned = sweep(floats[number, 1], leave, turn) if radius > 0.0 else 0.0
    if turned > floats[number, 2] + NOISE:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    lx, ly = cx + turn * radius * dy, cy - turn * radius * dx
    size = size - reach if size > reach else 0.0
    ex, ey = x, y
    if reach != 0.0:
        ex, ey = lx + size * dx, ly + size * dy
    return True, floats[number, 0] + radius * turned + size, lx, ly, ex, ey


@kernel
def offer(cost: float, bound: float, before: int, link: int, heap: Heap, counts: Ints) -> Heap:
    """Put a step into the heap, which is made longer where it is full."""
    heap = with_room(heap, 1, counts)
    put(cost, bound, before, link, heap, counts)
    return heap


@kernel
def with_room(heap: Heap, more: int, counts: Ints) -> Heap:
    """A heap with room for so many steps more."""
    costs, whence, keys, numbers = heap
    costs, whence = grown(costs, counts[STEPS], more), grown(whence, counts[STEPS], more)
    return costs, whence, grown(keys, counts[HEAPED], more), grown(numbers, counts[HEAPED], more)


@kernel
def put(cost: float, bound: float, before: int, link: int, heap: Heap, counts: Ints) -> None:
    """Put a step into a heap that has room: by its bound, then in the order of offering."""
    costs, whence, keys, numbers = heap
    step, place = counts[STEPS], counts[HEAPED]
    costs[step, 0], whence[step, 0], whence[step, 1] = cost, before, link
    counts[STEPS], counts[HEAPED] = step + 1, place + 1
    while place > 0:
        above = (place - 1) // 2
        if keys[above, 0] <= bound:
            break
        keys[place, 0], numbers[place, 0] = keys[above, 0], numbers[above, 0]
        place = above
    keys[place, 0], numbers[place, 0] = bound, step


@kernel
def take(keys: Floats, numbers: Ints, counts: Ints) -> int:
    """Take the first step out of the heap."""
    first: int = numbers[0, 0]
    last = counts[HEAPED] - 1
    counts[HEAPED] = last
    key, number = keys[last, 0], numbers[last, 0]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        other = below + 1
        if other < last and (
            keys[other, 0] < keys[below, 0]
            or (keys[other, 0] == keys[below, 0] and numbers[other, 0] < numbers[below, 0])
        ):
            below = other
        if key < keys[below, 0] or (key == keys[below, 0] and number < numbers[below, 0]):
            break
        keys[place, 0], numbers[place, 0] = keys[below, 0], numbers[below, 0]
        place = below
    keys[place, 0], numbers[place, 0] = key, number
    return first


@kernel
def expand(
    rows: Rows,
    near: Near,
    number: int,
    ask: Floats,
    goals: Floats,
    work: Work,
    sides: Sides,
    done: Bools,
    nodes: tuple[Floats, Ints],
    out: Out,
    heap: Heap,
    counts: Ints,
) -> tuple[Out, Heap]:
    """Offer every goal and every tangent that leaves the arc of an arrival."""
    floats, ints = nodes
    circles = near[3]
    limit, cost, angle = ask[2], floats[number, 0], floats[number, 1]
    circle, turn, run = ints[number, 0], ints[number, 1], floats[number, 2] + NOISE
    radius = circles[circle, 2] if circle != START else 0.0
    heap = with_room(heap, goals.shape[0], counts)
    for g in range(goals.shape[0]):
        there, total, _, _, x, y = leave_for(circles, rows[8][5], floats, ints, number, goals[g])
        bound = total + rest_to(x, y, ask)
        if there and bound <= limit:
            put(total, bound, number, -1 - g, heap, counts)
    base = 2 * (circle + 1) + (1 if turn > 0 else 0)
    begins, ends, _ = sides
    if begins[base] < 0:
        begins[base] = counts[EXITS]
        out = find_exits(rows, near, circle, turn, ask, work, out, counts)
        ends[base] = counts[EXITS]
    _, rows_out, ints_out = out
    heap = with_room(heap, ends[base] - begins[base], counts)
    for e in range(begins[base], ends[base]):
        if done[ints_out[e, 0]]:
            continue
        turned = 0.0
        if radius > 0.0:
            turned = (rows_out[e, 0] - angle if turn > 0 else angle - rows_out[e, 0]) % TURN
        if turned > TURN - NOISE:
            turned = 0.0
        total = cost + radius * turned + rows_out[e, 3]
        if turned <= run and total <= limit:
            bound = total + rest_to(rows_out[e, 6], rows_out[e, 7], ask)
            if bound <= limit:
                put(total, bound, number, e, heap, counts)
    return out, heap


@kernel
def is_beaten(circles: Floats, nodes: tuple[Floats, Ints], latest: int, cost: float, angle: float) -> bool:
    """Whether an earlier arrival on a side, the latest or one before it, gets round to an angle for no more."""
    floats, ints = nodes
    other = latest
    while other >= 0:
        turned = sweep(floats[other, 1], angle, ints[other, 1])
        radius = circles[ints[other, 0], 2]
        if turned <= floats[other, 2] + NOISE and floats[other, 0] + radius * turned <= cost + 1e-12:
            return True
        other = ints[other, 3]
    return False


@kernel
def add_node(
    nodes: tuple[Floats, Ints], cost: float, before: int, out: Out, link: int, latest: Ints, counts: Ints
) -> tuple[Floats, Ints]:
    """Put down an arrival; the tables of arrivals, perhaps longer ones."""
    _, rows_out, ints_out = out
    number = counts[NODES]
    floats, ints = grown(nodes[0], number, 1), grown(nodes[1], number, 1)
    floats[number, 0], floats[number, 1], floats[number, 2] = cost, rows_out[link, 4], rows_out[link, 5]
    floats[number, 3], floats[number, 4] = rows_out[link, 1], rows_out[link, 2]
    floats[number, 5], floats[number, 6] = rows_out[link, 6], rows_out[link, 7]
    side = 2 * ints_out[link, 1] + (1 if ints_out[link, 2] > 0 else 0)
    ints[number, 0], ints[number, 1] = ints_out[link, 1], ints_out[link, 2]
    ints[number, 2], ints[number, 3] = before, latest[side]
    latest[side] = number
    counts[NODES] = number + 1
    return floats, ints


@kernel
def room(rows: Rows, near: Near) -> Work:
    """Scratch rows for blocked stretches, and where those of each circle stand: none is known yet."""
    size = 8 + 8 * near[1].shape[0] + near[2].shape[0] + rows[4].shape[0]
    count = near[3].shape[0]
    return np.empty((size, 2)), np.empty((2 * size, 2)), np.empty(12), np.empty(count, np.int64), np.full(count, -1)


@kernel
def run(rows: Rows, near: Near, ask: Floats, goals: Floats) -> Found:
    """Search outward from a start (see `asked`): to the first goal, or everywhere."""
    _, edges, discs, circles, _, box = near
    count = circles.shape[0]
    work, counts = room(rows, near), np.zeros(5, np.int64)
    out = np.empty((4 * count + 8, 2)), np.empty((4 * count + 8, 8)), np.empty((4 * count + 8, 3), np.int64)
    sides = np.full(2 * count + 2, -1), np.empty(2 * count + 2, np.int64), np.full(2 * count, -1)
    done = np.zeros(4 * count * (count + 1) + 2, np.bool_)
    nodes = np.empty((64, 7)), np.empty((64, 4), np.int64)
    heap = np.empty((256, 1)), np.empty((256, 2), np.int64), np.empty((256, 1)), np.empty((256, 1), np.int64)
    nodes[0][0, :] = 0.0
    nodes[0][0, 2] = TURN
    nodes[0][0, 3], nodes[0][0, 4], nodes[0][0, 5], nodes[0][0, 6] = ask[0], ask[1], ask[0], ask[1]
    nodes[1][0, 0], nodes[1][0, 1], nodes[1][0, 2], nodes[1][0, 3] = START, 1, START, -1
    counts[NODES] = 1
    out, heap = expand(rows, near, 0, ask, goals, work, sides, done, nodes, out, heap, counts)
    while counts[HEAPED] > 0:
        step = take(heap[2], heap[3], counts)
        cost, before, link = heap[0][step, 0], heap[1][step, 0], heap[1][step, 1]
        if link < 0:
            _, _, lx, ly, x, y = leave_for(circles, rows[8][5], nodes[0], nodes[1], before, goals[-1 - link])
            if leg_free(lx, ly, x, y, edges, discs, box):
                return before, cost, lx, ly, x, y, nodes[0][: counts[NODES]].copy(), nodes[1][: counts[NODES]].copy()
            continue
        key, circle, onward = out[2][link, 0], out[2][link, 1], out[2][link, 2]
        side = 2 * circle + (1 if onward > 0 else 0)
        if done[key] or is_beaten(circles, nodes, sides[2][side], cost, out[1][link, 4]):
            continue
        done[key] = True
        if not leg_free(out[1][link, 1], out[1][link, 2], out[1][link, 6], out[1][link, 7], edges, discs, box):
            continue
        nodes = add_node(nodes, cost, before, out, link, sides[2], counts)
        out, heap = expand(rows, near, counts[NODES] - 1, ask, goals, work, sides, done, nodes, out, heap, counts)
    return -1, 0.0, 0.0, 0.0, 0.0, 0.0, nodes[0][: counts[NODES]].copy(), nodes[1][: counts[NODES]].copy()


@kernel
def legs_of(circles: Floats, found: Found) -> Floats:
    """The legs of a way: 1 for a bend or 0 for a straight leg, its end (x, y), centre (x, y) and sense of turning."""
    before, _, lx, ly, ex, ey, floats, ints = found
    chain = np.empty(ints.shape[0], np.int64)
    count = 0
    while before != START:
        chain[count] = before
        count += 1
        before = ints[before, 2]
    legs = np.zeros((2 * count, 6))
    used = 0
    hx, hy = floats[0, 5], floats[0, 6]
    for k in range(count - 1, -1, -1):
        on = chain[k]
        x0, y0, x1, y1 = lx, ly, ex, ey
        if k > 0:
            onto = chain[k - 1]
            x0, y0, x1, y1 = floats[onto, 3], floats[onto, 4], floats[onto, 5], floats[onto, 6]
        if ints[on, 0] != START:
            cx, cy, radius = circles[ints[on, 0], 0], circles[ints[on, 0], 1], circles[ints[on, 0], 2]
            turned = sweep(floats[on, 1], atan2(y0 - cy, x0 - cx), ints[on, 1])
            if radius * turned > NOISE:
                legs[used, 0], legs[used, 1], legs[used, 2] = 1.0, x0, y0
                legs[used, 3], legs[used, 4], legs[used, 5] = cx, cy, ints[on, 1]
                used += 1
                hx, hy = x0, y0
        if gap(x1 - hx, y1 - hy) > NOISE:
            legs[used, 1], legs[used, 2] = x1, y1
            used += 1
            hx, hy = x1, y1
    return legs[:used].copy()


# ---- questions: a way to a place, into contact, everywhere ----

NOT, STRAIGHT, BENT = 0, 1, 2
"""How a question was answered: no way, a straight way to the given end, or legs."""


@kernel
def asked(sx: float, sy: float, limit: float, gx: float, gy: float, reach: float, aimed: float) -> Floats:
    """A question in one row: start x, y, limit, aim x, y and reach, and 1 where there is an aim."""
    ask = np.empty(7)
    ask[0], ask[1], ask[2], ask[3], ask[4], ask[5], ask[6] = sx, sy, limit, gx, gy, reach, aimed
    return ask


@kernel
def shortest_way(
    rows: Rows, discs: Floats, sx: float, sy: float, gx: float, gy: float, limit: float
) -> tuple[int, float, Floats]:
    """The shortest way to a place, as `search.shortest` finds it: how it was answered, its cost, and its legs."""
    nothing = np.empty((0, 6))
    away = gap(gx - sx, gy - sy)
    if away > limit:
        return NOT, 0.0, nothing
    near = gather(rows, discs, sx, sy, gx, gy, away, True)
    _, edges, limits, _, _, box = near
    if not near[0] or not may_stand(rows, edges, limits, box, gx, gy):
        return NOT, 0.0, nothing
    if away <= NOISE or leg_free(sx, sy, gx, gy, edges, limits, box):
        return STRAIGHT, away, nothing
    goals = np.zeros((1, 3))
    goals[0, 0], goals[0, 1] = gx, gy
    for bound in (1.1 * away + 1.0, 1.5 * away + 4.0, limit):
        total = min(bound, limit)
        near = gather(rows, discs, sx, sy, gx, gy, total, True)
        if not near[0]:
            return NOT, 0.0, nothing
        found = run(rows, near, asked(sx, sy, total, gx, gy, 0.0, 1.0), goals)
        if found[0] >= 0:
            return BENT, found[1], legs_of(near[3], found)
        if bound >= limit:
            break
    return NOT, 0.0, nothing


@kernel
def with_target(discs: Floats, tx: float, ty: float, reach: float) -> Floats:
    """The discs but for those about the target's centre, and the target as a disc."""
    around = np.empty((discs.shape[0] + 1, 3))
    count = 0
    for i in range(discs.shape[0]):
        if gap(discs[i, 0] - tx, discs[i, 1] - ty) > TOL:
            around[count, 0], around[count, 1], around[count, 2] = discs[i, 0], discs[i, 1], discs[i, 2]
            count += 1
    around[count, 0], around[count, 1], around[count, 2] = tx, ty, reach
    return around[: count + 1].copy()


@kernel
def border_places(rows: Rows, near: Near, target: Floats) -> Floats:
    """The borders of the free part of a circle of contact, as `contact.border_places` finds them."""
    _, edges, discs, _, _, box = near
    slack = rows[8][5]
    others = np.empty((discs.shape[0], 3))
    count = 0
    for i in range(discs.shape[0]):
        if gap(discs[i, 0] - target[0], discs[i, 1] - target[1]) > TOL:
            others[count, 0], others[count, 1], others[count, 2] = discs[i, 0], discs[i, 1], discs[i, 2]
            count += 1
    others = others[:count].copy()
    parts, spread, marks, _, _ = room(rows, near)
    places = np.empty((4 * parts.shape[0], 2))
    used = 0
    for more in (slack, min(NOISE, slack / 4)):
        many = circle_blocked(target, edges, others, box, more, parts, spread, marks)
        many = merge(parts, many, spread)
        for i in range(many):
            if parts[i, 1] - parts[i, 0] < TURN:
                for angle in (parts[i, 0], parts[i, 1]):
                    x, y = target[0] + target[2] * cos(angle), target[1] + target[2] * sin(angle)
                    known = False
                    for k in range(used):
                        known = known or (places[k, 0] == x and places[k, 1] == y)
                    if not known:
                        places[used, 0], places[used, 1] = x, y
                        used += 1
    return places[:used].copy()


@kernel
def contact_way(
    rows: Rows, discs: Floats, sx: float, sy: float, tx: float, ty: float, reach: float, limit: float
) -> tuple[int, float, float, float, Floats]:
    """The shortest way into contact, as `contact.contact` finds it: how it was answered, cost, end (x, y) and legs."""
    nothing = np.empty((0, 6))
    away = gap(tx - sx, ty - sy)
    around = with_target(discs, tx, ty, reach)
    rest = (away - reach) / away
    ex, ey = sx + rest * (tx - sx), sy + rest * (ty - sy)
    near = gather(rows, around, sx, sy, ex, ey, away - reach, False)
    if near[0] and leg_free(sx, sy, ex, ey, near[1], near[2], near[5]):
        return STRAIGHT, gap(ex - sx, ey - sy), ex, ey, nothing
    near = gather(rows, around, sx, sy, tx, ty, limit + reach, False)
    if not near[0]:
        return NOT, 0.0, 0.0, 0.0, nothing
    target = np.empty(3)
    target[0], target[1], target[2] = tx, ty, reach
    places = border_places(rows, near, target)
    goals = np.zeros((places.shape[0] + 1, 3))
    goals[0] = target
    count = 1
    for i in range(places.shape[0]):
        if gap(places[i, 0] - sx, places[i, 1] - sy) <= limit:
            goals[count, 0], goals[count, 1] = places[i, 0], places[i, 1]
            count += 1
    found = run(rows, near, asked(sx, sy, limit, tx, ty, reach, 1.0), goals[:count].copy())
    if found[0] < 0:
        return NOT, 0.0, 0.0, 0.0, nothing
    return BENT, found[1], found[4], found[5], legs_of(near[3], found)


@kernel
def arrival_states(rows: Rows, discs: Floats, sx: float, sy: float, limit: float) -> tuple[Near, Floats, Ints]:
    """All places where shortest ways within a limit touch circles: what was looked at, and arrivals as in `Found`."""
    near = gather(rows, discs, sx, sy, sx, sy, 2 * limit, False)
    if not near[0]:
        return near, np.empty((0, 7)), np.empty((0, 4), np.int64)
    found = run(rows, near, asked(sx, sy, limit, sx, sy, 0.0, 0.0), np.empty((0, 3)))
    return near, found[6], found[7]


@kernel
def end_finish(
    rows: Rows, near: Near, floats: Floats, ints: Ints, limit: float, x: float, y: float
) -> tuple[int, float, float, float]:
    """The last leg of the shortest way to a place: the arrival before it (-1 for no way), cost, and where it leaves."""
    _, edges, discs, circles, _, box = near
    sx, sy = floats[0, 5], floats[0, 6]
    away = gap(x - sx, y - sy)
    if away > limit or not may_stand(rows, edges, discs, box, x, y):
        return -1, 0.0, 0.0, 0.0
    if away <= NOISE or leg_free(sx, sy, x, y, edges, discs, box):
        return 0, away, sx, sy
    goal = np.zeros(3)
    goal[0], goal[1] = x, y
    best, cost, left_x, left_y = -1, inf, 0.0, 0.0
    for number in range(1, ints.shape[0]):
        least = floats[number, 0] + gap(x - floats[number, 5], y - floats[number, 6])
        if least > limit or least > cost + NOISE:
            continue
        there, total, lx, ly, _, _ = leave_for(circles, rows[8][5], floats, ints, number, goal)
        if there and total <= limit and total < cost and leg_free(lx, ly, x, y, edges, discs, box):
            best, cost, left_x, left_y = number, total, lx, ly
    return best, cost, left_x, left_y


@kernel
def end_costs(
    rows: Rows, near: Near, floats: Floats, ints: Ints, limit: float, points: Floats
) -> tuple[Floats, Ints, Floats]:
    """For many places (n, 2): the cost (infinite for no way), the arrival before the last leg, and where it leaves."""
    costs, before, left = np.full(points.shape[0], inf), np.full(points.shape[0], -1), np.zeros((points.shape[0], 2))
    for i in range(points.shape[0]):
        number, cost, lx, ly = end_finish(rows, near, floats, ints, limit, points[i, 0], points[i, 1])
        if number >= 0:
            costs[i], before[i], left[i, 0], left[i, 1] = cost, number, lx, ly
    return costs, before, left


# ---- the field, as `field.any_angle` fills it ----

AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
"""Columns and rows from a cell to those about it."""

DIAGONAL = 1.5
"""Cells within so many steps of the start are looked at from the start itself."""


@kernel
def any_angle(
    rows: Rows, near: Near, sx: float, sy: float, limit: float, x0: float, y0: float, step: float, nx: int, ny: int
) -> Floats:
    """Costs (nx, ny) of the cells at x0 + i step, y0 + j step by ways over cells in sight; infinite out of reach."""
    _, edges, discs, _, _, box = near
    costs, parents = np.full((nx, ny), inf), np.full(nx * ny, -1)
    closed, counts = np.zeros(nx * ny, np.bool_), np.zeros(5, np.int64)
    stands = np.full(nx * ny, -1)
    heap = np.empty((256, 1)), np.empty((256, 2), np.int64), np.empty((256, 1)), np.empty((256, 1), np.int64)
    for i in range(nx):
        for j in range(ny):
            x, y = x0 + i * step, y0 + j * step
            away = gap(x - sx, y - sy)
            if away > DIAGONAL * step or away > limit or not may_stand(rows, edges, discs, box, x, y):
                continue
            if away <= NOISE or leg_free(sx, sy, x, y, edges, discs, box):
                costs[i, j] = away
                heap = offer(away, away, i * ny + j, 0, heap, counts)
    while counts[HEAPED] > 0:
        cell = heap[1][take(heap[2], heap[3], counts), 0]
        if closed[cell]:
            continue
        closed[cell] = True
        i, j = cell // ny, cell % ny
        parent = parents[cell]
        px, py, spent = sx, sy, 0.0
        if parent >= 0:
            px, py = x0 + (parent // ny) * step, y0 + (parent % ny) * step
            spent = costs[parent // ny, parent % ny]
        for di, dj in AROUND:
            u, v = i + di, j + dj
            if not (0 <= u < nx and 0 <= v < ny) or closed[u * ny + v]:
                continue
            x, y = x0 + u * step, y0 + v * step
            other = u * ny + v
            cost, whence = spent + gap(x - px, y - py), parent
            if cost > limit or cost >= costs[u, v] - 1e-12:
                continue
            if stands[other] < 0:
                stands[other] = 1 if may_stand(rows, edges, discs, box, x, y) else 0
            if stands[other] == 0:
                continue
            if not leg_free(px, py, x, y, edges, discs, box):
                hx, hy = x0 + i * step, y0 + j * step
                cost, whence = costs[i, j] + gap(x - hx, y - hy), cell
                if cost > limit or cost >= costs[u, v] - 1e-12 or not leg_free(hx, hy, x, y, edges, discs, box):
                    continue
            costs[u, v], parents[other] = cost, whence
            heap = offer(cost, cost, other, 0, heap, counts)
    return costs


def _tiny() -> tuple[Rows, Floats]:
    """A table of 10 by 8 inches with one wall, as a layout, and one disc on it."""
    edges = np.array([[5.0, 2.0, 0.0, 1.0, 3.0, 0.5 * pi, 0.5]])
    circles = np.array([[5.0, 5.0, 0.5]])
    stretches = np.array([[1.25 * pi, 1.75 * pi]])
    corners = np.array([[5.0, 2.0, 5.0, 5.0]])
    facts = np.array([0.5, 0.5, 9.5, 7.5, 0.5, 5e-5, 0.5])
    begins, boxes = np.array([0, 1], dtype=np.int64), np.array([[5.0, 2.0, 5.0, 5.0]])
    rows = (edges, np.array([[5.0, 3.5, 1.5]]), circles, begins, stretches, corners, begins.copy(), boxes, facts)
    return rows, np.array([[7.0, 5.0, 1.0]])


def _sample_tape() -> None:
    rows, discs = _tiny()
    near = True, rows[0], discs, rows[2], np.zeros(1, np.int64), np.array([0.0, 0.0, 10.0, 8.0])
    floats = np.array([[0.0, 0.0, TURN, 2.0, 3.0, 2.0, 3.0]])
    ints = np.array([[START, 1, START, -1]], dtype=np.int64)
    sample("shortest_way", rows, discs, 2.0, 3.0, 8.0, 3.0, 12.0)
    sample("contact_way", rows, discs, 2.0, 3.0, 8.0, 3.0, 1.0, 12.0)
    sample("arrival_states", rows, discs, 2.0, 3.0, 6.0)
    sample("end_costs", rows, near, floats, ints, 6.0, np.array([[6.0, 3.0]]))
    sample("any_angle", rows, near, 2.0, 3.0, 6.0, 0.0, 0.0, 0.5, 20, 16)


_sample_tape()


# ---- the tangent graph, as `graph.TangentGraph` builds and asks it ----

HAND_OVER, CLOSED, OPEN = 0, 1, 2
"""What to do with a question to the graph: let the search answer it; answer no; look for a way."""

Table = tuple[Ints, Ints, Floats]
"""Where the blocked stretches of each circle begin, how many they are, and the stretches."""


@kernel
def all_stretches(edges: Floats, circles: Floats, box: Floats) -> Table:
    """The stretches of every circle that edges and the border block."""
    size = 8 + 8 * edges.shape[0]
    parts, spread, marks, counts = np.empty((size, 2)), np.empty((2 * size, 2)), np.empty(12), np.zeros(5, np.int64)
    begins, many = np.empty(circles.shape[0], np.int64), np.empty(circles.shape[0], np.int64)
    spans, nobody = np.empty((4 * circles.shape[0] + 8, 2)), np.empty((0, 3))
    for i in range(circles.shape[0]):
        count = circle_blocked(circles[i], edges, nobody, box, 0.0, parts, spread, marks)
        used = counts[SPANS]
        spans = grown(spans, used, count)
        spans[used : used + count] = parts[:count]
        begins[i], many[i], counts[SPANS] = used, count, used + count
    return begins, many, spans[: counts[SPANS]].copy()


@kernel
def bitangents(rows: Rows, near: Near) -> tuple[Table, Ints, Floats]:
    """The stretches of every circle, and every free bitangent: circle and sense at both ends; both angles and size."""
    _, edges, discs, circles, _, box = near
    slack = rows[8][5]
    work, counts = room(rows, near), np.zeros(5, np.int64)
    spans, begins, many = np.empty((4 * circles.shape[0] + 8, 2)), work[3], work[4]
    for i in range(circles.shape[0]):
        spans = known_stretches(rows, near, i, work, spans, counts)
    ends, sizes = np.empty((256, 4), np.int64), np.empty((256, 3))
    used = 0
    for turn in (1, -1):
        for onward in (1, -1):
            for i in range(circles.shape[0]):
                ax, ay, aradius = circles[i, 0], circles[i, 1], circles[i, 2]
                for j in range(i + 1, circles.shape[0]):
                    bx, by, bradius = circles[j, 0], circles[j, 1], circles[j, 2]
                    there, size, dx, dy = tangent(ax, ay, aradius, turn, bx, by, bradius, onward, slack)
                    if not there:
                        continue
                    leave = atan2(-turn * dx, turn * dy)
                    if free_run(spans, begins[i], many[i], leave, turn) < 0.0:
                        continue
                    arrive = atan2(-onward * dx, onward * dy)
                    if free_run(spans, begins[j], many[j], arrive, onward) < 0.0:
                        continue
                    lx, ly = ax + turn * aradius * dy, ay - turn * aradius * dx
                    x, y = bx + onward * bradius * dy, by - onward * bradius * dx
                    if not leg_free(lx, ly, x, y, edges, discs, box):
                        continue
                    ends, sizes = grown(ends, used, 1), grown(sizes, used, 1)
                    ends[used, 0], ends[used, 1], ends[used, 2], ends[used, 3] = i, turn, j, onward
                    sizes[used, 0], sizes[used, 1], sizes[used, 2] = leave, arrive, size
                    used += 1
    return (begins, many, spans[: counts[SPANS]].copy()), ends[:used].copy(), sizes[:used].copy()


@kernel
def arcs_between(table: Table, circles: Floats, sides: Ints, angles: Floats, pairs: Ints) -> Floats:
    """For pairs (n, 2) of tangent points of one side of a circle: radians turned between them, -1 where blocked."""
    begins, many, spans = table
    turned = np.empty(pairs.shape[0])
    for k in range(pairs.shape[0]):
        one = pairs[k, 0]
        circle, turn = sides[one, 0], sides[one, 1]
        size = sweep(angles[one], angles[pairs[k, 1]], turn)
        if circles[circle, 2] != 0.0:
            run = free_run(spans, begins[circle], many[circle], angles[one], turn)
            if size > run + NOISE:
                size = -1.0
        turned[k] = size
    return turned


@kernel
def is_within(near: Near, radius: float, x: float, y: float) -> bool:
    """Whether a place lies in a circle, or nearer to an edge than the radius."""
    edges, circles, found = near[1], near[3], False
    for i in range(circles.shape[0]):
        dx, dy, reach = circles[i, 0] - x, circles[i, 1] - y, max(circles[i, 2] - NOISE, 0.0)
        found = found or dx * dx + dy * dy < reach * reach
    for i in range(edges.shape[0]):
        found = found or edge_distance(x, y, edges, i) < radius - NOISE
    return found


@kernel
def may_lie(rows: Rows, box: Floats, x: float, y: float) -> bool:
    """Whether a place is on the table and in no wall."""
    return box[0] <= x <= box[2] and box[1] <= y <= box[3] and not in_walls(rows, x, y)


@kernel
def graph_ends(
    rows: Rows, near: Near, table: Table, sx: float, sy: float, gx: float, gy: float, limit: float
) -> tuple[int, Ints, Floats]:
    """What to do with a question; and the free tangents from its ends that a way within the limit can use.

    Those are rows of 1 at the goal or 0 at the start, circle and sense of turning, and of size and angle.
    """
    _, edges, discs, circles, _, box = near
    begins, many, spans = table
    ends, sizes = np.empty((4 * circles.shape[0], 3), np.int64), np.empty((4 * circles.shape[0], 2))
    radius, slack, used = rows[8][4], rows[8][5], 0
    if is_within(near, radius, sx, sy) or is_within(near, radius, gx, gy):
        return HAND_OVER, ends[:0].copy(), sizes[:0].copy()
    if not may_lie(rows, box, sx, sy) or not may_lie(rows, box, gx, gy):
        return CLOSED, ends[:0].copy(), sizes[:0].copy()
    if gap(gx - sx, gy - sy) <= NOISE or leg_free(sx, sy, gx, gy, edges, discs, box):
        return HAND_OVER, ends[:0].copy(), sizes[:0].copy()
    for at_goal in range(2):
        px, py = (gx, gy) if at_goal == 1 else (sx, sy)
        qx, qy = (sx, sy) if at_goal == 1 else (gx, gy)
        for turn in (1, -1):
            for i in range(circles.shape[0]):
                x, y, reach = circles[i, 0], circles[i, 1], circles[i, 2]
                if at_goal == 1:
                    there, size, dx, dy = tangent(x, y, reach, turn, px, py, 0.0, 1, slack)
                else:
                    there, size, dx, dy = tangent(px, py, 0.0, 1, x, y, reach, turn, slack)
                x, y = x + turn * reach * dy, y - turn * reach * dx
                if not there or size + gap(x - qx, y - qy) > limit:
                    continue
                angle = atan2(-turn * dx, turn * dy)
                if free_run(spans, begins[i], many[i], angle, turn) < 0.0:
                    continue
                if leg_free(px, py, x, y, edges, discs, box):
                    ends[used, 0], ends[used, 1], ends[used, 2] = at_goal, i, turn
                    sizes[used, 0], sizes[used, 1] = size, angle
                    used += 1
    return OPEN, ends[:used].copy(), sizes[:used].copy()


def _sample_graph() -> None:
    rows, discs = _tiny()
    box, circles = np.array([0.5, 0.5, 9.5, 7.5]), np.array([[5.0, 5.0, 0.5], [7.0, 5.0, 1.0]])
    near = True, rows[0], discs, circles, np.array([0, -1], dtype=np.int64), box
    table = np.array([0, 1], dtype=np.int64), np.array([1, 0], dtype=np.int64), np.array([[0.0, 1.0]])
    sides = np.array([[0, 1], [0, 1]], dtype=np.int64)
    sample("all_stretches", rows[0], circles, box)
    sample("bitangents", rows, near)
    sample("arcs_between", table, circles, sides, np.array([2.0, 3.0]), np.array([[0, 1]], dtype=np.int64))
    sample("graph_ends", rows, near, table, 2.0, 3.0, 8.0, 3.0, 12.0)


_sample_graph()


# ---- the referee ----
#
# Rows are flat: a base is ``x, y, height, radius, on the ground, hostile`` (1 or 0), an outline a box (4 numbers) and a
# run of edges (4 numbers each), a distance to keep ``limit, whole way, standing models too, earned within`` (below 0
# where nothing has to be earned), a bend of a leg ``turn, centre`` with turn 1 to the left, -1 to the right, 0 for a
# straight leg. The plain twin takes lists in place of arrays, which it reads faster.

TOLERANCE = 1e-4
"""The tolerance of the referee's comparisons, as in `tactician.rules.core.measure`."""

GUARD = 1e-6
"""Inches on either side of a limit for which a kernel is not certain and the plain code judges."""

NO, YES, UNSURE = 0, 1, 2
"""Answers of `shifts_clear`."""

SIZE_OF_BASE, SIZE_OF_KEEP = 6, 4


@kernel
def off_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0
    if square > 0.0:
        t = ((px - ax) * dx + (py - ay) * dy) / square
        t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    ex, ey = px - ax - t * dx, py - ay - t * dy
    return sqrt(ex * ex + ey * ey)


@kernel
def turn_of(ax: float, ay: float, bx: float, by: float, px: float, py: float) -> float:
    """Twice the signed area of the triangle a, b, p."""
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


@kernel
def between_segments(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> float:
    """Distance of two segments; 0 where they cross."""
    if turn_of(ax, ay, bx, by, cx, cy) * turn_of(ax, ay, bx, by, dx, dy) < 0.0 and (
        turn_of(cx, cy, dx, dy, ax, ay) * turn_of(cx, cy, dx, dy, bx, by) < 0.0
    ):
        return 0.0
    best = off_segment(ax, ay, cx, cy, dx, dy)
    best = min(best, off_segment(bx, by, cx, cy, dx, dy))
    best = min(best, off_segment(cx, cy, ax, ay, bx, by))
    return min(best, off_segment(dx, dy, ax, ay, bx, by))


@kernel
def sweep_of(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, turn: float) -> float:
    """Radians of the arc from a to b about c, never negative."""
    first, last = atan2(ay - cy, ax - cx), atan2(by - cy, bx - cx)
    sweep = (last - first if turn > 0.0 else first - last) % TURN
    return 0.0 if sweep > TURN - 1e-9 else sweep


@kernel
def is_on_arc(angle: float, first: float, sweep: float, turn: float) -> bool:
    """Whether an arc passes an angle."""
    turned = (angle - first if turn > 0.0 else first - angle) % TURN
    return turned <= sweep or turned > TURN - 1e-12


@kernel
def off_arc(
    px: float, py: float, ax: float, ay: float, bx: float, by: float, cx: float, cy: float, turn: float
) -> float:
    """Distance of a point from the arc from a to b about c."""
    if is_on_arc(atan2(py - cy, px - cx), atan2(ay - cy, ax - cx), sweep_of(ax, ay, bx, by, cx, cy, turn), turn):
        far = sqrt((px - cx) * (px - cx) + (py - cy) * (py - cy))
        return abs(far - sqrt((ax - cx) * (ax - cx) + (ay - cy) * (ay - cy)))
    one = sqrt((px - ax) * (px - ax) + (py - ay) * (py - ay))
    return min(one, sqrt((px - bx) * (px - bx) + (py - by) * (py - by)))


@kernel
def arc_off_segment(
    ex: float,
    ey: float,
    fx: float,
    fy: float,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    cx: float,
    cy: float,
    turn: float,
) -> float:
    """Distance of the segment e - f from the arc from a to b about c."""
    first, sweep = atan2(ay - cy, ax - cx), sweep_of(ax, ay, bx, by, cx, cy, turn)
    dx, dy, gx, gy = fx - ex, fy - ey, ex - cx, ey - cy
    square, half = dx * dx + dy * dy, gx * dx + gy * dy
    round_ = (ax - cx) * (ax - cx) + (ay - cy) * (ay - cy)
    root = half * half - square * (gx * gx + gy * gy - round_)
    if square > 0.0 and root >= 0.0:
        for sign in (-1.0, 1.0):
            t = (-half + sign * sqrt(root)) / square
            if 0.0 <= t <= 1.0 and is_on_arc(atan2(gy + t * dy, gx + t * dx), first, sweep, turn):
                return 0.0
    best = min(off_arc(ex, ey, ax, ay, bx, by, cx, cy, turn), off_arc(fx, fy, ax, ay, bx, by, cx, cy, turn))
    best = min(best, off_segment(ax, ay, ex, ey, fx, fy))
    best = min(best, off_segment(bx, by, ex, ey, fx, fy))
    if square > 0.0 and 0.0 < -half / square < 1.0:
        t = -half / square
        best = min(best, off_arc(ex + t * dx, ey + t * dy, ax, ay, bx, by, cx, cy, turn))
    return best


@kernel
def is_inside(x: float, y: float, edges: Floats, low: int, high: int) -> bool:
    """Whether a point lies inside the outline whose edges these are (even-odd)."""
    inside = False
    for e in range(low, high):
        ax, ay, bx, by = edges[4 * e], edges[4 * e + 1], edges[4 * e + 2], edges[4 * e + 3]
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


@kernel
def closest_pass(fx: float, fy: float, dx: float, dy: float) -> float:
    """Least length of f + u * d for u from 0 to 1."""
    square = dx * dx + dy * dy
    u = 0.0
    if square > 0.0:
        u = -(fx * dx + fy * dy) / square
        u = 0.0 if u < 0.0 else 1.0 if u > 1.0 else u
    gx, gy = fx + dx * u, fy + dy * u
    return sqrt(gx * gx + gy * gy)


# ---- links


@kernel
def count_pieces(rows: Floats, count: int, reach: float, chain: bool, marks: Ints, at: int) -> int:
    """How far places (x, y, height each) are from coherency: the pieces, or 1 and the number that have no mate.

    Uses `marks` from `at` on, twice as many as there are places.
    """
    for i in range(count):
        marks[at + i] = 0
    pieces = 0
    if not chain and count >= 2:
        for i in range(count):
            for j in range(i + 1, count):
                dx, dy = rows[3 * i] - rows[3 * j], rows[3 * i + 1] - rows[3 * j + 1]
                dz = rows[3 * i + 2] - rows[3 * j + 2]
                if sqrt(dx * dx + dy * dy + dz * dz) <= reach:
                    marks[at + i] = 1
                    marks[at + j] = 1
        for i in range(count):
            pieces += 1 - marks[at + i]
        return 1 + pieces
    for first in range(count):
        if marks[at + first] != 0:
            continue
        pieces += 1
        marks[at + first] = 1
        marks[at + count] = first
        size = 1
        while size > 0:
            size -= 1
            i = marks[at + count + size]
            x, y, z = rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]
            for j in range(count):
                if marks[at + j] == 0:
                    dx, dy, dz = x - rows[3 * j], y - rows[3 * j + 1], z - rows[3 * j + 2]
                    if sqrt(dx * dx + dy * dy + dz * dz) <= reach:
                        marks[at + j] = 1
                        marks[at + count + size] = j
                        size += 1
    return pieces


@kernel
def break_moment(beat: Floats, reach: float, allowed: int, chain: bool, moments: Floats, marks: Ints) -> float:
    """The moment of a beat from which a unit is in more disorder than allowed; below 0 where there is none.

    Args:
        beat: ``x, y, height`` of each model at the start and at the end, then as much room again for its places.
        reach: greatest distance of the centres of two linked models.
        allowed: disorder allowed.
        chain: whether the whole unit must be one piece.
        moments: room for two moments a pair and two more.
        marks: room for two numbers a model.
    """
    count = len(marks) // 2
    size = 1
    moments[0] = 0.0
    for i in range(count):
        for j in range(i + 1, count):
            a, b = 6 * i, 6 * j
            dx = (beat[a + 3] - beat[a]) - (beat[b + 3] - beat[b])
            dy = (beat[a + 4] - beat[a + 1]) - (beat[b + 4] - beat[b + 1])
            dz = (beat[a + 5] - beat[a + 2]) - (beat[b + 5] - beat[b + 2])
            fx, fy, fz = beat[a] - beat[b], beat[a + 1] - beat[b + 1], beat[a + 2] - beat[b + 2]
            square = dx * dx + dy * dy + dz * dz
            free = fx * fx + fy * fy + fz * fz - reach * reach
            half = fx * dx + fy * dy + fz * dz
            root = half * half - square * free
            if square <= 1e-24 or root < 0.0:
                continue
            low, high = (-half - sqrt(root)) / square, (-half + sqrt(root)) / square
            if high >= 0.0 and low <= 1.0:
                moments[size] = max(low, 0.0)
                moments[size + 1] = min(high, 1.0)
                size += 2
    moments[size] = 1.0
    size += 1
    for k in range(size, len(moments)):
        moments[k] = 2.0
    moments.sort()
    for k in range(size - 1):
        low, high = moments[k], moments[k + 1]
        if high - low <= 1e-12:
            continue
        u = (low + high) / 2
        for i in range(count):
            for axis in range(3):
                start = beat[6 * i + axis]
                beat[6 * count + 3 * i + axis] = start + (beat[6 * i + 3 + axis] - start) * u
        if count_pieces(beat[6 * count :], count, reach, chain, marks, 0) > allowed:
            return float(low)
    return -1.0


# ---- a whole move that certainly breaks nothing


@kernel
def pay_ways(
    numbers: Floats, starts: Floats, begins: Ints, tos: Floats, bends: Floats, paid: Floats, work: Floats, marks: Ints
) -> bool:
    """Measure the ways: inches into `paid`, ends and the box of all into `work`, who moves into `marks`.

    False where some way is perhaps too long or perhaps leaves the table.
    """
    count, radius, is_legal = len(paid), numbers[4], True
    x0, y0, x1, y1 = starts[0], starts[1], starts[0], starts[1]
    for i in range(count):
        x, y, total, least = starts[2 * i], starts[2 * i + 1], 0.0, numbers[2]
        x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
        least = min(min(x, y), min(numbers[2] - x, numbers[3] - y))
        for k in range(begins[i], begins[i + 1]):
            bx, by = tos[2 * k], tos[2 * k + 1]
            across = sqrt((bx - x) * (bx - x) + (by - y) * (by - y))
            ax0, ay0, ax1, ay1 = min(x, bx), min(y, by), max(x, bx), max(y, by)
            if len(bends) > 0 and bends[3 * k] != 0.0:
                cx, cy = bends[3 * k + 1], bends[3 * k + 2]
                size = sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy))
                across = size * sweep_of(x, y, bx, by, cx, cy, bends[3 * k])
                ax0, ay0, ax1, ay1 = cx - size, cy - size, cx + size, cy + size
            total += across
            x, y = bx, by
            x0, y0, x1, y1 = min(x0, ax0), min(y0, ay0), max(x1, ax1), max(y1, ay1)
            least = min(least, min(min(ax0, ay0), min(numbers[2] - ax1, numbers[3] - ay1)))
        paid[i] = total
        work[2 * i], work[2 * i + 1] = x, y
        marks[i] = 1 if total > 0.0 else 0
        if not total <= numbers[1] + TOLERANCE - GUARD:
            is_legal = False
        if total > 0.0 and not least - radius >= GUARD - TOLERANCE:
            is_legal = False
    work[6 * count], work[6 * count + 1], work[6 * count + 2], work[6 * count + 3] = x0, y0, x1, y1
    return is_legal


@kernel
def note_near(
    numbers: Floats, others: Floats, keeps: Floats, boxes: Floats, work: Floats, marks: Ints, count: int
) -> tuple[int, int]:
    """Note the bases and outlines near the box of a whole move; how many of each."""
    x0, y0, x1, y1 = work[6 * count], work[6 * count + 1], work[6 * count + 2], work[6 * count + 3]
    radius, zone, bases, outlines = numbers[0], 0.0, 0, 0
    for k in range(len(keeps) // SIZE_OF_KEEP):
        zone = max(zone, keeps[SIZE_OF_KEEP * k])
    total = len(others) // SIZE_OF_BASE
    for j in range(total):
        b = SIZE_OF_BASE * j
        far = radius + others[b + 3] + TOLERANCE + GUARD
        if others[b + 5] != 0.0:
            far += zone
        x, y = others[b], others[b + 1]
        if x + far >= x0 and x - far <= x1 and y + far >= y0 and y - far <= y1:
            marks[count + bases] = j
            bases += 1
    far = radius + GUARD
    for w in range(len(boxes) // 4):
        b = 4 * w
        if boxes[b + 2] + far >= x0 and boxes[b] - far <= x1 and boxes[b + 3] + far >= y0 and boxes[b + 1] - far <= y1:
            marks[count + total + outlines] = w
            outlines += 1
    return bases, outlines


@kernel
def leg_clear_of_bases(
    numbers: Floats,
    leg: tuple[float, float, float, float],
    bend: tuple[float, float, float],
    others: Floats,
    spared: Ints,
    keeps: Floats,
    marks: Ints,
    span: tuple[int, int],
) -> bool:
    """Whether a leg certainly keeps clear of bases, and of zones that hold on the whole way."""
    ax, ay, bx, by = leg
    turn, cx, cy = bend
    x0, y0, x1, y1 = min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
    if turn != 0.0:
        size = sqrt((ax - cx) * (ax - cx) + (ay - cy) * (ay - cy))
        x0, y0, x1, y1 = cx - size, cy - size, cx + size, cy + size
    total = len(others) // SIZE_OF_BASE
    for place in range(span[0], span[1]):
        j = marks[place]
        b = SIZE_OF_BASE * j
        need = -1.0
        if numbers[6] != 0.0 and others[b + 4] != 0.0:
            need = numbers[0] + others[b + 3]
        if others[b + 5] != 0.0:
            for k in range(len(keeps) // SIZE_OF_KEEP):
                if keeps[SIZE_OF_KEEP * k + 1] != 0.0 and (len(spared) == 0 or spared[k * total + j] == 0):
                    need = max(need, numbers[0] + others[b + 3] + keeps[SIZE_OF_KEEP * k])
        if need < 0.0:
            continue
        x, y = others[b], others[b + 1]
        if x + need < x0 or x - need > x1 or y + need < y0 or y - need > y1:
            continue
        away = off_segment(x, y, ax, ay, bx, by) if turn == 0.0 else off_arc(x, y, ax, ay, bx, by, cx, cy, turn)
        if not away >= need - TOLERANCE + GUARD:
            return False
    return True


@kernel
def leg_clear_of_outlines(
    radius: float,
    leg: tuple[float, float, float, float],
    bend: tuple[float, float, float],
    boxes: Floats,
    firsts: Ints,
    edges: Floats,
    marks: Ints,
    span: tuple[int, int],
) -> bool:
    """Whether a leg certainly keeps clear of outlines."""
    ax, ay, bx, by = leg
    turn, cx, cy = bend
    x0, y0, x1, y1 = min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
    if turn != 0.0:
        size = sqrt((ax - cx) * (ax - cx) + (ay - cy) * (ay - cy))
        x0, y0, x1, y1 = cx - size, cy - size, cx + size, cy + size
    x0, y0, x1, y1 = x0 - radius, y0 - radius, x1 + radius, y1 + radius
    need = radius - TOLERANCE + GUARD
    for place in range(span[0], span[1]):
        w = marks[place]
        if boxes[4 * w + 2] < x0 or boxes[4 * w] > x1 or boxes[4 * w + 3] < y0 or boxes[4 * w + 1] > y1:
            continue
        for e in range(firsts[w], firsts[w + 1]):
            cx0, cy0, cx1, cy1 = edges[4 * e], edges[4 * e + 1], edges[4 * e + 2], edges[4 * e + 3]
            if max(cx0, cx1) < x0 or min(cx0, cx1) > x1 or max(cy0, cy1) < y0 or min(cy0, cy1) > y1:
                continue
            if turn == 0.0:
                away = between_segments(ax, ay, bx, by, cx0, cy0, cx1, cy1)
            else:
                away = arc_off_segment(cx0, cy0, cx1, cy1, ax, ay, bx, by, cx, cy, turn)
            if not away >= need:
                return False
        if is_inside(ax, ay, edges, firsts[w], firsts[w + 1]):
            return False
    return True


@kernel
def ends_clear(
    numbers: Floats, others: Floats, spared: Ints, keeps: Floats, work: Floats, marks: Ints, count: int, bases: int
) -> bool:
    """Whether the ends of a move are certainly apart from everybody and far enough from enemies."""
    radius, total, kept = numbers[0], len(others) // SIZE_OF_BASE, len(keeps) // SIZE_OF_KEEP
    for i in range(count):
        x, y = work[2 * i], work[2 * i + 1]
        for j in range(i + 1, count):
            if marks[i] != 0 or marks[j] != 0:
                dx, dy = work[2 * j] - x, work[2 * j + 1] - y
                if not sqrt(dx * dx + dy * dy) >= 2 * radius - TOLERANCE + GUARD:
                    return False
        for place in range(count, count + bases):
            j = marks[place]
            b = SIZE_OF_BASE * j
            dx, dy = others[b] - x, others[b + 1] - y
            flat = dx * dx + dy * dy
            bars = marks[i] != 0 and others[b + 4] != 0.0
            if bars and not sqrt(flat) >= radius + others[b + 3] - TOLERANCE + GUARD:
                return False
            if others[b + 5] == 0.0:
                continue
            away = sqrt(flat + others[b + 2] * others[b + 2]) - others[b + 3] - radius
            for k in range(kept):
                row = SIZE_OF_KEEP * k
                if marks[i] == 0 and keeps[row + 2] == 0.0:
                    continue
                is_spared = len(spared) > 0 and spared[k * total + j] != 0
                if is_spared and (keeps[row + 3] < 0.0 or is_earned(numbers, others, spared, keeps, work, count, k)):
                    continue
                if not away > keeps[row] + TOLERANCE + GUARD:
                    return False
    return True


@kernel
def is_earned(
    numbers: Floats, others: Floats, spared: Ints, keeps: Floats, work: Floats, count: int, keep: int
) -> bool:
    """Whether some model certainly ends near enough to a spared unit for the permission to hold."""
    total = len(others) // SIZE_OF_BASE
    most = keeps[SIZE_OF_KEEP * keep + 3] + TOLERANCE - GUARD
    for j in range(total):
        if spared[keep * total + j] == 0:
            continue
        b = SIZE_OF_BASE * j
        for i in range(count):
            dx, dy, dz = others[b] - work[2 * i], others[b + 1] - work[2 * i + 1], others[b + 2]
            if sqrt(dx * dx + dy * dy + dz * dz) - others[b + 3] - numbers[0] <= most:
                return True
    return False


@kernel
def beats_clear(numbers: Floats, starts: Floats, begins: Ints, tos: Floats, work: Floats, marks: Ints, at: int) -> bool:
    """Whether models that move in step certainly keep apart and linked while moving.

    A link that holds at both ends of a beat holds all through it, as the distance of two even movements is convex.
    """
    count, longest = len(begins) - 1, 0
    here, there, apart, links = 2 * count, 4 * count, 2 * numbers[0] - TOLERANCE + GUARD, numbers[7] - GUARD
    for i in range(count):
        longest = max(longest, begins[i + 1] - begins[i])
        work[here + 2 * i], work[here + 2 * i + 1] = starts[2 * i], starts[2 * i + 1]
    for leg in range(longest):
        is_one = True
        for i in range(count):
            k = begins[i] + leg
            x, y = work[here + 2 * i], work[here + 2 * i + 1]
            if k < begins[i + 1]:
                x, y = tos[2 * k], tos[2 * k + 1]
            work[there + 2 * i], work[there + 2 * i + 1] = x, y
            dx = (x - work[here + 2 * i]) - (work[there] - work[here])
            dy = (y - work[here + 2 * i + 1]) - (work[there + 1] - work[here + 1])
            is_one = is_one and sqrt(dx * dx + dy * dy) <= 1e-12
        if not is_one and not beat_clear(numbers, work, marks, at, count, apart, links):
            return False
        for i in range(2 * count):
            work[here + i] = work[there + i]
    return True


@kernel
def beat_clear(numbers: Floats, work: Floats, marks: Ints, at: int, count: int, apart: float, links: float) -> bool:
    """Whether models certainly keep apart and linked in one beat."""
    here, there, is_linked, is_chain = 2 * count, 4 * count, numbers[7] >= 0.0, numbers[8] != 0.0
    for i in range(count):
        marks[at + i] = i
    for i in range(count):
        for j in range(i + 1, count):
            fx, fy = work[here + 2 * i] - work[here + 2 * j], work[here + 2 * i + 1] - work[here + 2 * j + 1]
            gx, gy = work[there + 2 * i] - work[there + 2 * j], work[there + 2 * i + 1] - work[there + 2 * j + 1]
            if numbers[9] != 0.0 and not closest_pass(fx, fy, gx - fx, gy - fy) >= apart:
                return False
            if is_linked and sqrt(fx * fx + fy * fy) <= links and sqrt(gx * gx + gy * gy) <= links:
                if is_chain:
                    join(marks, at, count, i, j)
                else:
                    marks[at + i] = marks[at + j] = -1
    if is_linked and count > 1:
        for i in range(count):
            if (marks[at + i] != marks[at]) if is_chain else (marks[at + i] >= 0):
                return False
    return True


@kernel
def join(marks: Ints, at: int, count: int, i: int, j: int) -> None:
    """Give two groups one name."""
    kept, gone = marks[at + i], marks[at + j]
    if kept != gone:
        for k in range(count):
            if marks[at + k] == gone:
                marks[at + k] = kept


@kernel
def order_clear(
    numbers: Floats, starts: Floats, begins: Ints, tos: Floats, bends: Floats, order: Ints, work: Floats, marks: Ints
) -> bool:
    """Whether models that move one after another certainly keep clear of each other."""
    count = len(begins) - 1
    apart = 2 * numbers[0] - TOLERANCE + GUARD
    for place in range(len(order)):
        i = order[place]
        ax, ay = starts[2 * i], starts[2 * i + 1]
        for k in range(begins[i], begins[i + 1]):
            bx, by = tos[2 * k], tos[2 * k + 1]
            turn, cx, cy = 0.0, 0.0, 0.0
            if len(bends) > 0:
                turn, cx, cy = bends[3 * k], bends[3 * k + 1], bends[3 * k + 2]
            for j in range(count):
                if j == i:
                    continue
                x, y = starts[2 * j], starts[2 * j + 1]
                for earlier in range(place):
                    if order[earlier] == j:
                        x, y = work[2 * j], work[2 * j + 1]
                far = off_segment(x, y, ax, ay, bx, by) if turn == 0.0 else off_arc(x, y, ax, ay, bx, by, cx, cy, turn)
                if not far >= apart:
                    return False
            ax, ay = bx, by
    return True


@kernel
def move_is_clear(
    numbers: Floats,
    starts: Floats,
    begins: Ints,
    tos: Floats,
    bends: Floats,
    order: Ints,
    others: Floats,
    spared: Ints,
    keeps: Floats,
    boxes: Floats,
    firsts: Ints,
    edges: Floats,
    paid: Floats,
    work: Floats,
    marks: Ints,
) -> bool:
    """Whether a move over the ground certainly breaks nothing; where it is not certain, the plain code judges.

    Args:
        numbers: radius, allowance, width and height of the table, radius for its edge, in step or not, bases bar the
            way or not, greatest distance of linked centres (below 0 without links), links form a chain or not,
            mates bar the way or not.
        starts: x, y of each model.
        begins: for each model its first leg, and the number of all legs.
        tos: where each leg ends.
        bends: turn and centre of each leg; empty where all are straight.
        order: the models that move, in the order in which they do (for those that do not move in step).
        others: rows of bases.
        spared: for each distance to keep and each base whether it is not protected; empty where all are.
        keeps: rows of distances to keep.
        boxes: of outlines that may not be entered.
        firsts: for each outline its first edge, and the number of all edges.
        edges: of the outlines.
        paid: room for the inches of each model.
        work: room for six numbers a model and four more.
        marks: room for three numbers a model, one a base and one an outline.
    """
    count = len(paid)
    if not pay_ways(numbers, starts, begins, tos, bends, paid, work, marks):
        return False
    bases, outlines = note_near(numbers, others, keeps, boxes, work, marks, count)
    first = count + len(others) // SIZE_OF_BASE
    for i in range(count):
        ax, ay = starts[2 * i], starts[2 * i + 1]
        for k in range(begins[i], begins[i + 1]):
            leg, bend = (ax, ay, tos[2 * k], tos[2 * k + 1]), (0.0, 0.0, 0.0)
            if len(bends) > 0:
                bend = (bends[3 * k], bends[3 * k + 1], bends[3 * k + 2])
            if marks[i] != 0:
                span, spans = (count, count + bases), (first, first + outlines)
                if bases > 0 and not leg_clear_of_bases(numbers, leg, bend, others, spared, keeps, marks, span):
                    return False
                if not leg_clear_of_outlines(numbers[0], leg, bend, boxes, firsts, edges, marks, spans):
                    return False
            ax, ay = tos[2 * k], tos[2 * k + 1]
    if not ends_clear(numbers, others, spared, keeps, work, marks, count, bases):
        return False
    at = first + len(boxes) // 4
    if numbers[7] >= 0.0 and not is_linked_up(numbers, work, marks, at, count):
        return False
    if numbers[5] != 0.0:
        return beats_clear(numbers, starts, begins, tos, work, marks, at)
    return numbers[9] == 0.0 or order_clear(numbers, starts, begins, tos, bends, order, work, marks)


@kernel
def is_linked_up(numbers: Floats, work: Floats, marks: Ints, at: int, count: int) -> bool:
    """Whether the places at the head of `work` are certainly in coherency."""
    links = numbers[7] - GUARD
    for i in range(count):
        marks[at + i] = i
    for i in range(count):
        for j in range(i + 1, count):
            dx, dy = work[2 * i] - work[2 * j], work[2 * i + 1] - work[2 * j + 1]
            if sqrt(dx * dx + dy * dy) <= links:
                if numbers[8] != 0.0:
                    join(marks, at, count, i, j)
                else:
                    marks[at + i] = marks[at + j] = -1
    for i in range(count):
        if count > 1 and ((marks[at + i] != marks[at]) if numbers[8] != 0.0 else (marks[at + i] >= 0)):
            return False
    return True


# ---- a formation shifted as it stands, many ways at once


@kernel
def compare(value: float, limit: float) -> int:
    """`YES` where a value certainly reaches a limit, `NO` where it certainly does not."""
    return YES if value >= limit + GUARD else NO if value < limit - GUARD else UNSURE


@kernel
def formation_stands(numbers: Floats, starts: Floats, work: Floats, marks: Ints) -> int:
    """Whether a formation could be shifted as far as its own models go: apart, and in one piece."""
    count, answer = len(starts) // 2, YES
    for i in range(count):
        for j in range(i + 1, count):
            dx, dy = starts[2 * i] - starts[2 * j], starts[2 * i + 1] - starts[2 * j + 1]
            found = compare(sqrt(dx * dx + dy * dy), 2 * numbers[0] - TOLERANCE)
            answer = found if answer == YES or found == NO else answer
        work[3 * i], work[3 * i + 1], work[3 * i + 2] = starts[2 * i], starts[2 * i + 1], 0.0
    if numbers[7] >= 0.0 and answer != NO:
        is_chain = numbers[8] != 0.0
        most = count_pieces(work, count, numbers[7] - GUARD, is_chain, marks, 0)
        least = count_pieces(work, count, numbers[7] + GUARD, is_chain, marks, 0)
        if least > 1:
            return NO
        answer = UNSURE if most > 1 else answer
    return answer


@kernel
def shift_on_table(numbers: Floats, starts: Floats, dx: float, dy: float) -> int:
    """Whether a shift stays on the table and within the allowance; `UNSURE` where a model begins off the table."""
    answer = compare(numbers[1] + TOLERANCE, sqrt(dx * dx + dy * dy))
    for i in range(len(starts) // 2):
        x, y = starts[2 * i] + dx, starts[2 * i + 1] + dy
        room = min(min(x, y), min(numbers[2] - x, numbers[3] - y)) - numbers[4]
        if room < GUARD - TOLERANCE:
            x, y = starts[2 * i], starts[2 * i + 1]
            before = min(min(x, y), min(numbers[2] - x, numbers[3] - y)) - numbers[4]
            found = compare(room, -TOLERANCE) if before >= GUARD - TOLERANCE else UNSURE
            answer = found if answer == YES or found == NO else answer
    return answer


@kernel
def note_bases(numbers: Floats, starts: Floats, others: Floats, keeps: Floats, far: float, near: Ints) -> None:
    """For each model the bases that a shift by at most so much can meet: how many, then their numbers."""
    total, zone = len(others) // SIZE_OF_BASE, 0.0
    for k in range(len(keeps) // SIZE_OF_KEEP):
        zone = max(zone, keeps[SIZE_OF_KEEP * k])
    for i in range(len(starts) // 2):
        at, size = i * (total + 1), 0
        for j in range(total):
            b = SIZE_OF_BASE * j
            if others[b + 4] == 0.0 and others[b + 5] == 0.0:
                continue
            reach = far + numbers[0] + others[b + 3] + (zone if others[b + 5] != 0.0 else 0.0) + 2 * TOLERANCE
            dx, dy = others[b] - starts[2 * i], others[b + 1] - starts[2 * i + 1]
            if dx * dx + dy * dy <= reach * reach:
                size += 1
                near[at + size] = j
        near[at] = size


@kernel
def note_outlines(
    numbers: Floats, starts: Floats, boxes: Floats, firsts: Ints, edges: Floats, kinds: Ints, far: float, near: Ints
) -> bool:
    """For each model the edges that a shift by at most so much can meet, with the outlines it begins in.

    A model that begins in an outline has its edges noted below 0. False where a model begins in an outline in a way
    that is not told here: in a wall, in one that is not convex, or perhaps.
    """
    total = firsts[len(firsts) - 1]
    for i in range(len(starts) // 2):
        at, size, x, y = i * (total + 1), 0, starts[2 * i], starts[2 * i + 1]
        reach = far + numbers[0] + 2 * TOLERANCE
        for w in range(len(boxes) // 4):
            if boxes[4 * w] - reach > x or boxes[4 * w + 2] + reach < x:
                continue
            if boxes[4 * w + 1] - reach > y or boxes[4 * w + 3] + reach < y:
                continue
            first, begun = size, 1e9
            for e in range(firsts[w], firsts[w + 1]):
                away = off_segment(x, y, edges[4 * e], edges[4 * e + 1], edges[4 * e + 2], edges[4 * e + 3])
                begun = min(begun, away)
                if away <= reach:
                    size += 1
                    near[at + size] = e
            if is_inside(x, y, edges, firsts[w], firsts[w + 1]):
                begun = 0.0
            stands = compare(begun, numbers[0] - TOLERANCE)
            if stands == YES:
                continue
            if stands == UNSURE or kinds[w] != 1:
                return False
            size = first
            for e in range(firsts[w], firsts[w + 1]):
                size += 1
                near[at + size] = -1 - e
        near[at] = size
    return True


@kernel
def shift_past_edges(
    numbers: Floats, sx: float, sy: float, dx: float, dy: float, edges: Floats, near: Ints, at: int, leaving: bool
) -> int:
    """Whether a model's straight way keeps clear of the edges noted for it, and leaves the outlines it begins in."""
    radius, answer = numbers[0], YES
    bx, by = sx + dx, sy + dy
    x0, y0, x1, y1 = min(sx, bx) - radius, min(sy, by) - radius, max(sx, bx) + radius, max(sy, by) + radius
    for place in range(at + 1, at + 1 + near[at]):
        e = near[place]
        if e < 0:
            continue
        cx, cy, ex, ey = edges[4 * e], edges[4 * e + 1], edges[4 * e + 2], edges[4 * e + 3]
        if max(cx, ex) < x0 or min(cx, ex) > x1 or max(cy, ey) < y0 or min(cy, ey) > y1:
            continue
        found = compare(between_segments(sx, sy, bx, by, cx, cy, ex, ey), radius - TOLERANCE)
        if found == NO:
            return NO
        answer = found if found == UNSURE else answer
    size, least, crossings = 0, 1e9, 0
    for place in range(at + 1, at + 1 + near[at]):
        e = -1 - near[place]
        if e < 0:
            continue
        if not leaving:
            return NO
        size += 1
        cx, cy, ex, ey = edges[4 * e], edges[4 * e + 1], edges[4 * e + 2], edges[4 * e + 3]
        least = min(least, off_segment(bx, by, cx, cy, ex, ey))
        if (cy > by) != (ey > by) and bx < cx + (by - cy) * (ex - cx) / (ey - cy):
            crossings += 1
    if size > 0:
        found = compare(0.0 if crossings % 2 == 1 else least, radius - TOLERANCE)
        answer = found if found != YES else answer
    return answer


@kernel
def shift_past_bases(
    numbers: Floats,
    sx: float,
    sy: float,
    dx: float,
    dy: float,
    others: Floats,
    spared: Ints,
    keeps: Floats,
    earned: Ints,
    near: Ints,
    at: int,
) -> int:
    """Whether a model's straight way keeps clear of the bases noted for it, and ends far enough from enemies."""
    answer, total = YES, len(others) // SIZE_OF_BASE
    bx, by = sx + dx, sy + dy
    x0, y0, x1, y1 = min(sx, bx), min(sy, by), max(sx, bx), max(sy, by)
    for place in range(at + 1, at + 1 + near[at]):
        j = near[place]
        b = SIZE_OF_BASE * j
        x, y, reach = others[b], others[b + 1], numbers[0] + others[b + 3]
        gx, gy = x - bx, y - by
        flat, found = gx * gx + gy * gy, YES
        if others[b + 4] != 0.0 and x + reach >= x0 and x - reach <= x1 and y + reach >= y0 and y - reach <= y1:
            found = compare(sqrt(flat), reach - TOLERANCE)
            if found != NO and numbers[6] != 0.0:
                found = way_past(sx, sy, bx, by, x, y, reach)
        if found == NO:
            return NO
        answer = found if found == UNSURE else answer
        if others[b + 5] == 0.0:
            continue
        away = sqrt(flat + others[b + 2] * others[b + 2]) - reach
        for k in range(len(keeps) // SIZE_OF_KEEP):
            row, is_spared = SIZE_OF_KEEP * k, len(spared) > 0 and spared[k * total + j] != 0
            found = YES if is_spared and earned[k] == YES else compare(away, keeps[row] + TOLERANCE)
            if found != YES and is_spared and earned[k] == UNSURE:
                found = UNSURE
            if found != NO and keeps[row + 1] != 0.0 and not is_spared:
                zone = way_past(sx, sy, bx, by, x, y, reach + keeps[row])
                found = zone if found == YES or zone == NO else found
            if found == NO:
                return NO
            answer = found if found == UNSURE else answer
    return answer


@kernel
def way_past(ax: float, ay: float, bx: float, by: float, x: float, y: float, reach: float) -> int:
    """Whether a straight way keeps a distance from a point; never `NO` where it begins nearer."""
    found = compare(off_segment(x, y, ax, ay, bx, by), reach - TOLERANCE)
    if found == NO and sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay)) < reach - TOLERANCE + GUARD:
        return UNSURE
    return found


@kernel
def is_shift_earned(
    numbers: Floats, starts: Floats, dx: float, dy: float, others: Floats, spared: Ints, keeps: Floats, keep: int
) -> int:
    """Whether a shift brings some model near enough to a unit that a distance spares."""
    within = keeps[SIZE_OF_KEEP * keep + 3]
    if within < 0.0:
        return YES
    total, answer = len(others) // SIZE_OF_BASE, NO
    for j in range(total):
        if spared[keep * total + j] == 0:
            continue
        b = SIZE_OF_BASE * j
        for i in range(len(starts) // 2):
            gx, gy, gz = others[b] - starts[2 * i] - dx, others[b + 1] - starts[2 * i + 1] - dy, others[b + 2]
            away = sqrt(gx * gx + gy * gy + gz * gz) - others[b + 3] - numbers[0]
            found = compare(within + TOLERANCE, away)
            if found == YES:
                return YES
            answer = found if found == UNSURE else answer
    return answer


@kernel
def shift_past_mates(numbers: Floats, starts: Floats, dx: float, dy: float) -> int:
    """Whether models that go one after another, each straight and in their order, keep clear of each other."""
    answer, count, reach = YES, len(starts) // 2, 2 * numbers[0]
    for i in range(count):
        ax, ay = starts[2 * i], starts[2 * i + 1]
        for j in range(count):
            if j != i:
                x, y = (starts[2 * j] + dx, starts[2 * j + 1] + dy) if j < i else (starts[2 * j], starts[2 * j + 1])
                found = way_past(ax, ay, ax + dx, ay + dy, x, y, reach)
                if found == NO:
                    return NO
                answer = found if found == UNSURE else answer
    return answer


@kernel
def shifts_clear(
    numbers: Floats,
    starts: Floats,
    offsets: Floats,
    others: Floats,
    spared: Ints,
    keeps: Floats,
    boxes: Floats,
    firsts: Ints,
    edges: Floats,
    kinds: Ints,
    answers: Ints,
    work: Floats,
    marks: Ints,
) -> None:
    """For each offset whether a formation on the ground can be shifted by it in full: `YES`, `NO` or `UNSURE`.

    Args:
        numbers: as for `move_is_clear`, and last whether a base may leave a closed piece that it begins in.
        starts: x, y of each model.
        offsets: x, y of each shift.
        others: rows of bases.
        spared: for each distance to keep and each base whether it is not protected; empty where all are.
        keeps: rows of distances to keep.
        boxes: of outlines that may not be entered.
        firsts: for each outline its first edge, and the number of all edges.
        edges: of the outlines.
        kinds: of each outline: 0 a wall, 1 a convex closed piece, 2 another closed piece.
        answers: room for an answer an offset.
        work: room for three numbers a model.
        marks: room for two numbers a model and one more for each model and base and for each model and edge, and for
            an answer a distance to keep.
    """
    count, total = len(starts) // 2, len(others) // SIZE_OF_BASE
    most = first_answers(numbers, starts, offsets, answers, work, marks)
    if most == 0.0:
        return
    earned = 2 * count
    bases = earned + len(keeps) // SIZE_OF_KEEP
    sides = bases + count * (total + 1)
    run = firsts[len(firsts) - 1] + 1
    bases_near, sides_near = marks[bases:sides], marks[sides : sides + count * run]
    note_bases(numbers, starts, others, keeps, most, bases_near)
    is_told = note_outlines(numbers, starts, boxes, firsts, edges, kinds, most, sides_near)
    for p in range(len(answers)):
        dx, dy = offsets[2 * p], offsets[2 * p + 1]
        if answers[p] == NO or not is_measured(dx, dy):
            continue
        for k in range(len(keeps) // SIZE_OF_KEEP):
            if len(spared) > 0:
                marks[earned + k] = is_shift_earned(numbers, starts, dx, dy, others, spared, keeps, k)
        leaving, had = numbers[10] != 0.0, marks[earned:bases]
        for i in range(count):
            x, y, at = starts[2 * i], starts[2 * i + 1], i * (total + 1)
            if is_told and sides_near[i * run] > 0:
                found = shift_past_edges(numbers, x, y, dx, dy, edges, sides_near, i * run, leaving)
                answers[p] = worse_of(answers[p], found)
            if answers[p] != NO and bases_near[at] > 0:
                found = shift_past_bases(numbers, x, y, dx, dy, others, spared, keeps, had, bases_near, at)
                answers[p] = worse_of(answers[p], found)
            if answers[p] == NO:
                break
        if answers[p] == YES and numbers[5] == 0.0 and numbers[9] != 0.0:
            answers[p] = shift_past_mates(numbers, starts, dx, dy)
        if answers[p] == YES and not is_told:
            answers[p] = UNSURE


@kernel
def worse_of(one: int, other: int) -> int:
    """The answer that holds where two must: `NO` before `UNSURE` before `YES`."""
    return other if one == YES or other == NO else one


@kernel
def is_measured(dx: float, dy: float) -> bool:
    """Whether a shift is neither none at all nor out of all proportion."""
    return 1e-6 <= sqrt(dx * dx + dy * dy) <= 1e3


@kernel
def first_answers(numbers: Floats, starts: Floats, offsets: Floats, answers: Ints, work: Floats, marks: Ints) -> float:
    """What can be said of each shift by allowance, table and formation alone; the longest that is still open."""
    stands, most = formation_stands(numbers, starts, work, marks), 0.0
    for p in range(len(answers)):
        dx, dy = offsets[2 * p], offsets[2 * p + 1]
        if dx == 0.0 and dy == 0.0:
            answers[p] = YES
        elif not is_measured(dx, dy):
            answers[p] = UNSURE
        else:
            answers[p] = worse_of(shift_on_table(numbers, starts, dx, dy), stands)
            if answers[p] != NO:
                most = max(most, sqrt(dx * dx + dy * dy))
    return most


# ---- lines of sight


@kernel
def is_hidden_by(
    eye: tuple[float, float, float],
    end: tuple[float, float],
    rise: float,
    edges: Floats,
    span: tuple[int, int],
    screen: tuple[float, float, float, float, float, float],
    cuts: Floats,
) -> bool:
    """Whether a line from an eye to an end, rising so much, runs through a screen below its top and above its bottom.

    A screen is its box, its bottom and its top; `cuts` has room for two numbers and one an edge.
    """
    ax, ay = eye[0], eye[1]
    dx, dy = end[0] - ax, end[1] - ay
    cuts[0], cuts[1], size = 0.0, 1.0, 2
    for e in range(span[0], span[1]):
        cx, cy = edges[4 * e], edges[4 * e + 1]
        fx, fy = edges[4 * e + 2] - cx, edges[4 * e + 3] - cy
        cross = dx * fy - dy * fx
        if cross != 0.0:
            u = ((cx - ax) * fy - (cy - ay) * fx) / cross
            v = ((cx - ax) * dy - (cy - ay) * dx) / cross
            if 0.0 < u < 1.0 and 0.0 <= v <= 1.0:
                place = size
                while cuts[place - 1] > u:
                    cuts[place] = cuts[place - 1]
                    place -= 1
                cuts[place] = u
                size += 1
    for k in range(size - 1):
        low, high = cuts[k], cuts[k + 1]
        if high - low <= 1e-9:
            continue
        x, y = ax + dx * (low + high) / 2, ay + dy * (low + high) / 2
        if not (screen[0] <= x <= screen[2] and screen[1] <= y <= screen[3]):
            continue
        if is_inside(x, y, edges, span[0], span[1]):
            one, other = eye[2] + rise * low, eye[2] + rise * high
            if min(one, other) < screen[5] - TOLERANCE and max(one, other) > screen[4] + TOLERANCE:
                return True
    return False


@kernel
def note_bearings(
    eye: tuple[float, float, float],
    target: tuple[float, float, float, float],
    towards: float,
    half: float,
    edges: Floats,
    span: tuple[int, int],
    level: tuple[float, float],
    bearings: Floats,
    size: int,
) -> int:
    """Note the bearings at which an outline may begin or cease to hide a target; how many are noted then."""
    ex, ey, rise = eye[0], eye[1], target[2] - eye[2]
    for e in range(span[0], span[1]):
        ax, ay = edges[4 * e], edges[4 * e + 1]
        dx, dy = edges[4 * e + 2] - ax, edges[4 * e + 3] - ay
        size = note_bearing(atan2(ay - ey, ax - ex), towards, half, bearings, size)
        for number in range(3):
            u = 1.0
            if number > 0:
                if rise == 0.0:
                    continue
                u = (level[number - 1] - eye[2]) / rise
            if not 0.0 < u <= 1.0:
                continue
            fx, fy, radius = ax - (ex + (target[0] - ex) * u), ay - (ey + (target[1] - ey) * u), target[3] * u
            square, middle = dx * dx + dy * dy, fx * dx + fy * dy
            root = middle * middle - square * (fx * fx + fy * fy - radius * radius)
            if square == 0.0 or root < 0.0:
                continue
            for sign in (-1.0, 1.0):
                t = (-middle + sign * sqrt(root)) / square
                if 0.0 <= t <= 1.0:
                    size = note_bearing(atan2(ay + dy * t - ey, ax + dx * t - ex), towards, half, bearings, size)
    return size


@kernel
def note_bearing(bearing: float, towards: float, half: float, bearings: Floats, size: int) -> int:
    """Note a bearing in order, counted from that of the target, if it is one of the target's; how many are noted."""
    turned = (bearing - towards + pi) % TURN - pi
    if not -half < turned < half:
        return size
    place = size
    while bearings[place - 1] > turned:
        bearings[place] = bearings[place - 1]
        place -= 1
    bearings[place] = turned
    return size + 1


@kernel
def keep_between(
    eye: tuple[float, float, float],
    target: tuple[float, float, float, float],
    away: float,
    firsts: Ints,
    edges: Floats,
    screens: Ints,
    count: int,
) -> int:
    """Keep the screens that do not lie wholly on one side of the way to the target; how many are left."""
    nx, ny, most, left = (eye[1] - target[1]) / away, (target[0] - eye[0]) / away, target[3] + GUARD, 0
    for s in range(count):
        w = screens[s]
        low, high = 1e9, -1e9
        for e in range(firsts[w], firsts[w + 1]):
            side = (edges[4 * e] - eye[0]) * nx + (edges[4 * e + 1] - eye[1]) * ny
            low, high = min(low, side), max(high, side)
        if low <= most and high >= -most:
            screens[left] = w
            left += 1
    return left


@kernel
def sees(
    eye: tuple[float, float, float],
    target: tuple[float, float, float, float],
    boxes: Floats,
    firsts: Ints,
    edges: Floats,
    heights: Floats,
    bearings: Floats,
    cuts: Floats,
    screens: Ints,
) -> bool:
    """Whether an eye (x, y, height) sees any part of a target (x, y, height of its top, radius); see `can_see`."""
    ex, ey, x, y, radius = eye[0], eye[1], target[0], target[1], target[3]
    x0, y0, x1, y1 = min(ex, x - radius), min(ey, y - radius), max(ex, x + radius), max(ey, y + radius)
    lowest, count = min(eye[2], target[2]), 0
    for w in range(len(boxes) // 4):
        b = 4 * w
        if heights[2 * w + 1] > lowest and not (
            boxes[b + 2] < x0 or boxes[b] > x1 or boxes[b + 3] < y0 or boxes[b + 1] > y1
        ):
            screens[count] = w
            count += 1
    away = sqrt((x - ex) * (x - ex) + (y - ey) * (y - ey))
    if count == 0 or away <= radius + TOLERANCE:
        return True
    count = keep_between(eye, target, away, firsts, edges, screens, count)
    if count == 0:
        return True
    towards, sine = atan2(y - ey, x - ex), min(radius / away, 1.0)
    half, rise, size = atan2(sine, sqrt(1.0 - sine * sine)), target[2] - eye[2], 2
    bearings[0], bearings[1] = -half, half
    for s in range(count):
        w = screens[s]
        span, level = (firsts[w], firsts[w + 1]), (heights[2 * w] + TOLERANCE, heights[2 * w + 1] - TOLERANCE)
        size = note_bearings(eye, target, towards, half, edges, span, level, bearings, size)
    for k in range(size - 1):
        if bearings[k + 1] - bearings[k] <= 1e-9:
            continue
        angle = towards + (bearings[k] + bearings[k + 1]) / 2
        off = angle - towards
        inside = radius * radius - (away * sin(off)) * (away * sin(off))
        far = away * cos(off) - sqrt(max(inside, 0.0))
        end, is_hidden = (ex + far * cos(angle), ey + far * sin(angle)), False
        for s in range(count):
            w = screens[s]
            b, span = 4 * w, (firsts[w], firsts[w + 1])
            screen = (boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], heights[2 * w], heights[2 * w + 1])
            if is_hidden_by(eye, end, rise, edges, span, screen, cuts):
                is_hidden = True
                break
        if not is_hidden:
            return True
    return False


@kernel
def sight_lines(
    eyes: Floats,
    targets: Floats,
    boxes: Floats,
    firsts: Ints,
    edges: Floats,
    heights: Floats,
    answers: Ints,
    bearings: Floats,
    cuts: Floats,
    screens: Ints,
) -> None:
    """For each eye and target 1 where any part of the target can be seen, else 0.

    Args:
        eyes: x, y and height of each eye.
        targets: x, y, height of the top and radius of each target.
        boxes: of the outlines of what hides.
        firsts: for each outline its first edge, and the number of all edges.
        edges: of the outlines.
        heights: bottom and top of each outline.
        answers: room for an answer a pair, all targets of the first eye first.
        bearings: room for two numbers and seven an edge.
        cuts: room for two numbers and one an edge.
        screens: room for a number an outline.
    """
    count = len(targets) // 4
    for i in range(len(eyes) // 3):
        eye = (eyes[3 * i], eyes[3 * i + 1], eyes[3 * i + 2])
        for j in range(count):
            target = (targets[4 * j], targets[4 * j + 1], targets[4 * j + 2], targets[4 * j + 3])
            found = sees(eye, target, boxes, firsts, edges, heights, bearings, cuts, screens)
            answers[i * count + j] = 1 if found else 0


# ---- lines of sight among models and areas ----

OPEN, CLOSED, UNSURE = 1, 0, -1
"""What `view_marks` says of a pair."""

WIDE, NARROW = 2e-9, 5e-10
"""Openings (radians) that are certainly wide enough to see through, and certainly not."""

CLEARLY = 1e-6
"""Inches by which one thing must come before another, and radians by which an opening must lie beside what is not
judged, to count for certain."""

DEEP = 1e-7
"""Inches by which the depth of areas must differ from their veil to count for certain."""

Gaze = tuple[float, float, float, float, float, float, float, float, float, float]
"""Of a pair: the eye's x, y and height, the target's x, y, height of the top and radius, then the distance of the two
and the direction (x, y) from the one to the other."""


@kernel
def hiding_band(eye_top: float, target_top: float, bottom: float, top: float) -> tuple[float, float]:
    """Fractions of a line of sight between which it is at heights from bottom to top; 1 and 0 where it never is."""
    bottom, top = bottom + TOLERANCE, top - TOLERANCE
    rise = target_top - eye_top
    if -1e-9 < rise < 1e-9:
        return (0.0, 1.0) if bottom < eye_top < top else (1.0, 0.0)
    one, other = (bottom - eye_top) / rise, (top - eye_top) / rise
    low, high = min(one, other), max(one, other)
    low, high = max(low, 0.0), min(high, 1.0)
    return (low, high) if low < high else (1.0, 0.0)


@kernel
def first_of_chord(x: float, y: float, radius: float, bearing: float) -> float:
    """Where a ray from the origin enters a disc; the nearest place to its centre where it misses it."""
    ux, uy = cos(bearing), sin(bearing)
    across = ux * y - uy * x
    return x * ux + y * uy - sqrt(max(radius * radius - across * across, 0.0))


@kernel
def near_gaze(gaze: Gaze, x0: float, y0: float, x1: float, y1: float, round_: bool) -> bool:
    """Whether a thing in a box (a disc, if round) may lie between an eye and its target."""
    half_x, half_y = (x1 - x0) / 2, (y1 - y0) / 2
    ux, uy, reach = gaze[8], gaze[9], gaze[6] + TOLERANCE + CLEARLY
    mx, my = (x0 + x1) / 2 - gaze[0], (y0 + y1) / 2 - gaze[1]
    wide, extent = half_x, half_x
    if not round_:
        wide, extent = abs(ux) * half_y + abs(uy) * half_x, abs(ux) * half_x + abs(uy) * half_y
    if abs(ux * my - uy * mx) > wide + reach:
        return False
    along = ux * mx + uy * my
    return along + extent >= -reach and along - extent <= gaze[7] + reach


@kernel
def disc_shade(gaze: Gaze, x: float, y: float, own: float, top: float) -> tuple[int, float, float]:
    """How a base hides a target, and on which bearings from - to.

    0: not at all; 1: it closes these bearings; 2: it is not judged on these bearings; 3: on none at all.
    """
    low, high = hiding_band(gaze[2], gaze[5], -1e9, top + 2 * TOLERANCE)
    if low > high:
        return 0, 0.0, 0.0
    ahead, aside = x * gaze[8] + y * gaze[9], y * gaze[8] - x * gaze[9]
    far, away, radius = sqrt(ahead * ahead + aside * aside), gaze[7], gaze[6]
    if far <= own + CLEARLY:
        return 3, 0.0, 0.0
    towards, half = atan2(aside, ahead), atan2(own, sqrt(far * far - own * own))
    begin, end = towards - half, towards + half
    gap = sqrt((ahead - away) * (ahead - away) + aside * aside)
    if low > 0.0 or high < 1.0 or gap < own + radius + CLEARLY:
        return 2, begin, end
    other = atan2(radius, sqrt(away * away - radius * radius))
    middle = (max(begin, -other) + min(end, other)) / 2
    if max(begin, -other) >= min(end, other):
        return 0, 0.0, 0.0
    first = first_of_chord(ahead, aside, own, middle) - first_of_chord(away, 0.0, radius, middle)
    if first > CLEARLY:
        return 0, 0.0, 0.0
    return (1 if first < -CLEARLY else 2), begin, end


@kernel
def outline_shade(gaze: Gaze, corners: Floats, span: tuple[int, int], full: bool) -> tuple[int, float, float]:
    """`disc_shade` for an outline that hides on the whole way, or not."""
    nearest, furthest, begin, end = inf, -inf, inf, -inf
    for c in range(span[0], span[1]):
        x, y = corners[2 * c] - gaze[0], corners[2 * c + 1] - gaze[1]
        ahead, aside = x * gaze[8] + y * gaze[9], y * gaze[8] - x * gaze[9]
        nearest, furthest = min(nearest, ahead), max(furthest, ahead)
        bearing = atan2(aside, ahead)
        begin, end = min(begin, bearing), max(end, bearing)
    if full and nearest >= gaze[7] + gaze[6] + CLEARLY:
        return 0, 0.0, 0.0
    if end - begin >= pi - TOLERANCE - CLEARLY:
        return 3, 0.0, 0.0
    return (1 if full and furthest < gaze[7] - gaze[6] - CLEARLY else 2), begin, end


@kernel
def note_depth(
    gaze: Gaze,
    corners: Floats,
    span: tuple[int, int],
    band: tuple[float, float],
    cuts: Floats,
    parts: Floats,
    count: int,
) -> int:
    """Note the parts of the straight line to a target's centre inside an area where it hides; how many are noted."""
    x, y, size = gaze[3] - gaze[0], gaze[4] - gaze[1], 1
    cuts[0] = 0.0
    ax, ay = corners[2 * span[1] - 2] - gaze[0], corners[2 * span[1] - 1] - gaze[1]
    before = x * ay - y * ax
    for c in range(span[0], span[1]):
        bx, by = corners[2 * c] - gaze[0], corners[2 * c + 1] - gaze[1]
        after = x * by - y * bx
        if (before > 0.0) != (after > 0.0):
            fraction = (ax * by - ay * bx) / (after - before)
            if fraction > 0.0:
                cuts[size] = fraction
                size += 1
        ax, ay, before = bx, by, after
    sort_numbers(cuts, size)
    for k in range(size % 2, size, 2):
        low, high = max(cuts[k], band[0]), min(cuts[k + 1], band[1])
        if low < high:
            parts[count, 0], parts[count, 1] = low, high
            count += 1
    return count


@kernel
def depth_of(gaze: Gaze, parts: Floats, count: int) -> float:
    """Inches of the straight line to a target's centre that are in some of its parts, which are put in order."""
    sort_pairs(parts, count)
    total, reached = 0.0, 0.0
    for p in range(count):
        total += max(parts[p, 1] - max(parts[p, 0], reached), 0.0)
        reached = max(reached, parts[p, 1])
    return total * gaze[7]


@kernel
def widest_opening(half: float, shut: Floats, count: int) -> float:
    """The widest part of the bearings from -half to half that no closed interval covers; they are put in order."""
    sort_pairs(shut, count)
    widest, reached = 0.0, -half
    for s in range(count):
        widest = max(widest, min(shut[s, 0], half) - reached)
        reached = max(reached, shut[s, 1])
    return max(widest, half - reached)


@kernel
def note_shade(shade: tuple[int, float, float], shut: Floats, rest: Floats, counts: Ints) -> None:
    """Note what a thing closes, or where it is not judged."""
    if shade[0] == 1:
        shut[counts[0], 0], shut[counts[0], 1] = shade[1], shade[2]
        counts[0] += 1
    elif shade[0] > 1:
        low, high = (shade[1], shade[2]) if shade[0] == 2 else (-pi, pi)
        rest[counts[1], 0], rest[counts[1], 1] = low - CLEARLY, high + CLEARLY
        counts[1] += 1


@kernel
def note_areas(
    gaze: Gaze,
    heights: Floats,
    firsts: Ints,
    corners: Floats,
    areas: Ints,
    count: int,
    cuts: Floats,
    parts: Floats,
    shut: Floats,
    rest: Floats,
    counts: Ints,
) -> bool:
    """Note what areas close, those of one veil together; False where it is not certain whether they do."""
    for a in range(count):
        veil, size = heights[3 * areas[a] + 2], 0
        if a > 0 and heights[3 * areas[a - 1] + 2] == veil:
            continue
        for b in range(a, count):
            w = areas[b]
            if heights[3 * w + 2] == veil:
                band = hiding_band(gaze[2], gaze[5], heights[3 * w], heights[3 * w + 1])
                size = note_depth(gaze, corners, (firsts[w], firsts[w + 1]), band, cuts, parts, size)
        deep = depth_of(gaze, parts, size) - veil - TOLERANCE
        if -DEEP < deep < DEEP:
            return False
        for b in range(a, count):
            w = areas[b]
            if deep > 0.0 and heights[3 * w + 2] == veil:
                low, high = hiding_band(gaze[2], gaze[5], heights[3 * w], heights[3 * w + 1])
                full = low == 0.0 and high == 1.0
                note_shade(outline_shade(gaze, corners, (firsts[w], firsts[w + 1]), full), shut, rest, counts)
    return True


@kernel
def note_discs(gaze: Gaze, discs: Floats, shut: Floats, rest: Floats, counts: Ints) -> None:
    """Note what the models between an eye and its target close; neither of the two is among them."""
    lowest = min(gaze[2], gaze[5]) - 2 * TOLERANCE
    for d in range(len(discs) // 4):
        x, y, own, top = discs[4 * d], discs[4 * d + 1], discs[4 * d + 2], discs[4 * d + 3]
        if top <= lowest or not near_gaze(gaze, x - own, y - own, x + own, y + own, True):
            continue
        at_eye = abs(x - gaze[0]) <= TOLERANCE and abs(y - gaze[1]) <= TOLERANCE
        if at_eye or (abs(x - gaze[3]) <= TOLERANCE and abs(y - gaze[4]) <= TOLERANCE):
            continue
        note_shade(disc_shade(gaze, x - gaze[0], y - gaze[1], own, top), shut, rest, counts)


@kernel
def view_mark(
    gaze: Gaze,
    boxes: Floats,
    heights: Floats,
    firsts: Ints,
    corners: Floats,
    discs: Floats,
    areas: Ints,
    cuts: Floats,
    parts: Floats,
    shut: Floats,
    rest: Floats,
    counts: Ints,
) -> int:
    """Whether a target is seen by an eye, for certain; see `view_marks`."""
    if gaze[7] <= gaze[6] + TOLERANCE:
        return OPEN
    half = atan2(gaze[6], sqrt(gaze[7] * gaze[7] - gaze[6] * gaze[6]))
    lowest, count = min(gaze[2], gaze[5]) - 2 * TOLERANCE, 0
    counts[0], counts[1] = 0, 0
    note_discs(gaze, discs, shut, rest, counts)
    if counts[0] > 0 and widest_opening(half, shut, counts[0]) < NARROW:
        return CLOSED
    for w in range(len(boxes) // 4):
        if heights[3 * w + 1] <= lowest or not near_gaze(
            gaze, boxes[4 * w], boxes[4 * w + 1], boxes[4 * w + 2], boxes[4 * w + 3], False
        ):
            continue
        low, high = hiding_band(gaze[2], gaze[5], heights[3 * w], heights[3 * w + 1])
        if low > high:
            continue
        if heights[3 * w + 2] >= 0.0:
            place = count
            while place > 0 and heights[3 * areas[place - 1] + 2] > heights[3 * w + 2]:
                areas[place] = areas[place - 1]
                place -= 1
            areas[place] = w
            count += 1
            continue
        full = low == 0.0 and high == 1.0
        note_shade(outline_shade(gaze, corners, (firsts[w], firsts[w + 1]), full), shut, rest, counts)
    sure = note_areas(gaze, heights, firsts, corners, areas, count, cuts, parts, shut, rest, counts)
    opening = widest_opening(half, shut, counts[0])
    if opening < NARROW:
        return CLOSED
    if opening < WIDE or not sure:
        return UNSURE
    if counts[1] == 0:
        return OPEN
    for r in range(counts[1]):
        shut[counts[0] + r, 0], shut[counts[0] + r, 1] = rest[r, 0], rest[r, 1]
    return OPEN if widest_opening(half, shut, counts[0] + counts[1]) > CLEARLY else UNSURE


@kernel
def view_marks(
    eyes: Floats,
    targets: Floats,
    boxes: Floats,
    heights: Floats,
    firsts: Ints,
    corners: Floats,
    discs: Floats,
    answers: Ints,
) -> None:
    """For each eye and target 1 where any part of the target can certainly be seen, 0 where certainly none, else -1.

    Things of which not the whole lies between the eye and the target, or which hide on a part of the way only, are not
    judged: a target is certainly seen beside them only.

    Args:
        eyes: x, y and height of each eye.
        targets: x, y, height of the top and radius of each target.
        boxes: of the outlines of what hides.
        heights: bottom and top of each outline, and how far one sees through it (-1 where it hides at once).
        firsts: for each outline its first corner, and the number of all corners.
        corners: of the outlines, x and y of each, counter-clockwise.
        discs: x, y, radius and top of each model that hides.
        answers: room for an answer a pair, all targets of the first eye first.
    """
    count, things = len(targets) // 4, len(discs) // 4 + len(boxes) // 4
    areas, counts = np.empty(len(boxes) // 4, np.int64), np.zeros(2, np.int64)
    cuts, parts = np.empty(len(corners) // 2 + 2), np.empty((len(corners) // 4 + len(firsts), 2))
    shut, rest = np.empty((2 * things, 2)), np.empty((things, 2))
    for i in range(len(eyes) // 3):
        ex, ey = eyes[3 * i], eyes[3 * i + 1]
        for j in range(count):
            x, y = targets[4 * j], targets[4 * j + 1]
            away = sqrt((x - ex) * (x - ex) + (y - ey) * (y - ey))
            size = max(away, TOLERANCE)
            ux, uy = (x - ex) / size, (y - ey) / size
            gaze = (ex, ey, eyes[3 * i + 2], x, y, targets[4 * j + 2], targets[4 * j + 3], away, ux, uy)
            answers[i * count + j] = view_mark(
                gaze, boxes, heights, firsts, corners, discs, areas, cuts, parts, shut, rest, counts
            )


# ---- samples

sample("count_pieces", np.zeros(6), 2, 1.0, True, np.zeros(4, np.int64), 0)
sample("break_moment", np.zeros(18), 1.0, 1, True, np.zeros(4), np.zeros(4, np.int64))
sample(
    "move_is_clear",
    np.array([0.5, 6.0, 40.0, 40.0, 0.5, 1.0, 1.0, 3.0, 1.0, 1.0]),
    np.array([4.0, 4.0, 4.0, 6.0]),
    np.array([0, 1, 2]),
    np.array([5.0, 4.0, 5.0, 6.5]),
    np.zeros(0),
    np.array([0, 1]),
    np.array([9.0, 5.0, 0.0, 0.5, 1.0, 1.0]),
    np.zeros(1, np.int64),
    np.array([2.0, 1.0, 0.0, -1.0]),
    np.array([9.0, 2.0, 10.0, 3.0]),
    np.array([0, 1]),
    np.array([9.0, 2.0, 10.0, 3.0]),
    np.zeros(2),
    np.zeros(16),
    np.zeros(8, np.int64),
)
sample(
    "shifts_clear",
    np.array([0.5, 6.0, 40.0, 40.0, 0.5, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0]),
    np.array([4.0, 4.0, 4.0, 6.0]),
    np.array([1.0, 0.0, 0.0, 1.0]),
    np.array([9.0, 5.0, 0.0, 0.5, 1.0, 1.0]),
    np.zeros(1, np.int64),
    np.array([2.0, 1.0, 0.0, -1.0]),
    np.array([9.0, 2.0, 10.0, 3.0]),
    np.array([0, 1]),
    np.array([9.0, 2.0, 10.0, 3.0]),
    np.zeros(1, np.int64),
    np.zeros(2, np.int64),
    np.zeros(6),
    np.zeros(13, np.int64),
)
sample(
    "sight_lines",
    np.array([0.0, 0.0, 1.0]),
    np.array([4.0, 4.0, 1.0, 0.5]),
    np.array([2.0, 2.0, 3.0, 3.0]),
    np.array([0, 3]),
    np.array([2.0, 2.0, 3.0, 2.0, 3.0, 2.0, 3.0, 3.0, 3.0, 3.0, 2.0, 2.0]),
    np.array([0.0, 2.0]),
    np.zeros(1, np.int64),
    np.zeros(23),
    np.zeros(5),
    np.zeros(1, np.int64),
)
sample(
    "view_marks",
    np.array([0.0, 0.0, 1.0]),
    np.array([4.0, 4.0, 1.0, 0.5]),
    np.array([2.0, 2.0, 3.0, 3.0]),
    np.array([0.0, 2.0, -1.0]),
    np.array([0, 3]),
    np.array([2.0, 2.0, 3.0, 2.0, 3.0, 3.0]),
    np.array([3.0, 3.0, 0.5, 1.0]),
    np.zeros(1, np.int64),
)
