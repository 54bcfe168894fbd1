"""The arithmetic of the sketch: one file, loaded once plain and once compiled (see `compiled`).

Under its own name the decorator `kernel` does nothing and every function is plain Python; under `COMPILED` numba
compiles the same source. Only ``+ - * / sqrt exp`` are used on floats, scores are compared with a margin and ties
go to whoever comes first, so that both twins give the same answers.

A side's units act one after another, those nearest to the enemy first, and each does what promises most at once: stand
and shoot, come nearer and shoot, run, charge, wait and watch, go to a goal, step back. Everything is an average:
half a model may fall.

Everything lies in flat rows, which plain code reads from lists and compiled code from arrays:

* `f`: rules, weights and tables of the game (see the places below), pairs in the order attacker, foe;
* `g`: the ground, `nets`: for each sort of ground and two cells how much longer than straight the way is,
  `sights`: what is seen from cell to cell, as `ground` notes it, filled in when first asked;
* `s`: the units, `WIDTH` numbers each, so that a unit's row begins at ``unit * WIDTH``; then pairs: what fire does
  from where both stand at first (two numbers), what a unit's own models let pass, and how many models fight;
* `w`: room to work in: what a unit decides, then for each enemy what it may do to him later, then an order of units.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, sqrt
from typing import Any, TypeVar, cast

__all__ = ["COMPILED", "brawl", "kernel", "loss_at", "melee_at", "onset", "roll", "work_size"]

COMPILED = "tactician.agent.sketch.compiled_kernel"
"""Name of the compiled twin of this module."""

F = TypeVar("F", bound=Callable[..., Any])
Row = Any
"""Numbers in a row: a list, or an array of one dimension."""


def kernel(function: F) -> F:
    """Compile a function where this module is the compiled twin; leave it as it is otherwise."""
    if __name__ != COMPILED:
        return function
    import numba

    return cast("F", numba.njit(cache=True)(function))


# Numbers of a unit: those of the game's tables in their order, then the sketch's own.
SIDE, X, Y, XX, XY, YY, MODELS, FULL, RADIUS, POINTS, HALF, WHOLE, WALK, RUN, CHARGE, FAR = range(16)
MOVES, ATTACKS, CHARGES, RUNS, WATCHING, BROKEN, NERVE, RALLY, AT_TURN, HASTE, GONE, NEWLY = range(16, 28)
SORT, KIND, FOE, NEAREST, ACTS, AWAY = range(28, 34)
WIDTH = 34

# Places in `f`: rules, weights, sizes, and where tables begin.
ALTERNATE, LOCKS, DUELS, RUN_FIRES, ACTIVE, FIRST, SWAPS, ORDERS_RED, ORDERS_BLUE, ORDERS_ROUND, STAKES = range(11)
ENDS, LAST_ONLY, SCORE_AFTER, HOW_RED, HOW_BLUE, FAST, BREAK_SHARE, RUN_GAP, MODELS_HIDE = range(11, 20)
PROGRESS, PROSPECTS, LOSSES, LATER, NEAR_GOALS, WATCH, RUNS_AWAY = range(20, 27)
COUNT, LEVELS, COLUMNS, GOALS, BLOWS_AT, GOALS_AT, FIRE_AT = range(27, 34)

# Places in `g`: the grids, sizes, and where parts begin.
BOARD_X, BOARD_Y, STEP, LINES_X, LINES_Y, SIGHT_STEP, SIGHT_X, SIGHT_Y = range(8)
PIECES, EDGES_AT, PIECES_AT, TOPS_AT, SHUT_AT, ACROSS = range(8, 14)

# What a unit can do, and the places of a decision in `w`: value, what, where, at whom, how far it goes.
STAYS, GOES, RUSHES, STRIKES, WAITS = 0.0, 1.0, 2.0, 3.0, 4.0
VALUE, DEED, TO_X, TO_Y, AT, INCHES = range(6)
PLANS = 6
"""Where the plans begin in `w`: for each enemy what a charge is worth, and fire from near and from afar."""

PIECE = 11
"""Numbers of a piece: box (4), bottom, top, veil, level of cover, first edge, edges, whether only inside."""
MARGIN = 1e-9
NEARLY = 1e-4
"""Inches by which a range may be passed."""
UNKNOWN = 255
APART = 1.0
"""Inches left to an enemy by whoever does not charge."""
SEES = 0.7
"""Share of its fire that a unit has, as a rule, once it has moved to where it sees somebody."""
MEETING = 0.7
"""Share of a unit's models that strike where a whole unit charges and nobody fights in pairs."""
AFTERWARDS = 0.6
"""How likely a model is to win a second duel in a round, against the first."""
SHORTER = 1.0
"""Inches by which a straight way is cut back that ends where nobody can stand."""
TOUCH = 0.5
"""How near a piece a shooter stands who is not hindered by it."""
WIDE, NARROW = 1.4, 0.45
"""Half of a squad's breadth, and of a single model's, for sight."""
LEAST = 0.05
"""Models below which a unit counts as gone."""


def work_size(units: int) -> int:
    """How much room `w` has to have."""
    return PLANS + 4 * units


# ---- odds ------------------------------------------------------------------------------------------------------------


@kernel
def short(x: float, n: float) -> float:
    """Models lost of n where attacks would take x off a unit without end: normal odds, cut off at n."""
    if x <= 0.0 or n <= 0.0:
        return 0.0
    wide = sqrt(0.7 * x) + 1e-9
    z = (n - x) / wide
    if z > 4.0:
        return x
    if z >= 0.0:
        return max(x - wide * 0.3989 * exp(-1.25 * z - 0.37 * z * z), 0.0)
    return max(n - wide * 0.3989 * exp(1.25 * z - 0.37 * z * z), 0.0)


@kernel
def part(value: float) -> float:
    """A number cut off at 0 and 1."""
    return min(max(value, 0.0), 1.0)


@kernel
def scored(s: Row, r: int, n: float, broken: float) -> float:
    """Victory points that a unit gives its enemy with n models left, thresholds smoothed."""
    if s[r + WHOLE] <= 0.0:
        return 0.0
    left = n / s[r + FULL]
    gone = part((0.6 - left) / 0.6)
    by_losses = s[r + HALF] * part((0.85 - left) / 0.4) + (s[r + WHOLE] - s[r + HALF]) * gone * gone
    return float(by_losses + broken * max(s[r + WHOLE] - by_losses, 0.0))


@kernel
def tested(s: Row, r: int, n: float, share: float) -> float:
    """How likely it is that so few models left call for a test of nerve."""
    lost = (s[r + AT_TURN] - n) / max(s[r + AT_TURN], 1.0)
    return part((lost - share + 0.15) / 0.3)


@kernel
def worth(f: Row, s: Row, r: int, k: float) -> float:
    """Points of k models of a unit to whoever takes them off: their own, victory points, and its nerve."""
    n, broken = s[r + MODELS], s[r + BROKEN]
    k = min(k, n)
    if s[r + WHOLE] <= 0.0 and s[r + NERVE] <= 0.0:
        return float(s[r + POINTS] * k)
    more = broken
    if s[r + NERVE] > 0.0:
        share = f[BREAK_SHARE]
        more += (1.0 - broken) * s[r + NERVE] * (tested(s, r, n - k, share) - tested(s, r, n, share))
    gain = f[STAKES] * (scored(s, r, n - k, more) - scored(s, r, n, broken))
    return float(s[r + POINTS] * (k + f[RUNS_AWAY] * (more - broken) * (n - k)) + gain)


