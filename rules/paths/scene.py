"""What stands in the way of one base on one surface, and the way it takes.

A `Scene` names the facts of a question; `Layout` is what follows from the walls alone and is shared by all questions
about them; `Local` holds the part that one question needs, with the radii lowered that its start or goal asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from math import inf
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.legs import Leg
from tactician.rules.core.measure import CLOSED_MARGIN, TOL, Inches
from tactician.rules.core.shapes import Box, Point, Polygon, contains, length
from tactician.rules.core.terrain import GROUND, Board
from tactician.rules.paths import inner, twins
from tactician.rules.paths.apron import Apron
from tactician.rules.paths.kernels import Rows

__all__ = ["Disc", "Layout", "Local", "Packed", "Scene", "Way", "layout", "limit_of", "local_of", "whole_local"]

Disc = tuple[Inches, Inches, Inches]
"""Centre and the least distance to it that is allowed."""

Circle = tuple[float, float, float]

LEAST = 1e-10
"""Radius with which a point (a base of radius 0) goes round corners."""


class Packed(NamedTuple):
    """A scene as arrays."""

    is_flat: bool
    """Whether the kernels can answer: raised floors, whose bases may stick out over the border, are left to others."""
    rows: Rows
    discs: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One base's surroundings on one surface."""

    board: Board
    surface: str = GROUND
    radius: Inches
    discs: tuple[Disc, ...] = ()
    """Bases and zones: centre, and the least distance of the two centres."""
    closed: tuple[Polygon, ...] = ()
    """Outlines that may not be overlapped beyond the walls of the surface."""
    _packed: Packed | None = field(default=None, init=False, repr=False, compare=False)

    def packed(self) -> Packed:
        """The scene as arrays for the kernels, made once."""
        if self._packed is None:
            shared = layout(self.board, self.surface, self.radius, self.closed)
            discs = np.array(self.discs, dtype=np.float64).reshape(-1, 3)
            object.__setattr__(self, "_packed", Packed(shared.apron is None, shared.rows(), discs))
        return cast("Packed", self._packed)

    def __reduce__(self) -> tuple[Callable[..., Scene], tuple[object, ...]]:
        """Pickle the facts alone."""
        return _scene, (self.board, self.surface, self.radius, self.discs, self.closed)


