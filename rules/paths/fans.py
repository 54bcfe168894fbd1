"""Outlines of what a search reached, for drawing: the fan of rays of the start and the fan of tangents of each arc."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, inf, pi, sin

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths import inner
from tactician.rules.paths.scene import Local
from tactician.rules.paths.search import START, Arrival, exits_from

__all__ = ["Ring", "outline"]

Ring = tuple[Point, ...]

STEP = pi / 60
"""Radians between neighbouring rays."""

HALVINGS = 6
"""How often at most the angle between two rays is halved."""

FLAT: Inches = 0.02
"""How far the end of a ray may lie off the middle between its neighbours' ends before more rays are cast."""

BESIDE = 1e-6
"""Radians by which a ray passes a circle on either side of its tangent."""


def outline(local: Local, start: Point, states: Sequence[Arrival], budget: Inches) -> tuple[Ring, ...]:
    """The rings round everything that the start and the arcs of its arrivals see within the budget."""
    import shapely

    fans = [_fan(local, state, budget) for state in states]
    shapes = [shapely.make_valid(shapely.Polygon(fan)) for fan in fans if len(fan) > 2]
    union = shapely.union_all(shapes) if shapes else None
    if union is None or union.is_empty:
        return ()
    rings: list[Ring] = []
    for part in shapely.get_parts(union):
        if part.geom_type == "Polygon":
            rings += [tuple((x, y) for x, y in ring.coords) for ring in (part.exterior, *part.interiors)]
    return tuple(sorted(rings, key=lambda ring: (-len(ring), ring)))


def _fan(local: Local, state: Arrival, budget: Inches) -> list[Point]:
    """The area swept by the tangents that leave the arc of an arrival, as a closed chain of points."""
    bends = [e.leave + side for e in exits_from(local, state, budget) for side in (-BESIDE, BESIDE)]
    sweeper = _Sweeper(local, state, budget)
    if state.circle == START:
        # A point is left in the direction a quarter turn past its angle, as a circle is.
        turns = [bend % inner.TURN for bend in bends]
        return [far for _, far in sweeper.rays(turns, inner.TURN)][:-1]
    radius = local.circles[state.circle][2]
    ahead = min(state.run, (budget - state.cost) / radius if radius > 0.0 else inf, inner.TURN)
    turns = [inner.sweep(state.angle, bend, state.turn) for bend in bends]
    rays = sweeper.rays(turns, ahead)
    return [near for near, _ in rays] + [far for _, far in reversed(rays)]


@dataclass(frozen=True, slots=True)
class _Sweeper:
    """Casts rays along the tangents of an arrival's circle, by the angle turned since the arrival."""

    local: Local
    state: Arrival
    budget: Inches

    def ray(self, turned: float) -> tuple[Point, Point]:
        """The tangent point, and the last place that is free and within the budget on the tangent."""
        state = self.state
        if state.circle == START:
            return state.at, _ray(self.local, state.at, turned, 1, self.budget)
        cx, cy, radius = self.local.circles[state.circle]
        angle = state.angle + state.turn * turned
        at = (cx + radius * cos(angle), cy + radius * sin(angle))
        return at, _ray(self.local, at, angle, state.turn, self.budget - state.cost - radius * turned)

    def rays(self, turns: list[float], ahead: float) -> list[tuple[Point, Point]]:
        """Rays at the given angles and at even steps up to `ahead`, closer together where the border runs steeply."""
        steps = [k * STEP for k in range(int(ahead / STEP) + 1)]
        marks = sorted({*steps, ahead, *(turned for turned in turns if turned < ahead)})
        found = [self.ray(marks[0])]
        for low, high in pairwise(marks):
            found += self._between(low, high, found[-1], self.ray(high), HALVINGS)
        return found

    def _between(
        self, low: float, high: float, first: tuple[Point, Point], last: tuple[Point, Point], halvings: int
    ) -> list[tuple[Point, Point]]:
        """The rays after the first up to the last, so close that their ends lie nearly in line."""
        if halvings == 0 or high - low < 4 * BESIDE:
            return [last]
        turned = (low + high) / 2
        middle = self.ray(turned)
        (ax, ay), (x, y), (bx, by) = first[1], middle[1], last[1]
        if length(x - (ax + bx) / 2, y - (ay + by) / 2) < FLAT:
            return [last]
        return [
            *self._between(low, turned, first, middle, halvings - 1),
            *self._between(turned, high, middle, last, halvings - 1),
        ]


def _ray(local: Local, at: Point, angle: float, turn: int, reach: Inches) -> Point:
    """The last free place on the tangent at an angle of a circle."""
    x, y = at
    dx, dy = -turn * sin(angle), turn * cos(angle)
    x0, y0, x1, y1 = local.box
    for place, step, low, high in ((x, dx, x0, x1), (y, dy, y0, y1)):
        if step != 0.0:
            reach = min(reach, ((high if step > 0.0 else low) - place) / step)
    reach = inner.first_hit(x, y, dx, dy, max(reach, 0.0), local.edges, local.discs)
    if local.shared.apron is not None:
        reach = local.shared.apron.carried(x, y, dx, dy, reach)
    return x + reach * dx, y + reach * dy