@kernel
def reach_out(s: Row, r: int, ux: float, uy: float) -> float:
    """How far a unit's models reach from its middle in a direction."""
    square = s[r + XX] * ux * ux + 2.0 * s[r + XY] * ux * uy + s[r + YY] * uy * uy
    return sqrt(3.0 * square) if square > 0.0 else 0.0


# ---- ground ----------------------------------------------------------------------------------------------------------


@kernel
def route_cell(g: Row, x: float, y: float) -> int:
    """The cell of the route net in which a place lies."""
    lines = int(g[LINES_Y])
    i = min(max(int(x / g[STEP]), 0), int(g[LINES_X]) - 1)
    return i * lines + min(max(int(y / g[STEP]), 0), lines - 1)


@kernel
def sight_cell(g: Row, x: float, y: float) -> int:
    """The cell of the sight net in which a place lies."""
    lines = int(g[SIGHT_Y])
    i = min(max(int(x / g[SIGHT_STEP]), 0), int(g[SIGHT_X]) - 1)
    return i * lines + min(max(int(y / g[SIGHT_STEP]), 0), lines - 1)


@kernel
def net_at(g: Row, sort: int) -> int:
    """Where the net of a sort of ground begins."""
    cells = int(g[LINES_X]) * int(g[LINES_Y])
    return sort * cells * cells


@kernel
def excess(g: Row, nets: Row, sort: int, a: int, b: int) -> float:
    """How much longer than straight the way between two cells is."""
    return float(nets[net_at(g, sort) + a * int(g[LINES_X]) * int(g[LINES_Y]) + b])


@kernel
def toward(
    g: Row, nets: Row, sort: int, x: float, y: float, tx: float, ty: float, inches: float
) -> tuple[float, float]:
    """Where a unit stands after so many inches of the way to a place."""
    dx, dy = tx - x, ty - y
    away = sqrt(dx * dx + dy * dy)
    if inches <= 0.0 or away <= 1e-6:
        return x, y
    goal = route_cell(g, tx, ty)
    if excess(g, nets, sort, route_cell(g, x, y), goal) <= 0.0:
        shut = int(g[SHUT_AT]) + sort * int(g[LINES_X]) * int(g[LINES_Y])
        for k in range(3):
            go = (min(inches, away) - SHORTER * k) / away
            px, py = x + dx * go, y + dy * go
            if go > 0.0 and g[shut + route_cell(g, px, py)] <= 0.0:
                return px, py
    return best_cell(g, nets, sort, x, y, tx, ty, inches)


@kernel
def best_cell(
    g: Row, nets: Row, sort: int, x: float, y: float, tx: float, ty: float, inches: float
) -> tuple[float, float]:
    """The cell in reach from which the way to a place is shortest."""
    step, columns, lines = g[STEP], int(g[LINES_X]), int(g[LINES_Y])
    cells, goal = columns * lines, route_cell(g, tx, ty)
    start = net_at(g, sort)
    here, there = start + route_cell(g, x, y) * cells, start + goal * cells
    shut = int(g[SHUT_AT]) + sort * cells
    best, bx, by = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y)) + nets[here + goal], x, y
    most = inches * inches
    for i in range(max(int((x - inches) / step), 0), min(int((x + inches) / step) + 1, columns)):
        px = (i + 0.5) * step
        for j in range(max(int((y - inches) / step), 0), min(int((y + inches) / step) + 1, lines)):
            py = (j + 0.5) * step
            square = (px - x) * (px - x) + (py - y) * (py - y)
            cell = i * lines + j
            if square > most or g[shut + cell] > 0.0 or sqrt(square) + nets[here + cell] > inches:
                continue
            left = sqrt((tx - px) * (tx - px) + (ty - py) * (ty - py)) + nets[there + cell]
            if left < best - MARGIN:
                best, bx, by = left, px, py
    return bx, by


# ---- sight -----------------------------------------------------------------------------------------------------------


@kernel
def crossing(g: Row, e: int, ax: float, ay: float, bx: float, by: float) -> float:
    """The fraction of a line at which it meets an edge; -1 where it does not."""
    dx, dy, fx, fy = bx - ax, by - ay, g[e + 2] - g[e], g[e + 3] - g[e + 1]
    cross = dx * fy - dy * fx
    if cross == 0.0:
        return -1.0
    u = ((g[e] - ax) * fy - (g[e + 1] - ay) * fx) / cross
    if u < 0.0 or u > 1.0:
        return -1.0
    v = ((g[e] - ax) * dy - (g[e + 1] - ay) * dx) / cross
    return float(u) if 0.0 <= v <= 1.0 else -1.0


@kernel
def holds(g: Row, p: int, x: float, y: float) -> bool:
    """Whether a place is inside a piece."""
    if x < g[p] or x > g[p + 2] or y < g[p + 1] or y > g[p + 3]:
        return False
    inside = False
    for k in range(int(g[p + 9])):
        e = int(g[p + 8]) + 4 * k
        if (g[e + 1] > y) != (g[e + 3] > y) and x < g[e] + (y - g[e + 1]) * (g[e + 2] - g[e]) / (g[e + 3] - g[e + 1]):
            inside = not inside
    return inside


@kernel
def touches(g: Row, p: int, x: float, y: float, reach: float) -> bool:
    """Whether a place is inside a piece or so near to it."""
    if x < g[p] - reach or x > g[p + 2] + reach or y < g[p + 1] - reach or y > g[p + 3] + reach:
        return False
    for k in range(int(g[p + 9])):
        e = int(g[p + 8]) + 4 * k
        ex, ey = g[e + 2] - g[e], g[e + 3] - g[e + 1]
        u = part(((x - g[e]) * ex + (y - g[e + 1]) * ey) / max(ex * ex + ey * ey, 1e-12))
        dx, dy = x - g[e] - u * ex, y - g[e + 1] - u * ey
        if dx * dx + dy * dy <= reach * reach:
            return True
    return holds(g, p, x, y)


