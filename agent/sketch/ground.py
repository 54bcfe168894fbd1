"""The ground as the sketch finds it: coarse routes and coarse sight, worked out once for a board.

Routes lie on a net of cells joined to sixteen neighbours: what they are longer than the straight line is kept for
every two cells, walls, slow ground, fees and heights taken into account. What is in the way of sight, and what
gives cover, is laid out as rows of edges for the kernel, which looks between two cells when first asked and
remembers it here.

Reference: E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1 (1959).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tactician.agent.sketch.kernel import PIECE, UNKNOWN
from tactician.rules.core.going import Going
from tactician.rules.core.measure import Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shades import pieces_of
from tactician.rules.core.sketch_tables import Lie
from tactician.rules.core.terrain import Board

__all__ = ["KINDS", "Ground", "ground_for", "kind_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

MOST_ROUTE_CELLS, MOST_SIGHT_CELLS = 620, 1_700
"""Cells of a net at most: the inches to a cell grow with the board."""

LEAST_ROUTE, LEAST_SIGHT = 1.5, 1.0
"""Inches to a cell at least."""

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))
"""Half of the sixteen directions from cell to cell; the others lead back."""

LONGER = 1.0274
"""Ways of sixteen directions are at most so much longer than the straight line."""

NOTHING: Inches = 0.75
"""A way round that is longer by no more than this, besides, is as good as straight on such a net."""

SLIM = 0.6
"""Part of its radius that a base needs to get past something on the coarse net."""

FAR: Inches = 1000.0
"""Longer than any way: no way at all."""

SINGLE, SQUAD = 0, 1
KINDS = 2
"""Sorts of units for sight: one model, or several that stand side by side."""

SAMPLES = 4
"""Places on the way to a neighbouring cell at which it is asked what the ground costs."""

PARTLY: Inches = 0.4
"""How far outside of a piece the middle of a base may be that is in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """One board for units of some sorts, as flat rows."""

    facts: Floats
    """The grids, and edges, pieces, heights and closed cells behind them, as `kernel` names the places."""
    nets: Floats
    """By sort of ground, from cell to cell: inches that the way is longer than the straight line."""
    sights: Bytes
    """Ninths of the shooters that see somebody, plus ten times the level of cover; by kinds and cells."""


def kind_of(models: int) -> int:
    """The sort of a unit for sight."""
    return SINGLE if models < 2 else SQUAD


_GROUNDS: Remembered[Ground] = Remembered(50)


def ground_for(lie: Lie, sorts: tuple[tuple[Going, Inches], ...]) -> Ground:
    """The ground for some sorts of going and base, in their order; remembered."""
    about = tuple(round(radius, 6) for _, radius in sorts)
    return _GROUNDS.get((lie, *(going for going, _ in sorts)), about, lambda: _ground(lie, sorts))


@lru_cache(maxsize=12)
def _ground(lie: Lie, sorts: tuple[tuple[Going, Inches], ...]) -> Ground:
    board = lie.board
    route = _step(board, LEAST_ROUTE, MOST_ROUTE_CELLS)
    seen = _step(board, LEAST_SIGHT, MOST_SIGHT_CELLS)
    sight_shape = _shape(board, seen)
    nets = [_net(board, going, radius, route) for going, radius in sorts]
    count = sight_shape[0] * sight_shape[1]
    edges, pieces = _screens(lie)
    grid = (board.width, board.height, route, *_shape(board, route), seen, *sight_shape)
    tops = _heights(board, _points(sight_shape, seen)) + lie.stature
    first = len(grid) + 6
    sizes = (len(edges), len(pieces) * PIECE, len(tops))
    starts = [first + sum(sizes[:k]) for k in range(4)]
    pieces[:, 8] = pieces[:, 8] * 4 + first
    head = np.array([*grid, len(pieces), *starts, float(lie.across)], np.float64)
    return Ground(
        facts=np.concatenate([head, edges, pieces.ravel(), tops, *(shut for _, shut in nets)]),
        nets=np.concatenate([net.ravel() for net, _ in nets]),
        sights=np.full(KINDS * KINDS * count * count, UNKNOWN, np.uint8),
    )


def _step(board: Board, least: Inches, most: int) -> Inches:
    """Inches to a cell so that there are no more than so many."""
    step = least
    while _cells(board, step) > most:
        step += 0.25
    return step


def _shape(board: Board, step: Inches) -> tuple[int, int]:
    return ceil(board.width / step), ceil(board.height / step)


def _cells(board: Board, step: Inches) -> int:
    columns, rows = _shape(board, step)
    return columns * rows


def _points(shape: tuple[int, int], step: Inches) -> Floats:
    """Middles of the cells, column by column."""
    columns, rows = shape
    xs, ys = (np.arange(columns) + 0.5) * step, (np.arange(rows) + 0.5) * step
    return np.stack([np.repeat(xs, rows), np.tile(ys, columns)], axis=1)


def _heights(board: Board, points: Floats) -> Floats:
    """Height of the highest floor at some places."""
    import shapely

    found = np.zeros(len(points))
    for floor in board.surfaces:
        if floor.polygon is None:
            continue
        inside = np.asarray(shapely.contains_xy(shapely.Polygon(floor.polygon.points), points[:, 0], points[:, 1]))
        for place in np.nonzero(inside)[0].tolist():
            found[place] = max(found[place], floor.height_at(float(points[place, 0]), float(points[place, 1])))
    return found


# ---- routes ----------------------------------------------------------------------------------------------------------


