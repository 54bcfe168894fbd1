"""Where the bases of a unit can come to rest on a grid: for maps.

Over ground that costs nothing the cost of a cell is exact: what the tape measure says of the shortest way of that
base, its mates left out of account. Over ground that costs, ways go from cell to cell in sixteen directions, so
that they are at most a few hundredths too long; what is reached without touching anything that costs is exact
there too. Models are looked at on the surface on which they stand.

Reference: E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1 (1959).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil, floor, inf

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.going import Going
from tactician.rules.core.measure import OPEN_MARGIN, TOL, Inches
from tactician.rules.core.move_types import KeepAway, MoveType
from tactician.rules.core.scene import Base, scene_for
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import GROUND
from tactician.rules.paths.arrival import arrivals
from tactician.rules.paths.scene import Scene, limit_of
from tactician.rules.paths.walkers import surroundings

__all__ = ["Grid", "Rests", "end_zones", "fenced"]

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))
"""Half of the sixteen directions from cell to cell; the others lead back."""

FINE = 4
"""Places to a cell's side at which it is known what the ground costs."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Cells over a table; cell (i, j) is the place (i step, j step)."""

    width: Inches
    height: Inches
    step: Inches

    @property
    def shape(self) -> tuple[int, int]:
        """Columns and rows."""
        return floor(self.width / self.step) + 1, floor(self.height / self.step) + 1

    def points(self) -> Floats:
        """The place of every cell, column by column, shape (columns * rows, 2)."""
        columns, rows = self.shape
        xs, ys = np.arange(columns) * self.step, np.arange(rows) * self.step
        return np.stack([np.repeat(xs, rows), np.tile(ys, columns)], axis=1)

    def about(self, points: Floats, far: Inches) -> Ints:
        """Numbers of the cells in the box about some places, wider by so much."""
        columns, rows = self.shape
        low, high = points.min(axis=0) - far, points.max(axis=0) + far
        i0, j0 = (max(ceil(value / self.step), 0) for value in low.tolist())
        i1, j1 = (floor(value / self.step) for value in high.tolist())
        i, j = np.arange(i0, min(i1, columns - 1) + 1), np.arange(j0, min(j1, rows - 1) + 1)
        return np.asarray((i[:, None] * rows + j[None, :]).ravel())


@dataclass(frozen=True, slots=True)
class Rests:
    """Where bases can come to rest in one moment, remembered for as long as this object lives."""

    state: State
    grid: Grid
    _costs: dict[tuple[str, str, MoveType], Floats] = field(default_factory=dict)
    _tolls: dict[tuple[Going, Inches, tuple[Polygon, ...]], _Tolls] = field(default_factory=dict)

    def cells(self, unit: Unit, kind: MoveType, models: tuple[str, ...]) -> Bools:
        """For each cell whether some of these models can end a move there.

        Args:
            unit: the unit.
            kind: the move.
            models: of the unit.
        """
        costs = np.full(len(self.grid.points()), inf)
        for model in unit.models:
            if model.id in models:
                np.minimum(costs, self._cost(unit, model.id, kind), out=costs)
        if kind.going is not None and (kind.going.regions or kind.going.fees):
            np.minimum(costs, self._paid(unit, kind, models), out=costs)
        return (costs <= limit_of(kind.allowance)) & ~self._barred(unit, kind)

    def _cost(self, unit: Unit, model: str, kind: MoveType) -> Floats:
        """What each cell costs one model, infinite out of its reach, without touching anything that costs more."""
        keep = tuple(one for one in kind.keep_away if one.whole_way)
        way = replace(kind, name="", keep_away=keep, coherency=None)
        key = unit.id, model, way
        if key not in self._costs:
            self._costs[key] = self._find_cost(unit, model, kind)
        return self._costs[key]

    def _find_cost(self, unit: Unit, model: str, kind: MoveType) -> Floats:
        pose, points = unit.model(model).pose, self.grid.points()
        costs = np.full(len(points), inf)
        scene = fenced(surroundings(self.state, unit, kind, pose), kind.going)
        near = self.grid.about(np.array([pose.point]), kind.allowance)
        if len(near):
            costs[near] = arrivals(scene, pose.point, kind.allowance).costs_to(points[near])
        return costs

    def _barred(self, unit: Unit, kind: MoveType) -> Bools:
        """Cells too near to enemies for a move to end there."""
        points = self.grid.points()
        barred = np.zeros(len(points), dtype=np.bool_)
        for x, y, reach in end_zones(self.state, unit, kind):
            barred |= (points[:, 0] - x) ** 2 + (points[:, 1] - y) ** 2 < reach * reach
        return barred

    # ---- ground that costs -------------------------------------------------------------------------------------------

    def _paid(self, unit: Unit, kind: MoveType, models: tuple[str, ...]) -> Floats:
        """What each cell costs the cheapest of some models on the table itself, ways leading from cell to cell."""
        starts = [one for one in unit.models if one.id in models and one.pose.surface == GROUND]
        costs = np.full(len(self.grid.points()), inf)
        if not starts or kind.going is None:
            return costs
        scene = surroundings(self.state, unit, kind, starts[0].pose)
        tolls = self._tolls_for(kind.going, scene)
        at = np.array([one.pose.point for one in starts])
        near = self.grid.about(at, kind.allowance)
        if not len(near):
            return costs
        found = _Net(self.grid, tolls, near, scene, at).costs(limit_of(kind.allowance))
        costs[near] = np.where(tolls.shut_at(self.grid.points()[near]), inf, found)
        return costs

    def _tolls_for(self, going: Going, scene: Scene) -> _Tolls:
        key = going, scene.radius, scene.closed
        if key not in self._tolls:
            self._tolls[key] = _tolls(self.grid, going, scene)
        return self._tolls[key]