@kernel
def is_near(g: Row, p: int, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether a piece's box meets the box of a line."""
    if g[p] > max(ax, bx) or g[p + 2] < min(ax, bx):
        return False
    return not (g[p + 1] > max(ay, by) or g[p + 3] < min(ay, by))


@kernel
def inside_part(g: Row, p: int, ax: float, ay: float, bx: float, by: float) -> float:
    """The fraction of a line that runs inside a piece, which is taken to have no bays."""
    first, last, count = 2.0, -1.0, 0
    for k in range(int(g[p + 9])):
        at = crossing(g, int(g[p + 8]) + 4 * k, ax, ay, bx, by)
        if at >= 0.0:
            first, last, count = min(first, at), max(last, at), count + 1
    starts = holds(g, p, ax, ay)
    if count == 0:
        return 1.0 if starts else 0.0
    if starts:
        first = 0.0
    if holds(g, p, bx, by):
        last = 1.0
    return last - first


@kernel
def is_thick(g: Row, ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> bool:
    """Whether so much of a line between two middles runs through woods and the like that they hide somebody."""
    veiled = 0.0
    for k in range(int(g[PIECES])):
        p = int(g[PIECES_AT]) + PIECE * k
        if g[p + 6] > 0.0 and g[p + 7] == 0.0 and g[p + 5] > min(az, bz) and is_near(g, p, ax, ay, bx, by):
            away = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
            veiled += inside_part(g, p, ax, ay, bx, by) * away
            if veiled > g[p + 6]:
                return True
    return False


@kernel
def is_stopped(g: Row, ax: float, ay: float, az: float, bx: float, by: float, bz: float, thick: bool) -> bool:
    """Whether something hides one top from another; woods only where they are thick between the two."""
    for k in range(int(g[PIECES])):
        p = int(g[PIECES_AT]) + PIECE * k
        if g[p + 7] > 0.0 or not is_near(g, p, ax, ay, bx, by):
            continue
        if g[p + 6] > 0.0:
            if thick and g[p + 5] > min(az, bz) and inside_part(g, p, ax, ay, bx, by) > 0.0:
                return True
            continue
        for j in range(int(g[p + 9])):
            at = crossing(g, int(g[p + 8]) + 4 * j, ax, ay, bx, by)
            if at >= 0.0 and g[p + 4] < az + (bz - az) * at < g[p + 5] - NEARLY:
                return True
    return False


@kernel
def cover_on(g: Row, ax: float, ay: float, bx: float, by: float) -> int:
    """The level of cover of a place against a shooter."""
    best = 0
    for k in range(int(g[PIECES])):
        p = int(g[PIECES_AT]) + PIECE * k
        level = int(g[p + 7])
        if level <= best or not is_near(g, p, ax, ay, bx, by):
            continue
        covers = holds(g, p, bx, by)
        if g[p + 10] > 0.0:
            best = level if covers else best
            continue
        for j in range(int(g[p + 9])):
            if not covers and crossing(g, int(g[p + 8]) + 4 * j, ax, ay, bx, by) >= 0.0:
                covers = True
        if covers and not touches(g, p, ax, ay, TOUCH):
            best = level
    return best


@kernel
def look(g: Row, sights: Row, kind: int, other: int, a: int, b: int) -> int:
    """What units of two kinds in two cells see of each other, as `sights` notes it; remembered there."""
    cells = int(g[SIGHT_X]) * int(g[SIGHT_Y])
    at = ((2 * kind + other) * cells + a) * cells + b
    code = int(sights[at])
    if code == UNKNOWN:
        code = find_look(g, kind, other, a, b)
        sights[at] = code
    return code


@kernel
def find_look(g: Row, kind: int, other: int, a: int, b: int) -> int:
    """Ninths of the shooters that see somebody, ten times the level of cover, 40 times the thirds that are seen."""
    step, lines, tops = g[SIGHT_STEP], int(g[SIGHT_Y]), int(g[TOPS_AT])
    ax, ay = (a // lines + 0.5) * step, (a % lines + 0.5) * step
    bx, by = (b // lines + 0.5) * step, (b % lines + 0.5) * step
    away = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    if away <= 1e-9:
        return 129
    ux, uy = (bx - ax) / away, (by - ay) / away
    wide = WIDE if other == 1 else NARROW
    lowest, free, seeing, thirds = 9, 0, 0, 0
    eyes = 3 if kind == 1 else 1
    for i in range(eyes):
        off = (i - 1) * WIDE if kind == 1 else 0.0
        seen = 0
        for j in range(3):
            aside = (j - 1) * wide
            ex, ey, tx, ty = ax - uy * off, ay + ux * off, bx - uy * aside, by + ux * aside
            thick = is_thick(g, ex, ey, g[tops + a], tx, ty, g[tops + b])
            if not is_stopped(g, ex, ey, g[tops + a], tx, ty, g[tops + b], thick):
                seen += 1
        seeing += 1 if seen > 0 else 0
        thirds = max(thirds, seen)
    for j in range(3):
        aside = (j - 1) * wide if other == 1 else 0.0
        level = cover_on(g, ax, ay, bx - uy * aside, by + ux * aside)
        if level > 0:
            lowest = min(lowest, level)
        else:
            free += 1
    return (9 * seeing) // eyes + 10 * min(shared_cover(g, 3, free, lowest), 3) + 40 * thirds


@kernel
def shared_cover(g: Row, count: int, free: int, lowest: int) -> int:
    """The cover of a unit so many of whose models have none, the others this much at least."""
    if 2 * free > count or lowest > 8:
        return 0
    if g[ACROSS] > 0.0:
        return lowest - 1 if free > 0 else lowest
    return 0 if 2 * free >= count else lowest


@kernel
def rate_now(
    f: Row, g: Row, s: Row, a: Row, b: Row, c: Row, kits: Row, odds: Row, u: int, v: int, wide: float, hit: Row
) -> float:
    """Models that one of u's takes off v on average by fire from where all stand: each at the nearest that it sees.

    Args:
        f: rules and tables.
        g: the ground.
        s: rows of the units.
        a: x, y and top of each shooter looked at.
        b: the same of those who may be seen.
        c: x, y, top and radius of models that may stand in the way.
        kits: for each shooter the number of how it is armed.
        odds: what each way of being armed takes off, as a row.
        u: who shoots.
        v: who is shot at.
        wide: how far aside of its middle a base is looked for too.
        hit: room for a number for each of `b`; afterwards 1 for those who can be hit.
    """
    many, others = len(a) // 3, len(b) // 3
    total, far, between = 0.0, s[u * WIDTH + FAR], s[u * WIDTH + RADIUS] + s[v * WIDTH + RADIUS]
    faster = 1 if f[FAST] > 0.0 and s[v * WIDTH + HASTE] >= f[FAST] else 0
    gone = 1 if s[u * WIDTH + GONE] > 0.0 else 0
    for i in range(many):
        ax, ay, az = a[3 * i], a[3 * i + 1], a[3 * i + 2]
        nearest, free, lowest = far + NEARLY, 0, 9
        for j in range(others):
            dx, dy = b[3 * j] - ax, b[3 * j + 1] - ay
            gap = sqrt(dx * dx + dy * dy) - between
            if (gap < nearest or (hit[j] == 0.0 and gap < far + NEARLY)) and sees_base(
                g, c, ax, ay, az, b[3 * j], b[3 * j + 1], b[3 * j + 2], wide
            ):
                nearest, hit[j] = min(nearest, gap), 1.0
        if nearest >= far + NEARLY:
            continue
        for j in range(others):
            level = cover_on(g, ax, ay, b[3 * j], b[3 * j + 1])
            if level > 0:
                lowest = min(lowest, level)
            else:
                free += 1
        level = shared_cover(g, others, free, lowest) + faster
        level = min(level, int(f[LEVELS]) - 1)
        k = int(nearest + 0.9999) if nearest > 0.0 else 0
        row = ((int(kits[i]) * 2 + gone) * int(f[LEVELS]) + level) * int(f[COLUMNS])
        total += odds[row + k] if k < int(f[COLUMNS]) else 0.0
    return total / many


@kernel
def sees_base(g: Row, c: Row, ax: float, ay: float, az: float, bx: float, by: float, bz: float, wide: float) -> bool:
    """Whether the middle of a base, or a place near its rim on either side, is seen past terrain and models."""
    dx, dy = bx - ax, by - ay
    away = max(sqrt(dx * dx + dy * dy), 1e-9)
    thick = is_thick(g, ax, ay, az, bx, by, bz)
    for k in range(5):
        aside = ((k + 1) // 2) * (0.5 if k % 2 == 0 else -0.5) * wide / away
        tx, ty = bx - dy * aside, by + dx * aside
        if not is_crowded(c, ax, ay, az, tx, ty, bz) and not is_stopped(g, ax, ay, az, tx, ty, bz, thick):
            return True
    return False


@kernel
def is_crowded(c: Row, ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> bool:
    """Whether a model stands in the way of a line, other than one at its beginning."""
    dx, dy = bx - ax, by - ay
    square = max(dx * dx + dy * dy, 1e-12)
    for k in range(len(c) // 4):
        mx, my = c[4 * k] - ax, c[4 * k + 1] - ay
        along = (mx * dx + my * dy) / square
        if along <= 0.0 or along >= 1.0 or mx * mx + my * my < 1e-6:
            continue
        px, py = mx - along * dx, my - along * dy
        reach = c[4 * k + 3]
        if px * px + py * py < reach * reach and c[4 * k + 2] >= az + (bz - az) * along - NEARLY:
            return True
    return False


# ---- attacks ---------------------------------------------------------------------------------------------------------


@kernel
def fire_row(f: Row, u: int, v: int, moved: int, level: int) -> int:
    """Where the row by whole inches begins of what u's fire does to v."""
    level = min(level, int(f[LEVELS]) - 1)
    return int(f[FIRE_AT]) + (((u * int(f[COUNT]) + v) * 2 + moved) * int(f[LEVELS]) + level) * int(f[COLUMNS])


@kernel
def rate_at(f: Row, row: int, gap: float) -> float:
    """What is taken off at a gap."""
    k = int(gap + 0.9999) if gap > 0.0 else 0
    return float(f[row + k]) if k < int(f[COLUMNS]) else 0.0


@kernel
def lane(f: Row, s: Row, u: int, v: int) -> float:
    """Share of u's fire at v that its own models let pass."""
    count = int(f[COUNT])
    return float(s[count * (WIDTH + 2 * count) + u * count + v])


@kernel
def loss_at(
    f: Row,
    g: Row,
    sights: Row,
    s: Row,
    u: int,
    x: float,
    y: float,
    v: int,
    tx: float,
    ty: float,
    moved: int,
    haste: float,
) -> float:
    """Models that unit u takes off unit v by fire, each at a place of its own."""
    r, t = u * WIDTH, v * WIDTH
    dx, dy = tx - x, ty - y
    away = sqrt(dx * dx + dy * dy)
    if s[t + MODELS] <= 0.0 or s[r + FAR] <= 0.0 or away > s[r + FAR] + 12.0:
        return 0.0
    strength = s[r + MODELS] * (1.0 - s[r + BROKEN]) * lane(f, s, u, v)
    if s[r + AWAY] + s[t + AWAY] == 0.0 and x == s[r + X] and y == s[r + Y] and tx == s[t + X] and ty == s[t + Y]:
        able = s[r + MODELS] * (1.0 - s[r + BROKEN]) if strength > 0.0 else 0.0
        at = int(f[COUNT]) * (WIDTH + 2 * u) + 2 * v
        return short(able * s[at], s[t + MODELS] * s[at + 1] if f[MODELS_HIDE] > 0.0 else s[t + MODELS])
    ux, uy = dx / max(away, 1e-9), dy / max(away, 1e-9)
    own = reach_out(s, r, ux, uy)
    gap = away - reach_out(s, t, ux, uy) - s[r + RADIUS] - s[t + RADIUS]
    if gap - own > s[r + FAR] or strength <= 0.0:
        return 0.0
    code = look(g, sights, int(s[r + KIND]), int(s[t + KIND]), sight_cell(g, x, y), sight_cell(g, tx, ty))
    if code % 10 == 0:
        return 0.0
    level = code // 10 % 4 + (1 if f[FAST] > 0.0 and haste >= f[FAST] else 0)
    row = fire_row(f, u, v, 1 if s[r + GONE] > 0.0 else moved, level)
    rate = rate_at(f, row, gap)
    if own > 0.25:
        rate = (rate + rate_at(f, row, max(gap - 0.67 * own, 0.0)) + rate_at(f, row, gap + 0.67 * own)) / 3.0
    rate *= (code % 10) / 9.0
    if f[MODELS_HIDE] <= 0.0:
        return short(strength * rate, s[t + MODELS])
    rate *= open_lane(f, s, u, v, x, y, tx, ty)
    return short(strength * rate, min(max(s[t + MODELS] * (code // 40) / 3.0, 1.0), s[t + MODELS]))


@kernel
def open_lane(f: Row, s: Row, u: int, v: int, x: float, y: float, tx: float, ty: float) -> float:
    """Share of fire along a line that no other unit stands in the way of."""
    dx, dy = tx - x, ty - y
    square = max(dx * dx + dy * dy, 1e-9)
    away, free = sqrt(square), 1.0
    for m in range(int(f[COUNT])):
        r = m * WIDTH
        if m in (u, v) or s[r + MODELS] <= LEAST:
            continue
        mx, my = s[r + X] - x, s[r + Y] - y
        along = (mx * dx + my * dy) / square
        if along <= 0.0 or along >= 1.0:
            continue
        wide = reach_out(s, r, -dy / away, dx / away) + s[r + RADIUS]
        if abs(mx * dy - my * dx) < wide * away:
            free *= 1.0 - 0.9 * min(s[r + MODELS] * s[r + RADIUS] / wide, 1.0)
    return free


@kernel
def duel_losses(a: float, b: float, chance: float) -> float:
    """Models of b that fall where a fight b in pairs; whoever is left over of either joins a pair afterwards."""
    pairs = min(a, b)
    spare = min(a - pairs, pairs)
    first = pairs * (chance + spare / pairs * (1.0 - chance) * min(1.3 * chance, 1.0))
    return first + AFTERWARDS * min(max(b - pairs, 0.0), pairs) * chance


@kernel
def brawl_losses(a: float, b: float, chance: float) -> float:
    """Models of b that fall where a of one side touch b of the other, everybody fighting everybody he touches."""
    pairs = a + b - 1.0 if min(a, b) > 1.0 else max(a, b)
    each = pairs / b
    stands, left = 1.0, each
    while left > 0.0:
        stands *= 1.0 - chance * min(left, 1.0)
        left -= 1.0
    return b * (1.0 - stands)


@kernel
def brawl(f: Row, s: Row, u: int, v: int, charges: int, n: float, m: float) -> tuple[float, float]:
    """Models that v and that u lose in a round in which just n of u's and m of v's touch each other."""
    at = int(f[BLOWS_AT]) + ((u * int(f[COUNT]) + v) * 2 + charges) * 2
    if f[DUELS] <= 0.0:
        return melee_at(f, s, u, v, charges, n, m)
    if n <= 0.0 or m <= 0.0:
        return 0.0, 0.0
    return brawl_losses(n, m, f[at]), brawl_losses(m, n, f[at + 1])


@kernel
def melee_at(f: Row, s: Row, u: int, v: int, charges: int, n: float, m: float) -> tuple[float, float]:
    """Models that v and that u lose in a round in which n of u's meet m of v's."""
    at = int(f[BLOWS_AT]) + ((u * int(f[COUNT]) + v) * 2 + charges) * 2
    mine, theirs = s[u * WIDTH + MODELS], s[v * WIDTH + MODELS]
    if f[DUELS] > 0.0:
        if n <= 0.0 or m <= 0.0:
            return 0.0, 0.0
        return min(duel_losses(n, m, f[at]), theirs), min(duel_losses(m, n, f[at + 1]), mine)
    return short(n * f[at], theirs), short(m * f[at + 1], mine)


@kernel
def onset(f: Row, s: Row, u: int, v: int, share: float) -> tuple[float, float]:
    """Models that v and that u lose by a charge of a share of u."""
    n = s[u * WIDTH + MODELS] * (1.0 - s[u * WIDTH + BROKEN]) * share
    m = s[v * WIDTH + MODELS]
    if f[DUELS] <= 0.0:
        n, m = n * MEETING if n > 1.5 else n, m * MEETING if m > 1.5 else m
    return melee_at(f, s, u, v, 1, n, m)


@kernel
def best_shot(f: Row, g: Row, sights: Row, s: Row, u: int, x: float, y: float, moved: int) -> tuple[float, int]:
    """What the best target from a place is worth, and who it is (-1 for nobody)."""
    best, at = 0.0, -1
    for v in range(int(f[COUNT])):
        t = v * WIDTH
        if s[t + SIDE] == s[u * WIDTH + SIDE] or s[t + FOE] >= 0.0:
            continue
        k = loss_at(f, g, sights, s, u, x, y, v, s[t + X], s[t + Y], moved, s[t + HASTE])
        if k > 0.0:
            gain = worth(f, s, t, k)
            if gain > best + MARGIN:
                best, at = gain, v
    return best, at


@kernel
def watched(f: Row, g: Row, sights: Row, s: Row, u: int, x: float, y: float, haste: float) -> float:
    """Points that fire of watching enemies costs a unit that comes to a place."""
    lost = 0.0
    for v in range(int(f[COUNT])):
        t = v * WIDTH
        if s[t + WATCHING] > 0.0 and s[t + SIDE] != s[u * WIDTH + SIDE]:
            lost += loss_at(f, g, sights, s, v, s[t + X], s[t + Y], u, x, y, 0, haste)
    return worth(f, s, u * WIDTH, lost) if lost > 0.0 else 0.0


# ---- what is to come -------------------------------------------------------------------------------------------------


@kernel
def prepare(f: Row, s: Row, u: int, w: Row) -> None:
    """What a unit may do to each enemy in a later turn, wherever it goes: into the plans."""
    r = u * WIDTH
    for v in range(int(f[COUNT])):
        t, at = v * WIDTH, PLANS + 3 * v
        w[at], w[at + 1], w[at + 2] = 0.0, 0.0, 0.0
        if s[t + SIDE] == s[r + SIDE] or s[t + MODELS] <= LEAST or s[r + FOE] >= 0.0:
            continue
        if s[r + FAR] > 0.0:
            power, row = s[r + MODELS] * lane(f, s, u, v) * SEES, fire_row(f, u, v, 1, 0)
            near = short(power * rate_at(f, row, 0.25 * s[r + FAR]), s[t + MODELS])
            afar = short(power * rate_at(f, row, 0.8 * s[r + FAR]), s[t + MODELS])
            w[at + 1] = worth(f, s, t, near) if near > 0.0 else 0.0
            w[at + 2] = worth(f, s, t, afar) if afar > 0.0 else 0.0
        if s[r + CHARGE] > 0.0:
            k, lost = onset(f, s, u, v, 1.0)
            gain = worth(f, s, t, k)
            w[at] = max(gain - f[LOSSES] * worth(f, s, r, lost), 0.2 * gain)


@kernel
def prospect(f: Row, g: Row, nets: Row, s: Row, u: int, x: float, y: float, w: Row) -> float:
    """Points that a unit may destroy in a later turn from a place, and what it is worth to be near to goals."""
    r = u * WIDTH
    best, far, sort = 0.0, s[r + FAR], int(s[r + SORT])
    pace, here, later = max(s[r + RUN], 1.0), route_cell(g, x, y), f[LATER]
    for v in range(int(f[COUNT])):
        t, at = v * WIDTH, PLANS + 3 * v
        if max(w[at], w[at + 1], w[at + 2]) <= best:
            continue
        dx, dy = s[t + X] - x, s[t + Y] - y
        away = sqrt(dx * dx + dy * dy)
        out = reach_out(s, t, dx / max(away, 1e-9), dy / max(away, 1e-9)) + s[r + RADIUS] + s[t + RADIUS]
        gap = max(away + excess(g, nets, sort, here, route_cell(g, s[t + X], s[t + Y])) - out, 0.0)
        if w[at] > best:
            best = max(best, w[at] / (1.0 + later * max(gap - 0.8 * s[r + CHARGE], 0.0) / pace))
        if far > 0.0:
            near = max(gap - s[r + WALK], 0.0)
            share = part((0.8 * far - near) / (0.55 * far))
            value = w[at + 2] + share * (w[at + 1] - w[at + 2])
            best = max(best, value / (1.0 + later * max(near - 0.8 * far, 0.0) / pace))
    best *= 1.0 - s[r + BROKEN]
    if f[GOALS] > 0.0:
        best += f[NEAR_GOALS] * near_goals(f, g, nets, s, u, x, y)
    return float(best)


@kernel
def near_goals(f: Row, g: Row, nets: Row, s: Row, u: int, x: float, y: float) -> float:
    """Points that a unit's nearness to goals is worth: less where a mate is there already."""
    r, best = u * WIDTH, 0.0
    side, here = s[r + SIDE], route_cell(g, x, y)
    for k in range(int(f[GOALS])):
        at = int(f[GOALS_AT]) + 6 * k
        weight = f[at + 5] if side > 0.5 else f[at + 4]
        if weight <= best:
            continue
        dx, dy = f[at] - x, f[at + 1] - y
        way = sqrt(dx * dx + dy * dy) + excess(g, nets, int(s[r + SORT]), here, route_cell(g, f[at], f[at + 1]))
        value = weight / (1.0 + max(way - f[at + 2] - s[r + RADIUS], 0.0) / max(s[r + WALK], 1.0))
        for v in range(int(f[COUNT])):
            t = v * WIDTH
            if v != u and s[t + SIDE] == side and s[t + MODELS] > 0.5:
                mx, my = s[t + X] - f[at], s[t + Y] - f[at + 1]
                if mx * mx + my * my <= f[at + 2] * f[at + 2]:
                    value *= 0.35
        best = max(best, value)
    return float(best * f[STAKES])


# ---- one unit's turn -------------------------------------------------------------------------------------------------


@kernel
def offer(w: Row, value: float, deed: float, x: float, y: float, at: int, inches: float) -> None:
    """Keep what a unit could do if it is better than the best so far."""
    if value > w[VALUE] + MARGIN:
        w[VALUE], w[DEED], w[TO_X], w[TO_Y], w[AT], w[INCHES] = value, deed, x, y, float(at), inches


@kernel
def offer_way(
    f: Row, g: Row, nets: Row, sights: Row, s: Row, u: int, w: Row, tx: float, ty: float, inches: float, runs: bool
) -> None:
    """Offer to go so many inches of the way to a place, and to shoot from there where one may."""
    r = u * WIDTH
    x, y = toward(g, nets, int(s[r + SORT]), s[r + X], s[r + Y], tx, ty, inches)
    dx, dy = x - s[r + X], y - s[r + Y]
    gone = sqrt(dx * dx + dy * dy)
    if gone <= 0.05:
        return
    gain, at = 0.0, -1
    if s[r + ATTACKS] > 0.0 and (not runs or f[RUN_FIRES] > 0.0):
        gain, at = best_shot(f, g, sights, s, u, x, y, 1)
    gain += f[PROGRESS] * prospect(f, g, nets, s, u, x, y, w)
    gain -= f[LOSSES] * watched(f, g, sights, s, u, x, y, gone)
    offer(w, gain, RUSHES if runs else GOES, x, y, at, gone)


@kernel
def offer_charge(
    f: Row, g: Row, nets: Row, sights: Row, s: Row, u: int, w: Row, v: int, gap: float, own: float
) -> None:
    """Offer to charge an enemy."""
    r, t = u * WIDTH, v * WIDTH
    reach = s[r + CHARGE] if s[r + RUNS] > 0.0 or f[ALTERNATE] <= 0.0 else s[r + WALK]
    share = 1.0 if gap <= reach else 0.0
    if own > 0.25:
        share = part((reach - gap + own) / (2.0 * own))
    if share <= 0.0:
        return
    k, lost = onset(f, s, u, v, share)
    net = worth(f, s, t, k) - f[LOSSES] * worth(f, s, r, lost)
    value = net - f[LOSSES] * watched(f, g, sights, s, u, s[t + X], s[t + Y], 0.0)
    if f[LOCKS] > 0.0:
        value += f[PROGRESS] * max(net, 0.0)
    else:
        value += f[PROGRESS] * prospect(f, g, nets, s, u, s[t + X], s[t + Y], w)
    offer(w, value, STRIKES, s[t + X], s[t + Y], v, gap)


@kernel
def offer_watch(f: Row, g: Row, nets: Row, sights: Row, s: Row, u: int, w: Row) -> None:
    """Offer to wait for an enemy who may come nearer."""
    r, hoped = u * WIDTH, 0.0
    for v in range(int(f[COUNT])):
        t = v * WIDTH
        if s[t + SIDE] == s[r + SIDE] or s[t + MODELS] <= LEAST or s[t + FOE] >= 0.0:
            continue
        dx, dy = s[t + X] - s[r + X], s[t + Y] - s[r + Y]
        gap = sqrt(dx * dx + dy * dy) - s[r + RADIUS] - s[t + RADIUS]
        rate = rate_at(f, fire_row(f, u, v, 0, 0), max(gap - s[t + RUN], min(gap, APART)))
        k = short(s[r + MODELS] * (1.0 - s[r + BROKEN]) * lane(f, s, u, v) * rate * SEES, s[t + MODELS])
        hoped = max(hoped, worth(f, s, t, k) if k > 0.0 else 0.0)
    stays = f[PROGRESS] * prospect(f, g, nets, s, u, s[r + X], s[r + Y], w)
    stays -= f[LOSSES] * watched(f, g, sights, s, u, s[r + X], s[r + Y], 0.0)
    offer(w, f[WATCH] * hoped + stays, WAITS, s[r + X], s[r + Y], -1, 0.0)


@kernel
def decide(f: Row, g: Row, nets: Row, sights: Row, s: Row, u: int, w: Row) -> None:
    """What a unit does in its turn, into `w`."""
    r = u * WIDTH
    x, y = s[r + X], s[r + Y]
    prepare(f, s, u, w)
    gain, shot = 0.0, -1
    if s[r + ATTACKS] > 0.0:
        gain, shot = best_shot(f, g, sights, s, u, x, y, 0)
    gain += f[PROGRESS] * prospect(f, g, nets, s, u, x, y, w)
    gain -= f[LOSSES] * watched(f, g, sights, s, u, x, y, 0.0)
    w[VALUE], w[DEED], w[TO_X], w[TO_Y], w[AT], w[INCHES] = gain, STAYS, x, y, float(shot), 0.0
    nearest, closest, here = -1, 1e9, route_cell(g, x, y)
    for v in range(int(f[COUNT])):
        t = v * WIDTH
        if s[t + SIDE] == s[r + SIDE] or s[t + MODELS] <= LEAST:
            continue
        dx, dy = s[t + X] - x, s[t + Y] - y
        away = max(sqrt(dx * dx + dy * dy), 1e-9)
        own, theirs = reach_out(s, r, dx / away, dy / away), reach_out(s, t, dx / away, dy / away)
        way = away + excess(g, nets, int(s[r + SORT]), here, route_cell(g, s[t + X], s[t + Y]))
        gap = max(way - theirs - s[r + RADIUS] - s[t + RADIUS], 0.0)
        if gap - own < closest - MARGIN:
            nearest, closest = v, gap - own
        if s[r + CHARGES] > 0.0 and s[r + CHARGE] > 0.0:
            offer_charge(f, g, nets, sights, s, u, w, v, max(gap - own, 0.0), own)
        if s[r + MOVES] > 0.0:
            room = max(gap - own - APART, 0.0)
            offer_way(f, g, nets, sights, s, u, w, s[t + X], s[t + Y], min(s[r + WALK], room), False)
            short_of = gap + own - s[r + FAR] + 0.3
            if s[r + FAR] > 0.0 and 0.0 < short_of < min(s[r + WALK], room):
                offer_way(f, g, nets, sights, s, u, w, s[t + X], s[t + Y], short_of, False)
    if s[r + MOVES] > 0.0:
        is_free = closest > f[RUN_GAP] and s[r + RUNS] > 0.0 and s[r + RUN] > s[r + WALK]
        decide_moves(f, g, nets, sights, s, u, w, nearest, is_free)
    if f[ALTERNATE] <= 0.0 and s[r + ATTACKS] > 0.0 and s[r + MOVES] > 0.0 and shot < 0:
        offer_watch(f, g, nets, sights, s, u, w)


@kernel
def decide_moves(f: Row, g: Row, nets: Row, sights: Row, s: Row, u: int, w: Row, nearest: int, is_free: bool) -> None:
    """Runs, ways to goals, and a step back."""
    r = u * WIDTH
    for v in range(int(f[COUNT])):
        t = v * WIDTH
        if is_free and s[t + SIDE] != s[r + SIDE] and s[t + MODELS] > LEAST:
            dx, dy = s[t + X] - s[r + X], s[t + Y] - s[r + Y]
            room = sqrt(dx * dx + dy * dy) - s[r + RADIUS] - s[t + RADIUS] - APART
            if room > s[r + WALK]:
                offer_way(f, g, nets, sights, s, u, w, s[t + X], s[t + Y], min(s[r + RUN], room), True)
    for k in range(int(f[GOALS])):
        at = int(f[GOALS_AT]) + 6 * k
        if (f[at + 5] if s[r + SIDE] > 0.5 else f[at + 4]) > 0.0:
            dx, dy = f[at] - s[r + X], f[at + 1] - s[r + Y]
            room = sqrt(dx * dx + dy * dy)
            offer_way(f, g, nets, sights, s, u, w, f[at], f[at + 1], min(s[r + WALK], room), False)
            if is_free and room > s[r + WALK]:
                offer_way(f, g, nets, sights, s, u, w, f[at], f[at + 1], min(s[r + RUN], room), True)
    if nearest >= 0:
        t = nearest * WIDTH
        dx, dy = s[r + X] - s[t + X], s[r + Y] - s[t + Y]
        go = s[r + WALK] / max(sqrt(dx * dx + dy * dy), 1e-9)
        tx = min(max(s[r + X] + dx * go, s[r + RADIUS]), g[BOARD_X] - s[r + RADIUS])
        ty = min(max(s[r + Y] + dy * go, s[r + RADIUS]), g[BOARD_Y] - s[r + RADIUS])
        offer_way(f, g, nets, sights, s, u, w, tx, ty, s[r + WALK], False)


# ---- carrying it out -------------------------------------------------------------------------------------------------


@kernel
def takes(s: Row, v: int, k: float) -> None:
    """Take models off a unit."""
    s[v * WIDTH + MODELS] = max(s[v * WIDTH + MODELS] - k, 0.0)


@kernel
def watchers_fire(f: Row, g: Row, sights: Row, s: Row, u: int) -> None:
    """Every watching enemy who sees a unit when it has done something, be it nothing, fires once."""
    r = u * WIDTH
    for v in range(int(f[COUNT])):
        t = v * WIDTH
        if s[t + SIDE] != s[r + SIDE] and s[t + WATCHING] > 0.0:
            k = loss_at(f, g, sights, s, v, s[t + X], s[t + Y], u, s[r + X], s[r + Y], 0, s[r + HASTE])
            if k > 0.0:
                takes(s, u, k)
                s[t + WATCHING] = 0.0


@kernel
def answer(f: Row, g: Row, sights: Row, s: Row, u: int, v: int, orders: Row) -> float:
    """Models that u loses to an answer of v's, which spends an order of its side; 0 where it does not answer."""
    r, t = u * WIDTH, v * WIDTH
    side = int(s[t + SIDE])
    if f[ALTERNATE] <= 0.0 or orders[side] < 1.0 or s[t + ATTACKS] <= 0.0:
        return 0.0
    k = loss_at(f, g, sights, s, v, s[t + X], s[t + Y], u, s[r + X], s[r + Y], 0, s[r + HASTE])
    if k > 0.0:
        s[t + ATTACKS] = 0.0
        orders[side] -= 1.0
    return k


@kernel
def carry_out(f: Row, g: Row, sights: Row, s: Row, u: int, w: Row, orders: Row) -> bool:
    """Do what was decided; whether the enemy spent an order on answering."""
    r, deed, v = u * WIDTH, w[DEED], int(w[AT])
    in_turns = f[ALTERNATE] > 0.0
    if deed == WAITS:
        s[r + WATCHING], s[r + MOVES], s[r + ATTACKS] = 1.0, 0.0, 0.0
        watchers_fire(f, g, sights, s, u)
        return False
    if deed != STAYS:
        s[r + HASTE], s[r + AWAY] = w[INCHES], 1.0
        s[r + CHARGES] = 0.0
        s[r + MOVES] = s[r + MOVES] if in_turns else 0.0
        s[r + RUNS] = 0.0 if deed == RUSHES else s[r + RUNS]
    if deed == STRIKES:
        answered = strike(f, g, sights, s, u, v, orders)
        watchers_fire(f, g, sights, s, u)
        return answered
    moved = 0
    if deed != STAYS:
        moved = 1
        s[r + X], s[r + Y] = w[TO_X], w[TO_Y]
        watchers_fire(f, g, sights, s, u)
    if v < 0 or s[r + ATTACKS] <= 0.0:
        watchers_fire(f, g, sights, s, u)
        return False
    t = v * WIDTH
    k = loss_at(f, g, sights, s, u, s[r + X], s[r + Y], v, s[t + X], s[t + Y], moved, s[t + HASTE])
    back = answer(f, g, sights, s, u, v, orders)
    takes(s, v, k)
    takes(s, u, back)
    s[r + ATTACKS] = 0.0
    s[r + MOVES] = s[r + MOVES] if in_turns else 0.0
    watchers_fire(f, g, sights, s, u)
    return back > 0.0


@kernel
def strike(f: Row, g: Row, sights: Row, s: Row, u: int, v: int, orders: Row) -> bool:
    """A charge: the unit stands beside its foe; the two are locked where the game has that, else they fight at once."""
    r, t = u * WIDTH, v * WIDTH
    back = answer(f, g, sights, s, u, v, orders)
    dx, dy = s[r + X] - s[t + X], s[r + Y] - s[t + Y]
    away = max(sqrt(dx * dx + dy * dy), 1e-9)
    deep = reach_out(s, r, dx / away, dy / away) + reach_out(s, t, dx / away, dy / away)
    near = min(away, s[r + RADIUS] + s[t + RADIUS] + 0.5 * deep)
    s[r + X], s[r + Y] = s[t + X] + dx / away * near, s[t + Y] + dy / away * near
    s[r + ATTACKS] = 0.0
    takes(s, u, back)
    if f[LOCKS] > 0.0:
        s[r + FOE], s[r + NEWLY], s[r + ACTS] = float(v), 1.0, 0.0
        if s[t + FOE] < 0.0:
            s[t + FOE], s[t + NEWLY] = float(u), 0.0
        return False
    s[r + RUNS] = 0.0
    k, lost = onset(f, s, u, v, 1.0)
    takes(s, v, k)
    takes(s, u, lost)
    return back > 0.0


@kernel
def combats(f: Row, s: Row) -> None:
    """A round of hand-to-hand of everybody who is locked in it."""
    count = int(f[COUNT])
    for u in range(count):
        v = int(s[u * WIDTH + FOE])
        if v < 0 or (int(s[v * WIDTH + FOE]) == u and v < u):
            continue
        one, other = u, v
        if s[u * WIDTH + NEWLY] <= 0.0 and s[v * WIDTH + NEWLY] > 0.0:
            one, other = v, u
        r, t = one * WIDTH, other * WIDTH
        if s[r + MODELS] > LEAST and s[t + MODELS] > LEAST:
            charges, at = 1 if s[r + NEWLY] > 0.0 else 0, count * (WIDTH + 3 * count)
            if s[r + ACTS] > 0.0:
                n, m = min(s[r + MODELS], s[at + one * count + other]), min(s[t + MODELS], s[at + other * count + one])
                k, lost = brawl(f, s, one, other, charges, n, m)
            else:
                k, lost = melee_at(f, s, one, other, charges, s[r + MODELS], s[t + MODELS])
            takes(s, other, k)
            takes(s, one, lost)
        if s[r + MODELS] <= LEAST or s[t + MODELS] <= LEAST:
            s[u * WIDTH + FOE] = -1.0
            if int(s[v * WIDTH + FOE]) == u:
                s[v * WIDTH + FOE] = -1.0
    for u in range(count):
        s[u * WIDTH + NEWLY], s[u * WIDTH + ACTS] = 0.0, 0.0


@kernel
def nerves(f: Row, s: Row) -> None:
    """Whoever has lost too much in this turn may break."""
    for u in range(int(f[COUNT])):
        r = u * WIDTH
        if s[r + NERVE] > 0.0 and s[r + MODELS] < s[r + AT_TURN]:
            chance = s[r + NERVE] * tested(s, r, s[r + MODELS], f[BREAK_SHARE])
            s[r + BROKEN] += (1.0 - s[r + BROKEN]) * chance
        s[r + AT_TURN] = s[r + MODELS]


@kernel
def arranged(f: Row, s: Row, side: float, w: Row) -> int:
    """The units of a side, those nearest to the enemy first, to the end of `w`; how many there are."""
    all_units, count = int(f[COUNT]), 0
    at = PLANS + 3 * all_units
    for u in range(all_units):
        r = u * WIDTH
        if s[r + SIDE] != side or s[r + MODELS] <= LEAST:
            continue
        nearest = 1e18
        for v in range(all_units):
            t = v * WIDTH
            if s[t + SIDE] != side and s[t + MODELS] > LEAST:
                dx, dy = s[t + X] - s[r + X], s[t + Y] - s[r + Y]
                nearest = min(nearest, dx * dx + dy * dy)
        s[r + NEAREST] = nearest
        k = count
        while k > 0 and s[int(w[at + k - 1]) * WIDTH + NEAREST] > nearest + MARGIN:
            w[at + k] = w[at + k - 1]
            k -= 1
        w[at + k] = float(u)
        count += 1
    return count


@kernel
def refresh(f: Row, s: Row, side: float) -> None:
    """A new turn of a side: everything may be done again."""
    for u in range(int(f[COUNT])):
        r = u * WIDTH
        if s[r + SIDE] == side:
            s[r + MOVES], s[r + ATTACKS], s[r + CHARGES], s[r + RUNS] = 1.0, 1.0, 1.0, 1.0
            s[r + WATCHING], s[r + HASTE], s[r + GONE] = 0.0, 0.0, 0.0
            s[r + BROKEN] *= 1.0 - s[r + RALLY]


@kernel
def whole_turn(f: Row, g: Row, nets: Row, sights: Row, s: Row, side: int, w: Row, orders: Row) -> None:
    """A player turn, or what is left of it."""
    at = PLANS + 3 * int(f[COUNT])
    for k in range(arranged(f, s, float(side), w)):
        u = int(w[at + k])
        r = u * WIDTH
        able = s[r + MOVES] + s[r + ATTACKS] + s[r + CHARGES]
        if s[r + FOE] < 0.0 and able > 0.0 and s[r + MODELS] > LEAST and s[r + BROKEN] < 0.999:
            decide(f, g, nets, sights, s, u, w)
            carry_out(f, g, sights, s, u, w, orders)
    combats(f, s)
    nerves(f, s)


@kernel
def one_round(f: Row, g: Row, nets: Row, sights: Row, s: Row, side: int, w: Row, orders: Row) -> None:
    """A round in which the sides order one unit each in turn, or what is left of it."""
    for u in range(int(f[COUNT])):
        s[u * WIDTH + ACTS] = 0.0
    idle = 0
    while idle < 2:
        u = next_unit(f, s, float(side), w, orders[side])
        if u < 0:
            idle += 1
            side = 1 - side
            continue
        s[u * WIDTH + ACTS] += 1.0
        decide(f, g, nets, sights, s, u, w)
        if w[DEED] == STAYS and w[AT] < 0.0:
            s[u * WIDTH + ACTS] = 2.0
            continue
        idle = 0
        orders[side] -= 1.0
        if not carry_out(f, g, sights, s, u, w, orders):
            side = 1 - side
    nerves(f, s)


@kernel
def next_unit(f: Row, s: Row, side: float, w: Row, orders: float) -> int:
    """Who is ordered next: the unit with the fewest orders so far, the nearest to the enemy first; -1 for nobody."""
    if orders < 1.0:
        return -1
    found, least, at = -1, 2.0, PLANS + 3 * int(f[COUNT])
    for k in range(arranged(f, s, side, w)):
        u = int(w[at + k])
        if s[u * WIDTH + ACTS] < least:
            found, least = u, s[u * WIDTH + ACTS]
    return found


# ---- goals -----------------------------------------------------------------------------------------------------------


@kernel
def presence(f: Row, s: Row, at: int, side: float, reach: float) -> float:
    """How likely it is that a side has a model so near to a goal."""
    absent = 1.0
    for u in range(int(f[COUNT])):
        r = u * WIDTH
        if s[r + SIDE] != side or s[r + MODELS] <= LEAST:
            continue
        dx, dy = s[r + X] - f[at], s[r + Y] - f[at + 1]
        away = sqrt(dx * dx + dy * dy)
        out = 0.7 * reach_out(s, r, dx / max(away, 1e-9), dy / max(away, 1e-9))
        absent *= 1.0 - part((reach + s[r + RADIUS] + out - away) / 1.5 + 0.5) * min(s[r + MODELS], 1.0)
    return 1.0 - absent


@kernel
def gained(f: Row, s: Row, side: int) -> float:
    """Victory points that the end of a round gives a side as units stand."""
    total, none, every = 0.0, 1.0, 1.0
    for k in range(int(f[GOALS])):
        at = int(f[GOALS_AT]) + 6 * k
        weight = f[at + 4 + side]
        if weight <= 0.0:
            continue
        there = presence(f, s, at, float(side), f[at + 2])
        if f[at + 3] > 0.0:
            there *= 1.0 - presence(f, s, at, 1.0 - side, f[at + 3])
        total, none, every = total + weight * there, none * (1.0 - there), every * there
    how = f[HOW_RED + side]
    if how == 1.0:
        return 1.0 - none
    return every if how == 2.0 and total > 0.0 else total


# ---- the whole -------------------------------------------------------------------------------------------------------


@kernel
def standing(f: Row, s: Row, out: Row) -> None:
    """Points of both sides on the table and victory points by losses, into the first four places of `out`."""
    out[0], out[1], out[2], out[3] = 0.0, 0.0, 0.0, 0.0
    for u in range(int(f[COUNT])):
        r = u * WIDTH
        side = int(s[r + SIDE])
        out[side] += s[r + POINTS] * s[r + MODELS]
        out[3 - side] += scored(s, r, s[r + MODELS], s[r + BROKEN])


@kernel
def play_turns(f: Row, g: Row, nets: Row, sights: Row, s: Row, halves: int, w: Row, orders: Row) -> int:
    """The rest of this player turn and further ones; how many are left of the game then."""
    side, ends = int(f[ACTIVE]), int(f[ENDS])
    turns = min(halves, ends)
    whole_turn(f, g, nets, sights, s, side, w, orders)
    for _ in range(turns):
        side = 1 - side
        refresh(f, s, float(side))
        whole_turn(f, g, nets, sights, s, side, w, orders)
    return ends - turns


@kernel
def play_rounds(f: Row, g: Row, nets: Row, sights: Row, s: Row, halves: int, w: Row, orders: Row, out: Row) -> int:
    """The rest of this round and further ones; how many are left then. What goals gave red goes into ``out[2]``."""
    side, first, ends, goals = int(f[ACTIVE]), int(f[FIRST]), int(f[ENDS]), 0.0
    rounds = min((halves + 1) // 2, ends)
    for k in range(rounds + 1):
        if k > 0:
            first = 1 - first if f[SWAPS] > 0.0 else first
            side = first
            refresh(f, s, 0.0)
            refresh(f, s, 1.0)
            orders[0], orders[1] = f[ORDERS_ROUND], f[ORDERS_ROUND]
        one_round(f, g, nets, sights, s, side, w, orders)
        if k >= f[SCORE_AFTER] and (f[LAST_ONLY] <= 0.0 or k == ends):
            goals += gained(f, s, 0) - gained(f, s, 1)
    out[5] = goals
    return ends - rounds


@kernel
def roll(f: Row, g: Row, nets: Row, sights: Row, s: Row, halves: int, w: Row, orders: Row, out: Row) -> float:
    """Play on for the rest of this turn and so many further player turns; what red gains on blue, in points.

    Args:
        f: rules, weights and tables.
        g: the ground.
        nets: ways.
        sights: what is seen; filled in.
        s: rows of the units, changed in place.
        halves: player turns after this one; where orders alternate two of them are a round.
        w: room of `work_size`.
        orders: orders that the sides have left, changed in place.
        out: eight places; afterwards: what changed for red in points on the table, victory points by losses, the same
            by goals, and what red and blue may expect from then on.
    """
    standing(f, s, out)
    red, blue, red_score, blue_score, out[5] = out[0], out[1], out[2], out[3], 0.0
    if f[ALTERNATE] > 0.0:
        left = play_rounds(f, g, nets, sights, s, halves, w, orders, out)
    else:
        left = play_turns(f, g, nets, sights, s, halves, w, orders)
    standing(f, s, out)
    out[0], out[1] = (out[0] - red) - (out[1] - blue), (out[2] - red_score) - (out[3] - blue_score)
    out[2], out[3], out[4] = out[5], 0.0, 0.0
    for u in range(int(f[COUNT])):
        r = u * WIDTH
        if left > 0 and s[r + MODELS] > LEAST:
            prepare(f, s, u, w)
            out[3 + int(s[r + SIDE])] += prospect(f, g, nets, s, u, s[r + X], s[r + Y], w)
    total = out[0] + f[STAKES] * (out[1] + out[2]) + f[PROSPECTS] * (out[3] - out[4])
    if left > 0 and f[GOALS] > 0.0:
        total += f[STAKES] * 0.5 * min(left, 2) * (gained(f, s, 0) - gained(f, s, 1))
    return float(total)
