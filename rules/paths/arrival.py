"""Every place that one base can reach: one search outward, then a test for each place.

The search leaves behind its *arrivals*, the places where shortest ways touch circles. From these the last straight
piece to any place follows in closed form, so hundreds of end points cost little more than one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths.fans import Ring, outline
from tactician.rules.paths.inner import NOISE
from tactician.rules.paths.scene import Local, Scene, Way, limit_of, local_of
from tactician.rules.paths.search import Arrival, Finish, Search, leave_for, straight_way, way_of

__all__ = ["Arrivals", "Ring", "arrivals", "reachable_area"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """All shortest ways from one start within a budget."""

    scene: Scene
    start: Point
    budget: Inches
    states: tuple[Arrival, ...] = field(repr=False)
    """The places where shortest ways touch circles, by their cost; none where the start itself is not free."""
    local: Local | None = field(repr=False, compare=False)

    def cost_to(self, point: Point) -> Inches | None:
        """Length of the shortest way to a place, or None where it is out of reach or no place to stand.

        A place that rounding has sunk into a base or zone is reached by a step inward from its border, so that its way
        may be longer by as much as it is deep (less than the tolerance).
        """
        found = self._finish(point)
        return None if found is None else found.cost

    def way_to(self, point: Point) -> Way | None:
        """The shortest way to a place, or None where it is out of reach or no place to stand."""
        found = self._finish(point)
        if found is None or self.local is None:
            return None
        if found.before == 0:
            return straight_way(self.start, point, self.budget)
        return way_of(self.local, self.states, found, self.budget)

    def reaches(self, points: Iterable[Point]) -> list[bool]:
        """For each place whether it can be reached and stood upon."""
        return [self._finish(point) is not None for point in points]

    def _finish(self, point: Point) -> Finish | None:
        """The last leg of the shortest way to a place: the first free one in the order of cost."""
        local, limit = self.local, limit_of(self.budget)
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


def arrivals(scene: Scene, start: Point, budget: Inches) -> Arrivals:
    """One search from a start to everything within a budget.

    Args:
        scene: the base and what stands in its way.
        start: where the centre is.
        budget: inches that may be walked, finite.

    Returns:
        What answers for every end point; nothing is in reach where the start is not free.
    """
    limit = limit_of(budget)
    local = local_of(scene, start, start, 2 * limit) if limit >= 0.0 else None
    states: tuple[Arrival, ...] = ()
    if local is not None:
        search = Search(local=local, start=start, limit=limit)
        search.run()
        states = tuple(search.arrivals)
    return Arrivals(scene=scene, start=start, budget=budget, states=states, local=local)


def reachable_area(reach: Arrivals) -> tuple[Ring, ...]:
    """Outlines, for drawing, of where the centre can come: outer rings and holes, each closed by its first point.

    Rays are cast three degrees apart and at every tangent of a circle; on these bearings the outline is exact.
    """
    if reach.local is None:
        return ()
    return outline(reach.local, reach.start, reach.states, reach.budget)