def fenced(scene: Scene, going: Going | None) -> Scene:
    """The scene with everything that costs as a wall."""
    if going is None or scene.surface != GROUND:
        return scene
    pieces = (*(region.outline for region in going.regions), *(fee.outline for fee in going.fees))
    return replace(scene, closed=(*scene.closed, *pieces))


def end_zones(state: State, unit: Unit, kind: MoveType) -> list[tuple[Inches, Inches, Inches]]:
    """Discs about enemies within which no move of a kind may end: centre and least distance of the centres."""
    return [
        (base.x, base.y, unit.radius + base.radius + least_gap(keep))
        for keep in kind.keep_away
        if keep.limit < inf
        for base in _enemies(state, unit)
        if base.unit not in keep.spared
    ]


def least_gap(keep: KeepAway) -> Inches:
    """The least gap that is far enough."""
    return keep.limit - TOL if keep.touching else keep.limit + OPEN_MARGIN


def _enemies(state: State, unit: Unit) -> list[Base]:
    return [base for base in scene_for(state, unit).others if base.side != unit.side]


@dataclass(frozen=True, slots=True, eq=False)
class _Tolls:
    """What the ground costs a base at places closer together than cells."""

    rates: Floats
    """Inches paid for an inch, indexed (column, row)."""
    fees: Floats
    """Inches paid for entering the obstacle that the base overlaps there."""
    obstacles: Ints
    """Its number from 1; 0 for none, -1 where the base cannot be at all."""
    step: Inches

    def index(self, points: Floats) -> tuple[Ints, Ints]:
        """Columns and rows of places."""
        i, j = np.rint(points / self.step).astype(np.intp).T
        columns, rows = self.rates.shape
        return np.clip(i, 0, columns - 1), np.clip(j, 0, rows - 1)

    def shut_at(self, points: Floats) -> Bools:
        """Whether nobody comes to rest at places."""
        return np.asarray(self.obstacles[self.index(points)] != 0)

    def prices(self, a: Floats, b: Floats) -> Floats:
        """What straight ways from cell to cell cost, infinite where they are barred."""
        size = np.sqrt(((b - a) ** 2).sum(axis=1))
        places = [self.index(a + (b - a) * (k / FINE)) for k in range(FINE + 1)]
        rates = [self.rates[place] for place in places]
        total = size * (sum(rates[1:-1], start=(rates[0] + rates[-1]) / 2)) / FINE
        numbers = [self.obstacles[place] for place in places]
        for before, now, place in zip(numbers, numbers[1:], places[1:], strict=False):
            total += np.where((now > 0) & (now != before), self.fees[place], 0.0)
        # a start may touch a wall, and the place next to it lie inside
        barred = np.logical_or.reduce([number < 0 for number in numbers[1:]])
        return np.where(barred, inf, total)


