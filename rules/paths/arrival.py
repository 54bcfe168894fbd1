"""Every place that one base can reach: one search outward, then a test for each place.

The search leaves behind its *arrivals*, the places where shortest ways touch circles. From these the last straight
piece to any place follows in closed form, so hundreds of end points cost little more than one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from types import ModuleType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths import twins
from tactician.rules.paths.fans import Ring, outline
from tactician.rules.paths.inner import NOISE
from tactician.rules.paths.kernels import Floats, Ints, Near
from tactician.rules.paths.scene import Local, Scene, Way, limit_of, local_of
from tactician.rules.paths.search import Arrival, Finish, Search, as_floats, leave_for, straight_way, way_of

__all__ = ["Arrivals", "ByKernel", "ByPlainCode", "Ring", "arrivals", "reachable_area", "reachable_shifts"]


class Reached(Protocol):
    """What a search outward left behind, and the last legs that follow from it."""

    @property
    def states(self) -> tuple[Arrival, ...]:
        """The places where shortest ways touch circles, by their cost; none where the start itself is not free."""

    @property
    def local(self) -> Local | None:
        """What ways can touch; None where the start is not free."""

    def finishes(self, points: Sequence[Point]) -> list[Finish | None]:
        """For each place the last leg of the shortest way to it: the first free one in the order of cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """All shortest ways from one start within a budget."""

    scene: Scene
    start: Point
    budget: Inches
    reached: Reached = field(repr=False, compare=False)
    """Follows from the other facts, whoever has worked it out."""

    @property
    def states(self) -> tuple[Arrival, ...]:
        """The places where shortest ways touch circles, by their cost; none where the start itself is not free."""
        return self.reached.states

    @property
    def local(self) -> Local | None:
        """What ways can touch; None where the start is not free."""
        return self.reached.local

    def cost_to(self, point: Point) -> Inches | None:
        """Length of the shortest way to a place, or None where it is out of reach or no place to stand.

        A place that rounding has sunk into a base or zone is reached by a step inward from its border, so that its way
        may be longer by as much as it is deep (less than the tolerance).
        """
        (found,) = self.reached.finishes((as_floats(point),))
        return None if found is None else found.cost

    def costs_to(self, points: Sequence[Point] | NDArray[np.float64]) -> NDArray[np.float64]:
        """For each place, pairs or an array (n, 2), what `cost_to` says of it, infinite in place of None."""
        places = np.array(points, dtype=np.float64).reshape(-1, 2)
        if isinstance(self.reached, ByKernel):
            return self.reached.costs(places)[0]
        found = self.reached.finishes([(x, y) for x, y in places.tolist()])
        return np.array([inf if finish is None else finish.cost for finish in found])

    def way_to(self, point: Point) -> Way | None:
        """The shortest way to a place, or None where it is out of reach or no place to stand."""
        point = as_floats(point)
        (found,) = self.reached.finishes((point,))
        if found is None:
            return None
        if found.before == 0:
            return straight_way(self.start, point, self.budget)
        local = self.local
        return None if local is None else way_of(local, self.states, found, self.budget)

    def reaches(self, points: Iterable[Point]) -> list[bool]:
        """For each place whether it can be reached and stood upon."""
        return [found is not None for found in self.reached.finishes([as_floats(point) for point in points])]


@dataclass(frozen=True, slots=True)
class ByPlainCode:
    """A search by the plain code."""

    local: Local | None
    states: tuple[Arrival, ...]
    start: Point
    limit: Inches

    def finishes(self, points: Sequence[Point]) -> list[Finish | None]:
        """For each place the last leg of the shortest way to it: the first free one in the order of cost."""
        return [self._finish(point) for point in points]

    def _finish(self, point: Point) -> Finish | None:
        local, limit = self.local, self.limit
        away = length(point[0] - self.start[0], point[1] - self.start[1])
        if local is None or away > limit or not local.may_stand(*point, whole=True):
            return None
        if away <= NOISE or local.free(*self.start, *point):
            return Finish(away, 0, self.start, point)
        goal = (*point, 0.0)
        found: list[tuple[Inches, int, Finish]] = []
        for number, state in enumerate(self.states):
            if number == 0 or state.cost + length(point[0] - state.at[0], point[1] - state.at[1]) > limit:
                continue
            finish = leave_for(local, state, number, goal)
            if finish is not None and finish.cost <= limit:
                found.append((finish.cost, number, finish))
        found.sort()
        for _, _, finish in found:
            if local.free(*finish.left, *finish.at):
                return finish
        return None