def _scene(board: Board, surface: str, radius: Inches, discs: tuple[Disc, ...], closed: tuple[Polygon, ...]) -> Scene:
    return Scene(board=board, surface=surface, radius=radius, discs=discs, closed=closed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way that can be walked within a budget."""

    cost: Inches
    legs: tuple[Leg, ...]
    margin: Inches
    """Budget minus cost; a referee would call it too close to tell where this is under 0.01."""
    points: tuple[Point, ...]
    """The start and the end of each leg."""


def limit_of(budget: Inches) -> Inches:
    """The longest way offered for a budget: a tape showing exactly X is within X, rounding included."""
    return budget + CLOSED_MARGIN


def convex_corners(polygon: Polygon) -> tuple[Point, ...]:
    """The corners at which a taut string may bend round the outside of a polygon."""
    points = polygon.points
    edges = polygon.edges
    sense = sum(ax * by - bx * ay for ax, ay, bx, by in edges)
    found = []
    for i, (x, y) in enumerate(points):
        px, py = points[i - 1]
        nx, ny = points[(i + 1) % len(points)]
        if ((x - px) * (ny - y) - (y - py) * (nx - x)) * sense > 0.0:
            found.append((x, y))
    return tuple(found)


class Layout:
    """The walls of one surface as one base meets them; shared, and never changed but for what it remembers."""

    def __init__(self, board: Board, surface: str, radius: Inches, closed: tuple[Polygon, ...]) -> None:
        """Turn outlines into edge rows and corner circles."""
        self.radius = max(radius, LEAST)
        self.slack = min(TOL / 2, self.radius / 2)
        self.least = self.radius - self.slack
        walls = dict.fromkeys([wall for _, wall in board.ground(surface).walls] + list(closed))
        self.walls: tuple[Polygon, ...] = tuple(walls)
        rows = dict.fromkeys(edge for wall in self.walls for edge in wall.edges)
        self.edges = [inner.edge_row(*edge, self.least) for edge in rows]
        x0, y0, x1, y1 = board.box
        self.box: Box = (x0 + self.radius, y0 + self.radius, x1 - self.radius, y1 - self.radius)
        outline = board.surface(surface).polygon
        self.apron = None if outline is None else Apron(outline, self.radius, self.slack)
        points = dict.fromkeys(point for wall in self.walls for point in convex_corners(wall))
        circles = [(x, y, self.radius) for x, y in points]
        circles += [(x, y, 0.0) for x, y in (self.apron.notches if self.apron else ())]
        grown = grow(self.box, self.slack)
        blocked = self._stretches(circles, grown)
        kept = [i for i, arcs in enumerate(blocked) if not is_shut(arcs)]
        self.circles: list[Circle] = [circles[i] for i in kept]
        self.blocked: list[inner.Blocked] = [blocked[i] for i in kept]
        self._edge_middles = np.array(
            [(ax + ux * size / 2, ay + uy * size / 2, size / 2) for ax, ay, ux, uy, size, _, _ in self.edges]
        ).reshape(-1, 3)
        self._centres = np.array(self.circles).reshape(-1, 3)
        self._base = radius
        self._rows: Rows | None = None

    def rows(self) -> Rows:
        """The layout as arrays for the kernels, made once."""
        if self._rows is None:
            stretches = [stretch for blocked in self.blocked for stretch in blocked]
            corners = [edge for wall in self.walls for edge in wall.edges]
            self._rows = (
                np.array(self.edges, dtype=np.float64).reshape(-1, 7),
                self._edge_middles.astype(np.float64),
                self._centres.astype(np.float64),
                _begins(len(blocked) for blocked in self.blocked),
                np.array(stretches, dtype=np.float64).reshape(-1, 2),
                np.array(corners, dtype=np.float64).reshape(-1, 4),
                _begins(len(wall.edges) for wall in self.walls),
                np.array([wall.box for wall in self.walls], dtype=np.float64).reshape(-1, 4),
                np.array((*self.box, self.radius, self.slack, self._base)),
            )
        return self._rows

    def _stretches(self, circles: list[Circle], box: Box) -> list[inner.Blocked]:
        """What the walls and the border block of each circle."""
        twin = twins.compiled()
        if twin is None or self.apron is not None or not circles:
            return [circle_blocked(circle, self.edges, (), box, self.apron) for circle in circles]
        edges = np.array(self.edges, dtype=np.float64).reshape(-1, 7)
        begins, many, spans = twin.all_stretches(
            edges, np.array(circles, dtype=np.float64), np.array(box, dtype=np.float64)
        )
        stretches = [(low, high) for low, high in spans.tolist()]
        places = zip(begins.tolist(), many.tolist(), strict=True)
        return [tuple(stretches[first : first + count]) for first, count in places]

    def edges_within(self, a: Point, b: Point, total: Inches) -> list[inner.EdgeRow]:
        """Edges that a way between two points of at most this length can come near."""
        return [self.edges[i] for i in _near(self._edge_middles, a, b, total + 2 * self.radius)]

    def circles_within(self, a: Point, b: Point, total: Inches) -> list[int]:
        """Numbers of the corner circles that a way between two points of at most this length can touch."""
        return _near(self._centres, a, b, total)

    def inside_wall(self, x: Inches, y: Inches) -> bool:
        """Whether a point lies in a wall's area."""
        return any(contains(wall, x, y) for wall in self.walls)


def _begins(counts: Iterable[int]) -> NDArray[np.int64]:
    """Where each of several runs of rows begins, and where the last one ends."""
    return np.array([0, *accumulate(counts)], dtype=np.int64)


@lru_cache(maxsize=128)
def layout(board: Board, surface: str, radius: Inches, closed: tuple[Polygon, ...]) -> Layout:
    """The layout of a surface for a radius, remembered by what it depends on."""
    return Layout(board, surface, radius, closed)


def grow(box: Box, by: Inches) -> Box:
    """The box, wider by so much on every side."""
    x0, y0, x1, y1 = box
    return x0 - by, y0 - by, x1 + by, y1 + by


def is_shut(blocked: inner.Blocked) -> bool:
    """Whether no part of a circle is free."""
    return len(blocked) == 1 and blocked[0][1] - blocked[0][0] >= inner.TURN


def circle_blocked(
    circle: Circle, edges: Iterable[inner.EdgeRow], discs: Iterable[inner.DiscRow], box: Box, apron: Apron | None
) -> inner.Blocked:
    """The exact stretches of a circle on which a centre would break a limit."""
    cx, cy, radius = circle
    if radius == 0.0:
        return ()
    parts = inner.box_blocked(cx, cy, radius, *box)
    for edge in edges:
        parts += inner.edge_blocked(cx, cy, radius, edge)
    for x, y, limit in discs:
        part = inner.disc_blocked(cx, cy, radius, x, y, limit)
        if part is not None:
            parts.append(part)
    if apron is not None:
        parts += apron.off_circle(cx, cy, radius)
    return inner.merge_blocked(parts)


def _near(rows: NDArray[np.float64], a: Point, b: Point, total: Inches) -> list[int]:
    """Numbers of the rows (x, y, extent) that may reach into the ellipse about two points."""
    if total == inf or not len(rows):
        return list(range(len(rows)))
    x, y = rows[:, 0], rows[:, 1]
    reach = np.sqrt((x - a[0]) ** 2 + (y - a[1]) ** 2)
    reach += np.sqrt((x - b[0]) ** 2 + (y - b[1]) ** 2)
    reach -= 2 * rows[:, 2]
    found: list[int] = np.nonzero(reach <= total + 1e-6)[0].tolist()
    return found


@dataclass(slots=True)
class Local:
    """The part of a scene that ways of one question can touch."""

    shared: Layout
    edges: list[inner.EdgeRow]
    discs: list[inner.DiscRow]
    circles: list[Circle]
    remembered: list[inner.Blocked | None]
    """The walls' stretches of each circle where the layout knows them."""
    box: Box
    _blocked: list[inner.Blocked | None] = field(init=False)

    def __post_init__(self) -> None:
        """Make room for the stretches of each circle."""
        self._blocked = [None] * len(self.circles)

    def blocked(self, i: int) -> inner.Blocked:
        """The blocked stretches of a circle, worked out when first asked for."""
        known = self._blocked[i]
        if known is None:
            known = self._blocked[i] = self._work_out(i)
        return known

    def _work_out(self, i: int) -> inner.Blocked:
        walls = self.remembered[i]
        if walls is None:
            return circle_blocked(self.circles[i], self.edges, self.discs, self.box, self.shared.apron)
        cx, cy, radius = self.circles[i]
        parts = []
        for x, y, limit in self.discs:
            part = inner.disc_blocked(cx, cy, radius, x, y, limit)
            if part is not None:
                parts.append(part)
        return inner.merge_blocked([*walls, *parts]) if parts else walls

    def free(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """Whether a straight leg keeps every limit."""
        x0, y0, x1, y1 = self.box
        if not (x0 <= ax <= x1 and y0 <= ay <= y1 and x0 <= bx <= x1 and y0 <= by <= y1):
            return False
        if not inner.segment_free(ax, ay, bx, by, self.edges, self.discs):
            return False
        return self.shared.apron is None or self.shared.apron.carries(ax, ay, bx, by)

    def may_stand(self, x: float, y: float, *, whole: bool) -> bool:
        """Whether a centre may be at a place; `whole`: the base must lie on its surface completely."""
        if any(length(x - dx, y - dy) < limit for dx, dy, limit in self.discs):
            return False
        if any(inner.point_edge_distance(x, y, edge) < edge[6] for edge in self.edges):
            return False
        return self.may_lie(x, y, whole=whole)

    def may_lie(self, x: float, y: float, *, whole: bool) -> bool:
        """Whether a centre clear of edges and discs is at a place to be: on the table, in no wall, on its floor."""
        x0, y0, x1, y1 = self.box
        if not (x0 <= x <= x1 and y0 <= y <= y1) or self.shared.inside_wall(x, y):
            return False
        apron = self.shared.apron
        return apron is None or (apron.holds(x, y) if whole else apron.touches(x, y))


def local_of(scene: Scene, start: Point, goal: Point, total: Inches, goal_in: bool = False) -> Local | None:
    """What ways from start to goal of at most `total` inches can touch; None where the start is not free.

    A start that stands too near to a disc (engaged, or deployed so) lowers that disc to its present distance; one that
    rests in a wall by no more than the tolerance lowers that wall. With `goal_in` circles that hold the goal by no more
    than the slack are lowered to it likewise.
    """
    shared = layout(scene.board, scene.surface, scene.radius, scene.closed)
    sx, sy = start
    edges = []
    sunk = False
    for edge in shared.edges_within(start, goal, total):
        ex, ey, ux, uy, _, _, limit = edge
        if -limit < (sy - ey) * ux - (sx - ex) * uy < limit:
            away = inner.point_edge_distance(sx, sy, edge)
            if away < limit:
                if away < scene.radius - TOL - inner.NOISE or away <= 0.0:
                    return None
                edge = (*edge[:6], away - min(inner.NOISE, away / 2))
                sunk = True
        edges.append(edge)
    if shared.inside_wall(sx, sy):
        return None
    box = _box_for(grow(shared.box, shared.slack), shared.box, start)
    if box is None:
        return None
    circles, remembered, lowered = _corners(shared, start, goal if goal_in else None, goal, total)
    discs = _discs(scene, start, goal if goal_in else None, goal, total, shared.slack)
    circles += [(x, y, around) for x, y, around, _ in discs]
    remembered += [None] * len(discs)
    rows = [(x, y, limit) for x, y, _, limit in discs]
    if sunk or lowered or box != grow(shared.box, shared.slack):
        remembered = [None] * len(circles)
    return Local(shared=shared, edges=edges, discs=rows, circles=circles, remembered=remembered, box=box)


def whole_local(scene: Scene) -> Local:
    """All of a scene, no limit lowered."""
    shared = layout(scene.board, scene.surface, scene.radius, scene.closed)
    discs = dict.fromkeys(disc for disc in scene.discs if disc[2] > 0.0)
    return Local(
        shared=shared,
        edges=list(shared.edges),
        discs=[(x, y, reach - min(shared.slack, reach / 2)) for x, y, reach in discs],
        circles=[*shared.circles, *discs],
        remembered=[*shared.blocked, *(None for _ in discs)],
        box=grow(shared.box, shared.slack),
    )


def _box_for(grown: Box, box: Box, start: Point) -> Box | None:
    """The box, widened by up to the tolerance to hold the start."""
    x0, y0, x1, y1 = grown
    x, y = start
    if x0 <= x <= x1 and y0 <= y <= y1:
        return grown
    a0, b0, a1, b1 = grow(box, TOL)
    if not (a0 <= x <= a1 and b0 <= y <= b1):
        return None
    return min(x0, x), min(y0, y), max(x1, x), max(y1, y)


def _corners(
    shared: Layout, start: Point, inside: Point | None, goal: Point, total: Inches
) -> tuple[list[Circle], list[inner.Blocked | None], bool]:
    """Corner circles in reach, with those lowered that hold the start or the goal."""
    circles: list[Circle] = []
    remembered: list[inner.Blocked | None] = []
    lowered = False
    for i in shared.circles_within(start, goal, total):
        x, y, radius = shared.circles[i]
        around = _lowered(x, y, radius, start, inside)
        if around < radius:
            lowered = True
        circles.append((x, y, around))
        remembered.append(shared.blocked[i])
    return circles, remembered, lowered


def _lowered(x: float, y: float, radius: float, start: Point, inside: Point | None) -> float:
    """The radius of a circle, lowered to the distance of a start or goal within it."""
    for point in (start, inside):
        if point is not None:
            dx, dy = point[0] - x, point[1] - y
            if -radius < dx < radius and -radius < dy < radius:
                away = length(dx, dy)
                if away < radius - inner.NOISE:
                    radius = away
    return radius


def _discs(
    scene: Scene, start: Point, inside: Point | None, goal: Point, total: Inches, slack: float
) -> list[tuple[float, float, float, float]]:
    """Discs in reach: centre, the radius to go round at, and the limit to keep."""
    found: dict[tuple[float, float, float, float], None] = {}
    for x, y, reach in scene.discs:
        near = length(x - start[0], y - start[1])
        if near + length(x - goal[0], y - goal[1]) > total + 2 * reach + 1e-6 or reach <= 0.0:
            continue
        limit = reach - min(slack, reach / 2)
        if near < reach:
            if near < inner.NOISE:
                continue
            limit = min(limit, near - min(slack, near / 2))
        found[x, y, max(_lowered(x, y, reach, start, inside), limit), limit] = None
    return list(found)
