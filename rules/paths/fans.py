"""Outlines of what a search reached, for drawing: the fan of rays of the start and the fan of tangents of each arc."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, pi, sin

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point
from tactician.rules.paths import inner
from tactician.rules.paths.scene import Local
from tactician.rules.paths.search import START, Arrival, exits_from

__all__ = ["Ring", "outline"]

Ring = tuple[Point, ...]

STEP = pi / 60
"""Radians between neighbouring rays."""

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
    if state.circle == START:
        # A point is left in the direction a quarter turn past its angle, as a circle is.
        angles = sorted([k * STEP for k in range(round(2 * pi / STEP))] + [bend % inner.TURN for bend in bends])
        return [_ray(local, state.at, angle, 1, budget) for angle in angles]
    cx, cy, radius = local.circles[state.circle]
    rest = budget - state.cost
    ahead = min(state.run, rest / radius if radius > 0.0 else inf, inner.TURN)
    turns = [min(k * STEP, ahead) for k in range(int(ahead / STEP) + 2)]
    turns += [turned for bend in bends if (turned := inner.sweep(state.angle, bend, state.turn)) < ahead]
    near, far = [], []
    for turned in sorted(set(turns)):
        angle = state.angle + state.turn * turned
        at = (cx + radius * cos(angle), cy + radius * sin(angle))
        near.append(at)
        far.append(_ray(local, at, angle, state.turn, rest - radius * turned))
    return near + far[::-1]


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