def _net(board: Board, going: Going, radius: Inches, step: Inches) -> tuple[Floats, Floats]:
    """How much longer than straight the way from cell to cell is; and which cells nobody can stand in."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    shape = _shape(board, step)
    points = _points(shape, step)
    walls = _walls(board, going, radius)
    shut = np.zeros(len(points), np.bool_) if walls is None else _inside(walls, points)
    froms, tos = _neighbours(shape, shut)
    prices = _prices(board, going, points[froms], points[tos], walls)
    able = np.isfinite(prices)
    graph = csr_array((prices[able], (froms[able], tos[able])), shape=(len(points), len(points)))
    ways = np.asarray(dijkstra(graph))
    dx, dy = points[:, None, 0] - points[None, :, 0], points[:, None, 1] - points[None, :, 1]
    straight = np.sqrt(dx * dx + dy * dy)
    excess = np.where(np.isfinite(ways), ways - straight * LONGER, FAR)
    excess = np.where(excess > NOTHING, excess, 0.0)
    stand = _nearest_open(straight, shut)
    return excess[stand][:, stand], shut.astype(np.float64)


def _nearest_open(straight: Floats, shut: NDArray[np.bool_]) -> Ints:
    """For each cell the nearest one in which somebody can stand: a unit's middle may lie over a wall."""
    if shut.all():
        return np.arange(len(shut))
    return np.asarray(np.where(shut[None, :], np.inf, straight).argmin(axis=1))


def _walls(board: Board, going: Going, radius: Inches) -> Any:
    """Everything that a middle cannot pass through, or None."""
    import shapely

    outlines = [piece.outline for piece in board.features if piece.blocks]
    outlines += [outline for _, outline in going.barred]
    if not outlines:
        return None
    wide = SLIM * radius
    found = shapely.unary_union([shapely.Polygon(outline.points).buffer(wide) for outline in outlines])
    shapely.prepare(found)
    return found


def _inside(area: Any, points: Floats) -> NDArray[np.bool_]:
    import shapely

    return np.asarray(shapely.contains_xy(area, points[:, 0], points[:, 1]))


def _neighbours(shape: tuple[int, int], shut: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Pairs of cells that are next to each other, both ways."""
    columns, rows = shape
    grid = np.arange(columns * rows).reshape(shape)
    froms, tos = [], []
    for di, dj in STEPS:
        a = grid[: columns - di, max(-dj, 0) : rows - max(dj, 0)].ravel()
        b = grid[di:, max(dj, 0) : rows - max(-dj, 0)].ravel()
        froms += [a, b]
        tos += [b, a]
    one, other = np.concatenate(froms), np.concatenate(tos)
    free = ~shut[one] & ~shut[other]
    return one[free], other[free]


def _prices(board: Board, going: Going, a: Floats, b: Floats, walls: Any) -> Floats:
    """What straight ways cost; infinite through walls."""
    import shapely

    size = np.sqrt(((b - a) ** 2).sum(axis=1))
    total = size * _rates(going, a, b)
    lines = shapely.linestrings(np.stack([a, b], axis=1))
    for fee in going.fees:
        outline = shapely.Polygon(fee.outline.points)
        shapely.prepare(outline)
        met = np.asarray(shapely.intersects(outline, lines))
        ends = _inside(outline, a).astype(np.float64) + _inside(outline, b)
        total += np.where(met, fee.inches * np.where(ends > 0.0, 0.5, 1.0), 0.0)
    if any(floor.polygon is not None for floor in board.surfaces):
        total += np.maximum(_heights(board, b) - _heights(board, a), 0.0)
    if walls is not None:
        total = np.where(np.asarray(shapely.intersects(walls, lines)), np.inf, total)
    return np.asarray(total)


def _rates(going: Going, a: Floats, b: Floats) -> Floats:
    """Inches paid for an inch, on average over a few places."""
    import shapely

    total = np.zeros(len(a))
    for k in range(SAMPLES):
        at = a + (b - a) * ((k + 0.5) / SAMPLES)
        rate = np.ones(len(a))
        for region in going.regions:
            held = _inside(shapely.Polygon(region.outline.points), at)
            rate = np.where(held, np.maximum(rate, region.rate), rate)
        total += rate
    return total / SAMPLES


# ---- sight -----------------------------------------------------------------------------------------------------------


def _screens(lie: Lie) -> tuple[Floats, Floats]:
    """Edges and pieces of everything that hides, then of everything that covers."""
    import shapely

    edges: list[tuple[float, float, float, float]] = []
    rows: list[tuple[float, ...]] = []

    def add(points: list[tuple[float, float]], *about: float) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        rows.append((min(xs), min(ys), max(xs), max(ys), *about[:4], len(edges), len(points), about[4]))
        edges.extend((*a, *b) for a, b in zip(points, [*points[1:], points[0]], strict=True))

    for piece in pieces_of(lie.board):
        add(list(piece.points), piece.bottom, min(piece.top, FAR), piece.veil or 0.0, 0.0, 0.0)
    for outline, level in lie.covers:
        points = list(outline.points)
        if not lie.across:
            grown = shapely.Polygon(points).buffer(PARTLY, quad_segs=1)
            points = [(float(x), float(y)) for x, y in grown.exterior.coords[:-1]]
        add(points, 0.0, FAR, 0.0, float(level), 0.0 if lie.across else 1.0)
    return (
        np.array(edges, np.float64).ravel(),
        np.array(rows, np.float64).reshape(-1, PIECE),
    )