@dataclass(frozen=True, slots=True)
class ByKernel:
    """A search by a kernel."""

    twin: ModuleType
    scene: Scene
    start: Point
    limit: Inches
    near: Near
    floats: Floats
    ints: Ints

    @property
    def local(self) -> Local | None:
        """What ways can touch; None where the start is not free."""
        return local_of(self.scene, self.start, self.start, 2 * self.limit) if self.near[0] else None

    @property
    def states(self) -> tuple[Arrival, ...]:
        """The places where shortest ways touch circles, by their cost."""
        rows = zip(self.floats.tolist(), self.ints.tolist(), strict=True)
        return tuple(
            Arrival(cost, circle, turn, angle, run, before, (left_x, left_y), (x, y))
            for (cost, angle, run, left_x, left_y, x, y), (circle, turn, before, _) in rows
        )

    def costs(self, places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """For places (n, 2): the cost, infinite for no way; the arrival before the last leg; where that leg begins."""
        if not self.near[0]:
            nobody = np.full(len(places), -1)
            return np.full(len(places), inf), nobody, np.zeros((len(places), 2))
        rows = self.scene.packed().rows
        found: tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]] = self.twin.end_costs(
            rows, self.near, self.floats, self.ints, float(self.limit), places
        )
        return found

    def finishes(self, points: Sequence[Point]) -> list[Finish | None]:
        """For each place the last leg of the shortest way to it."""
        costs, before, left = self.costs(np.array(points, dtype=np.float64).reshape(-1, 2))
        rows = zip(costs.tolist(), before.tolist(), left.tolist(), points, strict=True)
        return [None if number < 0 else Finish(cost, number, (x, y), at) for cost, number, (x, y), at in rows]


def arrivals(scene: Scene, start: Point, budget: Inches) -> Arrivals:
    """One search from a start to everything within a budget.

    Args:
        scene: the base and what stands in its way.
        start: where the centre is.
        budget: inches that may be walked, finite.

    Returns:
        What answers for every end point; nothing is in reach where the start is not free.
    """
    start = as_floats(start)
    limit = limit_of(budget)
    twin = twins.compiled()
    reached: Reached
    if twin is not None and limit >= 0.0 and scene.packed().is_flat:
        _, rows, discs = scene.packed()
        found = twin.arrival_states(rows, discs, *start, float(limit))
        reached = ByKernel(twin, scene, start, limit, *found)
    else:
        reached = _by_plain_code(scene, start, limit)
    return Arrivals(scene=scene, start=start, budget=budget, reached=reached)


def _by_plain_code(scene: Scene, start: Point, limit: Inches) -> ByPlainCode:
    local = local_of(scene, start, start, 2 * limit) if limit >= 0.0 else None
    if local is None:
        return ByPlainCode(None, (), start, limit)
    search = Search(local=local, start=start, limit=limit)
    search.run()
    return ByPlainCode(local, tuple(search.arrivals), start, limit)


def reachable_shifts(
    scene: Scene, starts: Sequence[Point], offsets: Sequence[Point] | NDArray[np.float64], budget: Inches
) -> NDArray[np.bool_]:
    """For each offset whether every one of several bases can reach its place shifted by it, each by a way of its own.

    Args:
        scene: what stands in the way of all of them, they themselves left out of account.
        starts: where their centres are.
        offsets: inches to the right and up, as pairs or as an array of shape (n, 2).
        budget: inches that each may walk, finite.
    """
    shifts = np.array(offsets, dtype=np.float64).reshape(-1, 2)
    able = np.ones(len(shifts), dtype=np.bool_)
    for start in starts:
        left = np.nonzero(able)[0]
        if not len(left):
            break
        able[left] = np.isfinite(arrivals(scene, start, budget).costs_to(shifts[left] + np.array(start)))
    return able


def reachable_area(reach: Arrivals) -> tuple[Ring, ...]:
    """Outlines, for drawing, of where the centre can come: outer rings and holes, each closed by its first point.

    Rays are cast three degrees apart and at every tangent of a circle; on these bearings the outline is exact.
    """
    local = reach.local
    if local is None:
        return ()
    return outline(local, reach.start, reach.states, reach.budget)
