"""What each place on a grid costs to reach: for maps of threat and for looking at many ends at once.

The quick field goes from cell to cell and straightens its ways as it does so: a cell keeps the place from which the way
to it comes straight, and hands that place on for as long as it stays in sight. Its costs are those of ways that can be
walked, so never too short; about corners they are a little too long, because ways may only bend at cells. The exact
field asks for every cell what the tape measure says.

Reference: K. Daniel, A. Nash, S. Koenig and A. Felner, "Theta*: Any-angle path planning on grids", Journal of
Artificial Intelligence Research 39 (2010); here without a goal, so in the order of cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil, floor, inf

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths.arrival import Arrivals, ByKernel
from tactician.rules.paths.inner import NOISE
from tactician.rules.paths.kernels import AROUND, DIAGONAL
from tactician.rules.paths.scene import Local, limit_of

__all__ = ["STEP", "Field", "field_of"]

STEP: Inches = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """Costs of the cells of a grid; cell (i, j) is the place (x0 + i step, y0 + j step)."""

    x0: Inches
    y0: Inches
    step: Inches
    costs: NDArray[np.float64]
    """Indexed (column, row); infinite where a cell is out of reach or no place to stand."""

    def place(self, i: int, j: int) -> Point:
        """Where a cell lies."""
        return self.x0 + i * self.step, self.y0 + j * self.step

    def cost_near(self, point: Point) -> Inches:
        """The cost of the cell nearest to a place; infinite outside the grid."""
        i, j = round((point[0] - self.x0) / self.step), round((point[1] - self.y0) / self.step)
        columns, rows = self.costs.shape
        return float(self.costs[i, j]) if 0 <= i < columns and 0 <= j < rows else inf


def field_of(reach: Arrivals, *, step: Inches = STEP, exact: bool = False) -> Field:
    """The field of everything within a budget.

    Args:
        reach: from `arrivals`: one base, its start and its budget.
        step: inches between neighbouring cells; cells of all fields of one step lie on the same grid.
        exact: whether every cell gets its exact cost; otherwise ways bend at cells only, and costs may be too long by
            a few tenths of an inch behind corners.

    Returns:
        The costs of the cells of the square about the start that the budget spans.

    Raises:
        ValueError: the step is not above 0.
    """
    if step <= 0.0:
        raise ValueError(f"the step of a field is {step}, but must be more than 0")
    limit = limit_of(reach.budget)
    (sx, sy), wide = reach.start, max(limit, 0.0)
    left, low = ceil((sx - wide) / step), ceil((sy - wide) / step)
    columns, rows = floor((sx + wide) / step) - left + 1, floor((sy + wide) / step) - low + 1
    x0, y0 = left * step, low * step
    if exact:
        costs = _exact(reach, x0, y0, step, columns, rows)
    elif isinstance(reach.reached, ByKernel):
        costs = _by_kernel(reach.reached, x0, y0, step, columns, rows)
    else:
        local = reach.local
        cells = np.full((columns, rows), inf)
        costs = cells if local is None else _Walk(local, reach.start, limit, x0, y0, step, cells).run()
    return Field(x0=x0, y0=y0, step=step, costs=costs)


def _exact(reach: Arrivals, x0: Inches, y0: Inches, step: Inches, columns: int, rows: int) -> NDArray[np.float64]:
    xs, ys = x0 + np.arange(columns) * step, y0 + np.arange(rows) * step
    places = np.stack([np.repeat(xs, rows), np.tile(ys, columns)], axis=1)
    return reach.costs_to(places).reshape(columns, rows)


def _by_kernel(found: ByKernel, x0: Inches, y0: Inches, step: Inches, columns: int, rows: int) -> NDArray[np.float64]:
    if not found.near[0]:
        return np.full((columns, rows), inf)
    table = found.scene.packed().rows
    grid = (float(x0), float(y0), float(step), columns, rows)
    costs: NDArray[np.float64] = found.twin.any_angle(table, found.near, *found.start, float(found.limit), *grid)
    return costs


@dataclass(slots=True)
class _Walk:
    """One walk outward over cells."""

    local: Local
    start: Point
    limit: Inches
    x0: Inches
    y0: Inches
    step: Inches
    costs: NDArray[np.float64]

    def run(self) -> NDArray[np.float64]:
        """Go from cell to cell in the order of cost; what `kernels.any_angle` does, step for step."""
        local, costs = self.local, self.costs.tolist()
        columns, rows = self.costs.shape
        parents: dict[tuple[int, int], tuple[int, int]] = {}
        closed: set[tuple[int, int]] = set()
        heap: list[tuple[float, int, tuple[int, int]]] = []
        stands: dict[tuple[int, int], bool] = {}
        for cell, away in self._first():
            costs[cell[0]][cell[1]] = away
            heappush(heap, (away, len(heap), cell))
        count = len(heap)
        while heap:
            _, _, here = heappop(heap)
            if here in closed:
                continue
            closed.add(here)
            from_here = (costs[here[0]][here[1]], self.place(here), here)
            parent = parents.get(here)
            straight: tuple[float, Point, tuple[int, int] | None] = (0.0, self.start, None)
            if parent is not None:
                straight = (costs[parent[0]][parent[1]], self.place(parent), parent)
            for di, dj in AROUND:
                cell = i, j = here[0] + di, here[1] + dj
                if not (0 <= i < columns and 0 <= j < rows) or cell in closed:
                    continue
                x, y = self.place(cell)
                for spent, (px, py), whence in (straight, from_here):
                    cost = spent + length(x - px, y - py)
                    if cost > self.limit or cost >= costs[i][j] - 1e-12:
                        break
                    if cell not in stands:
                        stands[cell] = local.may_stand(x, y, whole=True)
                    if not stands[cell]:
                        break
                    if local.free(px, py, x, y):
                        costs[i][j] = cost
                        if whence is None:
                            parents.pop(cell, None)
                        else:
                            parents[cell] = whence
                        heappush(heap, (cost, count, cell))
                        count += 1
                        break
        return np.array(costs, dtype=np.float64).reshape(columns, rows)

    def place(self, cell: tuple[int, int]) -> Point:
        """Where a cell lies."""
        return self.x0 + cell[0] * self.step, self.y0 + cell[1] * self.step

    def _first(self) -> list[tuple[tuple[int, int], Inches]]:
        """The cells next to the start that are in sight of it, and how far off they are."""
        found = []
        for i in range(self.costs.shape[0]):
            for j in range(self.costs.shape[1]):
                x, y = self.place((i, j))
                away = length(x - self.start[0], y - self.start[1])
                if away > DIAGONAL * self.step or away > self.limit or not self.local.may_stand(x, y, whole=True):
                    continue
                if away <= NOISE or self.local.free(*self.start, x, y):
                    found.append(((i, j), away))
        return found