def _tolls(grid: Grid, going: Going, scene: Scene) -> _Tolls:
    columns, rows = grid.shape
    step = grid.step / FINE
    shape = (columns - 1) * FINE + 1, (rows - 1) * FINE + 1
    rates, fees, numbers = np.ones(shape), np.zeros(shape), np.zeros(shape, dtype=np.intp)
    wide = scene.radius if going.by_base else 0.0
    for region in going.regions:
        place = _inside(region.outline, wide, step, shape)
        rates[place] = np.maximum(rates[place], region.rate)
    for number, fee in enumerate(going.fees, start=1):
        place = _inside(fee.outline, scene.radius, step, shape)
        fees[place], numbers[place] = fee.inches, number
    walls = [wall for _, wall in scene.board.ground(GROUND).walls]
    for wall in (*walls, *scene.closed, *(outline for _, outline in going.barred)):
        numbers[_inside(wall, scene.radius, step, shape)] = -1
    return _Tolls(rates, fees, numbers, step)


def _inside(outline: Polygon, wide: Inches, step: Inches, shape: tuple[int, int]) -> tuple[Ints, Ints]:
    """Columns and rows of the places inside an outline, wider by so much."""
    import shapely

    area = shapely.Polygon(outline.points)
    area = area.buffer(wide - TOL) if wide > TOL else area
    x0, y0, x1, y1 = area.bounds
    i = np.arange(max(ceil(x0 / step), 0), min(floor(x1 / step), shape[0] - 1) + 1)
    j = np.arange(max(ceil(y0 / step), 0), min(floor(y1 / step), shape[1] - 1) + 1)
    columns, rows = np.repeat(i, len(j)), np.tile(j, len(i))
    shapely.prepare(area)
    held = shapely.contains_xy(area, columns * step, rows * step)
    return columns[held], rows[held]


@dataclass(frozen=True, slots=True, eq=False)
class _Net:
    """Cells and the ways between neighbours."""

    grid: Grid
    tolls: _Tolls
    near: Ints
    scene: Scene
    starts: Floats

    def costs(self, limit: Inches) -> Floats:
        """What each of the cells near costs from the start that is nearest to it."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        points = self.grid.points()[self.near]
        count = len(points)
        free = self._free(points)
        rows, columns, prices = self._between(points, free)
        first = self._from_starts(points, free)
        everything = (
            np.concatenate([prices, *(price for _, price in first)]),
            (
                np.concatenate([rows, *(np.full(len(cells), count + k) for k, (cells, _) in enumerate(first))]),
                np.concatenate([columns, *(cells for cells, _ in first)]),
            ),
        )
        size = count + len(self.starts)
        graph = csr_array(everything, shape=(size, size))
        found = dijkstra(graph, indices=np.arange(count, size), min_only=True, limit=limit)
        return np.asarray(found[:count])

    def _between(self, points: Floats, free: Bools) -> tuple[Ints, Ints, Floats]:
        """From which cell to which cell, and what it costs."""
        place = np.full(self.grid.shape[0] * self.grid.shape[1], -1, dtype=np.intp)
        place[self.near[free]] = np.nonzero(free)[0]
        grid = place.reshape(self.grid.shape)
        rows, columns = list[Ints](), list[Ints]()
        for di, dj in STEPS:
            a, b = _shifted(grid, di, dj)
            both = (a >= 0) & (b >= 0)
            rows += [a[both], b[both]]
            columns += [b[both], a[both]]
        froms, tos = np.concatenate(rows), np.concatenate(columns)
        prices = self.tolls.prices(points[froms], points[tos])
        able = np.isfinite(prices)
        return froms[able], tos[able], prices[able]

    def _free(self, points: Floats) -> Bools:
        """Cells in nobody's base or zone."""
        free = np.ones(len(points), dtype=np.bool_)
        for x, y, reach in self.scene.discs:
            free &= (points[:, 0] - x) ** 2 + (points[:, 1] - y) ** 2 >= (reach - TOL) ** 2
        return free

    def _from_starts(self, points: Floats, free: Bools) -> list[tuple[Ints, Floats]]:
        """For each start the cells next to it, and what they cost."""
        found = []
        for start in self.starts:
            cells = np.nonzero(free & (((points - start) ** 2).sum(axis=1) <= (2.0 * self.grid.step) ** 2))[0]
            prices = self.tolls.prices(np.broadcast_to(start, (len(cells), 2)), points[cells])
            prices = np.maximum(prices, 1e-9)  # a cost of 0 would be no way at all to a sparse graph
            able = np.isfinite(prices)
            found.append((cells[able], prices[able]))
        return found


def _shifted(grid: Ints, di: int, dj: int) -> tuple[Ints, Ints]:
    """Cells and those so many columns and rows on."""
    columns, rows = grid.shape
    first = grid[: columns - di, max(-dj, 0) : rows - max(dj, 0)]
    second = grid[di:, max(dj, 0) : rows - max(-dj, 0)]
    return first.ravel(), second.ravel()
