"""How far a formation can be shifted as it stands: all directions at once, with numpy.

Every model of the unit goes the same way, so that models never meet each other and no link stretches. What is found
is a proposal: lengths end a hair before whatever comes first, and the rules judge the way that is made of them. Where
the ground costs, the formation goes as far as the model that pays most, and rests nowhere inside an obstacle.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from tactician.agent.propose.fares import affordable
from tactician.rules.core.measure import CLOSED_MARGIN, OPEN_MARGIN, Inches
from tactician.rules.core.movement import KeepAway, MoveType
from tactician.rules.core.scene import Base, scene_for
from tactician.rules.core.shapes import Point, Polygon, length, polygon_distance
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import GROUND, Board

__all__ = ["Slider"]

Floats = NDArray[np.float64]

HAIR = 1e-9


@lru_cache(maxsize=256)
def _edges(board: Board, surface: str, closed: tuple[Polygon, ...]) -> tuple[Floats, Floats]:
    """Rows of edges (x, y, direction x, y, length) and of corners (x, y) of everything that closes a surface."""
    outlines = [polygon for _, polygon in board.ground(surface).walls]
    outlines += closed
    rows = dict.fromkeys(edge for outline in outlines for edge in outline.edges)
    corners = dict.fromkeys(point for outline in outlines for point in outline.points)
    found = []
    for ax, ay, bx, by in rows:
        size = float(np.sqrt((bx - ax) ** 2 + (by - ay) ** 2))
        if size > 0.0:
            found.append((ax, ay, (bx - ax) / size, (by - ay) / size, size))
    return np.array(found).reshape(-1, 5), np.array(list(corners)).reshape(-1, 2)


class Slider:
    """The surroundings of one unit under one move type."""

    def __init__(self, state: State, unit: Unit, kind: MoveType, who: tuple[str, ...] | None = None) -> None:
        """Gather what the unit could run into, or those of its models that walk."""
        self.kind = kind
        self.unit = unit
        self.who = who
        self.radius = unit.radius
        self.board = state.board
        models = [model for model in unit.models if who is None or model.id in who]
        self.at: Floats = np.array([model.pose.point for model in models], dtype=np.float64).reshape(-1, 2)
        others = scene_for(state, unit).others
        surfaces = sorted({model.pose.surface for model in unit.models})
        rows = [_edges(state.board, name, _closed_to(state, unit, kind, name)) for name in surfaces]
        self._edges = np.concatenate([edges for edges, _ in rows])
        self._corners = np.concatenate([corners for _, corners in rows])
        blocking = [b for b in others if b.surface in surfaces] if kind.models is not None else []
        self._bases = _discs(blocking, unit.radius)
        enemies = [base for base in others if base.side != unit.side]
        self._whole_way = _zones(enemies, [k for k in kind.keep_away if k.whole_way], unit.radius, OPEN_MARGIN)
        ends = [keep for keep in kind.keep_away if not keep.whole_way]
        self._ends = _zones(enemies, ends, unit.radius, OPEN_MARGIN)
        self._strict = _zones(enemies, ends, unit.radius, OPEN_MARGIN, spare=False)
        self._touch = _touched(enemies, ends, unit.radius)

    def lengths(self, directions: list[Point], wanted: list[Inches]) -> list[Inches]:
        """How far the formation can go.

        Args:
            directions: unit vectors, one for each question.
            wanted: how far it would like to go in each.

        Returns:
            The inches it can go and pay for in each direction; never more than wanted.
        """
        ends = self.clear_lengths(directions, wanted)
        if self.kind.going is None:
            return ends
        return [self._paid(way, end) for way, end in zip(directions, ends, strict=True)]

    def clear_lengths(self, directions: list[Point], wanted: list[Inches], shift: Point = (0.0, 0.0)) -> list[Inches]:
        """How far the formation can go, whatever the ground costs.

        Args:
            directions: unit vectors, one for each question.
            wanted: how far it would like to go in each.
            shift: how far the formation has already been shifted by earlier legs.
        """
        if not directions:
            return []
        at = self.at + np.array(shift)
        ways = np.array(directions)
        free = np.minimum(np.array(wanted), self._free(at, ways))
        return [self._end(at, ways[i], max(float(free[i]), 0.0)) for i in range(len(directions))]

    def _paid(self, way: Point, end: Inches) -> Inches:
        """The part of a straight shift that every model can pay for."""
        legs = affordable(self.board, self.unit, self.kind, ((way[0] * end, way[1] * end),), self.who)
        paid = length(*legs[-1]) if legs else 0.0
        return end if paid >= end - HAIR else self._end(self.at, np.array(way), max(paid - HAIR, 0.0))

    def _free(self, at: Floats, ways: Floats) -> Floats:
        """Inches to the first thing met, for each direction."""
        reach = np.full(len(self._corners), self.radius + CLOSED_MARGIN)
        free = _circle_hits(at, ways, self._corners, reach)
        free = np.minimum(free, _circle_hits(at, ways, self._bases[:, :2], self._bases[:, 2] + CLOSED_MARGIN))
        free = np.minimum(free, _circle_hits(at, ways, self._whole_way[:, :2], self._whole_way[:, 2]))
        free = np.minimum(free, _edge_hits(at, ways, self._edges, self.radius + CLOSED_MARGIN))
        return np.minimum(free, self._to_edge(at, ways)) - HAIR

    def _to_edge(self, at: Floats, ways: Floats) -> Floats:
        """Inches to the edge of the table."""
        room = self.radius + CLOSED_MARGIN if self.kind.whole_base else CLOSED_MARGIN
        found = np.full(len(ways), np.inf)
        for axis, size in ((0, self.board.width), (1, self.board.height)):
            low = max(float(at[:, axis].min()) - room, 0.0)
            high = max(size - room - float(at[:, axis].max()), 0.0)
            step = ways[:, axis]
            found = np.where(step > HAIR, np.minimum(found, high / np.maximum(step, HAIR)), found)
            found = np.where(step < -HAIR, np.minimum(found, low / np.maximum(-step, HAIR)), found)
        return found

    def _end(self, at: Floats, way: Floats, most: Inches) -> Inches:
        """The latest end that keeps the distances asked for at the end of a move."""
        end = _latest(at, way, self._ends, most)
        if len(self._touch) and not self._touches(at, way, end):
            end = _latest(at, way, self._strict, most)
        return end

    def _touches(self, at: Floats, way: Floats, end: Inches) -> bool:
        away = self._touch[None, :, :2] - (at + way * end)[:, None, :]
        return bool((np.sqrt((away**2).sum(axis=2)) <= self._touch[None, :, 2]).any())


def _closed_to(state: State, unit: Unit, kind: MoveType, surface: str) -> tuple[Polygon, ...]:
    """Closed and barred outlines that no model of the unit stands in (who does is judged by the rules alone)."""
    traits = (state.board.with_trait(closed.trait) for closed in kind.closed)
    pieces = {piece.id: piece.outline for found in traits for piece in found}
    outlines = [pieces[name] for name in sorted(pieces)]
    if kind.going is not None and surface == GROUND:
        outlines += [outline for _, outline in kind.going.barred]
    return tuple(outline for outline in outlines if not _stands_in(unit, outline))


def _stands_in(unit: Unit, outline: Polygon) -> bool:
    return any(polygon_distance(outline, *model.pose.point) < unit.radius for model in unit.models)


def _discs(bases: list[Base], radius: Inches) -> Floats:
    return np.array([(base.x, base.y, base.radius + radius) for base in bases], dtype=np.float64).reshape(-1, 3)


def _zones(enemies: list[Base], keeps: list[KeepAway], radius: Inches, margin: Inches, spare: bool = True) -> Floats:
    """Circles round enemies within which a centre may not be; wider by a margin where not even their rim is allowed."""
    rows = [
        (base.x, base.y, base.radius + radius + keep.limit + (0.0 if keep.touching else margin))
        for keep in keeps
        for base in enemies
        if not spare or base.unit not in keep.spared
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _touched(enemies: list[Base], keeps: list[KeepAway], radius: Inches) -> Floats:
    """Circles one of which a centre must reach for the spared units to be spared."""
    rows = [
        (base.x, base.y, base.radius + radius + keep.spared_within)
        for keep in keeps
        if keep.spared_within is not None
        for base in enemies
        if base.unit in keep.spared
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _circle_hits(at: Floats, ways: Floats, centres: Floats, reach: Floats) -> Floats:
    """Inches to the first circle, for each direction; circles that hold a start may be left but not entered deeper."""
    if not len(centres):
        return np.full(len(ways), np.inf)
    fx, fy = centres[None, :, 0] - at[:, None, 0], centres[None, :, 1] - at[:, None, 1]
    square = fx * fx + fy * fy
    need = np.minimum(reach[None, :], np.sqrt(square) - HAIR)
    along = ways[:, 0, None, None] * fx + ways[:, 1, None, None] * fy
    inside = along * along - (square - need * need)
    hit = (along > 0.0) & (inside > 0.0)
    found = np.where(hit, along - np.sqrt(np.where(hit, inside, 0.0)), np.inf)
    answer: Floats = found.min(axis=(1, 2))
    return answer


def _edge_hits(at: Floats, ways: Floats, edges: Floats, reach: Inches) -> Floats:
    """Inches until a base first touches the inside of an edge, for each direction."""
    if not len(edges):
        return np.full(len(ways), np.inf)
    ex, ey, ux, uy, size = edges.T
    dx, dy = at[:, None, 0] - ex, at[:, None, 1] - ey
    along, across = dx * ux + dy * uy, dy * ux - dx * uy
    need = np.minimum(reach, np.abs(across) - HAIR)
    step_u = ways[:, 0, None] * ux + ways[:, 1, None] * uy
    step_v = ways[:, 1, None] * ux - ways[:, 0, None] * uy
    closing = np.sign(across)[None] * step_v[:, None, :] < -HAIR
    speed = np.where(closing, np.abs(step_v)[:, None, :], 1.0)
    when = (np.abs(across)[None] - need[None]) / speed
    place = along[None] + when * step_u[:, None, :]
    hit = closing & (place >= 0.0) & (place <= size)
    answer: Floats = np.where(hit, when, np.inf).min(axis=(1, 2))
    return answer


def _latest(at: Floats, way: Floats, zones: Floats, most: Inches) -> Inches:
    """The last place up to `most` that lies in no zone; 0 where there is none."""
    if not len(zones) or most <= 0.0:
        return most
    fx, fy = zones[None, :, 0] - at[:, None, 0], zones[None, :, 1] - at[:, None, 1]
    reach = zones[None, :, 2]
    along = way[0] * fx + way[1] * fy
    inside = along * along - (fx * fx + fy * fy - reach * reach)
    hit = inside > 0.0
    half = np.sqrt(inside[hit])
    low, high = along[hit] - half, along[hit] + half
    end = most
    while True:
        within = (low < end) & (end < high)
        if not within.any():
            return end
        end = float(low[within].min()) - HAIR
        if end <= 0.0:
            return 0.0
