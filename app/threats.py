"""Pictures of threats: where the units of a side can shoot and strike in their next turn, as heat over the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from tactician.commands.told import measure_now
from tactician.rules.core.drawing import Area, Drawing
from tactician.rules.core.measure import Inches
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import State, other_side

if TYPE_CHECKING:
    from shapely import Geometry
    from tactician.agent.threat import ThreatMap
    from tactician.agent.threat_ground import Grid

__all__ = ["with_threat"]

BANDS = (("threat by one", 1, 1), ("threat by two", 2, 2), ("threat by some", 3, 4), ("threat by many", 5, 10_000))
"""Role of a band, and from how many to how many units can attack there."""

ON_TOP = frozenset({"base", "impassable", "wall", "obstacle", "objective"})
"""What stays on top of the heat: models, and where nobody can stand."""

Rings = tuple[tuple[tuple[Point, ...], ...], ...]


def with_threat(drawing: Drawing, ruleset: Ruleset, state: State, sides: Sequence[str]) -> Drawing:
    """The drawing with what each of some sides threatens, and lines about it.

    While nobody may measure it is drawn by eye, and says so. How right the map is, `tactician.agent.threat` says.
    """
    from tactician.agent.threat import threat_map

    measure = measure_now(ruleset, state)
    maps = [threat_map(ruleset, state, side, measure=measure) for side in sides]
    heat = [shape for found in maps for shape in _heat(found)]
    behind = [shape for shape in drawing.shapes if isinstance(shape, Area) and shape.role not in ON_TOP]
    front = [shape for shape in drawing.shapes if shape not in behind]
    lines = [line for found in maps for line in _told(found, state)]
    return replace(drawing, shapes=(*behind, *heat, *front), caption=(*drawing.caption, *lines))


def _heat(found: ThreatMap) -> list[Area]:
    """The bands of one side, and the border of where it can strike."""
    counts, shapes = found.counts, list[Area]()
    for role, least, most in BANDS:
        rings = _rings(found.grid, (counts >= least) & (counts <= most))
        shapes += [Area(role=role, rings=one, side=found.side) for one in rings]
    return shapes + [Area(role="strike", rings=one, side=found.side) for one in _rings(found.grid, found.striking > 0)]


def _rings(grid: Grid, cells: NDArray[np.bool_]) -> Rings:
    """The outline of some cells, each the square about its place, cut off at the table's edge; pieces with holes."""
    import shapely

    half = grid.step / 2
    boxes = [
        shapely.box(i * grid.step - half, first * grid.step - half, i * grid.step + half, last * grid.step + half)
        for i, column in enumerate(cells.tolist())
        for first, last in _runs(column)
    ]
    table = shapely.box(0.0, 0.0, grid.width, grid.height)
    area = shapely.intersection(shapely.union_all(boxes), table)
    return tuple(_outline(part) for part in shapely.get_parts(area) if part.geom_type == "Polygon")


def _outline(part: Geometry) -> tuple[tuple[Point, ...], ...]:
    rings = (part.exterior, *part.interiors)
    return tuple(tuple((x, y) for x, y in ring.coords) for ring in rings)


def _runs(column: Sequence[bool]) -> list[tuple[int, int]]:
    """First and last number of each run of cells."""
    found: list[tuple[int, int]] = []
    for j, is_in in enumerate(column):
        if is_in and found and found[-1][1] == j - 1:
            found[-1] = found[-1][0], j
        elif is_in:
            found.append((j, j))
    return found


def _told(found: ThreatMap, state: State) -> list[str]:
    """Lines under the picture."""
    eye = "" if found.measure.exact else ", by eye"
    shown = found.grid.step
    lines = [
        f"{found.side} next turn: can shoot or strike at {_part(found.counts)} % of the table, strike at "
        f"{_part(found.striking)} % (right to about {_inches(shown)}{eye})"
    ]
    for unit in state.of(other_side(found.side)):
        by = sorted({name for model in unit.models for name in found.against(model.pose.point)})
        lines.append(f"{unit.id} is in reach of {', '.join(by) if by else 'nobody'}")
    return [lines[0], "; ".join(lines[1:])] if lines[1:] else lines


def _inches(step: Inches) -> str:
    return "an inch" if step == 1.0 else f"{step:g} inches"


def _part(counts: NDArray[np.int64]) -> int:
    """Per cent of the cells, rounded; all of them only where it is all of them."""
    return min(round(100 * float((counts > 0).mean())), 100 if (counts > 0).all() else 99)
